"""Joints that follow others, in lanes: what ``system.couplings.coupled_torque`` finds, for solver and integrators.

Each follower's row g of G, made such that g_i p_j = 1 where i = j, else 0, stands with its answer p = M^-1 g' of the
whole system, closed chains included. lambda_i is then g_i theta_dd by itself, and a state that has come apart is led
back along the answers, by which no contact moves.
"""

from __future__ import annotations

import math

from dynamics.compiler.compiled import kernel, part
from dynamics.lanes.forward import EVERY_STAGE, lane_filter_and_smooth, lane_motion_state
from dynamics.lanes.layout import JOINT_INERTIA
from dynamics.lanes.workspace import opened
from dynamics.numbers.factor_by_root import CONSISTENCY
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.recursion.kinematics import count_joints
from dynamics.system.couplings import LOCKED
from dynamics.system.layout import LEADER, MULTIPLIER, OFFSET

WRONG_SHAPE = -4
UNSOLVABLE_COUPLINGS = -6  # beside the states of ``lane_filter_and_smooth``: contacts hold a joint against its leader


@kernel
def set_row(tables, k, i, rows, answers):
    """Row i, follower k's: g, then the displacement b that g q is to have; the answers so far do not move it."""
    n, leader, multiplier = rows.shape[1] - 1, tables.tree[k, LEADER], tables.model[k, MULTIPLIER]
    rows[i, :] = 0.0
    rows[i, k], rows[i, leader], rows[i, n] = 1.0, -multiplier, tables.model[k, OFFSET]
    for m in range(i):
        share = answers[m, k] - multiplier * answers[m, leader]
        for j in range(n + 1):
            rows[i, j] -= share * rows[m, j]


@kernel
def keep_answer(links, k, i, push, size, free, rows, answers):
    """Row i, follower k's, and its answer such that g p = 1, or zero if it does not yield; whether it need not then.

    Args:
        size: what accelerations are measured by.
    """
    yields = rate = 0.0
    for j in range(answers.shape[1]):
        answers[i, j] = (answers[i, j] - free[j]) / push
    for j in range(rows.shape[1] - 1):
        yields += rows[i, j] * answers[i, j]
        rate += rows[i, j] * free[j]
    unit = 1.0 / math.sqrt(yields) if yields * links[k, JOINT_INERTIA] > LOCKED else 0.0
    for j in range(rows.shape[1]):
        rows[i, j] *= unit
    for j in range(answers.shape[1]):
        answers[i, j] *= unit
    return unit > 0.0 or abs(rate) <= CONSISTENCY * size


@kernel
def largest_motion(tables, links, tau, acceleration):
    """What accelerations are measured by: the largest, or what gravity or a torque alone would give, at rest too."""
    size = 0.0
    for j in range(acceleration.shape[0]):
        size = max(size, abs(acceleration[j]))
    for j in range(3):
        size = max(size, abs(tables.gravity[j]))
    for j in range(tau.shape[0]):
        size = max(size, abs(tau[j]) / links[j, JOINT_INERTIA])
    return size if size > 0.0 else 1.0


@kernel
def add_multipliers(rows, count, free, torque):
    """tau + G' lambda, lambda = -g theta_dd of each row."""
    for i in range(count):
        rate = 0.0
        for j in range(torque.shape[0]):
            rate += rows[i, j] * free[j]
        for j in range(torque.shape[0]):
            torque[j] -= rate * rows[i, j]


@part
def lane_coupled(arena, x, v, tau, acceleration, alone):
    """``lane_filter_and_smooth`` under ``tau`` and the torques with which followers follow; as itself where none does.

    Returns:
        as ``lane_filter_and_smooth``, or UNSOLVABLE_COUPLINGS.
    """
    tables, _, lanes = opened(arena)
    rows, answers, torque = lanes.coupling_rows, lanes.coupling_answers, lanes.coupled_torque
    count, k, size, push, found = answers.shape[0], -1, 0.0, 0.0, acceleration
    for i in range(-1, count + 1 if count > 0 else 0):  # freely; each row; all together
        for j in range(tau.shape[0]):
            torque[j] = tau[j]
        if i >= 0:
            lane_motion_state(arena, x, v)
        if 0 <= i < count:
            k += 1
            while tables.tree[k, LEADER] < 0:
                k += 1
            set_row(tables, k, i, rows, answers)
            push = size * lanes.links[k, JOINT_INERTIA]  # as much as moves already: neither drowns in the other
            for j in range(tau.shape[0]):
                torque[j] += push * rows[i, j]
            found = answers[i]
        elif i == count:
            add_multipliers(rows, count, acceleration, torque)
            found = acceleration
        status = lane_filter_and_smooth(arena, v, torque, found, alone)
        if status != SOLVED:
            return status
        if i == -1 and count > 0:
            size = largest_motion(tables, lanes.links, tau, acceleration)
        elif 0 <= i < count and not keep_answer(lanes.links, k, i, push, size, acceleration, rows, answers):
            return UNSOLVABLE_COUPLINGS
    return SOLVED


@kernel
def lead_back(arena, at, n, place, change):
    """The change of packed coordinates that has followers follow again, by the answers of the last solution.

    Args:
        at: displacements and more, or rates.
        place: 1 for displacements, 0 for rates.
        change: (velocity coordinates,), written.
    """
    _, _, lanes = opened(arena)
    rows, answers = lanes.coupling_rows, lanes.coupling_answers
    change[:] = 0.0
    for i in range(answers.shape[0]):
        gap = -place * rows[i, n]
        for j in range(n):
            gap += rows[i, j] * at[j]
        for j in range(change.shape[0]):
            change[j] -= gap * answers[i, j]


@kernel
def lane_accelerations(x, v, tau, arena):
    """Forward dynamics of packed vectors: ``lane_motion_state``, then ``lane_coupled``; or WRONG_SHAPE.

    The answer is in the arena.
    """
    tables, _, lanes = opened(arena)
    n_joints, n_v = count_joints(tables.tree), lanes.acceleration.shape[0]
    if tau.shape[0] != n_joints or v.shape[0] != n_v or x.shape[0] != n_joints + 7 * ((n_v - n_joints) // 6):
        return WRONG_SHAPE
    lane_motion_state(arena, x, v)
    return lane_coupled(arena, x, v, tau, lanes.acceleration, EVERY_STAGE)
