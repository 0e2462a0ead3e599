"""Vertical ranges that a single spike does not flatten, and ticks of logarithmic axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from bokeh.models import Range1d
from numpy.typing import NDArray

from app.motion.run import KEPT
from app.number_text import read_number
from app.state import Session
from app.views.plots.panels import NOTHING

Array = NDArray[np.float64]
OUTER = (1.0, 99.0)
"""Percentiles between which the usual values lie."""
FLATTENED = 3.0
"""A peak is cut off if it would stretch the axis to more than this many times the usual values' span."""
HELD, HELD_AT_END = 5, 3
"""Number of successive samples, and of the last known ones, near one value that make it a level instead of a spike."""
STEADY = 0.01
"""Largest spread of the samples of a level, relative to its distance from the usual values."""
ROUNDING = 1e-9
"""Usual values that span a smaller share of the largest are flat: then no peak is cut off."""
MARGIN = 0.08


@dataclass(frozen=True)
class Peak:
    """A value that is cut off."""

    value: float
    time: float


@dataclass(frozen=True)
class VerticalRange:
    """The ends of an axis, and the worst peaks that it cuts off above and below."""

    start: float
    end: float
    above: Peak | None = None
    below: Peak | None = None


def vertical_range(
    times: Array, values: Array, full: bool = False, least: float = 0.0, nothing: float = NOTHING
) -> VerticalRange:
    """The range for lines (samples, lines); ``full`` cuts nothing off; ``least`` is the smallest span.

    Args:
        nothing: if all values are smaller, they are only rounding, and the axis is that of zero.
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
    """Widens the range by levels outside it that a line holds for a while, as after a release."""
    for part, count in ((values, HELD), (values[-HELD_AT_END:], HELD_AT_END)):
        if len(part) < count:
            continue
        rows = np.lib.stride_tricks.sliding_window_view(part, count, axis=0)
        least, most = rows.min(axis=-1), rows.max(axis=-1)  # NaN where any sample is NaN
        off = np.maximum(least - high, low - most)
        held = (off > 0.0) & (most - least <= STEADY * off)
        low, high = float(least.min(initial=low, where=held)), float(most.max(initial=high, where=held))
    return low, high


def _peak(times: Array, values: Array, at: int) -> Peak:
    sample, line = divmod(at, values.shape[1])
    return Peak(float(values[sample, line]), float(times[sample]))


def decades(start: float, end: float, most: int = 5) -> dict[float, str]:
    """Ticks of a logarithmic axis between two exponents of ten, at most ``most``: exponent -> label."""
    for mantissas in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        found = _marks(start, end, mantissas)
        if 2 <= len(found) <= most:
            return found
    if len(found) > most:  # too many even with powers of ten alone: keeps every second, third, ...
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


LEAST = 0.02
"""Shortest visible time range in seconds."""
ROOM = 1.25
"""A run without an end gets this many times its length, so that the axis does not move with every sample."""
FIRST = 10.0
"""Initial range in seconds for a run of unknown length."""


class TimeWindow:
    """A time range that the browser zooms and pans, and that follows the cursor beyond its end during playback."""

    def __init__(self, span: Range1d) -> None:
        self._span = span
        self._begin, self._end = 0.0, float(span.end) if math.isfinite(span.end) else FIRST
        self._last = 0.0
        self._set(self._begin, self._end)

    @property
    def shown(self) -> tuple[float, float]:
        """The visible range in s, as the browser has it."""
        return float(self._span.start), float(self._span.end)

    @property
    def is_whole(self) -> bool:
        """Whether the whole run is visible."""
        start, stop = self.shown
        return start <= self._begin + 1e-9 and stop >= self._end - 1e-9

    @property
    def text(self) -> str:
        """The visible range as a link states it; empty for the whole run."""
        start, stop = self.shown
        return "" if self.is_whole else f"{start:.3f}".rstrip("0").rstrip(".") + f"-{stop:.3f}".rstrip("0").rstrip(".")

    def show(self, text: str) -> None:
        """Shows the range given by a link, as far as the run extends; the whole run if the text is invalid."""
        start, stop = (read_number(part) for part in (*text.split("-"), "")[:2])
        if start is None or stop is None or not start < stop:
            start, stop = self._begin, self._end
        self._set(max(start, self._begin), min(stop, self._end))

    def follow(self, session: Session) -> None:
        """Keeps the whole run visible if it was, and during playback the cursor if it was."""
        run, time = session.run, session.time
        begin, end = 0.0, run.duration
        if run.endless:
            end = max(KEPT, math.ceil(run.end))
            begin = end - KEPT
        elif not math.isfinite(end):
            end = self._end if run.end <= self._end else ROOM * run.end
        else:
            begin = run.begin
        start, stop = self.shown
        if (begin, end) != (self._begin, self._end):
            was_whole, self._begin, self._end = self.is_whole, begin, end
            self._set(begin if was_whole else min(start, end - LEAST), end if was_whole else min(stop, end))
        elif session.playing and start <= self._last <= stop and not start <= time <= stop:
            width = stop - start
            begin = min(max(time - 0.05 * width, self._begin), max(self._end - width, self._begin))
            self._set(begin, begin + width)
        self._last = time

    def move(self, what: str, by: object, time: float) -> None:
        """``zoom`` by a factor about the cursor if it is in sight, ``pan`` by a share of the width, or ``whole``."""
        start, stop = self.shown
        width = stop - start
        if what == "whole" or not isinstance(by, int | float):
            self._set(self._begin, self._end)
        elif what == "pan":
            self._set(start + by * width, stop + by * width)
        else:
            center = time if start <= time <= stop else 0.5 * (start + stop)
            share = (center - start) / width
            width = min(max(width * by, LEAST), self._end - self._begin)
            self._set(center - share * width, center + (1.0 - share) * width)

    def _set(self, start: float, stop: float) -> None:
        width = min(max(stop - start, LEAST), self._end - self._begin)
        start = min(max(start, self._begin), self._end - width)
        # The bounds first: a browser clips each end to the bounds that it knows.
        self._span.update(bounds=(self._begin, self._end), min_interval=LEAST, start=start, end=start + width)
