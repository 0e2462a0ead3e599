"""The plain kinematics says what the compiled one says, of every kind of system."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.numbers.spatial import expand_symmetric
from dynamics.recursion.filter_smoother import motion_state
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    BIAS_FORCE,
    JOINT_AXIS,
    LEVER,
    LEVER_TO_MASS,
    OBJECT_LEVER,
    TIP_LEVER,
    VELOCITY,
)
from dynamics.system.plain_kinematics import plain_kinematics, spatial_inertias
from dynamics.system.tables import make_work
from dynamics.system.tip_poses import poses_from
from dynamics.system.velocity_bias import bias_accelerations, bias_forces
from tests.dynamics.altered.altered_cases import draw_cases


def close(found: np.ndarray, expected: np.ndarray) -> bool:
    size = max(1.0, float(np.abs(expected).max(initial=0.0)))
    return found.shape == expected.shape and np.allclose(found, expected, rtol=0.0, atol=1e-14 * size * 10)


@pytest.mark.parametrize("seed", [3, 4])
def test_plain_and_compiled_kinematics_agree(seed: int) -> None:
    for case in draw_cases(seed):
        system, state = case.system, case.state
        work = make_work(system.tables)
        wrench = np.random.default_rng(seed).normal(size=work.wrench.shape)
        work.wrench[:] = wrench
        motion_state(system.tables, *system.pack(state), work)
        rows, n = work.links[:-1], system.n_joints
        found = plain_kinematics(system, state)
        assert close(found.pose, poses_from(rows)), case.name
        assert close(found.axis, rows[:n, JOINT_AXIS : JOINT_AXIS + 3])
        assert close(found.lever, rows[:, LEVER : LEVER + 3])
        assert close(found.mass_lever, rows[:, LEVER_TO_MASS : LEVER_TO_MASS + 3])
        assert close(found.velocity, rows[:, VELOCITY : VELOCITY + 6])
        assert close(found.contact_lever, work.contacts[:, TIP_LEVER : TIP_LEVER + 3])
        assert close(found.object_lever, work.contacts[:, OBJECT_LEVER : OBJECT_LEVER + 3])
        assert close(bias_accelerations(system, state, found), rows[:, BIAS_ACCELERATION : BIAS_ACCELERATION + 6])
        assert close(bias_forces(system, found, wrench), rows[:, BIAS_FORCE : BIAS_FORCE + 6])
        inertia = expand_symmetric(rows[:, ARTICULATED_INERTIA : ARTICULATED_INERTIA + 21])
        assert close(spatial_inertias(system, found.pose, found.mass_lever), inertia)


def test_tips_are_where_the_compiled_sweeps_put_them() -> None:
    system, state = dyn.example("two_arms_and_box")
    expected = dyn.forward_dynamics(system, state).tip_pose
    assert close(plain_kinematics(system, state).tip_pose, expected)
