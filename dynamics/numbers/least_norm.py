"""Solving with a symmetric matrix whose rows have different units and that may be singular, in plain NumPy.

The compiled twin is ``factor_by_root``: with the root of the matrix it tells singular from nearly so more finely.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RANK_TOLERANCE = 1e-12
"""The share of a diagonal element below which there is nothing left of its direction but rounding."""


class LeastNorm:
    """A symmetric positive semidefinite matrix M taken apart, its directions measured in units of their own.

    Only what is left of a direction once others are known says whether it counts, not how large numbers are in its
    unit. The norm that is least is the sum of M_mm x_m^2.

    Attributes:
        null: (size, size - rank), orthonormal: what the matrix does not see.
    """

    def __init__(self, matrix: Array, like: Array | None = None) -> None:
        """Take a matrix apart.

        Args:
            like: (size,), a diagonal in whose units directions are measured, where the matrix's own may be nothing
                but rounding; its own if left out.
        """
        own = np.diag(matrix) if like is None else like
        unit = np.sqrt(np.where(own > 0.0, own, 1.0))[:, None]
        scaled = matrix / (unit * unit.T)
        values, vectors = np.linalg.eigh(scaled)
        lost = max(len(matrix) - rank_by_shares(scaled), int((values <= 0.0).sum()))
        self._values, self._vectors = values[lost:, None], vectors[:, lost:] / unit
        self.null = np.linalg.qr(vectors[:, :lost] / unit)[0]

    def solve(self, right: Array) -> Array:
        """The smallest x, (size,) or (size, columns), with matrix x = right; what nothing reaches is left."""
        return self.half(np.eye(len(right))).T @ self.half(right.reshape(len(right), -1)).reshape(-1, *right.shape[1:])

    def half(self, right: Array) -> Array:
        """h, (rank, columns), with h' h = right' matrix^+ right, symmetric to the last digit."""
        return np.asarray((self._vectors.T @ right) / np.sqrt(self._values))


def rank_by_shares(scaled: Array) -> int:
    """The rank of a matrix in its own units: how many pivots keep a share of the largest element of the diagonal."""
    left, least = scaled.copy(), RANK_TOLERANCE * np.diag(scaled).max(initial=0.0)
    for rank in range(len(left)):
        k = int(np.argmax(np.diag(left)))
        if not left[k, k] > least:
            return rank
        left -= np.outer(left[:, k], left[k]) / left[k, k]
        left[k], left[:, k] = 0.0, 0.0
    return len(left)
