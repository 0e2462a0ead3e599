"""P(k) + S(k) of every link of a flying chain, in lanes: ``inward_filter`` and ``dual_filter`` without their forces.

The second filter runs outward with the kinematics, and uses each link's pose as it is computed; the first runs inward
and writes the sums. Both use the steps of ``filter``: ``observed``, ``freed`` and the shift inboard. See
``kinematics`` for what the sweeps in lanes have in common. Without it the row ``every_link_inertia`` would fail.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.arena import integer_table, placed, slots, table, vector, views
from dynamics.compiler.kernels import inlined, kernel
from dynamics.lanes.filter import (
    add36,
    arms_inward,
    freed,
    freed_inboard,
    load36,
    no_inertia,
    observed,
    rotated_inertia,
    shifted_inertia,
    store36,
    with_link,
)
from dynamics.lanes.forward import NOT_FINITE
from dynamics.lanes.kinematics import composed, rotated
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.spatial.lanes import join, load3, spread, store, store_six
from dynamics.spatial.sine_cosine import sines_and_cosines
from dynamics.system.layout import CENTER_OF_MASS, KIND, MASS, ORIGIN_POSITION, ORIGIN_ROTATION, REVOLUTE, ROTOR_INERTIA
from dynamics.system.system import System

# Columns of a link's row.
DUAL_INERTIA = 0  # S(k), six columns
JOINT_AXIS = 48  # H', a spatial vector
ROTATIONAL_INERTIA = 56  # J about O_k, three columns
FIRST_MOMENT = 68  # mass times mass centre
LEVER = 72
CHAIN_WIDTH = 80
Array = NDArray[np.float64]


class ChainWorkspace(NamedTuple):
    """A chain's tables and work memory."""

    tree: NDArray[np.int64]
    model: Array
    angles: Array  # (joints,), of the state
    pose: Array  # (4, 4), of the base
    turns: Array  # (3, joints or a few more): angles, sines, cosines
    links: Array  # (links, CHAIN_WIDTH)


def make_chain_room(system: System) -> tuple[Array, ChainWorkspace]:
    """Work memory for the solutions of one chain: the arena passed to compiled code, and views of it."""
    n, tables = system.n_joints, system.tables
    turns, links = np.zeros((3, 8 * -(-n // 8))), np.zeros((n + 1, CHAIN_WIDTH))
    parts = ChainWorkspace(tables.tree, tables.model, np.zeros(n), np.zeros((4, 4)), turns, links)
    arena = placed(parts)
    return arena, ChainWorkspace(*views(arena, slots(arena, parts)))


@inlined
def opened_chain(arena):
    """The ``ChainWorkspace`` of an arena: one argument instead of six saves a sixth of a call."""
    return ChainWorkspace(
        integer_table(arena, 0), table(arena, 1), vector(arena, 2), table(arena, 3), table(arena, 4), table(arena, 5)
    )


@kernel
def chain_inertia(arena, result):
    """Write P(k) + S(k) of every link into ``result``, (links, 6, 6); JR (4.11).

    Args:
        arena: from ``make_chain_room``, with the state's angles and pose.

    Returns:
        SOLVED, NOT_FINITE, or the first link whose joint has no positive inertia D in one of the filters.
    """
    tree, model, q, pose, turns, links = opened_chain(arena)
    base = tree.shape[0] - 1
    sines_and_cosines(q, turns)
    zero = spread(0.0, 0.0, 0.0)
    s = no_inertia()
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
            back = -lever
            s = shifted_inertia(s, arms_inward(back), back)  # JR (3.3): S+
            store(links, k, JOINT_AXIS, axis)
            store(links, k, LEVER, lever)
            u, d = observed(s, links, k, JOINT_AXIS, revolute, model[k, ROTOR_INERTIA])
            if not d > 0.0:
                return k
            s = freed(s, u, (1.0 / d) * u)
        store36(links, k, DUAL_INERTIA, s)
        j, m = rotated_inertia(rotation, model, k), model[k, MASS]
        moment = m * rotated(rotation, model, k, CENTER_OF_MASS)
        for i in range(3):
            store(links, k, ROTATIONAL_INERTIA + 4 * i, j[i])
        store(links, k, FIRST_MOMENT, moment)
        s = with_link(s, j, moment, m)

    p = no_inertia()
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
            u, d = observed(p, links, k, JOINT_AXIS, tree[k, KIND] == REVOLUTE, model[k, ROTOR_INERTIA])
            if not d > 0.0:
                return k
            lever = load3(links, k, LEVER)
            p, _ = freed_inboard(p, u, 1.0 / d, arms_inward(lever), lever)
    size = 0.0  # NaN anywhere reaches one of the ends
    for i in range(6):
        for j in range(6):
            size += abs(result[0, i, j]) + abs(result[base, i, j])
    return SOLVED if size < 1e300 else NOT_FINITE
