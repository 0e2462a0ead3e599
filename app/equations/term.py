"""An equation with its numbers: a left side, and a right side that is a sum of products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Term:
    """One symbol and its value.

    Attributes:
        latex: the symbol with the link's own number in it.
        value: as a matrix: 6x6, 6x1 a column, 1x6 a row, 1x1 a number.
        inverse: whether the equation takes its inverse.
    """

    latex: str
    value: Array
    inverse: bool = False


@dataclass(frozen=True, eq=False)
class Product:
    """``sign`` times its factors."""

    factors: tuple[Term, ...]
    sign: int = 1


@dataclass(frozen=True, eq=False)
class Equation:
    """``left`` = the sum of the products of ``right``.

    Attributes:
        latex: as the paper writes it, for any link k.
        key: (stage, name) of the left side in ``dynamics.registry``, or None for what that does not list.
        source: paper and number.
        unit, frame: of the left side.
    """

    latex: str
    left: Term
    right: tuple[Product, ...]
    key: tuple[str, str] | None
    source: str
    unit: str
    frame: str

    @property
    def terms(self) -> tuple[Term, ...]:
        """Left side first, then the factors as they are written."""
        return (self.left, *(term for product in self.right for term in product.factors))


def term(latex: str, value: ArrayLike, inverse: bool = False) -> Term:
    """A matrix as it is; a vector as a column; a number as 1x1."""
    array = np.asarray(value, dtype=float)
    return Term(latex, array.reshape(-1, 1) if array.ndim < 2 else array, inverse)


def row(latex: str, value: ArrayLike) -> Term:
    """A vector as a row."""
    return Term(latex, np.asarray(value, dtype=float).reshape(1, -1))


def plus(*factors: Term) -> Product:
    return Product(factors)


def minus(*factors: Term) -> Product:
    return Product(factors, -1)


def numbers(equations: Sequence[Equation]) -> Array:
    """Every shown number of some equations, term after term, row by row."""
    values = [term.value.ravel() for equation in equations for term in equation.terms]
    return np.concatenate(values) if values else np.empty(0)
