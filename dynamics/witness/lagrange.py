"""Lagrange's equations by products of 4x4 matrices and their derivatives; TML Section 2 and appendix (Uicker, Kahn).

With T_j^q from frame q to frame j, Q the derivative of a joint's motion and J the pseudo-inertia (1.28),

    tau_i = sum_q Tr{[sum_j dT_q/dj theta''_j + sum_jk d2T_q/djdk theta'_j theta'_k] J_q (dT_q/di)'}
            + sum_q m_q g z' dT_q/di p_q,

and nothing is passed from link to link, so it is a witness for the recursions, at a cost cubic in the links.
Here Q stands right of T: z is the joint's own axis (``axis_frames``), and a product by Q exchanges columns.
Each term of TML Table 2 is one function. Cost: cubic in the number of links.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dynamics.spatial.plain_vectors import Number, Vector, compose, times, total
from dynamics.system.axis_frames import AxisLink, Wrenches, as_matrix, axes_with_z_along, axis_links
from dynamics.system.state import State
from dynamics.system.system import System

Transform = list[list[Number]]
Numbers = Sequence[Number]
WORLD = -1


def torques_under_gravity(
    links: Sequence[AxisLink], q: Numbers, qd: Numbers, qdd: Numbers, gravity: Vector, wrenches: Wrenches | None = None
) -> list[Number]:
    """Joint torques and forces under any gravity: ``lagrange`` in the paper's base frame, whose z is up."""
    g = float(np.linalg.norm(gravity))
    upright = as_matrix(axes_with_z_along(-np.array(gravity) / g).T if g else np.eye(3))
    turned = tuple(
        link._replace(turn=compose(upright, link.turn), shift=times(upright, link.shift))
        if link.inboard == WORLD
        else link
        for link in links
    )
    if wrenches is not None:
        wrenches = [(times(upright, moment), times(upright, force)) for moment, force in wrenches]
    return lagrange(turned, link_weights(turned, g), q, qd, qdd, wrenches)


def lagrange(
    links: Sequence[AxisLink], weights: Sequence[Numbers], q: Numbers, qd: Numbers, qdd: Numbers,
    wrenches: Wrenches | None = None,
) -> list[Number]:  # fmt: skip
    """Joint torques and forces, TML (2.7), (2.11), numbers of any kind; the base's z axis points up."""
    n = len(links)
    paths = [path_to(links, k) for k in range(n)]  # base first, the link itself last
    chained: dict[tuple[int, int], Transform] = {}
    first: dict[tuple[int, int], Transform] = {}  # of T_0^k by joint j
    kinetic: list[Transform] = [[] for _ in range(n)]
    for k in reversed(range(n)):  # a link's inboard neighbors come before it
        inner, own = links[k].inboard, joint_transform(links[k], q[k])
        chained[inner, k] = own
        for j in [WORLD, *paths[k][:-2]] if inner != WORLD else []:
            chained[j, k] = chained_transform(chained[j, inner], own)
        for j in paths[k]:
            right = times_q(chained[WORLD, j], links[j].revolute)
            first[k, j] = right if j == k else first_derivative(right, chained[j, k])
        second = {}
        moving = [j for j in paths[k] if qd[j] != 0.0]
        for b, outer in enumerate(moving):
            for j in moving[: b + 1]:
                once = times_q(first[outer, j], links[outer].revolute)
                second[j, outer] = once if outer == k else second_derivative(once, chained[outer, k])
        kinetic[k] = kinetic_matrix(
            [first[k, j] for j in paths[k]], second, paths[k], qd, qdd, pseudo_inertia(links[k])
        )
    torque = []
    for i in range(n):
        outboard = [k for k in range(n) if i in paths[k]]
        value = torque_of(
            inertial_torque([kinetic[k] for k in outboard], [first[k, i] for k in outboard]),
            gravity_torque([weights[k] for k in outboard], [first[k, i] for k in outboard]),
        )
        if wrenches is not None:
            for k in outboard:
                value = value - work_of(wrenches[k], first[k, i], chained[WORLD, k])
        torque.append(value)
    return torque


def path_to(links: Sequence[AxisLink], k: int) -> list[int]:
    """From the base to link k."""
    path = [k]
    while links[path[-1]].inboard != WORLD:
        path.append(links[path[-1]].inboard)
    return path[::-1]


def joint_transform(link: AxisLink, q: Number) -> Transform:
    """T from the link's frame to its inboard neighbor's, R and the displacement (1.14); TML (1.13)-(1.14)."""
    e, s = link.turn, link.shift
    last = [0.0, 0.0, 0.0, 1.0]
    if not link.revolute:
        return [[*e[i], s[i] + e[i][2] * q] for i in range(3)] + [last]
    c, sine = math.cos(q), math.sin(q)
    return [[e[i][0] * c + e[i][1] * sine, e[i][1] * c - e[i][0] * sine, e[i][2], s[i]] for i in range(3)] + [last]


def times_q(t: Transform, revolute: bool) -> Transform:
    """T Q: two columns exchanged and one negated, or the third made the last. No arithmetic; TML (1.5).

    Q is a cross product with the joint's axis, (1.6)-(1.9), and so a derivative, (1.11)-(1.12).
    """
    if revolute:
        return [[row[1], -row[0], 0.0, 0.0] for row in t]
    return [[0.0, 0.0, 0.0, row[2]] for row in t]


def multiply(a: Transform, b: Transform) -> Transform:
    """The product of two 4x4 matrices; 64 multiplications, 48 additions."""
    columns = list(zip(*b, strict=True))
    return [[r[0] * c[0] + r[1] * c[1] + r[2] * c[2] + r[3] * c[3] for c in columns] for r in a]


def chained_transform(t: Transform, own: Transform) -> Transform:
    """T_j^k = T_j^i T_i^k, TML (1.15): its last column adds displacements, (1.16), and it maps points, (1.17)."""
    return multiply(t, own)


def first_derivative(left: Transform, right: Transform) -> Transform:
    """dT_0^k/dj = T_0^j Q T_j^k; its last column is TML (1.18)."""
    return multiply(left, right)


def second_derivative(left: Transform, right: Transform) -> Transform:
    """d2T_0^k/djdo = dT_0^o/dj Q T_o^k; its last column is TML (1.19)."""
    return multiply(left, right)


def kinetic_matrix(
    firsts: Sequence[Transform], seconds: Mapping[tuple[int, int], Transform], path: Sequence[int], qd: Numbers,
    qdd: Numbers, inertia: Transform,
) -> Transform:  # fmt: skip
    """[sum dT theta'' + sum d2T theta' theta'] J; TML (2.9)-(2.10). Unequal rates occur twice."""
    weights = []
    for j, outer in seconds:
        product = qd[j] * qd[outer]
        weights.append(product if j == outer else product + product)
    terms = list(zip([qdd[j] for j in path], firsts, strict=True)) + list(zip(weights, seconds.values(), strict=True))
    motion = [[total([w * t[a][b] for w, t in terms]) for b in range(4)] for a in range(4)]
    return multiply(motion, inertia)


def pseudo_inertia(link: AxisLink) -> Transform:
    """J of TML (1.24)-(1.28): second and first moments and the mass, about O_k; constants of the link."""
    return [[*link.second_moment[a], link.first_moment[a]] for a in range(3)] + [[*link.first_moment, link.mass]]


def inertial_torque(kinetic: Sequence[Transform], firsts: Sequence[Transform]) -> Number:
    """sum_q Tr{kinetic_q (dT_q/di)'}; only diagonal elements are formed."""
    return total([trace_of_product(k, f) for k, f in zip(kinetic, firsts, strict=True)])


def trace_of_product(a: Transform, b: Transform) -> Number:
    """Tr{A B'}, the same as Tr{B A'}, TML (1.23); 16 multiplications, 15 additions."""
    return total([a[i][j] * b[i][j] for i in range(4) for j in range(4)])


def link_weights(links: Sequence[AxisLink], g: float) -> list[list[Number]]:
    """m g [p; 1], constants of the links."""
    return [[g * moment for moment in (*link.first_moment, link.mass)] for link in links]


def gravity_torque(weights: Sequence[Numbers], firsts: Sequence[Transform]) -> Number:
    """sum_q z' dT_q/di m_q g p_q; only the height's row is formed; TML (2.8)."""
    return total([total([f[2][j] * w[j] for j in range(4)]) for w, f in zip(weights, firsts, strict=True)])


def torque_of(inertial: Number, gravitational: Number) -> Number:
    return inertial + gravitational


def work_of(wrench: tuple[Vector, Vector], first: Transform, t: Transform) -> Number:
    """Moment and force times the rotation and translation of the link's frame per unit of the joint."""
    moment, force = wrench
    turned = [total([first[a][m] * t[b][m] for m in range(3)]) for a, b in ((2, 1), (0, 2), (1, 0))]
    return total([moment[a] * turned[a] for a in range(3)] + [force[a] * first[a][3] for a in range(3)])


def energies(system: System, state: State) -> tuple[float, float]:
    """Kinetic energy, 1/2 sum_q Tr{dT_q/dt J_q (dT_q/dt)'}, and potential, - m g . p; TML (2.1)-(2.6), in J.

    Both without rotors; potential energy is zero at the world's origin.
    """
    links, kinetic, potential = axis_links(system), 0.0, 0.0
    for k in range(len(links)):
        path = path_to(links, k)
        placed, rate = np.eye(4), np.zeros((4, 4))
        for j in path:  # (2.3), (2.4)
            own = joint_transform(links[j], float(state.q[j]))
            turned = np.array(times_q(own, links[j].revolute)) * state.qd[j]
            rate = rate @ np.array(own) + placed @ turned
            placed = placed @ np.array(own)
        kinetic += 0.5 * float(np.trace(rate @ np.array(pseudo_inertia(links[k])) @ rate.T))
        potential -= float(system.gravity @ (placed @ [*links[k].first_moment, links[k].mass])[:3])
    return kinetic, potential
