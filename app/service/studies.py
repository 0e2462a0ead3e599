"""How many studies a server computes at once, and for how long each."""

from __future__ import annotations

import os
import threading
from functools import cache

from app.service.limits import read


class Place:
    """One of several, to be given back once."""

    def __init__(self, places: threading.BoundedSemaphore) -> None:
        self._places: threading.BoundedSemaphore | None = places
        self._lock = threading.Lock()

    def leave(self) -> None:
        """Gives it back; a second time does nothing."""
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
        """A place, if there is one."""
        return Place(self._places) if self._places.acquire(blocking=False) else None


@cache
def study_places() -> StudyPlaces:
    """Those of this process.

    Raises:
        SettingError: for an environment that makes no sense.
    """
    limits = read(os.environ)
    return StudyPlaces(limits.studies, limits.studying)
