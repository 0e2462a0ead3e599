"""Right angles as files write them, rounded to some decimals, and the exact rotations that they mean."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

from dynamics.checks import Array

RIGHT_ANGLE = Decimal("1.5707963267948966192313216916397514420985846996876")
FEWEST_DECIMALS = 4
MOST_DECIMALS = 40
MOST_TURNS = 4
ROUNDING = 1e-15


def as_meant(text: str) -> str:
    """The angles of an ``rpy`` attribute; a right angle that is exact to its last printed digit is written out in full.

    ``1.5708``, ``1.57079632679`` and ``-3.1416`` are multiples of a right angle, rounded to the given decimals;
    taken literally they would leave 1e-5 or 1e-11 where every matrix should have 0. The text's own precision
    decides: ``1.5707`` and ``1.57079`` are not roundings of a right angle and are kept, and so is a number with fewer
    than four decimals, ``1.571`` or ``1.57``, which may as well have been measured.

    Args:
        text: numbers separated by blanks, rad, finite.

    Returns:
        The same numbers, with up to four right angles of either sign as the nearest float64.
    """
    return " ".join(_angle(part) for part in text.split())


def _angle(text: str) -> str:
    if float(text) == 0.0:  # its exponent may be anything
        return text
    with localcontext(prec=60):
        value = Decimal(text)
        decimals = -int(value.as_tuple().exponent)
        if not FEWEST_DECIMALS <= decimals <= MOST_DECIMALS or abs(value) > (MOST_TURNS + 1) * RIGHT_ANGLE:
            return text
        turns = int((value / RIGHT_ANGLE).to_integral_value())
        exact = turns * RIGHT_ANGLE
        if turns == 0 or abs(turns) > MOST_TURNS or exact.quantize(Decimal(1).scaleb(-decimals)) != value:
            return text
        return repr(float(exact))


def without_rounding(values: Array) -> Array:
    """Cosines and sines, or a unit vector, with rounding errors of 0 and 1 removed.

    The cosine of the float64 nearest to a right angle is 6e-17; no printed angle leads to an entry of a rotation below
    1e-15.

    Args:
        values: entries of rotations or of unit vectors, any shape.
    """
    kept = np.where(np.abs(values) < ROUNDING, 0.0, values)
    return np.where(np.abs(np.abs(kept) - 1.0) < ROUNDING, np.sign(kept), kept)
