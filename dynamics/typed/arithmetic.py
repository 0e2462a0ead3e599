"""The arithmetic of a typed line: matrices alone, or each with its size if nothing cancelled.

Below, messages for matrices that do not fit: with their shapes, and what would fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.textbook import blackboard

MOST_ENTRIES = 40_000
"""Limit for a matrix: larger than any letter of the largest machine that a page opens."""


@dataclass(frozen=True, eq=False, slots=True)
class SizedMatrix:
    """A matrix, and an upper bound of each entry if no two parts of it had different signs.

    Rounding errors of a value scale with that bound, not with what cancellation has left.
    """

    value: Array
    size: Array

    @classmethod
    def of(cls, given: Array) -> SizedMatrix:
        """A matrix in which nothing has cancelled."""
        return cls(given, np.abs(given))

    @property
    def T(self) -> SizedMatrix:
        return SizedMatrix(self.value.T, self.size.T)

    def __neg__(self) -> SizedMatrix:
        return SizedMatrix(-self.value, self.size)

    def __add__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value + other.value, self.size + other.size)

    def __sub__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value - other.value, self.size + other.size)

    def __matmul__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value @ other.value, self.size @ other.size)

    def __mul__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value * other.value, self.size * other.size)

    def __truediv__(self, other: SizedMatrix) -> SizedMatrix:
        """A divisor that has cancelled amplifies."""
        return SizedMatrix(self.value / other.value, self.size * (other.size / (other.value * other.value)))


def value_of(found: Array | SizedMatrix) -> Array:
    return found.value if isinstance(found, SizedMatrix) else found


def called(name: str, given: list[Any]) -> Any:
    """The value of a function of matrices, sized if they are; the caller has checked their shapes."""
    first = given[0]
    if name == "transpose":
        return first.T
    if isinstance(first, SizedMatrix):
        return _sized(name, first, given)
    if name == "inv":
        return blackboard.solve(first, np.eye(len(first)))
    return blackboard.tilde(first) @ given[1] if name == "cross" else getattr(blackboard, name)(*given)


def _sized(name: str, first: SizedMatrix, given: list[SizedMatrix]) -> SizedMatrix:
    value = called(name, [each.value for each in given])
    if name in ("solve", "least", "inv"):
        # |A^-1| (|A| |A^-1| |b|): how far errors in A and b relative to their sizes may move the solution
        right = np.eye(len(first.value)) if name == "inv" else given[1].size
        is_finite = np.isfinite(first.value).all()
        inverse = np.abs(np.linalg.pinv(first.value)) if is_finite else np.full(first.value.T.shape, np.nan)
        return SizedMatrix(value, inverse @ (first.size @ (inverse @ right)))
    if name == "null":
        return SizedMatrix(value, np.full_like(value, _turning(first.value)))
    if name == "cross":
        return SizedMatrix(value, np.abs(blackboard.tilde(first.size)) @ given[1].size)
    return SizedMatrix(value, np.abs(called(name, [each.size for each in given])))


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


def operands_misfit(sign: str, a: Array, b: Array) -> str:
    """Why an operation is impossible, or an empty text; ``{left}`` and ``{right}`` stand for the operands."""
    if sign == "@":
        fits = a.shape[1] == b.shape[0] and a.shape[0] * b.shape[1] <= MOST_ENTRIES
    else:
        fits = a.shape == b.shape if sign in "+-" else b.size == 1 or (sign == "*" and a.size == 1)
    if fits:
        return ""
    both = f"{{left}} is {shape_of(a)} and {{right}} is {shape_of(b)}"
    if sign == "@" and a.shape[1] == b.shape[0]:
        return f"{both}: their product would have more than {MOST_ENTRIES} entries."
    if sign == "@":
        return (
            f"{both}: they cannot be multiplied. The left one's {a.shape[1]} columns must be as many as the right "
            f"one's {b.shape[0]} rows."
        )
    if sign in "+-":
        return f"{both}: only matrices of the same shape can be added."
    if sign == "*":
        return f"{both}: * multiplies by a number, element by element. The product of matrices is @."
    return f"{{right}} is {shape_of(b)}: only a number can be a divisor. A matrix is inverted: solve({{right}}, …)."


def arguments_misfit(name: str, given: list[Array]) -> str:
    """Why a function cannot take these arguments, or an empty text."""
    first = given[0]
    if name in ("solve", "inv", "least", "null") and first.shape[0] != first.shape[1]:
        return "only a square matrix can be inverted"
    if name in ("solve", "least") and len(given[1]) != len(first):
        return "both must have the same number of rows"
    if name == "least" and len(given) == 3 and given[2].shape != first.shape:
        return "the whole must be as large as the part"
    most = np.abs(first).max(initial=0.0)
    if name in ("least", "null") and not np.allclose(first, first.T, rtol=1e-6, atol=1e-6 * most):
        return "it must be symmetric"
    if name == "stack" and first.shape[1] != given[1].shape[1]:
        return "both must have the same number of columns"
    if name == "stack" and first.size + given[1].size > MOST_ENTRIES:
        return f"it would have more than {MOST_ENTRIES} entries"
    if name in ("tilde", "cross") and any(each.shape != (3, 1) for each in given):
        return "it takes vectors of three, 3×1"
    return ""
