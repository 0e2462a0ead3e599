"""Methods that assemble the mass matrix, factor it and solve, on counting numbers: every product is explicit.

R87 Section XII compares its filter with ``planar_batch``, conventions as in ``planar_filter``; each row of R87
Table III is one function. The composite body outboard of joint k is four numbers: mass, mass centre and inertia (R87
(32) in the plane). ``strobed_accelerations`` is TML Sections 3 and 7 for the modified Newton-Euler equations;
``witness.strobing`` does the same for any formulation and any arm, with NumPy. Cubic in the number of links.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dynamics.counting.planar_filter import PlanarLink, Turn, state_propagation
from dynamics.numbers.plain_vectors import Number, Vector
from dynamics.system.axis_frames import AxisLink
from dynamics.witness.newton_euler_modified import NOTHING, newton_euler_modified


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
            x = state_propagation(state_update(x, turns[i - 1]), links[i].length)
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


def state_update(x: Vector, turn: Turn) -> Vector:
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


def strobed_accelerations(
    links: Sequence[AxisLink], q: Sequence[Number], qd: Sequence[Number], tau: Sequence[Number], gravity: Vector
) -> list[Number]:
    """theta'' = M^-1 [tau - C - G] of a chain, TML (2.11) solved for the accelerations.

    Zero acceleration gives C + G. One joint accelerating at a time, without rates and gravity, gives a column of M;
    by symmetry only its outboard part is needed: n (n + 1) / 2 links in all, as the paper counts them.
    """
    n = len(links)
    bias = newton_euler_modified(links, q, qd, [0.0] * n, gravity)
    matrix: list[list[Number]] = [[0.0] * n for _ in range(n)]
    for j in range(n):
        outboard = [*links[:j], links[j]._replace(inboard=-1)]
        unit = [0.0] * j + [1.0]
        matrix[j][: j + 1] = newton_euler_modified(outboard, q[: j + 1], [0.0] * (j + 1), unit, NOTHING)
    return solved(factored(matrix), [tau[k] - bias[k] for k in range(n)])
