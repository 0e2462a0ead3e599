"""Numbers that count what is done with them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Cost(NamedTuple):
    """Operations; additions include subtractions, a change of sign is none."""

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    trigonometric: int = 0
    square_roots: int = 0

    def plus(self, other: Cost) -> Cost:
        return Cost(*(a + b for a, b in zip(self, other, strict=True)))

    def minus(self, other: Cost) -> Cost:
        return Cost(*(a - b for a, b in zip(self, other, strict=True)))

    @property
    def steps(self) -> int:
        """Multiplications, additions and divisions together."""
        return self.multiplications + self.additions + self.divisions


class Tally:
    """Where numbers of one run count, term by term.

    Attributes:
        term: the term that counts at present; ``""`` for whatever has no name.
        counts: term -> [multiplications, additions, divisions, trigonometric calls, square roots].
    """

    def __init__(self) -> None:
        self.term = ""
        self.counts: dict[str, list[int]] = {"": [0] * len(Cost._fields)}

    def enter(self, term: str) -> None:
        self.term = term
        self.counts.setdefault(term, [0] * len(Cost._fields))

    def cost(self, *terms: str) -> Cost:
        """Of the named terms, or of everything."""
        rows = [self.counts[term] for term in (terms or self.counts) if term in self.counts]
        return Cost(*(sum(column) for column in zip(*rows, strict=True))) if rows else Cost()


def _counted(operation: int, result: Callable[[float, float], float]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Arithmetic with the counting number on the left, and on the right."""
    return (
        lambda self, other: self.counted(operation, result(float(self), float(other)), other),
        lambda self, other: self.counted(operation, result(float(other), float(self)), other),
    )


class CountingNumber(float):
    """A float that counts. ``path`` is the longest chain of work that led to it, where a twin keeps track."""

    __array_ufunc__ = None  # numpy's own numbers leave arithmetic with these to these
    __slots__ = ("path", "tally")
    path: Cost
    tally: Tally

    def __new__(cls, value: float, tally: Tally, path: Cost = Cost()) -> CountingNumber:  # noqa: B008 - immutable
        number = super().__new__(cls, value)
        number.tally, number.path = tally, path
        return number

    def counted(self, operation: int, value: float, other: object = None) -> CountingNumber:
        """The result of an operation with this number, on the tally."""
        self.tally.counts[self.tally.term][operation] += 1
        path = self.path
        if isinstance(other, CountingNumber) and other.path is not path and other.path.steps > path.steps:
            path = other.path
        return CountingNumber(value, self.tally, path)

    __mul__, __rmul__ = _counted(0, operator.mul)
    __add__, __radd__ = _counted(1, operator.add)
    __sub__, __rsub__ = _counted(1, operator.sub)
    __truediv__, __rtruediv__ = _counted(2, operator.truediv)

    def call(self, function: Callable[..., float], *others: Any) -> CountingNumber:
        """A function of this number: a square root, or a trigonometric call."""
        return self.counted(4 if function is math.sqrt else 3, function(self, *others))

    def __neg__(self) -> CountingNumber:
        return CountingNumber(-float(self), self.tally, self.path)

    def __abs__(self) -> CountingNumber:
        return CountingNumber(abs(float(self)), self.tally, self.path)


def counting(value: Any, tally: Tally) -> Any:
    """Every float in tuples, lists and arrays as a counting number; whole numbers and truth values stay."""
    if isinstance(value, np.ndarray):
        if not np.issubdtype(value.dtype, np.floating):
            return value.copy()
        table = np.empty(value.shape, dtype=object)
        table.ravel()[:] = [CountingNumber(x, tally) for x in value.ravel().tolist()]
        return table
    if isinstance(value, tuple):
        parts = [counting(part, tally) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list):
        return [counting(part, tally) for part in value]
    return CountingNumber(value, tally) if isinstance(value, float) else value
