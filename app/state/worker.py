"""Computes a session's run in a thread, one piece after the other, and drops what has become stale."""

from __future__ import annotations

import asyncio
import logging

from app.state.run import Piece, Run
from app.state.session import Session

log = logging.getLogger(__name__)


class Worker:
    """At most one piece is being computed at a time; a run that was replaced gets none, unless it was kept."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._run: Run | None = None
        self._piece: asyncio.Future[Piece] | None = None

    @property
    def piece(self) -> asyncio.Future[Piece] | None:
        """The piece in the making, to wait for."""
        return self._piece

    def attend(self) -> None:
        """Takes in a finished piece and starts the next one. Call it from the session's event loop."""
        if self._piece is not None and self._piece.done():
            piece, self._piece = self._piece, None
            if self._run in self._wanted():
                self._take(self._run, piece)
        if self._piece is None:
            self._run = next((run for run in self._wanted() if not run.complete), None)
            if self._run is not None:
                self._piece = asyncio.get_running_loop().run_in_executor(None, self._run.compute)

    def _wanted(self) -> list[Run]:
        """The present run, then the one that it is compared with."""
        run, kept = self._session.run, self._session.kept
        assert run is not None
        return [run] if kept is None else [run, kept.run]

    def _take(self, run: Run, piece: asyncio.Future[Piece]) -> None:
        fault = piece.exception()
        if fault is None:
            run.accept(piece.result())
        else:
            log.error("a piece of a run could not be computed", exc_info=fault)
            run.failure = f"stopped at {run.end:.3f} s: {fault}"
        if run.failure and run is self._session.run:
            self._session.message = run.failure

    def stop(self) -> None:
        """Forgets the piece in the making; its thread ends with it."""
        if self._piece is not None:
            self._piece.cancel()
            self._piece = None
