"""What the contact stage needs of each state of a batch, and what it gives back to the lanes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.compiled import inlined, kernel
from dynamics.numbers.state_lanes import LANES
from dynamics.recursion.contact_geometry import contact_geometry, object_motion, worst_gaps
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    CONTACT_LINK,
    CONTACT_WORK_WIDTH,
    DIRECTION_WIDTH,
    FORCE_CORRECTION,
    FREE,
    JOINT_AXIS,
    KIND,
    OBJECT_WORK_WIDTH,
    PREDICTED_FORCE,
    RESIDUAL,
    SHOWN_WIDTH,
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
def show_links(tables, block, lane, links):
    """What the contact stage asks of those of one state's links that hold."""
    for i in range(tables.contacts.shape[0]):
        show_link(block, tables.contacts[i, CONTACT_LINK], lane, links, 0, SHOWN_WIDTH)


@kernel
def show_arms(tables, block, lane, links):
    """What the filter has left at each of one state's links, and a force at a tip meets on its way inward."""
    for k in range(tables.tree.shape[0]):
        first = ARTICULATED_INERTIA if tables.tree[k, KIND] == FREE else PREDICTED_FORCE
        show_link(block, k, lane, links, first, RESIDUAL)
        show_link(block, k, lane, links, JOINT_AXIS, SHOWN_WIDTH)


@kernel
def place_contacts(tables, block, lane, work, x, v):
    """Where one state's contacts are.

    Returns:
        their largest gap in position or velocity, as ``worst_gaps``.
    """
    show_links(tables, block, lane, work.links)
    object_motion(tables, work, x, v)
    contact_geometry(tables, work)
    position, velocity = worst_gaps(tables, work, v)
    return max(position, velocity)


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
