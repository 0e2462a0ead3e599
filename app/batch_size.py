"""How many of many alike are done together: together they cost less, and nobody is to wait long for them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Pace:
    """Twice as many next time where it was quick, half as many where it took too long; it begins with one.

    Attributes:
        size: how many to do together next.

    Args:
        seconds: of a core that they may take.
        most: never more than so many.
    """

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds, self._most = seconds, most
        self.size = 1

    @contextmanager
    def kept(self, count: int) -> Iterator[None]:
        """Round what is done with ``count`` of them."""
        since = time.thread_time()
        yield
        took = time.thread_time() - since
        if took > self._seconds:
            self.size = max(count // 2, 1)
        elif took < self._seconds / 2 and count >= self.size:
            self.size = min(2 * self.size, self._most)
