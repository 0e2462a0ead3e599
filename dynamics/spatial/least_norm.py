"""Solving with a symmetric matrix whose rows have different units and that may be singular, in plain NumPy.

The compiled twin is ``factor_by_root``: with the root of the matrix it separates singular from nearly singular better.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

RANK_TOLERANCE = 1e-12
"""The share of a diagonal element below which the rest of its direction is only rounding."""


class LeastNorm:
    """A factored symmetric positive semidefinite matrix M, with each direction measured in its own unit.

    Whether a direction counts depends only on what remains of it once others are known, not on how large numbers are in
    its unit. The least norm is the sum of M_mm x_m^2. Handles any number of matrices at once.
    """

    def __init__(self, matrix: Array, like: Array | None = None, rounding: Array | float = 0.0) -> None:
        """Factors a matrix.

        Args:
            matrix: (..., size, size).
            like: (..., size), a diagonal that sets the units of the directions where the matrix's own may be only
                rounding; default its own.
            rounding: (...), the share of these that a direction must keep if larger numbers have cancelled.
        """
        own = np.diagonal(matrix, axis1=-2, axis2=-1) if like is None else like
        unit = np.sqrt(np.where(own > 0.0, own, 1.0))[..., None]
        scaled = matrix / (unit * np.swapaxes(unit, -1, -2))
        values, vectors = np.linalg.eigh(scaled)
        lost = np.maximum(matrix.shape[-1] - rank_by_shares(scaled, rounding), (values <= 0.0).sum(-1))
        self._counts = (np.arange(matrix.shape[-1]) >= lost[..., None])[..., None]
        self._roots = np.sqrt(np.where(self._counts, values[..., None], 1.0))
        self._vectors = vectors / unit

    @property
    def null(self) -> Array:
        """(size, size - rank), an orthonormal basis of the null space; for a single matrix."""
        return np.asarray(np.linalg.qr(self._vectors[:, ~self._counts[:, 0]])[0])

    def solve(self, right: Array) -> Array:
        """The smallest x, (..., size) or (..., size, columns), with matrix x = right; unreachable parts are ignored."""
        columns = right[..., None] if right.ndim < self._vectors.ndim else right
        inverse_half = self.half(np.eye(columns.shape[-2]))
        return (np.swapaxes(inverse_half, -1, -2) @ self.half(columns)).reshape(right.shape)

    def half(self, right: Array) -> Array:
        """h (..., size, columns) with h' h = right' matrix^+ right, symmetric to the last digit; zero rows if lost."""
        return np.where(self._counts, (np.swapaxes(self._vectors, -1, -2) @ right) / self._roots, 0.0)


def rank_by_shares(scaled: Array, rounding: Array | float = 0.0) -> Integers:
    """The rank of a matrix in its own units: the number of pivots that keep a share of the largest diagonal element.

    Args:
        scaled: (..., size, size).
        rounding: (...), the least that pivots must keep.

    Returns:
        (...).
    """
    size = scaled.shape[-1]
    left = scaled.reshape(prod(scaled.shape[:-2]), size, size).copy()
    largest = np.diagonal(left, axis1=1, axis2=2).max(axis=1, initial=0.0)
    least = np.maximum(np.ravel(rounding), RANK_TOLERANCE * largest)
    each, counts = np.arange(len(left)), np.ones(len(left), dtype=bool)
    rank = np.zeros(len(left), dtype=np.int64)
    for _ in range(size):
        diagonal = np.diagonal(left, axis1=1, axis2=2)
        k = diagonal.argmax(axis=1)
        pivot = diagonal[each, k]
        counts &= pivot > least
        rank += counts
        own = left[each, k] / np.where(counts, pivot, 1.0)[:, None]
        left -= left[each, :, k][:, :, None] * own[:, None, :]
        left[each, k], left[each, :, k] = 0.0, 0.0
    return rank.reshape(scaled.shape[:-2])
