"""Solving with a symmetric matrix that may be singular, from its root W: M = W' W.

M squares what W resolves in a direction, so W still has digits that M has lost. Each direction is measured in its own
unit, x by M_mm x^2: neither the rank nor the solution depends on the units of the input.
"""

from __future__ import annotations

import math

from dynamics.compiler.kernels import kernel
from dynamics.spatial.small_matrices import factor, solve_factored

# A direction is dependent on the others if at most this share of its column is independent of them.
RANK_TOLERANCE = 1e-10
# M x = b has no solution if a residual larger than this share of b's components is left.
CONSISTENCY = 1e-7


@kernel
def factor_root(root, matrix, factored, order):
    """M[order][:, order] = L L' by Gram-Schmidt on the columns of W, the one with the largest remaining share first.

    Args:
        root: (rows, size), W, overwritten.
        matrix: (size, size), M; only its diagonal is read.
        factored: (size, size), written: in r columns L, above it X = L1'^-1 L2', which expresses the remaining
            directions by the first r, and in the last corner the factor of X' D X + D with the diagonal D of M.
        order: (size + 2,), written: the order, the rank r, and 1, for a matrix that has lost digits.
    """
    rows, size = root.shape
    for i in range(size):
        order[i] = i
    order[size], order[size + 1] = size, 1
    for j in range(size):
        best, share = j, -1.0
        for i in range(j, size):
            c = order[i]
            left = 0.0
            for k in range(rows):
                left += root[k, c] * root[k, c]
            left = left / matrix[c, c] if matrix[c, c] > 0.0 else 0.0
            if left > share:
                best, share = i, left
        if not share > RANK_TOLERANCE * RANK_TOLERANCE:
            order[size] = j
            break
        order[j], order[best] = order[best], order[j]
        for m in range(j):
            factored[j, m], factored[best, m] = factored[best, m], factored[j, m]
        c = order[j]
        length = math.sqrt(share * matrix[c, c])
        factored[j, j] = length
        for k in range(rows):
            root[k, c] /= length
        for i in range(j + 1, size):
            other, s = order[i], 0.0
            for k in range(rows):
                s += root[k, c] * root[k, other]
            for k in range(rows):
                root[k, other] -= s * root[k, c]
            factored[i, j] = s
    rank = order[size]
    for j in range(rank, size):
        for i in range(rank - 1, -1, -1):
            s = factored[j, i]
            for m in range(i + 1, rank):
                s -= factored[m, i] * factored[m, j]
            factored[i, j] = s / factored[i, i]
        for i in range(rank, j + 1):
            s = matrix[order[j], order[j]] if i == j else 0.0
            for m in range(rank):
                s += matrix[order[m], order[m]] * factored[m, i] * factored[m, j]
            factored[j, i] = s
    factor(factored[rank:, rank:], size - rank)


@kernel
def solve_by_rank(matrix, factored, order, b, scratch):
    """Overwrite ``b`` with the x that comes nearest to M x = b, the one with the least sum of M_mm x_m^2.

    Args:
        matrix, factored, order: as ``factor_root`` leaves them; also with plain order and full rank.
        scratch: (2 or more, size).

    Returns:
        the largest component of the residual, relative to the root of its M_mm.
    """
    size = b.shape[0]
    rank = order[size]
    x, rest = scratch[0], scratch[1]
    for i in range(size):
        x[i] = b[order[i]]
    left = 0.0
    if rank < size:
        corner = factored[rank:, rank:]
        for j in range(rank, size):
            s = x[j]
            for i in range(rank):
                s -= factored[i, j] * x[i]
            rest[j] = s
            left = max(left, abs(s) / math.sqrt(matrix[order[j], order[j]]))
        solve_factored(corner, size - rank, rest[rank:])
        for i in range(rank):
            s = 0.0
            for j in range(rank, size):
                s += factored[i, j] * rest[j]
            x[i] += matrix[order[i], order[i]] * s
    solve_factored(factored, rank, x)
    if rank < size:
        for j in range(rank, size):
            rest[j] = 0.0
            for i in range(rank):
                rest[j] += factored[i, j] * matrix[order[i], order[i]] * x[i]
        solve_factored(corner, size - rank, rest[rank:])
        for j in range(rank, size):
            for i in range(rank):
                x[i] -= factored[i, j] * rest[j]
            x[j] = rest[j]
    for i in range(size):
        b[order[i]] = x[i]
    return left


@kernel
def solve_each(matrix, factored, order, b, scratch):
    """``solve_by_rank`` of every row of ``b``, (states, rows, size), with its own state's factor.

    Args:
        matrix, factored: (states, size, size); order: (states, size + 2).
    """
    for at in range(b.shape[0]):
        for row in range(b.shape[1]):
            solve_by_rank(matrix[at], factored[at], order[at], b[at, row], scratch)
