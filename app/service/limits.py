"""Limits of one process and one page, set by environment variables: pages, uploads, studies."""

from __future__ import annotations

import contextlib
import math
import os
import reprlib
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache

MINUTE = 60.0


@dataclass(frozen=True)
class Limits:
    """Each is set by an environment variable: its name in capitals after ``ARMSWEEP_``."""

    sessions: int = 150  # open pages of one process; later visitors have to wait
    uploads: int = 20  # files per minute from one page
    studies: int = 2  # concurrent processes that compute studies
    studying: float = 300.0  # s, time limit of each


class SettingError(ValueError):
    """An environment variable with an invalid value; the message names it."""


def read(environment: Mapping[str, str]) -> Limits:
    """Reads the limits from an environment.

    Raises:
        SettingError: for a value that is not a positive number.
    """
    found: dict[str, float] = {}
    for field in fields(Limits):
        name = f"ARMSWEEP_{field.name.upper()}"
        if name not in environment:
            continue
        is_whole, value = isinstance(field.default, int), math.nan
        with contextlib.suppress(ValueError):
            value = int(environment[name]) if is_whole else float(environment[name])
        if not 0 < value < math.inf:
            kind = "a whole number" if is_whole else "a number"
            given = reprlib.repr(environment[name])
            raise SettingError(f"{name} is {given}; it must be {kind} above zero, or not set at all.")
        found[field.name] = value
    return Limits(**found)  # type: ignore[arg-type]


class Allowance:
    """The files that one page may send in a minute; unlimited by default, as in a test or a program."""

    def __init__(self, uploads: float = math.inf, now: Callable[[], float] = time.monotonic) -> None:
        self._uploads, self._now = uploads, now
        self._taken = deque[float]()

    def takes_upload(self) -> bool:
        """Count an upload; False if it exceeds the limit."""
        now = self._now()
        while self._taken and self._taken[0] <= now - MINUTE:
            self._taken.popleft()
        if len(self._taken) >= self._uploads:
            return False
        self._taken.append(now)
        return True


class StudyPlaces:
    """Places for processes that compute studies.

    Args:
        most: number of places.
        seconds: time limit of each.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self._taken = set[object]()

    def take(self, owner: object) -> bool:
        """Take a place for an owner; False if all are taken. Called from the event loop."""
        if len(self._taken) >= self.most:
            return False
        self._taken.add(owner)
        return True

    def leave(self, owner: object) -> None:
        """Return the owner's place, if it has one; from any thread."""
        self._taken.discard(owner)


@cache
def study_places() -> StudyPlaces:
    """The places of this process.

    Raises:
        SettingError: as ``read``.
    """
    limits = read(os.environ)
    return StudyPlaces(limits.studies, limits.studying)
