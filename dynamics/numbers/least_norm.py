"""Solving with a symmetric matrix whose rows have different units and that may be singular, in plain NumPy.

The compiled twin is ``small_matrices.factor_by_rank``; both decide by one rule what counts as singular.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.numbers.small_matrices import RANK_TOLERANCE

Array = NDArray[np.float64]


class LeastNorm:
    """A symmetric positive semidefinite matrix taken apart, its directions measured in units of their own.

    Only what is left of a direction once others are known says whether it counts, not how large numbers are in its
    unit. The norm that is least is that of the numbers as they stand.

    Attributes:
        null: (size, size - rank), orthonormal: what the matrix does not see.
    """

    def __init__(self, matrix: Array, like: Array | None = None, rank: int | None = None) -> None:
        """Take a matrix apart.

        Args:
            like: (size,), a diagonal in whose units directions are compared, where the matrix's own may be nothing
                but rounding; its own if left out.
            rank: where it is known already.
        """
        own = np.diag(matrix) if like is None else like
        self._unit = np.sqrt(np.where(own > 0.0, own, 1.0))
        self._scaled = matrix / np.outer(self._unit, self._unit)
        self._rank = rank_by_shares(self._scaled) if rank is None else rank
        values, vectors = np.linalg.eigh(self._scaled)
        lost = len(matrix) - self._rank
        self._values, self._vectors = values[lost:, None], vectors[:, lost:]
        q, root = np.linalg.qr(self._unit[:, None] * self._vectors, mode="complete")
        self._range, self._root, self.null = q[:, : self._rank], root[: self._rank], q[:, self._rank :]

    def solve(self, right: Array) -> Array:
        """The smallest x, (size,) or (size, columns), with matrix x = right; what nothing reaches is left."""
        b, unit = right.reshape(len(right), -1), self._unit[:, None]
        if not self.null.size:
            return np.asarray(np.linalg.solve(self._scaled, b / unit) / unit).reshape(right.shape)
        inside = np.linalg.solve(self._root.T, self._coordinates(b) / self._values)
        return np.asarray(self._range @ inside).reshape(right.shape)

    def half(self, right: Array) -> Array:
        """h, (rank, columns), with h' h = right' matrix^+ right, symmetric to the last digit."""
        return np.asarray(self._coordinates(right) / np.sqrt(self._values))

    def _coordinates(self, b: Array) -> Array:
        if not self.null.size:
            return np.asarray(self._vectors.T @ (b / self._unit[:, None]))
        return np.linalg.solve(self._root, self._range.T @ b)


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
