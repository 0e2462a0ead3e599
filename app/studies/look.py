"""What is seen of a study, finished or not: counts of rows in cells, one picture for each thing that varies."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.studies.cells import LEVELS, Array, Growing, Picture, along, cells_of, is_wide

SHARES = (0.05, 0.5, 0.95)
"""Quantiles that are followed."""
BLOCK = 65_536
"""Rows whose draws are in memory at once."""
STEP = "dt"
"""What varies in powers of ten, however few."""


@dataclass(frozen=True, eq=False)
class Look:
    """A study as far as it has come.

    Attributes:
        study: with no column of values.
        wanted: rows in all.
        ends: of what is watched, as a picture shows it; its exponents if it is logarithmic.
        is_log: whether that is so.
        pictures: what varies, or is watched beside it -> rows by cells, that which decides most first.
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
    def first(self) -> str:
        """What is shown across unless something else is chosen: what is watched beside, or what decides most."""
        beside = list(self.study.found)[1:]
        return next(iter((*beside, *self.pictures)))

    @property
    def rows_are(self) -> str:
        """What its rows are."""
        return row_words(self.study.problem.course is not None)


def row_words(are_motions: bool) -> str:
    """What the rows of a study are."""
    return "motions" if are_motions else "states"


def look_at(study: dyn.Study, wanted: int, steps: tuple[tuple[float, ...], ...]) -> Look:
    """Sorts all rows into cells: what varies, and what else is watched, against what is watched first.

    All that varies is drawn again, twice, some rows at a time: however many they are, memory holds a block.

    Args:
        steps: of fewer rows.
    """
    name, *beside = study.found
    values = study.column(name)
    is_good = np.isfinite(values)
    is_log = is_wide(values[is_good])
    level, ends = cells_of(values[is_good], is_log, LEVELS)
    columns = {other: study.column(other) for other in beside}
    made = _grown(study, columns, values, is_good, level)
    ordered = dict(sorted(made.items(), key=lambda item: -item[1].decides))
    places = [list(made).index(one) for one in ordered]

    def across(kept: Sequence[tuple[int, float]]) -> Array:
        own = np.array([_row(study, columns, row, 1)[0] for row, _ in kept])[:, places]
        shares = [
            along(np.log10(column) if one.is_log else column, one.ends)
            for column, one in zip(own.T, ordered.values(), strict=True)
        ]
        return np.stack(shares, axis=1)

    bare = dataclasses.replace(study, values=None)
    at_ends = across(study.found[name].largest), across(study.found[name].smallest)
    return Look(bare, wanted, ends, is_log, ordered, *at_ends, (*steps, step_of(study)))


def step_of(study: dyn.Study) -> tuple[float, ...]:
    """Rows, mean and quantiles at ``SHARES``, so far, of what is watched first."""
    found = next(iter(study.found.values()))
    return (float(found.count), found.mean, *(found.quantile(share) for share in SHARES))


def _row(study: dyn.Study, columns: Mapping[str, Array], first: int, count: int) -> Array:
    """(count, pictures): what varies in rows, and what else is watched."""
    own = [column[first : first + count] for column in columns.values()]
    return np.column_stack([study.problem.drawn(first, count), *own])


def _grown(
    study: dyn.Study,
    columns: Mapping[str, Array],
    values: Array,
    is_good: NDArray[np.bool_],
    level: NDArray[np.int64],
) -> dict[str, Picture]:
    """A picture for each thing that varies, and for each of ``columns``.

    Args:
        values: (rows,), what is watched.
        is_good: (rows,), whether there is a number.
        level: of those that are, how far up.
    """
    known = [(one.name, one.name == STEP, one.words) for one in study.problem.variables]
    known += [(name, False, ()) for name in columns]
    starts = range(0, study.size, BLOCK)
    low, high = np.full(len(known), np.inf), np.full(len(known), -np.inf)
    for at in starts:
        block = _row(study, columns, at, min(BLOCK, study.size - at))
        block = block[is_good[at : at + BLOCK]]
        low = np.minimum(low, block.min(axis=0, initial=np.inf))
        high = np.maximum(high, block.max(axis=0, initial=-np.inf))
    away = values[is_good] - values[is_good].mean()
    ends = zip(low.tolist(), high.tolist(), strict=True)
    growing = [Growing(*pair, is_step, words) for pair, (_, is_step, words) in zip(ends, known, strict=True)]
    placed = 0
    for at in starts:
        rows = at + np.flatnonzero(is_good[at : at + BLOCK])
        block = _row(study, columns, at, min(BLOCK, study.size - at))[rows - at]
        mine = slice(placed, placed + len(rows))
        placed += len(rows)
        for column, one in zip(block.T, growing, strict=True):
            one.add(column, level[mine], away[mine], rows)
    with np.errstate(over="ignore"):
        whole = float((away * away).sum())
    return {name: one.picture(whole) for (name, _, _), one in zip(known, growing, strict=True)}
