"""``filter_smoother`` in lanes, for speed: the same stages in the same order; see ``lane_kinematics``."""

from __future__ import annotations

from dynamics import lane_layout as lane
from dynamics.closure import gap_forces, object_answer
from dynamics.compiled import inlined_kernel, kernel
from dynamics.contact_geometry import contact_geometry, count_joints, object_motion
from dynamics.contact_stage import (
    contact_forces,
    contact_matrix,
    is_delicate,
    refine_forces,
    tip_accelerations,
)
from dynamics.filter_smoother import SOLVED, UNSOLVABLE_CONTACTS
from dynamics.lane_contacts import (
    hand_over_final,
    hand_over_motion,
    hand_over_response,
    lane_correction,
    lane_covariance,
)
from dynamics.lane_factor import lane_factor
from dynamics.lane_filter import lane_filter
from dynamics.lane_kinematics import lane_kinematics
from dynamics.lane_smoother import lane_smoother
from dynamics.lane_tables import opened
from dynamics.layout import OBJECT_ACCELERATION, OBJECT_FREE_ACCELERATION

NOT_FINITE = -3
WRONG_SHAPE = -4


@inlined_kernel
def lane_motion_state(arena, x, v):
    """Where everything is and how it moves: links, object, contacts.

    Args:
        arena: of a ``Workspace``.
    """
    tables, work, lanes = opened(arena)
    lane_kinematics(tables.tree, tables.model, count_joints(tables.tree), x, v, lanes.turns, lanes.links)
    if tables.task_object.shape[0] > 0:
        object_motion(tables, work, x, v)
    if tables.contacts.shape[0] > 0:
        hand_over_motion(tables.contacts, lanes.links, work.links)
        contact_geometry(tables, work)


@kernel
def corrected_smoother(arena, share, acceleration):
    """Stages 4 and 5 of R88 Section 9, after the contact forces; with ``share`` zero, the response to them alone."""
    tables, work, lanes = opened(arena)
    lane_correction(tables.tree, tables.contacts, work.contacts, lanes.links, lanes.held, share)
    return lane_smoother(
        tables.tree, count_joints(tables.tree), lanes.links, lanes.held, lane.MODIFIED_RESIDUAL, lane.FORCE_CORRECTION,
        share, lane.FINAL_ACCELERATION, lane.FINAL_JOINT_ACCELERATION, acceleration,
    )  # fmt: skip


@kernel
def lane_contact_response(arena, acceleration):
    """Stages 3 to 5 of R88 Section 9. After filter and smoother.

    Returns:
        whether some contact force closes the chain, and the sum that ``lane_smoother`` returns.
    """
    tables, work, lanes = opened(arena)
    lane_covariance(tables.tree, lanes.links, lanes.held)
    hand_over_response(tables.tree, tables.contacts, lanes.links, lanes.held, work.links)
    tip_accelerations(tables, work)
    contact_matrix(tables, work)  # 3
    size = work.directions.shape[0]
    work.order[size] = lane_factor(work.omega, size, lanes.upper, work.factored, work.order)
    solvable = contact_forces(tables, work)
    total = corrected_smoother(arena, 1.0, acceleration)  # 4, 5
    if is_delicate(work):
        for _ in range(2):
            hand_over_final(tables.contacts, lanes.held, work.links)
            refine_forces(tables, work)
            total = corrected_smoother(arena, 1.0, acceleration)
    return solvable, total


@inlined_kernel
def lane_filter_and_smooth(arena, v, tau, acceleration):
    """The five stages of R88 Section 9; the first two alone where nothing is held. After ``lane_motion_state``.

    Returns:
        SOLVED, UNSOLVABLE_CONTACTS, NOT_FINITE, or the link whose joint has no positive inertia.
    """
    tables, work, lanes = opened(arena)
    links = lanes.links
    status = lane_filter(tables.tree, tables.model, tables.gravity, v, tau, links)  # 1
    if status != SOLVED:
        return status
    total = lane_smoother(
        tables.tree, count_joints(tables.tree), links, links, lane.RESIDUAL, lane.PREDICTED_FORCE, 1.0,
        lane.ACCELERATION, lane.JOINT_ACCELERATION, acceleration,
    )  # fmt: skip  # 2
    thing = OBJECT_FREE_ACCELERATION
    if tables.contacts.shape[0] > 0:
        solvable, total = lane_contact_response(arena, acceleration)
        if not solvable:
            status = UNSOLVABLE_CONTACTS
        thing = OBJECT_ACCELERATION
    if tables.task_object.shape[0] > 0:
        at = acceleration.shape[0] - 6
        for j in range(6):
            acceleration[at + j] = work.task_object[0, thing + j]
            total += abs(acceleration[at + j])
    if status == SOLVED and not total < 1e300:
        status = NOT_FINITE
    return status


@kernel
def lane_accelerations(x, v, tau, arena):
    """Forward dynamics of packed vectors: ``lane_motion_state``, then ``lane_filter_and_smooth``; or WRONG_SHAPE.

    The answer is in the arena.
    """
    tables, _, lanes = opened(arena)
    n_joints, n_v = count_joints(tables.tree), lanes.acceleration.shape[0]
    if tau.shape[0] != n_joints or v.shape[0] != n_v or x.shape[0] != n_joints + 7 * ((n_v - n_joints) // 6):
        return WRONG_SHAPE
    lane_motion_state(arena, x, v)
    return lane_filter_and_smooth(arena, v, tau, lanes.acceleration)


@kernel
def lane_close_gap(arena, column, change):
    """``closure.close_gap``: the change of packed coordinates that removes a gap, after ``lane_filter_and_smooth``."""
    tables, work, _ = opened(arena)
    gap_forces(tables, work, column)
    corrected_smoother(arena, 0.0, change)
    object_answer(work, change)
