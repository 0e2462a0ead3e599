"""The user's hand on a body: it pushes the running system, or poses the one that is about to start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import param
from numpy.typing import NDArray

import dynamics as dyn
from app.state.happenings import Pushed
from app.state.posing import Posing
from app.state.pull import Grip, Pull, spring, steady
from app.state.session import Session

Array = NDArray[np.float64]
RENEWED = 2
"""Frames of the clock between two forces of one push: about fifteen a second."""
TAP = 0.2
"""Seconds of motion that a tap lasts."""


class Hold(Protocol):
    """What the hand is doing; ``attend`` is called at every frame and says whether it goes on."""

    def move(self, target: Array) -> None: ...

    def attend(self, frame: int) -> bool: ...

    def let_go(self) -> None: ...


class Hand(param.Parameterized):
    """At most one hold at a time. Everything that it does is one step back, however long it takes."""

    mode: param.Selector = param.Selector(
        default="push", objects=["push", "pose"], doc="What dragging a body does: push it, or pose the start."
    )

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._hold: Hold | None = None
        self._count = 0

    @param.depends("mode", watch=True)
    def _enter(self) -> None:
        """Whoever poses wants to see the start, standing still."""
        self.let_go()
        if self.mode == "pose":
            self._session.playing = False
            self._session.seek(0.0)

    @property
    def is_holding(self) -> bool:
        return self._hold is not None

    def take(self, grip: Grip, target: Array) -> None:
        """Takes hold of a point of a body and pulls it to ``target`` (3,), m in the world."""
        if self.mode == "pose":
            self._begin(Posing(self._session, grip, target, self._gesture("pose")))
        else:
            self._begin(Pushing(self._session, grip, lambda solution, at: spring(solution, grip, at), target,
                                self._gesture("push")))  # fmt: skip

    def press(self, grip: Grip, force: Array) -> None:
        """Pushes at a point with the same force (3,), N in the world, until ``let_go``."""
        law = lambda solution, _: steady(solution, grip, force)  # noqa: E731
        self._begin(Pushing(self._session, grip, law, np.zeros(3), self._gesture("push")))

    def tap(self, grip: Grip, force: Array) -> None:
        """Pushes for a fifth of a second of motion."""
        self.let_go()
        session, control = self._session, self._gesture("tap")
        pull, time = steady(session.solution(), grip, force), session.time
        if session.happen(Pushed(time, pull.wrench), control, gesture=True):
            session.happen(Pushed(time + TAP, None), control, gesture=True)

    def _gesture(self, kind: str) -> str:
        """The name under which the history knows all changes of one gesture."""
        self._count += 1
        return f"{kind} {self._count}"

    def _begin(self, hold: Hold) -> None:
        self.let_go()
        self._hold = hold
        self.attend(0)

    def move(self, target: Array) -> None:
        """The pointer is elsewhere; of several places between two frames the last one counts."""
        if self._hold is not None:
            self._hold.move(target)

    def let_go(self) -> None:
        """Ends whatever the hand was doing."""
        if self._hold is not None:
            hold, self._hold = self._hold, None
            hold.let_go()

    def attend(self, frame: int) -> None:
        """Once a frame, from the clock."""
        if self._hold is not None and not self._hold.attend(frame):
            self._hold = None


@dataclass(eq=False)
class Pushing:
    """A force that is renewed while it is held, so that it follows the body and the pointer."""

    session: Session
    grip: Grip
    law: Callable[[dyn.Solution, Array], Pull]
    target: Array
    control: str
    since: float = -1.0

    def move(self, target: Array) -> None:
        self.target = target

    def attend(self, frame: int) -> bool:
        session = self.session
        if frame % RENEWED:
            return True
        if self.grip.body >= session.system.n_links + (session.system.task_object is not None):
            return self._forget()
        if session.time < self.since:  # the run was over and began anew, or was changed under the hand
            return self._forget()
        if session.run.end <= self.since:  # what the last force does is still being computed
            return True
        self.since = session.time
        pull = self.law(session.solution(), self.target)
        if not session.happen(Pushed(self.since, pull.wrench), self.control, gesture=True):
            return self._forget()
        session.pull = pull
        return True

    def let_go(self) -> None:
        self.session.happen(Pushed(self.session.time, None), self.control, gesture=True)
        self._forget()

    def _forget(self) -> bool:
        self.session.pull = None
        return False
