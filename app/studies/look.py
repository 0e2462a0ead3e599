"""What is seen of a study, finished or not: counts of rows in cells, one picture for each thing that varies."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

COLUMNS, LEVELS = 60, 40
"""Cells of a picture, across and up."""
SHARES = (0.05, 0.5, 0.95)
"""Quantiles that are followed."""
SPREAD = 300.0
"""Numbers above zero that are so many times apart are told apart by their powers of ten."""
STEP = "dt"
"""What varies in powers of ten, however few."""
Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Picture:
    """Rows by cells: what varies across, what is watched upward.

    Attributes:
        ends: of what varies; of a logarithmic one its exponents.
        is_log: whether that is so.
        counts: (levels, columns).
        rows: (levels, columns), the first row in each cell; -1 where there is none.
        decides: of the variance of what is watched, the share that goes with this variable alone.
        words: what the numbers stand for, if they are places of words.
    """

    ends: tuple[float, float]
    is_log: bool
    counts: NDArray[np.int32]
    rows: NDArray[np.int32]
    decides: float
    words: tuple[str, ...] = ()

    def number(self, drawn: float | str) -> float:
        """Where a value of what varies stands, before any logarithm."""
        return float(self.words.index(drawn)) if isinstance(drawn, str) else drawn


@dataclass(frozen=True, eq=False)
class Look:
    """A study as far as it has come.

    Attributes:
        study: with no column of values.
        wanted: rows in all.
        ends: of what is watched, as a picture shows it; its exponents if it is logarithmic.
        is_log: whether that is so.
        pictures: what varies -> rows by cells, that which decides most first.
        largest, smallest: (rows, pictures), where what varies lies in its picture, 0 to 1, in the rows at either end.
        steps: (rows, mean, quantiles at ``SHARES``), after each doubling.
    """

    study: dyn.Study
    wanted: int
    ends: tuple[float, float]
    is_log: bool
    pictures: Mapping[str, Picture]
    largest: Array
    smallest: Array
    steps: tuple[tuple[float, ...], ...]

    @property
    def found(self) -> dyn.Distribution:
        """How what is watched is spread."""
        return next(iter(self.study.found.values()))

    @property
    def rows_are(self) -> str:
        """What its rows are."""
        return row_words(self.study.problem.course is not None)


def row_words(are_motions: bool) -> str:
    """What the rows of a study are."""
    return "motions" if are_motions else "states"


def look_at(study: dyn.Study, wanted: int, steps: tuple[tuple[float, ...], ...]) -> Look:
    """Sorts all rows into cells.

    Args:
        steps: of looks before this one.
    """
    name = next(iter(study.found))
    values = study.column(name)
    rows = np.flatnonzero(np.isfinite(values))
    values = values[rows]
    is_log = is_wide(values)
    level, ends = _cells(values, is_log, LEVELS)
    drawn = study.problem.drawn(0, study.size)
    pictures = {
        one.name: _picture(column[rows], one.name == STEP, one.words, level, values, rows)
        for one, column in zip(study.problem.variables, drawn.T, strict=True)
    }
    found = study.found[name]
    step = (float(found.count), found.mean, *(found.quantile(share) for share in SHARES))
    ordered = dict(sorted(pictures.items(), key=lambda item: -item[1].decides))
    places = [list(pictures).index(name) for name in ordered]

    def across(kept: Sequence[tuple[int, float]]) -> Array:
        own = drawn[[row for row, _ in kept]][:, places]
        shares = [
            along(np.log10(column) if one.is_log else column, one.ends)
            for column, one in zip(own.T, ordered.values(), strict=True)
        ]
        return np.stack(shares, axis=1)

    bare = dataclasses.replace(study, values=None)
    at_ends = across(found.largest), across(found.smallest)
    return Look(bare, wanted, ends, is_log, ordered, *at_ends, (*steps, step))


def along(places: Array, ends: tuple[float, float]) -> Array:
    """How far along an axis each place lies, 0 to 1 from its one end to the other."""
    return (places - ends[0]) / (ends[1] - ends[0])


def is_wide(values: Array) -> bool:
    """Whether numbers are told apart by their powers of ten."""
    least = float(values.min(initial=np.inf))
    return bool(least > 0.0 and float(values.max(initial=0.0)) > SPREAD * least)


def _cells(values: Array, is_log: bool, count: int) -> tuple[NDArray[np.int64], tuple[float, float]]:
    """In which of so many cells each lies, and the ends of all of them."""
    places = np.log10(values) if is_log else values
    low, high = float(places.min()), float(places.max())
    if not high > low:
        room = max(abs(low), 1e-300) * 1e-3
        low, high = low - room, high + room
    return np.minimum((along(places, (low, high)) * count).astype(np.int64), count - 1), (low, high)


def _picture(
    drawn: Array,
    is_step: bool,
    words: tuple[str, ...],
    level: NDArray[np.int64],
    values: Array,
    rows: NDArray[np.int64],
) -> Picture:
    is_log = is_step or is_wide(drawn)
    column, ends = _cells(drawn, is_log, COLUMNS)
    cell = level * COLUMNS + column
    counts = np.bincount(cell, minlength=LEVELS * COLUMNS)
    first = np.full(LEVELS * COLUMNS, -1)
    first[cell[::-1]] = rows[::-1]  # of several the last that is written stays: the first
    shape = LEVELS, COLUMNS
    return Picture(
        ends, is_log, counts.reshape(shape).astype(np.int32), first.reshape(shape).astype(np.int32),
        decided(column, values), words,
    )  # fmt: skip


def decided(column: NDArray[np.int64], values: Array) -> float:
    """Of the variance of values the share that lies between columns, 0 to 1.

    Pearson's correlation ratio, corrected for chance: an estimate of Sobol's first-order index.
    """
    counts = np.bincount(column, minlength=COLUMNS)
    there, n = int(np.count_nonzero(counts)), len(values)
    with np.errstate(over="ignore", invalid="ignore"):
        away = values - values.mean()
        whole = float((away * away).sum())
        sums = np.bincount(column, weights=away, minlength=COLUMNS)
        between = float((sums**2 / np.maximum(counts, 1)).sum())
    if not 0.0 < whole < np.inf or n <= there:
        return 0.0
    return float(np.clip(1.0 - (1.0 - between / whole) * (n - 1) / (n - there), 0.0, 1.0))
