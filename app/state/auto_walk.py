"""A walk that advances by itself, a half-step at a time, at a pace that can be followed."""

from __future__ import annotations

import time
from collections.abc import Callable

import param

from app.state.session import Session

PACES = {"Slow": 3.0, "Normal": 1.2, "Fast": 0.3}  # Seconds per half-step


class AutoWalk(param.Parameterized):
    """The clock calls ``draw``: when a half-step is due it advances the cursor, and it stops at the end of the walk.

    Walking needs a moment that stands still: it pauses the motion, and ends when the motion is played again.
    """

    active = param.Boolean(default=False, doc="Whether the cursor walks by itself.")
    pace: param.Selector = param.Selector(default="Normal", objects=list(PACES), doc="How fast.")

    def __init__(self, session: Session, now: Callable[[], float] = time.monotonic, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._now = now
        self._since = 0.0

    def toggle(self) -> None:
        """Starts walking from the cursor, or stops; at the end of the computation it restarts from the beginning."""
        if self.active:
            self.active = False
            return
        self._session.playing = False
        if self._session.at_end_of_walk:
            self._session.walk_to_start()
        self._since = self._now()
        self.active = True

    def draw(self) -> None:
        """Takes the half-step that is due; a late frame does not make up for those it missed."""
        if not self.active:
            return
        if self._session.playing:
            self.active = False
            return
        if self._now() - self._since < PACES[self.pace]:
            return
        self._since = self._now()
        self._session.walk_half(1)
        if self._session.at_end_of_walk:
            self.active = False

    def stop(self) -> None:
        """Stops without notifying anyone: the session is over and the page's buttons are gone."""
        with param.parameterized.discard_events(self):
            self.active = False
