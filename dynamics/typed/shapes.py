"""Why two matrices do not go together, in words: with both shapes, and what would fit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dynamics.checks import Array
from dynamics.typed.arithmetic import MOST_ENTRIES


def shape_of(value: Array) -> str:
    """Rows by columns."""
    return f"{value.shape[0]}×{value.shape[1]}"


def operands_misfit(sign: str, a: Array, b: Array, typed: Callable[[], tuple[str, str]]) -> str:
    """Why an operation cannot be done, if it cannot.

    Args:
        typed: says what was typed for each; it is asked where there is something to say.
    """
    if sign == "@":
        is_large = a.shape[0] * b.shape[1] > MOST_ENTRIES
        if a.shape[1] == b.shape[0] and not is_large:
            return ""
        if is_large and a.shape[1] == b.shape[0]:
            return f"{_both(a, b, typed)}: their product would have more than {MOST_ENTRIES} entries."
        return (
            f"{_both(a, b, typed)}: they do not multiply. The left one's {a.shape[1]} columns must be as many as the "
            f"right one's {b.shape[0]} rows."
        )
    if sign in "+-":
        return "" if a.shape == b.shape else f"{_both(a, b, typed)}: only matrices of one shape add up."
    if b.size == 1 or (sign == "*" and a.size == 1):
        return ""
    if sign == "*":
        return f"{_both(a, b, typed)}: * multiplies by a number, element by element. The product of matrices is @."
    right = typed()[1]
    return f"{right} is {shape_of(b)}: one divides by a number only. A matrix is inverted: solve({right}, …)."


def _both(a: Array, b: Array, typed: Callable[[], tuple[str, str]]) -> str:
    left, right = typed()
    return f"{left} is {shape_of(a)} and {right} is {shape_of(b)}"


def arguments_misfit(name: str, given: list[Array]) -> str:
    """Why a function cannot take these, if it cannot."""
    first = given[0]
    if name in ("solve", "inv", "least", "null") and first.shape[0] != first.shape[1]:
        return "what is inverted is square"
    if name in ("solve", "least") and len(given[1]) != len(first):
        return "both have as many rows"
    if name == "least" and len(given) == 3 and given[2].shape != first.shape:
        return "the whole is as large as the part"
    if (
        name in ("least", "null")
        and first.size
        and not np.allclose(first, first.T, rtol=1e-6, atol=1e-6 * _most(first))
    ):
        return "it is symmetric"
    if name == "stack" and first.shape[1] != given[1].shape[1]:
        return "what is stacked has as many columns"
    if name == "stack" and first.size + given[1].size > MOST_ENTRIES:
        return f"it would have more than {MOST_ENTRIES} entries"
    if name in ("tilde", "cross") and any(each.shape != (3, 1) for each in given):
        return "it takes vectors of three, 3×1"
    return ""


def _most(a: Array) -> float:
    return float(np.abs(a).max(initial=0.0))
