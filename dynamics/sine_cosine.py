"""Sines and cosines of many angles at once, in code that a compiler turns into vector instructions."""

from __future__ import annotations

import math

from dynamics.compiled import kernel

# Up to this angle the three parts of pi/2 below reduce it without losing a digit (Cody and Waite).
LARGEST_ANGLE = 1e5
PER_QUARTER = 0.6366197723675814  # 2 / pi
# pi/2 in three parts, the first two short enough that their multiples are exact.
QUARTER_HIGH, QUARTER_MIDDLE, QUARTER_LOW = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21


@kernel
def sines_and_cosines(turns):
    """Rows 1 and 2: sine and cosine of the angles in row 0, to the last digit.

    The minimax polynomials of fdlibm on [-pi/4, pi/4]. Where some angle is beyond ``LARGEST_ANGLE`` the library's
    functions do it. A count of angles that is a multiple of 8 leaves no remainder to go through one by one.
    """
    angle, sine, cosine = turns[0], turns[1], turns[2]
    count = turns.shape[1]
    far = 0
    for k in range(count):
        x = angle[k]
        far += 0 if abs(x) <= LARGEST_ANGLE else 1
        quarters = math.floor(x * PER_QUARTER + 0.5)
        r = ((x - quarters * QUARTER_HIGH) - quarters * QUARTER_MIDDLE) - quarters * QUARTER_LOW
        z = r * r
        s = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
        s = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * s))
        s = r + r * z * (-1.66666666666666324348e-01 + z * s)
        c = -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11)
        c = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * c))
        c = 1.0 - (0.5 * z - z * z * c)
        # Which quarter: odd ones exchange sine and cosine, the signs follow from the half turn.
        half = math.floor(0.5 * quarters)
        odd = quarters - 2.0 * half
        sign = 1.0 - 2.0 * (half - 2.0 * math.floor(0.5 * half))
        sine[k] = sign * (odd * c + (1.0 - odd) * s)
        cosine[k] = sign * ((1.0 - odd) * c - odd * s)
    if far > 0:
        for k in range(count):
            sine[k] = math.sin(angle[k])
            cosine[k] = math.cos(angle[k])
