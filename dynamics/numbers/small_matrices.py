"""Solving with the small symmetric matrices of one link or of a few contacts."""

from __future__ import annotations

import math

import numpy as np

from dynamics.compiler.compiled import kernel
from dynamics.compiler.local_arrays import local_table, local_vector
from dynamics.compiler.separate_kernel import separate_kernel
from dynamics.numbers.spatial import expand

# A direction counts as indeterminate when a unit force in it gives less than this share of the
# acceleration that its own diagonal element promises.
RANK_TOLERANCE = 1e-12


@separate_kernel
def factor(matrix, size):
    """The Cholesky factor of the leading block, in place in its lower triangle; False if not positive."""
    for j in range(size):
        pivot = matrix[j, j]
        for m in range(j):
            pivot -= matrix[j, m] * matrix[j, m]
        if not pivot > 0.0:
            return False
        root = math.sqrt(pivot)
        matrix[j, j] = root
        for i in range(j + 1, size):
            s = matrix[i, j]
            for m in range(j):
                s -= matrix[i, m] * matrix[j, m]
            matrix[i, j] = s / root
    return True


@separate_kernel
def solve_factored(matrix, size, b):
    """Overwrite ``b`` with the solution of L L' x = b."""
    for i in range(size):
        s = b[i]
        for m in range(i):
            s -= matrix[i, m] * b[m]
        b[i] = s / matrix[i, i]
    for i in range(size - 1, -1, -1):
        s = b[i]
        for m in range(i + 1, size):
            s -= matrix[m, i] * b[m]
        b[i] = s / matrix[i, i]


@kernel
def solve_packed(p, angular, linear):
    """P^-1 [angular; linear] for a packed positive P."""
    matrix, b = local_table(6, 6), local_vector(6)
    expand(p, matrix)
    positive = factor(matrix, 6)
    for i in range(3):
        b[i] = angular[i] if positive else np.nan
        b[3 + i] = linear[i] if positive else np.nan
    solve_factored(matrix, 6, b)
    return (b[0], b[1], b[2]), (b[3], b[4], b[5])


@kernel
def invert_packed(p):
    """P^-1, packed, for a packed positive P."""
    matrix, inverse = local_table(6, 6), local_table(6, 6)
    expand(p, matrix)
    factor(matrix, 6)
    for j in range(6):
        for i in range(6):
            inverse[j, i] = 1.0 if i == j else 0.0
        solve_factored(matrix, 6, inverse[j])  # by rows: the inverse is symmetric
    return (
        inverse[0, 0], inverse[0, 1], inverse[0, 2], inverse[1, 1], inverse[1, 2], inverse[2, 2],
        inverse[0, 3], inverse[0, 4], inverse[0, 5], inverse[1, 3], inverse[1, 4], inverse[1, 5],
        inverse[2, 3], inverse[2, 4], inverse[2, 5], inverse[3, 3], inverse[3, 4], inverse[3, 5],
        inverse[4, 4], inverse[4, 5], inverse[5, 5],
    )  # fmt: skip


@separate_kernel
def factor_by_rank(matrix, size, factored, order):
    """Rank-revealing Cholesky of a symmetric positive semidefinite matrix: M[order][:, order] = L L'.

    The pivot is the largest *remaining share* of a diagonal element, so that rows in different units
    (accelerations in rad/s^2 and in m/s^2) are judged alike.

    Returns:
        the rank r; the leading r columns of ``factored`` hold L.
    """
    for i in range(size):
        order[i] = i
        for j in range(size):
            factored[i, j] = matrix[i, j]
    for j in range(size):
        best, share = j, -1.0
        for i in range(j, size):
            whole = matrix[order[i], order[i]]
            left = factored[i, i] / whole if whole > 0.0 else 0.0
            if left > share:
                best, share = i, left
        if share < RANK_TOLERANCE:
            return j
        if best != j:
            order[j], order[best] = order[best], order[j]
            for m in range(size):
                factored[j, m], factored[best, m] = factored[best, m], factored[j, m]
            for m in range(size):
                factored[m, j], factored[m, best] = factored[m, best], factored[m, j]
        root = math.sqrt(factored[j, j])
        factored[j, j] = root
        for i in range(j + 1, size):
            factored[i, j] /= root
        for i in range(j + 1, size):
            for m in range(j + 1, i + 1):
                factored[i, m] -= factored[i, j] * factored[m, j]
                factored[m, i] = factored[i, m]
    return size


@separate_kernel
def solve_by_rank(factored, order, size, rank, b, scratch):
    """Overwrite ``b`` with the solution of M x = b of smallest norm.

    With L of full column rank, x = L (L'L)^-1 (L'L)^-1 L' b.
    """
    permuted = scratch[size]
    for i in range(size):
        permuted[i] = b[order[i]]
    if rank == size:
        solve_factored(factored, size, permuted)
    elif rank == 0:
        for i in range(size):
            permuted[i] = 0.0
    else:
        small = scratch[size + 1]
        for i in range(rank):
            s = 0.0
            for m in range(i, size):
                s += factored[m, i] * permuted[m]
            small[i] = s
            for j in range(i + 1):
                s = 0.0
                for m in range(i, size):
                    s += factored[m, i] * factored[m, j]
                scratch[i, j] = s
        factor(scratch, rank)
        solve_factored(scratch, rank, small)
        solve_factored(scratch, rank, small)
        for i in range(size):
            s = 0.0
            for m in range(min(i + 1, rank)):
                s += factored[i, m] * small[m]
            permuted[i] = s
    for i in range(size):
        b[order[i]] = permuted[i]
