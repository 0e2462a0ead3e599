"""Projection onto the closure in lanes, for speed: both gaps removed in one pass over the arms; see ``closure``."""

from __future__ import annotations

from dynamics import lane_layout as lane
from dynamics.closure import gap_forces, object_answer
from dynamics.compiled import inlined, kernel
from dynamics.lane_contacts import are_firm
from dynamics.lane_filter import arms_outward, moved
from dynamics.lane_forward import corrected_smoother, grips_alone
from dynamics.lane_grips import grip_forces
from dynamics.lane_tables import opened
from dynamics.lanes import dot, join, load3, load6, spread, store
from dynamics.layout import CONTACT_LINK, INBOARD, POSITION_GAP, VELOCITY_GAP


@kernel
def lane_close_gaps(arena, changes):
    """``closure.close_gap`` of both gaps: the changes of packed coordinates that remove them.

    After ``lane_accelerations_alone`` and ``lane_gaps``.

    Args:
        changes: (2, velocity coordinates), for the position and for the velocity gap, written.
    """
    tables, _, lanes = opened(arena)
    if grips_alone(tables, lanes) and are_firm(lanes.grips):
        for gap in range(2):
            gap_residuals(arena, gap, changes[gap])
        gap_responses(tables.tree, lanes.links, lanes.held, changes)
        return
    for gap in range(2):
        close_gap_alone(arena, gap, changes[gap])


@inlined
def own_forces(arena, gap, change):
    """The grips' forces that remove a gap; how the object answers is written into the last six of ``change``."""
    zero = spread(0.0, 0.0, 0.0)
    answer = grip_forces(arena, lane.GRIP_POSITION_GAP + 8 * gap, join(zero, zero))
    at = change.shape[0] - 6
    for j in range(3):
        change[at + j] = answer[j]
        change[at + 3 + j] = answer[4 + j]


@inlined
def gap_residuals(arena, gap, change):
    """nu of the forces alone that remove a gap, for ``gap_responses``."""
    tables, _, lanes = opened(arena)
    own_forces(arena, gap, change)
    for i in range(tables.contacts.shape[0]):
        force = load6(lanes.grips, i, lane.GRIP_FORCE)
        k = tables.contacts[i, CONTACT_LINK]
        while k < tables.tree.shape[0]:
            lanes.held[k, lane.GAP_RESIDUAL + gap] = -dot(load6(lanes.held, k, lane.TIP_RESPONSE), force)
            k = tables.tree[k, INBOARD]


@kernel
def gap_responses(tree, links, held, changes):
    """``lane_smoother`` without bias for both gaps' residuals at once, of links that all hang on joints."""
    n_links = tree.shape[0]
    zero = spread(0.0, 0.0, 0.0)
    nothing = join(zero, zero)
    first, second = nothing, nothing
    for k in range(n_links - 1, -1, -1):
        inboard = tree[k, INBOARD]
        if inboard == n_links:
            first, second = nothing, nothing
        elif inboard != k + 1:
            first, second = load6(held, inboard, lane.GAP_ACCELERATION), load6(held, inboard, lane.GAP_ACCELERATION + 8)
        gain, axis = load6(links, k, lane.GAIN_INBOARD), load6(links, k, lane.JOINT_AXIS)
        arms = arms_outward(load3(links, k, lane.LEVER))
        along = held[k, lane.GAP_RESIDUAL] - dot(gain, first)
        first = moved(arms, first) + along * axis
        changes[0, k] = along
        along = held[k, lane.GAP_RESIDUAL + 1] - dot(gain, second)
        second = moved(arms, second) + along * axis
        changes[1, k] = along
        store(held, k, lane.GAP_ACCELERATION, first)
        store(held, k, lane.GAP_ACCELERATION + 8, second)


@kernel
def close_gap_alone(arena, gap, change):
    """One gap, by the sweeps that serve every system."""
    tables, work, lanes = opened(arena)
    if are_firm(lanes.grips):
        own_forces(arena, gap, change)
        corrected_smoother(arena, 0.0, change)
    else:
        gap_forces(tables, work, POSITION_GAP if gap == 0 else VELOCITY_GAP)
        corrected_smoother(arena, 0.0, change)
        object_answer(work, change)
