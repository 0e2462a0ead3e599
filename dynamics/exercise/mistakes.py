"""Which usual mistake explains what was typed, and what it is called.

First the published line is edited until it comes to what was typed, wherever it runs; then what was typed is edited
until it comes to what is published. Either names the mistake, however the line is spelled; nothing is looked up.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.errors import LineError
from dynamics.exercise.edits import Edit, Kind, edits, is_partner, name_of
from dynamics.exercise.naming import Mistake, named
from dynamics.exercise.places import AGREES, Place, spanned
from dynamics.textbook.symbols import SYMBOLS
from dynamics.typed import Typed, written
from dynamics.typed.interpreter import OWN_INDEX

ALIKE = 1e-11
"""Largest difference, relative to the size of the line, of two spellings of one mistake."""
TWICE: tuple[Kind, ...] = ("transposed", "negated", "dropped")
"""Mistakes of which any two are looked for at once."""
BOTH: Mapping[Kind, tuple[Kind, ...]] = MappingProxyType(
    {
        "direction": ("direction", "transposed", "sides", "dropped"),
        "omitted": ("omitted", "dropped"),
        "sides": ("dropped", "direction"),
        "dropped": (*TWICE, "letter"),
        "within": ("within", "index", "dropped"),
    }
)
"""Mistakes beside which another one is made: at both sides of a matrix, or where a term is left out."""
OTHERWISE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "G": ("P @ H.T / (H @ P @ H.T + I_r)",),
        "z_plus": ("z + P @ H.T @ eps / D", "z + G @ (tau - tau_loss - H @ z)"),
        "nu": ("(tau - tau_loss - H @ z) / D", "eps / (H @ P @ H.T + I_r)"),
        "tau_bar": ("I - P @ H.T @ H / D",),
        "G_s": ("-S_plus @ H.T / (H @ S_plus @ H.T + I_r)",),
        "S": ("(I + G_s @ H) @ S_plus @ (I + G_s @ H).T + G_s @ I_r @ G_s.T",),
        "P_plus": ("(I - G @ H) @ P @ (I - G @ H).T + G @ I_r @ G.T", "P - P @ H.T @ H @ P / D"),
    }
)
"""Lines as somebody may have learnt them who goes wrong in them: Joseph's form, gain or innovation written out."""
MOST_TRIED = 300
"""Edits of what was typed, and pairs of them: the text's own lines have a hundred at most, nonsense has thousands."""
MISFITS: tuple[Kind, ...] = ("transposed", "sides", "omitted", "swapped")
"""Mistakes after which shapes may not fit: beside each another one is looked for."""


def explained(
    right: Typed, typed: Typed, places: Sequence[Place], letters: Sequence[str], letter: str, has_rotors: bool
) -> tuple[Mistake, ...]:
    """The mistake that explains what was typed; none if no usual one does.

    Args:
        right: the published line.
        typed: what is wrong with it is looked for.
        places: where both are worked out; the first ones tell most things apart.
        letters: in the line's scope.
        letter: that the line computes.
        has_rotors: as for ``named``.
    """
    found = _Search(right, typed, places, letters, letter, has_rotors).found()
    return tuple({each.words: each for each in found}.values())  # in two places it is told once


class _Search:
    """What explains a line; parts that its trees share with the typed and the published one are worked out once."""

    def __init__(
        self, right: Typed, typed: Typed, places: Sequence[Place], letters: Sequence[str], letter: str, has_rotors: bool
    ) -> None:
        self._right, self._typed, self._letters, self._letter = right, typed, letters, letter
        self._has_rotors = has_rotors
        self._places = sorted(places, key=lambda place: -len(place.known))
        self._indices = [name for name, value in self._places[0].scope.items() if isinstance(value, int)]
        nodes = [*ast.walk(right.node), *ast.walk(typed.node)]
        self._kept: list[dict[ast.AST, Any]] = [dict.fromkeys(nodes) for _ in places]
        self._values, self._fit = self._of_typed()

    def _of_typed(self) -> tuple[list[Array], bool]:
        """What was typed comes to everywhere, or nothing; and whether it can be worked out and has the right shape."""
        try:
            found = [self._told(self._value(at, self._typed)) for at in range(len(self._places))]
        except LineError:
            return [], False
        return found, all(
            value.shape == self._told(place.value).shape for value, place in zip(found, self._places, strict=True)
        )

    def _value(self, at: int, typed: Typed) -> Array:
        return self._places[at].value_of(typed, self._kept[at])

    def _told(self, value: Array) -> Array:
        """What counts of a value: of directions what they span, whichever basis of it they are."""
        return spanned(value) if self._letter == "N" else value

    def found(self) -> tuple[Mistake, ...]:
        """The mistakes, if they are found."""
        names = {each.id for each in ast.walk(self._typed.node) if isinstance(each, ast.Name)}
        own = [name for name in self._letters if name in names]  # what is not typed was not taken for anything
        found = list(edits(self._right.node, own, self._indices))
        if not self._fit:
            return self._of_what_does_not_fit(found)
        for edit in found:
            if self._comes_to(edit.node):
                return (self._in_own_words(edit),)
        for text in OTHERWISE.get(self._letter, ()):
            for edit in edits(written(text).node, (), self._indices):
                if self._comes_to(edit.node):
                    return (self._named(edit, is_repair=False),)
        if repaired := self._repaired():
            return (repaired,)
        for first in [edit for edit in found if edit.kind in (*TWICE, *BOTH) or is_order(edit)]:
            also = BOTH.get(first.kind, TWICE)
            for second in edits(first.node, own if "letter" in also else (), self._indices):
                if second.kind in also and not is_order(second) and self._comes_to(second.node):
                    return (self._named(first, is_repair=False), self._named(second, is_repair=False))
        return ()

    def _named(self, edit: Edit, is_repair: bool) -> Mistake:
        return named(edit, is_repair, self._has_rotors)

    def _in_own_words(self, edit: Edit) -> Mistake:
        """Factors in another order are told as they were typed, where that is right but for their order."""
        for own in edits(self._typed.node, (), self._indices) if edit.kind == "swapped" else ():
            if own.kind == "swapped" and self._is_right(own.node):
                return self._named(own, is_repair=True)
        return self._named(edit, is_repair=False)

    def _of_what_does_not_fit(self, found: Sequence[Edit]) -> tuple[Mistake, ...]:
        """Of a line that cannot be worked out: the same tree as with a mistake, or right but for one, or for two."""
        written = _spelled_out(self._typed.node, self._places[0])
        for edit in found:
            if _is_same(edit.node, written):
                return (self._named(edit, is_repair=False),)
        if repaired := self._repaired():
            return (repaired,)
        for edit in found if self._values else ():  # the same, spelled otherwise
            if self._comes_to(edit.node):
                return (self._named(edit, is_repair=False),)
        for first in [edit for edit in found if edit.kind in MISFITS or is_turned(edit)]:
            for second in edits(first.node, (), self._indices):
                if second.kind in (*TWICE, "omitted") and _is_same(second.node, written):
                    return (self._named(first, is_repair=False), self._named(second, is_repair=False))
        for first, second in islice(_turned_twice(self._typed.node, self._indices), MOST_TRIED):
            if self._is_right(second.node):
                return (self._named(first, is_repair=True), self._named(second, is_repair=True))
        return ()

    def _repaired(self) -> Mistake | None:
        for edit in islice(edits(self._typed.node, self._letters, self._indices), MOST_TRIED):
            if self._is_right(edit.node):
                return self._named(edit, is_repair=True)
        return None

    def _comes_to(self, node: ast.expr) -> bool:
        """Whether a tree has the values of what was typed everywhere."""
        tree = Typed(self._right.text, node)
        try:
            return all(
                (found := self._told(self._value(at, tree))).shape == value.shape
                and _alike(found, value, self._places[at].size)
                for at, value in enumerate(self._values)
            )
        except LineError:
            return False

    def _is_right(self, node: ast.expr) -> bool:
        tree = Typed(self._typed.text, node)
        try:
            return all(
                place.difference(self._value(at, tree), self._letter) <= AGREES for at, place in enumerate(self._places)
            )
        except LineError:
            return False


def is_order(edit: Edit) -> bool:
    """Whether it takes what is predicted for what is corrected, or the other way round."""
    return edit.kind == "letter" and is_partner(edit)


def is_turned(edit: Edit) -> bool:
    """Whether it takes a letter for one that stands as a row where that is a column, or the other way round."""
    return edit.kind == "letter" and ast.Attribute in (type(edit.part), type(edit.after))


def _turned_twice(node: ast.expr, indices: Sequence[str]) -> Iterator[tuple[Edit, Edit]]:
    """Something turned or taken for the identity, and something turned or exchanged besides."""
    for first in edits(node, (), indices):
        for second in edits(first.node, (), indices) if first.kind in ("transposed", "identity") else ():
            if second.kind in ("transposed", "swapped"):
                yield first, second


def _alike(found: Array, value: Array, size: float) -> bool:
    bad = ~np.isfinite(value)
    if bad.any():
        return bool(np.array_equal(bad, ~np.isfinite(found)))
    return bool(np.abs(found - value).max(initial=0.0) <= ALIKE * max(size, float(np.abs(value).max(initial=0.0))))


def _is_same(one: object, other: object) -> bool:
    """Whether two trees are the same text; most differ at once."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if not isinstance(one, ast.AST):
        return one == other
    names = (name for name in one._fields if name not in ("ctx", "kind"))
    return all(_is_same(getattr(one, name), getattr(other, name)) for name in names)


def _spelled_out(node: ast.expr, place: Place) -> ast.expr:
    """The tree with an index at each letter that was typed without."""

    class Indexed(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            return node

        def visit_Call(self, node: ast.Call) -> ast.AST:
            if name_of(node) not in SYMBOLS:
                self.generic_visit(node)
            return node

        def visit_Name(self, node: ast.Name) -> ast.AST:
            own = OWN_INDEX.get(SYMBOLS[node.id].at, "") if node.id in SYMBOLS else ""
            array = place.scope.get(node.id)
            if own in place.scope and isinstance(array, np.ndarray) and array.ndim == 3:
                return ast.Subscript(node, ast.Name(own, ast.Load()), ast.Load())
            return node

    spelled: ast.expr = Indexed().visit(copy.deepcopy(node))
    return spelled
