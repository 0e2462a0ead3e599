"""What a lesson's expressions are worth, and what can be done with two values: the sums of the lessons' language."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Value = float | bool | Array
NEAR = 1e-9
"""Share of the larger by which two numbers differ that count as equal."""


class ExpressionError(ValueError):
    """An expression that is not of this language, or has no value; its words say what to write."""


class Names(Protocol):
    """What gives a name its value."""

    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        """The quantity of a dotted name, of a link or an arm (counted from 1), at a time (s) that is written.

        Raises:
            ExpressionError: for a name that there is none of.
        """


def _matrix(one: Value) -> Array:
    found = np.asarray(one, dtype=float)
    if found.ndim != 2 or found.shape[0] != found.shape[1]:
        raise ExpressionError("this needs a square matrix, as articulated_inertia(1) is one.")
    return found


def _six(one: Value) -> Array:
    found = np.asarray(one, dtype=float)
    if found.shape not in ((6,), (6, 6)):
        raise ExpressionError("only a spatial vector or matrix, of six, has an angular and a linear half.")
    return found


def _half(start: int) -> Callable[[Value], Value]:
    def half(one: Value) -> Value:
        found = _six(one)
        return found[start : start + 3] if found.ndim == 1 else found[start : start + 3, start : start + 3]

    return half


def _extreme(pick: Callable[[Array], np.floating]) -> Callable[..., Value]:
    def extreme(*all_: Value) -> Value:
        return float(pick(np.concatenate([np.ravel(np.asarray(one, dtype=float)) for one in all_])))

    return extreme


def _root(one: Value) -> Value:
    number = number_of(one)
    if number < 0.0:
        raise ExpressionError("a negative number has no root.")
    return math.sqrt(number)


def _arc(one: Value) -> Value:
    cosine = number_of(one)
    if abs(cosine) > 1.0:
        raise ExpressionError("a cosine lies between -1 and 1.")
    return math.acos(cosine)


def _dot(one: Value, other: Value) -> Value:
    a, b = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if a.ndim != 1 or a.shape != b.shape:
        raise ExpressionError("dot takes two vectors of one length.")
    return float(a @ b)


FUNCTIONS: Mapping[str, tuple[int, Callable[..., Value]]] = MappingProxyType(
    {
        "abs": (1, lambda one: np.abs(one) if isinstance(one, np.ndarray) else abs(one)),
        "max": (0, _extreme(np.max)),
        "min": (0, _extreme(np.min)),
        "sum": (1, lambda one: float(np.sum(np.asarray(one, dtype=float)))),
        "norm": (1, lambda one: float(np.linalg.norm(np.asarray(one, dtype=float)))),
        "sqrt": (1, _root),
        "sin": (1, lambda one: float(np.sin(number_of(one)))),  # of infinity: NaN, not a bare error
        "cos": (1, lambda one: float(np.cos(number_of(one)))),
        "acos": (1, _arc),
        "dot": (2, _dot),
        "trace": (1, lambda one: float(np.trace(_matrix(one)))),
        "transposed": (1, lambda one: _matrix(one).T),
        "eigenvalues": (1, lambda one: np.asarray(np.linalg.eigvalsh(_matrix(one)), dtype=float)),
        "angular": (1, _half(0)),
        "linear": (1, _half(3)),
    }
)
"""By name: how many values each takes (0: one or more), and what it makes of them."""
CONSTANTS: Mapping[str, float] = MappingProxyType({"pi": math.pi})
ARITHMETIC: Mapping[type[ast.operator], tuple[str, Callable[[Value, Value], Value]]] = MappingProxyType(
    {
        ast.Add: ("+", operator.add),
        ast.Sub: ("-", operator.sub),
        ast.Mult: ("*", operator.mul),
        ast.Div: ("/", operator.truediv),
        ast.MatMult: ("@", operator.matmul),
    }
)


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= NEAR * max(abs(one), abs(other))


COMPARED: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = MappingProxyType(
    {
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.Eq: _equal,
        ast.NotEq: lambda one, other: not _equal(one, other),
    }
)


def combined(op: ast.operator, one: Value, other: Value) -> Value:
    """Two values and a sign between them.

    Raises:
        ExpressionError: for two that do not fit.
    """
    sign, act = ARITHMETIC[type(op)]
    refuse_truth(one)
    refuse_truth(other)
    a, b = np.shape(one), np.shape(other)
    if sign == "@":
        if not (a and b) or a[-1] != b[0]:
            raise ExpressionError(f"@ multiplies matrices that fit; these are {_size(a)} and {_size(b)}.")
    elif sign in "+-" and a != b:
        raise ExpressionError(f"{sign} needs two of one size; these are {_size(a)} and {_size(b)}.")
    elif sign in "*/" and ((a and b) or (sign == "/" and b)):
        raise ExpressionError(
            f"{sign} takes a plain number on {'one' if sign == '*' else 'its right'} side; see @, dot."
        )
    if sign == "/" and other == 0.0:
        raise ExpressionError("it divides by zero.")
    found = act(one, other)
    return float(found) if np.ndim(found) == 0 else found


def _size(shape: tuple[int, ...]) -> str:
    return " by ".join(map(str, shape)) or "a number"


def number_of(value: Value) -> float:
    """A value as one number.

    Raises:
        ExpressionError: for anything else.
    """
    refuse_truth(value)
    if np.ndim(value):
        raise ExpressionError(
            f"one number is needed, and this is {_size(np.shape(value))}; take one by [1], or its norm."
        )
    return float(value)


def truth_of(value: Value) -> bool:
    """A value as a comparison's.

    Raises:
        ExpressionError: for anything else.
    """
    if not isinstance(value, bool):
        raise ExpressionError("and, or, not stand between comparisons.")
    return value


def refuse_truth(value: Value) -> None:
    """Refuses a comparison where a number is meant."""
    if isinstance(value, bool):
        raise ExpressionError("a comparison is no number.")
