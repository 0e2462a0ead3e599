"""A paper's table or figure: its printed numbers beside the recomputed ones, and its curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array
from dynamics.papers.counting import OperationCount, Row
from dynamics.record import Record

EXACT = 1e-9
"""Relative difference of two numbers that are equal except for rounding."""
COLUMNS = ("multiplications", "additions", "divisions")


@dataclass(frozen=True)
class PaperResult(Record):
    """A table or figure.

    Attributes:
        name: identifier for callers, e.g. ``jz_table_2``.
        paper: R87, R88, JR, TML or JZ.
        place: the paper's own label.
        title: what it shows.
        description: how its numbers are recomputed here; for a drawing, what replaces it.
        is_drawing: whether it neither prints nor states a number, so that there is nothing to compare.
    """

    name: str
    paper: str
    place: str
    title: str
    description: str
    is_drawing: bool = False


@dataclass(frozen=True)
class PaperNumber(Record):
    """A printed number and ours.

    Attributes:
        row: its row label.
        column: its column label.
        unit: SI, or empty.
        published: as the paper has it.
        ours: as recomputed.
        rounding: how far ours may be from the printed number and still agree: half of its last digit; for a statement
            that two things are equal, floating-point rounding.
        reason: why they differ by more; empty if they do not.
    """

    row: str
    column: str
    unit: str
    published: float
    ours: float
    rounding: float = 0.0
    reason: str = ""

    @property
    def agrees(self) -> bool:
        """Whether ours agrees with the printed number."""
        return abs(self.ours - self.published) <= self.rounding * (1.0 + EXACT) + EXACT * abs(self.published)


@dataclass(frozen=True, eq=False)
class PaperCurve(Record):
    """Lines or points of a figure.

    Attributes:
        label: what they are.
        x: (points,), or (lines, points) for several of one kind.
        y: of the same shape.
        style: ``line``, ``dashed`` or ``points``.
    """

    label: str
    x: Array
    y: Array
    style: str = "line"


@dataclass(frozen=True, eq=False)
class PaperFigure(Record):
    """A figure, redrawn.

    Attributes:
        curves: its lines and points.
        x_label: with its unit.
        y_label: with its unit.
        log_x: whether the x axis is logarithmic.
        log_y: whether the y axis is logarithmic.
        equal: whether both axes have the same scale.
    """

    curves: tuple[PaperCurve, ...]
    x_label: str
    y_label: str
    log_x: bool = False
    log_y: bool = False
    equal: bool = False


@dataclass(frozen=True, eq=False)
class Reproduction(Record):
    """A result recomputed.

    Attributes:
        result: the table or figure.
        numbers: printed and recomputed; empty for a drawing.
        figure: redrawn, if there is something to draw.
    """

    result: PaperResult
    numbers: tuple[PaperNumber, ...]
    figure: PaperFigure | None = None

    @property
    def unexplained(self) -> tuple[PaperNumber, ...]:
        """Numbers that differ without a reason."""
        return tuple(number for number in self.numbers if not (number.agrees or number.reason))


Contents = Iterator[PaperNumber | PaperFigure]
"""The recomputed numbers of one result, and its figure if it has one."""
Entry = tuple[PaperResult, Callable[[], Contents]]


def entries(paper: str, *rows: tuple[str, str, str, str, Callable[[], Contents] | None]) -> tuple[Entry, ...]:
    """A paper's results in its order: name, place, title, text and computation, which a drawing does not have."""
    return tuple(
        (PaperResult(name, paper, place, title, description, compute is None), compute or partial(iter, ()))
        for name, place, title, description, compute in rows
    )


def equality(row: str, column: str, found: ArrayLike, expected: ArrayLike, rounding: float) -> PaperNumber:
    """The statement that two quantities are equal: their difference, relative to their size."""
    return PaperNumber(row, column, "", 0.0, relative(found, expected), rounding)


def curve(label: str, x: Iterable[float], y: Iterable[float], style: str = "line") -> PaperCurve:
    """One line, or points, through numbers of any kind."""
    across, up = (np.array([float(value) for value in each]) for each in (x, y))
    return PaperCurve(label, across, up, style)


def relative(found: ArrayLike, expected: ArrayLike) -> float:
    """The largest difference, relative to the largest expected element."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def row_numbers(rows: Iterable[Row], each: float = 1.0) -> Iterator[PaperNumber]:
    """Operation counts, term by term, of the paper and of the code; ``each``: links, for counts per link."""
    for row in rows:
        for column, published, ours in zip(COLUMNS, row.published, row.counted, strict=False):
            if published or ours:
                reason = "" if published == ours else row.reason
                yield PaperNumber(row.term, column, "", published / each, ours / each, reason=reason)


def total_numbers(count: OperationCount, row: str, reason: str = "", each: float = 1.0) -> Iterator[PaperNumber]:
    """The total multiplications and additions."""
    assert count.published is not None
    for column in COLUMNS[:2]:
        published, ours = getattr(count.published, column) / each, getattr(count, column) / each
        yield PaperNumber(row, column, "", published, ours, reason="" if published == ours else reason)
