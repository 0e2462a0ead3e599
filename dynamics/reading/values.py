"""The numbers in a line: each term of its right side, and each factor of a term, evaluated at a place."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.reading.expression import Factor, Sum, Term
from dynamics.reading.typeset import IndexNames, factor_latex, term_latex
from dynamics.record import Record


@dataclass(frozen=True, eq=False)
class FactorValue(Record):
    """One factor with its numbers.

    Attributes:
        latex: with this place's numbers as indices, transposed and inverted as in the line.
        value: as a matrix, 2 axes, transposed as in the line; if ``inverse``, the matrix to be inverted.
        letter: its name in ``symbols``; empty for a number, a stack and brackets.
        transposed: whether the line transposes it.
        inverse: whether the line takes its inverse.
        inner: the contents of its brackets: one sum, or the two of a stack.
    """

    latex: str
    value: Array
    letter: str
    transposed: bool
    inverse: bool
    inner: tuple[tuple[TermValue, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class TermValue(Record):
    """``sign`` times the product of its factors.

    Attributes:
        latex: with this place's numbers as indices.
        sign: 1 or -1.
        factors: from left to right.
        value: of the product, without the sign.
    """

    latex: str
    sign: int
    factors: tuple[FactorValue, ...]
    value: Array


def as_matrix(value: Any) -> Array:
    """A number as 1x1."""
    array = np.asarray(value, dtype=float)
    return array if array.ndim == 2 else array.reshape(1, 1)


def term_values(
    total: Sum, scope: dict[str, Any], naming: IndexNames, typeset: Sequence[TermValue] = ()
) -> tuple[TermValue, ...]:
    """The terms of a sum with their values; sums over neighbors are expanded.

    ``typeset`` are the same terms at another moment of the same place, whose LaTeX is reused.
    """
    found: list[TermValue] = []
    before = iter(typeset)
    for term in total.terms:
        if term.over is None:
            found.append(_term(term, scope, naming, next(before, None)))
            continue
        index, through = term.over
        for value in _evaluated(through, scope, naming):
            found.append(_term(term, scope, naming.at(index, value), next(before, None)))
    return tuple(found)


def no_terms(value: Array) -> tuple[TermValue, ...]:
    """A sum without terms: zero, or NaN if a break has left zero times something that is not finite."""
    zero = FactorValue("0", np.abs(0.0 * value), "", False, False)
    return (TermValue("0", 1, (zero,), zero.value),)


def _term(term: Term, scope: dict[str, Any], naming: IndexNames, typeset: TermValue | None) -> TermValue:
    before: Sequence[FactorValue | None] = typeset.factors if typeset is not None else [None] * len(term.factors)
    factors = tuple(
        _factor(factor, scope, naming, len(term.factors) > 1, each)
        for factor, each in zip(term.factors, before, strict=True)
    )
    value = term.own * as_matrix(_evaluated(term.product, scope, naming))
    return TermValue(term_latex(term, naming) if typeset is None else typeset.latex, term.sign, factors, value)


def _factor(
    factor: Factor, scope: dict[str, Any], naming: IndexNames, has_company: bool, typeset: FactorValue | None
) -> FactorValue:
    opened = () if factor.letter or factor.function == "null" else factor.inner
    before: Sequence[Sequence[TermValue]] = typeset.inner if typeset is not None else [()] * len(opened)
    return FactorValue(
        latex=factor_latex(factor, naming, has_company) if typeset is None else typeset.latex,
        value=as_matrix(_evaluated(factor.node, scope, naming)),
        letter=factor.letter,
        transposed=factor.transposed,
        inverse=factor.inverse != "",
        inner=tuple(term_values(each, scope, naming, old) for each, old in zip(opened, before, strict=True)),
    )


def _evaluated(node: ast.expr, scope: dict[str, Any], naming: IndexNames) -> Any:
    """A part of a line, evaluated with the letters of its sweep and the indices of the place."""
    with np.errstate(all="ignore"):
        return eval(_compiled(node), {**scope, **naming.values})


@functools.lru_cache(maxsize=8192)
def _compiled(node: ast.expr) -> CodeType:
    return compile(ast.Expression(node), "textbook", "eval")
