"""The stretch of time that all plots show."""

from __future__ import annotations

import math

from bokeh.models import Range1d

from app.state import Session

LEAST = 0.02
"""Least seconds in sight."""
ROOM = 1.25
"""A run without an end is given this many times its length, so that the axis does not move with every sample."""
FIRST = 10.0
"""Seconds that a run without an end is given at first."""


class TimeWindow:
    """A range that the browser zooms and pans, and that follows the cursor out of its end while playing."""

    def __init__(self, span: Range1d) -> None:
        self._span = span
        self._whole = float(span.end) if math.isfinite(span.end) else FIRST
        self._last = 0.0
        self._set(0.0, self._whole)

    @property
    def shown(self) -> tuple[float, float]:
        """s, as the browser has it."""
        return float(self._span.start), float(self._span.end)

    @property
    def is_whole(self) -> bool:
        """Whether all of the run is in sight."""
        start, stop = self.shown
        return start <= 1e-9 and stop >= self._whole - 1e-9

    def follow(self, session: Session) -> None:
        """Keeps the whole run in sight if it was, and the cursor if it was and plays."""
        end, time = session.run.duration, session.time
        if not math.isfinite(end):
            end = self._whole if session.run.end <= self._whole else ROOM * session.run.end
        start, stop = self.shown
        if end != self._whole:
            was_whole, self._whole = self.is_whole, end
            self._set(0.0 if was_whole else min(start, end - LEAST), end if was_whole else min(stop, end))
        elif session.playing and start <= self._last <= stop and not start <= time <= stop:
            width = stop - start
            begin = min(max(time - 0.05 * width, 0.0), max(self._whole - width, 0.0))
            self._set(begin, begin + width)
        self._last = time

    def move(self, what: str, by: object, time: float) -> None:
        """``zoom`` by a factor about the cursor if it is in sight, ``pan`` by a share of the width, or ``whole``."""
        start, stop = self.shown
        width = stop - start
        if what == "whole" or not isinstance(by, int | float):
            self._set(0.0, self._whole)
        elif what == "pan":
            self._set(start + by * width, stop + by * width)
        else:
            center = time if start <= time <= stop else 0.5 * (start + stop)
            share = (center - start) / width
            width = min(max(width * by, LEAST), self._whole)
            self._set(center - share * width, center + (1.0 - share) * width)

    def _set(self, start: float, stop: float) -> None:
        width = min(max(stop - start, LEAST), self._whole)
        start = min(max(start, 0.0), self._whole - width)
        self._span.update(start=start, end=start + width, bounds=(0.0, self._whole), min_interval=LEAST)
