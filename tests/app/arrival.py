"""Waiting for what a session computes, as a page does, however long that takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from app.motion.run import Run
from app.state import Session

PATIENCE = 60.0


def computed(run: Run, until: float = float("inf")) -> Run:
    """The run, computed so far or to its end."""
    while run.end < until - 1e-9 and not run.complete:
        run.accept(run.compute())
    return run


async def arrival(session: Session, is_there: Callable[[], object], draw: Callable[[], None] = lambda: None) -> None:
    """Attends to the jobs, and draws, until something is there; and waits for what is still in threads then.

    What this loop has begun would never be known to be done in the next one.

    Raises:
        TimeoutError: it has not come after a minute.
    """
    due = time.monotonic() + PATIENCE
    while True:
        session.jobs.attend()
        draw()
        if is_there():
            break
        if time.monotonic() > due:
            raise TimeoutError
        await asyncio.sleep(0.01)
    if running := session.jobs.running:
        await asyncio.wait(running, timeout=PATIENCE)
