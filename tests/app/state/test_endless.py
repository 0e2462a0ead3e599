"""A run without an end: it goes on while somebody watches, keeps the recent past, and takes no more memory for that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.controls.transport import Transport
from app.kept.differences import difference
from app.kept.kept_run import size_of
from app.motion.interventions import Released
from app.motion.recorded_legs import leg_at
from app.motion.run import AHEAD, KEPT, LONGEST_LEG, Run, on_step
from app.sampling.curves import CAPACITY
from app.sampling.quantities import catalogue
from app.sampling.sampler import Sampler
from app.state import Session, worker
from app.state.address import LATEST, query_of, restore
from app.state.breakage import Breakage
from app.state.manipulation import Manipulation
from app.state.point_force import end_of
from app.state.worker import Worker
from app.views.look import shade
from app.views.playback import INTERVAL
from app.views.scene_view import SceneView
from app.wording import Kind, kind_of

LIVE = Callable[[Coroutine[Any, Any, Any]], Any]
GAIN = ("filter/kalman_gain", "all")


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


def samples(run: Run) -> int:
    return sum(len(each.recording.times) for each in run.legs)


def endless(preset: str = "puma560") -> Session:
    session = Session(preset)
    session.endless = True
    return session


@pytest.mark.slow
def test_it_goes_on_and_keeps_the_last_minute(run_async: LIVE) -> None:
    session, most = endless(), 0

    async def live() -> None:
        nonlocal most
        worker = Worker(session)
        for second in range(150):
            session.cursor.time = float(second)
            worker.attend()
            while worker.job.busy:
                await asyncio.sleep(0)
                worker.job.attend()
                worker.attend()
            most = max(most, samples(session.run))

    run_async(live())
    run = session.run
    assert not run.complete
    assert run.end == pytest.approx(149.0 + AHEAD, abs=0.3)
    assert 149.0 - KEPT - LONGEST_LEG <= run.begin <= 149.0 - KEPT
    assert most < 1000 * (KEPT + LONGEST_LEG + AHEAD + 2.0)
    for before, after in zip(run.legs, run.legs[1:], strict=False):
        assert np.array_equal(before.recording.x[-1], after.recording.x[0])
    assert session.time == 149.0
    assert run.solution_at(149.0).state.q == pytest.approx(run.solution_at(144.0).state.q, abs=1e-6)  # to and fro
    assert session.message == ""


def test_it_is_the_same_motion_as_with_an_end() -> None:
    plain = Session("two_arms_and_box")
    computed(plain.run)
    session = watched(endless("two_arms_and_box"), 12.0)
    for time in (3.3, 9.9):
        assert np.array_equal(session.run.solution_at(time).state.q, plain.run.solution_at(time).state.q)
    assert session.run.doubtful == np.inf


def test_who_pauses_has_nothing_computed() -> None:
    session = watched(endless(), 20.0)
    end = session.run.end
    session.run.reach(session.cursor.time, session.speed)
    assert session.run.is_ahead
    assert session.run.end == end


def test_one_scrubs_and_steps_within_what_is_kept() -> None:
    session = watched(endless(), 100.0)
    session.seek(3.0)
    assert session.cursor.time == session.run.begin
    session.seek(60.0)
    assert np.array_equal(session.solution().state.q, session.run.solution_at(60.0).state.q)
    session.step(-1)
    assert session.cursor.time == pytest.approx(59.99)
    session.walk_half(1)
    assert session.reading().lines


def test_a_push_late_in_it_acts_and_is_undone() -> None:
    session = watched(endless(), 100.0)
    before = session.run
    Manipulation(session).tap(end_of(session.system, 0), np.array([0.0, 0.0, 60.0]))
    watched(session, 101.0)
    assert session.run.begin == before.begin
    assert np.abs(session.run.solution_at(101.0).state.q - before.solution_at(101.0).state.q).max() > 1e-3
    assert np.array_equal(session.run.solution_at(99.0).state.q, before.solution_at(99.0).state.q)
    session.undo()
    watched(session, session.cursor.time)
    assert session.run.solution_at(101.0).state.q == pytest.approx(before.solution_at(101.0).state.q, abs=1e-9)
    assert session.cursor.time > 99.0


@pytest.mark.slow
def test_what_lies_before_the_kept_past_is_undone_by_beginning_anew() -> None:
    session = endless("two_arms_and_box")
    watched(session, 1.0)
    session.intervene(Released(1.0))
    watched(session, 90.0)
    assert not session.is_held
    session.undo()
    assert (session.cursor.time, session.run.begin) == (0.0, 0.0)
    watched(session, 3.0)
    assert session.is_held
    assert session.run.events == []


@pytest.mark.slow
def test_a_hand_holds_on_beyond_a_minute() -> None:
    session = watched(endless(), 58.0)
    manipulation = Manipulation(session)
    manipulation.press(end_of(session.system, 0), np.array([0.0, 0.0, 2.0]))
    for frame in range(0, 260, 2):
        watched(session, session.cursor.time + 1.0 / 15.0)
        manipulation.attend(frame)
        assert session.point_force is not None
    assert session.cursor.time > 65.0
    assert session.message == ""
    manipulation.let_go()
    assert session.point_force is None


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


def test_a_posture_is_the_start_not_the_oldest_that_is_kept() -> None:
    session = watched(endless(), 100.0)
    start = session.setup.machine.state.q
    assert np.array_equal(session.run.start.q, start)
    Manipulation(session).mode = "pose"
    assert session.time == 0.0
    assert np.array_equal(session.solution().state.q, start)


def test_a_link_leads_into_it_as_far_as_a_page_computes() -> None:
    session = watched(endless(), 50.0)
    other = Session("planar_chain")
    restore(other, query_of(session))
    watched(other, other.cursor.time)
    assert (other.endless, other.message) == (True, "")
    assert other.time == 50.0
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


@pytest.mark.slow
def test_its_curves_are_bounded_and_go_along() -> None:
    session = watched(endless("planar_chain"), 5.0)
    known = catalogue(session.run.solution_at(0.0))
    sampler = Sampler(session.jobs)
    for until in range(20, 240, 20):
        watched(session, float(until))
        sampler.want([(session.run, known)], [GAIN])
        sampler.catch_up()
        curves = sampler.curves(session.run)
        assert len(curves) <= CAPACITY
    assert curves.filled(GAIN) == len(curves) > 400
    assert session.run.begin - 1e-6 <= curves.times[0] < session.run.begin + 0.5
    assert curves.times[-1] == pytest.approx(session.run.end, abs=0.3)
    assert np.all(np.diff(curves.times) > 0.0)
    at = int(np.searchsorted(curves.times, 200.0))
    near = session.run.solution_at(float(curves.times[at])).stages["filter"]["kalman_gain"]
    assert np.abs(curves.column(GAIN)[at] - near.reshape(curves.column(GAIN)[at].shape)).max() < 0.5


@pytest.mark.slow
def test_the_browser_is_handed_what_is_new_and_told_what_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    session = watched(endless("planar_chain"), 1.0)
    view = SceneView(session)
    told: list[Any] = []
    monkeypatch.setattr(view._view, "_send_msg", told.append)
    view.draw()
    view._view.webgl = True
    view._view._handle_msg("ready")
    for until in range(2, 110, 4):
        watched(session, float(until))
        for _ in range(60):
            view.draw()
            view._playback._flying.clear()  # acknowledged
            if view.is_settled():
                break
        assert view.is_settled()
        assert len(view._playback._sent) <= (KEPT + LONGEST_LEG + AHEAD + 2.0) / INTERVAL
        assert len(view._sights) <= (KEPT + LONGEST_LEG + AHEAD + 2.0) / INTERVAL
    last = [each["play"] for each in told if isinstance(each, dict) and "play" in each][-1]
    assert (last["complete"], last["whole"], last["window"]) == (False, False, KEPT)
    assert last["begin"] == session.run.begin > 0.0


def test_the_timeline_is_a_window_and_its_button_a_switch() -> None:
    session = endless()
    transport = Transport(session, Manipulation(session))
    transport.draw()
    assert (transport._timeline.endless, transport._timeline.duration) == (True, KEPT)
    transport._endless.value = False
    transport.draw()
    assert not session.endless
    assert (transport._timeline.endless, transport._timeline.duration) == (False, session.preset.duration)


def test_a_kept_run_goes_along(run_async: LIVE) -> None:
    session = endless()
    session.keep()
    session.set_torque(session.system.joint_names[1], 3.0)
    session.keep()
    session.set_torque(session.system.joint_names[1], 5.0)
    kept = [each.run for each in session.kept]
    session.cursor.time = 14.0

    async def live() -> None:
        worker = Worker(session)
        worker.attend()
        while worker.job.busy:
            await asyncio.sleep(0)
            worker.job.attend()
            worker.attend()

    run_async(live())
    for run in (session.run, *kept):
        assert run.end >= 14.0 + AHEAD
        assert leg_at(run.legs, 14.0).start == pytest.approx(10.0)


def test_kept_runs_stop_where_there_is_no_room_for_more_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    session = endless()
    session.keep()
    session.set_torque(session.system.joint_names[1], 3.0)
    kept = session.kept[0].run
    monkeypatch.setattr(worker, "MOST_BYTES", size_of(kept))
    mine = Worker(session)
    session.cursor.time = 30.0
    mine._keep_ahead()
    assert kept.duration >= 30.0
    assert not session.message
    while not kept.is_ahead:
        kept.accept(kept.compute())
    session.cursor.time = 50.0
    mine._keep_ahead()
    assert session.run.duration >= 50.0 > kept.duration
    assert session.message == worker.STAYS
    session.message = ""
    mine._keep_ahead()
    assert not session.message  # said once


def test_a_push_at_the_oldest_instant_that_is_kept_acts_there() -> None:
    session = watched(endless(), 100.0)
    session.seek(0.0)
    begin, before = session.run.begin, session.solution().state.q
    assert session.time == begin > 0.0
    Manipulation(session).tap(end_of(session.system, 0), np.array([0.0, 0.0, 60.0]))
    assert (session.run.begin, session.time) == (begin, begin)
    assert np.array_equal(session.solution().state.q, before)
    watched(session, begin + 1.0)
    assert session.run.events[0] == (begin, "push")
    session.undo()
    assert session.run.begin == begin
    assert np.array_equal(session.run.solution_at(begin).state.q, before)


def test_a_broken_motion_whose_start_is_forgotten_is_not_begun_elsewhere() -> None:
    session = watched(endless("planar_chain"), 2.0)
    breakage = Breakage(session)
    keys = [line.breaks[0].key for line in breakage.lines if line.breaks]
    broken = [key for key in keys if dyn.textbook_breaks(frozenset({key}))]  # the other formulations move nothing
    session.breaks = frozenset(broken[:1])
    breakage.show_motion()
    assert session.broken is not None
    watched(session, 90.0)
    session.breaks = frozenset(broken[-1:])
    assert (session.motion, session.broken) == (None, None)
    breakage.show_motion()
    assert session.broken is not None
    assert session.broken.run.duration > session.motion >= 85.0


@pytest.mark.slow
def test_with_an_end_again_kept_runs_have_one_too() -> None:
    session = endless("planar_chain")
    session.keep()
    session.set_mass(2.0 * session.mass)
    session.keep()
    watched(session, 3.0)
    session.endless = False
    assert [each.run.endless for each in session.kept] == [False, False]
    assert session.kept[1].run is session.run
    session.endless = True
    watched(session, 75.0)
    session.endless = False
    watched_to_end = [session.run, *(each.run for each in session.kept)]
    for run in watched_to_end:
        computed(run)
    assert [(run.begin, run.complete, run.duration) for run in watched_to_end] == [(0.0, True, 10.0)] * 3
    assert session.kept[1].run is session.run
    session.open_kept("A")
    session.seek(9.0)
    other = Session("puma560")
    restore(other, query_of(session))  # what the page says of it, another page follows
    assert (other.message, other.time, other.cursor.time) == ("", 0.0, 9.0)


@pytest.mark.slow
def test_kept_runs_are_compared_and_seen_no_further_back_than_both_are_kept() -> None:
    session = endless("planar_chain")
    session.keep()
    session.set_mass(2.0 * session.mass)
    watched(session, 80.0)
    (ghost,) = session.ghosts
    begin = max(session.run.begin, ghost.run.begin)
    assert begin > 0.0
    found = difference(session.run, ghost.run)
    at = np.linspace(begin, session.run.end, 401)
    apart = [
        np.abs(session.run.solution_at(time).state.q - ghost.run.solution_at(time).state.q).max()
        for time in map(on_step, at)
    ]
    assert found.turning.rms == pytest.approx(np.sqrt(np.mean(np.square(apart))), rel=1e-9)
    assert len(shade(ghost, begin).link_pose) == session.system.n_links
    session.reset()
    assert len(shade(ghost, 0.0).link_pose) == 0
    assert difference(session.run, ghost.run).words
