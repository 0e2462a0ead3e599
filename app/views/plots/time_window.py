"""The stretch of time that all plots show."""

from __future__ import annotations

import math

from bokeh.models import Range1d

from app.motion.run import KEPT
from app.number_text import read_number
from app.state import Session

LEAST = 0.02
"""Least seconds in sight."""
ROOM = 1.25
"""A run without an end is given this many times its length, so that the axis does not move with every sample."""
FIRST = 10.0
"""Seconds that a run without a known length is given at first."""


class TimeWindow:
    """A range that the browser zooms and pans, and that follows the cursor out of its end while playing."""

    def __init__(self, span: Range1d) -> None:
        self._span = span
        self._begin, self._end = 0.0, float(span.end) if math.isfinite(span.end) else FIRST
        self._last = 0.0
        self._set(self._begin, self._end)

    @property
    def shown(self) -> tuple[float, float]:
        """s, as the browser has it."""
        return float(self._span.start), float(self._span.end)

    @property
    def is_whole(self) -> bool:
        """Whether all of the run is in sight."""
        start, stop = self.shown
        return start <= self._begin + 1e-9 and stop >= self._end - 1e-9

    @property
    def text(self) -> str:
        """The stretch as a link says it; nothing where all is in sight."""
        start, stop = self.shown
        return "" if self.is_whole else f"{start:.3f}".rstrip("0").rstrip(".") + f"-{stop:.3f}".rstrip("0").rstrip(".")

    def show(self, text: str) -> None:
        """What a link says, as far as there is that much of the run; all of it for nothing, and for what makes no sense."""
        start, stop = (read_number(part) for part in (*text.split("-"), "")[:2])
        if start is None or stop is None or not start < stop:
            start, stop = self._begin, self._end
        self._set(start, stop)

    def follow(self, session: Session) -> None:
        """Keeps the whole run in sight if it was, and the cursor if it was and plays."""
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
        # The bounds first: a browser holds each end within those that it knows.
        self._span.update(bounds=(self._begin, self._end), min_interval=LEAST, start=start, end=start + width)
