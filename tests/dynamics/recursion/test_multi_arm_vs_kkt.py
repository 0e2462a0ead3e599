"""Arms that hold an object, against dense saddle-point systems made of Pinocchio's mass matrix and Jacobians."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.operators.object_balance import selected_directions
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, joint_vector

TOLERANCE = 1e-9

# Joints of each arm, and how each holds the object.
CASES = {
    "one redundant arm": ([7], ["rigid"]),
    "one six-joint arm": ([6], ["rigid"]),
    "one long arm, a point": ([9], ["point"]),
    "two arms": ([7, 6], ["rigid", "rigid"]),
    "two arms, one a point": ([6, 7], ["rigid", "point"]),
    "two points": ([6, 6], ["point", "point"]),
    "three lengths": ([3, 8, 12], ["rigid", "rigid", "rigid"]),
    "under-actuated arms, points": ([2, 2, 7], ["point", "point", "rigid"]),
    "four arms": ([7, 7, 7, 7], ["rigid"] * 4),
    "eight arms": ([4, 5, 6, 7, 8, 6, 5, 9], ["rigid", "point"] * 4),
}


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.max(np.abs(found - expected)) / max(np.max(np.abs(expected)), 1e-300))


def check(twin: Twin, method: str = "filter_smoother") -> None:
    expected = twin.expected()
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau, method=method)
    joints = joint_vector(twin.system, expected.joint_acceleration)
    assert relative(solution.joint_acceleration, joints) < TOLERANCE
    assert relative(solution.object_acceleration, expected.object_acceleration) < TOLERANCE
    if expected.contact_force is not None and not expected.force_rank_deficiency:
        assert relative(solution.contact_force, expected.contact_force) < TOLERANCE


def drawn_twin(name: str, seed: int = 0) -> Twin:
    sizes, contacts = CASES[name]
    rng = np.random.default_rng([seed, len(name)])
    return arms_and_object(rng, draw_arms(rng, sizes), contacts)


@pytest.mark.parametrize("method", ["filter_smoother", "kkt"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seed", range(2))
def test_accelerations_and_forces(name: str, seed: int, method: str) -> None:
    check(drawn_twin(name, seed), method)


@pytest.mark.parametrize("name", CASES)
def test_contact_accelerations_agree(name: str) -> None:
    """J a = gamma with Pinocchio's J and gamma and our accelerations."""
    twin = drawn_twin(name)
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    values = dict(zip(twin.system.joint_names, solution.joint_acceleration, strict=True))
    if len(twin.system.robots) == 1:
        values = {f"1/{key}": value for key, value in values.items()}
    a = twin.world.velocity(values)
    joint = twin.world.model.joints[twin.world.model.getJointId("object")]
    rotation = pin.XYZQUATToSE3(twin.x[joint.idx_q : joint.idx_q + 7]).rotation
    v = twin.v[joint.idx_v : joint.idx_v + 6]
    start = joint.idx_v
    a[start : start + 3] = rotation.T @ solution.object_acceleration[3:] - np.cross(v[3:], v[:3])
    a[start + 3 : start + 6] = rotation.T @ solution.object_acceleration[:3]
    jacobian, gamma = twin.world.constraint(twin.x, twin.v, twin.grips)
    assert np.max(np.abs(jacobian @ a - gamma)) < TOLERANCE * np.max(np.abs(a))


@pytest.mark.parametrize("name", ["two arms", "two arms, one a point", "four arms"])
def test_pinocchio_constraint_dynamics(name: str) -> None:
    """Pinocchio's own solver of closed loops, at its tightest setting."""
    twin = drawn_twin(name)
    expected = joint_vector(twin.system, twin.world.constraint_dynamics(twin.x, twin.v, twin.torque, twin.grips))
    found = dyn.forward_dynamics(twin.system, twin.state, twin.tau).joint_acceleration
    assert relative(found, expected) < TOLERANCE


@pytest.mark.parametrize("n_arms", [1, 2, 3])
def test_released_object_flies_on(n_arms: int) -> None:
    rng = np.random.default_rng(n_arms)
    twin = arms_and_object(rng, draw_arms(rng, [6] * n_arms), ["rigid"] * n_arms, held=False)
    check(twin)


def test_release_frees_the_arms() -> None:
    twin = drawn_twin("two arms")
    released = dyn.release(twin.system)
    assert released.contacts == ()
    solution = dyn.forward_dynamics(released, twin.state, twin.tau)
    expected = twin.world.free_motion(twin.x, twin.v, twin.torque)
    assert relative(solution.joint_acceleration, joint_vector(released, expected.joint_acceleration)) < TOLERANCE
    assert relative(solution.object_acceleration, expected.object_acceleration) < TOLERANCE


@pytest.mark.parametrize(
    "sizes", [[2, 2, 2], [1, 1, 1, 1, 1, 1, 1, 1]], ids=["three short arms", "eight single joints"]
)
def test_indeterminate_forces(sizes: list[int]) -> None:
    """More contact directions than freedoms: accelerations are exact, the force is the one of least norm."""
    rng = np.random.default_rng(2)
    twin = arms_and_object(rng, draw_arms(rng, sizes), ["rigid"] * len(sizes))
    expected = twin.expected()
    assert expected.force_rank_deficiency == 6 * len(sizes) - sum(sizes) - 6
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    indeterminate = solution.stages["contact"]["indeterminate_directions"]
    assert indeterminate.shape == (6 * len(sizes), expected.force_rank_deficiency)
    directions = selected_directions(twin.system, twin.state)
    weighed = np.diag(solution.stages["contact"]["omega"]) * (directions @ solution.contact_force.ravel())
    assert np.max(np.abs((directions @ indeterminate).T @ weighed)) < 1e-7 * np.max(np.abs(weighed))
    assert relative(solution.contact_force, expected.contact_force) < 1e-7
    # The object and the arms cannot move at all: their acceleration is zero beside that of free arms.
    free = twin.world.free_motion(twin.x, twin.v, twin.torque)
    scale = np.max(np.abs(list(free.joint_acceleration.values())))
    difference = solution.joint_acceleration - joint_vector(twin.system, expected.joint_acceleration)
    assert np.max(np.abs(difference)) < TOLERANCE * scale


def test_prismatic_arms() -> None:
    """Arms that cannot turn their tips: each Lambda(0) is singular, and three moments are indeterminate."""
    rng = np.random.default_rng(4)
    arms = [draw_robot(rng, 4, kinds=("prismatic",), mass_decades=1.0, fixed=0.0) for _ in range(2)]
    twin = arms_and_object(rng, arms, ["rigid", "rigid"])
    expected = twin.expected()
    assert expected.force_rank_deficiency == 3
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    joints = joint_vector(twin.system, expected.joint_acceleration)
    assert relative(solution.joint_acceleration, joints) < TOLERANCE
    assert relative(solution.object_acceleration[3:], expected.object_acceleration[3:]) < TOLERANCE
