"""A run without an end goes on while it is watched and keeps the recent past in bounded memory."""

import asyncio

import numpy as np
import pytest

from app.clock import Worker
from app.messages import Kind, kind_of
from app.motion.run import AHEAD, KEPT, LONGEST_LEG, Run
from app.state import Session
from app.state.address import LATEST, query_of
from app.state.manipulation import Manipulation
from app.state.point_force import end_of
from tests.app.arrival import restore


def computed(run: Run) -> None:
    while not run.is_ahead:
        run.accept(run.compute())


def watched(session: Session, until: float) -> Session:
    """What the clock does, without its thread: the cursor goes on, a second at a time."""
    while True:
        for run in (session.run, *(each.run for each in session.kept)):
            run.endless = session.endless
            run.reach(session.cursor.time, session.speed)
            computed(run)
        if session.cursor.time >= until:
            return session
        session.cursor.time = min(session.cursor.time + 1.0, until)


def endless(preset: str = "puma560") -> Session:
    session = Session(preset)
    session.endless = True
    return session


async def test_it_goes_on_and_keeps_the_last_minute() -> None:
    session, most = endless(), 0
    worker = Worker(session)
    for second in range(75):
        session.cursor.time = float(second)
        worker.attend()
        while worker.job.busy:
            await asyncio.sleep(0)
            worker.job.attend()
            worker.attend()
        most = max(most, sum(len(each.recording.t) for each in session.run.legs))
    run = session.run
    assert not run.complete
    assert run.end == pytest.approx(74.0 + AHEAD, abs=0.3)
    assert 74.0 - KEPT - LONGEST_LEG <= run.begin <= 74.0 - KEPT
    assert most < 1000 * (KEPT + LONGEST_LEG + AHEAD + 2.0)
    for before, after in zip(run.legs, run.legs[1:], strict=False):
        assert np.array_equal(before.recording.x[-1], after.recording.x[0])
    assert session.time == 74.0
    assert run.solution_at(74.0).state.q == pytest.approx(run.solution_at(69.0).state.q, abs=1e-6)  # to and fro
    assert session.message == ""


def test_it_is_the_same_motion_as_with_an_end() -> None:
    plain = Session("two_arms_and_box")
    computed(plain.run)
    session = watched(endless("two_arms_and_box"), 12.0)
    for time in (3.3, 9.9):
        assert np.array_equal(session.run.solution_at(time).state.q, plain.run.solution_at(time).state.q)
    assert session.run.doubtful == np.inf


def test_pushes_act_late_and_at_the_oldest_kept_instant_and_are_undone() -> None:
    session = watched(endless(), 100.0)
    manipulation, lift = Manipulation(session), np.array([0.0, 0.0, 60.0])
    session.seek(3.0)  # which is forgotten
    begin, start = session.run.begin, session.solution().state.q
    assert session.time == session.cursor.time == begin > 0.0
    manipulation.tap(end_of(session.system, 0), lift)
    assert (session.run.begin, session.time) == (begin, begin)
    assert np.array_equal(session.solution().state.q, start)
    watched(session, begin + 1.0)
    assert session.run.events[0] == (begin, "push")
    session.undo()
    assert session.run.begin == begin
    assert np.array_equal(session.run.solution_at(begin).state.q, start)
    before = watched(session, 100.0).run
    manipulation.tap(end_of(session.system, 0), lift)
    watched(session, 101.0)
    assert session.run.begin == before.begin
    assert np.abs(session.run.solution_at(101.0).state.q - before.solution_at(101.0).state.q).max() > 1e-3
    assert np.array_equal(session.run.solution_at(99.0).state.q, before.solution_at(99.0).state.q)
    session.undo()
    watched(session, session.cursor.time)
    assert session.run.solution_at(101.0).state.q == pytest.approx(before.solution_at(101.0).state.q, abs=1e-9)
    assert session.cursor.time > 99.0
    watched(session, 101.0)
    session.seek(3.0)  # once more, when more could be forgotten than is kept
    begin = session.run.begin
    manipulation.tap(end_of(session.system, 0), lift)
    watched(session, begin + 1.0)
    assert session.run.events[0] == (begin, "push")


def test_with_an_end_again_it_begins_anew_or_goes_on_where_it_may() -> None:
    session = watched(endless(), 2.0)
    run = session.run
    session.endless = False
    assert session.run is run
    assert session.run.duration == session.preset.duration
    session.endless = True
    watched(session, 80.0)
    session.endless = False
    assert session.run is not run
    assert (session.cursor.time, session.run.begin, session.run.duration) == (0.0, 0.0, session.preset.duration)
    computed(session.run)
    assert session.run.complete


def test_a_link_leads_into_it_as_far_as_a_page_computes() -> None:
    session = watched(endless(), 50.0)
    other = Session("planar_chain")
    restore(other, query_of(session))
    watched(other, other.cursor.time)
    assert ((other.endless, other.message), other.time) == ((True, ""), 50.0)
    assert np.array_equal(other.solution().state.q, session.run.solution_at(50.0).state.q)
    late = {**query_of(session), "t": str(LATEST + 1.0)}
    restore(other, late)
    assert other.cursor.time == 0.0
    assert kind_of(other.message) is Kind.LINK_IN_PART
    assert "without an end" in other.message
    restore(other, {**late, "motion": late["t"], "layers": "links," * 3 + "mass_center,momentum,momentum"})
    assert "without an end" in other.message
    assert (other.motion, other.layers) == (None, ["mass_center", "momentum"])
    plain = query_of(Session("puma560"))
    assert "endless" not in plain
    restore(other, plain)
    assert not other.endless
    assert not other.run.endless
