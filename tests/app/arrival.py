"""Waiting for what a session's jobs find, as a page does: with its clock, and with no opinion of how fast that is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from app.state import Session

PATIENCE = 60.0


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
