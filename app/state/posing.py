"""Posing the start of the run by its bodies: inverse kinematics under the pointer."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.state.point_force import BodyPoint, frame_of
from app.state.session import Session
from dynamics.posture import Placement, move_joint
from dynamics.system import Tip

Array = NDArray[np.float64]
ACCURACY = 1e-5
"""Metres: a hundredth of what a pointer can tell."""
MOST_STEPS = 25
"""Of one descent: a place that needs more is reached with the next messages of the same drag."""
FELT = 2e-3
"""Metres that a body may be off its target before the page says so."""


@dataclass(frozen=True, eq=False)
class Aim:
    """Where the posture was to be led, and how near it came.

    Attributes:
        point, target: (3,) of the grip and of the pointer, m, world.
        at_limit: names of the joints that stop it.
    """

    point: Array
    target: Array
    at_limit: tuple[str, ...]

    @property
    def miss(self) -> float:
        """Metres between the two."""
        return float(np.linalg.norm(self.target - self.point))

    @property
    def words(self) -> str:
        """How far short it falls and why; empty while the body is where the pointer is."""
        if self.miss < FELT:
            return ""
        why = f"limit of {', '.join(self.at_limit)}" if self.at_limit else "out of reach"
        return f"{1e3 * self.miss:.0f} mm short: {why}"


class PoseGesture:
    """One drag: the posture stays as near as can be to the one that it began with."""

    def __init__(self, session: Session, body_point: BodyPoint, target: Array, control: str) -> None:
        self._session, self._body_point, self._target, self._control = session, body_point, target, control
        session.playing = False
        session.seek(0.0)
        self._home = session.solution().state
        self._posed: Array | None = None

    def move(self, target: Array) -> None:
        self._target = target

    def attend(self, frame: int) -> bool:
        """Moves the posture to the newest target; nothing where it is there already."""
        session = self._session
        if session.playing or len(self._home.q) != session.system.n_joints:
            return self._forget()
        if self._posed is None or (self._posed != self._target).any():
            self._posed = self._target
            solution = session.solution()
            found = placed(solution, self._body_point, self._target, self._home.q)
            if not session.change(self._control, True, posture=tuple(found.state.q.tolist())):
                return self._forget()
            frame_now = frame_of(session.solution(), self._body_point.body)
            point = frame_now[:3, :3] @ self._body_point.place + frame_now[:3, 3]
            session.aim = Aim(point, self._target, found.at_limit)
        return True

    def let_go(self) -> None:
        self.attend(0)
        self._forget()

    def _forget(self) -> bool:
        self._session.aim = None
        return False


def placed(solution: dyn.Solution, body_point: BodyPoint, target: Array, home: Array) -> Placement:
    """The posture nearest to ``home`` that brings the grip to the target, or as near to it as can be.

    A link is led by the point alone and may turn; a held object keeps its orientation.
    """
    system, state = solution.system, solution.state
    if body_point.body < system.n_links:
        point = np.eye(4)
        point[:3, 3] = body_point.place
        tip: Tip | str = Tip(int(system.arm_of_link[body_point.body]), body_point.body, point)
        wanted = target
    else:
        tip, wanted = "object", frame_of(solution, body_point.body).copy()
        wanted[:3, 3] = target - wanted[:3, :3] @ body_point.place
    still = dataclasses.replace(state, qd=np.zeros(system.n_joints))
    return dyn.inverse_kinematics(
        system, still, tip, wanted, nearest_to=home, attempts=1, accuracy=ACCURACY, most_steps=MOST_STEPS
    )


def set_joint(session: Session, joint: str, value: float) -> str:
    """Gives one joint of the start another displacement (rad or m); what a closed chain does not allow is told.

    The page shows the start then, standing still.

    Returns:
        in words how far it came where it did not come all the way; else empty.
    """
    session.playing = False
    session.seek(0.0)
    state = session.solution().state
    still = dataclasses.replace(state, qd=np.zeros(len(state.q)))
    try:
        found = move_joint(session.run.system_at(0.0), still, joint, value, accuracy=ACCURACY, most_steps=MOST_STEPS)
    except dyn.SingularConfigurationError as error:
        return str(error)
    session.change(f"posture {joint}", posture=tuple(found.state.q.tolist()))
    if found.position_error <= FELT:
        return ""
    others = [name for name in found.at_limit if name != joint]
    if joint in found.at_limit:
        why = "that is its limit"
    elif others:
        why = f"limit of {', '.join(others)}"
    else:
        why = "the arms cannot follow further while they hold the object"
    return f"{joint} stops here: {why}."
