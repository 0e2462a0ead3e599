"""The usual mistake that explains a typed line.

First the published line is edited until it has the value of the typed line wherever it runs; then the typed line is
edited until it has the published value. Either names the mistake, however the line is spelled; nothing is looked up.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.errors import LineError
from dynamics.exercise.edits import Edit, Kind, edits, is_partner
from dynamics.exercise.naming import Mistake, named
from dynamics.exercise.places import AGREES, Place, spanned
from dynamics.typed.grammar import Typed, written

ALIKE = 1e-11
"""Largest difference, relative to the size of the line, of two spellings of one mistake."""
TWICE: tuple[Kind, ...] = ("transposed", "negated", "dropped")
"""Mistakes of which any two are looked for at once; besides these, two factors that are left out."""
OTHERWISE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "G": ("P @ H.T / (H @ P @ H.T + I_r)",),
        "z_plus": ("z + P @ H.T @ eps / D", "z + G @ (tau - tau_loss - H @ z)"),
        "S": ("(I + G_s @ H) @ S_plus @ (I + G_s @ H).T + G_s @ I_r @ G_s.T",),
        "P_plus": ("(I - G @ H) @ P @ (I - G @ H).T + G @ I_r @ G.T", "P - P @ H.T @ H @ P / D"),
    }
)
"""Other forms of a line that textbooks print: gain or innovation written out, Joseph's form."""
MOST_TRIED = 300
"""Edits of a typed line: the text's own lines have a hundred at most, nonsense has thousands."""


def explained(
    right: Typed, typed: Typed, places: Sequence[Place], letters: Sequence[str], letter: str, has_rotors: bool
) -> tuple[Mistake, ...]:
    """The mistake that explains a typed line, or the two; none if no usual one does.

    Args:
        right: the published line.
        typed: the line with the mistake.
        places: where both are evaluated; the first ones tell most things apart.
        letters: in the line's scope.
        letter: that the line computes.
        has_rotors: as for ``named``.
    """
    found = _Search(right, typed, places, letters, letter, has_rotors).found()
    return tuple({each.words: each for each in found}.values())  # in two places it is told once


class _Search:
    """The search for one typed line; parts that trees share with the typed and the published one are evaluated once."""

    def __init__(
        self, right: Typed, typed: Typed, places: Sequence[Place], letters: Sequence[str], letter: str, has_rotors: bool
    ) -> None:
        self._right, self._typed, self._letters, self._letter = right, typed, letters, letter
        self._has_rotors = has_rotors
        self._places = sorted(places, key=lambda place: -len(place.known))
        self._indices = [name for name, value in self._places[0].scope.items() if isinstance(value, int)]
        nodes = [*ast.walk(right.node), *ast.walk(typed.node)]
        self._kept: list[dict[ast.AST, Any]] = [dict.fromkeys(nodes) for _ in places]
        try:
            self._values = [self._value(at, typed.node) for at in range(len(self._places))]
        except LineError:
            self._values = []

    def _value(self, at: int, node: ast.expr) -> Array:
        """A tree's value at a place; of directions the projector on their span, which any basis has."""
        value = self._places[at].value_of(Typed(self._right.text, node), self._kept[at])
        return spanned(value) if self._letter == "N" else value

    def found(self) -> tuple[Mistake, ...]:
        """The mistakes, if they are found."""
        names = {each.id for each in ast.walk(self._typed.node) if isinstance(each, ast.Name)}
        own = [name for name in self._letters if name in names]  # only what is typed was mistaken for anything
        published = list(edits(self._right.node, own, self._indices)) if self._values else []
        for edit in published:
            if self._is_typed(edit.node):
                return (self._in_own_words(edit),)
        for text in OTHERWISE.get(self._letter, ()):
            for edit in edits(written(text).node, (), self._indices):
                if self._is_typed(edit.node):
                    return (named(edit, False, self._has_rotors),)
        for edit in islice(edits(self._typed.node, self._letters, self._indices), MOST_TRIED):
            if self._is_right(edit.node):
                return (named(edit, True, self._has_rotors),)
        for first in published:
            is_order = first.kind == "letter" and is_partner(first)
            also = ("omitted",) if first.kind == "omitted" else TWICE if first.kind in TWICE or is_order else ()
            for second in edits(first.node, (), self._indices) if also else ():
                if second.kind in also and self._is_typed(second.node):
                    return named(first, False, self._has_rotors), named(second, False, self._has_rotors)
        return ()

    def _in_own_words(self, edit: Edit) -> Mistake:
        """Factors in another order are named as they were typed, where that is right but for their order."""
        for own in edits(self._typed.node, (), self._indices) if edit.kind == "swapped" else ():
            if own.kind == "swapped" and self._is_right(own.node):
                return named(own, True, self._has_rotors)
        return named(edit, False, self._has_rotors)

    def _is_typed(self, node: ast.expr) -> bool:
        """Whether a tree has the values of the typed line everywhere."""
        try:
            return bool(self._values) and all(
                (found := self._value(at, node)).shape == value.shape and _alike(found, value, self._places[at].size)
                for at, value in enumerate(self._values)
            )
        except LineError:
            return False

    def _is_right(self, node: ast.expr) -> bool:
        tree = Typed(self._typed.text, node)
        try:
            return all(
                place.difference(place.value_of(tree, kept), self._letter) <= AGREES
                for place, kept in zip(self._places, self._kept, strict=True)
            )
        except LineError:
            return False


def _alike(found: Array, value: Array, size: float) -> bool:
    bad = ~np.isfinite(value)
    if bad.any():
        return bool(np.array_equal(bad, ~np.isfinite(found)))
    return bool(np.abs(found - value).max(initial=0.0) <= ALIKE * max(size, float(np.abs(value).max(initial=0.0))))
