"""The scale of a motion's forces, without cancellation: residual forces are judged relative to it."""

from __future__ import annotations

import math

from dynamics.compiler.kernels import kernel
from dynamics.spatial.vector import dot3, get3
from dynamics.system.layout import (
    FREE,
    INBOARD,
    KIND,
    MASS,
    OBJECT_INERTIA,
    OBJECT_MASS,
    ORIGIN_POSITION,
    REVOLUTE,
    SPREAD,
)


@kernel
def length3(table, row, column):
    """The length of three numbers of a row."""
    v = get3(table, row, column)
    return math.sqrt(dot3(v, v))


@kernel
def largest_effort(tables, v):
    """The largest force over the root of the inertia that it moves: of a link's turning, or of the object's weight.

    No pose is needed: it uses the magnitudes of rates, levers and their products.

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
