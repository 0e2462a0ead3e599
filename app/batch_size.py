"""An adaptive batch size: a larger batch costs less per item, but must not take too long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Pace:
    """Doubles the batch size after a quick batch and halves it after a slow one, starting from one.

    Attributes:
        size: of the next batch.

    Args:
        seconds: of CPU time allowed for a batch.
        most: largest batch size.
    """

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds, self._most = seconds, most
        self.size = 1

    @contextmanager
    def kept(self, count: int) -> Iterator[None]:
        """Context manager around a batch of ``count`` items."""
        since = time.thread_time()
        yield
        took = time.thread_time() - since
        if took > self._seconds:
            self.size = max(count // 2, 1)
        elif took < self._seconds / 2 and count >= self.size:
            self.size = min(2 * self.size, self._most)
