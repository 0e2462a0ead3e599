"""Sines and cosines of eight angles at once."""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.lanes import everywhere, load6, store, whole

# Up to this angle the three parts of pi/2 below reduce it without losing a digit (Cody and Waite).
LARGEST_ANGLE = 1e5
PER_QUARTER = 0.6366197723675814  # 2 / pi
# pi/2 in three parts, the first two short enough that their multiples are exact.
QUARTER_HIGH, QUARTER_MIDDLE, QUARTER_LOW = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21


@inlined
def sine_and_cosine(x):
    """Sines and cosines of eight angles in a register, none beyond ``LARGEST_ANGLE``.

    Accurate to the last digit, by the minimax polynomials of fdlibm (Sun Microsystems, 1993) on [-pi/4, pi/4].
    """
    one, half = everywhere(1.0), everywhere(0.5)
    quarters = whole(PER_QUARTER * x + half)
    r = ((x - QUARTER_HIGH * quarters) - QUARTER_MIDDLE * quarters) - QUARTER_LOW * quarters
    z = r * r
    s = everywhere(-2.50507602534068634195e-08) + 1.58969099521155010221e-10 * z
    s = everywhere(2.75573137070700676789e-06) + z * s
    s = everywhere(-1.98412698298579493134e-04) + z * s
    s = everywhere(8.33333333332248946124e-03) + z * s
    s = everywhere(-1.66666666666666324348e-01) + z * s
    s = r + r * z * s
    c = everywhere(2.08757232129817482790e-09) - 1.13596475577881948265e-11 * z
    c = everywhere(-2.75573143513906633035e-07) + z * c
    c = everywhere(2.48015872894767294178e-05) + z * c
    c = everywhere(-1.38888888888741095749e-03) + z * c
    c = everywhere(4.16666666666666019037e-02) + z * c
    c = one - (0.5 * z - z * z * c)
    # Odd quarters exchange sine and cosine; half turns determine the signs.
    halves = whole(0.5 * quarters)
    odd = quarters - 2.0 * halves
    even = one - odd
    sign = one - 2.0 * (halves - 2.0 * whole(0.5 * halves))
    return sign * (odd * c + even * s), sign * (even * c - odd * s)


@kernel
def sines_and_cosines(angles, turns):
    """Sine and cosine of every angle to the last digit.

    If any angle is beyond ``LARGEST_ANGLE`` or not finite, the library's functions are used, one angle at a time.

    Args:
        angles: (n,) or more.
        turns: (3, m), m a multiple of 8: angles, sines, cosines; written.
    """
    count, far = min(angles.shape[0], turns.shape[1]), 0
    for k in range(count):
        turns[0, k] = angles[k]
        far += 0 if abs(angles[k]) <= LARGEST_ANGLE else 1
    if far > 0:
        for k in range(count):
            turns[1, k] = math.sin(angles[k])
            turns[2, k] = math.cos(angles[k])
        return
    for first in range(0, turns.shape[1], 8):
        s, c = sine_and_cosine(load6(turns, 0, first))
        store(turns, 1, first, s)
        store(turns, 2, first, c)
