"""Work in the background of a session: one piece at a time in a thread, taken in by the page's own thread."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from app.messages import in_words
from app.service.limits import Allowance

log = logging.getLogger(__name__)
T = TypeVar("T")
SLICE = 0.2
"""Seconds of work at a time, of what is done in slices."""


@dataclass(frozen=True)
class Order(Generic[T]):
    """What was asked for: ``work`` runs in a thread and changes nothing that the page reads."""

    work: Callable[[], T]
    take: Callable[[T], None]
    fail: Callable[[str], None]


class Job(Generic[T]):
    """At most one piece of work in a thread at a time, however often it is asked for.

    A long job is many short pieces: ``take`` starts the next one, and says with ``report`` how far it has come.
    Newer work replaces older: what the older finds is dropped, and the newer starts when its thread is free.

    Args:
        what: is done, for the words of a failure: "the run could not be computed".
        tell: to whom a failure is told in words.
        expected: errors whose own words say all; any other is a fault of ours, and stands in the log as well.
    """

    def __init__(
        self,
        what: str,
        tell: Callable[[str], None],
        expected: tuple[type[Exception], ...] = (),
    ) -> None:
        self._what, self.tell, self._expected = what, tell, expected
        self._running: asyncio.Future[T] | None = None
        self.on_done: Callable[[], None] = lambda: None
        self._order: Order[T] | None = None
        self._next: Order[T] | None = None
        self._stopped = False
        self.progress: float | None = None

    @property
    def busy(self) -> bool:
        """Whether something is awaited."""
        return self._order is not None or self._next is not None

    @property
    def running(self) -> asyncio.Future[T] | None:
        """The piece in the thread, to wait for; of one that was replaced, too."""
        return self._running

    def start(
        self, work: Callable[[], T], take: Callable[[T], None], fail: Callable[[str], None] | None = None
    ) -> None:
        """Has ``work`` done in a thread, from the session's event loop; instead of what was asked for before.

        Args:
            take: what becomes of its result, in the page's thread.
            fail: told in words if it fails, instead of whom the job tells otherwise.
        """
        if self._stopped:
            return
        self._order, self._next = None, Order(work, take, fail or self.tell)
        self._begin()

    def report(self, share: float) -> None:
        """Says how much of the whole is done, from 0 to 1."""
        self.progress = min(max(share, 0.0), 1.0)

    def attend(self) -> None:
        """Takes in what is finished and begins what waits. Once a frame, from the session's clock."""
        if self._running is None:
            return
        if not self._running.done():
            return
        done, order = self._running, self._order
        self._running = self._order = None  # first, so that a fault is met once and not at every frame
        if order is not None and not done.cancelled():
            fault = done.exception()
            if fault is None:
                order.take(done.result())
            else:
                if not isinstance(fault, self._expected):
                    log.error("%s", self._what, exc_info=fault)
                order.fail(f"{self._what}: {in_words(fault)}")
        self._begin()
        if not self.busy:
            self.progress = None

    def cancel(self) -> None:
        """Awaits nothing any longer; a thread at work goes on to the end of its piece, which nobody takes."""
        self._order = self._next = self.progress = None

    def stop(self) -> None:
        """The session is over: nothing is taken and nothing starts any more."""
        self.cancel()
        self._stopped = True
        if self._running is not None:
            self._running.cancel()  # a piece that has not got its thread yet never gets one
            self._running = None

    def _begin(self) -> None:
        if self._running is None and self._next is not None:
            self._order, self._next = self._next, None
            self._running = asyncio.get_running_loop().run_in_executor(None, self._order.work)
            self._running.add_done_callback(lambda _: self.on_done())


def in_slices(
    job: Job[Any], steps: Iterator[T | None], take: Callable[[T], None], done: Callable[[], None] = lambda: None
) -> None:
    """Has steps of work done in threads, some at a time, as long as nothing else is asked of the job.

    Args:
        take: takes, in the page's thread, what a step has found; most find nothing.
        done: is called there when there are no more steps.
    """

    def work() -> tuple[T | None, bool]:
        until = time.monotonic() + SLICE
        while time.monotonic() < until:
            try:
                found = next(steps)
            except StopIteration:
                return None, True
            if found is not None:
                return found, False
        return None, False

    def go_on(made: tuple[T | None, bool]) -> None:
        found, is_over = made
        if found is not None:
            take(found)
        if is_over:
            done()
        else:
            in_slices(job, steps, take, done)

    job.start(work, go_on)


class Attended(Protocol):
    """Work that a session's clock attends to, and that its end stops."""

    @property
    def running(self) -> asyncio.Future[Any] | None: ...

    def attend(self) -> None: ...

    def stop(self) -> None: ...


class Jobs:
    """All jobs of a session: its clock attends to them, and its end stops them.

    Attributes:
        allowance: what the session may take of the server.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.allowance = Allowance()
        self._jobs: list[Attended] = []
        self._done: Callable[[], None] = lambda: None

    def new(
        self,
        what: str,
        tell: Callable[[str], None] | None = None,
        expected: tuple[type[Exception], ...] = (),
    ) -> Job[Any]:
        """A job of this session; ``what`` says what has failed if it fails."""
        job: Job[Any] = Job(what, tell or self._tell, expected)
        job.on_done = self.stir
        self._jobs.append(job)
        return job

    def add(self, work: Attended) -> None:
        """Work that is done elsewhere than in a thread: attended to and stopped like a job."""
        self._jobs.append(work)

    def stir(self) -> None:
        """Something has come: somebody is to attend to it."""
        self._done()

    def on_done(self, stir: Callable[[], None]) -> None:
        """Whom to tell when a piece is finished, so that somebody attends to it."""
        self._done = stir

    @property
    def running(self) -> set[asyncio.Future[Any]]:
        """What is in threads now, to wait for the first of them."""
        return {job.running for job in self._jobs if job.running is not None}

    def attend(self) -> None:
        """Takes in whatever is finished."""
        for job in self._jobs:
            job.attend()

    def stop(self) -> None:
        """Ends everything."""
        for job in self._jobs:
            job.stop()
