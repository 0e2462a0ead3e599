"""Background work of a session: one piece at a time in a thread, with results accepted by the page's own thread."""

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
SLICE = 0.2  # Seconds per slice of work done in slices


@dataclass(frozen=True)
class Order(Generic[T]):
    """A request: ``work`` runs in a thread and changes nothing that the page reads."""

    work: Callable[[], T]
    take: Callable[[T], object]
    fail: Callable[[str], object]


class Job(Generic[T]):
    """Runs at most one piece of work in a thread at a time, however often work is requested.

    A long job is many short pieces: ``take`` starts the next one, and ``report`` states the progress.
    Newer work replaces older: the older's result is dropped, and the newer starts when the thread is free.
    ``what`` names a failure in messages; one that is not of the ``expected`` types is a bug, and is logged as well.
    """

    def __init__(self, what: str, notify: Callable[[str], object], expected: tuple[type[Exception], ...] = ()) -> None:
        self._what, self.notify, self._expected = what, notify, expected
        self.running: asyncio.Future[T] | None = None  # the piece in the thread, also one that was replaced
        self.on_done: Callable[[], None] = lambda: None
        self._order: Order[T] | None = None
        self._next: Order[T] | None = None
        self._stopped = False
        self.progress: float | None = None

    @property
    def busy(self) -> bool:
        return self._order is not None or self._next is not None

    def start(
        self, work: Callable[[], T], take: Callable[[T], object], fail: Callable[[str], object] | None = None
    ) -> None:
        """Runs ``work`` in a thread, ``take`` or ``fail`` with its result in the page's; replaces earlier requests."""
        if self._stopped:
            return
        self._order, self._next = None, Order(work, take, fail or self.notify)
        self._begin()

    def report(self, share: float) -> None:
        """States the finished share of the whole, from 0 to 1."""
        self.progress = min(max(share, 0.0), 1.0)

    def attend(self) -> None:
        """Accepts a finished piece and starts a waiting one. Called once a frame by the session's clock."""
        if self.running is None or not self.running.done():
            return
        done, order = self.running, self._order
        self.running = self._order = None  # first, so that an error is met once and not at every frame
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
        """Drops all requests; a running thread finishes its piece, whose result is discarded."""
        self._order = self._next = self.progress = None

    def stop(self) -> None:
        """Ends the job with its session: nothing is accepted and nothing starts any more."""
        self.cancel()
        self._stopped = True
        if self.running is not None:
            self.running.cancel()  # a piece still waiting for a thread never gets one
            self.running = None

    def _begin(self) -> None:
        if self.running is None and self._next is not None:
            self._order, self._next = self._next, None
            self.running = asyncio.get_running_loop().run_in_executor(None, self._order.work)
            self.running.add_done_callback(lambda _: self.on_done())


def in_slices(
    job: Job[Any], steps: Iterator[T | None], take: Callable[[T], object], done: Callable[[], None] = lambda: None
) -> None:
    """Runs steps of work in threads, slice by slice, until the job receives another request.

    In the page's thread, ``take`` receives the result of a step, as most have none, and ``done`` follows the last one.
    """

    def work() -> tuple[T | None, bool]:
        until = time.monotonic() + SLICE
        for found in steps:
            if found is not None or time.monotonic() >= until:
                return found, False
        return None, True

    def go_on(made: tuple[T | None, bool]) -> None:
        found, is_over = made
        if found is not None:
            take(found)
        if is_over:
            done()
        else:
            in_slices(job, steps, take, done)

    job.start(work, go_on)


class BackgroundWork(Protocol):
    """Work that a session's clock attends to, and that stops with the session."""

    @property
    def running(self) -> asyncio.Future[Any] | None: ...

    def attend(self) -> None: ...

    def stop(self) -> None: ...


class Jobs:
    """All jobs of a session: its clock attends to them, and they stop with it."""

    def __init__(self, notify: Callable[[str], object]) -> None:
        self._notify = notify
        self.allowance = Allowance()  # the session's limits on server resources
        self._jobs: list[BackgroundWork] = []
        self.on_done: Callable[[], None] = lambda: None  # called when a piece is finished

    def new(
        self, what: str, notify: Callable[[str], object] | None = None, expected: tuple[type[Exception], ...] = ()
    ) -> Job[Any]:
        """A job of this session; ``what`` names the failure in messages."""
        job: Job[Any] = Job(what, notify or self._notify, expected)
        job.on_done = lambda: self.on_done()
        self._jobs.append(job)
        return job

    def add(self, work: BackgroundWork) -> None:
        self._jobs.append(work)

    @property
    def running(self) -> set[asyncio.Future[Any]]:
        """The pieces in threads now, for waiting for the first of them."""
        return {job.running for job in self._jobs if job.running is not None}

    def attend(self) -> None:
        """Accepts all finished pieces."""
        for job in self._jobs:
            job.attend()

    def stop(self) -> None:
        """Stops all jobs."""
        for job in self._jobs:
            job.stop()
