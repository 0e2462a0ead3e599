"""Computes a session's run in the background, one stretch at a time, and drops stale results."""

from __future__ import annotations

from functools import partial

from app.job import Job
from app.messages import Kind, Message
from app.motion.run import Progress, Run
from app.state.kept_run import MOST_BYTES, size_of
from app.state.session import Session

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
