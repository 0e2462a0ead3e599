"""Three-vectors and rotations as plain numbers.

A vector is three numbers, a rotation nine, row by row, a symmetric 3x3 matrix six: xx xy xz yy yz zz. The
recursions use tuples of numbers because they compile to straight-line code without any temporary
array.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.fields import at, put


@inlined
def get3(table, k, c):
    """Three entries of row k from column c on."""
    return at(table, k, c), at(table, k, c + 1), at(table, k, c + 2)


@inlined
def put3(table, k, c, v):
    """Write three entries into row k from column c on."""
    put(table, k, c, v[0])
    put(table, k, c + 1, v[1])
    put(table, k, c + 2, v[2])


@inlined
def get6(table, k, c):
    """A spatial vector of row k: its angular and its linear part."""
    return get3(table, k, c), get3(table, k, c + 3)


@inlined
def put6(table, k, c, v):
    """Write a spatial vector's two parts into row k from column c on."""
    put3(table, k, c, v[0])
    put3(table, k, c + 3, v[1])


@inlined
def get9(table, k, c):
    """Nine entries of row k from column c on."""
    return get3(table, k, c) + get3(table, k, c + 3) + get3(table, k, c + 6)


@inlined
def put9(table, k, c, v):
    """Write nine entries into row k from column c on."""
    for i in range(9):
        put(table, k, c + i, v[i])


@kernel
def add3(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def sub3(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale3(s, a):
    return s * a[0], s * a[1], s * a[2]


@kernel
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def rotate(r, v):
    """R v for a rotation stored row by row; v may be numbers where R is registers."""
    return (
        v[0] * r[0] + v[1] * r[1] + v[2] * r[2],
        v[0] * r[3] + v[1] * r[4] + v[2] * r[5],
        v[0] * r[6] + v[1] * r[7] + v[2] * r[8],
    )


@kernel
def compose(a, b):
    """The product of two rotations stored row by row."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@kernel
def congruence3(r, j):
    """R J R' for a symmetric J stored as xx xy xz yy yz zz."""
    a = rotate(r, (j[0], j[1], j[2]))  # R times the columns of J, J being symmetric
    b = rotate(r, (j[1], j[3], j[4]))
    c = rotate(r, (j[2], j[4], j[5]))
    return (
        r[0] * a[0] + r[1] * b[0] + r[2] * c[0],
        r[3] * a[0] + r[4] * b[0] + r[5] * c[0],
        r[6] * a[0] + r[7] * b[0] + r[8] * c[0],
        r[3] * a[1] + r[4] * b[1] + r[5] * c[1],
        r[6] * a[1] + r[7] * b[1] + r[8] * c[1],
        r[6] * a[2] + r[7] * b[2] + r[8] * c[2],
    )


@kernel
def symmetric3(j, v):
    """J v for a symmetric J stored as xx xy xz yy yz zz."""
    return (
        j[0] * v[0] + j[1] * v[1] + j[2] * v[2],
        j[1] * v[0] + j[3] * v[1] + j[4] * v[2],
        j[2] * v[0] + j[4] * v[1] + j[5] * v[2],
    )
