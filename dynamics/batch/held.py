"""The ensemble kernel of systems whose object is held: sweeps eight states at once, contacts state by state.

The rank of a contact operator, and whether its forces need refinement, differ from state to state, so each state's
goes through the same functions as a single one's.
"""

from __future__ import annotations

from dynamics.batch.contacts import (
    carry_directions,
    lane_work,
    no_forces,
    place_contacts,
    place_directions,
    returned_forces,
    root_of_lane,
    show_arms,
    show_inertia,
    show_mobility,
    show_motion,
)
from dynamics.batch.loading import collect, keep_block, load, load_bases, load_world, push
from dynamics.compiler.kernels import inlined, kernel
from dynamics.numbers.state_lanes import LANES
from dynamics.recursion.contact_geometry import falling_rate, object_motion
from dynamics.recursion.contact_stage import (
    REFINEMENTS,
    add_answer,
    contact_forces,
    contact_operator,
    correct_inward,
    is_delicate,
    put_answer_aside,
    refine_forces,
    start_correction,
    tip_accelerations,
    tip_covariances,
    tip_forces,
)
from dynamics.recursion.costate_covariance import mobility_outward
from dynamics.recursion.inward_filter import filter_inward
from dynamics.recursion.kinematics import move
from dynamics.recursion.outward_smoother import smooth_outward
from dynamics.system.layout import (
    CONTACT_FORCE,
    FINAL_MOTION,
    FORCE_CORRECTION,
    FREE_MOTION,
    MODIFIED_RESIDUAL,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
    PREDICTED_FORCE,
    RESIDUAL,
)


@inlined
def pack_velocity(inputs, object_v, state, n_joints, v):
    """One state's velocity, packed: joints, bases, object."""
    bases = (v.shape[0] - 6 - n_joints) // 6
    for k in range(n_joints):
        v[k] = inputs.qd[state * inputs.steps[1] + k]
    for i in range(bases):
        for j in range(6):
            v[n_joints + 6 * i + j] = inputs.base_velocity[state * bases + i, j]
    for j in range(6):
        v[n_joints + 6 * bases + j] = object_v[j]


@kernel
def solve_held_batch(
    tables, inputs, object_x, object_v, tolerance, keep, n_joints,
    joint_acceleration, base_acceleration, contact_force, object_acceleration, block, kept, hold
):  # fmt: skip
    """The five stages of R88 Section 9 of every state.

    Args:
        object_x, object_v: (states, 7) and (states, 6).
        tolerance: of the closure, as ``worst_gaps`` measures it.
        keep: whether every block is kept.
        kept, hold: room for the blocks, and for the contacts.

    Returns:
        -1, or the first state of a block that has a failing state in it.
    """
    tree, model = tables.tree, tables.model
    n_links, size, falling = tree.shape[0], base_acceleration.shape[0], falling_rate(tables)
    load_world(n_links, block)
    for first in range(0, size, LANES):
        count = min(LANES, size - first)
        at = first if keep else 0
        load(model, inputs.q, inputs.qd, inputs.tau, inputs.steps, first, count, n_joints, block)
        load_bases(
            tree, inputs.base_rotation, inputs.base_position, inputs.base_velocity, first, count, n_joints, block
        )
        move(tree, model, tables.gravity, block, True)
        if inputs.pushed:
            push(inputs.wrench, inputs.steps[3], first, count, n_links, block)
        for lane in range(count):
            state = first + lane
            work = lane_work(hold, inputs.wrench[state * inputs.steps[3]], at + lane)
            pack_velocity(inputs, object_v[state], state, n_joints, hold.velocity)
            if not place_contacts(tables, block, lane, work, object_x[state], hold.velocity, falling, tolerance):
                return first
            place_directions(work, lane, hold.inward)
        filter_inward(tree, model, block)  # 1
        smooth_outward(tree, block, RESIDUAL, PREDICTED_FORCE, 1.0, FREE_MOTION)  # 2
        if keep:
            mobility_outward(tree, block)
        carry_directions(tables, block, hold.inward, hold.seen)
        n_delicate = 0
        for lane in range(count):  # 3
            work = lane_work(hold, inputs.wrench[0], at + lane)
            show_motion(tables, block, lane, work.links, FREE_MOTION)
            tip_accelerations(tables, work)
            if keep:
                show_mobility(tables, block, lane, work.links)
                tip_covariances(tables, work)
            show_inertia(tables, block, lane, work.links)
            root_of_lane(tables, hold.seen, lane, work)
            contact_operator(tables, work)
            if work.order[work.forces.shape[0]] < work.forces.shape[0]:
                show_arms(tables, block, lane, work.links)
                pack_velocity(inputs, object_v[first + lane], first + lane, n_joints, hold.velocity)
            if not contact_forces(tables, hold.velocity, work):
                return first
            hold.delicate[lane] = is_delicate(work)
            n_delicate += hold.delicate[lane]
        for lane in range(LANES):
            work = lane_work(hold, inputs.wrench[0], at + min(lane, count - 1))
            start_correction(tables, work)
            returned_forces(block, lane, work.links)
        correct_inward(tree, block, 1.0)  # 4
        smooth_outward(tree, block, MODIFIED_RESIDUAL, FORCE_CORRECTION, 1.0, FINAL_MOTION)  # 5
        for _ in range(REFINEMENTS):
            n_delicate = delicate_forces(tables, inputs, block, hold, at, count, n_delicate)
            if n_delicate == 0:
                break
            correct_inward(tree, block, 0.0)
            smooth_outward(tree, block, MODIFIED_RESIDUAL, FORCE_CORRECTION, 0.0, FINAL_MOTION)
            add_answer(block)
        for lane in range(count):
            for j in range(6):
                object_acceleration[first + lane, j] = hold.task_object[at + lane, 0, OBJECT_ACCELERATION + j]
                for i in range(tables.contacts.shape[0]):
                    contact_force[first + lane, i, j] = hold.contacts[at + lane, i, CONTACT_FORCE + j]
        if not collect(n_joints, n_links, block, FINAL_MOTION, first, count, joint_acceleration, base_acceleration):
            return first
        if keep:
            keep_block(n_links, block, first // LANES, kept)
    return -1


@kernel
def delicate_forces(tables, inputs, block, hold, at, count, n_delicate):
    """``refine_forces`` of those states of a block that ask for it, and dz of what is added, where sweeps start.

    Args:
        n_delicate: how many may ask; which, ``hold.delicate`` says.

    Returns:
        how many did.
    """
    if n_delicate == 0:
        return 0
    n_delicate = 0
    for lane in range(count):
        if hold.delicate[lane] > 0:
            work = lane_work(hold, inputs.wrench[0], at + lane)
            show_motion(tables, block, lane, work.links, FINAL_MOTION)
            hold.delicate[lane] = refine_forces(tables, work)
            n_delicate += hold.delicate[lane]
    if n_delicate == 0:
        return 0
    put_answer_aside(block)
    for lane in range(LANES):
        if lane < count and hold.delicate[lane] > 0:
            work = lane_work(hold, inputs.wrench[0], at + lane)
            start_correction(tables, work)
            returned_forces(block, lane, work.links)
            tip_forces(tables, work, work.forces)
        else:
            no_forces(block, lane)
    return n_delicate


@kernel
def objects_in_flight(tables, hold, object_x, object_v, wrench, step, accelerations):
    """The acceleration of an object that nobody holds, of every state."""
    for state in range(object_x.shape[0]):
        work = lane_work(hold, wrench[state * step], 0)
        object_motion(tables, work, object_x[state], object_v[state])
        for j in range(6):
            accelerations[state, j] = work.task_object[0, OBJECT_FREE_ACCELERATION + j]
