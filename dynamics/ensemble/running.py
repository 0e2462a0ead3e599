"""Who computes: this thread, threads or processes of this machine, or a cluster; answers come in order."""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from dynamics.checks import brief, flag, whole_number
from dynamics.ensemble.hands import Hands, Processes, on_dask
from dynamics.ensemble.memory import keep_memory
from dynamics.errors import StateError

Answer = TypeVar("Answer")
AHEAD = 3
"""Chunks under way for each worker: one at work, and those that wait for an earlier one."""
MOST_LOSSES = 5
"""How often in a row workers may be lost before anything is finished."""
MOST_WORKERS = 256


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
                    if not hands.mend():
                        hands.leave()
                        hands = self._hired(again=True)
                    waiting = deque((number, hands.kept(future)) for number, future in waiting)
                else:
                    losses = 0
                    waiting.popleft()
                    yield answer
        finally:
            hands.leave()

    def _hired(self, again: bool = False) -> Hands:
        """Who begins; workers of a cluster are waited for."""
        if self.scheduler is not None:
            return on_dask(self.scheduler, again)
        if self.threads:
            return Hands(ThreadPoolExecutor(self.workers, "study"), self.workers)
        return Processes(self.workers, _begin)


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
