"""Joint accelerations of free arms, trees and free flyers against Pinocchio's articulated-body algorithm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, joint_vector, one_arm

TOLERANCE = 1e-10
SIZES = (1, 2, 3, 5, 7, 12, 20, 40)


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))


def check(twin: Twin) -> None:
    expected = twin.expected()
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    found = solution.joint_acceleration
    assert found.shape == (twin.system.n_joints,)
    assert relative(found, joint_vector(twin.system, expected.joint_acceleration)) < TOLERANCE
    if expected.base_acceleration is not None:
        assert relative(solution.base_acceleration, expected.base_acceleration) < TOLERANCE


@pytest.mark.parametrize("n_joints", SIZES)
@pytest.mark.parametrize("branching", [0.0, 0.4], ids=["chain", "tree"])
@pytest.mark.parametrize("seed", range(4))
def test_fixed_base(n_joints: int, branching: float, seed: int) -> None:
    rng = np.random.default_rng([n_joints, seed])
    check(one_arm(rng, draw_robot(rng, n_joints, branching=branching)))


@pytest.mark.parametrize("n_joints", SIZES)
@pytest.mark.parametrize("branching", [0.0, 0.4], ids=["chain", "tree"])
@pytest.mark.parametrize("seed", range(2))
def test_free_flyer(n_joints: int, branching: float, seed: int) -> None:
    rng = np.random.default_rng([n_joints, seed, 1])
    check(one_arm(rng, draw_robot(rng, n_joints, branching=branching), floating=True))


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
def test_one_kind_of_joint(kind: str) -> None:
    rng = np.random.default_rng(5)
    check(one_arm(rng, draw_robot(rng, 6, kinds=(kind,))))


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_joints=st.integers(1, 40),
    branching=st.sampled_from([0.0, 0.2, 0.8]),
    floating=st.booleans(),
)
def test_any_tree(seed: int, n_joints: int, branching: float, floating: bool) -> None:
    rng = np.random.default_rng(seed)
    check(one_arm(rng, draw_robot(rng, n_joints, branching=branching), floating=floating))


@pytest.mark.parametrize("floating", [False, True])
def test_rotor_inertia_damping_and_friction(floating: bool) -> None:
    """Rotor inertia adds to D; damping and Coulomb friction act as joint torques."""
    rng = np.random.default_rng(8)
    drawn = draw_robot(rng, 6)
    plain = one_arm(rng, drawn, floating=floating)
    names = drawn.moving
    rotor, damping = (dict(zip(names, rng.uniform(0.1, 2.0, 6), strict=True)) for _ in range(2))
    friction = {name: tuple(rng.uniform(0.1, 3.0, 2)) for name in names}
    robot = drawn.load()
    robot = replace(
        robot,
        joints=tuple(
            replace(joint, rotor_inertia=rotor[joint.name], damping=damping[joint.name], friction=friction[joint.name])
            for joint in robot.joints
        ),
    )
    if floating:
        system = dyn.free_flyer(robot, gravity=plain.system.gravity)
    else:
        system = dyn.single_arm(robot, gravity=plain.system.gravity, base_pose=plain.system.base_poses[0])

    torque, armature = plain.torque.copy(), np.array(plain.world.model.armature)
    for name in names:
        column = plain.world.column(f"1/{name}")
        speed = plain.v[column]
        armature[column] = rotor[name]
        against = friction[name][1] if speed > 0 else friction[name][0]
        torque[column] -= damping[name] * speed + np.sign(speed) * against
    plain.world.model.armature = armature
    expected = plain.world.free_motion(plain.x, plain.v, torque)
    found = dyn.forward_dynamics(system, plain.state, plain.tau)
    assert relative(found.joint_acceleration, joint_vector(system, expected.joint_acceleration)) < TOLERANCE

    switched_off = system.robots[0].without("friction", "damping", "rotor_inertia")
    assert all(joint.rotor_inertia == joint.damping == 0.0 for joint in switched_off.joints)
