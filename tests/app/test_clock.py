"""The clock moves the cursor by the time that has passed, and the worker computes only what is wanted."""

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app.batch_size import Pace
from app.clock import Clock, Worker
from app.job import Job, Jobs
from app.state import Session
from tests.app.arrival import computed


@pytest.fixture
def session() -> Session:
    session = Session("puma560")
    computed(session.run, 1.0)
    return session


class Counter:
    drawn = 0

    def draw(self) -> None:
        self.drawn += 1


async def ticks(clock: Clock, elapsed: list[float]) -> None:
    for frame, seconds in enumerate(elapsed):
        clock.tick(seconds, frame)
    clock.stop()


async def test_the_cursor_moves_by_the_time_that_passes_and_its_speed(session: Session) -> None:
    end = session.run.end
    for change, begin, elapsed, expected in (
        ({}, 0.0, [0.0, 0.03, 0.04], 0.07),
        ({"speed": 0.5}, 0.0, [0.0, 0.1, 0.1], 0.1),
        ({"speed": 0.01}, 0.0, [0.0, *[1.0 / 30.0] * 60], 0.02),  # by less than a step a frame
        ({"speed": 1.0, "playing": False}, 0.0, [0.1, 0.1], 0.0),
        ({"playing": True, "scrubbing": True}, 0.0, [0.1, 0.1], 0.0),
        ({"scrubbing": False}, end - 0.01, [0.05], end),  # it waits for the run
    ):
        session.param.update(**change)
        session.seek(begin)
        clock = Clock(session, [], [])
        clock._compute = lambda: None  # type: ignore[method-assign]
        await ticks(clock, elapsed)
        assert session.time == pytest.approx(expected), change


async def test_it_starts_over_at_the_end(session: Session) -> None:
    computed(session.run)
    session.seek(session.run.duration - 0.01)
    await ticks(Clock(session, [], []), [0.05])
    assert session.time == 0.0


async def test_a_stale_piece_is_dropped() -> None:
    session = Session("puma560")
    worker = Worker(session)
    worker.attend()
    stale = session.run
    session.set_torque(session.system.joint_names[0], 1.0)
    assert worker.job.running is not None
    await worker.job.running
    session.jobs.attend()
    worker.attend()
    assert (stale.end, session.run.end) == (0.0, 0.0)
    assert worker.job.running is not None
    await worker.job.running
    session.jobs.attend()
    assert session.run.end > 0.0
    session.jobs.stop()


async def test_a_run_that_cannot_be_computed_says_so_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: float) -> None:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr(session.run, "compute", fail)
    worker = Worker(session)
    worker.attend()
    assert worker.job.running is not None
    await asyncio.wait([worker.job.running])
    session.jobs.attend()
    worker.attend()
    assert "nothing to divide by" in session.message
    assert session.run.complete
    assert worker.job.running is None


async def test_a_page_at_rest_is_looked_at_when_something_stirs_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once when the cursor moves, when a message asks, and when a job is done; else hardly ever."""
    computed(session.run)
    monkeypatch.setattr("app.clock.SLEEPY", 0.0)
    monkeypatch.setattr("app.clock.ASLEEP", 3600.0)
    session.has_player = True
    seen, taken = Counter(), list[int]()
    clock = Clock(session, [seen], [], is_settled=lambda: True)
    job = session.jobs.new("this cannot be done")

    async def until(is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(30.0):
            while not is_so():
                await asyncio.sleep(0.001)

    with set_curdoc(Document()):
        clock.start()
    await until(lambda: seen.drawn > 0)
    for stir in (lambda: session.seek(0.5), clock.stir, lambda: session.seek(0.25)):
        before = seen.drawn
        stir()
        await until(lambda before=before: seen.drawn > before)
    job.start(lambda: 7, taken.append)
    await until(lambda: taken == [7])
    clock.stop()


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
