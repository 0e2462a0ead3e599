"""Every packaged lesson played through by its own files: right, wrong and no answers at every step."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from app.lessons.checking import faults_of, question_faults
from app.lessons.folder import packaged
from app.lessons.lesson import Lesson, Number, Task
from app.lessons.marking import marked, right_answer, wrong_answers
from app.lessons.quantities import Scope
from app.lessons.staged import Staged, staged
from app.state import Session

LESSONS = packaged()
STEPS = [(lesson, at) for lesson in LESSONS for at in range(len(lesson.steps))]
IDS = [f"{lesson.name}-{lesson.steps[at].name}" for lesson, at in STEPS]


@pytest.fixture(scope="module")
def stages(session: Session) -> dict[str, Staged]:
    return {name: staged(lesson.steps[at], session) for name, (lesson, at) in zip(IDS, STEPS, strict=True)}


def test_these_are_there() -> None:
    assert [lesson.name for lesson in LESSONS] == [
        "one_joint", "two_links", "covariance", "gain", "sweeps", "heavier", "two_arms", "limits", "internal",
        "satellite", "four_ways", "wrong_sign",
    ]  # fmt: skip
    assert all(10 <= lesson.minutes <= 20 for lesson in LESSONS)
    assert all(len(lesson.steps) >= 7 for lesson in LESSONS)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_it_can_be_taught(lesson: Lesson, session: Session) -> None:
    assert faults_of(lesson.steps, session) == []
    assert sum(step.question is not None for step in lesson.steps) >= 7  # predict first, throughout
    assert isinstance(lesson.steps[-1].question, Task) or lesson.name == "covariance"


@pytest.mark.slow
@pytest.mark.parametrize("name", IDS)
def test_a_step_is_played_through(name: str, stages: dict[str, Staged]) -> None:
    stage = stages[name]
    assert stage.hints
    assert stage.reveal.strip()
    if isinstance(stage.step.question, Task):
        assert marked(stage, None).verdict == "none"
        assert marked(stage, None, stage.scope).verdict == "wrong"
        assert marked(stage, None, Scope(stage.scope.before, stage.scope.after, True)).verdict == "right"
        return
    assert marked(stage, None).verdict == "none"
    assert marked(stage, right_answer(stage)).verdict == "right"
    for wrong in wrong_answers(stage):
        assert marked(stage, wrong).verdict == "wrong"


@pytest.mark.parametrize("name", [name for name, (lesson, at) in zip(IDS, STEPS, strict=True)
                                  if isinstance(lesson.steps[at].question, Number)])  # fmt: skip
def test_its_check_fails_where_a_number_is_wrong(name: str, stages: dict[str, Staged]) -> None:
    """The same question about a number that is off by a fifth, and by its sign."""
    stage = stages[name]
    question = stage.step.question
    assert isinstance(question, Number)
    true = question.answer.number(stage.scope.later())
    for stated in (1.2 * true, -true):
        wrong = replace(stage, step=replace(stage.step, question=replace(question, stated=stated)))
        assert [key for key, _, _ in question_faults(wrong)] == ["stated"]


@pytest.mark.parametrize("name", IDS)
def test_what_is_to_be_predicted_is_not_said_before(name: str, stages: dict[str, Staged]) -> None:
    """Neither text nor question has the number that is asked for."""
    stage = stages[name]
    question = stage.step.question
    if isinstance(question, Number):
        shown = re.sub(r"<[^>]*>", " ", stage.text + stage.ask).replace("−", "-")
        true = question.answer.number(stage.scope.later())
        for number in map(float, re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e-?\d+)?(?![\w.])", shown)):
            given = name in GIVEN and abs(abs(number) - abs(true)) <= 1e-3 * abs(true)
            assert given or abs(number - true) > 0.01 * abs(true) or abs(true) < 1e-9, number


GIVEN = (
    "gain-02_moment",  # the torque is given; that it is the moment is the question
    "one_joint-05_hold",  # the innovation is given; that the torque is its opposite is the question
    "covariance-01_shake",  # the entry is given; that it is the variance is the question
)
