"""All places where a line runs: the letters at that point, and the value of the published line."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.reading.evaluation import hooked_sweep
from dynamics.reading.lines import Line, lines_of, lines_run
from dynamics.reading.reading import Reading
from dynamics.system.system import System
from dynamics.textbook.stages import Part, parts_of
from dynamics.typed.arithmetic import SizedMatrix
from dynamics.typed.grammar import Parse, written
from dynamics.typed.interpreter import Interpreter

AGREES = 1e-12
"""Largest difference of two values that are equal to rounding, relative to the size of their terms."""
AFTERWARDS = "smoother_final"
"""The stage that runs the lines of another stage again."""


@dataclass(frozen=True, eq=False)
class Place:
    """A line about to run.

    Attributes:
        scope: letters, indices and operators by name, as they are before it runs.
        link, contact: the link and contact; -1 for none.
        value: the published line's value.
        size: the largest entry of that value if nothing cancelled.
        computed: letters that the sweep itself computes.
        known: those already computed, with their indices.
    """

    scope: Mapping[str, Any]
    link: int
    contact: int
    value: Array
    size: float
    computed: frozenset[str]
    known: frozenset[tuple[str, tuple[int, ...]]]

    def is_known(self, letter: str, indices: tuple[int, ...]) -> bool:
        """Whether a letter has already been computed, or was given."""
        return letter not in self.computed or (letter, indices) in self.known

    def value_of(self, typed: Parse, kept: dict[ast.AST, Any] | None = None) -> Array:
        """The value of a typed line here.

        Args:
            kept: nodes whose values are kept from one line to the next.

        Raises:
            LineError: if it cannot be evaluated.
        """
        found: Array = Interpreter(typed, self.scope, self.is_known, kept=kept).value(self.value.shape)
        return found

    def difference(self, value: Array, letter: str) -> float:
        """A value's difference from the published one, relative to ``size``; infinite if it has another shape."""
        if value.shape != self.value.shape and letter != "N":
            return float("inf")
        left, right = (spanned(value), spanned(self.value)) if letter == "N" else (value, self.value)
        if left.shape != right.shape:
            return float("inf")
        gap = float(np.abs(left - right).max(initial=0.0))
        if not np.isfinite(gap):
            return float("inf")
        size = max(self.size, 1.0) if letter == "N" else self.size
        return gap / size if size > 0.0 else (0.0 if gap == 0.0 else float("inf"))


def spanned(basis: Array) -> Array:
    """The projector on the span of the columns, the same for every basis."""
    if not np.isfinite(basis).all():
        return np.full((len(basis), len(basis)), np.nan)
    return np.asarray(basis @ np.linalg.pinv(basis))


def part_with(system: System, key: str) -> tuple[Part, Line] | None:
    """The part of a system's text that runs a line first, and the line."""
    for part in parts_of(system):
        for line in lines_run(system, part):
            if line.key == key and part.stage != AFTERWARDS:
                return part, line
    return None


def right_of(line: Line) -> str:
    """The published right side of a line."""
    return ast.unparse(line.statement.value)


def places_of(reading: Reading, key: str) -> tuple[Place, ...]:
    """The places where a line runs at a moment, in the order of the sweep; none if the system does not run it."""
    found = part_with(reading.system, key)
    if found is None:
        return ()
    part, line = found
    recorder = _Recorder(part, line)
    keys = frozenset(each.key for each in lines_of(part.text) if each.function == part.function)
    sweep = hooked_sweep(part, frozenset(), keys, recorder)
    inputs = {name: reading.evaluation.scopes[part][name] for name in sweep.parameters}
    for before, computed in reading.evaluation.computed.items():
        if before is part:
            break  # a letter that the part computes again has the value from the parts before it
        inputs |= {name: reading.evaluation.scopes[before][name] for name in computed if name in inputs}
    with np.errstate(all="ignore"):
        sweep.function(**inputs)
    return tuple(recorder.places)


class _Recorder:
    """Runs the published lines, and records the scope whenever the wanted line runs."""

    def __init__(self, part: Part, line: Line) -> None:
        self._lines = {each.key: each for each in lines_of(part.text) if each.function == part.function}
        self._line, self._typed = line, written(right_of(line))
        self._computed = frozenset(each.letter for each in self._lines.values())
        self._known: set[tuple[str, tuple[int, ...]]] = set()
        self.places: list[Place] = []

    def __call__(self, key: str, published: Callable[[], Any], scope: dict[str, Any]) -> Any:
        value, line = published(), self._lines[key]
        if key == self._line.key:
            self.places.append(self._place(value, scope))
        self._known.add((line.letter, tuple(scope[each.id] for each in line.indices if isinstance(each, ast.Name))))
        return value

    def _place(self, value: Any, scope: dict[str, Any]) -> Place:
        own = {
            name: each.copy() if name in self._computed and isinstance(each, np.ndarray) else each
            for name, each in scope.items()
        }
        sized = Interpreter(self._typed, own, operand=SizedMatrix.of).value()
        found = np.asarray(value, dtype=float) if np.ndim(value) == 2 else np.zeros(np.shape(sized.value))
        if np.ndim(value) == 0:  # a sum over no neighbors
            found = np.zeros(scope[self._line.letter].shape[-2:])
        size = float(np.abs(sized.size).max(initial=0.0))
        link, contact = scope.get("k", -1), scope.get("c", -1)
        return Place(own, link, contact, found, size, self._computed, frozenset(self._known))
