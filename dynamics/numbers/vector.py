"""Three-vectors and rotations as plain numbers.

A vector is three numbers, a rotation nine, row by row, a symmetric 3x3 matrix six: xx xy xz yy yz zz. Tuples
of numbers compile to straight-line code without a single temporary array, which is why the recursions are
written with them.
"""

from __future__ import annotations

import math

from dynamics.compiler.compiled import from_python, kernel


@kernel
def get3(table, k, c):
    """Three numbers of row k from column c on."""
    return table[k, c], table[k, c + 1], table[k, c + 2]


@kernel
def put3(table, k, c, v):
    """Write three numbers into row k from column c on."""
    table[k, c], table[k, c + 1], table[k, c + 2] = v


@kernel
def get9(table, k, c):
    """Nine numbers of row k from column c on."""
    return (
        table[k, c], table[k, c + 1], table[k, c + 2],
        table[k, c + 3], table[k, c + 4], table[k, c + 5],
        table[k, c + 6], table[k, c + 7], table[k, c + 8],
    )  # fmt: skip


@kernel
def put9(table, k, c, v):
    """Write nine numbers into row k from column c on."""
    for i in range(9):
        table[k, c + i] = v[i]


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
    """R v for a rotation kept row by row."""
    return (
        r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
        r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
        r[6] * v[0] + r[7] * v[1] + r[8] * v[2],
    )


@from_python
@kernel
def compose(a, b):
    """The product of two rotations kept row by row."""
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
def rotation_about(h, angle):
    """The rotation by ``angle`` about the unit vector ``h`` (Rodrigues' formula)."""
    s = math.sin(angle)
    c = math.cos(angle)
    x, y, z = h
    t = 1.0 - c
    return (
        c + t * x * x, t * x * y - s * z, t * x * z + s * y,
        t * x * y + s * z, c + t * y * y, t * y * z - s * x,
        t * x * z - s * y, t * y * z + s * x, c + t * z * z,
    )  # fmt: skip


@kernel
def congruence3(r, j):
    """R J R' for a symmetric J kept as xx xy xz yy yz zz."""
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
    """J v for a symmetric J kept as xx xy xz yy yz zz."""
    return (
        j[0] * v[0] + j[1] * v[1] + j[2] * v[2],
        j[1] * v[0] + j[3] * v[1] + j[4] * v[2],
        j[2] * v[0] + j[4] * v[1] + j[5] * v[2],
    )
