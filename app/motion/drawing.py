"""Many draws of the estimation problem at one posture, a slice at a time, so that memory stays small."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import dynamics as dyn
from dynamics.solve import sample_estimation, smoothed_force_covariance

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over draws; their means are known to be zero, so that products alone give covariances."""

    count: int  # of draws
    innovation: Array  # (joints,)
    innovations: Array  # (joints, joints), of products of innovations
    measured: Array  # (joints, joints), of products of measurements
    prediction: Array  # (links, 6, 6), of products of errors at each link, as are the other two
    corrected: Array
    smoothed: Array

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Sums)))

    @property
    def mean(self) -> Array:
        """(joints,), mean of the innovations."""
        return self.innovation / self.count

    @property
    def variance(self) -> Array:
        """(joints,), variance of the innovations about zero."""
        return np.diag(self.innovations) / self.count

    def covariance(self, error: str, link: int) -> Array:
        """(6, 6), covariance of an error at a link: ``prediction``, ``corrected`` or ``smoothed``."""
        products: Array = getattr(self, error)[link]
        return products / self.count


def sums_of(drawn: Any) -> Sums:
    """The sums of one slice, as ``sample_estimation`` draws it."""
    errors = (drawn.prediction_error, drawn.corrected_error, drawn.smoothed_error)
    by_link = [error.transpose(1, 2, 0) for error in errors]
    return Sums(
        len(drawn.innovation),
        drawn.innovation.sum(axis=0),
        drawn.innovation.T @ drawn.innovation,
        drawn.measured.T @ drawn.measured,
        *(each @ each.transpose(0, 2, 1) for each in by_link),
    )


LARGEST = 2000  # draws per slice, for a machine that is not long
ROOM = 24_000  # draws times links of one slice: memory holds 50 numbers for each
SEEDS = 1000  # slices that one drawing may have: the next drawing's seeds begin after them
MARKS = tuple(dict.fromkeys(round(10.0 ** (0.5 + k / 10)) for k in range(46)))
"""Numbers of draws at which the convergence is recorded."""


@dataclass(frozen=True, eq=False)
class Theory:
    """What the dynamics predicts for the draws."""

    variance: Array  # (joints,), D(k)
    prediction: Array  # (links, 6, 6), P(k)
    corrected: Array  # (links, 6, 6), P+(k)
    smoothed: Array  # (links, 6, 6), P - P Lambda P
    rows: Array  # (joints, 6), H(k)


def theory_of(solution: dyn.Solution) -> Theory:
    """R87 (57), (56), (58) and (65) at a posture."""
    stage = solution.stages["filter"]
    letters = dyn.read_textbook(solution.system, solution.state).letter("H")
    return Theory(
        stage["joint_inertia"],
        stage["articulated_inertia"],
        stage["articulated_inertia_updated"],
        smoothed_force_covariance(solution.system, solution.state),
        np.array([h[0] for h in letters[: solution.system.n_joints]]),
    )


@dataclass(frozen=True, eq=False)
class Slice:
    """The contribution of one slice of draws."""

    sums: Sums
    noted: tuple[tuple[int, Array], ...]  # draws, and (joints,) their squared innovations' sum, at each mark in it
    theory: Theory | None  # computed with the first slice, else None


class Drawing:
    """A number of draws at the posture of a solution; each drawing has seeds of its own.

    Only ``look`` runs in a thread, and it changes nothing: its result is passed to ``accept``.
    """

    def __init__(self, solution: dyn.Solution, time: float, wanted: int, number: int = 0) -> None:
        self.solution, self.time, self.wanted = solution, time, wanted
        self._most = -(-wanted // max(min(ROOM // solution.system.n_links, LARGEST), 100))  # slices
        self._seed = number * SEEDS
        self._slices = 0
        self.sums: Sums | None = None
        self.theory: Theory | None = None
        self.history: list[tuple[int, Array]] = []

    @property
    def system(self) -> dyn.System:
        return self.solution.system

    @property
    def drawn(self) -> int:
        return 0 if self.sums is None else self.sums.count

    @property
    def done(self) -> bool:
        return self.drawn >= self.wanted

    @property
    def seeds(self) -> range:
        """The seeds of the slices so far."""
        return range(self._seed, self._seed + self._slices)

    def look(self) -> Slice:
        """The next slice, called from a worker thread."""
        before = self.drawn
        count = self.wanted * (self._slices + 1) // self._most - before  # equal, so that no slice has a single draw
        seed = self._seed + self._slices
        drawn = sample_estimation(self.system, self.solution.state, count, seed)
        squares = np.cumsum(drawn.innovation**2, axis=0)
        noted = tuple((mark - before, squares[mark - before - 1]) for mark in MARKS if before < mark <= before + count)
        return Slice(sums_of(drawn), noted, theory_of(self.solution) if self.theory is None else None)

    def accept(self, found: Slice) -> None:
        before = 0.0 if self.sums is None else np.diag(self.sums.innovations)
        self.history += [(self.drawn + count, before + squares) for count, squares in found.noted]
        self.sums = found.sums if self.sums is None else self.sums + found.sums
        self.theory = found.theory or self.theory
        self._slices += 1

    def convergence(self, link: int) -> tuple[list[int], list[float]]:
        """Numbers of draws, and the relative error of the sample variance of the link's innovation at each."""
        if self.theory is None:
            return [], []
        d = self.theory.variance[link]
        return [count for count, _ in self.history], [
            abs(float(squares[link]) / count / float(d) - 1.0) for count, squares in self.history
        ]


SHARE = 0.95  # share of honest draws within a limit
RANK = 1e-9  # share of the largest eigenvalue, in each direction's own units, below which there is no uncertainty
LEFT = 1e-8  # share of a sample covariance that rounding may leave in directions without uncertainty
FEWEST = 100
"""Draws from which on the limit of a covariance's difference, which is asymptotic, is right to one in a hundred."""


def variance_limits(count: int, tests: int = 1) -> tuple[float, float]:
    """Limits of the ratio of a sample variance about the known mean to the true one: count times it is chi-square.

    So many ``tests`` are all within them in at least ``SHARE`` of cases.
    """
    tail = (1.0 - SHARE) / tests / 2.0
    return float(stats.chi2.ppf(tail, count) / count), float(stats.chi2.isf(tail, count) / count)


def correlation_limit(count: int, tests: int = 1) -> float:
    """Limit of a sample correlation about known means if there is none: r is the cosine of a random angle."""
    t = float(stats.t.isf((1.0 - SHARE) / tests / 2.0, count - 1))
    return t / float(np.sqrt(count - 1 + t * t))


def typical_error(count: int | Array) -> float | Array:
    """Root mean square relative error of a sample variance: it falls as 1 / sqrt(count)."""
    return np.sqrt(2.0 / np.asarray(count, dtype=float))


@dataclass(frozen=True)
class Difference:
    """Difference of a sample covariance from the true one."""

    relative: float  # |R^-1 C R^-T - 1|, R R' the true one, over all directions with any uncertainty; no unit
    typical: float  # its root mean square over honest draws
    limit: float  # upper bound for the share ``SHARE`` of honest draws
    rank: int  # number of directions with any uncertainty
    leaked: float  # share of the sample in the other directions
    judged: bool  # whether there are enough draws for the limit

    @property
    def holds(self) -> bool:
        return self.leaked <= LEFT and self.relative <= self.limit


def difference(sample: Array, true: Array, count: int, own: Array) -> Difference:
    """How far a sample covariance (6, 6) of ``count`` draws is from the true one, in units of the true one itself.

    The scale of each direction is that of ``own``, (6,) variances of the prediction.
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


@dataclass(frozen=True, eq=False)
class Whiteness:
    """All correlations and all variances of one process, tested together."""

    matrix: Array  # (joints, joints), correlations; on the diagonal the ratio of each variance to its expected value
    count: int  # of draws
    tests: int  # number of limits: honest draws stay within all of them in 95 % of cases or more
    pair: tuple[int, int] | None  # the two joints with the largest correlation; None for a single joint
    correlation: float  # theirs
    limit: float  # the largest correlation expected by chance
    joint: int  # with the variance that is farthest beyond, or nearest to, its limits
    low: float  # smallest ratio of a variance by chance; ``high`` is the largest
    high: float

    @property
    def is_uncorrelated(self) -> bool:
        return abs(self.correlation) <= self.limit

    @property
    def has_variances(self) -> bool:
        return self.low <= self.ratio <= self.high

    @property
    def ratio(self) -> float:
        return float(self.matrix[self.joint, self.joint])

    @property
    def is_white(self) -> bool:
        """Whether nothing exceeds the limits of chance."""
        return self.is_uncorrelated and self.has_variances


def whiteness(products: Array, count: int, variances: Array) -> Whiteness:
    """Tests a process of known zero mean by the (joints, joints) sums of products; ``variances`` are expected."""
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
