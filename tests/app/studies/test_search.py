"""A search beyond what was drawn: within bounds, for states and for motions."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.number_text import number_text
from app.service.studies import StudyPlaces
from app.state import Session
from app.studies import beyond
from app.studies.asked import Asked
from app.studies.beyond import Beyond, Search
from app.studies.course import Course
from app.studies.motion import Motion
from app.studies.study import StudyInstrument
from tests.app.studies.test_motions import question_of
from tests.app.studies.test_study import MINUTE, plain, until

pytestmark = pytest.mark.compiled_only
D = "filter.joint_inertia:joint_2"


@pytest.mark.full
def test_a_search_goes_beyond_what_was_drawn_and_opens(
    run_async: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    session = Session("puma560")
    session.playing = False
    session.study = f"q:2;{D};1000"
    made = StudyInstrument(session)
    made.paint("light")
    places = StudyPlaces(1, MINUTE)
    made.course, made.beyond = Course(session.jobs, places), Beyond(session.jobs, places)

    async def live() -> None:
        made.start()
        await until(session, made, lambda: not made.course.busy)
        look = made.course.look
        assert look is not None
        made._go("search smallest")
        await until(session, made, lambda: "smallest" in made.beyond.found)
        found = made.beyond.found["smallest"]
        assert found.value < look.found.minimum
        value = number_text(found.value)
        assert re.search(rf"By search, of [\d,]+ states: {value} kg m² ; nothing is beyond", plain(made._sheet.html))
        made._go("worst smallest")
        await until(session, made, lambda: made._value is not None)
        assert plain(made._here.html).count(f"{value} kg m²") == 2
        assert session.place.stage == "filter"
        session.undo()
        made.draw()
        assert made._here.html == ""
        made._go("search largest")
        child = made.beyond.course._child
        assert child is not None
        made._go("search smallest")  # one at a time
        assert made.beyond.course._child is child
        made._go("halt")
        assert child.wait(MINUTE) != 0
        assert "largest" not in made.beyond.found
        for nothing in ("search x", "worst largest", "halt", "other"):
            made._go(nothing)
        assert not made.beyond.course.busy

    run_async(live())
    session.jobs.stop()


def test_of_motions_the_worst_step_and_integrator_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("two_arms_and_box")
    question = question_of(session, Asked({"dt": 10.0, "method": 3.0}, "run:drift", 100, Motion(duration=0.05)))
    monkeypatch.setattr(beyond, "seconds_of", lambda question: 1.0)
    monkeypatch.setattr(beyond, "FEWEST", 40)
    monkeypatch.setattr(beyond, "MOST", 40)
    told: dict[str, Any] = {}
    Search(question, "largest").answer(told.__setitem__)
    found = told["answer"]
    assert found.value == found.moment.found["run:drift"]
    assert found.moment.drawn["method"] == "euler"
    assert found.moment.drawn["dt"] == max(question.over["dt"])
