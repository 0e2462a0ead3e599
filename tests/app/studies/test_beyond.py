"""What is worse than chance has met: searched for beside the page, told with its bound, and opened."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import dynamics as dyn
from app.number_text import number_text
from app.service.studies import StudyPlaces
from app.state import Session
from app.studies import beyond
from app.studies.asked import Asked
from app.studies.beyond import Beyond, Search
from app.studies.course import Course
from app.studies.motion import Motion
from app.studies.study import StudyInstrument
from tests.app.studies import test_study
from tests.app.studies.test_motions import question_of
from tests.app.studies.test_study import MINUTE, plain, until

pytestmark = pytest.mark.compiled_only

D = "filter.joint_inertia:joint_2"


@pytest.mark.slow
def test_a_search_goes_beyond_what_was_drawn_and_opens(
    run_async: Callable[[Coroutine[Any, Any, None]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_study, "MINUTE", 5.0 * MINUTE)  # it stands behind whatever else the machine does
    session = Session("puma560")
    session.playing = False
    session.study = f"q:2;{D};1000"
    made = StudyInstrument(session)
    made.paint("light")
    places = StudyPlaces(1, 5.0 * MINUTE)
    made.course, made.beyond = Course(session.jobs, places), Beyond(session.jobs, places)

    async def live() -> None:
        made.start()
        await until(session, made, lambda: not made.course.busy)
        look = made.course.look
        assert look is not None
        assert plain(made._sheet.html).count("Search") == 2
        made._go("search smallest")
        assert "Searching" in plain(made._sheet.html)
        await until(session, made, lambda: "smallest" in made.beyond.found)
        found = made.beyond.found["smallest"]
        assert found.value < look.found.minimum
        value = number_text(found.value)
        assert re.search(rf"By search, of [\d,]+ states: {value} kg m² ; nothing is beyond", plain(made._sheet.html))
        made._go("worst smallest")
        await until(session, made, lambda: made._value is not None)
        told = plain(made._here.html)
        assert "What was found by search is open" in told
        assert told.count(f"{value} kg m²") == 2, told
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
        while (place := places.take()) is None:  # whose thread has yet to hear that it is over
            await asyncio.sleep(0.01)
        place.leave()
        made.start()
        assert not made.beyond.found
        made.course.cancel()

    run_async(live())
    session.jobs.stop()


@pytest.mark.parametrize(("each", "ought"), [(1e-6, 20_000), (0.01, 2_000), (10.0, 300)])
def test_a_search_solves_as_many_states_as_somebody_waits_for(
    each: float, ought: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def searched(*given: Any, **options: Any) -> str:
        asked.append(given[4])
        return "found"

    session = Session("puma560")
    question = question_of(session, Asked({"q": 1.0}, "agreement", 1000))
    monkeypatch.setattr(beyond, "seconds_of", lambda question: each * question.size)
    monkeypatch.setattr(dyn, "worst_case", searched)
    told: list[tuple[str, Any]] = []
    Search(question, "largest").answer(lambda kind, what: told.append((kind, what)))
    assert asked == [ought]
    assert told == [("estimate", pytest.approx(each * ought)), ("answer", "found")]


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
