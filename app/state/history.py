"""Undo and redo of every change: choices are immutable, so the history is two lists of them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from app.motion.interventions import Intervention
from app.motion.setup import Machine, Setup

MOST = 200  # Choices that are kept
MOST_BYTES = 32_000_000  # Memory of all of them together; the last is kept whatever its size
TOGETHER = 1.0  # Seconds within which changes by the same control, such as a moving slider, form one step


@dataclass(frozen=True)
class Choice:
    """What undo and redo lead to."""

    setup: Setup  # it decides the run
    breaks: frozenset[str] = frozenset()  # what is deliberately broken in the texts


@dataclass(frozen=True)
class History:
    """Earlier choices and, after an undo, later ones; immutable."""

    past: tuple[Choice, ...] = ()  # the next choice is the last of each
    future: tuple[Choice, ...] = ()
    control: str = ""  # the control that made the last change, and when
    at: float = 0.0

    def left(self, choice: Choice, control: str = "", gesture: bool = False) -> History:
        """The history after a change that leaves ``choice``.

        Changes by one control soon after each other, or all of one gesture, are one step.
        """
        now = time.monotonic()
        same = bool(control) and control == self.control and (gesture or now - self.at < TOGETHER)
        past = self.past if same else kept((*self.past[-MOST + 1 :], choice))
        return History(past, (), control, now)

    def undone(self, present: Choice) -> tuple[Choice, History]:
        """The choice before ``present``, and the history then; the past must not be empty."""
        return self.past[-1], replace(self, past=self.past[:-1], future=(*self.future, present), control="")

    def redone(self, present: Choice) -> tuple[Choice, History]:
        """The choice that was undone last, and the history then; the future must not be empty."""
        return self.future[-1], replace(self, past=(*self.past, present), future=self.future[:-1], control="")


def kept(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The last choices that fit into the limits; data shared by several is counted once."""
    seen, total = set[int](), 0
    for first in range(len(choices) - 1, -1, -1):
        setup = choices[first].setup
        things: tuple[Machine | Intervention, ...] = (setup.machine, *setup.interventions)
        for part in things:
            total += 0 if id(part) in seen else part.size
            seen.add(id(part))
        if total > MOST_BYTES and first < len(choices) - 1:
            return choices[first + 1 :]
    return choices
