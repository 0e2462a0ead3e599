"""Arrays of other libraries and in other conventions are recognised, whatever the robot."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.comparison.convention import FRAMES, Frame, View
from dynamics.comparison.sweeps import FORMS, Form, Moment, Run
from tests.dynamics.comparison.drawn import DrawnMachine, drawn, mujoco_arrays, pinocchio_arrays

pytestmark = pytest.mark.compiled_only  # no kernel knows of it
NAMES = {
    "P": "articulated_inertia", "G": "kalman_gain", "D": "joint_inertia", "z": "predicted_force",
    "eps": "innovation", "alpha": "acceleration",
}  # fmt: skip


def moment_of(it: DrawnMachine) -> Moment:
    return Moment(it.system, it.state, it.tau, it.wrench)


def written(it: DrawnMachine, frame: Frame, form: Form) -> dict[str, np.ndarray]:
    view = View(it.system, Run(moment_of(it), form), frame)
    return {name: view.shown(quantity)[::-1] for name, quantity in NAMES.items()}


def test_every_form_gives_the_same_motion() -> None:
    it = drawn(1, (5, 7), 0.4, rough=True)
    ours = dyn.forward_dynamics(it.system, it.state, it.tau, external_forces=it.wrench)
    mass = dyn.mass_matrix(it.system, it.state)
    for form in FORMS:
        run = Run(moment_of(it), form)
        for stage, name, letter in (
            ("smoother", "joint_acceleration", "theta_dd"), ("filter", "articulated_inertia", "P"),
            ("smoother", "costate_covariance", "Lam"),
        ):  # fmt: skip
            expected = ours.stages[stage][name]
            assert np.abs(run.letter(letter) - expected).max() < 1e-11 * np.abs(expected).max(), (form, letter)
        assert np.abs(run.letter("M_q") - mass).max() < 1e-12 * run.letter("M_q").max(), form


@given(st.sampled_from(FRAMES), st.sampled_from(FORMS), st.integers(0, 5))
def test_a_convention_is_found_and_undone(frame: Frame, form: Form, seed: int) -> None:
    it = drawn(seed, (4, 6))
    found = dyn.compare(it.system, it.state, written(it, frame, form), it.tau)
    assert found.agrees, str(found)
    assert not found.ambiguous
    assert frame.order in found.convention
    assert frame.axes in found.convention
    assert ("weight" in found.convention) != form.lifted
    ours = dyn.forward_dynamics(it.system, it.state, it.tau)
    for name in ("articulated_inertia", "kalman_gain"):
        expected = ours.stages["filter"][name]
        assert np.abs(found.converted[name] - expected).max() < 1e-10 * np.abs(expected).max()


@given(st.integers(0, 99))
@settings(max_examples=6)
def test_what_pinocchio_keeps_inside_is_recognised(seed: int) -> None:
    it = drawn(seed, branching=0.3 * (seed % 2))
    ours = dyn.forward_dynamics(it.system, it.state, it.tau)
    for convention in ("LOCAL", "WORLD"):
        found = dyn.compare(it.system, it.state, pinocchio_arrays(it, convention), it.tau)
        assert found.agrees, str(found)
        assert f"Pinocchio ({convention.lower()})" in found.libraries
        assert not found.ambiguous
        for stage, name in (("filter", "kalman_gain"), ("smoother", "joint_acceleration")):
            expected = ours.stages[stage][name]
            assert np.abs(found.converted[name] - expected).max() < 1e-10 * np.abs(expected).max()


@given(st.integers(0, 99))
@settings(max_examples=6)
def test_what_mujoco_keeps_inside_is_recognised(seed: int) -> None:
    it = drawn(seed, branching=0.3 * (seed % 2))
    found = dyn.compare(it.system, it.state, mujoco_arrays(it), it.tau)
    assert found.agrees, str(found)
    assert found.libraries == ("MuJoCo",)
    assert not found.ambiguous
    expected = dyn.mass_matrix(it.system, it.state)
    assert np.abs(found.converted["mass_matrix"] - expected).max() < 1e-10 * np.abs(expected).max()


def test_conventions_that_cannot_be_distinguished_are_listed() -> None:
    system = dyn.single_arm(dyn.planar_chain(3), gravity=(0.0, 0.0, 0.0))
    state = system.state()  # at zero link axes are inertial ones, and nothing moves
    P = dyn.forward_dynamics(system, state).stages["filter"]["articulated_inertia"]
    found = dyn.compare(system, state, {"P": P})
    assert found.agrees
    assert any("body axes" in each for each in found.ambiguous)
    assert any("inertial axes" in each for each in found.ambiguous)
    assert "in another convention as well" in str(found)


def test_one_link_alone_is_broken() -> None:
    it = drawn(4, (3, 4))
    theirs = {name: array.copy() for name, array in written(it, FRAMES[3], FORMS[0]).items() if name in ("P", "D")}
    theirs["D"][1] *= 1.01  # the second from the base
    found = dyn.compare(it.system, it.state, theirs, it.tau)
    assert found.first_stage is not None
    assert (found.first_stage.name, found.first_link) == ("D", it.system.n_links - 2)
    assert not found.causes
    assert "None of the faults that we know" in str(found)


def test_a_tiny_inertia_is_not_zero() -> None:
    """An inertia of 1e-17 kg m^2 is one: twice as much is wrong, and none at all."""
    system = dyn.single_arm(dyn.planar_chain(3, length=1e-4, mass=1e-9, radius=1e-5))
    state, tau = system.state(np.full(3, 0.3)), np.zeros(3)
    ours = dyn.forward_dynamics(system, state, tau).stages["filter"]["joint_inertia"]
    mass = dyn.mass_matrix(system, state)
    assert 0.0 < np.abs(mass).max() < 1e-12
    assert dyn.compare(system, state, {"M": mass, "D": ours}, tau).agrees
    assert not dyn.compare(system, state, {"M": 0.0 * mass}, tau).agrees
    assert not dyn.compare(system, state, {"D": 2.0 * ours}, tau).agrees
