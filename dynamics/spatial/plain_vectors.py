"""Vectors and 3x3 matrices as tuples of plain numbers, for formulations that are also run to count operations.

Only +, -, * occur, each as often as on paper, so the same lines serve floats and counting numbers. A change of
sign is not an operation: TML does not count it either (its matrix Q only exchanges and negates rows).
"""

from __future__ import annotations

from functools import reduce
from typing import Any

Number = Any  # a float, or a counting number
Vector = tuple[Number, Number, Number]
Matrix = tuple[Vector, Vector, Vector]


def total(numbers: list[Number]) -> Number:
    """The sum of one or more numbers; n - 1 additions."""
    return reduce(lambda a, b: a + b, numbers)


def add(*vectors: Vector) -> Vector:
    """The sum of one or more vectors."""
    return total([v[0] for v in vectors]), total([v[1] for v in vectors]), total([v[2] for v in vectors])


def scale(s: Number, v: Vector) -> Vector:
    return s * v[0], s * v[1], s * v[2]


def cross(a: Vector, b: Vector) -> Vector:
    """6 multiplications, 3 additions."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def times(m: Matrix, v: Vector) -> Vector:
    """M v; 9 multiplications, 6 additions."""
    return (
        m[0][0] * v[0] + m[0][1] * v[1] + m[0][2] * v[2],
        m[1][0] * v[0] + m[1][1] * v[1] + m[1][2] * v[2],
        m[2][0] * v[0] + m[2][1] * v[1] + m[2][2] * v[2],
    )


def times_transposed(m: Matrix, v: Vector) -> Vector:
    """M' v; 9 multiplications, 6 additions."""
    return (
        m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2],
        m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2],
        m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2],
    )


def compose(a: Matrix, b: Matrix) -> Matrix:
    """A B."""
    columns = [times(a, (b[0][j], b[1][j], b[2][j])) for j in range(3)]
    return (
        (columns[0][0], columns[1][0], columns[2][0]),
        (columns[0][1], columns[1][1], columns[2][1]),
        (columns[0][2], columns[1][2], columns[2][2]),
    )
