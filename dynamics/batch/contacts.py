"""What the contact stage needs of each state of a batch, and what it gives back to the lanes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.kernels import inlined, kernel
from dynamics.numbers.state_lanes import LANES
from dynamics.numbers.vector import get6
from dynamics.recursion.contact_geometry import contact_geometry, is_closed, object_motion
from dynamics.recursion.contact_root import carry_direction, whiten
from dynamics.system.layout import (
    ACCELERATION,
    ARTICULATED_INERTIA,
    CONTACT_DIRECTIONS,
    CONTACT_LINK,
    CONTACT_WORK_WIDTH,
    COSTATE_COVARIANCE,
    DIRECTION,
    DIRECTION_INWARD,
    DIRECTION_WIDTH,
    FORCE_CORRECTION,
    FREE,
    JOINT_AXIS,
    JOINT_INERTIA,
    KIND,
    OBJECT_WORK_WIDTH,
    PREDICTED_FORCE,
    RESIDUAL,
    ROTATION,
    VELOCITY,
    WORK_WIDTH,
)
from dynamics.system.tables import Tables, Work, velocity_coordinates

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class ContactBatch(NamedTuple):
    """Work of the contacts, one entry for each state that is kept; columns as in ``Work``."""

    contacts: Array  # (states, contacts, CONTACT_WORK_WIDTH)
    directions: Array  # (states, l, DIRECTION_WIDTH)
    task_object: Array  # (states, 1, OBJECT_WORK_WIDTH)
    omega: Array  # (states, l, l)
    order: Integers  # (states, l + 2)
    forces: Array  # (states, l)
    factored: Array  # (states, l, l)
    scratch: Array  # (4, l)
    links: Array  # (links + 1, WORK_WIDTH), what the contacts see of one state's links
    turns: Array  # (3, 0): the block has its own
    root: Array  # (velocity coordinates, l)
    velocity: Array  # (velocity coordinates,): of one state, packed
    inward: Array  # (l, 6, LANES): each direction's moment and force at O_1 of a block's states
    seen: Array  # (velocity coordinates, l, LANES): what ``carry_direction`` leaves of them
    delicate: Integers  # (LANES,): whether a state's forces need refinement


def make_contact_batch(tables: Tables, states: int) -> ContactBatch:
    """Room for as many states as are kept, at least a block."""
    n_contacts, size = len(tables.contacts), int(tables.contacts[:, 1].sum())
    return ContactBatch(
        contacts=np.zeros((states, n_contacts, CONTACT_WORK_WIDTH)),
        directions=np.zeros((states, size, DIRECTION_WIDTH)),
        task_object=np.zeros((states, 1, OBJECT_WORK_WIDTH)),
        omega=np.zeros((states, size, size)),
        order=np.zeros((states, size + 2), dtype=np.int64),
        forces=np.zeros((states, size)),
        factored=np.zeros((states, size, size)),
        scratch=np.zeros((4, size)),
        links=np.zeros((len(tables.tree) + 1, WORK_WIDTH)),
        turns=np.zeros((3, 0)),
        root=np.zeros((velocity_coordinates(tables), size)),
        velocity=np.zeros(velocity_coordinates(tables)),
        inward=np.zeros((size, 6, LANES)),
        seen=np.zeros((velocity_coordinates(tables), size, LANES)),
        delicate=np.zeros(LANES, dtype=np.int64),
    )


def work_of(hold, wrench, at):
    """The work of one state, for the functions of the contact stage."""
    return Work(
        hold.links,
        hold.contacts[at],
        hold.directions[at],
        hold.task_object[at],
        hold.omega[at],
        hold.factored[at],
        hold.order[at],
        hold.forces[at],
        hold.scratch,
        wrench,
        hold.turns,
        hold.root,
    )


lane_work = inlined(work_of)


@kernel
def show_link(block, k, lane, links, first, end):
    """Columns of link k of one state into its row of ``links``."""
    for j in range(first, end):
        links[k, j] = block[k, j, lane]


@kernel
def show_motion(tables, block, lane, links, first):
    """The accelerations from column ``first`` on, and the velocity, of those of one state's links that hold."""
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        show_link(block, k, lane, links, first + ACCELERATION, first + ACCELERATION + 6)
        show_link(block, k, lane, links, VELOCITY, VELOCITY + 6)


@kernel
def show_mobility(tables, block, lane, links):
    """Lambda of those of one state's links that hold."""
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        show_link(block, k, lane, links, COSTATE_COVARIANCE, COSTATE_COVARIANCE + 21)


@kernel
def show_inertia(tables, block, lane, links):
    """What the joints and floating bases of one state move: D and P."""
    for k in range(tables.tree.shape[0]):
        if tables.tree[k, KIND] == FREE:
            show_link(block, k, lane, links, ARTICULATED_INERTIA, ARTICULATED_INERTIA + 21)
        else:
            links[k, JOINT_INERTIA] = block[k, JOINT_INERTIA, lane]


@kernel
def show_arms(tables, block, lane, links):
    """What the filter has left at each of one state's joints, for ``largest_innovation``."""
    for k in range(tables.tree.shape[0]):
        show_link(block, k, lane, links, PREDICTED_FORCE, RESIDUAL)
        show_link(block, k, lane, links, JOINT_AXIS, JOINT_AXIS + 3)


@kernel
def place_directions(work, lane, inward):
    """One state's contact directions as forces at the links that hold, into its lane."""
    for m in range(inward.shape[0]):
        for j in range(3):
            inward[m, j, lane] = work.directions[m, DIRECTION_INWARD + j]
            inward[m, 3 + j, lane] = work.directions[m, DIRECTION + 3 + j]


@kernel
def carry_directions(tables, block, inward, seen):
    """``carry_direction`` of every contact direction, of eight states."""
    m = 0
    for i in range(tables.contacts.shape[0]):
        for _ in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            moment, force = get6(inward, m, 0)
            carry_direction(tables.tree, block, tables.contacts[i, CONTACT_LINK], m, moment, force, seen)
            m += 1


@kernel
def root_of_lane(tables, seen, lane, work):
    """``contact_root`` of one state, of what ``carry_directions`` left in its lane."""
    root = work.root
    for row in range(root.shape[0] - 6):  # the object's follow
        for m in range(root.shape[1]):
            root[row, m] = seen[row, m, lane]
    whiten(tables.tree, work.links, root)


@kernel
def place_contacts(tables, block, lane, work, x, v, falling, tolerance):
    """Where one state's contacts are; whether they are closed, ``is_closed`` says."""
    for i in range(tables.contacts.shape[0]):
        show_link(block, tables.contacts[i, CONTACT_LINK], lane, work.links, ROTATION, JOINT_AXIS)
    object_motion(tables, work, x, v)
    contact_geometry(tables, work)
    return is_closed(tables, work, v, falling, tolerance)


@kernel
def returned_forces(block, lane, links):
    """dz of one state's links into its lane, where the correction starts."""
    for k in range(links.shape[0]):
        for j in range(FORCE_CORRECTION, FORCE_CORRECTION + 6):
            block[k, j, lane] = links[k, j]


@kernel
def no_forces(block, lane):
    """Nothing where the correction of one state's links starts."""
    for k in range(block.shape[0]):
        for j in range(FORCE_CORRECTION, FORCE_CORRECTION + 6):
            block[k, j, lane] = 0.0
