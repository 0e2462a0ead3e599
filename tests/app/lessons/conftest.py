"""Lessons that are written for a test, and answers to them."""

from typing import Any

import pytest

from app.lessons.exercise import Exercise
from app.lessons.lesson import Lesson, read_lesson
from app.state import Session

HEAD = 'title = "A test"\naim = "Try it."\nminutes = 5\n'
SHOW = 'show = "?preset=planar_chain&gravity=0,0,0&posture=0,0,0,0,0&t=0.000&play=0"\n'
NUMBER = (
    '[question]\nkind = "number"\nask = "How large is $D(1)$?"\nanswer = "joint_inertia(1)"\nunit = "kg m^2"\n'
    'tolerance = "5 %"\n'
)


def step_text(
    question: str = NUMBER, text: str = "Look.", show: str = SHOW, after: str = "## Reveal\nSo it is.\n"
) -> str:
    return f'+++\ntitle = "A step"\n{show}{question}+++\n{text}\n{after if question else ""}'


FILES = {"lesson.toml": HEAD, "01_step.md": step_text()}


def lesson_of(*steps: str) -> Lesson:
    return read_lesson("a_test", {"lesson.toml": HEAD, **{f"{k:02d}_step.md": text for k, text in enumerate(steps, 1)}})


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("planar_chain")


def right_answer(exercise: Exercise) -> Any:
    """As a browser would send it; None for a task, which nobody answers in words."""
    return _answers(exercise)[0]


def wrong_answers(exercise: Exercise) -> list[Any]:
    """Answers that must not pass: every wrong option, link and usual mistake, wrong numbers, curves and orders."""
    return _answers(exercise)[1:]


def _answers(exercise: Exercise) -> list[Any]:
    """The right answer first."""
    question, scope = exercise.step.question, exercise.scope
    assert question is not None
    match question.kind:
        case "choice":
            return sorted(range(len(question.options)), key=lambda k: not question.options[k].value.holds(scope))
        case "number":
            true, mistakes = question.value.number(scope), [each.value.number(scope) for each in question.options]
            off = 2.0 * question.margin(true)
            return [repr(value) for value in (true, true + off, true - off, *mistakes)]
        case "link":
            return sorted(range(scope.after.system.n_links), key=lambda k: k not in exercise.right_links)
        case "curve":
            return [exercise.curve[1].tolist(), [question.least] * 20, [question.most] * 20]
        case "order":
            right = list(range(len(question.options)))
            orders = [right, right[::-1], [1, 0, *right[2:]]]
            return [each for each in orders if len(right) == 2 or each != exercise.shuffled]
    return [None]
