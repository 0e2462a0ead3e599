"""What is told of a paper's table or figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from dynamics.checks import Array
from dynamics.record import Record

EXACT = 1e-9
"""By what two numbers that are meant to be one may differ in a computer, of their size."""


@dataclass(frozen=True)
class PaperResult(Record):
    """A table or figure.

    Attributes:
        name: how a caller refers to it: ``jz_table_2``.
        paper: R87, R88, JR, TML or JZ.
        place: as the paper calls it.
        title: what it shows.
        told: how its numbers are recomputed here; of a drawing, what takes its place.
        is_drawing: whether it prints no number and states none: then there is nothing to compare.
    """

    name: str
    paper: str
    place: str
    title: str
    told: str
    is_drawing: bool = False


@dataclass(frozen=True)
class PaperNumber(Record):
    """A printed number beside ours.

    Attributes:
        row: where it stands.
        column: the same, across.
        unit: SI, or nothing.
        published: as the paper has it.
        ours: as it is recomputed.
        rounding: by how much ours may differ and still be the printed number: half of its last digit; of a statement
            that two things are equal, what a computer's own rounding makes.
        reason: why they differ by more; empty where they do not.
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
        """Whether ours is the printed number."""
        return abs(self.ours - self.published) <= self.rounding * (1.0 + EXACT) + EXACT * abs(self.published)


@dataclass(frozen=True, eq=False)
class PaperCurve(Record):
    """Lines or points of a figure.

    Attributes:
        label: what they are.
        x: (points,), or (lines, points) for several of one kind.
        y: as many.
        style: ``line``, ``dashed`` or ``points``.
    """

    label: str
    x: Array
    y: Array
    style: str = "line"


@dataclass(frozen=True, eq=False)
class PaperFigure(Record):
    """A figure drawn anew.

    Attributes:
        curves: what is drawn.
        x_label: with its unit.
        y_label: with its unit.
        log_x: whether its axis is logarithmic.
        log_y: the same of the other.
        equal: whether both axes have one scale.
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
        result: which one.
        numbers: what is printed beside what comes out; nothing for a drawing.
        figure: drawn anew, where there is something to draw.
    """

    result: PaperResult
    numbers: tuple[PaperNumber, ...]
    figure: PaperFigure | None = None

    @property
    def unexplained(self) -> tuple[PaperNumber, ...]:
        """Numbers that differ and do not say why."""
        return tuple(number for number in self.numbers if not (number.agrees or number.reason))


class Found(NamedTuple):
    """What a paper's file answers for one of its results."""

    numbers: tuple[PaperNumber, ...] = ()
    figure: PaperFigure | None = None


Entry = tuple[PaperResult, Callable[[], Found]]


def nothing_to_compare() -> Found:
    """Of a drawing."""
    return Found()


def drawing(name: str, paper: str, place: str, title: str, told: str) -> Entry:
    """A drawing that states no number."""
    return PaperResult(name, paper, place, title, told, is_drawing=True), nothing_to_compare
