"""The clock moves the cursor by the time that has passed, and the worker computes only what is wanted."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app.clock import Clock, is_watched
from app.state import Session
from app.state.worker import Worker


@pytest.fixture
def session() -> Session:
    session = Session("puma560")
    while session.run.end < 1.0:
        session.run.accept(session.run.compute())
    return session


class Counter:
    def __init__(self) -> None:
        self.drawn = 0
        self.stopped = False

    def draw(self) -> None:
        self.drawn += 1

    def stop(self) -> None:
        self.stopped = True


Run = Callable[[Coroutine[Any, Any, None]], None]


async def ticks(clock: Clock, elapsed: list[float]) -> None:
    for frame, seconds in enumerate(elapsed):
        clock.tick(seconds, frame)
    clock.stop()


def test_playing_follows_the_watch(session: Session, run_async: Run) -> None:
    run_async(ticks(Clock(session, [], []), [0.0, 0.03, 0.04]))
    assert session.time == pytest.approx(0.07)


def test_speed(session: Session, run_async: Run) -> None:
    session.speed = 0.5
    run_async(ticks(Clock(session, [], []), [0.0, 0.1, 0.1]))
    assert session.time == pytest.approx(0.1)


def test_slow_motion_moves_by_less_than_a_step_a_frame(session: Session, run_async: Run) -> None:
    session.speed = 0.01
    run_async(ticks(Clock(session, [], []), [0.0, *[1.0 / 30.0] * 60]))
    assert session.cursor.time == pytest.approx(0.02)
    assert session.time == pytest.approx(0.02)


@pytest.mark.parametrize("hold", [{"playing": False}, {"scrubbing": True}])
def test_it_stands_still_when_it_must(session: Session, hold: dict[str, bool], run_async: Run) -> None:
    session.param.update(**hold)
    run_async(ticks(Clock(session, [], []), [0.1, 0.1]))
    assert session.time == 0.0


def test_it_waits_for_the_run(session: Session, run_async: Run) -> None:
    session.seek(session.run.end - 0.01)
    end = session.run.end
    run_async(ticks(Clock(session, [], []), [0.05]))
    assert session.time == pytest.approx(end)


def test_it_starts_over_at_the_end(session: Session, run_async: Run) -> None:
    while not session.run.complete:
        session.run.accept(session.run.compute())
    session.seek(session.run.duration - 0.01)
    run_async(ticks(Clock(session, [], []), [0.05]))
    assert session.time == 0.0


def test_plots_follow_every_third_frame(session: Session, run_async: Run) -> None:
    each, third = Counter(), Counter()
    run_async(ticks(Clock(session, [each], [third]), [0.01] * 9))
    assert (each.drawn, third.drawn) == (9, 3)
    assert each.stopped
    assert third.stopped


@pytest.mark.parametrize(("playing", "patience", "drawn"), [(False, 60.0, 0), (False, 0.0, 2), (True, 60.0, 2)])
def test_of_a_new_run_nothing_is_drawn_before_it_is_where_the_cursor_rests(
    session: Session, run_async: Run, monkeypatch: pytest.MonkeyPatch, playing: bool, patience: float, drawn: int
) -> None:
    """But not for long, and never while it plays: then the beginning is of use."""
    monkeypatch.setattr("app.state.session.PATIENCE", patience)
    session.param.update(playing=playing)
    session.seek(0.9)

    async def run() -> None:
        each, third = Counter(), Counter()
        clock = Clock(session, [each], [third])
        clock.tick(0.0, 0)
        assert (each.drawn, third.drawn) == (1, 1)
        session.set_torque(session.system.joint_names[0], 1.0)
        for frame in (3, 6):
            clock.tick(0.0, frame)  # no loop runs between them: nothing of the run comes
        assert (each.drawn, third.drawn) == (1 + drawn, 1 + drawn)
        session.run.accept(session.run.compute(0.9))
        assert session.run.end >= 0.9
        clock.tick(0.0, 9)
        assert (each.drawn, third.drawn) == (2 + drawn, 2 + drawn)
        clock.stop()

    run_async(run())


@pytest.mark.parametrize("is_asked", [True, False])
def test_an_answer_is_on_its_way_before_what_comes_after_it_is_drawn(
    session: Session, run_async: Run, is_asked: bool
) -> None:
    session.playing = False
    told = list[str]()

    class Teller(Counter):
        def __init__(self, word: str) -> None:
            super().__init__()
            self.word = word

        def draw(self) -> None:
            told.append(self.word)
            asyncio.get_running_loop().call_soon(told.append, f"{self.word} sent")

    async def run() -> None:
        if is_asked:
            session.set_torque(session.system.joint_names[0], 1.0)
            session.run.accept(session.run.compute(0.0))
        else:
            session._new_at = -math.inf
        after = Teller("after")
        clock = Clock(session, [], [Teller("answer")], after_these=[after])
        await clock._draw(Document(), clock._parts(0.0, 0))
        clock.stop()
        assert after.stopped

    run_async(run())
    first = ["answer", "answer sent", "after"] if is_asked else ["answer", "after", "answer sent"]
    assert told == [*first, "after sent"]


@pytest.mark.parametrize("patience", [60.0, 0.0])
def test_what_is_asked_of_a_new_run_where_the_cursor_rests_comes_before_all_else(
    session: Session, run_async: Run, monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    """Up to the cursor it is computed; on, and for the plots, only a little later."""
    monkeypatch.setattr("app.state.session.PATIENCE", patience)
    session.playing = False
    session.seek(0.5)
    sampler = Counter()
    sampler.attend = sampler.draw  # type: ignore[attr-defined]

    async def run() -> None:
        clock = Clock(session, [], [], sampler=sampler)  # type: ignore[arg-type]
        session.set_torque(session.system.joint_names[0], 1.0)
        for frame in range(400):
            clock.tick(0.0, frame)
            await asyncio.sleep(0.005)
            if session.run.complete or (patience and session.run.end >= 0.5 and frame > 50):
                break
        clock.stop()

    run_async(run())
    assert session.run.complete is (patience == 0.0)
    assert (sampler.drawn > 0) is (patience == 0.0)
    assert session.run.end >= 0.5
    assert session.is_asked is (patience > 0.0)
    session.playing = True
    assert not session.is_asked


def test_a_page_that_opens_shows_what_there_is(run_async: Run) -> None:
    session = Session("puma560")
    session.playing = False
    session.cursor.time = 100.0  # farther than is computed at once

    async def run() -> None:
        each = Counter()
        clock = Clock(session, [each], [])
        clock.prepare()
        assert 0.0 < session.run.end < 100.0
        assert each.drawn == 1
        clock.stop()

    run_async(run())


def test_a_stale_piece_is_dropped(run_async: Run) -> None:
    async def run() -> None:
        session = Session("puma560")
        worker = Worker(session)
        worker.attend()
        stale = session.run
        session.set_torque(session.system.joint_names[0], 1.0)
        assert worker.job.running is not None
        await worker.job.running
        session.jobs.attend()
        worker.attend()
        assert stale.end == 0.0
        assert session.run.end == 0.0
        assert worker.job.running is not None
        await worker.job.running
        session.jobs.attend()
        assert session.run.end > 0.0
        session.jobs.stop()

    run_async(run())


def test_the_end_of_the_session_ends_its_jobs(session: Session, run_async: Run) -> None:
    async def run() -> None:
        clock = Clock(session, [], [])
        clock.tick(0.0, 0)
        assert session.jobs.running
        clock.stop()
        assert not session.jobs.running
        clock.tick(0.0, 1)
        assert not session.jobs.running

    run_async(run())


def test_nobody_watching_costs_nothing() -> None:
    class Gone:
        connection_count = 0

    class Context:
        session = Gone()

    class Closed:
        session_context = Context()

    assert not is_watched(Closed())  # type: ignore[arg-type]
    assert is_watched(Document())


def test_a_run_that_cannot_be_computed_says_so_once(
    session: Session, monkeypatch: pytest.MonkeyPatch, run_async: Run
) -> None:
    def fail(_: float) -> None:
        raise ZeroDivisionError("nothing to divide by")

    async def run() -> None:
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

    run_async(run())


@pytest.mark.slow
def test_a_page_that_the_browser_plays_is_looked_at_when_something_stirs_it(
    session: Session, monkeypatch: pytest.MonkeyPatch, run_async: Run
) -> None:
    """Not ten times a second; but at once when the cursor moves, when a message asks, and when a job is done."""
    while not session.run.complete:
        session.run.accept(session.run.compute())
    monkeypatch.setattr("app.clock.SLEEPY", 0.0)
    session.has_player = True
    seen = Counter()
    clock = Clock(session, [seen], [], is_settled=lambda: True)
    job = session.jobs.new("this cannot be done")

    async def drawn_after(stir: Callable[[], object], seconds: float) -> int:
        before = seen.drawn
        stir()
        await asyncio.sleep(seconds)
        return seen.drawn - before

    async def run() -> None:
        with set_curdoc(Document()):
            clock.start()
        await asyncio.sleep(0.1)
        assert await drawn_after(lambda: None, 0.5) == 0
        assert await drawn_after(lambda: session.seek(0.5), 0.1) == 1
        assert await drawn_after(clock.stir, 0.1) == 1
        taken: list[int] = []
        job.start(lambda: 7, taken.append)
        await asyncio.sleep(0.15)
        assert taken == [7]
        assert await drawn_after(lambda: None, 1.1) in (1, 2)
        clock.stop()

    run_async(run())


@pytest.mark.slow
def test_for_a_while_after_somebody_has_done_something_it_is_looked_at_often(session: Session, run_async: Run) -> None:
    """What follows from a click may come a little later than the click."""
    while not session.run.complete:
        session.run.accept(session.run.compute())
    session.has_player = True
    seen = Counter()
    clock = Clock(session, [seen], [], is_settled=lambda: True)

    async def run() -> None:
        with set_curdoc(Document()):
            clock.start()
        await asyncio.sleep(0.1)
        session.playing = not session.playing
        before = seen.drawn
        await asyncio.sleep(0.55)
        assert 3 <= seen.drawn - before <= 8
        clock.stop()

    run_async(run())
