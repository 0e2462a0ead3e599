"""Those who work: threads, processes that are replaced one by one, or a cluster whose scheduler may come back."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from importlib import import_module
from typing import Any, TypeVar

from dynamics.checks import brief
from dynamics.ensemble.memory import keep_memory
from dynamics.errors import StateError

Answer = TypeVar("Answer")
LISTENING, GLANCE = 2.0, 0.1
"""s after which one asks whether a scheduler is still there, and whether one that was lost is back."""
PATIENCE, LONGEST_IDLE = 10.0, 120.0
"""s that a scheduler may be away, or without workers: at first, and later, when others may come for what is lost."""
GONE = "scheduler: it is gone, and no other has come in its place. Ask the same again to go on from what is kept."
NOBODY = "scheduler: it has no workers; start some. What is kept is whole: ask the same again to go on."


def _is_good(future: Future[Any]) -> bool:
    """Whether it is done, and has an answer."""
    return future.done() and not future.cancelled() and future.exception() is None


class Hands:
    """An executor, how many work for it, and how it tells that one of them is lost."""

    def __init__(self, executor: Executor, many: int) -> None:
        self.executor, self.many = executor, many
        self.losses: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def begun(self, work: Callable[[int], Answer], number: int) -> Future[Answer]:
        """Somebody will do it."""
        return self.executor.submit(work, number)

    def answer(self, future: Future[Answer]) -> Answer:
        """What has come of it, once it is done."""
        return future.result()

    def kept(self, future: Future[Answer] | None) -> Future[Answer] | None:
        """What is left of it after a loss: itself, or nothing."""
        return future if future is not None and _is_good(future) else None

    def mend(self) -> bool:
        """Whether others have come for those that are lost, alone; else all are."""
        return False

    def leave(self) -> None:
        """Nobody begins another chunk."""
        self.executor.shutdown(wait=True, cancel_futures=True)


class Processes(Hands):
    """Each process an executor of its own: of one executor, a process that is killed takes all others with it."""

    def __init__(self, many: int, begin: Callable[[], object]) -> None:
        self._begin = begin
        self._crew: list[tuple[Executor, list[Future[Any]]]] = [(self._one(), []) for _ in range(many)]
        self.many, self.losses = many, (BrokenExecutor,)

    def begun(self, work: Callable[[int], Answer], number: int) -> Future[Answer]:
        """Whoever has least to do will do it."""
        for _, given in self._crew:
            given[:] = [one for one in given if not _is_good(one)]
        executor, given = min(self._crew, key=lambda one: len(one[1]))
        future = executor.submit(work, number)
        given.append(future)
        return future

    def kept(self, future: Future[Answer] | None) -> Future[Answer] | None:
        """It goes on with whoever is not lost."""
        is_here = future is not None and (_is_good(future) or any(future in given for _, given in self._crew))
        return future if is_here else None

    def mend(self) -> bool:
        """See above; what the lost ones had in hand is nobody's."""
        for at, (executor, _) in enumerate(self._crew):
            if _is_broken(executor):
                executor.shutdown(wait=True, cancel_futures=True)
                self._crew[at] = self._one(), []
        return True

    def leave(self) -> None:
        """Nobody begins another chunk."""
        for executor, _ in self._crew:
            executor.shutdown(wait=False, cancel_futures=True)
        for executor, _ in self._crew:
            executor.shutdown(wait=True)

    def _one(self) -> Executor:
        """Spawned: a copy of a process in which other threads run would wait for locks that nobody gives back."""
        return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=self._begin)


def _is_broken(executor: Executor) -> bool:
    """Whether its process is lost."""
    try:
        executor.submit(_nothing)
    except BrokenExecutor:
        return True
    return False


def _nothing() -> None: ...


def _kept(work: Callable[[int], Answer], number: int) -> Answer:
    keep_memory()
    return work(number)


class SchedulerLost(Exception):
    """It is gone, and what it was asked with it; another may come in its place."""

    def __init__(self) -> None:
        super().__init__(GONE)


class DaskHands(Hands):
    """The same of a cluster; a client that was made for it is closed with it.

    Its futures are asked themselves: Dask's own executor waits for ever once the scheduler is gone.
    """

    def __init__(self, client: Any, own: bool, patience: float) -> None:
        self._client, self._own = client, own
        self._idle_since: float | None = None
        while client.status == "connecting":  # a caller's own looks for its scheduler as long as it was told
            time.sleep(GLANCE)
        try:
            if client.status != "running":
                raise StateError(GONE)
            client.wait_for_workers(1, timeout=patience)
            self.many = max(sum(client.nthreads().values()), 1)
        except TimeoutError as cause:
            self.leave()
            raise StateError(NOBODY) from cause
        except OSError as cause:
            self.leave()
            raise StateError(GONE) from cause
        self.losses = (import_module("distributed").KilledWorker, SchedulerLost)

    def begun(self, work: Callable[[int], Answer], number: int) -> Any:
        self._must_be_there()
        return self._client.submit(_kept, work, number, pure=False)

    def answer(self, future: Any) -> Any:
        while True:
            try:
                return future.result(timeout=LISTENING)
            except TimeoutError:
                if future.done():
                    raise
                self._must_be_there()
            except (CancelledError, asyncio.CancelledError) as error:
                raise SchedulerLost from error

    def _must_be_there(self) -> None:
        if self._client.status != "running":
            raise SchedulerLost
        try:
            is_manned = bool(self._client.nthreads())
        except OSError as error:  # it has gone while it was asked
            raise SchedulerLost from error
        if is_manned:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = time.monotonic()
        elif time.monotonic() - self._idle_since > LONGEST_IDLE:
            raise StateError(NOBODY)

    def leave(self) -> None:
        if self._own:
            self._client.close(timeout=LISTENING)


def on_dask(scheduler: Any, again: bool) -> Hands:
    """Who begins there, or ``again`` after a loss: then others are waited for longer."""
    patience = LONGEST_IDLE if again else PATIENCE
    try:
        distributed = import_module("distributed")
    except ImportError as cause:
        raise StateError("scheduler: a cluster needs dask.distributed: pip install armsweep[study].") from cause
    if isinstance(scheduler, distributed.Client):
        return DaskHands(scheduler, False, patience)
    try:
        client = distributed.Client(scheduler, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as cause:
        raise StateError(GONE if again else f"scheduler: nobody answers at {brief(scheduler)}.") from cause
    return DaskHands(client, True, patience)
