"""Cholesky factors in lanes, for speed, without pivoting: the contact operator's, and a spatial matrix's inverse."""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.lanes import everywhere, join, load6, spread, store
from dynamics.spatial.small_matrices import CLEAR, FIRM


@kernel
def lane_factor(matrix, size, upper, factored, order):
    """``factor_firmly`` in lanes.

    Args:
        upper: (size, m), m a multiple of 8: room for U with U'U = M.
        factored: (size, size): L, written; order: (size + 2,), written.

    Returns:
        whether every pivot is clear; ``order`` says whether all are also firm.
    """
    blocks = upper.shape[1] // 8
    for i in range(size):
        order[i] = i
        for j in range(i, size):
            upper[i, j] = matrix[i, j]
    order[size], order[size + 1] = size, 0
    for j in range(size):
        pivot = upper[j, j]
        if not pivot > CLEAR * matrix[j, j]:
            return False
        if not pivot > FIRM * matrix[j, j]:
            order[size + 1] = 1
        scale = 1.0 / math.sqrt(pivot)
        for block in range(j // 8, blocks):
            store(upper, j, 8 * block, scale * load6(upper, j, 8 * block))
        for i in range(j + 1, size):
            share = upper[j, i]
            factored[i, j] = share
            for block in range(i // 8, blocks):
                store(upper, i, 8 * block, load6(upper, i, 8 * block) - share * load6(upper, j, 8 * block))
        factored[j, j] = upper[j, j]
    return True


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
