"""Newton-Euler inverse dynamics in link axes, TML (3.15)-(3.20), and its modified form, TML (5.1)-(5.2).

Velocities and accelerations go from the base to the tips, forces and moments come back. TML puts a link's frame
at its outer end; here it is at the inner joint O_k, so that a tree's link has a single point, r_i
is the lever from one joint to the next and p = r + r-bar leads from O_k to the mass centre. Everything is
expressed in the link's own axes, z along its joint (``axis_frames``).

In the modified form one matrix A with A b = omega x (omega x b) + alpha x b serves every point of a link, so that
accelerations of mass centres are never formed, and the moment of a link's inertia is read off the product A K, K being
the integral of d d' dm about O_k.

Each term of TML Tables 3 and 4 is one function below, so that running this file on counting numbers fills the tables
row by row; ``counting`` does so, and ``operation_tables`` says where and why a row differs from the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from dynamics.spatial.plain_vectors import Matrix, Number, Vector, add, cross, scale, times, times_transposed, total
from dynamics.system.axis_frames import AxisLink, Wrenches, in_link_axes

Numbers = Sequence[Number]
NOTHING: Vector = (0.0, 0.0, 0.0)
Motion = tuple[Vector, Vector, Matrix, Vector]
AT_REST: Motion = (NOTHING, NOTHING, (NOTHING, NOTHING, NOTHING), NOTHING)


def newton_euler(
    links: Sequence[AxisLink], q: Numbers, qd: Numbers, qdd: Numbers, gravity: Vector, wrenches: Wrenches | None = None
) -> list[Number]:
    """Joint torques and forces, numbers of any kind; equal to Lagrange's by TML (4.1)-(4.33).

    Gravity is represented by a base that accelerates upward: a_0 = -g. The base's own omega_0 = alpha_0 = 0 are
    processed like any other numbers, as in the paper's count.
    """
    n, (turns, levers, motions) = len(links), motions_outward(links, q, qd, qdd, gravity, base_acceleration)
    applied = None if wrenches is None else in_link_axes(links, turns, wrenches)
    forces, moments, torque = [NOTHING] * n, [NOTHING] * n, [0.0] * n
    for k in range(n):
        link, (omega, alpha, matrix, a) = links[k], motions[k]
        a_center = center_acceleration(matrix, link.center, a)
        pulls = [carried_force(turns[i], forces[i]) for i in link.outboard]
        turnings = [carried_moment(turns[i], moments[i]) for i in link.outboard]
        levered = [moment_of_carried_force(levers[i], pull) for i, pull in zip(link.outboard, pulls, strict=True)]
        own = inertial_force(link.mass, a_center)
        forces[k] = joint_force(own, *pulls)
        moments[k] = joint_moment(
            inertia_times_acceleration(link.inertia, alpha),
            gyroscopic_moment(link.inertia, omega),
            moment_of_inertial_force(link.first_moment, a_center),
            *levered,
            *turnings,
        )
        if applied is not None:
            moment, force = applied[k]
            moments[k], forces[k] = add(moments[k], scale(-1.0, moment)), add(forces[k], scale(-1.0, force))
        torque[k] = moments[k][2] if link.revolute else forces[k][2]  # TML (3.13): z' n, or z' f
    return torque


def newton_euler_modified(
    links: Sequence[AxisLink], q: Numbers, qd: Numbers, qdd: Numbers, gravity: Vector, wrenches: Wrenches | None = None
) -> list[Number]:
    """The same; for six links a sixth fewer operations, TML Tables 3 and 4.

    As in Table 4, the base's own A, which is zero, costs nothing: the first joint has a_0 = -g.
    """
    n, (turns, levers, motions) = len(links), motions_outward(links, q, qd, qdd, gravity, base_acceleration_outward)
    applied = None if wrenches is None else in_link_axes(links, turns, wrenches)
    forces, moments = [NOTHING] * n, [NOTHING] * n
    for k in range(n):
        link, (_, _, matrix, a) = links[k], motions[k]
        pulls = [carried_force(turns[i], forces[i]) for i in link.outboard]
        own = mass_times_acceleration(matrix, link.first_moment, link.mass, a)
        own_moments = [
            trace_moment(matrix, link.second_moment),
            moment_of_inertial_force(link.first_moment, a),
            *(moment_of_carried_force(levers[i], pull) for i, pull in zip(link.outboard, pulls, strict=True)),
        ]
        forces[k] = joint_force(own, *pulls)
        moments[k] = joint_moment(*own_moments)
        if link.outboard:
            moments[k] = joint_moment(moments[k], *(carried_moment(turns[i], moments[i]) for i in link.outboard))
        if applied is not None:
            moment, force = applied[k]
            moments[k], forces[k] = add(moments[k], scale(-1.0, moment)), add(forces[k], scale(-1.0, force))
    return [
        moment[2] if link.revolute else force[2] for link, moment, force in zip(links, moments, forces, strict=True)
    ]


def motions_outward(
    links: Sequence[AxisLink], q: Numbers, qd: Numbers, qdd: Numbers, gravity: Vector, at_base: Callable[..., Vector]
) -> tuple[list[Matrix], list[Vector], list[Motion]]:
    """R and the lever of every joint, and omega, alpha, A and a of every link; ``at_base`` gives a first joint's a."""
    n = len(links)
    turns, levers, motions = [link.turn for link in links], [NOTHING] * n, [AT_REST] * n
    for k in reversed(range(n)):
        link = links[k]
        omega_in, alpha_in, matrix_in, a_in = AT_REST if link.inboard < 0 else motions[link.inboard]
        turn, lever = joint_transform(link, q[k])
        omega = angular_velocity(turn, omega_in, qd[k], link.revolute)
        alpha = angular_acceleration(turn, alpha_in, omega, qd[k], qdd[k], link.revolute)
        matrix = acceleration_matrix(omega, alpha)
        a = at_base(turn, lever, gravity) if link.inboard < 0 else point_acceleration(turn, matrix_in, lever, a_in)
        if not link.revolute:
            a = sliding_acceleration(a, omega, qd[k], qdd[k])
        turns[k], levers[k], motions[k] = turn, lever, (omega, alpha, matrix, a)
    return turns, levers, motions


def joint_transform(link: AxisLink, q: Number) -> tuple[Matrix, Vector]:
    """R from own to inboard axes, TML (1.1)-(1.4), (1.10), and the lever from the inboard point to O_k in these."""
    e, s = link.turn, link.shift
    if not link.revolute:
        return e, (s[0] + e[0][2] * q, s[1] + e[1][2] * q, s[2] + e[2][2] * q)
    cosine, sine = math.cos(q), math.sin(q)
    x, y, z = ((row[0] * cosine + row[1] * sine, row[1] * cosine - row[0] * sine, row[2]) for row in e)
    return (x, y, z), s


def angular_velocity(turn: Matrix, omega_in: Vector, qd: Number, revolute: bool) -> Vector:
    x, y, z = times_transposed(turn, omega_in)
    return (x, y, z + qd) if revolute else (x, y, z)  # TML (3.15)


def angular_acceleration(
    turn: Matrix, alpha_in: Vector, omega: Vector, qd: Number, qdd: Number, revolute: bool
) -> Vector:
    """omega may be the link's own or, rotated, its neighbor's: they differ along z, and z x z = 0."""
    x, y, z = times_transposed(turn, alpha_in)
    return (x + omega[1] * qd, y - omega[0] * qd, z + qdd) if revolute else (x, y, z)  # TML (3.16)


def acceleration_matrix(omega: Vector, alpha: Vector) -> Matrix:
    """A with A b = omega x (omega x b) + alpha x b; TML Section 5, already used in Table 3."""
    xx, yy, zz = omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2]
    xy, xz, yz = omega[0] * omega[1], omega[0] * omega[2], omega[1] * omega[2]
    return (
        (-(yy + zz), xy - alpha[2], xz + alpha[1]),
        (xy + alpha[2], -(xx + zz), yz - alpha[0]),
        (xz - alpha[1], yz + alpha[0], -(xx + yy)),
    )


def point_acceleration(turn: Matrix, matrix_in: Matrix, lever: Vector, a_in: Vector) -> Vector:
    return times_transposed(turn, add(times(matrix_in, lever), a_in))  # TML (3.17)


def base_acceleration(turn: Matrix, lever: Vector, gravity: Vector) -> Vector:
    return point_acceleration(turn, AT_REST[2], lever, (-gravity[0], -gravity[1], -gravity[2]))


def sliding_acceleration(a: Vector, omega: Vector, qd: Number, qdd: Number) -> Vector:
    """A prismatic joint adds 2 omega x z q' + z q''."""
    twice = qd + qd
    return a[0] + omega[1] * twice, a[1] - omega[0] * twice, a[2] + qdd


def center_acceleration(matrix: Matrix, center: Vector, a: Vector) -> Vector:
    return add(times(matrix, center), a)  # TML (3.18)


def inertial_force(mass: Number, a_center: Vector) -> Vector:
    return scale(mass, a_center)


def carried_force(turn: Matrix, force: Vector) -> Vector:
    return times(turn, force)


def joint_force(*terms: Vector) -> Vector:
    return add(*terms)  # TML (3.19)


def inertia_times_acceleration(inertia: Matrix, alpha: Vector) -> Vector:
    return times(inertia, alpha)


def gyroscopic_moment(inertia: Matrix, omega: Vector) -> Vector:
    return cross(omega, times(inertia, omega))


def moment_of_inertial_force(first_moment: Vector, a_center: Vector) -> Vector:
    """(m p) x a; m p is a constant of the link."""
    return cross(first_moment, a_center)


def moment_of_carried_force(lever: Vector, pull: Vector) -> Vector:
    return cross(lever, pull)


def carried_moment(turn: Matrix, moment: Vector) -> Vector:
    return times(turn, moment)


def joint_moment(*terms: Vector) -> Vector:
    return add(*terms)  # TML (3.20)


def base_acceleration_outward(turn: Matrix, lever: Vector, gravity: Vector) -> Vector:
    return times_transposed(turn, (-gravity[0], -gravity[1], -gravity[2]))


def mass_times_acceleration(matrix: Matrix, first_moment: Vector, mass: Number, a: Vector) -> Vector:
    return add(times(matrix, first_moment), scale(mass, a))  # TML (5.1), the mass centre's force in one step


def trace_moment(a: Matrix, k: Matrix) -> Vector:
    """Tr{A K sigma'}: (AK)_zy - (AK)_yz and so on; TML (5.2), by (1.20)-(1.22).

    Products with an element of K that is exactly zero are omitted, as in Table 4, where K is diagonal.
    """

    def element(i: int, j: int) -> Number:
        there = [m for m in range(3) if k[m][j] != 0.0] or [j]
        return total([a[i][m] * k[m][j] for m in there])

    return (element(2, 1) - element(1, 2), element(0, 2) - element(2, 0), element(1, 0) - element(0, 1))
