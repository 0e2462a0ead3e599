"""The one clock of a session: it moves the cursor, has the run computed, and draws the views when they are due."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

import panel as pn
import param
from bokeh.document import Document
from panel.io.document import unlocked
from panel.io.state import set_curdoc
from tornado.websocket import WebSocketClosedError

from app.job import Job
from app.messages import Kind, Message, in_words
from app.motion.run import Progress, Run
from app.motion.sampler import Sampler
from app.state import Session
from app.state.kept_run import MOST_BYTES, size_of
from app.state.manipulation import Manipulation

FRAME = 1.0 / 30.0  # Seconds between two frames; the plots and readouts are drawn every third frame
AWAKE, ASLEEP = 0.1, 1.0
"""Polling intervals in seconds while the page stands still or the browser plays: the first soon after any activity, the
second long after it. A stirred clock polls at once."""
SLEEPY = 1.0  # Seconds without activity after which the clock polls less often
LONGEST_STEP = 0.1  # Longest playback time, in seconds, that one frame may make up after a hitch

log = logging.getLogger(__name__)


class ClockView(Protocol):
    """A view that the clock draws: it compares what it shows with the session and sends only what has changed."""

    def draw(self) -> None: ...


class Clock:
    """Runs from page load to the end of the session as one asyncio task."""

    def __init__(
        self,
        session: Session,
        every_frame: Sequence[ClockView],  # drawn at 30 Hz
        every_third: Sequence[ClockView],  # drawn at 10 Hz, and at once when the user has chosen something else
        manipulation: Manipulation | None = None,
        sampler: Sampler | None = None,
        is_settled: Callable[[], bool] = lambda: False,  # whether the browser has everything computed so far
        is_acting: Callable[[], bool] = lambda: False,  # whether views that go on by themselves are to be drawn
        after_these: Sequence[ClockView] = (),  # drawn after those, and once an answer that a user awaits is sent
        at_end: Sequence[Callable[[], None]] = (),  # called at the end of the session
    ) -> None:
        self._session = session
        self._every_frame = tuple(every_frame)
        self._every_third, self._after_these = tuple(every_third), tuple(after_these)
        self._worker = Worker(session)
        self._manipulation = manipulation
        self._sampler = sampler
        self._is_settled, self._is_acting, self._at_end = is_settled, is_acting, tuple(at_end)
        self._task: asyncio.Task[None] | None = None
        self._fault = ""
        self._chosen: tuple[object, ...] = ()
        self._stirred = asyncio.Event()
        self._awake_until = 0.0
        for watched in (session, session.cursor):
            watched.param.watch(self._follow, [name for name in watched.param if name != "name"])
        session.jobs.on_done = self.stir

    def prepare(self) -> None:
        """Draws the first instant into a page that is about to be sent."""
        run = self._session.run
        run.accept(run.compute(self._session.cursor.time))
        self.tick(0.0, 0)

    def start(self) -> None:
        """Starts ticking for the page that is loading."""
        document = pn.state.curdoc
        if document is not None and self._task is None:
            document.on_change(self._wake)
            self._task = asyncio.get_running_loop().create_task(self._tick_on(document))

    def stop(self) -> None:
        """Stops everything that works for this session."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._session.jobs.stop()
        for stop in self._at_end:
            stop()

    def stir(self) -> None:
        """Reports that something has arrived that the views do not show yet."""
        self._stirred.set()

    def _wake(self, *_: object) -> None:
        """Reports user activity, whose consequences may arrive a little later."""
        self._awake_until = time.monotonic() + SLEEPY
        self.stir()

    def _follow(self, *events: param.parameterized.Event) -> None:
        """Follows a change of the state. A cursor advanced by the browser's player does not count as user activity."""
        session = self._session
        if session.playing and session.has_player and all(event.name == "time" for event in events):
            self.stir()
        else:
            self._wake()

    async def _tick_on(self, document: Document) -> None:
        loop = asyncio.get_running_loop()
        last = due = loop.time()
        frame = 0
        while True:
            now = loop.time()
            self._stirred.clear()
            browser = getattr(document.session_context, "session", None)  # a closed tab leaves it behind for a while
            if browser is None or browser.connection_count > 0:
                await self._draw(document, self._parts(min(now - last, LONGEST_STEP), frame))
            last = now
            if self._session.has_player and self._is_settled():  # nothing moves on the server
                frame += 3 - frame % 3
                awake = self._session.jobs.running or self._is_acting() or time.monotonic() < self._awake_until
                await self._sleep(AWAKE if awake else ASLEEP)
                due = max(now + FRAME, loop.time())
            else:
                frame += 1
                due = max(due + FRAME, loop.time())
            await self._rest(document, due)

    async def _draw(self, document: Document, parts: Iterator[None]) -> None:
        """Draws the parts in turn; each is sent before the next one begins."""
        goes_on = True
        while goes_on:
            goes_on = False
            with set_curdoc(document), unlocked(), self._in_words():
                goes_on = next(parts, self) is None
            await asyncio.sleep(0)

    async def _sleep(self, seconds: float) -> None:
        timer = asyncio.get_running_loop().call_later(seconds, self._stirred.set)
        try:
            await self._stirred.wait()
        finally:
            timer.cancel()

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        """Reports an error in a frame: it stops the motion, not the page, and is shown once, not at every frame."""
        try:
            yield
        except WebSocketClosedError:
            pass  # the tab was closed; the session's end stops the clock
        except Exception as fault:
            if str(fault) != self._fault:
                self._fault = str(fault)
                log.exception("a frame could not be drawn")
                self._session.param.update(playing=False, message=f"This moment cannot be drawn: {in_words(fault)}")
            self._session.opening.take_back(fault)

    async def _rest(self, document: Document, due: float) -> None:
        """Waits until the next frame is due; when a piece of the run arrives meanwhile, starts the next at once.

        If the user waits for a new run at the cursor's instant, the next frame is due as soon as anything arrives.
        """
        loop = asyncio.get_running_loop()
        while (piece := self._worker.job.running) is not None and due > loop.time():
            await asyncio.wait([piece], timeout=due - loop.time())
            with set_curdoc(document), unlocked(), self._in_words():
                self._worker.job.attend()
                self._compute()
        left = max(due - loop.time(), 0.0)
        await (self._sleep(left) if self._session.is_asked else asyncio.sleep(left))

    def tick(self, elapsed: float, frame: int) -> None:
        """Draws one frame, ``elapsed`` seconds of watching after the last."""
        for _ in self._parts(elapsed, frame):
            pass

    def _parts(self, elapsed: float, frame: int) -> Iterator[None]:
        self._session.jobs.attend()
        self._compute()
        self._advance(elapsed)
        if self._manipulation is not None:
            self._manipulation.attend(frame)
        if self._is_catching_up and self._session.is_asked:  # views drawn now would show other instants
            return
        for view in self._every_frame:
            view.draw()
        if self._sampler is not None and not self._session.is_restless:
            self._sampler.attend()
        if self._is_chosen_anew() or frame % 3 == 0:
            for view in self._every_third:
                view.draw()
            if self._session.is_asked:
                yield
            for view in self._after_these:
                view.draw()
            self._session.opening.settle()

    def _compute(self) -> None:
        """Lets the run continue; past the cursor only if no further change of the run is expected soon."""
        if self._is_catching_up or not self._session.is_restless:
            self._worker.attend()

    @property
    def _is_catching_up(self) -> bool:
        session = self._session
        return session.cursor.time > session.run.end and not session.run.complete

    def _is_chosen_anew(self) -> bool:
        """Whether the cursor is on another step, or rests at another instant, than at the last frame."""
        session = self._session
        chosen = (session.place, session.run, session.playing, None if session.playing else session.time)
        anew, self._chosen = chosen != self._chosen, chosen
        return anew

    def _advance(self, elapsed: float) -> None:
        """Moves the cursor while playing, unless the browser does; waits for the run, and starts over at its end."""
        session = self._session
        if not session.playing or session.scrubbing or self._is_catching_up or session.has_player:
            return
        # From the exact time: in slow motion a frame is less than a step, to which the displayed instant is rounded.
        time = min(session.cursor.time, session.run.end) + elapsed * session.speed
        if time <= session.run.end:
            session.cursor.time = time
        elif session.run.complete:
            session.cursor.time = 0.0
        else:
            session.cursor.time = session.run.end


STAYS = "The kept runs go no further: they take all the room there is for them. Remove one in Show."


class Worker:
    """Computes one stretch at a time; a run that was replaced gets none, unless it was kept."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.job: Job[Progress] = session.jobs.new("the mechanics cannot go on")
        self._had_room = True

    def attend(self) -> None:
        """Starts the next stretch if none is being computed. Call it from the session's event loop."""
        if not self.job.busy:
            self._keep_ahead()
            run = next((run for run in self._wanted() if not run.is_ahead), None)
            if run is not None:
                work = partial(run.compute, self._session.cursor.time)
                self.job.start(work, partial(self._take, run), partial(self._fail, run))

    def _keep_ahead(self) -> None:
        """Extends a run without an end, and the kept runs while there is room for them, to keep ahead of the cursor."""
        session = self._session
        if not session.endless:
            return
        session.run.endless = True
        session.run.reach(session.cursor.time, session.speed)
        kept = [each.run for each in session.kept if each.run is not session.run]
        room = sum(map(size_of, kept)) <= MOST_BYTES
        for run in kept:
            run.endless = True
            if room:
                run.reach(session.cursor.time, session.speed)
        if self._had_room and not room:
            session.message = STAYS
        self._had_room = room

    def _wanted(self) -> list[Run]:
        """The current run, then those beside it."""
        session = self._session
        broken = () if session.broken is None else (session.broken,)
        return [session.run, *(ghost.run for ghost in (*broken, *session.kept))]

    def _take(self, run: Run, progress: Progress) -> None:
        if run in self._wanted():
            run.accept(progress)
            self._report(run)

    def _fail(self, run: Run, words: str) -> None:
        run.failure = f"stopped at {run.end:.3f} s: {words}"
        self._report(run)

    def _report(self, run: Run) -> None:
        if run.failure and run is self._session.run:
            self._session.message = Message(Kind.RUN_ENDED, run.failure)
