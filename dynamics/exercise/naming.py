"""The name of a mistake, and a rule that helps against it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from dynamics.exercise.edits import ADDING, Edit, is_partner, name_of
from dynamics.record import Record

ROTOR = "I_r"
TERMS: Mapping[frozenset[str], str] = MappingProxyType(
    {
        frozenset(("w", "g", "w_C")): "gravity: ",
        frozenset(("b", "b_C", "eta", "a_0")): "the bias, what velocity and weight add: ",
        frozenset("a"): "the bias acceleration, what velocity adds: ",
        frozenset(("f", "f_C")): "what pushes from outside: ",
        frozenset((ROTOR,)): "the rotor's inertia: ",
        frozenset(("tau",)): "the torque: ",
        frozenset(("tau_loss",)): "what friction takes of the torque: ",
        frozenset(("q", "q_s", "R")): "what comes from the contacts or from other branches: ",
    }
)
"""The meaning of a term that has one of these letters."""
BIASES = {"w", "g", "w_C", "b", "b_C", "a", "eta", "a_0"}


@dataclass(frozen=True, eq=False)
class Mistake(Record):
    """A usual mistake, recognised.

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
            "φ carries a force inward, from link j to link k; its transpose carries an acceleration outward."),
        "sides": Words("Transpose: {typed} stands where {wanted} belongs.", "Transpose: look at {typed}.", ""),
        "negated": Words(
            "Sign: the sign of {plain} is turned.", "Sign: the sign of a term is turned.",
            "Ask which way it acts: what is known is taken away from what is measured, what is corrected is added."),
        "dropped": Words(
            "A term is left out: {about}{part}.", "A term is left out.",
            "Cover each term of the equation and ask what a link would then not know."),
        "bias": Words(
            "A term is left out: {about}{part}.", "A term is left out.",
            "At rest and without gravity the term is zero; in motion it is not."),
        "added": Words("A term too many: {part}.", "There is a term too many.", "Each term is there once."),
        "omitted": Words(
            "A factor is left out: {part}.", "A factor is left out.",
            "Look at the unit of what is left: it is that of another quantity."),
        "repeated": Words(
            "A factor too many: {part}.", "There is a factor too many.",
            "Look at the unit of what is there: it is that of another quantity."),
        "multiplied": Words(
            "Multiplied by {part} where the line divides by it, or the other way round.",
            "A product stands where a quotient belongs, or the other way round.",
            f"{LOOK}dividing by an inertia makes an acceleration of a force."),
        "inverted": Words(
            "Inverse: {part} is inverted where it is not to be, or not inverted where it is.",
            "Inverse: something is inverted where it is not to be, or not inverted where it is.",
            f"{LOOK}the inverse of an inertia makes an acceleration of a force."),
        "divided": Words(
            "Division for an inverse: {part} is a matrix and is inverted by solve({part}, …).",
            "Division for an inverse: one divides by a matrix.",
            "One divides by a number. A matrix is inverted by solve(A, b), which is A⁻¹ b."),
        "elementwise": Words(
            "* for @: {part} is a product of matrices.", "* for @: one product is of matrices.",
            "* multiplies number by number; @ is the product of matrices."),
        "swapped": Words(
            "Order of the factors: {typed} stands where {wanted} belongs.", "Order of the factors: look at {typed}.",
            "Matrices do not commute: read a product from the right, each factor acts on what is behind it."),
        "within": Words(
            "A term within the sum: {part} belongs behind it, once.",
            "A term within the sum belongs behind it, once.",
            "What stands within a sum is added once for each link outboard, and not at all at a tip."),
        "direction": Words(
            "Direction: {typed} carries the wrong way; {wanted} is right.",
            "Direction, which is the wrong one: {typed}.",
            "phi(k, j) carries from j to k: where one arrives stands first."),
        "index": Words(
            "Another link: {typed} stands where {wanted} belongs.",
            "Another link belongs in the place of that of {typed}.",
            "k is this link, i the one inboard of it, j one outboard, or in the dual filter one beside it."),
        "order": Words(
            "Order of prediction and correction: {typed} stands where {wanted} belongs.",
            "Order of prediction and correction: look at {typed}.",
            "The plus marks what is on the other side of the joint: what is corrected by its measurement on the way "
            "inward, what comes before the joint's own motion on the way outward."),
        "letter": Words(
            "Another letter: {typed} stands where {wanted} belongs.",
            "Another letter belongs in the place of {typed}.",
            "Its unit or its meaning is another; look it up in the list of letters."),
        "identity": Words(
            "The number {typed} stands where the identity {wanted} belongs.",
            "A number stands where a matrix belongs: {typed}.",
            "A number and a matrix do not add up; the identity matrix is I."),
        "stacked": Words(
            "Upper and lower half are exchanged.", "Upper and lower half are exchanged.",
            "Spatial vectors are angular above, linear below."),
    }
)  # fmt: skip
OF_NUMBERS = "Count how often what it stands before is there."
"""Of a number no unit tells that it is missing."""


def named(edit: Edit, is_repair: bool, has_rotors: bool = True) -> Mistake:
    """A mistake in words.

    Args:
        is_repair: whether the edit makes a wrong line right; else it makes the right one wrong.
        has_rotors: whether a joint of the machine has a rotor's inertia; if none has, none is mentioned.
    """
    kind = kind_of(edit, is_repair)
    part, after = (ast.unparse(each) for each in (edit.part, edit.after))
    typed, wanted = (part, after) if is_repair else (after, part)
    names = {name_of(each) for each in ast.walk(edit.part) if isinstance(each, ast.expr)}
    about = "" if _is_sum(edit.part) else next((words for letters, words in TERMS.items() if names & letters), "")
    turned = "where its transpose belongs" if wanted.endswith(".T") else "transposed where it is not to be"
    values = {"part": part, "typed": typed, "wanted": wanted, "about": about, "where": turned,
              "bare": typed.removesuffix(".T"), "plain": part.removeprefix("-")}  # fmt: skip
    told = KINDS["sides" if edit.kind == "sides" else kind].whole.format(**values)
    if kind == "dropped" and not has_rotors and ROTOR in names:
        told = "A term is left out that is zero on this machine."
    is_number = isinstance(edit.part, ast.Constant) and kind in ("omitted", "repeated")
    return Mistake(kind, KINDS[kind].hint.format(**values), told, OF_NUMBERS if is_number else KINDS[kind].why)


def kind_of(edit: Edit, is_repair: bool) -> str:
    """The kind of mistake: an edit that makes a line right undoes the opposite one."""
    if edit.kind == "letter" and is_partner(edit):
        return "order"
    if edit.kind in ("transposed", "sides"):
        return "phi" if "phi" in ast.unparse(edit.part) else "transposed"
    opposite = {"omitted": "repeated", "dropped": "added", "repeated": "omitted"}
    if is_repair:
        return opposite.get(edit.kind, edit.kind)
    names = {name_of(each) for each in ast.walk(edit.part) if isinstance(each, ast.expr)}
    return "bias" if edit.kind == "dropped" and not _is_sum(edit.part) and names & BIASES else edit.kind


def _is_sum(term: ast.expr) -> bool:
    """Whether several terms are left out at once: what is true of one is not of all."""
    return isinstance(term, ast.BinOp) and isinstance(term.op, ADDING)
