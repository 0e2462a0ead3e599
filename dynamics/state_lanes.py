"""Eight states of one system side by side: the lanes of a vector register.

A field of a link is eight consecutive numbers, one a state. A loop over the lanes whose body is plain numbers
becomes one vector instruction for each operation; that takes a single array with constant distances between its
fields. Addresses are passed as ``lane + FIELD``: a bare constant would compile an accessor anew for every field.
"""

from __future__ import annotations

import math

from dynamics.compiled import kernel

ADDRESS = (1 << 48) - 1  # a masked address is not negative, which spares the compiler every test for that
LANES = 8  # 16 and 32 were no faster
LARGEST_ANGLE = 1.0e5  # rad; within it ``sine_and_cosine`` is right to the last digit

_TWO_OVER_PI = 2.0 / math.pi
_ROUND = 6755399441055744.0  # 1.5 * 2^52: adding and subtracting it rounds to an integer
# pi/2 in three parts; the first two have 33 digits, so that their products with a quadrant are exact.
_HALF_PI_1 = 1.57079632673412561417e00
_HALF_PI_2 = 6.07710050630396597660e-11
_HALF_PI_3 = 2.02226624879595063154e-21


@kernel
def lane3(w, at):
    """Three fields of one lane."""
    return w[at], w[at + 8], w[at + 16]


@kernel
def lane6(w, at):
    """Six fields of one lane, as two vectors."""
    return (w[at], w[at + 8], w[at + 16]), (w[at + 24], w[at + 32], w[at + 40])


@kernel
def lane9(w, at):
    """A rotation of one lane."""
    return (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64],
    )  # fmt: skip


@kernel
def lane21(w, at):
    """A packed symmetric matrix of one lane."""
    return (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64], w[at + 72], w[at + 80], w[at + 88], w[at + 96], w[at + 104],
        w[at + 112], w[at + 120], w[at + 128], w[at + 136], w[at + 144], w[at + 152], w[at + 160],
    )  # fmt: skip


@kernel
def set3(w, at, v):
    """Write three fields of one lane."""
    w[at], w[at + 8], w[at + 16] = v


@kernel
def set9(w, at, v):
    """Write a rotation of one lane."""
    (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64],
    ) = v  # fmt: skip


@kernel
def set21(w, at, v):
    """Write a packed symmetric matrix of one lane."""
    (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64], w[at + 72], w[at + 80], w[at + 88], w[at + 96], w[at + 104],
        w[at + 112], w[at + 120], w[at + 128], w[at + 136], w[at + 144], w[at + 152], w[at + 160],
    ) = v  # fmt: skip


@kernel
def sine_and_cosine(x):
    """Both, without a branch; not a number for |x| above LARGEST_ANGLE.

    Minimax polynomials of fdlibm (Sun Microsystems, 1993).

    Cody and Waite's reduction to [-pi/4, pi/4] keeps a second part ``low`` of the reduced angle.
    """
    x = x if abs(x) <= LARGEST_ANGLE else math.nan
    quadrant = (x * _TWO_OVER_PI + _ROUND) - _ROUND
    rest = x - quadrant * _HALF_PI_1
    second = quadrant * _HALF_PI_2
    r = rest - second
    correction = ((rest - r) - second) - quadrant * _HALF_PI_3
    y = r + correction
    low = (r - y) + correction
    z = y * y
    p = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    p = -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * p)
    p = -1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * p)
    s = y + (y * z * p + low * (1.0 - 0.5 * z))
    p = 2.08757232129817482790e-09 - z * 1.13596475577881948265e-11
    p = 2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * p)
    p = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * p)
    half = 0.5 * z
    c = 1.0 - half
    c = c + (((1.0 - c) - half) + (z * z * p - y * low))
    turn = quadrant - 4.0 * ((quadrant * 0.25 + _ROUND) - _ROUND)  # -2 to 2
    sine = c if abs(turn) == 1.0 else s
    cosine = s if abs(turn) == 1.0 else c
    sine = -sine if turn < 0.0 else sine
    sine = -sine if turn > 1.0 else sine
    cosine = -cosine if turn > 0.0 else cosine
    cosine = -cosine if turn < -1.0 else cosine
    return sine, cosine
