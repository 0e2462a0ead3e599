"""What one page may still take of what all pages share."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

MINUTE = 60.0


class Bucket:
    """Fills by so much in a period, and holds no more than that: a burst is welcome, no flood is.

    Args:
        most: in a period; infinity for as much as anybody likes.
        period: s.
    """

    def __init__(self, most: float, now: Callable[[], float] = time.monotonic, period: float = MINUTE) -> None:
        self._most, self._now, self._period = most, now, period
        self._left, self._at = most, now()
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """What may be taken at once; below zero, what was taken too much."""
        with self._lock:
            return self._filled()

    def _filled(self) -> float:
        if self._most < math.inf:
            now = self._now()
            self._left = min(self._most, self._left + (now - self._at) * self._most / self._period)
            self._at = now
        return self._left

    def take(self, amount: float) -> None:
        """Takes some; what was not foreseen may be more than is left."""
        with self._lock:
            self._left = self._filled() - amount


class Allowance:
    """Of one page: seconds of computing, and files.

    Args:
        computing: s of a core in a minute.
        uploads: files in a minute.
        is_alone: whether this process serves no other page; then computing is not limited.
    """

    def __init__(
        self, computing: float, uploads: float, is_alone: Callable[[], bool], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._computing, self._uploads, self._is_alone = Bucket(computing, now), Bucket(uploads, now), is_alone

    @property
    def may_compute(self) -> bool:
        """Whether the page has not used more than its share, or there is nobody to share with."""
        return self._is_alone() or self._computing.left > 0.0

    def compute(self, seconds: float) -> None:
        """Notes what work in the background has taken."""
        self._computing.take(seconds)

    def takes_upload(self) -> bool:
        """Takes one file of those that are left; False where none is."""
        if self._uploads.left < 1.0:
            return False
        self._uploads.take(1.0)
        return True


def unlimited() -> Allowance:
    """Of a page without a server: a test's, or a program's."""
    return Allowance(math.inf, math.inf, lambda: True)
