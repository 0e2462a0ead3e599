"""Work in the background: done, followed, given up, replaced, failed in words, and over with the session."""

import asyncio
import threading
import time
from functools import partial
from typing import Any

import pytest

from app.batch_size import Pace
from app.job import Job, Jobs


async def until_idle(job: Job[Any]) -> None:
    while job.running is not None:
        await asyncio.wait([job.running])
        job.attend()


async def test_what_it_finds_is_taken_by_the_pages_thread() -> None:
    taken: list[tuple[int, int]] = []
    job = Jobs(taken.append).new("it failed")  # type: ignore[arg-type]
    job.start(threading.get_ident, lambda thread: taken.append((thread, threading.get_ident())))
    assert job.busy
    assert taken == []
    await until_idle(job)
    assert not job.busy
    assert taken[0][0] != taken[0][1] == threading.get_ident()


async def test_what_was_cancelled_is_not_taken() -> None:
    taken: list[int] = []
    job = Jobs(print).new("it failed")
    job.start(lambda: 1, taken.append)
    job.report(0.5)
    job.cancel()
    assert not job.busy
    assert job.progress is None
    await until_idle(job)
    assert taken == []
    job.start(lambda: 2, taken.append)
    await until_idle(job)
    assert taken == [2]


async def test_newer_work_replaces_older_and_never_runs_beside_it() -> None:
    taken: list[str] = []
    at_work: list[str] = []
    most = [0]
    gate = threading.Event()
    job = Jobs(print).new("it failed")

    def work(name: str) -> str:
        at_work.append(name)
        most[0] = max(most[0], len(at_work))
        gate.wait(5.0)
        at_work.remove(name)
        return name

    for name in ("old", "never", "new"):
        job.start(lambda name=name: work(name), taken.append)
    gate.set()
    await until_idle(job)
    assert (taken, most) == (["new"], [1])


async def test_a_failure_is_reported_in_words_and_once() -> None:
    told: list[str] = []
    own: list[str] = []
    job = Jobs(told.append).new("the picture could not be drawn")

    def fail() -> None:
        raise ZeroDivisionError("nothing to divide by")

    job.start(fail, print)
    await until_idle(job)
    for _ in range(3):
        job.attend()
    assert told == ["the picture could not be drawn: nothing to divide by"]
    assert not job.busy
    job.start(fail, print, own.append)
    await until_idle(job)
    assert len(told) == len(own) == 1
    job.start(lambda: 1, own.append)  # type: ignore[arg-type]
    await until_idle(job)
    assert own[1:] == [1]


async def test_the_sessions_end_stops_all() -> None:
    taken: list[int] = []
    jobs = Jobs(print)
    one, other = jobs.new("it failed"), jobs.new("it failed")
    gate = threading.Event()
    ended = threading.Event()

    def work() -> int:
        gate.wait(5.0)
        ended.set()
        return 1

    one.start(work, taken.append)
    one.start(lambda: 2, taken.append)
    jobs.stop()
    gate.set()
    assert jobs.running == set()
    other.start(lambda: 3, taken.append)
    await asyncio.to_thread(ended.wait, 30.0)
    jobs.attend()
    assert taken == []
    assert not one.busy
    assert not other.busy


async def test_an_expected_failure_is_reported_and_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A stranger's bad file is no fault of the server's; anything else is. Neither message is as long as a file."""

    def refuse(fault: Exception) -> None:
        raise fault

    told: list[str] = []
    job = Jobs(told.append).new("it failed", expected=(ValueError,))
    for fault in (ValueError("x" * 5_000_000), KeyError("unforeseen"), KeyError()):
        job.start(partial(refuse, fault), print)
        await until_idle(job)
    assert told[0].startswith("it failed: xxx")
    assert len(told[0]) < 1000
    assert (told[1:], len(caplog.records)) == (["it failed: 'unforeseen'", "it failed: KeyError"], 2)


def work(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_what_is_done_together_grows_while_it_is_quick_and_halves_where_it_was_not() -> None:
    pace, sizes = Pace(0.02, 6), []
    for _ in range(5):
        sizes.append(pace.size)
        with pace.kept(pace.size):
            pass
    assert sizes == [1, 2, 4, 6, 6]
    with pace.kept(1):  # fewer than asked for say nothing of more
        pass
    assert pace.size == 6
    with pace.kept(6):
        work(0.03)
    assert pace.size == 3
