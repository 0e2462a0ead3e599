"""How a watched number is spread, from sums of runs of rows: the same to the last bit however the rows came in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log, log1p, sqrt
from sys import float_info
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array, number
from dynamics.errors import StateError
from dynamics.public import public
from dynamics.record import Record

FINENESS = 0.01
"""How far a quantile may be off, of its own size: the width of a bucket."""
_STEP = log1p(FINENESS)
SMALLEST = 1e-300
"""What is nearer to zero counts as zero in quantiles."""
_LEAST, _MOST = log(SMALLEST), log(float_info.max)


@dataclass(frozen=True, eq=False)
class Distribution(Record):
    """How one watched number is spread over the rows that have one.

    Attributes:
        name: what is watched, as it was asked for.
        count: rows that have a number.
        mean: of them.
        variance: about the mean, of a sample: divided by one less than the count.
        minimum: the least.
        maximum: the greatest.
        largest: (row, value) of the greatest ones, the greatest first.
        smallest: (row, value) of the least ones, the least first.
        buckets: how many values lie in each: bucket k > 0 ends at 1e-300 * 1.01^k, bucket -k is its mirror, 0 is zero.
    """

    name: str
    count: int
    mean: float
    variance: float
    minimum: float
    maximum: float
    largest: tuple[tuple[int, float], ...]
    smallest: tuple[tuple[int, float], ...]
    buckets: Mapping[int, int]

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    @public
    def quantile(self, share: float) -> float:
        """The value that so large a share of all stays below.

        Args:
            share: 0 to 1; 0.5 is the median.

        Returns:
            Within one percent of the sample's own, in the unit of what is watched.

        Raises:
            StateError: for what is no share.

        Cost: linear in the buckets, some hundreds.
        """
        wanted = number(share, "share", "a share, 0 to 1")
        if not 0.0 <= wanted <= 1.0:
            raise StateError(f"share is {wanted:g}; expected a share, 0 to 1.")
        rank, passed = wanted * (self.count - 1), 0
        for bucket in sorted(self.buckets):
            passed += self.buckets[bucket]
            if passed > rank:
                return min(max(_middle(bucket), self.minimum), self.maximum)
        return self.maximum


def _middle(bucket: int) -> float:
    """As far, relatively, from either end of a bucket."""
    if not bucket:
        return 0.0
    size = exp(min(_LEAST + _STEP * (abs(bucket) - 0.5), _MOST))
    return size if bucket > 0 else -size


class Run(NamedTuple):
    """Sums of rows that were solved together, about the first of them: of large numbers beside their spread little is
    left otherwise.

    Attributes:
        size: rows that have a number.
        origin: that of the first of them.
        mean: from there.
        squares: of what each is from the mean, added up.
    """

    size: int
    origin: float
    mean: float
    squares: float


@dataclass(frozen=True, eq=False)
class Part(Record):
    """What a chunk of rows adds to a distribution; whoever has solved them makes it.

    Attributes:
        runs: of rows that were solved together, in order.
        buckets: as ``Distribution`` has them.
        rows: of the ends.
        values: theirs.
    """

    runs: tuple[Run, ...]
    buckets: Mapping[int, int]
    rows: NDArray[np.int64]
    values: Array


def part_of(first: int, values: Array, together: int, worst: int) -> Part:
    """What the rows from ``first`` on add; those without a number are nan.

    Args:
        first: the number of the first row.
        values: (rows,).
        together: rows that are solved together, and whose sums are made together: the same, however rows are cut.
        worst: how many to keep at either end.
    """
    rows, good = np.arange(first, first + len(values)), ~np.isnan(values)
    runs = tuple(_run(values[at : at + together][good[at : at + together]]) for at in range(0, len(values), together))
    rows, values = rows[good], values[good]
    size = np.abs(values)
    place = np.maximum(np.ceil((np.log(np.maximum(size, SMALLEST)) - _LEAST) / _STEP), 1.0)
    bucket = np.where(size < SMALLEST, 0.0, np.copysign(place, values)).astype(np.int64)
    lowest = bucket.min(initial=0)
    counts = np.bincount(bucket - lowest)
    filled = np.flatnonzero(counts)
    buckets = dict(zip((filled + lowest).tolist(), counts[filled].tolist(), strict=True))
    return Part(runs, buckets, *_ends(rows, values, worst))


def _run(values: Array) -> Run:
    if not len(values):
        return Run(0, 0.0, 0.0, 0.0)
    origin = values[0]
    away = values - origin
    mean = away.mean()
    return Run(len(values), float(origin), float(mean), float(((away - mean) ** 2).sum()))


def _ends(rows: NDArray[np.int64], values: Array, worst: int) -> tuple[NDArray[np.int64], Array]:
    """So many at either end; of equal values the row that comes first."""
    if 2 * worst < len(values):
        near = np.argpartition(values, (worst, len(values) - worst - 1))
        edges = values[near[worst]], values[near[-worst - 1]]
        ends = (values <= edges[0]) | (values >= edges[1])
        rows, values = rows[ends], values[ends]
    rising, falling = np.lexsort((rows, values)), np.lexsort((rows, -values))
    kept = np.unique(np.concatenate([rising[:worst], falling[:worst]]))
    return rows[kept], values[kept]


class Tally:
    """Sums over rows that come chunk by chunk, in order, until they are a ``Distribution``."""

    def __init__(self, name: str, worst: int) -> None:
        self.name, self.worst = name, worst
        self.count, self.origin, self.mean, self.squares = 0, 0.0, 0.0, 0.0
        self.buckets: Counter[int] = Counter()
        self.rows, self.values = np.empty(0, dtype=np.int64), np.empty(0)

    def add(self, part: Part) -> None:
        """The next chunk."""
        for run in part.runs:
            if not run.size:
                continue
            if not self.count:
                self.count, self.origin, self.mean, self.squares = run
                continue
            apart, whole = (run.origin - self.origin) + run.mean - self.mean, self.count + run.size
            self.squares += run.squares + apart * apart * self.count * run.size / whole
            self.mean += apart * run.size / whole
            self.count = whole
        self.buckets.update(part.buckets)
        rows, values = np.concatenate([self.rows, part.rows]), np.concatenate([self.values, part.values])
        self.rows, self.values = _ends(rows, values, self.worst)

    def distribution(self) -> Distribution:
        """What has come so far, of one row at least."""
        rising, falling = np.lexsort((self.rows, self.values)), np.lexsort((self.rows, -self.values))
        pairs = [
            tuple((int(self.rows[at]), float(self.values[at])) for at in order[: self.worst])
            for order in (falling, rising)
        ]
        return Distribution(
            name=self.name,
            count=self.count,
            mean=self.origin + self.mean,
            variance=self.squares / (self.count - 1) if self.count > 1 else 0.0,
            minimum=pairs[1][0][1],
            maximum=pairs[0][0][1],
            largest=pairs[0],
            smallest=pairs[1],
            buckets=dict(sorted(self.buckets.items())),
        )
