"""A curve drawn by the user (``drawing_pad.js``) beside the true one: how far they are apart, in words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.number_text import number_text

Array = NDArray[np.float64]
PAD = Path(__file__).with_name("drawing_pad.js")  # A plot in which the user draws a curve
PAD_LOOK = PAD.with_suffix(".css")
MOST_POINTS = 200
FLAT = 0.05  # Half of the change, as a share of the range, up to which a curve counts as level

BOTH = {"stays level": "stay level", "rises first": "rise first", "falls first": "fall first"}


def read_drawn(sent: object) -> Array | None:
    """Parses a drawing from a browser; None if it is invalid."""
    if not isinstance(sent, list) or not 2 <= len(sent) <= MOST_POINTS:
        return None
    if not all(type(each) in (int, float) and abs(each) < 1e12 for each in sent):
        return None
    return np.array(sent, dtype=float)


@dataclass(frozen=True)
class CurveDifference:
    """The error of a drawing."""

    mean: float  # over all instants, as a share of the curve's own range
    words: str  # similarities and differences


def apart(drawn: Array, times: Array, values: Array, unit: str) -> CurveDifference:
    """The difference of two curves.

    Args:
        drawn: (instants,) of the drawing, evenly spaced over the same time.
        times, values: (instants,) of the true curve.
    """
    mine = np.interp(times, np.linspace(times[0], times[-1], len(drawn)), drawn)
    span = float(np.ptp(values)) or float(np.abs(values).max(initial=0.0)) or 1.0
    gap = mine - values
    mean = float(np.abs(gap).mean()) / span
    worst = int(np.argmax(np.abs(gap)))
    sentences = [_start(mine, values, span, unit), _way(mine, values, span), _peak(mine, times, values, span)]
    side = "above" if gap[worst] > 0.0 else "below"
    sentences.append(
        f"It is farthest off at {in_short(float(times[worst]))} s, "
        f"{in_short(float(abs(gap[worst])))} {unit} {side} the true curve, "
        f"and off by {in_short(100.0 * mean)} % of its range on average."
    )
    return CurveDifference(mean, " ".join(word for word in sentences if word))


def in_short(value: float, digits: int = 2) -> str:
    """A number with this many digits, or all those before the point: no power of ten for ordinary numbers."""
    return number_text(value, digits=min(max(digits, len(str(int(abs(value))))), 6))


def _start(mine: Array, values: Array, span: float, unit: str) -> str:
    if abs(mine[0] - values[0]) <= 2.0 * FLAT * span:
        return "Your curve starts where the true one does."
    return (
        f"Your curve starts at {in_short(float(mine[0]))} {unit}, the true one at {in_short(float(values[0]))} {unit}."
    )


def _trend(values: Array, span: float) -> str:
    """The first direction of a curve: once it has clearly left its initial value."""
    left = np.flatnonzero(np.abs(values - values[0]) > 2.0 * FLAT * span)
    if not len(left):
        return "stays level"
    return "rises first" if values[left[0]] > values[0] else "falls first"


def _way(mine: Array, values: Array, span: float) -> str:
    one, other = _trend(mine, span), _trend(values, span)
    return f"Both {BOTH[one]}." if one == other else f"Yours {one}, the true one {other}."


def _turns(values: Array, span: float) -> int:
    """The number of turning points, ignoring small ones."""
    turns, way, extreme = 0, 0, values[0]
    for value in values[1:]:
        step = value - extreme
        if way == 0:
            if abs(step) > 2.0 * FLAT * span:
                way, extreme = int(np.sign(step)), value
        elif step * way > 0.0:
            extreme = value
        elif abs(step) > 2.0 * FLAT * span:
            turns, way, extreme = turns + 1, -way, value
    return turns


def _peak(mine: Array, times: Array, values: Array, span: float) -> str:
    one, other = _turns(mine, span), _turns(values, span)
    if one != other:
        count = {0: "never turns", 1: "turns once", 2: "turns twice"}
        return f"Yours {count.get(one, f'turns {one} times')}, the true one {count.get(other, f'turns {other} times')}."
    if not other:
        return ""
    high, true_high = float(times[int(np.argmax(mine))]), float(times[int(np.argmax(values))])
    return f"Yours is highest at {in_short(high)} s, the true one at {in_short(true_high)} s."
