"""Spatial vectors and inertias as plain numbers, in the one convention of this package.

Every spatial vector is ``[angular; linear]`` in inertial axes, referred to a point O_k. A shift by the
lever ``l`` is phi = [[1, l~], [0, 1]]: phi moves forces inward along ``l``, its transpose moves
velocities and accelerations outward.

A symmetric 6x6 matrix [[A, B], [B', C]] is kept as 21 numbers: A as xx xy xz yy yz zz, B row by row,
C as A.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.fields import like, put
from dynamics.spatial.vector import get3, get9, scale3, sub3

Array = NDArray[np.float64]

# Position of each of the 21 numbers in the full matrix.
SYMMETRIC_INDEX = np.array(
    [
        [0, 1, 2, 6, 7, 8],
        [1, 3, 4, 9, 10, 11],
        [2, 4, 5, 12, 13, 14],
        [6, 9, 12, 15, 16, 17],
        [7, 10, 13, 16, 18, 19],
        [8, 11, 14, 17, 19, 20],
    ]
)


def expand_symmetric(packed: Array) -> Array:
    """The full 6x6 matrices of (..., 21) packed ones."""
    return packed[..., SYMMETRIC_INDEX]


@inlined
def get21(table, k, c):
    """A packed symmetric matrix: 21 entries of row k from column c on."""
    return get9(table, k, c) + get9(table, k, c + 9) + get3(table, k, c + 18)


@inlined
def put21(table, k, c, v):
    """Write a packed symmetric matrix into row k from column c on."""
    for i in range(21):
        put(table, k, c + i, v[i])


@kernel
def spatial_inertia(j, m, first):
    """M = [[J, m p~], [-m p~, m 1]], J and the first moment m p about O_k."""
    x, y, z = first
    zero, mass = like(0.0, x), like(m, x)
    return (
        j[0], j[1], j[2], j[3], j[4], j[5],
        zero, -z, y, z, zero, -x, -y, x, zero,
        mass, zero, zero, mass, zero, mass,
    )  # fmt: skip


@kernel
def shift_inertia(p, l):
    """phi P phi': an inertia moved to the point from which the lever ``l`` leads to its own point.

    Its mirror image, phi' P phi, is ``shift_mobility``.
    """
    x, y, z = l
    # B' = B + l~ C
    b0 = p[6] - z * p[16] + y * p[17]
    b1 = p[7] - z * p[18] + y * p[19]
    b2 = p[8] - z * p[19] + y * p[20]
    b3 = p[9] + z * p[15] - x * p[17]
    b4 = p[10] + z * p[16] - x * p[19]
    b5 = p[11] + z * p[17] - x * p[20]
    b6 = p[12] - y * p[15] + x * p[16]
    b7 = p[13] - y * p[16] + x * p[18]
    b8 = p[14] - y * p[17] + x * p[19]
    # A' = A + l~ B^T - B' l~
    return (
        p[0] - z * p[7] + y * p[8] - (b1 * z - b2 * y),
        p[1] - z * p[10] + y * p[11] - (b2 * x - b0 * z),
        p[2] - z * p[13] + y * p[14] - (b0 * y - b1 * x),
        p[3] + z * p[9] - x * p[11] - (b5 * x - b3 * z),
        p[4] + z * p[12] - x * p[14] - (b3 * y - b4 * x),
        p[5] - y * p[12] + x * p[13] - (b6 * y - b7 * x),
        b0, b1, b2, b3, b4, b5, b6, b7, b8,
        p[15], p[16], p[17], p[18], p[19], p[20],
    )  # fmt: skip


@kernel
def shift_mobility(q, l):
    """phi' Q phi: an inverse inertia, or a covariance of accelerations, moved outward along ``l``."""
    x, y, z = l
    # B' = B + A l~
    b0 = q[6] + q[1] * z - q[2] * y
    b1 = q[7] + q[2] * x - q[0] * z
    b2 = q[8] + q[0] * y - q[1] * x
    b3 = q[9] + q[3] * z - q[4] * y
    b4 = q[10] + q[4] * x - q[1] * z
    b5 = q[11] + q[1] * y - q[3] * x
    b6 = q[12] + q[4] * z - q[5] * y
    b7 = q[13] + q[5] * x - q[2] * z
    b8 = q[14] + q[2] * y - q[4] * x
    # C' = C + B^T l~ - l~ B'
    return (
        q[0], q[1], q[2], q[3], q[4], q[5],
        b0, b1, b2, b3, b4, b5, b6, b7, b8,
        q[15] + q[9] * z - q[12] * y + z * b3 - y * b6,
        q[16] + q[12] * x - q[6] * z + z * b4 - y * b7,
        q[17] + q[6] * y - q[9] * x + z * b5 - y * b8,
        q[18] + q[13] * x - q[7] * z - z * b1 + x * b7,
        q[19] + q[7] * y - q[10] * x - z * b2 + x * b8,
        q[20] + q[8] * y - q[11] * x + y * b2 - x * b5,
    )  # fmt: skip


@kernel
def add21(p, q):
    """P + Q."""
    return (
        p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3], p[4] + q[4], p[5] + q[5],
        p[6] + q[6], p[7] + q[7], p[8] + q[8], p[9] + q[9], p[10] + q[10], p[11] + q[11],
        p[12] + q[12], p[13] + q[13], p[14] + q[14], p[15] + q[15], p[16] + q[16], p[17] + q[17],
        p[18] + q[18], p[19] + q[19], p[20] + q[20],
    )  # fmt: skip


@kernel
def times_vector(p, a, b):
    """The angular and linear parts of [[A, B], [B', C]] [a; b]."""
    top = (
        p[0] * a[0] + p[1] * a[1] + p[2] * a[2] + p[6] * b[0] + p[7] * b[1] + p[8] * b[2],
        p[1] * a[0] + p[3] * a[1] + p[4] * a[2] + p[9] * b[0] + p[10] * b[1] + p[11] * b[2],
        p[2] * a[0] + p[4] * a[1] + p[5] * a[2] + p[12] * b[0] + p[13] * b[1] + p[14] * b[2],
    )
    bottom = (
        p[6] * a[0] + p[9] * a[1] + p[12] * a[2] + p[15] * b[0] + p[16] * b[1] + p[17] * b[2],
        p[7] * a[0] + p[10] * a[1] + p[13] * a[2] + p[16] * b[0] + p[18] * b[1] + p[19] * b[2],
        p[8] * a[0] + p[11] * a[1] + p[14] * a[2] + p[17] * b[0] + p[19] * b[1] + p[20] * b[2],
    )
    return top, bottom


@kernel
def times_angular(p, h):
    """[A h; B' h]: the inertia's response to a rotation about ``h``."""
    return (
        (p[0] * h[0] + p[1] * h[1] + p[2] * h[2],
         p[1] * h[0] + p[3] * h[1] + p[4] * h[2],
         p[2] * h[0] + p[4] * h[1] + p[5] * h[2]),
        (p[6] * h[0] + p[9] * h[1] + p[12] * h[2],
         p[7] * h[0] + p[10] * h[1] + p[13] * h[2],
         p[8] * h[0] + p[11] * h[1] + p[14] * h[2]),
    )  # fmt: skip


@kernel
def times_linear(p, h):
    """[B h; C h]: the inertia's response to a translation along ``h``."""
    return (
        (p[6] * h[0] + p[7] * h[1] + p[8] * h[2],
         p[9] * h[0] + p[10] * h[1] + p[11] * h[2],
         p[12] * h[0] + p[13] * h[1] + p[14] * h[2]),
        (p[15] * h[0] + p[16] * h[1] + p[17] * h[2],
         p[16] * h[0] + p[18] * h[1] + p[19] * h[2],
         p[17] * h[0] + p[19] * h[1] + p[20] * h[2]),
    )  # fmt: skip


@kernel
def minus_outer(p, u, v, s):
    """P - s w w' with w = [u; v]."""
    su = scale3(s, u)
    sv = scale3(s, v)
    return (
        p[0] - su[0] * u[0], p[1] - su[0] * u[1], p[2] - su[0] * u[2],
        p[3] - su[1] * u[1], p[4] - su[1] * u[2], p[5] - su[2] * u[2],
        p[6] - su[0] * v[0], p[7] - su[0] * v[1], p[8] - su[0] * v[2],
        p[9] - su[1] * v[0], p[10] - su[1] * v[1], p[11] - su[1] * v[2],
        p[12] - su[2] * v[0], p[13] - su[2] * v[1], p[14] - su[2] * v[2],
        p[15] - sv[0] * v[0], p[16] - sv[0] * v[1], p[17] - sv[0] * v[2],
        p[18] - sv[1] * v[1], p[19] - sv[1] * v[2], p[20] - sv[2] * v[2],
    )  # fmt: skip


@kernel
def minus_symmetric_outer(q, u, v, s, h, revolute):
    """Q - H' y' - y H + s H' H with y = [u; v] and H = [h' 0] (revolute) or [0 h'] (prismatic)."""
    half = 0.5 * s
    u = u if not revolute else sub3(u, scale3(half, h))
    v = v if revolute else sub3(v, scale3(half, h))
    if revolute:
        return (
            q[0] - 2.0 * h[0] * u[0], q[1] - h[0] * u[1] - u[0] * h[1], q[2] - h[0] * u[2] - u[0] * h[2],
            q[3] - 2.0 * h[1] * u[1], q[4] - h[1] * u[2] - u[1] * h[2], q[5] - 2.0 * h[2] * u[2],
            q[6] - h[0] * v[0], q[7] - h[0] * v[1], q[8] - h[0] * v[2],
            q[9] - h[1] * v[0], q[10] - h[1] * v[1], q[11] - h[1] * v[2],
            q[12] - h[2] * v[0], q[13] - h[2] * v[1], q[14] - h[2] * v[2],
            q[15], q[16], q[17], q[18], q[19], q[20],
        )  # fmt: skip
    return (
        q[0], q[1], q[2], q[3], q[4], q[5],
        q[6] - u[0] * h[0], q[7] - u[0] * h[1], q[8] - u[0] * h[2],
        q[9] - u[1] * h[0], q[10] - u[1] * h[1], q[11] - u[1] * h[2],
        q[12] - u[2] * h[0], q[13] - u[2] * h[1], q[14] - u[2] * h[2],
        q[15] - 2.0 * h[0] * v[0], q[16] - h[0] * v[1] - v[0] * h[1], q[17] - h[0] * v[2] - v[0] * h[2],
        q[18] - 2.0 * h[1] * v[1], q[19] - h[1] * v[2] - v[1] * h[2], q[20] - 2.0 * h[2] * v[2],
    )  # fmt: skip


@kernel
def expand(p, table):
    """Write the full 6x6 matrix of 21 packed numbers into ``table``."""
    table[0, 0], table[0, 1], table[0, 2] = p[0], p[1], p[2]
    table[1, 1], table[1, 2], table[2, 2] = p[3], p[4], p[5]
    table[0, 3], table[0, 4], table[0, 5] = p[6], p[7], p[8]
    table[1, 3], table[1, 4], table[1, 5] = p[9], p[10], p[11]
    table[2, 3], table[2, 4], table[2, 5] = p[12], p[13], p[14]
    table[3, 3], table[3, 4], table[3, 5] = p[15], p[16], p[17]
    table[4, 4], table[4, 5], table[5, 5] = p[18], p[19], p[20]
    for i in range(6):
        for j in range(i):
            table[i, j] = table[j, i]
