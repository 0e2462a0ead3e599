"""Arms that hold an object, against dense saddle-point systems made of Pinocchio's mass matrix and Jacobians."""

from functools import lru_cache

import numpy as np

import dynamics as dyn
from dynamics.operators.object_balance import selected_directions
from tests.dynamics.dense_machine import close
from tests.dynamics.every import every
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, joint_vector

TOLERANCE = 1e-9
CASES = {  # joints of each arm, and how each holds the object
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


@lru_cache(maxsize=16)
def drawn(name: str) -> Twin:
    sizes, contacts = CASES[name]
    rng = np.random.default_rng([0, len(name)])
    return arms_and_object(rng, draw_arms(rng, sizes), contacts)


def check(twin: Twin, method: str) -> None:
    system, expected = twin.system, twin.expected()
    solution = dyn.forward_dynamics(system, twin.state, twin.tau, method=method)
    assert close(solution.joint_acceleration, joint_vector(system, expected.joint_acceleration), TOLERANCE)
    assert close(solution.object_acceleration, expected.object_acceleration, TOLERANCE)
    if not expected.force_rank_deficiency:
        assert close(solution.contact_force, expected.contact_force, TOLERANCE)


@every(CASES)
def test_accelerations_and_forces(name: str) -> None:
    for method in ("filter_smoother", "kkt"):
        check(drawn(name), method)


@every([[2, 2, 2], [1] * 8])
def test_indeterminate_forces(sizes: list[int]) -> None:
    """More contact directions than freedoms: accelerations are exact, the force is the one of least norm."""
    rng = np.random.default_rng(2)
    twin = arms_and_object(rng, draw_arms(rng, sizes), ["rigid"] * len(sizes))
    expected = twin.expected()
    assert expected.force_rank_deficiency == 6 * len(sizes) - sum(sizes) - 6
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    contact = solution.stages["contact"]
    indeterminate = contact["indeterminate_directions"]
    assert indeterminate.shape == (6 * len(sizes), expected.force_rank_deficiency)
    directions = selected_directions(twin.system, twin.state)
    weighed = np.diag(contact["omega"]) * (directions @ solution.contact_force.ravel())
    assert np.max(np.abs((directions @ indeterminate).T @ weighed)) < 1e-7 * np.max(np.abs(weighed))
    assert close(solution.contact_force, expected.contact_force, 1e-7)
    # The object and the arms cannot move at all: their acceleration is zero beside that of free arms.
    free = twin.world.free_motion(twin.x, twin.v, twin.torque)
    scale = np.max(np.abs(list(free.joint_acceleration.values())))
    difference = solution.joint_acceleration - joint_vector(twin.system, expected.joint_acceleration)
    assert np.max(np.abs(difference)) < TOLERANCE * scale
