"""``recursion.kinematics`` in lanes, for speed: for the rows ``one_call`` and ``long_chain``, and all integrators.

The sweeps of this file, ``filter``, ``smoother`` and ``contacts`` are those of
``kinematics``, ``inward_filter``, ``outward_smoother``, ``costate_covariance`` and ``contact_stage``, equation by
equation, and tests check that they agree. They differ in that they

- work on all components of a vector at once (``numbers.lanes``);
- know that a joint's axis is its frame's z axis (``link_tables``), so a rotation takes a third of the products;
- pass a result to the next link in registers, and through memory only where the tree branches.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.lanes.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    JOINT_AXIS,
    LEVER,
    LEVER_TO_MASS,
    POSITION,
    PREDICTED_FORCE,
    ROTATION,
    VELOCITY,
)
from dynamics.spatial.lanes import angular, cross, join, linear, load3, load6, spread, store
from dynamics.spatial.rotation import quaternion_matrix
from dynamics.spatial.sine_cosine import sines_and_cosines
from dynamics.system.layout import (
    CENTER_OF_MASS,
    FREE,
    GATHERS,
    INBOARD,
    KIND,
    ORIGIN_POSITION,
    ORIGIN_ROTATION,
    REVOLUTE,
)


@inlined
def rotated(rotation, table, k, c):
    """R v of the three numbers in row k of a table, for a rotation kept as three columns."""
    return table[k, c] * rotation[0] + table[k, c + 1] * rotation[1] + table[k, c + 2] * rotation[2]


@inlined
def composed(rotation, table, k, c):
    """R E of the nine numbers in row k of a table."""
    return (
        table[k, c] * rotation[0] + table[k, c + 3] * rotation[1] + table[k, c + 6] * rotation[2],
        table[k, c + 1] * rotation[0] + table[k, c + 4] * rotation[1] + table[k, c + 7] * rotation[2],
        table[k, c + 2] * rotation[0] + table[k, c + 5] * rotation[1] + table[k, c + 8] * rotation[2],
    )


@inlined
def load9(links, k):
    """The rotation of link k."""
    return load3(links, k, ROTATION), load3(links, k, ROTATION + 4), load3(links, k, ROTATION + 8)


@kernel
def lane_kinematics(tree, model, n_joints, x, v, turns, links):
    """Poses, velocities, axes, levers and a(k), base to tip; JR (2.2).

    Args:
        tree, model: aligned tables.
        turns: (3, n), an output: the joints' angles, their sines and cosines.
        links: (links + 1, LINK_WIDTH), an output; the world's row stays as it is.
    """
    n_links = tree.shape[0]
    sines_and_cosines(x[:n_joints], turns)
    zero = spread(0.0, 0.0, 0.0)
    nothing = join(zero, zero)
    rotation = (zero, zero, zero)
    position = omega = velocity = zero
    for k in range(n_links - 1, -1, -1):
        inboard, kind = tree[k, INBOARD], tree[k, KIND]
        if kind == FREE:
            at = n_joints + 7 * (k - n_joints)
            r = quaternion_matrix(x[at + 3], x[at + 4], x[at + 5], x[at + 6])
            rotation = (spread(r[0], r[3], r[6]), spread(r[1], r[4], r[7]), spread(r[2], r[5], r[8]))
            position = spread(x[at], x[at + 1], x[at + 2])
            at = n_joints + 6 * (k - n_joints)
            omega = spread(v[at], v[at + 1], v[at + 2])
            velocity = spread(v[at + 3], v[at + 4], v[at + 5])
            axis, lever, a = nothing, zero, nothing
        else:
            if inboard != k + 1 or inboard == n_links:
                rotation = load9(links, inboard)
                position = load3(links, inboard, POSITION)
                motion = load6(links, inboard, VELOCITY)
                omega, velocity = angular(motion), linear(motion)
            lever = rotated(rotation, model, k, ORIGIN_POSITION)
            rotation = composed(rotation, model, k, ORIGIN_ROTATION)
            h = rotation[2]
            u = v[k] * h
            if kind == REVOLUTE:
                s, c = turns[1, k], turns[2, k]
                rotation = (c * rotation[0] + s * rotation[1], c * rotation[1] - s * rotation[0], h)
                axis = join(h, zero)
                swing = cross(omega, lever)
                velocity = velocity + swing
                a = join(cross(omega, u), cross(omega, swing))  # JR (2.2)
                omega = omega + u
            else:
                axis = join(zero, h)
                lever = lever + x[k] * h
                swing = cross(omega, lever)
                velocity = velocity + swing + u
                a = join(zero, cross(omega, swing) + 2.0 * cross(omega, u))
            position = position + lever
        for i in range(3):
            store(links, k, ROTATION + 4 * i, rotation[i])
        store(links, k, POSITION, position)
        store(links, k, VELOCITY, join(omega, velocity))
        store(links, k, JOINT_AXIS, axis)
        store(links, k, LEVER, lever)
        store(links, k, LEVER_TO_MASS, rotated(rotation, model, k, CENTER_OF_MASS))
        store(links, k, BIAS_ACCELERATION, a)
        if tree[k, GATHERS] > 0:  # cleared for the sums of its branches
            store(links, k, PREDICTED_FORCE, nothing)
            for i in range(6):
                store(links, k, ARTICULATED_INERTIA + 8 * i, nothing)
