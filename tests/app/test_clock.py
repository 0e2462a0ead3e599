"""The clock moves the cursor by the time that has passed, and the worker computes only what is wanted."""

import asyncio
from collections.abc import Callable

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app.clock import Clock
from app.state import Session
from app.state.worker import Worker
from tests.app.arrival import computed


@pytest.fixture
def session() -> Session:
    session = Session("puma560")
    computed(session.run, 1.0)
    return session


class Counter:
    def __init__(self) -> None:
        self.drawn = 0
        self.stopped = False

    def draw(self) -> None:
        self.drawn += 1

    def stop(self) -> None:
        self.stopped = True


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


async def test_the_end_of_the_session_ends_its_jobs(session: Session) -> None:
    clock = Clock(session, [], [])
    clock.tick(0.0, 0)
    assert session.jobs.running
    clock.stop()
    assert not session.jobs.running
    clock.tick(0.0, 1)
    assert not session.jobs.running


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
