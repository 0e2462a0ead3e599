"""The inverse of a symmetric positive spatial matrix in lanes, without pivoting."""

from __future__ import annotations

from dynamics.compiler.kernels import inlined
from dynamics.spatial.lanes import everywhere, join, spread
from dynamics.spatial.small_matrices import FIRM

# Limit of the product of the pivots' original diagonal elements: six that are each just firm would leave few digits.
FIRM_TOGETHER = 1e4


@inlined
def swept(p, inverse, unit, b, c, d, e, f):
    """One Gauss-Jordan pivot on the diagonal element of the first column, which moves to the end.

    Args:
        p: six columns that belong to the lanes a, b, ..., f; inverse: of the pivot; unit: one in lane a.
    """
    column = p[0]
    others = everywhere(1.0) - unit
    w = inverse * (others * column - unit)
    return (
        others * p[1] - column[b] * w, others * p[2] - column[c] * w, others * p[3] - column[d] * w,
        others * p[4] - column[e] * w, others * p[5] - column[f] * w, w,
    )  # fmt: skip


@inlined
def following(p, inverse, b):
    """The pivot in lane b that ``swept`` will leave, computed early: its division need not wait for the columns."""
    return p[1][b] - inverse * (p[0][b] * p[0][b])


@inlined
def minus_inverse(q):
    """-Q^-1 of a symmetric positive matrix by columns, and whether its pivots are firm, each and together."""
    zero = spread(0.0, 0.0, 0.0)
    x, y, z = spread(1.0, 0.0, 0.0), spread(0.0, 1.0, 0.0), spread(0.0, 0.0, 1.0)
    pivot = q[0][0]
    firm = pivot > 0.0
    inverse = 1.0 / pivot
    pivot, p = following(q, inverse, 1), swept(q, inverse, join(x, zero), 1, 2, 4, 5, 6)
    firm = firm and pivot > FIRM * q[1][1]
    inverse = 1.0 / pivot
    shares = q[1][1] * inverse
    pivot, p = following(p, inverse, 2), swept(p, inverse, join(y, zero), 2, 4, 5, 6, 0)
    firm = firm and pivot > FIRM * q[2][2]
    inverse = 1.0 / pivot
    shares *= q[2][2] * inverse
    pivot, p = following(p, inverse, 4), swept(p, inverse, join(z, zero), 4, 5, 6, 0, 1)
    firm = firm and pivot > FIRM * q[3][4]
    inverse = 1.0 / pivot
    shares *= q[3][4] * inverse
    pivot, p = following(p, inverse, 5), swept(p, inverse, join(zero, x), 5, 6, 0, 1, 2)
    firm = firm and pivot > FIRM * q[4][5]
    inverse = 1.0 / pivot
    shares *= q[4][5] * inverse
    pivot, p = following(p, inverse, 6), swept(p, inverse, join(zero, y), 6, 0, 1, 2, 4)
    inverse = 1.0 / pivot
    firm = firm and pivot > FIRM * q[5][6] and shares * (q[5][6] * inverse) < FIRM_TOGETHER
    return swept(p, inverse, join(zero, z), 0, 1, 2, 4, 5), firm
