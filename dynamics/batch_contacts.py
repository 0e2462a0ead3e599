"""The ensemble kernel of systems whose object is held: sweeps eight states at once, contacts state by state.

The sweeps take nearly all the work of long arms; a contact operator is small, and what its rank is and whether it
needs refinement differs from state to state, so each state's goes through the same functions as a single one's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.batch_layout import (
    ACCELERATION,
    ANGULAR_VELOCITY,
    COSTATE_COVARIANCE,
    FIRST_MOTION,
    FIRST_MOTION_WIDTH,
    FORCE_CORRECTION,
    JOINT_AXIS,
    KALMAN_GAIN,
    LEVER,
    LINEAR_VELOCITY,
    POSITION,
    ROTATION,
    ROW,
)
from dynamics.batch_sweeps import (
    collect,
    correct_inward,
    filter_inward,
    keep_block,
    load,
    load_bases,
    load_positions,
    load_world,
    mobility_outward,
    move,
    push,
    smooth_outward,
)
from dynamics.compiled import kernel
from dynamics.contact_geometry import contact_geometry, object_motion, worst_gaps
from dynamics.contact_stage import (
    contact_forces,
    contact_operator,
    is_delicate,
    refine_forces,
    tip_accelerations,
)
from dynamics.layout import ACCELERATION as SOLVED_ACCELERATION
from dynamics.layout import (
    CONTACT_FORCE,
    CONTACT_LINK,
    CONTACT_WORK_WIDTH,
    DIRECTION_WIDTH,
    FINAL_MOTION,
    FREE_MOTION,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
    OBJECT_WORK_WIDTH,
    TIP_LEVER,
    VELOCITY,
    WORK_WIDTH,
)
from dynamics.layout import COSTATE_COVARIANCE as SOLVED_COVARIANCE
from dynamics.layout import JOINT_AXIS as SOLVED_AXIS
from dynamics.layout import KALMAN_GAIN as SOLVED_GAIN
from dynamics.layout import LEVER as SOLVED_LEVER
from dynamics.layout import POSITION as SOLVED_POSITION
from dynamics.layout import ROTATION as SOLVED_ROTATION
from dynamics.state_lanes import LANES
from dynamics.system import System
from dynamics.tables import Tables, Work
from dynamics.vector import add3, compose, cross, get3

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class ContactBatch(NamedTuple):
    """Work of the contacts, one entry for each state that is kept; columns as in ``Work``."""

    contacts: Array  # (states, contacts, CONTACT_WORK_WIDTH)
    directions: Array  # (states, l, DIRECTION_WIDTH)
    task_object: Array  # (states, 1, OBJECT_WORK_WIDTH)
    omega: Array  # (states, l, l)
    order: Integers  # (states, l + 1)
    forces: Array  # (states, l)
    factored: Array  # (LANES, l, l)
    scratch: Array  # (l + 2, l)
    links: Array  # (links + 1, WORK_WIDTH), what the contacts see of one state's links
    tip_velocity: Array  # (LANES, contacts, 3), angular
    turns: Array  # (3, 0): the block has its own


def make_contact_batch(tables: Tables, states: int) -> ContactBatch:
    """Room for as many states as are kept, at least a block."""
    n_contacts, size = len(tables.contacts), int(tables.contacts[:, 1].sum())
    return ContactBatch(
        contacts=np.zeros((states, n_contacts, CONTACT_WORK_WIDTH)),
        directions=np.zeros((states, size, DIRECTION_WIDTH)),
        task_object=np.zeros((states, 1, OBJECT_WORK_WIDTH)),
        omega=np.zeros((states, size, size)),
        order=np.zeros((states, size + 1), dtype=np.int64),
        forces=np.zeros((states, size)),
        factored=np.zeros((LANES, size, size)),
        scratch=np.zeros((size + 2, size)),
        links=np.zeros((len(tables.tree) + 1, WORK_WIDTH)),
        tip_velocity=np.zeros((LANES, n_contacts, 3)),
        turns=np.zeros((3, 0)),
    )


def contacts_share_links(system: System) -> bool:
    """Whether the ways inward of two contacts meet before the world."""
    seen: set[int] = set()
    for contact in system.contacts:
        way, k = set(), contact.link
        while k >= 0:
            way.add(k)
            k = int(system.inboard[k])
        if way & seen:
            return True
        seen |= way
    return False


@kernel
def work_of(hold, wrench, at, lane):
    """The work of one state, for the functions of the contact stage."""
    return Work(
        hold.links,
        hold.contacts[at],
        hold.directions[at],
        hold.task_object[at],
        hold.omega[at],
        hold.factored[lane],
        hold.order[at],
        hold.forces[at],
        hold.scratch,
        wrench,
        hold.turns,
    )


@kernel
def copy_lane(block, k, field, count, lane, links, column):
    """Fields of one lane of link k into its row of ``links``."""
    for j in range(count):
        links[k, column + j] = block[k * ROW + field + j * LANES + lane]


@kernel
def place_contacts(tables, axes, block, lane, hold, work, x, v):
    """Where one state's contacts are.

    Returns:
        their largest gap in position or velocity.
    """
    links = work.links
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        copy_lane(block, k, ROTATION, 9, lane, links, SOLVED_ROTATION)
        turned = (
            links[k, SOLVED_ROTATION], links[k, SOLVED_ROTATION + 1], links[k, SOLVED_ROTATION + 2],
            links[k, SOLVED_ROTATION + 3], links[k, SOLVED_ROTATION + 4], links[k, SOLVED_ROTATION + 5],
            links[k, SOLVED_ROTATION + 6], links[k, SOLVED_ROTATION + 7], links[k, SOLVED_ROTATION + 8],
        )  # fmt: skip
        a = axes[k]
        rotation = compose(turned, (a[0, 0], a[1, 0], a[2, 0], a[0, 1], a[1, 1], a[2, 1], a[0, 2], a[1, 2], a[2, 2]))
        for j in range(9):
            links[k, SOLVED_ROTATION + j] = rotation[j]
        copy_lane(block, k, POSITION, 3, lane, links, SOLVED_POSITION)
        copy_lane(block, k, ANGULAR_VELOCITY, 3, lane, links, VELOCITY)
        copy_lane(block, k, LINEAR_VELOCITY, 3, lane, links, VELOCITY + 3)
        for j in range(3):
            hold.tip_velocity[lane, i, j] = links[k, VELOCITY + j]
    object_motion(tables, work, x, v)
    contact_geometry(tables, work)
    position, velocity = worst_gaps(tables, work)
    return max(position, velocity)


@kernel
def show_contacts(tables, block, lane, hold, work, motion):
    """What the contact stage asks of one state's links after a smoother sweep, into ``work.links``."""
    links = work.links
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        for j in range(3):
            links[k, VELOCITY + j] = hold.tip_velocity[lane, i, j]
        copy_lane(block, k, ACCELERATION, 6, lane, links, motion + SOLVED_ACCELERATION)
        copy_lane(block, k, COSTATE_COVARIANCE, 21, lane, links, SOLVED_COVARIANCE)


@kernel
def show_links(tree, block, lane, links):
    """What coupled contacts ask of the links between them."""
    for k in range(tree.shape[0]):
        copy_lane(block, k, JOINT_AXIS, 3, lane, links, SOLVED_AXIS)
        copy_lane(block, k, LEVER, 3, lane, links, SOLVED_LEVER)
        copy_lane(block, k, KALMAN_GAIN, 6, lane, links, SOLVED_GAIN)
        copy_lane(block, k, COSTATE_COVARIANCE, 21, lane, links, SOLVED_COVARIANCE)


@kernel
def apply_contacts(tables, block, hold, at, count):
    """phi(1, 0) x(0) of every contact of a block's states at its link, where the correction starts."""
    for k in range(tables.tree.shape[0] + 1):
        for j in range(6 * LANES):
            block[k * ROW + FORCE_CORRECTION + j] = 0.0
    for lane in range(LANES):
        contacts = hold.contacts[at + min(lane, count - 1)]
        for i in range(tables.contacts.shape[0]):
            start = tables.contacts[i, CONTACT_LINK] * ROW + FORCE_CORRECTION + lane
            force = get3(contacts, i, CONTACT_FORCE + 3)
            moment = add3(get3(contacts, i, CONTACT_FORCE), cross(get3(contacts, i, TIP_LEVER), force))
            for j in range(3):
                block[start + j * LANES] += moment[j]
                block[start + (3 + j) * LANES] += force[j]


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
    n_links = tree.shape[0]
    delicate = np.zeros(LANES, dtype=np.bool_)
    for first in range(0, joint_acceleration.shape[0], LANES):
        count = min(LANES, joint_acceleration.shape[0] - first)
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
            work = work_of(hold, inputs.wrench[state * inputs.steps[3]], at + lane, lane)
            gap = place_contacts(tables, axes, block, lane, hold, work, object_x[state], object_v[state])
            if not gap <= tolerance:
                return first
        filter_inward(tree, tables.model, block, keep)  # 1
        smooth_outward(tree, block)  # 2
        mobility_outward(tree, block)
        any_delicate = False
        for lane in range(count):  # 3
            work = work_of(hold, inputs.wrench[0], at + lane, lane)
            if coupled:
                show_links(tree, block, lane, work.links)
            show_contacts(tables, block, lane, hold, work, FREE_MOTION)
            tip_accelerations(tables, work)
            contact_operator(tables, work)
            if not contact_forces(tables, work):
                return first
            delicate[lane] = is_delicate(work)
            any_delicate |= delicate[lane]
        if keep:
            for k in range(n_links):
                for j in range(FIRST_MOTION_WIDTH):
                    first_motions[number, k, j] = block[k * ROW + FIRST_MOTION + j]
        for attempt in range(3 if any_delicate else 1):
            for lane in range(count):
                if attempt > 0 and delicate[lane]:
                    work = work_of(hold, inputs.wrench[0], at + lane, lane)
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


@kernel
def objects_in_flight(tables, hold, object_x, object_v, wrench, step, accelerations):
    """The acceleration of an object that nobody holds, of every state."""
    for state in range(object_x.shape[0]):
        work = work_of(hold, wrench[state * step], 0, 0)
        object_motion(tables, work, object_x[state], object_v[state])
        for j in range(6):
            accelerations[state, j] = work.task_object[0, OBJECT_FREE_ACCELERATION + j]
