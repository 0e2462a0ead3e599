"""The common mistake that explains a typed line, its name, and a rule that helps to avoid it.

First the published line is edited until it has the value of the typed line wherever it runs; then the typed line is
edited until it has the published value. Either edit names the mistake, however the line is written, without a table.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.errors import LineError
from dynamics.reading.edits import ADDING, Edit, Kind, edits, name_of
from dynamics.reading.grammar import Parse, written
from dynamics.reading.places import AGREES, Place, spanned
from dynamics.record import Record

ROTOR = "I_r"
TERMS: Mapping[frozenset[str], str] = MappingProxyType(
    {
        frozenset(("w", "g", "w_C")): "gravity: ",
        frozenset(("b", "b_C")): "the bias due to velocity and weight: ",
        frozenset(("eta", "a_0")): "the bias due to velocity: ",
        frozenset("a"): "the bias acceleration due to velocity: ",
        frozenset(("f", "f_C")): "the external force: ",
        frozenset((ROTOR,)): "the rotor's inertia: ",
        frozenset(("tau",)): "the torque: ",
        frozenset(("tau_loss",)): "the torque lost to friction: ",
        frozenset(("q", "q_s", "R")): "the contribution of the contacts or of other branches: ",
    }
)
"""The meaning of a term that contains one of these letters."""
BIASES = {"w", "g", "w_C", "b", "b_C", "a", "eta", "a_0"}


@dataclass(frozen=True, eq=False)
class Mistake(Record):
    """A recognised common mistake.

    Attributes:
        kind: ``transposed``, ``negated``, ``dropped``, ``order`` and so on.
        hint: the fault, without the right form.
        words: the fault and the right form.
        why: a rule that helps.
    """

    kind: str
    hint: str
    words: str
    why: str


class Words(NamedTuple):
    """A kind of mistake in words: with the right form, without it, and the rule that helps."""

    whole: str
    hint: str
    why: str


LOOK = "Look at the unit: "
KINDS: Mapping[str, Words] = MappingProxyType(
    {
        "transposed": Words(
            "Transpose: {bare} stands {where}; {wanted} is right.", "Transpose: look at {typed}.",
            "H is a row: H x is a number, and Hᵀ a column along the joint's axis. A matrix and its transpose act on "
            "different things."),
        "phi": Words(
            "Transpose: {bare} stands {where}; {wanted} is right.", "Transpose: look at {typed}.",
            "φ(k, j) carries a force from link j to link k; its transpose carries an acceleration back."),
        "negated": Words(
            "Sign: the sign of {plain} is reversed.", "Sign: the sign of a term is reversed.",
            "Ask which way it acts: does the term take away, or add?"),
        "dropped": Words(
            "A term is left out: {about}{part}.", "A term is left out.",
            "Cover each term of the equation in turn and ask what a link would not know without it."),
        "bias": Words(
            "A term is left out: {about}{part}.", "A term is left out.",
            "At rest, without gravity and push, the term is zero and nobody misses it."),
        "added": Words("A term too many: {part}.", "There is a term too many.", "Each term occurs once."),
        "omitted": Words(
            "A factor is left out: {part}.", "A factor is left out.",
            "Look at what is left: it has another unit, belongs to another point or axis, or leaves a joint locked."),
        "repeated": Words(
            "A factor too many: {part}.", "There is a factor too many.",
            "Look at what is there: it has another unit, belongs to another point or axis, or frees a joint twice."),
        "multiplied": Words(
            "Multiplied by {part} where the line divides by it, or the other way round.",
            "A product stands where a quotient belongs, or the other way round.",
            f"{LOOK}dividing a force by an inertia gives an acceleration."),
        "inverted": Words(
            "Inverse: {part} is inverted where it should not be, or not inverted where it should be.",
            "Inverse: something is inverted where it should not be, or not inverted where it should be.",
            f"{LOOK}the inverse of an inertia turns a force into an acceleration."),
        "swapped": Words(
            "Order of the factors: {typed} stands where {wanted} belongs.", "Order of the factors: look at {typed}.",
            "Matrices do not commute: read a product from the right; each factor acts on what follows it."),
        "within": Words(
            "A term inside the sum: {part} belongs after it, once.",
            "A term inside the sum belongs after it, once.",
            "A term inside a sum is added once for each outboard link, and not at all at a tip."),
        "direction": Words(
            "Direction: {typed} carries the wrong way; {wanted} is right.",
            "Direction: {typed} carries the wrong way.",
            "phi(k, j) carries from j to k: the destination comes first."),
        "index": Words(
            "Another link: {typed} stands where {wanted} belongs.",
            "The link in {typed} is the wrong one.",
            "k is this link, i the link inboard of it, j a link outboard of it or, in the dual filter, beside it."),
        "order": Words(
            "Order of prediction and correction: {typed} stands where {wanted} belongs.",
            "Order of prediction and correction: look at {typed}.",
            "The plus marks the value on the other side of the joint: on the way inward, the value corrected by the "
            "joint's measurement; on the way outward, the value before the joint's own motion."),
        "letter": Words(
            "Another letter: {typed} stands where {wanted} belongs.",
            "Another letter belongs in place of {typed}.",
            "It has another unit or another meaning; look it up in the list of letters."),
        "stacked": Words(
            "The upper and lower halves are exchanged.", "The upper and lower halves are exchanged.",
            "Spatial vectors are angular above, linear below."),
    }
)  # fmt: skip
OF_NUMBERS = "Count how many times the product after it occurs."
"""The rule for a missing number, which no check of units can detect."""
WITHOUT_PLUS = "One is the value before a correction, the other the value after it: ask which of them this line needs."
"""The rule for a predicted and a corrected letter of which neither has a plus."""


def named(edit: Edit, is_repair: bool, has_rotors: bool) -> Mistake:
    """A mistake in words: of an edit that makes a wrong line right, or the right one wrong."""
    inside = tuple(ast.walk(edit.part))
    names = {name_of(each) for each in inside if isinstance(each, ast.expr)}
    # What is true of one term of a sum need not be of the others, and gain @ (b_C - y) is no bias.
    is_sum = any(isinstance(each, ast.BinOp) and isinstance(each.op, ADDING) for each in inside)
    kind: str = edit.kind
    if edit.is_order:
        kind = "order"
    elif kind in ("transposed", "sides"):
        kind = "phi" if "phi" in names else "transposed"
    elif is_repair:
        kind = OPPOSITE.get(kind, kind)
    elif kind == "dropped" and not is_sum and names & BIASES:
        kind = "bias"
    part, after = (ast.unparse(each) for each in (edit.part, edit.after))
    typed, wanted = (part, after) if is_repair else (after, part)
    about = "" if is_sum else next((words for letters, words in TERMS.items() if names & letters), "")
    turned = "where its transpose belongs" if wanted.endswith(".T") else "transposed where it should not be"
    values = {"part": part, "typed": typed, "wanted": wanted, "about": about, "where": turned,
              "bare": typed.removesuffix(".T"), "plain": part.removeprefix("-")}  # fmt: skip
    whole, hint, why = KINDS[kind]
    if edit.kind == "sides":
        whole = "Transpose: {typed} stands where {wanted} belongs."
    if kind == "dropped" and not has_rotors and ROTOR in names:
        whole = "A term is left out that is zero on this machine."
    if isinstance(edit.part, ast.Constant) and kind in ("omitted", "repeated"):
        why = OF_NUMBERS
    if kind == "order" and "_plus" not in part + after:
        why = WITHOUT_PLUS
    return Mistake(kind, hint.format(**values), whole.format(**values), why)


OPPOSITE = {"omitted": "repeated", "dropped": "added", "repeated": "omitted"}
"""An edit that corrects a line undoes the opposite mistake."""
ALIKE = 1e-11
"""Largest difference, relative to the size of the line, between two ways to write the same mistake."""
TWICE: tuple[Kind, ...] = ("transposed", "direction", "negated", "dropped")
"""Any two of these mistakes are searched for together, and also two omitted factors."""
OTHERWISE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "G": ("P @ H.T / (H @ P @ H.T + I_r)",),
        "z_plus": ("z + P @ H.T @ eps / D", "z + G @ (tau - tau_loss - H @ z)"),
        "S": ("(I + G_s @ H) @ S_plus @ (I + G_s @ H).T + G_s @ I_r @ G_s.T",),
        "P_plus": ("(I - G @ H) @ P @ (I - G @ H).T + G @ I_r @ G.T", "P - P @ H.T @ H @ P / D"),
    }
)
"""Other textbook forms of a line: gain or innovation written out, Joseph's form."""
MOST_TRIED = 300
"""The most edits of a typed line that are tried: a line of the text has at most a hundred, nonsense has thousands."""


def explained(
    right: Parse, typed: Parse, places: Sequence[Place], letters: Sequence[str], letter: str, has_rotors: bool
) -> tuple[Mistake, ...]:
    """The one or two mistakes that explain a typed line; empty if no common ones do.

    Both lines are evaluated at ``places``; ``letter`` is the one that they compute, ``letters`` are those in scope.
    """
    found, is_repair = _Search(right, typed, places, letters, letter).found()
    mistakes = (named(edit, is_repair, has_rotors) for edit in found)
    return tuple({each.words: each for each in mistakes}.values())  # a mistake in two places is reported once


class _Search:
    """The search for one typed line; subtrees shared with the typed and the published line are evaluated once."""

    def __init__(
        self, right: Parse, typed: Parse, places: Sequence[Place], letters: Sequence[str], letter: str
    ) -> None:
        self._right, self._typed, self._letters, self._letter = right, typed, letters, letter
        self._places = sorted(places, key=lambda place: -len(place.known))
        self._indices = [name for name, value in self._places[0].scope.items() if isinstance(value, int)]
        nodes = [*ast.walk(right.node), *ast.walk(typed.node)]
        self._kept: list[dict[ast.AST, Any]] = [dict.fromkeys(nodes) for _ in places]
        try:
            self._values = [self._value(at, typed.node) for at in range(len(self._places))]
        except LineError:
            self._values = []

    def _value(self, at: int, node: ast.expr) -> Array:
        """A tree's value at a place; for a basis of directions the projector on its span, the same for any basis."""
        value = self._places[at].value_of(Parse(self._right.text, node), self._kept[at])
        return spanned(value) if self._letter == "N" else value

    def found(self) -> tuple[tuple[Edit, ...], bool]:
        """The edits, and whether they repair the typed line."""
        names = {each.id for each in ast.walk(self._typed.node) if isinstance(each, ast.Name)}
        own = [name for name in self._letters if name in names]  # only a typed letter can replace another
        published = edits(self._right.node, own, self._indices) if self._values else []
        others = (edit for text in OTHERWISE.get(self._letter, ()) for edit in edits(written(text).node, (), ()))
        for edit in chain(published, others):
            if self._is_typed(edit.node):  # swapped factors are named as typed, if only their order is wrong
                own_edits = edits(self._typed.node, (), self._indices) if edit.kind == "swapped" else []
                swaps = (each for each in own_edits if each.kind == "swapped" and self._is_right(each.node))
                return next((((each,), True) for each in swaps), ((edit,), False))
        for edit in edits(self._typed.node, self._letters, self._indices)[:MOST_TRIED]:
            if self._is_right(edit.node):
                return (edit,), True
        for first in published:
            also = ("omitted",) if first.kind == "omitted" else TWICE if first.kind in TWICE or first.is_order else ()
            for second in edits(first.node, (), self._indices) if also else ():
                if second.kind in also and self._is_typed(second.node):
                    return (first, second), False
        return (), False

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
        tree = Parse(self._typed.text, node)
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
