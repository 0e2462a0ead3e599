"""Vertical ranges that one spike does not flatten, and their ticks on a logarithmic axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.views.plots.smallness import NOTHING

Array = NDArray[np.float64]
OUTER = (1.0, 99.0)
"""Percentiles between which the usual values lie."""
FLATTENED = 3.0
"""A peak is cut off where it would stretch the axis to more than this many times the usual values' span."""
HELD, HELD_AT_END = 5, 3
"""Samples in a row, and the last of what is known so far, that hold a value: it is no spike, however far off."""
STEADY = 0.01
"""How far values may be apart to be one that is held, of how far off they are."""
ROUNDING = 1e-9
"""Usual values that span less of the largest are flat: no peak flattens them, and it is all that there is to see."""
MARGIN = 0.08


@dataclass(frozen=True)
class Peak:
    """A value that is cut off."""

    value: float
    time: float


@dataclass(frozen=True)
class VerticalRange:
    """From where to where an axis goes, and the worst peak that it cuts off above and below."""

    start: float
    end: float
    above: Peak | None = None
    below: Peak | None = None


def vertical_range(
    times: Array, values: Array, full: bool = False, least: float = 0.0, nothing: float = NOTHING
) -> VerticalRange:
    """The range for lines (samples, lines); ``full`` cuts nothing off; ``least`` is the smallest span.

    Args:
        nothing: values that are all smaller are no more than rounding: the axis is that of zero, not of that.
    """
    there = values[np.isfinite(values)]
    if not there.size:
        return VerticalRange(0.0, 1.0)
    low, high = float(there.min()), float(there.max())
    if max(abs(low), abs(high)) < nothing:
        return VerticalRange(-max(0.5 * least, 1.0), max(0.5 * least, 1.0))
    above = below = None
    if not full:
        usual_low, usual_high = _with_held(values, *np.percentile(there, OUTER))
        span = float(usual_high - usual_low)
        if ROUNDING * max(abs(low), abs(high)) < span < (high - low) / FLATTENED:
            finite = np.where(np.isfinite(values), values, np.nan)
            if high > usual_high + span:
                above, high = _peak(times, values, int(np.nanargmax(finite))), usual_high + span
            if low < usual_low - span:
                below, low = _peak(times, values, int(np.nanargmin(finite))), usual_low - span
    margin = max(MARGIN * (high - low), 0.5 * (least - (high - low)), 1e-3 * max(abs(low), abs(high)))
    return VerticalRange(float(low - margin), float(high + margin), above, below)


def _with_held(values: Array, low: float, high: float) -> tuple[float, float]:
    """The range widened to what a line holds beyond it for a while, as the fall of what has been let go."""
    for part, count in ((values, HELD), (values[-HELD_AT_END:], HELD_AT_END)):
        if len(part) < count:
            continue
        rows = np.lib.stride_tricks.sliding_window_view(part, count, axis=0)
        least, most = rows.min(axis=-1), rows.max(axis=-1)  # NaN where a sample is
        off = np.maximum(least - high, low - most)
        held = (off > 0.0) & (most - least <= STEADY * off)
        low, high = float(least.min(initial=low, where=held)), float(most.max(initial=high, where=held))
    return low, high


def _peak(times: Array, values: Array, at: int) -> Peak:
    sample, line = divmod(at, values.shape[1])
    return Peak(float(values[sample, line]), float(times[sample]))


def decades(start: float, end: float, most: int = 5) -> dict[float, str]:
    """Ticks of a logarithmic axis between two exponents of ten, at most ``most``: exponent -> what it says."""
    for mantissas in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        found = _marks(start, end, mantissas)
        if 2 <= len(found) <= most:
            return found
    if len(found) > most:  # powers of ten alone are too many: every second, third, ... of them
        step = -(-len(found) // most)
        return {at: text for at, text in found.items() if round(at) % step == 0}
    inner = np.linspace(start, end, 4)[1:-1]
    return {float(at): _text(10.0**at, ".3g") for at in inner}


def _marks(start: float, end: float, mantissas: tuple[int, ...]) -> dict[float, str]:
    found = {}
    for exponent in range(int(np.floor(start)), int(np.ceil(end)) + 1):
        for mantissa in mantissas:
            at = exponent + float(np.log10(mantissa))
            if start <= at <= end:
                found[at] = _text(mantissa * 10.0**exponent, "g")
    return found


def _text(value: float, format_: str) -> str:
    return f"{value:{format_}}".replace("-", "−")
