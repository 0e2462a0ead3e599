"""The modified Newton-Euler form; TML (5.1)-(5.2).

One matrix A with A b = omega x (omega x b) + alpha x b serves every point of a link, so that accelerations of
mass centres are never formed, and the moment of a link's inertia is read off the product A K, K being the
integral of d d' dm about O_k. Link axes and points as in ``axis_frames``; each term of TML Table 4 is one function, and
terms that Table 3 also has are ``newton_euler``'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from dynamics.checks import Array
from dynamics.numbers.plain_vectors import Matrix, Number, Vector, add, scale, times, times_transposed, total
from dynamics.system.axis_frames import AxisLink, Wrenches, in_link_axes, motor_torques
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.newton_euler import (
    acceleration_matrix,
    angular_acceleration,
    angular_velocity,
    carried_force,
    carried_moment,
    joint_force,
    joint_moment,
    joint_transform,
    moment_of_carried_force,
    moment_of_inertial_force,
    point_acceleration,
    sliding_acceleration,
)

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

    As in Table 4, the base's own A, which is zero, costs nothing: the first joint has a_0 = -g.
    """
    n = len(links)
    turns: list[Matrix] = [link.turn for link in links]
    levers = [link.shift for link in links]
    omegas, alphas, accelerations = [NOTHING] * n, [NOTHING] * n, [NOTHING] * n
    matrices = list(turns)
    for k in reversed(range(n)):
        link, inner = links[k], links[k].inboard
        turns[k], levers[k] = joint_transform(link, q[k])
        omega_in, alpha_in = (omegas[inner], alphas[inner]) if inner >= 0 else (NOTHING, NOTHING)
        omegas[k] = angular_velocity(turns[k], omega_in, qd[k], link.revolute)
        alphas[k] = angular_acceleration(turns[k], alpha_in, omegas[k], qd[k], qdd[k], link.revolute)
        matrices[k] = acceleration_matrix(omegas[k], alphas[k])
        if inner >= 0:
            accelerations[k] = point_acceleration(turns[k], matrices[inner], levers[k], accelerations[inner])
        else:
            accelerations[k] = base_acceleration_outward(turns[k], gravity)
        if not link.revolute:
            accelerations[k] = sliding_acceleration(accelerations[k], omegas[k], qd[k], qdd[k])

    applied = None if wrenches is None else in_link_axes(links, turns, wrenches)
    forces, moments = [NOTHING] * n, [NOTHING] * n
    for k in range(n):
        link = links[k]
        pulls = [carried_force(turns[i], forces[i]) for i in link.outboard]
        own = mass_times_acceleration(matrices[k], link.first_moment, link.mass, accelerations[k])
        own_moments = [
            trace_moment(matrices[k], link.second_moment),
            moment_of_inertial_force(link.first_moment, accelerations[k]),
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


def base_acceleration_outward(turn: Matrix, gravity: Vector) -> Vector:
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
