"""Whether innovations are white: uncorrelated from joint to joint, each with the variance that it ought to have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.draws.chance import correlation_limit, variance_limits

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Whiteness:
    """All correlations and all variances of one process, tested together.

    Attributes:
        matrix: (joints, joints), correlations; on the diagonal each variance by the one that it ought to have.
        count: draws.
        tests: how many limits there are: honest draws stay within all of them in 95 % of cases or more.
        pair: the two joints that are most correlated; None for a single joint.
        correlation: theirs, and ``limit`` how large it may be by chance.
        joint: whose variance is farthest beyond, or nearest to, its limits.
        low, high: what a variance's ratio may be by chance.
    """

    matrix: Array
    count: int
    tests: int
    pair: tuple[int, int] | None
    correlation: float
    limit: float
    joint: int
    low: float
    high: float

    @property
    def is_uncorrelated(self) -> bool:
        return abs(self.correlation) <= self.limit

    @property
    def has_variances(self) -> bool:
        return self.low <= self.ratio <= self.high

    @property
    def ratio(self) -> float:
        """Of the worst variance."""
        return float(self.matrix[self.joint, self.joint])

    @property
    def is_white(self) -> bool:
        """Whether nothing is beyond what chance allows."""
        return self.is_uncorrelated and self.has_variances


def whiteness(products: Array, count: int, variances: Array) -> Whiteness:
    """Tests a process of known zero mean.

    Args:
        products: (joints, joints), sums over the draws of products.
        variances: (joints,), those that it ought to have.
    """
    n = len(products)
    root = np.sqrt(np.diag(products))
    matrix = products / np.outer(root, root)
    ratios = np.diag(products) / count / variances
    tests = n * (n + 1) // 2
    low, high = variance_limits(count, tests)
    beside = np.abs(np.triu(matrix, 1))
    i, j = (int(at) for at in np.unravel_index(int(beside.argmax()), beside.shape))
    np.fill_diagonal(matrix, ratios)
    return Whiteness(
        matrix,
        count,
        tests,
        (i, j) if n > 1 else None,
        float(matrix[i, j]) if n > 1 else 0.0,
        correlation_limit(count, tests),
        int(np.maximum(ratios / high, low / ratios).argmax()),
        low,
        high,
    )
