"""Forward dynamics as filtering and smoothing: the sweeps in their order, for every kind of system; row ``page``."""

from __future__ import annotations

from dynamics.compiler.kernels import kernel
from dynamics.recursion.contact_geometry import (
    are_separate_grips,
    contact_geometry,
    grip_forces,
    object_motion,
    tip_inertias,
)
from dynamics.recursion.contact_stage import (
    REFINEMENTS,
    add_answer,
    contact_forces,
    contact_operator,
    contact_root,
    correct_filter,
    is_delicate,
    put_answer_aside,
    refine_forces,
    tip_accelerations,
    tip_covariances,
    tip_forces,
)
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.kinematics import count_joints, kinematics
from dynamics.recursion.outward_smoother import costate_covariance, outward_smoother
from dynamics.system.layout import (
    ACCELERATION,
    FINAL_MOTION,
    FORCE_CORRECTION,
    FREE_MOTION,
    JOINT_ACCELERATION,
    MODIFIED_RESIDUAL,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
    PREDICTED_FORCE,
    RESIDUAL,
)

SOLVED = -1
UNSOLVABLE_CONTACTS = -2


@kernel
def motion_state(tables, x, v, work):
    """Poses and motion of links, object and contacts."""
    kinematics(tables.tree, tables.model, tables.gravity, work.wrench, x, v, work.links)
    object_motion(tables, work, x, v)
    if tables.contacts.shape[0] > 0:
        contact_geometry(tables, work)


@kernel
def filter_and_smooth(tables, v, tau, work, acceleration):
    """The five stages of R88 Section 9; the first two alone if nothing is held. After ``motion_state``.

    Args:
        tau: (joints,) motor torques or forces.
        acceleration: packed like ``v``, written.

    Returns:
        SOLVED, UNSOLVABLE_CONTACTS, or the link whose joint has no positive inertia.
    """
    links = work.links
    failed = inward_filter(tables.tree, tables.model, v, tau, links)  # 1
    if failed >= 0:
        return failed
    outward_smoother(tables.tree, links, RESIDUAL, PREDICTED_FORCE, 1.0, FREE_MOTION)  # 2
    motion, payload = FREE_MOTION, OBJECT_FREE_ACCELERATION
    status = SOLVED
    if tables.contacts.shape[0] > 0:
        costate_covariance(tables.tree, links)
        tip_accelerations(tables, work)
        tip_covariances(tables, work)
        if not (are_separate_grips(tables) and tip_inertias(tables, work) and grip_forces(tables, work)):  # 3
            contact_root(tables, work)
            contact_operator(tables, work)  # 3
            if not contact_forces(tables, v, work):
                status = UNSOLVABLE_CONTACTS
        correct_filter(tables, work, 1.0)  # 4
        outward_smoother(tables.tree, links, MODIFIED_RESIDUAL, FORCE_CORRECTION, 1.0, FINAL_MOTION)  # 5
        if is_delicate(work):
            for _ in range(REFINEMENTS):
                if not refine_forces(tables, work):
                    break
                put_answer_aside(links)
                correct_filter(tables, work, 0.0)
                outward_smoother(tables.tree, links, MODIFIED_RESIDUAL, FORCE_CORRECTION, 0.0, FINAL_MOTION)
                add_answer(links)
                tip_forces(tables, work, work.forces)
        motion, payload = FINAL_MOTION, OBJECT_ACCELERATION
    collect(tables, work, motion, payload, acceleration)
    return status


@kernel
def contact_operator_for_showing(tables, work):
    """Omega and its factor, which (9.1) did not need; after ``filter_and_smooth``."""
    if work.order[work.directions.shape[0]] == 0:
        contact_root(tables, work)
        contact_operator(tables, work)


@kernel
def collect(tables, work, motion, payload, acceleration):
    """Pack the joints', the free links' and the object's accelerations."""
    n_links = tables.tree.shape[0]
    n_joints = count_joints(tables.tree)
    for k in range(n_joints):
        acceleration[k] = work.links[k, motion + JOINT_ACCELERATION]
    at = n_joints
    for k in range(n_joints, n_links):
        for j in range(6):
            acceleration[at + j] = work.links[k, motion + ACCELERATION + j]
        at += 6
    if tables.task_object.shape[0] > 0:
        for j in range(6):
            acceleration[at + j] = work.task_object[0, payload + j]


@kernel
def accelerations(tables, x, v, tau, work, acceleration):
    """Forward dynamics of packed vectors: ``motion_state``, then ``filter_and_smooth``."""
    motion_state(tables, x, v, work)
    return filter_and_smooth(tables, v, tau, work, acceleration)
