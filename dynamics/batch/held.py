"""The ensemble kernel of systems whose object is held: sweeps eight states at once, contacts state by state.

The rank of a contact operator, and whether its forces need refinement, differ from state to state, so each state's
goes through the same functions as a single one's.
"""

from __future__ import annotations

from dynamics.batch.contacts import apply_contacts, lane_work, place_contacts, show_contacts, show_links
from dynamics.batch.layout import FIRST_MOTION, FIRST_MOTION_WIDTH
from dynamics.batch.loading import collect, keep_block, load, load_bases, load_positions, load_world, push
from dynamics.batch.sweeps import correct_inward, filter_inward, mobility_outward, move, smooth_outward
from dynamics.compiler.compiled import from_python, kernel
from dynamics.compiler.local_arrays import local_integers
from dynamics.numbers.state_lanes import LANES
from dynamics.recursion.contact_geometry import object_motion
from dynamics.recursion.contact_stage import (
    contact_forces,
    contact_operator,
    is_delicate,
    refine_forces,
    tip_accelerations,
)
from dynamics.system.layout import (
    CONTACT_FORCE,
    FINAL_MOTION,
    FREE_MOTION,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
)


@from_python
@kernel
def solve_held_batch(
    tables, constants, axes, inputs, object_x, object_v, tolerance, coupled, keep, n_joints,
    joint_acceleration, base_acceleration, contact_force, object_acceleration, block, kept, first_motions, hold
):  # fmt: skip
    """The five stages of R88 Section 9 of every state.

    Args:
        axes: (links, 3, 3) link <- axes whose z is the joint's.
        object_x, object_v: (states, 7) and (states, 6).
        tolerance: of the closure, in position and velocity.
        coupled: whether two contacts share links.
        keep: whether every block is kept.
        kept, first_motions, hold: room for the blocks, for what the first smoother found, and for the contacts.

    Returns:
        -1, or the first state of a block that has a failing state in it.
    """
    tree = tables.tree
    n_links, size = tree.shape[0], base_acceleration.shape[0]
    delicate = local_integers(LANES)
    for first in range(0, size, LANES):
        count = min(LANES, size - first)
        number = first // LANES if keep else 0
        at = number * LANES
        load(tables.model, inputs.q, inputs.qd, inputs.tau, inputs.steps, first, count, n_joints, block)
        load_world(n_links, block)
        load_bases(tree, inputs.base_rotation, inputs.base_velocity, first, count, n_joints, block)
        load_positions(tree, inputs.base_position, inputs.base_velocity, first, count, n_joints, block)
        move(tree, constants, tables.gravity, block, True)
        if inputs.pushed:
            push(inputs.wrench, inputs.steps[3], first, count, n_links, block)
        for lane in range(count):
            state = first + lane
            work = lane_work(hold, inputs.wrench[state * inputs.steps[3]], at + lane, lane)
            gap = place_contacts(tables, axes, block, lane, hold, work, object_x[state], object_v[state])
            if not gap <= tolerance:
                return first
        filter_inward(tree, tables.model, block)  # 1
        smooth_outward(tree, block)  # 2
        mobility_outward(tree, block)
        n_delicate = 0
        for lane in range(count):  # 3
            work = lane_work(hold, inputs.wrench[0], at + lane, lane)
            if coupled:
                show_links(tree, block, lane, work.links)
            show_contacts(tables, block, lane, hold, work, FREE_MOTION)
            tip_accelerations(tables, work)
            contact_operator(tables, work)
            if not contact_forces(tables, work):
                return first
            delicate[lane] = is_delicate(work)
            n_delicate += delicate[lane]
        if keep:
            for k in range(n_links):
                for j in range(FIRST_MOTION_WIDTH):
                    first_motions[number, k, j] = block[k, FIRST_MOTION + j]
        for attempt in range(3 if n_delicate > 0 else 1):
            for lane in range(count):
                if attempt > 0 and delicate[lane] > 0:
                    work = lane_work(hold, inputs.wrench[0], at + lane, lane)
                    show_contacts(tables, block, lane, hold, work, FINAL_MOTION)
                    refine_forces(tables, work)
            apply_contacts(tables, block, hold, at, count)
            correct_inward(tree, block)  # 4
            smooth_outward(tree, block)  # 5
        for lane in range(count):
            for j in range(6):
                object_acceleration[first + lane, j] = hold.task_object[at + lane, 0, OBJECT_ACCELERATION + j]
                for i in range(tables.contacts.shape[0]):
                    contact_force[first + lane, i, j] = hold.contacts[at + lane, i, CONTACT_FORCE + j]
        if not collect(n_joints, n_links, block, first, count, joint_acceleration, base_acceleration):
            return first
        if keep:
            keep_block(n_links, block, number, kept)
    return -1


@from_python
@kernel
def objects_in_flight(tables, hold, object_x, object_v, wrench, step, accelerations):
    """The acceleration of an object that nobody holds, of every state."""
    for state in range(object_x.shape[0]):
        work = lane_work(hold, wrench[state * step], 0, 0)
        object_motion(tables, work, object_x[state], object_v[state])
        for j in range(6):
            accelerations[state, j] = work.task_object[0, OBJECT_FREE_ACCELERATION + j]
