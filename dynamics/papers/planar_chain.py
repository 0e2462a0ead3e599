"""The planar chain of R87 Section XII in scalars: filter and smoother, (85)-(86), and the mass matrix, solved.

One function for each row of Tables II and III. A state is [moment about x; forces along y and z], in axes fixed in link
k: x along all joints, y from joint k-1 to joint k. b and n are zero, as in the paper: a chain at rest without gravity.
P is six numbers; since H P+ = 0 and the axes turn with the links, three of them vanish between the joints. The
recursion's own text in inertial axes does not save these operations, and counting them is the purpose here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from dynamics.spatial.plain_vectors import Number, Vector

Turn = tuple[Number, Number]  # two numbers along y and z: cosine and sine of the joint's angle
Gain = tuple[Number, Number]  # g(2), g(3); g(1) = 1
Covariance = tuple[Number, Number, Number, Number, Number, Number]  # P(1)...P(6), R87 (86)


class PlanarLink(NamedTuple):
    """A link of the chain: length l, mass m, first moment m p and inertia I about its joint k."""

    length: Number
    mass: Number
    first_moment: Number
    inertia: Number


class PlanarSolution(NamedTuple):
    """Every stage, tip to base; states, inertias and accelerations in the axes of their own link."""

    joint_acceleration: list[Number]
    inertia: list[Covariance]
    gain: list[Gain]
    predicted: list[Vector]
    innovation: list[Number]
    residual: list[Number]
    acceleration: list[Vector]


def planar_filter(links: Sequence[PlanarLink], q: Sequence[Number], tau: Sequence[Number]) -> PlanarSolution:
    """Joint accelerations of a planar chain at rest.

    Args:
        links, q, tau: tip to base; q(k) turns link k relative to its inboard neighbor, about x.

    Cost: 28 additions, 26 multiplications, 3 divisions, one sine and one cosine per link.
    """
    n = len(links)
    turns = [(math.cos(angle), math.sin(angle)) for angle in q]
    z: Vector = (0.0, 0.0, 0.0)
    p: Covariance = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    filtered = []
    for k in range(n):
        z = state_propagation(z, links[k].length)
        p = inertia_propagation(p, links[k])
        g = gain(p)
        e = innovation(tau[k], z)
        filtered.append((p, g, z, e, residual(e, p)))
        z = state_update(z, g, e, turns[k])
        p = inertia_update(p, g, turns[k])

    inertias, gains, states, innovations, residuals = map(list, zip(*filtered, strict=True))
    costate: Vector = (0.0, 0.0, 0.0)
    accelerations: list[Number] = [0.0] * n
    costates = [costate] * n
    for k in reversed(range(n)):
        costate = costate_in_link_axes(costate, turns[k])
        accelerations[k] = joint_acceleration(residuals[k], costate, gains[k])
        costate = costate_update(costate, accelerations[k])
        costates[k] = costate
        costate = costate_propagation(costate, links[k].length)
    return PlanarSolution(accelerations, inertias, gains, states, innovations, residuals, costates)


def state_propagation(z: Vector, l: Number) -> Vector:
    return z[0] - l * z[2], z[1], z[2]


def inertia_propagation(p: Covariance, link: PlanarLink) -> Covariance:
    """phi P phi' + M with P(1) = P(2) = P(4) = 0."""
    l, m, mp, i = link
    shifted = l * p[5]
    return l * shifted + i, -(l * p[4]), p[2] + m, -shifted - mp, p[4], p[5] + m


def gain(p: Covariance) -> Gain:
    return p[1] / p[0], p[3] / p[0]


def innovation(tau: Number, z: Vector) -> Number:
    return tau - z[0]


def residual(e: Number, p: Covariance) -> Number:
    return e / p[0]


def state_update(z: Vector, g: Gain, e: Number, turn: Turn) -> Vector:
    """z + G e, g(1) = 1, rotated into the axes of the next link. The first element becomes tau."""
    c, s = turn
    y, x = z[1] + g[0] * e, z[2] + g[1] * e
    return z[0] + e, c * y - s * x, s * y + c * x


def inertia_update(p: Covariance, g: Gain, turn: Turn) -> Covariance:
    """R87 (84) in the plane: P - P H' D^-1 H P, rotated by R . R' with six multiplications.

    Both diagonal entries change by s w, the off-diagonal one by s v.
    """
    c, s = turn
    p3, p5, p6 = p[2] - g[0] * p[1], p[4] - g[1] * p[1], p[5] - g[1] * p[3]
    difference, twice = p3 - p6, p5 + p5
    w = s * difference + c * twice
    v = c * difference - s * twice
    moved = s * w
    return 0.0, 0.0, p3 - moved, 0.0, p5 + s * v, p6 + moved


def costate_in_link_axes(costate: Vector, turn: Turn) -> Vector:
    c, s = turn
    return costate[0], c * costate[1] + s * costate[2], c * costate[2] - s * costate[1]


def joint_acceleration(residual_here: Number, costate: Vector, g: Gain) -> Number:
    return residual_here - costate[0] - g[0] * costate[1] - g[1] * costate[2]


def costate_update(costate: Vector, acceleration: Number) -> Vector:
    return costate[0] + acceleration, costate[1], costate[2]


def costate_propagation(costate: Vector, l: Number) -> Vector:
    return costate[0], costate[1], costate[2] - l * costate[0]


def planar_batch(links: Sequence[PlanarLink], q: Sequence[Number], tau: Sequence[Number]) -> list[Number]:
    """Joint accelerations of a planar chain at rest; arguments as ``planar_filter``."""
    return solved(factored(planar_mass_matrix(links, q)), tau)


def planar_mass_matrix(links: Sequence[PlanarLink], q: Sequence[Number]) -> list[list[Number]]:
    """The lower triangle of M, (links, links)."""
    n = len(links)
    turns = [(math.cos(angle), math.sin(angle)) for angle in q]
    matrix: list[list[Number]] = [[0.0] * n for _ in range(n)]
    mass, first, inertia = 0.0, (0.0, 0.0), 0.0
    for k, link in enumerate(links):
        outboard = first
        first, carried = mass_center(outboard, mass, link)
        inertia = rotational_inertia(inertia, carried, outboard, link)
        mass = composite_mass(mass, link)
        matrix[k][k] = inertia
        x: Vector = (inertia, -first[1], first[0])  # r H'
        for i in range(k + 1, n):
            x = state_propagation(turned_state(x, turns[i - 1]), links[i].length)
            matrix[i][k] = x[0]
        first = turned(first, turns[k])
    return matrix


def composite_mass(mass: Number, link: PlanarLink) -> Number:
    return mass + link.mass


def mass_center(first: Turn, mass: Number, link: PlanarLink) -> tuple[Turn, Number]:
    """First moments about joint k from those about joint k-1, and l times the mass outboard."""
    carried = link.length * mass
    return (first[0] - carried - link.first_moment, first[1]), carried


def rotational_inertia(inertia: Number, carried: Number, first: Turn, link: PlanarLink) -> Number:
    """Inertia about joint k, from that about joint k-1."""
    l = link.length
    return inertia + l * carried - 2.0 * l * first[0] + link.inertia


def turned(pair: Turn, turn: Turn) -> Turn:
    """The pair in the axes of the next link."""
    c, s = turn
    return c * pair[0] - s * pair[1], s * pair[0] + c * pair[1]


def turned_state(x: Vector, turn: Turn) -> Vector:
    c, s = turn
    return x[0], c * x[1] - s * x[2], s * x[1] + c * x[2]


def factored(matrix: list[list[Number]]) -> list[list[Number]]:
    """M = L D L' from the lower triangle: L below the diagonal, D on it; Cholesky's without square roots."""
    n = len(matrix)
    factors = [row[:] for row in matrix]
    for j in range(n):
        for m in range(j):
            scaled = factors[j][m] * factors[m][m]
            for i in range(j, n):
                # The rows below still need row j of L unscaled, so its own element is scaled only here.
                factors[i][j] = factors[i][j] - factors[i][m] * scaled
        for i in range(j + 1, n):
            factors[i][j] = factors[i][j] / factors[j][j]
    return factors


def solved(factors: list[list[Number]], right: Sequence[Number]) -> list[Number]:
    """The solution x of L D L' x = right."""
    n = len(factors)
    x = list(right)
    for i in range(n):
        for m in range(i):
            x[i] = x[i] - factors[i][m] * x[m]
    for i in reversed(range(n)):
        x[i] = x[i] / factors[i][i]
        for m in range(i + 1, n):
            x[i] = x[i] - factors[m][i] * x[m]
    return x
