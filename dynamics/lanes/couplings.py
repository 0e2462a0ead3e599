"""Couplings of joints in lanes: the same as ``system.couplings.coupled_torque``, for solver and integrators.

Each row g of G is stored with its response p = M^-1 g' of the whole system, contacts included; the rows are
orthonormalized so that g_i p_j = 1 if i = j, else 0. lambda_i is then the error of g_i theta_dd without it, and a state
that has drifted apart is corrected along the responses, which move no contact.
"""

from __future__ import annotations

import math

import numpy as np

from dynamics.compiler.kernels import kernel, part
from dynamics.lanes.forward import EVERY_STAGE, MOVED, lane_filter_and_smooth, lane_motion_state
from dynamics.lanes.layout import JOINT_INERTIA
from dynamics.lanes.loops import loop_rate, set_loop_rows
from dynamics.lanes.workspace import opened
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.recursion.kinematics import count_joints
from dynamics.spatial.factor_by_root import CONSISTENCY
from dynamics.system.couplings import LOCKED
from dynamics.system.layout import LEADER, MULTIPLIER, OFFSET

WRONG_SHAPE = -4
GAP, SLIP, RATE = np.int64(3), np.int64(2), np.int64(1)  # columns after a row's entries, counted from its end
UNSOLVABLE_COUPLINGS = -6  # in addition to the states of ``lane_filter_and_smooth``: contacts prevent a joint from
# following its leader, or no force keeps a loop closed


@kernel
def set_rows(tables, links, x, v, rows, gaps):
    """Rows of G, each followed by its error in position and in rate, and the required g theta_dd.

    Args:
        gaps: (2,), an output: the largest gap of loops in position, and in rate relative to the machine's.
    """
    i, n = 0, rows.shape[1] - 3
    for k in range(n):
        leader, multiplier = tables.tree[k, LEADER], tables.model[k, MULTIPLIER]
        if leader >= 0:
            rows[i, :] = 0.0
            rows[i, k], rows[i, leader] = 1.0, -multiplier
            rows[i, n] = x[k] - multiplier * x[leader] - tables.model[k, OFFSET]
            rows[i, n + 1] = v[k] - multiplier * v[leader]
            i += 1
    if i < rows.shape[0]:
        rate = loop_rate(tables, v, n)
        gaps[0], slip = set_loop_rows(tables, links, i, rate, rows)
        gaps[1] = slip / rate


@kernel
def part_row(i, rows, answers):
    """Make row i orthogonal to the responses so far; twice, to remove the rounding of the first pass."""
    for _ in range(2):
        for m in range(i):
            share = 0.0
            for j in range(rows.shape[1] - 3):
                share += answers[m, j] * rows[i, j]
            for j in range(rows.shape[1]):
                rows[i, j] -= share * rows[m, j]


@kernel
def by_itself(links, row, n):
    """The response to a row's torques without coupling between joints: g p, and the largest joint acceleration."""
    total = largest = 0.0
    for j in range(n):
        rate = row[j] / links[j, JOINT_INERTIA]
        total, largest = total + row[j] * rate, max(largest, abs(rate))
    return total, largest


@kernel
def keep_answer(i, push, own, size, free, rows, answers):
    """Scale row i and its response so that g p = 1, or set them to zero if locked; whether the row can be satisfied.

    Args:
        own: g p of the original row, without coupling between joints.
        size: the scale of its acceleration.
    """
    yields, n = 0.0, rows.shape[1] - 3
    lack = rows[i, rows.shape[1] - RATE]
    for j in range(answers.shape[1]):
        answers[i, j] = (answers[i, j] - free[j]) / push
    for j in range(n):
        yields += rows[i, j] * answers[i, j]
        lack -= rows[i, j] * free[j]
    unit = 1.0 / math.sqrt(yields) if yields > LOCKED * own else 0.0
    for j in range(rows.shape[1]):
        rows[i, j] *= unit
    for j in range(answers.shape[1]):
        answers[i, j] *= unit
    return unit > 0.0 or abs(lack) <= CONSISTENCY * size


@kernel
def largest_motion(tables, links, tau, acceleration):
    """The scale of accelerations: the largest, or what gravity or a torque alone would cause; valid at rest too."""
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
    """tau + G' lambda, where lambda is the error of each row's g theta_dd."""
    n = rows.shape[1] - 3
    for i in range(count):
        lack = rows[i, rows.shape[1] - RATE]
        for j in range(n):
            lack -= rows[i, j] * free[j]
        for j in range(n):
            torque[j] += lack * rows[i, j]


@part
def lane_coupled(arena, x, v, tau, acceleration, alone):
    """``lane_filter_and_smooth`` under ``tau`` and the torques that maintain all couplings.

    Identical to it if nothing is coupled. Rows and responses that are locked are zero.

    Returns:
        As ``lane_filter_and_smooth``, or UNSOLVABLE_COUPLINGS.
    """
    tables, _, lanes = opened(arena)
    rows, answers, torque = lanes.coupling_rows, lanes.coupling_answers, lanes.coupled_torque
    count, n, size, push, own, largest = answers.shape[0], tau.shape[0], 0.0, 0.0, 0.0, 0.0
    solvable, found = True, acceleration
    for i in range(-1, count + 1 if count > 0 else 0):  # without couplings; each row; all together
        for j in range(n):
            torque[j] = tau[j]
        if i >= 0:
            lane_motion_state(arena, x, v)
        if i == -1 and count > 0:
            set_rows(tables, lanes.links, x, v, rows, lanes.loop_gaps)
        elif 0 <= i < count:
            own, _ = by_itself(lanes.links, rows[i], n)
            largest = 0.0
            for j in range(n):
                largest = max(largest, abs(rows[i, j]))
            largest = largest * size + abs(rows[i, rows.shape[1] - RATE])
            part_row(i, rows, answers)
            _, push = by_itself(lanes.links, rows[i], n)
            push = size / push if push > 0.0 else 1.0  # as large as the motion, so neither is lost
            for j in range(n):
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
        elif 0 <= i < count:
            solvable = keep_answer(i, push, own, largest, acceleration, rows, answers) and solvable
    return SOLVED if solvable else UNSOLVABLE_COUPLINGS


@kernel
def lead_back(arena, column, change):
    """The change of packed coordinates that restores all couplings, by the responses of the last solution.

    Args:
        column: GAP for displacements, SLIP for rates.
        change: (velocity coordinates,), an output.
    """
    _, _, lanes = opened(arena)
    rows, answers = lanes.coupling_rows, lanes.coupling_answers
    change[:] = 0.0
    for i in range(answers.shape[0]):
        for j in range(change.shape[0]):
            change[j] -= rows[i, rows.shape[1] - column] * answers[i, j]


@kernel
def lane_accelerations(x, v, tau, arena, wanted):
    """Forward dynamics of packed vectors: ``lane_motion_state``, then ``lane_coupled``; or WRONG_SHAPE.

    The result is in the arena.

    Args:
        wanted: ``EVERY_STAGE``, ``ALONE``, or ``MOVED``: the same after ``lane_motion_state``.
    """
    tables, _, lanes = opened(arena)
    n_joints, n_v = count_joints(tables.tree), lanes.acceleration.shape[0]
    if tau.shape[0] != n_joints or v.shape[0] != n_v or x.shape[0] != n_joints + 7 * ((n_v - n_joints) // 6):
        return WRONG_SHAPE
    if wanted != MOVED:
        lane_motion_state(arena, x, v)
    return lane_coupled(arena, x, v, tau, lanes.acceleration, wanted != EVERY_STAGE)
