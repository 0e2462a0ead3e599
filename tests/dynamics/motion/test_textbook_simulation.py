"""The motion of a broken text: the true one where nothing is broken, and a reason where it explodes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn

pytestmark = pytest.mark.compiled_only  # the text is Python's own either way

WEIGHT = "bias.prediction.b~w~drop"
CORRECTION = "inward_filter.correction.z_plus~G-eps~drop"


@given(st.sampled_from(["puma560", "free_flyer", "two_arms_and_box"]))
def test_without_breaks_it_is_the_motion(example: str) -> None:
    system, state = dyn.example(example)
    controller = dyn.ConstantTorque(np.linspace(-0.01, 0.01, system.n_joints))
    run = dyn.TextbookSimulation(system, state, (), controller, dt=2.5e-3)
    run.advance(0.15)
    expected = dyn.simulate(system, state, controller, duration=0.15, dt=1e-3)
    assert run.time == pytest.approx(0.15)
    assert not run.stopped
    assert np.allclose(run.recording.x[-1], expected.x[-1], rtol=0.0, atol=1e-5)
    assert np.allclose(run.recording.v[-1], expected.v[-1], rtol=0.0, atol=1e-4)


def test_a_broken_text_moves_by_what_it_says() -> None:
    system, state = dyn.example("planar_chain")
    still = system.state(q=state.q)
    run = dyn.TextbookSimulation(system, still, [WEIGHT])
    run.advance(0.2)
    assert np.allclose(run.recording.x, state.q)
    assert np.abs(dyn.simulate(system, still, duration=0.2).x[-1] - state.q).max() > 1e-2
    system, state = dyn.example("puma560")
    run = dyn.TextbookSimulation(system, state, [CORRECTION])
    run.advance(0.05)
    found = run.recording.solution_at(0.0421)
    again = dyn.read_textbook(system, found.state, found.tau, breaks=[CORRECTION]).solution
    assert np.array_equal(found.joint_acceleration, again.joint_acceleration)
    true = dyn.forward_dynamics(system, found.state, found.tau)
    assert np.abs(found.joint_acceleration - true.joint_acceleration).max() > 1e-2
    part = run.recording.until(0.0421)
    assert part.duration < run.recording.duration
    assert np.array_equal(part.solution_at(0.03).joint_acceleration, run.recording.solution_at(0.03).joint_acceleration)


def test_an_explosion_ends_with_a_reason() -> None:
    system, state = dyn.example("long_chain")
    for key, words in {
        "inward_filter.prediction.P~M~drop": "divides by zero",
        CORRECTION: "faster than any machine",
    }.items():
        run = dyn.TextbookSimulation(system, state, [key])
        run.advance(1.0)
        assert words in run.stopped
        assert run.time < 1.0
        assert np.all(np.isfinite(run.recording.x))
        assert run.recording.stopped == run.stopped
        run.recording.state_at(run.time)
    system, state = dyn.example("puma560")
    run = dyn.TextbookSimulation(system, state, (), dt=0.01, typed={"inward_filter.correction.nu": "1e6 * eps / D"})
    run.advance(0.5)
    assert "the text as it is typed makes" in run.stopped
    with pytest.raises(dyn.StateError, match="dt is"):
        dyn.TextbookSimulation(system, state, (), dt=0.0)
    with pytest.raises(dyn.ModelError, match="nothing to break"):
        dyn.TextbookSimulation(system, state, ["no.such~part~drop"])
