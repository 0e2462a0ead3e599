"""The modified Newton-Euler form; TML (5.1)-(5.2).

One matrix A with A b = omega x (omega x b) + alpha x b serves every point of a link, so that accelerations of
mass centres are never formed, and the moment of a link's inertia is read off the product A K, K being the
integral of d d' dm about O_k. Link axes and points as in ``axis_frames``; each term of TML Table 4 is one function.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dynamics.checks import Array
from dynamics.numbers.plain_vectors import Matrix, Number, Vector, add, cross, scale, times, times_transposed, total
from dynamics.system.axis_frames import AxisLink, Wrenches, in_link_axes, motor_torques
from dynamics.system.state import State
from dynamics.system.system import System

NOTHING: Vector = (0.0, 0.0, 0.0)


def inverse_dynamics(system: System, state: State, joint_acceleration: Array, wrench: Array | None = None) -> Array:
    """As ``newton_euler.inverse_dynamics``; for six links a sixth fewer operations, TML Tables 3 and 4."""
    return motor_torques(newton_euler_modified, system, state, joint_acceleration, wrench)


def newton_euler_modified(
    links: Sequence[AxisLink],
    q: Sequence[Number],
    qd: Sequence[Number],
    qdd: Sequence[Number],
    gravity: Vector,
    wrenches: Wrenches | None = None,
) -> list[Number]:
    """Joint torques and forces, numbers of any kind.

    As in Table 4 nothing is spent on the base's own A, which is zero: the first joint has a_0 = -g.
    """
    n = len(links)
    turns: list[Matrix] = [link.turn for link in links]
    levers = [link.shift for link in links]
    omegas, alphas, accelerations = [NOTHING] * n, [NOTHING] * n, [NOTHING] * n
    matrices = list(turns)
    for k in reversed(range(n)):
        link, inner = links[k], links[k].inboard
        turns[k], levers[k] = displaced(link, q[k])
        omega_in, alpha_in = (omegas[inner], alphas[inner]) if inner >= 0 else (NOTHING, NOTHING)
        omegas[k] = velocity_of_link(turns[k], omega_in, qd[k] if link.revolute else None)
        alphas[k] = (
            acceleration_of_link(turns[k], alpha_in, omegas[k], qd[k], qdd[k])
            if link.revolute
            else carried_outward(turns[k], alpha_in)
        )
        matrices[k] = consolidated(omegas[k], alphas[k])
        if inner >= 0:
            accelerations[k] = joint_acceleration_outward(turns[k], matrices[inner], levers[k], accelerations[inner])
        else:
            accelerations[k] = base_acceleration_outward(turns[k], gravity)
        if not link.revolute:
            accelerations[k] = add(accelerations[k], slide(omegas[k], qd[k], qdd[k]))

    applied = None if wrenches is None else in_link_axes(links, turns, wrenches)
    forces, moments = [NOTHING] * n, [NOTHING] * n
    for k in range(n):
        link = links[k]
        pulls = [force_of_outboard(turns[i], forces[i]) for i in link.outboard]
        own = mass_times_acceleration(matrices[k], link.first_moment, link.mass, accelerations[k])
        own_moments = [
            trace_moment(matrices[k], link.second_moment),
            moment_of_point(link.first_moment, accelerations[k]),
            *(moment_of_pull(levers[i], pull) for i, pull in zip(link.outboard, pulls, strict=True)),
        ]
        forces[k] = force_sum(own, *pulls)
        moments[k] = moment_sum(*own_moments)
        if link.outboard:
            moments[k] = moment_sum(moments[k], *(moment_of_outboard(turns[i], moments[i]) for i in link.outboard))
        if applied is not None:
            moment, force = applied[k]
            moments[k], forces[k] = add(moments[k], scale(-1.0, moment)), add(forces[k], scale(-1.0, force))
    return [
        moment[2] if link.revolute else force[2] for link, moment, force in zip(links, moments, forces, strict=True)
    ]


def displaced(link: AxisLink, q: Number) -> tuple[Matrix, Vector]:
    """Rotation and lever of the joint at displacement q, both in inboard axes."""
    if not link.revolute:
        return link.turn, add(link.shift, scale(q, (link.turn[0][2], link.turn[1][2], link.turn[2][2])))
    c, s = math.cos(q), math.sin(q)
    first, second, third = ((r[0] * c + r[1] * s, r[1] * c - r[0] * s, r[2]) for r in link.turn)
    return (first, second, third), link.shift


def carried_outward(turn: Matrix, v: Vector) -> Vector:
    return times_transposed(turn, v)


def velocity_of_link(turn: Matrix, omega_in: Vector, rate: Number | None) -> Vector:
    w = carried_outward(turn, omega_in)
    return w if rate is None else (w[0], w[1], w[2] + rate)  # TML (3.15)


def acceleration_of_link(turn: Matrix, alpha_in: Vector, omega: Vector, rate: Number, acceleration: Number) -> Vector:
    a = carried_outward(turn, alpha_in)
    return a[0] + omega[1] * rate, a[1] - omega[0] * rate, a[2] + acceleration  # TML (3.16)


def consolidated(w: Vector, e: Vector) -> Matrix:
    """A of TML Section 5: [w w' - (w'w) E] + e~."""
    squares, products = (w[0] * w[0], w[1] * w[1], w[2] * w[2]), (w[1] * w[2], w[2] * w[0], w[0] * w[1])
    return (
        (-(squares[1] + squares[2]), products[2] - e[2], products[1] + e[1]),
        (products[2] + e[2], -(squares[2] + squares[0]), products[0] - e[0]),
        (products[1] - e[1], products[0] + e[0], -(squares[0] + squares[1])),
    )


def joint_acceleration_outward(turn: Matrix, matrix_in: Matrix, lever: Vector, a_in: Vector) -> Vector:
    return times_transposed(turn, add(times(matrix_in, lever), a_in))  # TML (5.1)


def base_acceleration_outward(turn: Matrix, gravity: Vector) -> Vector:
    return times_transposed(turn, (-gravity[0], -gravity[1], -gravity[2]))


def slide(omega: Vector, rate: Number, acceleration: Number) -> Vector:
    """What a prismatic joint adds to its point's acceleration: 2 omega x z q' + z q''."""
    twice = rate + rate
    return omega[1] * twice, -(omega[0] * twice), acceleration


def mass_times_acceleration(matrix: Matrix, first_moment: Vector, mass: Number, a: Vector) -> Vector:
    return add(times(matrix, first_moment), scale(mass, a))  # TML (5.1), the mass centre's force at once


def force_of_outboard(turn: Matrix, force: Vector) -> Vector:
    return times(turn, force)


def force_sum(*terms: Vector) -> Vector:
    return add(*terms)  # TML (5.1)


def trace_moment(a: Matrix, k: Matrix) -> Vector:
    """Tr{A K sigma'}: (AK)_zy - (AK)_yz and so on; TML (5.2), by (1.20)-(1.22).

    Products with an element of K that is exactly zero are left out, as in Table 4, whose K is diagonal.
    """

    def element(i: int, j: int) -> Number:
        there = [m for m in range(3) if k[m][j] != 0.0] or [j]
        return total([a[i][m] * k[m][j] for m in there])

    return (element(2, 1) - element(1, 2), element(0, 2) - element(2, 0), element(1, 0) - element(0, 1))


def moment_of_point(first_moment: Vector, a: Vector) -> Vector:
    return cross(first_moment, a)


def moment_of_pull(lever: Vector, pull: Vector) -> Vector:
    return cross(lever, pull)


def moment_of_outboard(turn: Matrix, moment: Vector) -> Vector:
    return times(turn, moment)


def moment_sum(*terms: Vector) -> Vector:
    return add(*terms)  # TML (5.2)
