"""Undo and redo of every change: what is chosen is immutable, so the history is two lists of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from app.motion.interventions import Intervention
from app.motion.setup import Machine, Setup

MOST = 200
"""Choices that are remembered."""
MOST_BYTES = 32_000_000
"""What they may take together; the last of them is remembered whatever it takes."""
TOGETHER = 1.0
"""Seconds within which changes of one and the same control, a slider on its way, are one step back."""


@dataclass(frozen=True)
class Choice:
    """What a step back or on leads to.

    Attributes:
        setup: it decides the run.
        breaks: what is broken in the texts on purpose, beside it.
    """

    setup: Setup
    breaks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class History:
    """What was before and, after an undo, what came after; never changed, only replaced.

    Attributes:
        past, future: the choice that comes next is the last of each.
        control, at: what made the last change, and when.
    """

    past: tuple[Choice, ...] = ()
    future: tuple[Choice, ...] = ()
    control: str = ""
    at: float = 0.0

    def left(self, choice: Choice, control: str = "", gesture: bool = False) -> History:
        """After a change that leaves ``choice``.

        Args:
            control: what changed it; empty for a step of its own.
            gesture: whether its changes are one step however far apart.
        """
        now = time.monotonic()
        same = bool(control) and control == self.control and (gesture or now - self.at < TOGETHER)
        past = self.past if same else kept((*self.past[-MOST + 1 :], choice))
        return History(past, (), control, now)

    def undone(self, present: Choice) -> tuple[Choice, History]:
        """The choice before ``present``, and the history then; there must be a past."""
        return self.past[-1], replace(self, past=self.past[:-1], future=(*self.future, present), control="")

    def redone(self, present: Choice) -> tuple[Choice, History]:
        """The choice that was undone last, and the history then; there must be a future."""
        return self.future[-1], replace(self, past=(*self.past, present), future=self.future[:-1], control="")


def kept(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The last of the choices, as many as there is room for; what several of them share is counted once."""
    seen: set[int] = set()
    total = 0
    for first in range(len(choices) - 1, -1, -1):
        setup = choices[first].setup
        things: tuple[Machine | Intervention, ...] = (setup.machine, *setup.interventions)
        for thing in things:
            total += 0 if id(thing) in seen else thing.size
            seen.add(id(thing))
        if total > MOST_BYTES and first < len(choices) - 1:
            return choices[first + 1 :]
    return choices
