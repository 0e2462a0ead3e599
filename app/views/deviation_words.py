"""How far the motion of another text is from the true one, in words that follow the clock."""

from __future__ import annotations

from app.motion.run import Run
from app.state import Session
from app.state.breakage import Breakage
from app.state.broken_run import Apart, apart, farthest
from app.views.outcome_html import apart_html


class ApartSaid:
    """Of the ghost that ``Breakage`` shows; where it is farthest is looked for once."""

    def __init__(self, session: Session, breakage: Breakage) -> None:
        self._session, self._breakage = session, breakage
        self._farthest: tuple[Run | None, tuple[float, Apart] | None] = (None, None)

    @property
    def words(self) -> str | None:
        """HTML; None while there is nothing to tell."""
        shown, session = self._breakage.shown, self._session
        if shown is None:
            return None
        start = session.motion or 0.0
        if self._farthest[0] is not shown and shown.complete:
            self._farthest = (shown, farthest(session.run, shown, start))
        most = self._farthest[1] if self._farthest[0] is shown else None
        gap = apart(session.run, shown, session.time) if session.time >= start else None
        text = "the text as you have written it" if session.written else "the broken text"
        breaks = frozenset[str]() if session.written else session.breaks
        return apart_html(shown, start, session.time, gap, most, self._breakage.is_awaited, breaks, text)
