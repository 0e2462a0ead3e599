"""The arrays that compiled code reads and writes, as named tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.system import layout

Integers = NDArray[np.int64]


class Tables(NamedTuple):
    """A system as numbers; never modified after creation. Columns are named in ``layout``."""

    tree: Integers  # (links, TREE_WIDTH)
    model: Array  # (links, MODEL_WIDTH)
    gravity: Array  # (3,)
    contacts: Integers  # (contacts, 2)
    contact_model: Array  # (contacts, CONTACT_WIDTH)
    task_object: Array  # (objects, OBJECT_WIDTH), none or one
    loops: Integers  # (loops, 3)
    loop_model: Array  # (loops, LOOP_WIDTH)


class Work(NamedTuple):
    """Storage for one solution, overwritten by every call."""

    links: Array  # (links + 1, WORK_WIDTH), the last row is the world
    contacts: Array  # (contacts, CONTACT_WORK_WIDTH)
    directions: Array  # (l, DIRECTION_WIDTH), l the total number of transmitted directions
    task_object: Array  # (objects, OBJECT_WORK_WIDTH)
    omega: Array  # (l, l), Omega
    factored: Array  # (l, l), its factor
    order: Integers  # (l + 2,), the factor's order of rows, its rank, and whether Omega has lost digits
    forces: Array  # (l,), f
    scratch: Array  # (4, l)
    wrench: Array  # (links + 1, 6), external forces; the last row is the object's
    turns: Array  # (3, links padded): joint angles, their sines and cosines
    root: Array  # (velocity coordinates, l), W with W' W = Omega, if needed


def make_work(tables: Tables) -> Work:
    """Storage for the solutions of one system."""
    n_links, n_contacts = len(tables.tree), len(tables.contacts)
    directions = int(tables.contacts[:, 1].sum())
    links = np.zeros((n_links + 1, layout.WORK_WIDTH))
    links[-1, layout.ROTATION : layout.ROTATION + 9] = np.eye(3).ravel()
    return Work(
        links=links,
        contacts=np.zeros((n_contacts, layout.CONTACT_WORK_WIDTH)),
        directions=np.zeros((directions, layout.DIRECTION_WIDTH)),
        task_object=np.zeros((len(tables.task_object), layout.OBJECT_WORK_WIDTH)),
        omega=np.zeros((directions, directions)),
        factored=np.zeros((directions, directions)),
        order=np.zeros(directions + 2, dtype=np.int64),
        forces=np.zeros(directions),
        scratch=np.zeros((4, directions)),
        wrench=np.zeros((n_links + 1, 6)),
        turns=np.zeros((3, 8 * -(-n_links // 8))),
        root=np.zeros((velocity_coordinates(tables), directions)),
    )


def stacked(work: Work, states: int) -> Work:
    """Storage for several solutions at once: every array has a leading axis."""
    return Work._make(np.repeat(array[None], states, axis=0) for array in work)


def of_state(works: Work, at: int) -> Work:
    """The storage of one of them."""
    return Work._make(array[at] for array in works)


def velocity_coordinates(tables: Tables) -> int:
    """Number of velocity coordinates of a system: one per joint, six per floating base or object."""
    n_links, n_bases = len(tables.tree), int((tables.tree[:, layout.KIND] == layout.FREE).sum())
    return n_links + 5 * n_bases + 6 * len(tables.task_object)
