"""What a mistake is called, and a rule that helps against it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

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
"""What a term is that has one of these letters."""


@dataclass(frozen=True, eq=False)
class Mistake(Record):
    """A usual mistake, recognised.

    Attributes:
        kind: ``transposed``, ``negated``, ``dropped``, ``order`` and so on.
        hint: what is wrong, in a sentence that does not say what is right.
        words: what is wrong, and what is right.
        why: a rule that helps.
    """

    kind: str
    hint: str
    words: str
    why: str


def named(edit: Edit, is_repair: bool, has_rotors: bool = True) -> Mistake:
    """A mistake in words.

    Args:
        is_repair: whether the edit makes a wrong line right; else it makes the right one wrong.
        has_rotors: whether a joint of the machine has a rotor's inertia; if none has, none is mentioned.
    """
    kind = _kind_of(edit, is_repair)
    part, after = (ast.unparse(each) for each in (edit.part, edit.after))
    typed, wanted = (part, after) if is_repair else (after, part)
    hint, words = next(_hints(kind, typed)), next(_words(kind, part, typed, wanted, edit))
    if kind == "dropped" and not has_rotors and ROTOR in _names_in(edit.part):
        words = "A term is left out that is zero on this machine."
    why = OF_NUMBERS if isinstance(edit.part, ast.Constant) and kind in ("omitted", "repeated") else WHY[kind]
    return Mistake(kind, hint, words, why)


def _kind_of(edit: Edit, is_repair: bool) -> str:
    if edit.kind == "letter" and is_partner(edit):
        return "order"
    if edit.kind in ("transposed", "sides") and "phi" in ast.unparse(edit.part):
        return "phi"
    if edit.kind == "sides":
        return "transposed"
    if edit.kind == "divided" and not is_repair:
        return "solved"
    if is_repair:
        return {"omitted": "repeated", "dropped": "added", "repeated": "omitted"}.get(edit.kind, edit.kind)
    biases = {"w", "g", "w_C", "b", "b_C", "a", "eta", "a_0"}
    if edit.kind == "dropped" and not _is_sum(edit.part) and _names_in(edit.part) & biases:
        return "bias"
    return edit.kind


WHY: Mapping[str, str] = MappingProxyType(
    {
        "transposed": "H is a row: H x is a number, and Hᵀ a column along the joint's axis. A matrix and its transpose "
        "act on different things.",
        "phi": "φ carries a force inward, from link j to link k; its transpose carries an acceleration outward.",
        "negated": "Ask which way it acts: what is known is taken away from what is measured, what is corrected is "
        "added.",
        "dropped": "Cover each term of the equation and ask what a link would then not know.",
        "bias": "At rest and without gravity the term is zero; in motion it is not.",
        "omitted": "Look at the unit of what is left: it is that of another quantity.",
        "repeated": "Look at the unit of what is there: it is that of another quantity.",
        "added": "Each term is there once.",
        "multiplied": "Look at the unit: dividing by an inertia makes an acceleration of a force.",
        "inverted": "Look at the unit: the inverse of an inertia makes an acceleration of a force.",
        "divided": "One divides by a number. A matrix is inverted by solve(A, b), which is A⁻¹ b.",
        "solved": "One divides by a number, a / b; solve(A, b) is for a matrix with as many rows as b.",
        "singular": "Forces may be indeterminate: then the matrix has no inverse, and least takes the smallest ones.",
        "elementwise": "* multiplies number by number; @ is the product of matrices.",
        "swapped": "Matrices do not commute: read a product from the right, each factor acts on what is behind it.",
        "direction": "phi(k, j) carries from j to k: where one arrives stands first.",
        "within": "What stands within a sum is added once for each link outboard, and not at all at a tip.",
        "scaled": "@ is the product of matrices; a number multiplies by *.",
        "upended": "Look at the unit: a force over an inertia is an acceleration.",
        "index": "k is this link, i the one inboard of it, j one outboard.",
        "letter": "Its unit or its meaning is another; look it up in the list of letters.",
        "order": "The plus marks what is on the other side of the joint: what is corrected by its measurement on the "
        "way inward, what comes before the joint's own motion on the way outward.",
        "identity": "A number and a matrix do not add up; the identity matrix is I.",
        "stacked": "Spatial vectors are angular above, linear below.",
    }
)


OF_NUMBERS = "Count how often what it stands before is there."
"""Of a number no unit tells that it is missing."""


HINTS: Mapping[str, str] = MappingProxyType(
    {
        "negated": "Sign: the sign of a term is turned.",
        "bias": "A term is left out.",
        "dropped": "A term is left out.",
        "added": "There is a term too many.",
        "omitted": "A factor is left out.",
        "repeated": "There is a factor too many.",
        "multiplied": "A product stands where a quotient belongs, or the other way round.",
        "inverted": "Inverse: something is inverted where it is not to be, or not inverted where it is.",
        "divided": "Division for an inverse: one divides by a matrix.",
        "solved": "solve for a division: what is solved for is a number.",
        "singular": "solve for least: a matrix may have no inverse.",
        "elementwise": "* for @: one product is of matrices.",
        "within": "A term within the sum belongs behind it, once.",
        "scaled": "@ for *: one product has a number for a factor.",
        "stacked": "Upper and lower half are exchanged.",
    }
)
"""What is wrong in lines with a mistake of a kind; of all other kinds it is said where."""
PLACES: Mapping[str, str] = MappingProxyType(
    {
        "transposed": "Transpose: look at",
        "phi": "Transpose: look at",
        "swapped": "Order of the factors: look at",
        "upended": "Upside down:",
        "direction": "Direction, which is the wrong one:",
        "index": "Another link belongs in the place of that of",
        "order": "Order of prediction and correction: look at",
        "identity": "A number stands where a matrix belongs:",
    }
)


def _hints(kind: str, typed: str) -> Iterator[str]:
    if kind in HINTS:
        yield HINTS[kind]
    yield f"{PLACES.get(kind, 'Another letter belongs in the place of')} {typed}."


def _words(kind: str, part: str, typed: str, wanted: str, edit: Edit) -> Iterator[str]:
    match kind:
        case "transposed" | "phi" if edit.kind == "sides":
            yield f"Transpose: {typed} stands where {wanted} belongs."
        case "transposed" | "phi":
            where = "where its transpose belongs" if wanted.endswith(".T") else "transposed where it is not to be"
            yield f"Transpose: {typed.removesuffix('.T')} stands {where}; {wanted} is right."
        case "negated":
            yield f"Sign: the sign of {part.removeprefix('-')} is turned."
        case "bias" | "dropped":
            yield f"A term is left out: {_what_of(edit.part)}{part}."
        case "added":
            yield f"A term too many: {part}."
        case "omitted":
            yield f"A factor is left out: {part}."
        case "repeated":
            yield f"A factor too many: {part}."
        case "multiplied":
            yield f"Multiplied by {part} where the line divides by it, or the other way round."
        case "inverted":
            yield f"Inverse: {part} is inverted where it is not to be, or not inverted where it is."
        case "divided":
            yield f"Division for an inverse: {part} is a matrix and is inverted by solve({part}, …)."
        case "solved":
            yield f"solve for a division: {part} is a number, and one divides by it."
        case "singular":
            yield f"solve for least: {part} may have no inverse; least({part}, …) is right."
        case "elementwise":
            yield f"* for @: {part} is a product of matrices."
        case "swapped":
            yield f"Order of the factors: {typed} stands where {wanted} belongs."
        case "upended":
            yield f"Upside down: {typed} stands where {wanted} belongs."
        case "within":
            yield f"A term within the sum: {part} belongs behind it, once."
        case "scaled":
            yield f"@ for *: {part} has a number for a factor."
        case "direction":
            yield f"Direction: {typed} carries the wrong way; {wanted} is right."
        case "index":
            yield f"Another link: {typed} stands where {wanted} belongs."
        case "order":
            yield f"Order of prediction and correction: {typed} stands where {wanted} belongs."
        case "identity":
            yield f"The number {typed} stands where the identity {wanted} belongs."
        case "stacked":
            yield "Upper and lower half are exchanged."
    yield f"Another letter: {typed} stands where {wanted} belongs."


def _is_sum(term: ast.expr) -> bool:
    """Whether several terms are left out at once: what is true of one is not of all."""
    return isinstance(term, ast.BinOp) and isinstance(term.op, ADDING)


def _what_of(term: ast.expr) -> str:
    if _is_sum(term):
        return ""
    names = _names_in(term)
    return next((words for letters, words in TERMS.items() if names & letters), "")


def _names_in(term: ast.expr) -> set[str]:
    return {name_of(each) for each in ast.walk(term) if isinstance(each, ast.expr)}
