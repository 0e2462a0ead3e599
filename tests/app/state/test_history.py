"""Every change can be taken back and made again, and a run kept as A goes on beside B."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Pushed
from app.state import Session, history
from app.state.worker import Worker
from tests.conftest import run_apart


@pytest.fixture
def session() -> Session:
    return Session("two_arms_and_box")


def compute(session: Session, until: float) -> None:
    while session.run.end < until - 1e-9:
        session.run.accept(session.run.compute())


def test_nothing_to_undo_at_first(session: Session) -> None:
    assert not session.can_undo
    assert not session.can_redo
    run = session.run
    session.undo()
    session.redo()
    assert session.run is run


def test_every_change_is_taken_back_and_made_again(session: Session) -> None:
    joint, mass = session.system.joint_names[0], session.mass
    compute(session, 0.5)
    session.set_mass(2.0 * mass)
    session.set_torque(joint, 1.5)
    session.change(posture=tuple(session.setup.machine.state.q + 0.01))
    compute(session, 0.5)
    session.seek(0.25)
    session.release()
    session.open_preset("puma560")
    after = []
    while session.can_undo:
        after.append(session.setup)
        session.undo()
    assert len(after) == 5
    assert session.setup.machine.preset.name == "two_arms_and_box"
    assert (session.mass, session.torques[joint], session.setup.posture) == (mass, 0.0, None)
    for setup in reversed(after):
        session.redo()
        assert session.setup == setup
    assert not session.can_redo
    assert session.title == "PUMA 560, reaching"


def test_an_undone_release_was_never_there(session: Session) -> None:
    compute(session, 0.5)
    before = session.run.solution_at(0.5).state.q
    session.seek(0.25)
    session.release()
    compute(session, 0.5)
    assert not session.run.system_at(0.4).is_held
    session.undo()
    compute(session, 0.5)
    assert session.run.system_at(0.4).is_held
    np.testing.assert_allclose(session.run.solution_at(0.5).state.q, before, rtol=0, atol=1e-9)


def test_a_slider_keeps_what_happened_in_the_run(session: Session) -> None:
    compute(session, 0.5)
    session.seek(0.25)
    session.release()
    session.set_torque(session.system.joint_names[0], 1.0)
    compute(session, 0.5)
    assert session.run.system_at(0.2).is_held
    assert not session.run.system_at(0.4).is_held


def test_a_slider_on_its_way_is_one_step(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(history.time, "monotonic", lambda: now)
    joint, other = session.system.joint_names[:2]
    for value in (0.1, 0.2, 0.3):
        now += 0.5
        session.set_torque(joint, value)
    session.set_torque(other, 1.0)
    now += 2.0
    session.set_torque(other, 2.0)
    session.undo()
    assert (session.torques[joint], session.torques[other]) == (0.3, 1.0)
    session.undo()
    session.undo()
    assert (session.torques[joint], session.torques[other]) == (0.0, 0.0)
    assert not session.can_undo


def test_a_change_that_fails_is_no_step(session: Session) -> None:
    run = session.run
    session.set_mass(-1.0)
    assert session.message
    assert session.run is run
    assert not session.can_undo


def test_a_posture_is_closed_again(session: Session) -> None:
    """Both arms hold the box in the new posture, as near to what was asked as they can."""
    session.change(posture=tuple(session.setup.machine.state.q + 0.02))
    assert session.message == ""
    start = session.run.solution_at(0.0)
    dyn.forward_dynamics(session.system, start.state)  # raises where the chain does not close
    assert np.abs(start.state.q - session.setup.machine.state.q).max() > 1e-3


def test_a_push_acts_from_its_instant_on(session: Session) -> None:
    compute(session, 0.5)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[-1, 5] = 30.0
    session.seek(0.25)
    free = session.run.solution_at(0.25).object_acceleration
    session.intervene(Pushed(0.25, wrench), "push 1")
    session.intervene(Pushed(0.3, None), "push 1")
    compute(session, 0.5)
    pushed = session.run.solution_at(0.25)
    expected = dyn.forward_dynamics(pushed.system, pushed.state, pushed.tau, external_forces=wrench)
    np.testing.assert_array_equal(pushed.object_acceleration, expected.object_acceleration)
    assert pushed.object_acceleration[5] > free[5] + 0.1
    session.undo()
    assert session.setup.interventions == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["puma560", "free_flyer"])
def test_the_run_that_was_kept_stays_and_is_finished(name: str) -> None:
    async def play() -> None:
        session = Session(name)
        worker = Worker(session)
        session.keep()
        (kept,) = (each.run for each in session.kept)
        session.set_torque(session.system.joint_names[0], 1.0)
        assert session.run is not kept
        while not (session.run.complete and kept.complete):
            session.jobs.attend()
            worker.attend()
            await asyncio.sleep(0.0)
        session.jobs.stop()
        end = kept.duration
        assert np.abs(kept.solution_at(end).state.q - session.run.solution_at(end).state.q).max() > 1e-4
        session.drop_kept("A")
        assert session.kept == ()

    run_apart(play())
