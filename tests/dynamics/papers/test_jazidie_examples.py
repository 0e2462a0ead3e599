"""The printed numbers of JZ Section 5, and the planar arms that make them against the methods for space."""

import math

import numpy as np
import pytest

import dynamics as dyn
from dynamics.papers import jazidie_examples as jz
from dynamics.papers.planar_arms import DURATION, held_object, sweep
from dynamics.papers.staggered_step import contraction_radius, staggered_step
from dynamics.witness.arm_group import group_forward


@pytest.mark.compiled_only
def test_example_2_against_simulation_in_space() -> None:
    """The filter, RK4 and projection, on the same task in three dimensions."""
    system, state = dyn.example("one_arm_by_a_point")
    goal = np.eye(4)
    goal[:2, :2] = [[0.5, -math.sqrt(0.75)], [math.sqrt(0.75), 0.5]]
    goal[:2, 3] = 0.203225, 0.498174
    control = dyn.TaskSpacePD(goal, stiffness=100.0, damping=10.0, duration=DURATION)
    recording = dyn.simulate(system, state, control, duration=2.0, dt=1e-3)
    run = jz.example_2(duration=2.0)
    end = recording.state_at(2.0).object_pose
    assert run.simulated[-1, :2] == pytest.approx(end[:2, 3], abs=2e-6)
    assert run.simulated[-1, 2] == pytest.approx(math.atan2(end[1, 0], end[0, 0]), abs=1e-5)
    with pytest.raises(dyn.StateError, match="diverges"):
        jz.example_1(duration=0.02, object_mass=1.0)


def instant(second: bool) -> tuple[dyn.System, dyn.State, jz.PlanarArms, np.ndarray, np.ndarray]:
    system, state = dyn.example("one_arm_by_a_point" if second else "two_planar_arms")
    if second:
        place = np.array([0.0, 0.203225, 0.598174])
        arms, _ = jz.planar_arms(jz.EXAMPLE_2_DIRECTIONS, place, [pose[0, 3] for pose in system.base_poses], 0.09, 1)
    else:
        arms, _ = jz.planar_arms(jz.EXAMPLE_1_DIRECTIONS, None, (0.0, 0.44641), 0.05, 0)
    rng = np.random.default_rng(8)
    speeds = {"qd": rng.normal(size=system.n_joints), "object_velocity": [0, 0, 0.7, 0.2, -0.3, 0]}
    state = dyn.project(system, system.state(q=state.q, object_pose=state.object_pose, **speeds))
    n = system.n_joints // 2
    qd = np.array([state.qd[:n][::-1], state.qd[n:][::-1]])
    return system, state, arms, np.array([state.q[:n][::-1], state.q[n:][::-1]]), qd


@pytest.mark.parametrize("second", [False, True])
def test_the_planar_sweep_is_appels_method_in_space(second: bool) -> None:
    system, state, arms, q, qd = instant(second)
    place, velocity = held_object(arms, q, qd)
    assert velocity == pytest.approx(state.object_velocity[[2, 3, 4]], abs=1e-5)
    torque = np.random.default_rng(1).normal(size=q.shape)
    tau = np.concatenate([torque[0, ::-1], torque[1, ::-1]])
    assumed = np.array([0.3, -0.4, 0.5])
    in_space = np.array([0, 0, *assumed, 0])
    expected = staggered_step(system, state, tau, in_space)
    found, felt = sweep(arms, q, qd, torque, place, velocity, assumed)
    joints = np.concatenate([found[0, ::-1], found[1, ::-1]])
    assert joints == pytest.approx(expected.joint_acceleration, rel=1e-4, abs=1e-4 * np.abs(joints).max())
    scale = np.abs(felt).max()
    assert felt == pytest.approx(expected.object_acceleration[[2, 3, 4]], rel=1e-4, abs=1e-4 * scale)
    # A sweep is an affine map c - R X_o'': its fixed point is the exact solution, and R has the contraction radius.
    constant = sweep(arms, q, qd, torque, place, velocity, np.zeros(3))[1]
    units = [sweep(arms, q, qd, torque, place, velocity, unit)[1] for unit in np.eye(3)]
    shrinks = constant[:, None] - np.array(units).T
    exact = np.linalg.solve(np.eye(3) + shrinks, constant)
    solved = group_forward(system, state, tau).object_acceleration
    assert exact == pytest.approx(solved[[2, 3, 4]], rel=1e-4, abs=1e-4 * np.abs(solved).max())
    radius = np.abs(np.linalg.eigvals(shrinks)).max()
    assert radius == pytest.approx(contraction_radius(system, state), rel=1e-4)
