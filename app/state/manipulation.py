"""Direct manipulation: a body pushes the running system or poses its start, and an arm's base is put elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import param
from numpy.typing import NDArray

import dynamics as dyn
from app.messages import Kind, Message
from app.motion.errors import ERRORS
from app.motion.interventions import Pushed
from app.motion.setup import AFTER, LONGEST_RUN
from app.state.placing import BaseGesture
from app.state.point_force import BodyPoint, PointForce, spring, steady
from app.state.posing import PoseGesture
from app.state.session import Session

Array = NDArray[np.float64]
LIES = "The object lies on the ground and stays there until it is taken: press Grasp."
RENEWED = 2
"""Frames of the clock between two forces of one push: about fifteen a second."""
TAP = 0.2
"""Seconds of motion that a tap lasts."""


class Gesture(Protocol):
    """What the user does with a body; ``attend`` is called at every frame and says whether it goes on."""

    def move(self, target: Array) -> None: ...

    def attend(self, frame: int) -> bool: ...

    def let_go(self) -> None: ...


class Manipulation(param.Parameterized):
    """At most one gesture at a time. Everything that it does is one step back, however long it takes."""

    mode: param.Selector = param.Selector(
        default="push", objects=["push", "pose"], doc="What dragging a body does: push it, or pose the start."
    )

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._gesture: Gesture | None = None
        self._count = 0
        self._placing = session.jobs.new("The arm cannot be shown there", expected=ERRORS)
        session.opening.param.watch(self._see_built, "awaited")

    @param.depends("mode", watch=True)
    def _enter(self) -> None:
        """Whoever poses wants to see the start, standing still."""
        self.let_go()
        if self.mode == "pose":
            self._session.playing = False
            self._session.to_start()

    @property
    def is_holding(self) -> bool:
        return self._gesture is not None

    def take(self, body_point: BodyPoint, target: Array) -> None:
        """Takes hold of a point of a body and pulls it to ``target`` (3,), m in the world."""
        if self.mode == "pose":
            self._begin(PoseGesture(self._session, body_point, target, self._next_control("pose")))
        else:
            law = lambda solution, at: spring(solution, body_point, at)  # noqa: E731
            self._push(body_point, law, target)

    @property
    def moves_bases(self) -> bool:
        """Whether an arm's base can be taken hold of: one poses, and arms stand round an object."""
        build = self._session.build
        return self.mode == "pose" and build is not None and build.kind == "multi_arm"

    def take_base(self, arm: int, grip: Array, target: Array) -> None:
        """Takes hold of an arm's base at a point in its own axes (3,), m, and leads that to ``target`` (3,), m."""
        if self.moves_bases and self._session.opening.awaited is None:
            self._begin(BaseGesture(self._session, arm, grip, target, self._placing))

    def _see_built(self, event: param.parameterized.Event) -> None:
        """The machine whose base was moved is there, or refused: what was seen meanwhile goes."""
        if event.new is None and self._gesture is None:
            self._session.aim = None

    def press(self, body_point: BodyPoint, force: Array) -> None:
        """Pushes at a point with the same force (3,), N in the world, until ``let_go``."""
        law = lambda solution, _: steady(solution, body_point, force)  # noqa: E731
        self._push(body_point, law, np.zeros(3))

    def _push(self, body_point: BodyPoint, law: Callable[[dyn.Solution, Array], PointForce], target: Array) -> None:
        if lies(self._session, body_point):
            self.let_go()
            self._session.message = LIES
            return
        self._begin(PushGesture(self._session, body_point, law, target, self._next_control("push")))

    def tap(self, body_point: BodyPoint, force: Array) -> None:
        """Pushes for a fifth of a second of motion."""
        self.let_go()
        if lies(self._session, body_point):
            self._session.message = LIES
            return
        session, control = self._session, self._next_control("tap")
        wrench, time = steady(session.solution(), body_point, force).wrench, session.time
        if session.intervene(Pushed(time, wrench), control, gesture=True):
            session.intervene(Pushed(time + TAP, None), control, gesture=True)

    def _next_control(self, kind: str) -> str:
        """The name under which the history knows all changes of one gesture."""
        self._count += 1
        return f"{kind} {self._count}"

    def _begin(self, gesture: Gesture) -> None:
        self.let_go()
        self._gesture = gesture
        self.attend(0)

    def move(self, target: Array) -> None:
        """The pointer is elsewhere; of several places between two frames the last one counts."""
        if self._gesture is not None:
            self._gesture.move(target)

    def let_go(self) -> None:
        """Ends whatever gesture there is."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.let_go()

    def attend(self, frame: int) -> None:
        """Once a frame, from the clock."""
        if self._gesture is not None and not self._gesture.attend(frame):
            self._gesture = None


@dataclass(eq=False)
class PushGesture:
    """A force that is renewed while it is held, so that it follows the body and the pointer."""

    session: Session
    body_point: BodyPoint
    law: Callable[[dyn.Solution, Array], PointForce]
    target: Array
    control: str
    since: float = -1.0

    def move(self, target: Array) -> None:
        self.target = target

    def attend(self, frame: int) -> bool:
        session = self.session
        if frame % RENEWED:
            return True
        if self.body_point.body >= session.system.n_links + (session.system.task_object is not None):
            return self._forget()
        if lies(session, self.body_point):  # it has landed in the user's hand
            self.let_go()
            return False
        if session.time < self.since:  # the run was over and began anew, or was changed by somebody else
            if self.since > LONGEST_RUN - AFTER:
                session.message = Message(Kind.RUN_ENDED, f"A run ends at {LONGEST_RUN:g} s, and a push with it.")
            return self._forget()
        if session.run.end <= self.since:  # what the last force does is still being computed
            return True
        self.since = session.time
        point_force = self.law(session.solution(), self.target)
        if not session.intervene(Pushed(self.since, point_force.wrench), self.control, gesture=True):
            return self._forget()
        session.point_force = point_force
        return True

    def let_go(self) -> None:
        self.session.intervene(Pushed(self.session.time, None), self.control, gesture=True)
        self._forget()

    def _forget(self) -> bool:
        self.session.point_force = None
        return False


def lies(session: Session, body_point: BodyPoint) -> bool:
    """Whether a point is one of the object, and that lies on the ground at the cursor."""
    return body_point.body == session.system.n_links and session.run.lies_at(session.time)
