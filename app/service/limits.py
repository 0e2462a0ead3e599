"""What one process and one page may use, as environment variables say: pages, computing time, uploads, studies."""

from __future__ import annotations

import math
import os
import reprlib
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache

MINUTE = 60.0
LOG, LOG_FORMS = "ARMSWEEP_LOG", ("text", "json")
FRAMES, FRAMED_BY = "ARMSWEEP_FRAMES", ("self", "anyone")


@dataclass(frozen=True)
class Limits:
    """Each is set by an environment variable: its name in capitals after ``ARMSWEEP_``.

    Attributes:
        sessions: open pages of one process; later visitors are asked to wait.
        computing: s of a core in each minute that one page may compute while others are open.
        uploads: files in each minute from one page.
        studies: processes that compute studies at once.
        studying: s that each of them may take.
    """

    sessions: int = 150
    computing: float = 30.0
    uploads: int = 20
    studies: int = 2
    studying: float = 300.0


class SettingError(ValueError):
    """An environment variable without a sensible value; its words name it."""


def read(environment: Mapping[str, str]) -> Limits:
    """The limits that an environment sets.

    Raises:
        SettingError: for a value that is no number above zero.
    """
    found: dict[str, float] = {}
    for field in fields(Limits):
        name = f"ARMSWEEP_{field.name.upper()}"
        if name in environment:
            found[field.name] = _number(name, environment[name], whole=isinstance(field.default, int))
    return Limits(**found)  # type: ignore[arg-type]


def _number(name: str, text: str, *, whole: bool) -> float:
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        kind = "a whole number" if whole else "a number"
        raise SettingError(f"{name} is {reprlib.repr(text)}; it is to be {kind} above zero, or not set at all.")
    return value


def choice(environment: Mapping[str, str], name: str, offered: tuple[str, ...]) -> str:
    """One of several words, the first of them by default.

    Raises:
        SettingError: for any other word.
    """
    value = environment.get(name, offered[0])
    if value not in offered:
        raise SettingError(f"{name} is {reprlib.repr(value)}; it is to be {' or '.join(offered)}.")
    return value


class TokenBucket:
    """Fills at a constant rate up to its capacity: short bursts are allowed, a steady flood is not.

    Args:
        capacity: what a period fills; infinity for no limit.
        period: s.
    """

    def __init__(self, capacity: float, now: Callable[[], float] = time.monotonic, period: float = MINUTE) -> None:
        self._capacity, self._now, self._period = capacity, now, period
        self._left, self._at = capacity, now()
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """What may be taken at once; negative if too much was taken."""
        with self._lock:
            return self._filled()

    def _filled(self) -> float:
        if self._capacity < math.inf:
            now = self._now()
            self._left = min(self._capacity, self._left + (now - self._at) * self._capacity / self._period)
            self._at = now
        return self._left

    def take(self, amount: float) -> None:
        """Take some, be it more than is left: the time that work takes is known only afterwards."""
        with self._lock:
            self._left = self._filled() - amount


class Allowance:
    """The computing time and the uploads of one page.

    Args:
        computing: s of a core in a minute.
        uploads: files in a minute.
        is_alone: whether no other page is open; computing is not limited then.
    """

    def __init__(
        self, computing: float, uploads: float, is_alone: Callable[[], bool], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._computing, self._uploads = TokenBucket(computing, now), TokenBucket(uploads, now)
        self._is_alone = is_alone

    @property
    def may_compute(self) -> bool:
        """Whether the page has not used more than its share, or is alone."""
        return self._is_alone() or self._computing.left > 0.0

    def compute(self, seconds: float) -> None:
        """Count the time that work in the background has taken."""
        self._computing.take(seconds)

    def takes_upload(self) -> bool:
        """Count an upload; False if it is one too many."""
        if self._uploads.left < 1.0:
            return False
        self._uploads.take(1.0)
        return True


def unlimited() -> Allowance:
    """The allowance of a page without a server: in a test, or in a program."""
    return Allowance(math.inf, math.inf, lambda: True)


class Place:
    """One of the places of ``StudyPlaces``."""

    def __init__(self, places: threading.BoundedSemaphore) -> None:
        self._places: threading.BoundedSemaphore | None = places
        self._lock = threading.Lock()

    def leave(self) -> None:
        """Give the place back; a second time does nothing."""
        with self._lock:
            if self._places is not None:
                self._places.release()
            self._places = None


class StudyPlaces:
    """Places for processes that compute studies.

    Args:
        most: at once.
        seconds: that each may take.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self.seconds = seconds
        self._places = threading.BoundedSemaphore(most)

    def take(self) -> Place | None:
        """A place, or None if all are taken."""
        return Place(self._places) if self._places.acquire(blocking=False) else None


@cache
def study_places() -> StudyPlaces:
    """The places of this process.

    Raises:
        SettingError: as ``read``.
    """
    limits = read(os.environ)
    return StudyPlaces(limits.studies, limits.studying)
