"""A question of each kind as it is put to a class: what is right in the lesson counts as right."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.asking import Chosen, Drawn, Ordered, Typed
from app.asking.asked import KNOTS, Said
from app.asking.ballot import Ballot
from app.lessons.folder import packaged
from app.lessons.for_class import asked_of
from app.lessons.lesson import KINDS, Step, Task
from app.lessons.marking import right_answer, wrong_answers
from app.lessons.staged import staged
from app.state import Session

pytestmark = pytest.mark.compiled_only
STEPS = [step for lesson in packaged() for step in lesson.steps if step.question is not None]
ONE_OF_EACH = list({type(step.question): step for step in reversed(STEPS)}.values())


def test_there_is_one_of_each_kind() -> None:
    assert {type(step.question) for step in ONE_OF_EACH} == set(KINDS.values())


@pytest.mark.parametrize("step", ONE_OF_EACH, ids=lambda step: type(step.question).__name__)
def test_what_is_right_in_a_lesson_is_right_for_a_class(step: Step) -> None:
    session = Session("planar_chain")
    stage = staged(step, session)
    session.jobs.stop()
    asked = asked_of(stage, "gain", "gain:3")
    assert asked is not None
    ballot = Ballot(asked)
    answers: list[Any] = [0, 1] if isinstance(step.question, Task) else [right_answer(stage), *wrong_answers(stage)]
    if isinstance(asked, Drawn):
        answers = [list(np.interp(np.linspace(0, 1, KNOTS), np.linspace(0, 1, len(each)), each)) for each in answers]
        answers = [[float(value) for value in each] for each in answers]
    if isinstance(asked, Ordered):
        answers = [[stage.scattered.index(k) for k in each] for each in answers]
        assert asked.right != tuple(range(len(asked.right)))  # nothing is given away
        assert [asked.options[k] for k in asked.right] == list(stage.choices)
    for k, answer in enumerate(answers):
        ballot.take(Said(f"{k:022d}", ballot.number, answer))
    ballot.close()
    ballot.reveal()
    assert (ballot.phase, ballot.told["tally"]["total"]) == ("revealed", len(answers))
    assert json.dumps(ballot.told, allow_nan=False)
    if isinstance(asked, Chosen):
        assert sum(ballot.told["tally"]["rows"][k]["count"] for k in ballot.told["right"]["rows"]) == 1
    if not isinstance(asked, Drawn):
        assert f"1 of {len(answers)}" in ballot.told["right"]["words"]


@pytest.mark.parametrize(("name", "at", "in_size"), [("one_joint", 1, True), ("two_links", 7, False)])
def test_a_size_is_asked_for_as_one(name: str, at: int, in_size: bool) -> None:
    session = Session("planar_chain")
    (lesson,) = (each for each in packaged() if each.name == name)
    asked = asked_of(staged(lesson.steps[at], session), name, f"{name}:{at + 1}")
    session.jobs.stop()
    assert isinstance(asked, Typed)
    assert asked.in_size is in_size


def test_a_step_that_only_tells_is_not_asked() -> None:
    session = Session("planar_chain")
    stage = staged(replace(STEPS[0], question=None), session)
    session.jobs.stop()
    assert asked_of(stage, "gain", "gain:1") is None
