"""The arrays that compiled code reads and writes, under names, and how large a motion is by their numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.compiler.compiled import kernel
from dynamics.system.layout import (
    CONTACT_WORK_WIDTH,
    DIRECTION_WIDTH,
    FREE,
    INBOARD,
    KIND,
    MASS,
    OBJECT_INERTIA,
    OBJECT_MASS,
    OBJECT_WORK_WIDTH,
    ORIGIN_POSITION,
    REVOLUTE,
    ROTATION,
    SPREAD,
    WORK_WIDTH,
)

Integers = NDArray[np.int64]


class Tables(NamedTuple):
    """A system as numbers; never written after it is made. Columns are named in ``layout``."""

    tree: Integers  # (links, TREE_WIDTH)
    model: Array  # (links, MODEL_WIDTH)
    gravity: Array  # (3,)
    contacts: Integers  # (contacts, 2)
    contact_model: Array  # (contacts, CONTACT_WIDTH)
    task_object: Array  # (objects, OBJECT_WIDTH), none or one


class Work(NamedTuple):
    """Room for one solution, written anew by every call."""

    links: Array  # (links + 1, WORK_WIDTH), the last row is the world
    contacts: Array  # (contacts, CONTACT_WORK_WIDTH)
    directions: Array  # (l, DIRECTION_WIDTH), l the number of transmitted directions in all
    task_object: Array  # (objects, OBJECT_WORK_WIDTH)
    omega: Array  # (l, l), Omega
    factored: Array  # (l, l), its factor
    order: Integers  # (l + 2,), the factor's order of rows, its rank, and whether Omega has lost digits of it
    forces: Array  # (l,), f
    scratch: Array  # (3, l)
    wrench: Array  # (links + 1, 6), external forces; the last row is the object's
    turns: Array  # (3, links or a few more): joint angles, their sines and cosines
    root: Array  # (velocity coordinates, l), W with W' W = Omega, where it is needed


def make_work(tables: Tables) -> Work:
    """Room for the solutions of one system."""
    n_links, n_contacts = len(tables.tree), len(tables.contacts)
    directions = int(tables.contacts[:, 1].sum())
    links = np.zeros((n_links + 1, WORK_WIDTH))
    links[-1, ROTATION : ROTATION + 9] = np.eye(3).ravel()
    return Work(
        links=links,
        contacts=np.zeros((n_contacts, CONTACT_WORK_WIDTH)),
        directions=np.zeros((directions, DIRECTION_WIDTH)),
        task_object=np.zeros((len(tables.task_object), OBJECT_WORK_WIDTH)),
        omega=np.zeros((directions, directions)),
        factored=np.zeros((directions, directions)),
        order=np.zeros(directions + 2, dtype=np.int64),
        forces=np.zeros(directions),
        scratch=np.zeros((3, directions)),
        wrench=np.zeros((n_links + 1, 6)),
        turns=np.zeros((3, 8 * -(-n_links // 8))),
        root=np.zeros((velocity_coordinates(tables), directions)),
    )


def velocity_coordinates(tables: Tables) -> int:
    """How many numbers say how a system moves: one a joint, six a floating base or object."""
    n_links, n_bases = len(tables.tree), int((tables.tree[:, KIND] == FREE).sum())
    return n_links + 5 * n_bases + 6 * len(tables.task_object)


@kernel
def length3(table, row, column):
    """The length of three numbers of a row."""
    x, y, z = table[row, column], table[row, column + 1], table[row, column + 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def largest_effort(tables, v):
    """The largest force over the root of the inertia that it moves: of a link's turning, or of the object's weight.

    No pose is needed: rates, levers and their products are counted by their sizes.

    Returns:
        kg^(1/2) m/s^2.
    """
    tree, model, n_links = tables.tree, tables.model, tables.tree.shape[0]
    n_joints, largest = n_links, 0.0
    while n_joints > 0 and tree[n_joints - 1, KIND] == FREE:
        n_joints -= 1
    for k in range(n_links):
        rate, j = 0.0, k
        while j < n_links:
            if tree[j, KIND] == REVOLUTE:
                rate += abs(v[j])
            elif tree[j, KIND] == FREE:
                at = n_joints + 6 * (j - n_joints)
                rate += math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2])
            j = tree[j, INBOARD]
        pull, inner, j = 0.0, rate, k
        while j < n_links and tree[j, KIND] != FREE:
            lever = length3(model, j, ORIGIN_POSITION)
            if tree[j, KIND] == REVOLUTE:
                inner = max(0.0, inner - abs(v[j]))
            else:
                pull += 2.0 * inner * abs(v[j])
            pull += inner * inner * lever
            j = tree[j, INBOARD]
        a, b = length3(model, k, SPREAD), length3(model, k, SPREAD + 3)
        moments = a * a + b * b + 3.0 * model[k, SPREAD + 6]
        largest = max(largest, math.sqrt(model[k, MASS]) * pull + math.sqrt(moments) * rate * rate)
    own, at = tables.task_object, v.shape[0] - 6
    if own.shape[0] > 0:
        g, spin = tables.gravity, v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]
        weight = math.sqrt(own[0, OBJECT_MASS] * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]))
        moments = own[0, OBJECT_INERTIA] + own[0, OBJECT_INERTIA + 3] + own[0, OBJECT_INERTIA + 5]
        largest = max(largest, weight + math.sqrt(moments) * spin)
    return largest
