"""Answers of every kind, right, wrong and none; and what is said of a drawing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.lessons.checking import faults_of, question_faults
from app.lessons.lesson import Lesson
from app.lessons.marking import marked, right_answer, wrong_answers
from app.lessons.quantities import Known, Scope
from app.lessons.staged import Staged, staged
from app.state import Session
from app.views.drawn import apart
from tests.app.lessons.conftest import NUMBER, step_text

Write = Callable[..., Lesson]
NONE: tuple[Any, ...] = (
    None,
    "",
    [],
    {},
    -1,
    10**9,
    True,
    "x",
    [1],
    ["1"],
    {"a": 1},
    1.5,
    [float("nan")] * 30,
    "1" * 999,
)


def stage_of(written: Write, session: Session, question: str, **more: str) -> Staged:
    return staged(written(step_text(question, **more)).steps[0], session)


def test_a_number_may_be_typed_in_many_ways(written: Write, session: Session) -> None:
    stage = stage_of(written, session, NUMBER)
    for text in (
        "0.0301",
        "0,0301",
        " 3.01e-2 kg m^2",
        "+.03 kg·m²",
        "0.0301 kgm^2",
        "3.01e-2.",
        "3.01 x 10^-2 kg m2",
        "301/10000",
        "301 kg cm^2",
        "301 000 g cm²",
    ):
        assert marked(stage, text).verdict == "right", text
    for text, words in (
        ("-0.0301", "sign"),
        ("301", "smaller"),
        ("30.1", "power of ten"),
        ("0.01", "larger"),
    ):
        mark = marked(stage, text)
        assert (mark.verdict, words in mark.words) == ("wrong", True), mark
    for text, words in (
        ("three", "no number"),
        ("0.03 N m", "in kg m²"),
        ("2 * 0.015", "work it out and give one number, in kg m²"),
        ("0.01 + 0.02 kg m^2", "work it out"),
        ("", "no answer"),
        ("3/0", "7/20"),
        ("1e999", "no number"),
    ):
        mark = marked(stage, text)
        assert (mark.verdict, words in mark.words) == ("none", True), mark


def test_what_is_asked_in_size_is_right_with_either_sign(written: Write, session: Session) -> None:
    question = NUMBER.replace("joint_inertia(1)", "abs(articulated_inertia(1)[1, 6])").replace("kg m^2", "kg m")
    stage = stage_of(written, session, question)
    assert marked(stage, "-0.15").words == "Right: it is 0.15 kg m in size."
    assert marked(stage, "0.15").words == "Right: it is 0.15 kg m."
    assert marked(stage, "-0.2").verdict == "wrong"
    assert question_faults(stage) == []


def test_a_usual_mistake_is_named(written: Write, session: Session) -> None:
    question = NUMBER + '[[question.mistakes]]\nvalue = "0.09"\nsay = "All of it at the end?"\n'
    assert (
        marked(stage_of(written, session, question), "0.09").words
        == "Not quite, but your number is known. All of it at the end?"
    )


OPTIONS = (
    '[[question.options]]\ntext = "a"\nright = "mass(1) > 2"\nsay = "No."\n'
    '[[question.options]]\ntext = "b"\nright = "mass(1) < 2"\n'
)
ITEMS = "".join(f'[[question.items]]\ntext = "{name}"\nby = "joint_inertia({k})"\n' for k, name in enumerate("abc", 1))
AXIS = 'of = "time * time"\nunit = "s^2"\nuntil = 0.5\nleast = -0.1\nmost = 0.4\n'
QUESTIONS = {
    "choice": f'[question]\nkind = "choice"\nask = "?"\n{OPTIONS}',
    "number": NUMBER,
    "link": '[question]\nkind = "link"\nask = "?"\nright = "link == 2"\n',
    "order": f'[question]\nkind = "order"\nask = "?"\n{ITEMS}',
    "curve": f'[question]\nkind = "curve"\nask = "?"\n{AXIS}',
}


def test_an_order_that_stands_as_it_came_is_no_answer(written: Write, session: Session) -> None:
    stage = stage_of(written, session, QUESTIONS["order"])
    mark = marked(stage, list(stage.scattered))
    assert (mark.verdict, "move one first" in mark.words) == ("none", True)
    assert all(marked(stage, each).verdict == "wrong" for each in wrong_answers(stage))
    assert wrong_answers(stage)
    items = ITEMS.split("[[question.items]]")[1:3]
    two = '[question]\nkind = "order"\nask = "?"\n' + "".join(f"[[question.items]]{each}" for each in items)
    assert marked(stage_of(written, session, two), [1, 0]).verdict == "wrong", "the only wrong order may be meant"


@pytest.mark.parametrize("kind", QUESTIONS)
def test_right_wrong_and_no_answers(written: Write, session: Session, kind: str) -> None:
    stage = stage_of(written, session, QUESTIONS[kind])
    assert marked(stage, right_answer(stage)).verdict == "right"
    wrong = wrong_answers(stage)
    assert wrong
    assert {marked(stage, each).verdict for each in wrong} == {"wrong"}
    right = right_answer(stage)
    for nothing in NONE:
        if nothing != right:
            assert marked(stage, nothing).verdict == "none", nothing
    assert question_faults(stage) == []


def test_a_fault_of_an_option_is_told_where_the_options_begin(written: Write, session: Session) -> None:
    question = QUESTIONS["choice"].replace("> 2", "> 0")
    assert [fault.line for fault in faults_of(written(step_text(question)).steps, session)] == [7]


def test_an_answer_that_is_a_row_is_told_at_its_line(written: Write, session: Session) -> None:
    question = NUMBER.replace("joint_inertia(1)", "joint_inertia")
    assert [fault.line for fault in faults_of(written(step_text(question)).steps, session)] == [7]


def test_a_command_that_nobody_knows_is_no_formula(written: Write, session: Session) -> None:
    (fault,) = faults_of(written(step_text(text="It is $\\epsilno$.")).steps, session)
    assert (fault.line, "\\epsilno, a command that is not known" in fault.said) == (11, True)


def test_a_task_is_judged_by_what_the_page_shows(written: Write, session: Session) -> None:
    question = '[question]\nkind = "task"\nask = "?"\nuntil = "mass(1) > before.mass(1) + 0.5"\n'
    show = 'show = "?preset=planar_chain&t=0.000"\nthen = "?preset=planar_chain&mass=2&t=0.000"\n'
    stage = stage_of(written, session, question, show=show)
    assert marked(stage, None).verdict == "none"
    page = Session("planar_chain")
    live = lambda: Scope(stage.scope.before, Known(page.run, page.time), True)  # noqa: E731
    assert marked(stage, None, live()).verdict == "wrong"
    page.set_mass(1.8)
    assert marked(stage, None, live()).verdict == "right"
    page.open_preset("two_arms_and_box")
    assert marked(stage, None, live()).verdict == "wrong"
    assert question_faults(stage) == []


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (NUMBER + "stated = 0.04\n", "the live state gives 0.0301"),
        (QUESTIONS["choice"].replace("> 2", "> 0"), "options 1 and 2 are right"),
        (QUESTIONS["choice"].replace("< 2", "< 0"), "no option is right"),
        (QUESTIONS["link"].replace("link == 2", "link > 0"), "5 links are right"),
        (QUESTIONS["link"].replace("link == 2", "link > 9"), "0 links are right"),
        (QUESTIONS["order"].replace("joint_inertia(3)", "joint_inertia(1)"), "not in rising order"),
        (QUESTIONS["curve"].replace("most = 0.4", "most = 0.1"), "beyond its axis"),
        (QUESTIONS["curve"] + "tolerance = 100\n", "a wrong answer passes"),
        (NUMBER + '[[question.mistakes]]\nvalue = "0.03"\nsay = "x"\n', "is right here"),
        (NUMBER.replace("joint_inertia(1)", "joint_inertia(9)"), "has 5 entries"),
        (NUMBER.replace("joint_inertia(1)", "joint_inertia"), "one number"),
        (NUMBER.replace("joint_inertia(1)", "contact_force(1)"), "has no contact_force"),
        (NUMBER.replace("joint_inertia(1)", "object_mass"), "holds no object"),
        (NUMBER.replace("joint_inertia(1)", "energy(t=99)"), "not in this motion"),
        (NUMBER.replace("joint_inertia(1)", "3"), "this check cannot fail"),
        (QUESTIONS["choice"].replace("mass(1)", "1"), "this check cannot fail"),
        (QUESTIONS["curve"].replace("time * time", "0.1"), "this check cannot fail"),
        (re.sub(r"joint_inertia.(.).", r"\1", QUESTIONS["order"]), "this check cannot fail"),
        ('[question]\nkind = "task"\nask = "?"\nuntil = "mass(1) > 0"\n', "done already"),
        ('[question]\nkind = "task"\nask = "?"\nuntil = "mass(1) > 5"\n', "does not show"),
    ],
)
def test_a_check_can_fail(written: Write, session: Session, question: str, words: str) -> None:
    told = [f"{fault}" for fault in faults_of(written(step_text(question)).steps, session)]
    assert any(words in fault for fault in told), told
    assert all(fault.startswith("01_step.md:") for fault in told)


@pytest.mark.parametrize(
    ("show", "words"),
    [
        ("?preset=nowhere", "no preset"),
        ("?preset=planar_chain&t=99", "expected a number"),
        ("?preset=planar_chain&link=77", "whole number up to"),
        ("?preset=planar_chain&breaks=nothing", "cannot show"),
    ],
)
def test_a_moment_that_cannot_be_is_told_with_its_line(written: Write, session: Session, show: str, words: str) -> None:
    (fault,) = faults_of(written(step_text(show=f'show = "{show}"\n')).steps, session)
    assert (fault.file, fault.line) == ("01_step.md", 3)
    assert words in fault.said


def test_all_that_a_step_cannot_say_is_told_at_once(written: Write, session: Session) -> None:
    text = "{{ joint_inertia(9) }} is\n{{ joint_inertia(1) }} or {{ object_mass }}."
    after = "## Hint\n{{ energy(t=99) }}\n## Reveal\n$\\frac{$ and {{ mass(99) }}\n"
    told = faults_of(written(step_text(text=text, after=after)).steps, session)
    assert [fault.said.partition(":")[0] for fault in told] == [
        "joint_inertia(9)", "object_mass", "energy(t=99)", "mass(99)",
    ]  # fmt: skip
    assert [fault.line for fault in told] == sorted({fault.line for fault in told})


def test_a_number_in_a_text_is_that_of_its_moment(written: Write, session: Session) -> None:
    show = 'show = "?preset=planar_chain&t=0.000"\nthen = "?preset=planar_chain&mass=2&t=0.000"\n'
    text = "{{ mass(1) }} and {{ after.mass(1) }} at {{ time }}, {{ time(t=0.25) }}"
    reveal = "## Reveal\n{{ mass(1) }} after {{ before.mass(1) }}\n"
    stage = stage_of(written, session, NUMBER, show=show, text=text, after=reveal)
    assert "1 and 2 at 0, 0.25" in stage.text
    assert "2 after 1" in stage.reveal


TIMES = np.linspace(0.0, 1.0, 41)
HILL = np.sin(np.pi * TIMES)


@pytest.mark.parametrize(
    ("drawn", "words", "least", "most"),
    [
        (HILL, ("starts where the true one does", "Both rise first"), 0.0, 1e-12),
        (-HILL, ("falls first, the true one rises first",), 1.0, 1.5),
        (0.0 * HILL, ("stays level, the true one rises first", "never turns, the true one turns once"), 0.6, 0.7),
        (HILL + 0.5, ("starts at 0.5 m, the true one at 0 m", "0.5 m above"), 0.49, 0.51),
        (np.sin(3.0 * np.pi * TIMES), ("turns 3 times, the true one turns once",), 0.4, 1.0),
        (HILL - 2.5, ("2.5 m below", "off by 250 %"), 2.4, 2.6),
        (np.sin(np.pi * TIMES**2), ("highest at 0.7 s, the true one at 0.5 s",), 0.1, 0.5),
    ],
)
def test_a_drawing_is_compared_in_words(drawn: np.ndarray, words: tuple[str, ...], least: float, most: float) -> None:
    told = apart(drawn, TIMES, HILL, "m")
    assert least <= told.mean <= most
    for each in words:
        assert each in told.words, told.words
