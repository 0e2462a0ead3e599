"""Rows sorted into the cells of a picture, block by block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COLUMNS, LEVELS = 60, 40
"""Cells of a picture, across and up."""
SPREAD = 300.0
"""Numbers above zero that are so many times apart are told apart by their powers of ten."""
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


def along(places: Array, ends: tuple[float, float]) -> Array:
    """How far along an axis each place lies, 0 to 1 from its one end to the other."""
    return (places - ends[0]) / (ends[1] - ends[0])


def is_wide(values: Array) -> bool:
    """Whether numbers are told apart by their powers of ten."""
    return _are_wide(float(values.min(initial=np.inf)), float(values.max(initial=0.0)))


def _are_wide(least: float, most: float) -> bool:
    return least > 0.0 and most > SPREAD * least


def cells_of(values: Array, is_log: bool, count: int) -> tuple[NDArray[np.int64], tuple[float, float]]:
    """In which of so many cells each lies, and the ends of all of them."""
    places = np.log10(values) if is_log else values
    ends = _room(float(places.min()), float(places.max()))
    return _at(places, ends, count), ends


def _room(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis; about a single value there is some room."""
    if high > low:
        return low, high
    room = max(abs(low), 1e-300) * 1e-3
    return low - room, high + room


def _at(places: Array, ends: tuple[float, float], count: int) -> NDArray[np.int64]:
    return np.minimum((along(places, ends) * count).astype(np.int64), count - 1)


class Growing:
    """A picture to which rows come block by block."""

    def __init__(self, low: float, high: float, is_step: bool, words: tuple[str, ...]) -> None:
        self._is_log, self._words = is_step or _are_wide(low, high), words
        self._ends = _room(
            *((float(np.log10(low)), float(np.log10(high))) if self._is_log else (float(low), float(high)))
        )
        self._counts = np.zeros(LEVELS * COLUMNS, dtype=np.int64)
        self._rows = np.full(LEVELS * COLUMNS, -1)
        self._sums = np.zeros(COLUMNS)

    def add(self, drawn: Array, level: NDArray[np.int64], away: Array, rows: NDArray[np.int64]) -> None:
        """Rows that come after those before, by where they stand and how far from the mean."""
        column = _at(np.log10(drawn) if self._is_log else drawn, self._ends, COLUMNS)
        cell = level * COLUMNS + column
        self._counts += np.bincount(cell, minlength=LEVELS * COLUMNS)
        first = np.full(LEVELS * COLUMNS, -1)
        first[cell[::-1]] = rows[::-1]  # of several the last that is written stays: the first
        self._rows = np.where(self._rows < 0, first, self._rows)
        with np.errstate(over="ignore", invalid="ignore"):
            self._sums += np.bincount(column, weights=away, minlength=COLUMNS)

    def picture(self, whole: float) -> Picture:
        """What it has become.

        Args:
            whole: all that is watched, squared from its mean and added up.
        """
        shape = LEVELS, COLUMNS
        counts = self._counts.reshape(shape)
        decides = decided(counts.sum(axis=0), self._sums, whole)
        return Picture(
            self._ends, self._is_log, counts.astype(np.int32), self._rows.reshape(shape).astype(np.int32), decides,
            self._words,
        )  # fmt: skip


def decided(counts: NDArray[np.int64], sums: Array, whole: float) -> float:
    """Of the variance of values the share that lies between columns, 0 to 1.

    Pearson's correlation ratio, corrected for chance: an estimate of Sobol's first-order index.

    Args:
        counts: values in each column.
        sums: of how far these are from the mean of all.
        whole: the same of all, squared and added up.
    """
    there, n = int(np.count_nonzero(counts)), int(counts.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        between = float((sums**2 / np.maximum(counts, 1)).sum())
    if not 0.0 < whole < np.inf or n <= there:
        return 0.0
    return float(np.clip(1.0 - (1.0 - between / whole) * (n - 1) / (n - there), 0.0, 1.0))
