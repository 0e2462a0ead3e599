"""Undo and redo of every change: setups are immutable, so the history is a list of them."""

from __future__ import annotations

import time

from app.state.setup import Setup

MOST = 200
"""Setups that are remembered."""
TOGETHER = 1.0
"""Seconds within which changes of one and the same control, a slider on its way, are one step back."""


class History:
    """What was before and, after an undo, what came after."""

    def __init__(self) -> None:
        self._past: list[Setup] = []
        self._future: list[Setup] = []
        self._control = ""
        self._at = 0.0

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def leave(self, setup: Setup, control: str = "", gesture: bool = False) -> None:
        """Remembers the setup that a change leaves.

        Args:
            control: what changed it; empty for a step of its own.
            gesture: whether its changes are one step however far apart.
        """
        now = time.monotonic()
        same = bool(control) and control == self._control and (gesture or now - self._at < TOGETHER)
        self._control, self._at = control, now
        self._future.clear()
        if not same:
            self._past = [*self._past[-MOST + 1 :], setup]

    def undo(self, present: Setup) -> Setup:
        """The setup before ``present``; ``can_undo`` must hold."""
        self._control = ""
        self._future.append(present)
        return self._past.pop()

    def redo(self, present: Setup) -> Setup:
        """The setup that was undone last; ``can_redo`` must hold."""
        self._control = ""
        self._past.append(present)
        return self._future.pop()
