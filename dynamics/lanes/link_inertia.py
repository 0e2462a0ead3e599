"""P(k) + S(k) of every link of a flying chain, in lanes: ``inward_filter`` and ``dual_filter`` without their forces.

The second filter runs outward as the kinematics do, and takes each link's pose as it is found; the first runs inward
and writes the sums. See ``lane_kinematics`` for what the sweeps in lanes have in common.
"""

from __future__ import annotations

import numpy as np

from dynamics.compiler.arena import constant_integers, constant_table, placed, table, vector
from dynamics.compiler.compiled import from_python, inlined, kernel
from dynamics.lanes.filter import (
    add36,
    arms_inward,
    load36,
    moved,
    rotated_inertia,
    shifted_inertia,
    store36,
    with_link,
)
from dynamics.lanes.kinematics import composed, rotated
from dynamics.numbers.lanes import dot, join, load3, load6, spread, store, store_six
from dynamics.numbers.sine_cosine import sines_and_cosines
from dynamics.system.layout import CENTER_OF_MASS, KIND, MASS, ORIGIN_POSITION, ORIGIN_ROTATION, REVOLUTE, ROTOR_INERTIA
from dynamics.system.system import System

# Columns of a link's row.
DUAL_INERTIA = 0  # S(k), six columns
JOINT_AXIS = 48  # H', a spatial vector
ROTATIONAL_INERTIA = 56  # J about O_k, three columns
FIRST_MOMENT = 68  # mass times mass centre
LEVER = 72
CHAIN_WIDTH = 80


class ChainRoom:
    """A chain's aligned tables and the room to solve in, in one arena.

    Attributes:
        arena: what compiled code is given.
        angles, pose: of the state, (joints,) and (4, 4), views of the arena to be written.
    """

    def __init__(self, system: System) -> None:
        n, own = system.n_joints, system.tables
        turns, links = np.zeros((3, 8 * -(-n // 8))), np.zeros((n + 1, CHAIN_WIDTH))
        self.arena = placed([own.tree, own.model, np.zeros(n), np.zeros((4, 4)), turns, links])
        self.angles, self.pose = vector(self.arena, 2), table(self.arena, 3)


@inlined
def response(p, axis, revolute):
    """P H'."""
    if revolute:
        return axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2]
    return axis[4] * p[3] + axis[5] * p[4] + axis[6] * p[5]


@inlined
def freed(p, u, d):
    """P - u D^-1 u'."""
    g = (1.0 / d) * u
    return (
        p[0] - g[0] * u, p[1] - g[1] * u, p[2] - g[2] * u,
        p[3] - g[4] * u, p[4] - g[5] * u, p[5] - g[6] * u,
    )  # fmt: skip


@inlined
def nothing_carried():
    """No inertia at all."""
    zero = spread(0.0, 0.0, 0.0)
    none = join(zero, zero)
    return none, none, none, none, none, none


@from_python
@kernel
def chain_inertia(arena, result):
    """Write P(k) + S(k) of every link into ``result``, (links, 6, 6); JR (4.11).

    Args:
        arena: of a ``ChainRoom``.

    Returns:
        -1, or the first link that its joint cannot move, or be moved by.
    """
    tree, model = constant_integers(arena, 0), constant_table(arena, 1)
    q, pose, turns, links = vector(arena, 2), table(arena, 3), table(arena, 4), table(arena, 5)
    base = tree.shape[0] - 1
    sines_and_cosines(q, turns)
    zero = spread(0.0, 0.0, 0.0)
    s = nothing_carried()
    rotation = (
        spread(pose[0, 0], pose[1, 0], pose[2, 0]),
        spread(pose[0, 1], pose[1, 1], pose[2, 1]),
        spread(pose[0, 2], pose[1, 2], pose[2, 2]),
    )
    for k in range(base, -1, -1):
        if k < base:
            revolute = tree[k, KIND] == REVOLUTE
            lever = rotated(rotation, model, k, ORIGIN_POSITION)
            rotation = composed(rotation, model, k, ORIGIN_ROTATION)
            h = rotation[2]
            if revolute:
                sine, cosine = turns[1, k], turns[2, k]
                rotation = (cosine * rotation[0] + sine * rotation[1], cosine * rotation[1] - sine * rotation[0], h)
                axis = join(h, zero)
            else:
                axis = join(zero, h)
                lever = lever + q[k] * h
            back = zero - lever
            s = shifted_inertia(s, arms_inward(back), back)  # JR (3.3): S+
            u = response(s, axis, revolute)
            d = dot(axis, u) + model[k, ROTOR_INERTIA]
            if not d > 0.0:
                return k
            s = freed(s, u, d)
            store(links, k, JOINT_AXIS, axis)
            store(links, k, LEVER, lever)
        store36(links, k, DUAL_INERTIA, s)
        j, m = rotated_inertia(rotation, model, k), model[k, MASS]
        moment = m * rotated(rotation, model, k, CENTER_OF_MASS)
        for i in range(3):
            store(links, k, ROTATIONAL_INERTIA + 4 * i, j[i])
        store(links, k, FIRST_MOMENT, moment)
        s = with_link(s, j, moment, m)

    p = nothing_carried()
    for k in range(base + 1):
        j = (
            load3(links, k, ROTATIONAL_INERTIA),
            load3(links, k, ROTATIONAL_INERTIA + 4),
            load3(links, k, ROTATIONAL_INERTIA + 8),
        )
        p = with_link(p, j, load3(links, k, FIRST_MOMENT), model[k, MASS])
        total = add36(p, load36(links, k, DUAL_INERTIA))
        for i in range(6):
            store_six(result[k], i, 0, total[i])
        if k < base:
            axis, lever = load6(links, k, JOINT_AXIS), load3(links, k, LEVER)
            u = response(p, axis, tree[k, KIND] == REVOLUTE)
            d = dot(axis, u) + model[k, ROTOR_INERTIA]  # R87 (38)
            if not d > 0.0:
                return k
            arms = arms_inward(lever)
            p = freed(shifted_inertia(p, arms, lever), moved(arms, u), d)  # R87 (43), (37)
    return -1
