"""What the contact stage needs of each state of a batch, and what it gives back to the lanes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.batch.layout import (
    ACCELERATION,
    ANGULAR_VELOCITY,
    COSTATE_COVARIANCE,
    FORCE_CORRECTION,
    JOINT_AXIS,
    KALMAN_GAIN,
    LEVER,
    LINEAR_VELOCITY,
    POSITION,
    ROTATION,
)
from dynamics.compiler.compiled import inlined, kernel
from dynamics.numbers.state_lanes import LANES
from dynamics.numbers.vector import add3, compose, cross, get3
from dynamics.recursion.contact_geometry import contact_geometry, object_motion, worst_gaps
from dynamics.system.layout import ACCELERATION as SOLVED_ACCELERATION
from dynamics.system.layout import (
    CONTACT_FORCE,
    CONTACT_LINK,
    CONTACT_WORK_WIDTH,
    DIRECTION_WIDTH,
    OBJECT_WORK_WIDTH,
    TIP_LEVER,
    VELOCITY,
    WORK_WIDTH,
)
from dynamics.system.layout import COSTATE_COVARIANCE as SOLVED_COVARIANCE
from dynamics.system.layout import JOINT_AXIS as SOLVED_AXIS
from dynamics.system.layout import KALMAN_GAIN as SOLVED_GAIN
from dynamics.system.layout import LEVER as SOLVED_LEVER
from dynamics.system.layout import POSITION as SOLVED_POSITION
from dynamics.system.layout import ROTATION as SOLVED_ROTATION
from dynamics.system.system import System
from dynamics.system.tables import Tables, Work

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
    scratch: Array  # (l + 3, l)
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
        scratch=np.zeros((size + 3, size)),
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


lane_work = inlined(work_of)


@kernel
def copy_lane(block, k, field, count, lane, links, column):
    """Fields of one lane of link k into its row of ``links``."""
    for j in range(count):
        links[k, column + j] = block[k, field + j * LANES + lane]


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
            block[k, FORCE_CORRECTION + j] = 0.0
    for lane in range(LANES):
        contacts = hold.contacts[at + min(lane, count - 1)]
        for i in range(tables.contacts.shape[0]):
            k, start = tables.contacts[i, CONTACT_LINK], FORCE_CORRECTION + lane
            force = get3(contacts, i, CONTACT_FORCE + 3)
            moment = add3(get3(contacts, i, CONTACT_FORCE), cross(get3(contacts, i, TIP_LEVER), force))
            for j in range(3):
                block[k, start + j * LANES] += moment[j]
                block[k, start + (3 + j) * LANES] += force[j]
