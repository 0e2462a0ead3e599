"""The arithmetic of a typed line: matrices alone, or each with its size if nothing cancelled.

Below, messages for two matrices that do not fit: with both shapes, and what would fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.textbook import blackboard

MOST_ENTRIES = 40_000
"""Limit for a matrix: larger than any letter of the largest machine that a page opens."""


class SizedMatrix(NamedTuple):
    """A matrix, and an upper bound of each entry if no two parts of it had different signs.

    Rounding errors of a value scale with that bound, not with what cancellation has left.
    """

    value: Array
    size: Array


class Values:
    """Plain matrices; the caller has checked the shapes."""

    def letter(self, given: Array) -> Any:
        return given

    def matrix(self, found: Any) -> Array:
        return found  # type: ignore[no-any-return]

    def negate(self, found: Any) -> Any:
        return -found

    def transpose(self, found: Any) -> Any:
        return found.T

    def operate(self, sign: str, a: Any, b: Any) -> Any:
        if sign == "@":
            return np.asarray(a @ b)
        if sign == "+":
            return a + b
        if sign == "-":
            return a - b
        return a * b if sign == "*" else a / b

    def call(self, name: str, given: list[Any]) -> Any:
        first = given[0]
        if name == "inv":
            return blackboard.solve(first, np.eye(len(first)))
        if name == "cross":
            return np.asarray(blackboard.tilde(first) @ given[1])
        if name == "transpose":
            return first.T
        return getattr(blackboard, name)(*given)


VALUES = Values()


class Sizes(Values):
    """Matrices, each with its size if nothing cancelled."""

    def letter(self, given: Array) -> SizedMatrix:
        return SizedMatrix(given, np.abs(given))

    def matrix(self, found: SizedMatrix) -> Array:
        return found.value

    def negate(self, found: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(-found.value, found.size)

    def transpose(self, found: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(found.value.T, found.size.T)

    def operate(self, sign: str, a: SizedMatrix, b: SizedMatrix) -> SizedMatrix:
        value = VALUES.operate(sign, a.value, b.value)
        if sign == "/":
            return SizedMatrix(value, a.size * (b.size / (b.value * b.value)))  # a divisor that has cancelled amplifies
        return SizedMatrix(value, VALUES.operate("+" if sign == "-" else sign, a.size, b.size))

    def call(self, name: str, given: list[SizedMatrix]) -> SizedMatrix:
        value, first = VALUES.call(name, [each.value for each in given]), given[0]
        if name in ("solve", "least", "inv"):
            # |A^-1| (|A| |A^-1| |b|): how far errors in A and b relative to their sizes may move the solution
            right = np.eye(len(first.value)) if name == "inv" else given[1].size
            is_finite = np.isfinite(first.value).all()
            inverse = np.abs(np.linalg.pinv(first.value)) if is_finite else np.full(first.value.T.shape, np.nan)
            return SizedMatrix(value, inverse @ (first.size @ (inverse @ right)))
        if name == "null":
            return SizedMatrix(value, np.full_like(value, _turning(first.value)))
        sizes = VALUES.call(name, [each.size for each in given])
        if name == "cross":
            sizes = np.abs(blackboard.tilde(first.size)) @ given[1].size
        return SizedMatrix(value, np.abs(sizes))


SIZES = Sizes()


def _turning(a: Array) -> float:
    """Limit of a null space's rotation by a symmetric matrix's relative change: largest over least eigenvalue."""
    scaled, _ = blackboard.measured(a, a)
    if not np.isfinite(scaled).all():
        return 1.0
    seen = np.abs(blackboard.taken_apart(scaled)[0])[len(a) - blackboard.rank(scaled) :]
    return float(seen[-1] / seen[0]) if len(seen) else 1.0


def shape_of(value: Array) -> str:
    """Rows by columns."""
    return f"{value.shape[0]}×{value.shape[1]}"


def operands_misfit(sign: str, a: Array, b: Array, typed: Callable[[], tuple[str, str]]) -> str:
    """Why an operation is impossible, or an empty text.

    Args:
        typed: returns the typed text of both operands; called only if needed.
    """
    if sign == "@":
        is_large = a.shape[0] * b.shape[1] > MOST_ENTRIES
        if a.shape[1] == b.shape[0] and not is_large:
            return ""
        if is_large and a.shape[1] == b.shape[0]:
            return f"{_both(a, b, typed)}: their product would have more than {MOST_ENTRIES} entries."
        return (
            f"{_both(a, b, typed)}: they cannot be multiplied. The left one's {a.shape[1]} columns must be as many "
            f"as the right one's {b.shape[0]} rows."
        )
    if sign in "+-":
        return "" if a.shape == b.shape else f"{_both(a, b, typed)}: only matrices of the same shape can be added."
    if b.size == 1 or (sign == "*" and a.size == 1):
        return ""
    if sign == "*":
        return f"{_both(a, b, typed)}: * multiplies by a number, element by element. The product of matrices is @."
    right = typed()[1]
    return f"{right} is {shape_of(b)}: only a number can be a divisor. A matrix is inverted: solve({right}, …)."


def _both(a: Array, b: Array, typed: Callable[[], tuple[str, str]]) -> str:
    left, right = typed()
    return f"{left} is {shape_of(a)} and {right} is {shape_of(b)}"


def arguments_misfit(name: str, given: list[Array]) -> str:
    """Why a function cannot take these arguments, or an empty text."""
    first = given[0]
    if name in ("solve", "inv", "least", "null") and first.shape[0] != first.shape[1]:
        return "only a square matrix can be inverted"
    if name in ("solve", "least") and len(given[1]) != len(first):
        return "both must have the same number of rows"
    if name == "least" and len(given) == 3 and given[2].shape != first.shape:
        return "the whole must be as large as the part"
    if (
        name in ("least", "null")
        and first.size
        and not np.allclose(first, first.T, rtol=1e-6, atol=1e-6 * _most(first))
    ):
        return "it must be symmetric"
    if name == "stack" and first.shape[1] != given[1].shape[1]:
        return "both must have the same number of columns"
    if name == "stack" and first.size + given[1].size > MOST_ENTRIES:
        return f"it would have more than {MOST_ENTRIES} entries"
    if name in ("tilde", "cross") and any(each.shape != (3, 1) for each in given):
        return "it takes vectors of three, 3×1"
    return ""


def _most(a: Array) -> float:
    return float(np.abs(a).max(initial=0.0))
