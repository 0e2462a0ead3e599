"""Waiting for what a session computes, as a page does, however long that takes."""

import asyncio
import time
from collections.abc import Callable, Mapping

from app.job import Jobs
from app.messages import in_words
from app.motion.errors import ERRORS
from app.motion.presets import PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset
from app.state import Session
from app.state.address import asked
from app.state.machine_loader import RefusedError

PATIENCE = 60.0


def plain(preset: str) -> Setup:
    return Setup(machine_of_preset(PRESETS[preset]))


def computed(run: Run, until: float = float("inf")) -> Run:
    """The run, computed so far or to its end."""
    while run.end < until - 1e-9 and not run.complete:
        run.accept(run.compute())
    return run


def paused(preset: str, time: float) -> Session:
    """A session that stands still at an instant of its run."""
    session = Session(preset)
    computed(session.run, time)
    session.playing = False
    session.seek(time)
    return session


def restore(session: Session, query: Mapping[str, str]) -> None:
    """Shows at once what a link asks for; one that asks for something impossible changes nothing but the message."""
    if query.get("preset"):
        try:
            asked(query, session).show(session)
        except (RefusedError, *ERRORS) as error:
            session.message = f"This link cannot be followed: {in_words(error)}"


async def over(session: Session, goes_on: Callable[[], object], act: Callable[[], object] = lambda: None) -> None:
    """Does something, and attends to the jobs as long as it goes on."""
    act()
    while goes_on():
        session.jobs.attend()
        await asyncio.sleep(0.001)


async def idle(jobs: Jobs) -> None:
    while jobs.running:
        await asyncio.wait(jobs.running)
        jobs.attend()


async def arrival(
    session: Session,
    is_there: Callable[[], object],
    draw: Callable[[], None] = lambda: None,
    patience: float = PATIENCE,
) -> None:
    """Attends to the jobs, and draws, until something is there; and waits for what is still in threads then.

    What this loop has begun would never be known to be done in the next one.

    Raises:
        TimeoutError: it has not come after so many seconds.
    """
    due = time.monotonic() + patience
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
