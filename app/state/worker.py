"""Computes a session's run in a thread, one piece after the other, and drops what has become stale."""

from __future__ import annotations

import asyncio

from app.state.run import Piece, Run
from app.state.session import Session


class Worker:
    """At most one piece is being computed at a time; a run that was replaced gets no further piece."""

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
            finished, self._piece = self._piece.result(), None
            if self._run is self._session.run:
                self._session.run.accept(finished)
                if finished.failure:
                    self._session.message = finished.failure
        if self._piece is None and not self._session.run.complete:
            self._run = self._session.run
            self._piece = asyncio.get_running_loop().run_in_executor(None, self._run.compute)

    def stop(self) -> None:
        """Forgets the piece in the making; its thread ends with it."""
        if self._piece is not None:
            self._piece.cancel()
            self._piece = None
