"""Who computes: this thread, threads or processes of this machine, or a cluster; answers come in order."""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from dynamics.checks import brief, flag, whole_number
from dynamics.ensemble.memory import keep_memory
from dynamics.errors import StateError

Answer = TypeVar("Answer")
AHEAD = 3
"""Chunks under way for each worker: one at work, and those that wait for an earlier one."""
MOST_LOSSES = 5
"""How often in a row workers may be lost before anything is finished."""
MOST_WORKERS = 256
LISTENING, GLANCE = 2.0, 0.1
"""s after which one asks whether a scheduler is still there, and whether one that was lost is back."""
PATIENCE, LONGEST_IDLE = 10.0, 120.0
"""s that a scheduler may be away, or without workers: at first, and later, when others may come for what is lost."""
GONE = "scheduler: it is gone, and no other has come in its place. Ask the same again to go on from what is kept."
NOBODY = "scheduler: it has no workers; start some. What is kept is whole: ask the same again to go on."


@dataclass(frozen=True)
class Crew:
    """Who computes.

    Attributes:
        workers: how many; one is this thread itself.
        threads: whether they are threads of this process.
        scheduler: of ``dask.distributed``, an address or a ``Client``; None for this machine alone.
    """

    workers: int
    threads: bool
    scheduler: Any

    def answers(self, work: Callable[[int], Answer], count: int) -> Iterator[Answer]:
        """``work`` of each number below ``count``, in order.

        Raises:
            StateError: if workers are lost again and again, the scheduler cannot be reached, or what is asked cannot be
                sent to another process.
        """
        with one_thread_each():
            if self.workers == 1 and self.scheduler is None:
                yield from map(work, range(count))
            else:
                yield from self._by_others(work, count)

    def _by_others(self, work: Callable[[int], Answer], count: int) -> Iterator[Answer]:
        if self.scheduler is None and not self.threads:
            _must_travel(work)
        hands = self._hired()
        waiting: deque[tuple[int, Future[Answer] | None]] = deque()
        sent = losses = 0
        try:
            while waiting or sent < count:
                while sent < count and len(waiting) < AHEAD * hands.many:
                    waiting.append((sent, None))
                    sent += 1
                try:
                    for at, (number, future) in enumerate(waiting):
                        if future is None:
                            waiting[at] = number, hands.begun(work, number)
                    future = waiting[0][1]
                    assert future is not None
                    answer = hands.answer(future)
                except hands.losses as error:
                    losses += 1
                    if losses > MOST_LOSSES:
                        raise StateError(f"workers are lost again and again: {brief(str(error))}") from error
                    hands.leave()
                    hands = self._hired(LONGEST_IDLE)
                    waiting = deque((number, _if_done(future)) for number, future in waiting)
                else:
                    losses = 0
                    waiting.popleft()
                    yield answer
        finally:
            hands.leave()

    def _hired(self, patience: float | None = None) -> _Hands:
        """Who begins; workers of a cluster are waited for."""
        if self.scheduler is not None:
            return _on_dask(self.scheduler, patience)
        if self.threads:
            return _Hands(ThreadPoolExecutor(self.workers, "study"), self.workers)
        # Spawned: a copy of a process in which other threads run would wait for locks that nobody gives back.
        spawned = multiprocessing.get_context("spawn")
        return _Hands(ProcessPoolExecutor(self.workers, spawned, initializer=_begin), self.workers)


class _OneThread:
    """How many ask for it just now: the first limits BLAS, the last one gives it back."""

    def __init__(self) -> None:
        self._lock, self._many = threading.Lock(), 0
        self._limits: Any = None

    def __enter__(self) -> None:
        with self._lock:
            self._many += 1
            if self._many == 1:
                self._limits = threadpool_limits(limits=1, user_api="blas")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._many -= 1
            if not self._many:
                self._limits.restore_original_limits()


_ONE_THREAD = _OneThread()


def one_thread_each() -> AbstractContextManager[None]:
    """Products of matrices by the thread that asks: BLAS would have as many of its own as there are cores for each
    worker, which wait for each other and for a page beside them; and their last bits would hang on how many there are.
    """
    return _ONE_THREAD


def _begin() -> None:
    keep_memory()
    _ONE_THREAD.__enter__()  # and so for good, in a process that does nothing else


def _must_travel(work: Callable[[int], object]) -> None:
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise StateError(
            f"workers: what is asked cannot be sent to another process: {brief(str(error))[1:-1]}. Define functions at "
            "the top of a module, or ask with threads=True."
        ) from error


def _if_done(future: Future[Answer] | None) -> Future[Answer] | None:
    done = future is not None and future.done() and not future.cancelled() and future.exception() is None
    return future if done else None


class _Hands:
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

    def leave(self) -> None:
        """Nobody begins another chunk."""
        self.executor.shutdown(wait=True, cancel_futures=True)


def _kept(work: Callable[[int], Answer], number: int) -> Answer:
    keep_memory()
    return work(number)


class _SchedulerLost(Exception):
    """It is gone, and what it was asked with it; another may come in its place."""

    def __init__(self) -> None:
        super().__init__(GONE)


class _DaskHands(_Hands):
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
        self.losses = (import_module("distributed").KilledWorker, _SchedulerLost)

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
                raise _SchedulerLost from error

    def _must_be_there(self) -> None:
        if self._client.status != "running":
            raise _SchedulerLost
        try:
            is_manned = bool(self._client.nthreads())
        except OSError as error:  # it has gone while it was asked
            raise _SchedulerLost from error
        if is_manned:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = time.monotonic()
        elif time.monotonic() - self._idle_since > LONGEST_IDLE:
            raise StateError(NOBODY)

    def leave(self) -> None:
        if self._own:
            self._client.close(timeout=LISTENING)


def _on_dask(scheduler: Any, patience: float | None = None) -> _Hands:
    """Who begins there; ``patience`` is that after a loss."""
    is_lost, patience = patience is not None, PATIENCE if patience is None else patience
    try:
        distributed = import_module("distributed")
    except ImportError as cause:
        raise StateError("scheduler: a cluster needs dask.distributed: pip install armsweep[study].") from cause
    if isinstance(scheduler, distributed.Client):
        return _DaskHands(scheduler, False, patience)
    try:
        client = distributed.Client(scheduler, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as cause:
        raise StateError(GONE if is_lost else f"scheduler: nobody answers at {brief(scheduler)}.") from cause
    return _DaskHands(client, True, patience)


def crew_of(workers: object, threads: object, scheduler: Any) -> Crew:
    """Who is asked for.

    Raises:
        StateError: for a number of workers that is none, or what is no scheduler.
    """
    many = whole_number(workers, "workers", "how many workers, 1 or more", least=1, most=MOST_WORKERS)
    known = scheduler is None or isinstance(scheduler, str) or hasattr(scheduler, "get_executor")
    if not known or (isinstance(scheduler, str) and "://" not in scheduler):
        raise StateError(f"scheduler is {brief(scheduler)}; expected an address, tcp://host:port, or a Client.")
    return Crew(many, flag(threads, "threads"), scheduler)
