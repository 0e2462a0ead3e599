"""What can be broken in the text, found in its syntax tree."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dynamics.checks import brief, names
from dynamics.errors import ModelError
from dynamics.formulations.letters import ALPHABETS
from dynamics.public import public
from dynamics.reading.expression import Factor, Sum, Term
from dynamics.reading.lines import Line, all_lines, formulated_lines, lines_of, numbered
from dynamics.textbook.symbols import CONSTANTS

Kind = Literal["drop", "negate", "omit", "untranspose", "multiply"]


@dataclass(frozen=True, eq=False)
class Break:
    """One possible change of a line.

    Attributes:
        key: its identifier in an address: the line's key, the part's name, the kind.
        line: the key of its line.
        part: the letters of the term or factor; preceded by those of the enclosing term and a dot.
        kind: ``drop`` a term, ``negate`` it, ``omit`` a factor, ``untranspose`` it, ``multiply`` instead of dividing.
        node: the affected node of the syntax tree.
        acts_on: the same as a term or a factor.
    """

    key: str
    line: str
    part: str
    kind: Kind
    node: ast.AST
    acts_on: Term | Factor


@functools.cache
def breaks_of(line: Line) -> tuple[Break, ...]:
    """Every break of a line.

    A factor, or a transposition, can be left out if the matrices still fit together, so if it is square
    or a number. One and zero cannot be broken. The sizes of a formulation's own letters are not declared,
    so only whole terms of them can be broken. A line that copies the other half of its own symmetric letter cannot be
    broken: on the diagonal it would read what it has just written.
    """
    if _copies(line):
        return ()
    return tuple(
        Break(f"{line.key}~{part}~{kind}", line.key, part, kind, acts_on.node, acts_on)
        for part, kind, acts_on in _in_sum(line.right, "", line.text)
    )


def _copies(line: Line) -> bool:
    factors = [factor for term in line.right.terms for factor in term.factors]
    return len(factors) == 1 and factors[0].letter == line.letter


def is_known(factor: Factor, text: str) -> bool:
    """Whether a factor's size follows from its letters: they are the textbook's."""
    if factor.letter:
        return factor.letter not in ALPHABETS.get(text, {})
    if factor.function in ("", "stack"):
        return all(is_known(each, text) for total in factor.inner for term in total.terms for each in term.factors)
    return factor.function in ("tilde", "null")


def _in_sum(total: Sum, path: str, text: str) -> Iterator[tuple[str, Kind, Term | Factor]]:
    for term, name in zip(total.terms, numbered(term.name for term in total.terms), strict=True):
        if all(factor.letter in CONSTANTS for factor in term.factors):
            continue
        part = path + name
        yield part, "drop", term
        yield part, "negate", term
        if len(term.factors) == 1:
            yield from _in_factor(term.factors[0], part, text, has_company=False)
        else:
            for factor, own in zip(term.factors, numbered(factor.name for factor in term.factors), strict=True):
                yield from _in_factor(factor, f"{part}.{own}", text, has_company=True)


def _in_factor(factor: Factor, part: str, text: str, has_company: bool) -> Iterator[tuple[str, Kind, Term | Factor]]:
    if factor.letter not in CONSTANTS and is_known(factor, text) and factor.is_square:
        if has_company:
            yield part, "omit", factor
        if factor.inverse:
            yield part, "multiply", factor
        if factor.transposed:
            yield part, "untranspose", factor
    if factor.function == "stack":
        for place, inner in zip(("upper", "lower"), factor.inner, strict=True):
            yield from _in_sum(inner, f"{part}.{place}.", text)
    elif factor.function == "" and factor.inner:
        (inner,) = factor.inner
        if len(inner.terms) > 1:
            yield from _in_sum(inner, f"{part}.", text)
        else:  # a product in brackets: its one term is the factor itself
            factors = inner.terms[0].factors
            for each, own in zip(factors, numbered(each.name for each in factors), strict=True):
                yield from _in_factor(each, f"{part}.{own}", text, has_company=len(factors) > 1)


@functools.cache
def all_breaks() -> dict[str, Break]:
    """Every break of the text and of the other formulations, by key."""
    return {each.key: each for line in (*all_lines(), *formulated_lines()) for each in breaks_of(line)}


def chosen(keys: Iterable[str]) -> tuple[Break, ...]:
    """Breaks by their keys; a key that the text does not have is refused."""
    known = all_breaks()
    for key in keys:
        if key not in known:
            listed = "dynamics.reading.textbook_lines and formulation_lines list all"
            raise ModelError(f"nothing to break is called {brief(key)}; {listed}.")
    return tuple(known[key] for key in keys)


def keys_in(text: str, keys: frozenset[str]) -> frozenset[str]:
    """The breaks that are in one module of the text."""
    return frozenset(each.key for each in chosen(keys) if each.line in lines_by_key(text)) if keys else keys


@public
def textbook_breaks(keys: Iterable[str]) -> frozenset[str]:
    """The breaks among these that are in the textbook; the others belong to another formulation.

    Args:
        keys: of breaks, see ``textbook_lines`` and ``formulation_lines``.

    Returns:
        their keys.

    Raises:
        ModelError: for a key that no text has.

    Cost: negligible.
    """
    return frozenset(each.key for each in chosen(names(keys, "keys", ModelError)) if each.line in _of_textbook())


@functools.cache
def _of_textbook() -> frozenset[str]:
    return frozenset(line.key for line in all_lines())


@functools.cache
def lines_by_key(text: str) -> dict[str, Line]:
    """The lines of a module."""
    return {line.key: line for line in lines_of(text)}
