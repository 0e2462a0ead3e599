"""Joint accelerations of free arms, trees and free flyers against Pinocchio's articulated-body algorithm."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.dense_machine import close
from tests.dynamics.systems import KINDS, draw_robot, with_losses
from tests.dynamics.twins import joint_vector, one_arm

TOLERANCE = 1e-10


@given(
    seed=st.integers(0, 2**32 - 1),
    n_joints=st.integers(1, 40),
    branching=st.sampled_from([0.0, 0.2, 0.4, 0.8]),
    kinds=st.sampled_from([KINDS, KINDS, *((kind,) for kind in KINDS)]),
    floating=st.booleans(),
    losses=st.booleans(),
)
@example(seed=8, n_joints=6, branching=0.0, kinds=KINDS, floating=False, losses=True)
@example(seed=8, n_joints=6, branching=0.4, kinds=KINDS, floating=True, losses=True)
def test_any_tree(
    seed: int, n_joints: int, branching: float, kinds: tuple[str, ...], floating: bool, losses: bool
) -> None:
    """Rotor inertia adds to D; damping and dry friction, smoothed over 0.01 rad/s, act as joint torques."""
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, n_joints, branching=branching, kinds=kinds)
    twin = one_arm(rng, drawn, floating=floating)
    system, torque = twin.system, twin.torque.copy()
    if losses:
        robot = with_losses(system.robots[0], rng)
        system, armature = dyn.with_parts(system, [robot]), np.array(twin.world.model.armature)
        for joint in robot.joints:
            column = twin.world.column(f"1/{joint.name}")
            speed, armature[column] = twin.v[column], joint.rotor_inertia
            against = joint.friction[1] if speed > 0 else joint.friction[0]
            torque[column] -= joint.damping * speed + np.tanh(speed / 0.01) * against
        twin.world.model.armature = armature
    expected = twin.world.free_motion(twin.x, twin.v, torque)
    found = dyn.forward_dynamics(system, twin.state, twin.tau)
    assert close(found.joint_acceleration, joint_vector(system, expected.joint_acceleration), TOLERANCE)
    if floating:
        assert close(found.base_acceleration, expected.base_acceleration, TOLERANCE)


def test_losses_can_be_switched_off() -> None:
    robot = with_losses(dyn.planar_chain(3), np.random.default_rng(1)).without("friction", "damping", "rotor_inertia")
    assert all(joint.rotor_inertia == joint.damping == 0.0 and joint.friction == (0.0, 0.0) for joint in robot.joints)
