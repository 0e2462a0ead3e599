"""Projection onto the closure in lanes, for speed: both gaps removed in one pass over the arms; see ``closure``.

Without it the benchmark row ``one_second_of_two_arms`` would not hold.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel, part
from dynamics.lanes import layout as lane
from dynamics.lanes.contacts import are_firm
from dynamics.lanes.forward import corrected_smoother, grips_alone
from dynamics.lanes.grips import grip_forces
from dynamics.lanes.smoother import acceleration_inboard, no_motion, smoothed
from dynamics.lanes.workspace import opened
from dynamics.recursion.contact_root import contact_root, object_root, square
from dynamics.recursion.contact_stage import factor_operator, spread_forces
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.spatial.factor_by_root import solve_by_rank
from dynamics.spatial.lanes import join, load6, spread, store
from dynamics.system.layout import ARM, CONTACT_DIRECTIONS, DIRECTION_RESPONSE, HOLONOMIC, POSITION_GAP, VELOCITY_GAP


@kernel
def lane_close_gaps(arena, changes):
    """Both gaps at once, as an impulse would remove them: the changes of packed coordinates that remove them.

    After ``lane_filter_and_smooth`` and ``lane_gaps``. Returns SOLVED.

    Args:
        changes: (2, velocity coordinates), for the position and for the velocity gap, written.
    """
    tables, _, lanes = opened(arena)
    if grips_alone(tables, lanes) and are_firm(lanes.grips):
        for gap in range(2):
            own_forces(arena, gap, changes[gap])
        gap_responses(tables.tree, lanes.links, lanes.held, lanes.tip_forces, changes)
    else:
        for gap in range(2):
            close_gap_alone(arena, gap, changes[gap])
    return SOLVED


@inlined
def own_forces(arena, gap, change):
    """The grips' forces that remove a gap; the object's response is written into the last six of ``change``."""
    zero = spread(0.0, 0.0, 0.0)
    answer = grip_forces(arena, lane.GRIP_POSITION_GAP + 8 * gap, join(zero, zero), 8 * gap)
    at = change.shape[0] - 6
    for j in range(3):
        change[at + j] = answer[j]
        change[at + 3 + j] = answer[4 + j]


@inlined
def response(tree, links, held, k, before, force, column, gap, changes):
    """``smoothed`` of link k, as the response to the force at its arm's tip alone."""
    alpha = acceleration_inboard(tree, held, k, before, column)
    effect = load6(held, k, lane.TIP_RESPONSE) * force
    along, alpha = smoothed(links, k, alpha, 0.0, no_motion(), effect)
    store(held, k, column, alpha)
    changes[gap, k] = along
    return alpha


@kernel
def gap_responses(tree, links, held, tip_forces, changes):
    """The responses to the forces that remove either gap, interleaved, as neither depends on the other."""
    first = second = no_motion()
    at = lane.GAP_ACCELERATION
    for k in range(tree.shape[0] - 1, -1, -1):
        arm = tree[k, ARM]
        first = response(tree, links, held, k, first, load6(tip_forces, arm, 0), at, 0, changes)
        second = response(tree, links, held, k, second, load6(tip_forces, arm, 8), at + 8, 1, changes)


@part
def close_gap_alone(arena, gap, change):
    """One gap, by the sweeps for general systems."""
    tables, work, lanes = opened(arena)
    if are_firm(lanes.grips):
        own_forces(arena, gap, change)
        corrected_smoother(arena, 0.0, change)
    else:
        gap_forces(tables, work, POSITION_GAP if gap == 0 else VELOCITY_GAP)
        corrected_smoother(arena, 0.0, change)
        object_answer(work, change)


@kernel
def gap_forces(tables, work, column):
    """Omega f = gap."""
    m = 0
    for i in range(tables.contacts.shape[0]):
        for n in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            work.forces[m] = work.contacts[i, column + n]
            m += 1
    solve_by_rank(work.omega, work.factored, work.order, work.forces, work.scratch)
    spread_forces(tables, work)


@kernel
def object_answer(work, change):
    """The object's response to the contact forces, written into the last six of ``change``."""
    at = change.shape[0] - 6
    for j in range(6):
        s = 0.0
        for m in range(work.directions.shape[0]):
            s += work.directions[m, DIRECTION_RESPONSE + j] * work.forces[m]
        change[at + j] = s


@kernel
def hold_places_alone(arena):
    """Omega of the directions that can be closed in position, factored, after ``lane_accelerations``.

    The others have no position to return to: any force along them would only hinder the rest, so they transmit none.
    """
    tables, work, _ = opened(arena)
    contact_root(tables, work)
    object_root(tables, work)
    m = 0
    for i in range(tables.contacts.shape[0]):
        for n in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            if tables.contact_model[i, HOLONOMIC + n] == 0.0:
                for k in range(work.root.shape[0]):
                    work.root[k, m] = 0.0
            m += 1
    square(work.root, work.omega)
    for j in range(m):
        if work.omega[j, j] == 0.0:
            work.omega[j, j] = 1.0
    factor_operator(tables, work)
