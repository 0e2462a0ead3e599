"""The contact operator by its root: Omega = W' W, a row for each joint, six for each floating base and the object.

Compiled with ``contact_stage``. As a sum of squares, Omega keeps the digits of a direction in which arms and object
hardly respond; Lambda(0), propagated from link to link, loses them beside free directions. W itself keeps twice that.
"""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, kernel
from dynamics.recursion.kinematics import count_joints
from dynamics.spatial.algebra import get21
from dynamics.spatial.fields import put
from dynamics.spatial.small_matrices import eliminate_linear, factor3
from dynamics.spatial.vector import add3, cross, dot3, get3, get6, get9, scale3, sub3
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    CONTACT_DIRECTIONS,
    CONTACT_LINK,
    DIRECTION,
    DIRECTION_INWARD,
    DIRECTION_ON_OBJECT,
    FREE,
    INBOARD,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KIND,
    LEVER,
    OBJECT_INERTIA,
    OBJECT_MASS,
    OBJECT_ROTATION_NOW,
    REVOLUTE,
)


@inlined
def whitened3(root, row, m, f, v):
    """Three rows w of column m with w' w = v' (L D L')^-1 v."""
    y = v[1] - f[0] * v[0]
    root[row, m] = v[0] * math.sqrt(f[3])
    root[row + 1, m] = y * math.sqrt(f[4])
    root[row + 2, m] = (v[2] - f[1] * v[0] - f[2] * y) * math.sqrt(f[5])


@inlined
def carried_inward(rows, k, revolute, moment, force):
    """A force through joint k, carried by the filter to the next link: psi(k+1, k) = phi (1 - G H).

    Returns:
        the joint's component of it, H dz, and its moment and force there.
    """
    h, g = get3(rows, k, JOINT_AXIS), get6(rows, k, KALMAN_GAIN)
    seen = dot3(h, moment) if revolute else dot3(h, force)
    moment, force = sub3(moment, scale3(seen, g[0])), sub3(force, scale3(seen, g[1]))
    return seen, add3(moment, cross(get3(rows, k, LEVER), force)), force


@inlined
def carry_direction(tree, rows, k, m, moment, force, root):
    """What the joints from link k on see of a unit force there, H psi(k, 0) C', and the base, psi C'; R88 (8.3).

    For one state and for eight (see ``fields``).

    Args:
        root: column m is written along the force's path: for ``whiten``.
    """
    n_links, n_joints = tree.shape[0], count_joints(tree)
    while k < n_links:
        if tree[k, KIND] == FREE:
            row = n_joints + 6 * (k - n_joints)
            for j in range(3):
                put(root, row + j, m, moment[j])
                put(root, row + 3 + j, m, force[j])
        else:
            seen, moment, force = carried_inward(rows, k, tree[k, KIND] == REVOLUTE, moment, force)
            put(root, k, m, seen)
        k = tree[k, INBOARD]


@kernel
def whiten(tree, links, root):
    """D^-1/2 of the joints' rows and P^-1/2 of the floating bases'."""
    n_joints, size = count_joints(tree), root.shape[1]
    for k in range(n_joints):
        share = 1.0 / math.sqrt(links[k, JOINT_INERTIA])
        for m in range(size):
            root[k, m] *= share
    for k in range(n_joints, tree.shape[0]):
        c, schur, (x, y, z) = eliminate_linear(get21(links, k, ARTICULATED_INERTIA))
        row = n_joints + 6 * (k - n_joints)
        for m in range(size):
            moment = root[row, m], root[row + 1, m], root[row + 2, m]
            force = root[row + 3, m], root[row + 4, m], root[row + 5, m]
            whitened3(root, row, m, schur, sub3(moment, (dot3(x, force), dot3(y, force), dot3(z, force))))
            whitened3(root, row + 3, m, c, force)


@kernel
def contact_root(tables, work):
    """The rows of the arms: D^-1/2 H psi(k, 0) C' of the joints and P^-1/2 psi C' of floating bases; R88 (8.3)."""
    root, m = work.root, 0
    for row in range(root.shape[0]):
        for n in range(root.shape[1]):
            root[row, n] = 0.0
    for i in range(tables.contacts.shape[0]):
        for _ in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            moment, force = get3(work.directions, m, DIRECTION_INWARD), get3(work.directions, m, DIRECTION + 3)
            carry_direction(tables.tree, work.links, tables.contacts[i, CONTACT_LINK], m, moment, force, root)
            m += 1
    whiten(tables.tree, work.links, root)


@kernel
def object_root(tables, work):
    """The object's six rows, M^-1/2(C) A C'; R88 (8.3)."""
    own, root = tables.task_object, work.root
    last = root.shape[0] - 6
    r = get9(work.task_object, 0, OBJECT_ROTATION_NOW)
    inertia = factor3(get3(own, 0, OBJECT_INERTIA) + get3(own, 0, OBJECT_INERTIA + 3))
    mass = math.sqrt(own[0, OBJECT_MASS])
    for m in range(work.directions.shape[0]):
        moment, force = get6(work.directions, m, DIRECTION_ON_OBJECT)
        moment = (
            r[0] * moment[0] + r[3] * moment[1] + r[6] * moment[2],
            r[1] * moment[0] + r[4] * moment[1] + r[7] * moment[2],
            r[2] * moment[0] + r[5] * moment[1] + r[8] * moment[2],
        )
        whitened3(root, last, m, inertia, moment)
        for j in range(3):
            root[last + 3 + j, m] = force[j] / mass


@kernel
def square(root, matrix):
    """W' W, skipping zeros in W, e.g. an arm's joints for the contacts of others."""
    size = matrix.shape[0]
    for m in range(size):
        for n in range(size):
            matrix[m, n] = 0.0
    for row in range(root.shape[0]):
        for m in range(size):
            w = root[row, m]
            if w != 0.0:
                for n in range(m, size):
                    matrix[m, n] += w * root[row, n]
    for m in range(size):
        for n in range(m):
            matrix[m, n] = matrix[n, m]
