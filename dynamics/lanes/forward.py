"""``filter_smoother`` in lanes, for speed: the same stages in the same order; see ``kinematics``."""

from __future__ import annotations

import numpy as np

from dynamics.compiler.kernels import inlined, inlined_entry, kernel, part
from dynamics.lanes import layout as lane
from dynamics.lanes.contacts import (
    add_answer,
    contact_geometry_in_full,
    hand_over_arms,
    hand_over_covariance,
    hand_over_final,
    hand_over_response,
    hand_over_to_grips,
    lane_correction,
    lane_covariance,
    put_answer_aside,
)
from dynamics.lanes.filter import lane_filter
from dynamics.lanes.grips import contacts_of_grips, grip_gaps, grip_geometry, grip_response
from dynamics.lanes.kinematics import lane_kinematics
from dynamics.lanes.propagation import gripped_smoother, lane_propagation
from dynamics.lanes.smoother import lane_smoother
from dynamics.lanes.workspace import opened
from dynamics.recursion.contact_geometry import object_motion, worst_gaps
from dynamics.recursion.contact_stage import (
    REFINEMENTS,
    contact_forces,
    contact_root,
    is_delicate,
    object_root,
    refine_forces,
    square,
    tip_accelerations,
    tip_covariances,
    tip_forces,
)
from dynamics.recursion.filter_smoother import SOLVED, UNSOLVABLE_CONTACTS
from dynamics.recursion.kinematics import count_joints
from dynamics.spatial.factor_by_root import factor_root
from dynamics.spatial.factor_in_lanes import lane_factor
from dynamics.system.layout import OBJECT_ACCELERATION, OBJECT_FREE_ACCELERATION

NOT_FINITE = -3
# NumPy's, because Python's would be literals, each with its own compilation.
EVERY_STAGE, ALONE, MOVED = np.int64(0), np.int64(1), np.int64(2)


@inlined_entry
def lane_motion_state(arena, x, v):
    """Poses and velocities of links, object and contacts.

    Args:
        arena: the arena of a ``Workspace``.
    """
    tables, work, lanes = opened(arena)
    lane_kinematics(tables.tree, tables.model, count_joints(tables.tree), x, v, lanes.turns, lanes.links)
    if tables.task_object.shape[0] > 0:
        object_motion(tables, work, x, v)
    if lanes.grips.shape[0] > 0:
        grip_geometry(arena)
    elif tables.contacts.shape[0] > 0:
        contact_geometry_in_full(arena)


@kernel
def lane_gaps(arena, v):
    """``worst_gaps``, after ``lane_motion_state``."""
    tables, work, lanes = opened(arena)
    if lanes.grips.shape[0] > 0:
        return grip_gaps(arena, v)
    return worst_gaps(tables, work, v)


@kernel
def corrected_smoother(arena, share, acceleration):
    """Stages 4 and 5 of R88 Section 9, after the contact forces; if ``share`` is zero, the response to them alone."""
    tables, work, lanes = opened(arena)
    lane_correction(tables.tree, tables.contacts, work.contacts, lanes.grips, lanes.links, lanes.held, share)
    return lane_smoother(
        tables.tree, count_joints(tables.tree), lanes.links, lanes.held, lane.MODIFIED_RESIDUAL, lane.FORCE_CORRECTION,
        share, lane.FINAL_ACCELERATION, lane.FINAL_JOINT_ACCELERATION, acceleration,
    )  # fmt: skip


@kernel
def contact_operator_in_full(arena):
    """Omega and its factor, with everything that they depend on, in the ordinary tables."""
    tables, work, lanes = opened(arena)
    contact_geometry_in_full(arena)
    hand_over_response(tables.contacts, lanes.links, work.links)
    tip_accelerations(tables, work)
    hand_over_arms(tables.tree, lanes.links, work.links)
    contact_root(tables, work)
    object_root(tables, work)
    square(work.root, work.omega)
    if not lane_factor(work.omega, work.directions.shape[0], lanes.upper, work.factored, work.order):
        factor_root(work.root, work.omega, work.factored, work.order)


@kernel
def contact_stage_in_full(arena):
    """What accelerations do not need: Lambda(0), and Lambda(k) or, for rigid grips, which already have it, Omega."""
    tables, work, lanes = opened(arena)
    if lanes.grips.shape[0] > 0:
        contact_operator_in_full(arena)
    else:
        lane_covariance(tables.tree, lanes.links, lanes.held)
    hand_over_covariance(tables.contacts, lanes.held, work.links)
    tip_covariances(tables, work)


@part
def lane_contact_response(arena, v, acceleration):
    """Stages 3 to 5 of R88 Section 9. After filter and smoother.

    Returns:
        Whether some contact force closes the chain, and the sum that ``lane_smoother`` returns.
    """
    tables, work, lanes = opened(arena)
    if lanes.grips.shape[0] > 0:
        lane_covariance(tables.tree, lanes.links, lanes.held)
        hand_over_to_grips(tables.contacts, lanes.links, lanes.held, lanes.grips)
        if grip_response(arena):  # 3
            contacts_of_grips(arena)
            return True, corrected_smoother(arena, 1.0, acceleration)  # 4, 5
    contact_operator_in_full(arena)
    solvable = contact_forces(tables, v, work)  # 3
    total = corrected_smoother(arena, 1.0, acceleration)  # 4, 5
    if is_delicate(work):
        for _ in range(REFINEMENTS):
            hand_over_final(tables.contacts, lanes.held, work.links)
            if not refine_forces(tables, work):
                break
            put_answer_aside(lanes.held)
            corrected_smoother(arena, 0.0, acceleration)
            total = add_answer(tables.tree, lanes.held, acceleration)
            tip_forces(tables, work, work.forces)
    return solvable, total


@part
def lane_smooth(arena, v, acceleration):
    """Stages 2 to 5 of R88 Section 9; only the second if nothing is held. After ``lane_filter``.

    Returns:
        SOLVED, UNSOLVABLE_CONTACTS or NOT_FINITE.
    """
    tables, work, lanes = opened(arena)
    links = lanes.links
    status = SOLVED
    total = lane_smoother(
        tables.tree, count_joints(tables.tree), links, links, lane.RESIDUAL, lane.PREDICTED_FORCE, 1.0,
        lane.ACCELERATION, lane.JOINT_ACCELERATION, acceleration,
    )  # fmt: skip  # 2
    payload = OBJECT_FREE_ACCELERATION
    if tables.contacts.shape[0] > 0:
        solvable, total = lane_contact_response(arena, v, acceleration)
        if not solvable:
            status = UNSOLVABLE_CONTACTS
        payload = OBJECT_ACCELERATION
    if tables.task_object.shape[0] > 0:
        total += object_acceleration(work, payload, acceleration)
    if status == SOLVED and not total < 1e300:
        status = NOT_FINITE
    return status


@inlined
def object_acceleration(work, payload, acceleration):
    """Write the object's part of ``acceleration``, and return the sum of its absolute values."""
    at, total = acceleration.shape[0] - 6, 0.0
    for j in range(6):
        acceleration[at + j] = work.task_object[0, payload + j]
        total += abs(acceleration[at + j])
    return total


@inlined
def grips_alone(tables, lanes):
    """Whether all contacts are rigid grips of bolted arms, the case of ``lane_propagation``."""
    return lanes.grips.shape[0] > 0 and count_joints(tables.tree) == tables.tree.shape[0]


@part
def lane_filter_and_smooth(arena, v, tau, acceleration, alone):
    """The five stages of R88 Section 9; only the first two if nothing is held.

    After ``lane_motion_state``, every time: the filter accumulates in what that has cleared.

    Args:
        alone: ``ALONE`` gives integrators, which read no stages, the same accelerations faster.

    Returns:
        SOLVED, UNSOLVABLE_CONTACTS, NOT_FINITE, or the link whose joint has no positive inertia.
    """
    tables, work, lanes = opened(arena)
    status = lane_filter(tables.tree, tables.model, tables.gravity, v, tau, lanes.links)  # 1
    if status != SOLVED:
        return status
    if alone and grips_alone(tables, lanes):
        lane_propagation(tables.tree, tables.contacts, lanes.links, lanes.held, lanes.grips)  # 2, at the tips
        if grip_response(arena):  # 3
            gripped_smoother(tables.tree, lanes.links, lanes.held, lanes.tip_forces, acceleration)  # 4, 5
            total = object_acceleration(work, OBJECT_ACCELERATION, acceleration)
            for k in range(tables.tree.shape[0]):
                total += abs(acceleration[k])
            return SOLVED if total < 1e300 else NOT_FINITE
    return lane_smooth(arena, v, acceleration)
