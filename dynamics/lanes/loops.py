"""Closed loops in lanes: the same as ``system.loops.loop_motion``, for solver and integrators.

G has a row for each direction that a loop constrains; its entries are followed by the gap of the frames in that
direction, the rate of the gap, and the required g theta_dd.
"""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, kernel
from dynamics.lanes.layout import BIAS_ACCELERATION, JOINT_AXIS, POSITION, ROTATION, VELOCITY
from dynamics.spatial.rotation import rotation_vector
from dynamics.spatial.vector import add3, compose, cross, dot3, get3, get9, rotate, scale3, sub3
from dynamics.system.layout import (
    FIRST_LINK,
    FIRST_POSITION,
    FIRST_ROTATION,
    FREE,
    INBOARD,
    KIND,
    LENGTH_SHARE,
    REVOLUTE,
    SECOND_LINK,
    SECOND_POSITION,
    SECOND_ROTATION,
    TURNS,
)
from dynamics.system.loops import ROUNDING, SLOWEST

NOTHING = (0.0, 0.0, 0.0)


@inlined
def link_rotation(links, k):
    """A link's rotation row by row, which the sweeps keep as three columns."""
    x, y, z = get3(links, k, ROTATION), get3(links, k, ROTATION + 4), get3(links, k, ROTATION + 8)
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@inlined
def lever_of(links, k, point):
    """The lever from a link's origin to a point, zero if it is rounding relative to both."""
    origin = get3(links, k, POSITION)
    lever = sub3(point, origin)
    is_one = dot3(lever, lever) > ROUNDING * ROUNDING * (dot3(point, point) + dot3(origin, origin))
    return lever if is_one else NOTHING


@kernel
def body_at(tree, links, link, point):
    """The velocity of a link, or the world, at a point, and its acceleration for zero joint accelerations.

    Returns:
        Angular and linear velocity, angular and linear acceleration.
    """
    omega, lever = get3(links, link, VELOCITY), lever_of(links, link, point)
    swing = cross(omega, lever)
    angular, linear = NOTHING, cross(omega, swing)
    k = link
    while k < tree.shape[0]:
        a = get3(links, k, BIAS_ACCELERATION)
        swung = cross(a, lever_of(links, k, point))
        angular = add3(angular, a)
        linear = add3(linear, add3(get3(links, k, BIAS_ACCELERATION + 4), swung))
        k = tree[k, INBOARD]
    return omega, add3(get3(links, link, VELOCITY + 4), swing), angular, linear


@kernel
def along(direction, v, size):
    """The component of v in a direction, zero if it is rounding; ``size`` is the squared size of its terms."""
    part = dot3(direction, v)
    return part if part * part > ROUNDING * ROUNDING * size else 0.0


@kernel
def add_path(tree, links, link, point, direction, turns, sign, row):
    """Add to a row, for each joint that carries a link, its part in the link's motion at a point in a direction."""
    k = link
    while k < tree.shape[0]:
        if tree[k, KIND] == REVOLUTE:
            h = get3(links, k, JOINT_AXIS)
            moved = h if turns else cross(h, lever_of(links, k, point))
            row[k] += sign * along(direction, moved, dot3(moved, moved))
        elif tree[k, KIND] != FREE and not turns:
            row[k] += sign * along(direction, get3(links, k, JOINT_AXIS + 4), 1.0)
        k = tree[k, INBOARD]


@kernel
def set_loop_rows(tables, links, first_row, rate, rows):
    """The rows of all loops, from ``first_row`` on, after ``lane_kinematics``.

    Args:
        rate: from ``loop_rate``.

    Returns:
        The largest gap, in rad or lengths of the machine, and the largest rate of a gap, in those units per second.
    """
    tree, model, n, i = tables.tree, tables.loop_model, rows.shape[1] - 3, first_row
    widest = fastest = 0.0
    for loop in range(tables.loops.shape[0]):
        a, b, turns = tables.loops[loop, FIRST_LINK], tables.loops[loop, SECOND_LINK], tables.loops[loop, TURNS]
        rotation_a, rotation_b = link_rotation(links, a), link_rotation(links, b)
        point = add3(get3(links, a, POSITION), rotate(rotation_a, get3(model, loop, FIRST_POSITION)))
        place = add3(get3(links, b, POSITION), rotate(rotation_b, get3(model, loop, SECOND_POSITION)))
        first = compose(rotation_a, get9(model, loop, FIRST_ROTATION))
        second = compose(rotation_b, get9(model, loop, SECOND_ROTATION))
        omega_a, velocity_a, angular_a, linear_a = body_at(tree, links, a, point)
        omega_b, velocity_b, angular_b, linear_b = body_at(tree, links, b, point)
        turning, slipping = sub3(omega_a, omega_b), sub3(velocity_a, velocity_b)
        # The second frame's axes rotate, and the point moves on the second link if the loop is open.
        turn_drift = sub3(sub3(angular_a, angular_b), cross(omega_b, turning))
        drift = sub3(sub3(linear_a, linear_b), scale3(2.0, cross(omega_b, slipping)))
        # Relative to the terms of the machine's own motion, anything left if both are at rest is rounding.
        share = model[loop, LENGTH_SHARE]
        pace = max(rate * rate, dot3(omega_a, omega_a), dot3(omega_b, omega_b))
        turn_size = dot3(angular_a, angular_a) + dot3(angular_b, angular_b) + pace * pace
        size = dot3(linear_a, linear_a) + dot3(linear_b, linear_b) + pace * pace / (share * share)
        # For a hinge: the rotation from one z to the other.
        x, y = (second[0], second[3], second[6]), (second[1], second[4], second[7])
        z = second[2], second[5], second[8]
        apart = cross(z, (first[2], first[5], first[8])) if turns == 2 else rotation_vector(compose(first, x + y + z))
        for m in range(turns + 3):
            turns_here = m < turns
            j = m if turns_here else m - turns
            axis = (second[j], second[3 + j], second[6 + j])
            rows[i, :] = 0.0
            add_path(tree, links, a, point, axis, turns_here, 1.0, rows[i])
            add_path(tree, links, b, point, axis, turns_here, -1.0, rows[i])
            rows[i, n] = dot3(axis, apart if turns_here else sub3(point, place))
            rows[i, n + 1] = dot3(axis, turning if turns_here else slipping)
            rows[i, n + 2] = -along(axis, turn_drift, turn_size) if turns_here else -along(axis, drift, size)
            unit = 1.0 if turns_here else share
            widest, fastest = max(widest, unit * abs(rows[i, n])), max(fastest, unit * abs(rows[i, n + 1]))
            i += 1
    return widest, fastest


@kernel
def loop_rate(tables, v, n_joints):
    """1/s, the scale of the rates of gaps: the joints' speed, or how fast the machine would fall by its own length."""
    g, share, rate = tables.gravity, tables.loop_model[0, LENGTH_SHARE], SLOWEST
    weight = math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    for k in range(n_joints):
        rate = max(rate, abs(v[k]) if tables.tree[k, KIND] == REVOLUTE else share * abs(v[k]))
    return max(rate, math.sqrt(share * weight))
