"""Damping and friction that would stop a joint within a fraction of a step: what small joints of real robots have."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.motion.textbook_simulation import TextbookSimulation
from tests.dynamics.systems import draw_robot

pytestmark = pytest.mark.compiled_only
MASS, LENGTH, DAMPING = 0.01, 0.015, 0.1
WEIGHT = 9.81 * MASS * LENGTH


def finger(n_joints: int = 1, damping: float = DAMPING, friction: float = 0.0, upper: float = 3.0) -> dyn.System:
    """Links of ten grams in a plane, level where all angles are zero; they sink as the angles grow."""
    text = '<robot name="finger"><link name="l0"/>'
    for k in range(1, n_joints + 1):
        text += f"""<link name="l{k}"><inertial><origin xyz="{LENGTH} 0 0"/><mass value="{MASS}"/>
            <inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>
            <joint name="j{k}" type="revolute"><parent link="l{k - 1}"/><child link="l{k}"/>
            <origin xyz="{2 * LENGTH * (k > 1)} 0 0"/><axis xyz="0 1 0"/>
            <limit lower="-3" upper="{upper}" effort="1" velocity="9"/>
            <dynamics damping="{damping}" friction="{friction}"/></joint>"""
    return dyn.single_arm(dyn.load_urdf_text(text + "</robot>"))


@pytest.mark.parametrize("method", ["rk4", "heun", "euler"])
def test_a_finger_sinks_as_its_damping_lets_it(method: str) -> None:
    """It is damped at 30,000 a second. Once the rate that it starts with is gone, d q' = m g l cos q."""
    system = finger()
    run = dyn.simulate(system, system.state(qd=[5.0]), duration=10.0, method=method)
    assert run.stopped is None
    assert run.doubtful_from is None
    q, rate = run.x[:, 0], run.v[:, 0]
    assert np.all(np.diff(rate[:5]) < 0.0)
    assert q[30] < 0.012  # two steps at that rate, and none of the swing that a lighter loss would leave it
    assert np.allclose(rate[30:], WEIGHT / DAMPING * np.cos(q[30:]), rtol=1e-4, atol=1e-9)


def test_friction_holds_a_finger_and_a_stop_keeps_it() -> None:
    system = finger(friction=0.05)
    run = dyn.simulate(system, system.state(qd=[5.0]), duration=3.0)
    assert run.stopped is None
    assert np.abs(run.v[30:]).max() < 0.01 * WEIGHT / 0.05 * 1.1  # what smoothed friction lets through
    system = finger(upper=0.05)
    run = dyn.simulate(system, system.state(), duration=10.0)
    assert run.stopped is None
    assert [word for _, word in run.events] == ["j1 met its upper limit"]
    assert run.x[run.t > 6.0, 0] == pytest.approx(0.05, abs=1e-3)


@pytest.mark.parametrize("n_joints", [1, 3])
def test_steps_in_python_take_stiff_losses_alike(n_joints: int) -> None:
    system = finger(n_joints, friction=0.01)
    state = system.state(qd=np.full(n_joints, 2.0))
    expected = dyn.simulate(system, state, duration=0.02)
    text = TextbookSimulation(system, state, (), dt=1e-3)
    text.advance(0.02)
    assert np.allclose(text.recording.v, expected.v, rtol=1e-9, atol=1e-9)


def test_shorter_steps_converge_to_the_stiff_motion() -> None:
    """Of first order, to what an implicit method with error control makes of the same accelerations."""
    system = finger(3, damping=0.003)
    start = np.array([0.3, -0.4, 0.2])
    there = dyn.simulate(system, system.state(start), duration=0.2, dt=0.2, method="Radau").x[-1]
    errors = []
    for dt in (4e-3, 2e-3, 1e-3):
        run = dyn.simulate(system, system.state(start), duration=0.2, dt=dt)
        errors.append(np.abs(run.x[-1] - there).max())
    assert errors[0] < 0.05
    assert np.all(np.array(errors[:-1]) > 1.7 * np.array(errors[1:])), errors


@given(st.integers(0, 10_000))
def test_a_machine_without_motors_comes_to_rest_or_swings(seed: int) -> None:
    """Links of 1 g to 10 kg under any losses: it never gains energy, and no rate at its start makes it explode."""
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, int(rng.integers(1, 8)), branching=float(rng.choice([0.0, 0.4]))).load()
    light = 10.0 ** rng.uniform(-3, 0)
    links = tuple(replace(link, mass=light * link.mass, inertia=light * link.inertia) for link in robot.links)
    damping, friction = 10.0 ** rng.uniform(-3, 1, (2, len(robot.joints))) * (rng.random((2, len(robot.joints))) < 0.7)
    joints = tuple(
        replace(joint, damping=d, friction=(f, f))
        for joint, d, f in zip(robot.joints, damping.tolist(), friction.tolist(), strict=True)
    )
    robot = replace(robot, links=links, joints=joints)
    system = dyn.free_flyer(robot) if seed % 5 == 0 else dyn.single_arm(robot)
    q, qd = rng.uniform(-1, 1, system.n_joints), 10.0 ** rng.uniform(-2, 1) * rng.normal(size=system.n_joints)
    moved = dyn.simulate(system, system.state(q, qd), duration=2.0)
    fallen = dyn.simulate(system, system.state(q), duration=2.0)
    for run in (moved, fallen):
        assert run.stopped is None
        assert np.all(np.isfinite(run.v))
    solutions = [fallen.solution_at(float(t)) for t in fallen.t[::50]]
    energy = np.array([solution.kinetic_energy + solution.potential_energy for solution in solutions])
    size = max(solution.kinetic_energy for solution in solutions) + np.ptp(energy)
    assert np.max(energy - np.minimum.accumulate(energy)) <= 1e-3 * size
