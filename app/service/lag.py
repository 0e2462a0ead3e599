"""How long whatever is asked for waits for its turn in a process's event loop."""

from __future__ import annotations

import asyncio
import math

from app.service import counters

PERIOD = 0.1
"""Seconds between two looks."""
MEMORY = 3.0
"""Seconds after which a look counts for a third only."""


class Lag:
    """A timer that is late by as much as anything else is, averaged over a few seconds."""

    def __init__(self) -> None:
        self.average = 0.0
        self._task: asyncio.Task[None] | None = None
        self._excused = False

    @property
    def is_watched(self) -> bool:
        """Whether it looks: from when the server is ready."""
        return self._task is not None

    def start(self) -> None:
        """Looks from now on; from the event loop."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._watch())

    def stop(self) -> None:
        """Looks no longer."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def excuse(self) -> None:
        """A page has just been opened, which takes a while by itself: the present look does not count."""
        self._excused = True

    def note(self, late: float, elapsed: float) -> None:
        """Takes in a look ``elapsed`` seconds after the last one that was ``late`` by some."""
        share = 1.0 - math.exp(-elapsed / MEMORY)
        self.average += share * (late - self.average)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            await asyncio.sleep(PERIOD)
            elapsed = loop.time() - begun
            self.note(0.0 if self._excused else elapsed - PERIOD, elapsed)
            self._excused = False
            counters.lag.set(self.average)
