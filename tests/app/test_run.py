"""A run computed piece by piece is the simulation computed at once, and a branch keeps its past."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.state.curves import SAMPLES
from app.state.run import TIME_STEP, Run


@pytest.fixture
def arm() -> tuple[dyn.System, dyn.State]:
    system = dyn.single_arm(dyn.load("planar_chain"))
    return system, system.state(q=np.linspace(0.2, 0.6, system.n_joints))


def finished(run: Run) -> Run:
    while not run.complete:
        run.accept(run.compute())
    return run


def test_pieces_make_the_simulation(arm: tuple[dyn.System, dyn.State]) -> None:
    system, state = arm
    run = finished(Run(system, state, None, duration=0.6))
    whole = dyn.simulate(system, state, duration=0.6, dt=TIME_STEP)
    np.testing.assert_allclose(run.solution_at(0.6).state.q, whole.state_at(0.6).q, rtol=0, atol=1e-13)
    assert run.end == pytest.approx(0.6)


def test_curves_are_the_solutions_of_their_times(arm: tuple[dyn.System, dyn.State]) -> None:
    run = finished(Run(*arm, None, duration=0.6))
    assert len(run.curves) == SAMPLES + 1
    for k in (0, 17, SAMPLES):
        solution = run.solution_at(run.curves.times[k])
        np.testing.assert_array_equal(run.curves.columns["kalman_gain"][k], solution.stages["filter"]["kalman_gain"])


def test_curves_are_bounded_and_ascending(arm: tuple[dyn.System, dyn.State]) -> None:
    run = finished(Run(*arm, None, duration=0.6))
    assert np.all(np.diff(run.curves.times) > 0.0)
    assert len(run.curves) <= SAMPLES + 1


def test_what_is_not_computed_yet_shows_the_last_instant_known(arm: tuple[dyn.System, dyn.State]) -> None:
    run = Run(*arm, None, duration=5.0)
    np.testing.assert_array_equal(run.solution_at(4.0).state.q, arm[1].q)
    run.accept(run.compute())
    np.testing.assert_array_equal(run.solution_at(4.0).state.q, run.solution_at(run.end).state.q)


def test_a_branch_keeps_its_past_and_has_another_future(arm: tuple[dyn.System, dyn.State]) -> None:
    system, state = arm
    run = finished(Run(system, state, None, duration=0.6))
    pushed = dyn.ConstantTorque(np.full(system.n_joints, 3.0))
    branch = finished(run.branch(0.3, system, run.solution_at(0.3).state, pushed, "pushed"))
    np.testing.assert_array_equal(branch.solution_at(0.2).state.q, run.solution_at(0.2).state.q)
    assert np.abs(branch.solution_at(0.6).state.q - run.solution_at(0.6).state.q).max() > 1e-3
    assert branch.events == [(0.3, "pushed")]
    assert len(branch.curves) == SAMPLES + 1
    np.testing.assert_array_equal(branch.curves.times, run.curves.times)
