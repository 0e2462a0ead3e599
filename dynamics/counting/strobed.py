"""Forward dynamics by strobing the modified Newton-Euler equations, on numbers that count; TML Sections 3 and 7.

``witness.strobing`` is the same for any formulation and any arm, by NumPy; here every product is in sight.
"""

from __future__ import annotations

from collections.abc import Sequence

from dynamics.counting.planar_batch import factored, solved
from dynamics.numbers.plain_vectors import Number, Vector
from dynamics.system.axis_frames import AxisLink
from dynamics.witness.newton_euler_modified import NOTHING, newton_euler_modified


def strobed_accelerations(
    links: Sequence[AxisLink], q: Sequence[Number], qd: Sequence[Number], tau: Sequence[Number], gravity: Vector
) -> list[Number]:
    """theta'' = M^-1 [tau - C - G] of a chain, TML (2.11) solved for the accelerations.

    No acceleration gives C + G. One joint accelerating at a time, without rates and gravity, gives a column of M,
    of which symmetry leaves what is outboard: n (n + 1) / 2 links in all, as the paper counts them.
    """
    n = len(links)
    bias = newton_euler_modified(links, q, qd, [0.0] * n, gravity)
    matrix: list[list[Number]] = [[0.0] * n for _ in range(n)]
    for j in range(n):
        outboard = [*links[:j], links[j]._replace(inboard=-1)]
        unit = [0.0] * j + [1.0]
        matrix[j][: j + 1] = newton_euler_modified(outboard, q[: j + 1], [0.0] * (j + 1), unit, NOTHING)
    return solved(factored(matrix), [tau[k] - bias[k] for k in range(n)])
