"""What a step supposes, and computes with by a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.lessons.checking import faults_of
from app.lessons.lesson import Lesson
from app.lessons.staged import staged
from app.lessons.step_file import read_step
from app.state import Session
from tests.app.lessons.conftest import NUMBER, step_text

Write = Callable[..., Lesson]
LOAD = '"3 kg" = "supposed as load"\n'
TEXT = "Suppose 3 kg at the tip: a weight of 29.4 N, and {{ load * norm(after.gravity) | 3 }} N."


def supposing(numbers: str, text: str, question: str = NUMBER) -> str:
    show = 'show = "?preset=planar_chain&posture=0,0,0,0,0&t=0.000&play=0"\n'
    return step_text(f"{question}[numbers]\n{numbers}", text, show)


def test_it_is_computed_with(written: Write, session: Session) -> None:
    lesson = written(supposing(f'{LOAD}"29.4 N" = "load * norm(gravity)"\n', TEXT))
    assert faults_of(lesson.steps, session) == []
    assert "and 29.4&nbsp;N" in staged(lesson.steps[0], session).text


def test_what_follows_from_another_supposition_is_told(written: Write, session: Session) -> None:
    other = supposing(f'{LOAD}"29.4 N" = "load * norm(gravity)"\n', TEXT).replace("3 kg", "4 kg")
    (told,) = faults_of(written(other).steps, session)
    assert "'29.4 N', and load * norm(gravity) gives 39.24" in told.said


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("5 cm", 0.05),
        ("30°", 0.523598776),
        ("ten tonnes", 10000.0),
        ("four times", 4.0),
        ("ten percent", 0.1),
        ("3 kN", 3e3),
    ],
)
def test_it_counts_in_the_si(written: Write, number: str, value: float) -> None:
    text = supposing(f'"{number}" = "supposed as way"\n', f"Suppose {number}: {{{{ way * mass(1) / mass(1) | 8 }}}}.")
    assert written(text).steps[0].supposed["way"].value == pytest.approx(value)


@pytest.mark.parametrize(
    ("numbers", "text", "words"),
    [
        ('"3 kg" = "supposed as Load"\n', "3 kg", "'Load' is no name"),
        ('"3 kg" = "supposed as mass"\n', "3 kg", "mass is the name of something else"),
        ('"3 kg" = "supposed as filter"\n', "3 kg", "filter is the name of something else"),
        (LOAD + '"4 kg" = "supposed as load"\n', "3 kg and 4 kg", "load is supposed twice"),
        ('"3 µm" = "supposed as push"\n', "3 µm", "its unit is none that is known"),
        (LOAD, "3 kg and {{ burden }}", "there is no quantity burden"),
    ],
)
def test_a_name_that_can_be_none_is_told(numbers: str, text: str, words: str) -> None:
    _, faults = read_step("01_step.md", supposing(numbers, text))
    assert words in "\n".join(map(str, faults))


def test_an_answer_that_is_only_supposed_asks_nothing(written: Write, session: Session) -> None:
    question = NUMBER.replace("joint_inertia(1)", "2 * load").replace("kg m^2", "kg")
    told = faults_of(written(supposing(LOAD, "3 kg", question)).steps, session)
    assert "its answer asks nothing of the moment" in told[0].said
