"""Functions of time and state in place of compiled laws and constant forces."""

import pickle
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.textbook.cases import Case, case_named

pytestmark = pytest.mark.compiled_only
SHORT: dict[str, Any] = {"duration": 0.02, "dt": 2e-3}


def gains(case: Case) -> tuple[float, float]:
    """As stiff as the lightest direction bears."""
    n = case.system.n_joints
    least = float(np.linalg.eigvalsh(dyn.mass_matrix(case.system, case.state)[:n, :n])[0])
    return 100.0 * least, 10.0 * least


@every(["tree", "free flyer with losses", "held", "floating group"])
def test_a_function_moves_a_machine_as_the_law_does_that_it_spells_out(name: str) -> None:
    case = case_named(name, 2)
    system, state, (stiffness, damping) = case.system, case.state, gains(case)

    def torque(t: float, now: dyn.State) -> np.ndarray:
        return case.tau + stiffness * (state.q - now.q) - damping * now.qd

    law = dyn.JointPD(stiffness=stiffness, damping=damping, gravity_compensation=False, feedforward=case.tau)
    for method in ("rk4", "RK45"):
        expected = dyn.simulate(system, state, law, external_forces=case.wrench, method=method, **SHORT)
        found = dyn.simulate(system, state, torque, external_forces=lambda t, now: case.wrench, method=method, **SHORT)
        for quantity in ("t", "x", "v", "acceleration", "tau"):
            size = np.abs(getattr(expected, quantity)).max()
            assert np.abs(getattr(found, quantity) - getattr(expected, quantity)).max() < 1e-8 * size, quantity
        assert found.doubtful_from == expected.doubtful_from


def test_a_push_in_the_middle_of_a_run_is_recorded_with_it() -> None:
    case = case_named("tree", 2)
    system, state, link = case.system, case.state, case.system.link_names[0]
    force = np.array([0.0, 0.0, 0.0, 3.0, 0.0, 0.0])

    def push(t: float, now: dyn.State) -> dict[str, np.ndarray]:
        return {link: force * (0.0 if t < 0.0055 else t)}

    run = dyn.simulate(system, state, duration=0.02, external_forces=push)
    for t in (0.003, 0.006, 0.01234, 0.02):
        now = run.state_at(t)
        expected = dyn.forward_dynamics(system, now, external_forces=push(t, now))
        assert np.allclose(run.solution_at(t).joint_acceleration, expected.joint_acceleration, rtol=1e-10)
        assert np.array_equal(run.solutions_at([t])[0].joint_acceleration, run.solution_at(t).joint_acceleration)
    assert run.doubtful_from is None
    part = run.until(0.01)
    assert part.segments[0].wrench.shape == (len(part.t), system.n_links + 1, 6)
    assert np.allclose(run.stage("joint_acceleration"), run.qdd, rtol=1e-9, atol=1e-9)


def test_a_run_is_told_names_and_outlives_an_event() -> None:
    system, state = dyn.example("two_arms_and_box")
    seen: list[float] = []

    def torque(t: float, now: dyn.State) -> dict[str, float]:
        seen.append(t)
        return {system.joint_names[3]: 2.0}

    run = dyn.simulate(system, state, torque, duration=0.01, dt=1e-3, events=[dyn.Release(0.005)])
    assert np.array_equal(run.tau, np.tile(system.to_joint_vector({system.joint_names[3]: 2.0}), (len(run.t), 1)))
    assert min(seen) == 0.0
    assert max(seen) == pytest.approx(0.01)
    assert "contact" not in run.solution_at(0.01).stages


FAULTS: dict[str, tuple[Any, str]] = {
    "length": (lambda t, now: [0.0, 1.0], r"shape \(6,\)"), "NaN": (lambda t, now: np.full(6, np.nan), "nan"),
    "none": (lambda t, now: None, "None"), "name": (lambda t, now: {"elbow": 1.0}, "elbow_joint"),
    "raises": (lambda t, now: {}["x"], "KeyError"),
}  # fmt: skip


def test_what_a_function_may_not_answer_is_refused_with_the_time() -> None:
    system = dyn.single_arm(dyn.load("ur5e"))
    for name, (fault, words) in FAULTS.items():
        run = dyn.Simulation(system, system.state(), lambda t, x, f=fault: f(t, x) if t > 0.0041 else np.zeros(6))
        with pytest.raises(dyn.StateError, match=rf"controller at t = 0\.0045 s.*{words}"):
            run.advance(0.02)
        assert run.recording.t[-1] == run.time == pytest.approx(0.004), name
    for method in ("rk4", "RK45"):
        with pytest.raises(dyn.StateError, match=r"external_forces at t = .*'wrist_3' \(did you mean 'wrist_3_link'"):
            dyn.simulate(system, system.state(), external_forces=lambda t, x: {"wrist_3": np.zeros(6)}, method=method)
    with pytest.raises(dyn.StateError, match="a function of the time and the state"):
        dyn.simulate(system, system.state(), lambda t: np.zeros(6))
    with pytest.raises(KeyboardInterrupt):
        dyn.simulate(system, system.state(), interrupted)


def interrupted(t: float, now: dyn.State) -> np.ndarray:
    if t > 0.001:
        raise KeyboardInterrupt
    return np.zeros(6)


def still(t: float, now: dyn.State) -> np.ndarray:
    return -now.qd


def test_a_copy_of_a_run_goes_on_by_itself() -> None:
    system = dyn.single_arm(dyn.load("ur5e"))
    run = dyn.Simulation(system, system.state(), still, external_forces=lambda t, x: None)
    run.push(None)
    run.advance(0.002)
    other = pickle.loads(pickle.dumps(run))
    for each in (run, other):
        each.advance(0.002)
    assert np.array_equal(run.recording.x, other.recording.x)
