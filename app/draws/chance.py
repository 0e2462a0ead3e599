"""What N honest draws may show by chance: how far sample variances and covariances lie from the true ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]
SHARE = 0.95
"""Of honest draws that lie within a limit."""
RANK = 1e-9
"""Share of the largest eigenvalue, in units of each direction's own, below which nothing is uncertain."""
LEFT = 1e-8
"""Share of a sample covariance that rounding may leave in directions that have none."""
FEWEST = 100
"""Draws from which on the limit of a covariance's difference, which holds for many, is right to one in a hundred."""


def variance_limits(count: int, tests: int = 1) -> tuple[float, float]:
    """Of the ratio of a sample variance about the known mean to the true one: count times it is chi-square.

    Args:
        tests: so many of them are all within the limits in at least ``SHARE`` of cases.
    """
    tail = (1.0 - SHARE) / tests / 2.0
    return float(stats.chi2.ppf(tail, count) / count), float(stats.chi2.isf(tail, count) / count)


def correlation_limit(count: int, tests: int = 1) -> float:
    """Of the size of a sample correlation about known means where there is none: r is the cosine of a random angle.

    Args:
        tests: so many of them are all below it in at least ``SHARE`` of cases.
    """
    t = float(stats.t.isf((1.0 - SHARE) / tests / 2.0, count - 1))
    return t / float(np.sqrt(count - 1 + t * t))


def typical_error(count: int | Array) -> float | Array:
    """Root mean square of the relative error of a sample variance: it falls as 1 / sqrt(count)."""
    return np.sqrt(2.0 / np.asarray(count, dtype=float))


@dataclass(frozen=True)
class Difference:
    """Of a sample covariance from the true one.

    Attributes:
        relative: |R^-1 C R^-T - 1|, R R' the true one, over all directions in which anything is uncertain; no unit.
        typical: its root mean square over honest draws.
        limit: below which ``SHARE`` of honest draws lie.
        rank: in how many directions anything is uncertain.
        leaked: share of the sample that lies in the others.
        judged: whether the draws are enough for the limit.
    """

    relative: float
    typical: float
    limit: float
    rank: int
    leaked: float
    judged: bool

    @property
    def holds(self) -> bool:
        return self.leaked <= LEFT and self.relative <= self.limit


def difference(sample: Array, true: Array, count: int, own: Array) -> Difference:
    """How far a sample covariance (6, 6) of ``count`` draws is from the true one, in units of the true one itself.

    Args:
        own: (6,) variances that say what is large in each direction: those of the prediction.
    """
    unit = np.sqrt(np.where(own > 0.0, own, 1.0))
    scale = np.outer(unit, unit)
    values, vectors = np.linalg.eigh(true / scale)
    there = values > RANK * max(values[-1], 1e-300)
    rank = int(there.sum())
    seen = vectors[:, there] / np.sqrt(values[there])
    whitened = seen.T @ (sample / scale) @ seen
    free = rank * (rank + 1)
    beyond = vectors[:, ~there]
    leaked = float(np.trace(beyond.T @ (sample / scale) @ beyond)) / max(float(np.trace(sample / scale)), 1e-300)
    return Difference(
        float(np.linalg.norm(whitened - np.eye(rank))),
        float(np.sqrt(free / count)),
        float(np.sqrt(2.0 * stats.chi2.ppf(SHARE, free // 2) / count)) if rank else 0.0,
        rank,
        leaked,
        count >= FEWEST,
    )
