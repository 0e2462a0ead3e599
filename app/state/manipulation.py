"""Direct manipulation: a body pushes the running system or poses its start, and an arm's base is put elsewhere."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import param
from numpy.typing import NDArray

import dynamics as dyn
from app.assembly.assembly import Team
from app.assembly.build import FARTHEST, Base, Build
from app.job import Job
from app.messages import Kind, Message
from app.motion.built_machine import bases_of, team_of_build
from app.motion.errors import ERRORS
from app.motion.interventions import Pushed
from app.motion.setup import AFTER, LONGEST_RUN
from app.state.point_force import BodyPoint, PointForce, frame_of, spring, steady
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


STILL = 1e-3
"""m by which a base has to be moved to stand elsewhere."""
ROUNDS = 12
"""In which a base that turns as it goes comes to lie under the hand."""


@dataclass(frozen=True, eq=False)
class BaseAim:
    """Where the user leads a base, and the machine as it would stand then.

    Attributes:
        arm: whose base it is, from 0.
        solution: of the arms at rest round the object, which they touch and do not hold as yet.
        why_not: why they cannot hold it from there, in words; empty where they can.
    """

    arm: int
    base: Base
    solution: dyn.Solution
    why_not: str = ""

    @property
    def words(self) -> str:
        """What is wrong with the place, or where it is."""
        base = self.base
        there = f"Arm {self.arm + 1}: x {base.x:z.2f} m, y {base.y:z.2f} m, turned {math.degrees(base.yaw):z.0f}°"
        return self.why_not.partition(". ")[0] or there


class BaseGesture:
    """One drag of a base; what it makes of the machine is tried beside the page, of several places the newest.

    Args:
        arm: whose base it is.
        grip: (3,) m, where it is held, in its root link's axes.
        target: (3,) m, where that is to be, in the world; how high does not count.
        job: in which a place is tried.
    """

    def __init__(self, session: Session, arm: int, grip: Array, target: Array, job: Job[BaseAim]) -> None:
        self._session, self._arm, self._grip, self._target, self._job = session, arm, grip, target, job
        session.playing = False
        session.seek(0.0)
        self._machine = session.setup.machine
        self._present = session.solution()
        self._bases = bases_of(self._machine)
        self._base = self._bases[arm]
        pose = self._present.system.base_poses[arm]
        self._middle = pose[:2, 3] - [self._base.x, self._base.y]
        self._team: Team | None = None
        self._tried: Array | None = None

    def move(self, target: Array) -> None:
        self._target = target

    def attend(self, frame: int) -> bool:
        """Has the newest place tried, if it is another one."""
        session = self._session
        if session.playing or session.setup.machine is not self._machine:
            self._job.cancel()
            session.aim = None
            return False
        if self._tried is None or (self._tried != self._target).any():
            self._tried = self._target
            base = slid(self._bases[self._arm], self._grip, self._target[:2] - self._middle)
            self._base = base
            self._job.start(lambda: self._looked(base), self._take)
        return True

    def let_go(self) -> None:
        """Asks for the machine with the base where it is now; what is seen stays until that is there or refused."""
        self.attend(0)
        self._job.cancel()
        old, new = self._bases[self._arm], self._base
        if self._session.setup.machine is self._machine and math.hypot(new.x - old.x, new.y - old.y) > STILL:
            self._session.put_together(self._build(new))
        if self._session.opening.awaited is None:
            self._session.aim = None

    def _take(self, aim: BaseAim) -> None:
        self._session.aim = aim

    def _build(self, base: Base) -> Build:
        build = self._session.build
        assert build is not None
        return replace(build, bases=(*self._bases[: self._arm], base, *self._bases[self._arm + 1 :]))

    def _looked(self, base: Base) -> BaseAim:
        """The machine with a base there: as it would be, or the arm torn off the object with the reason why."""
        build = self._build(base)
        try:
            self._team = self._team or team_of_build(build, self._machine)
            there = self._team.holding(build)
        except dyn.ModelError as error:
            now = self._present.system
            state, poses, why_not = self._present.state, now.base_poses.copy(), str(error)
            poses[self._arm, :2, 3] = [self._middle[0] + base.x, self._middle[1] + base.y]
            cosine, sine = math.cos(base.yaw), math.sin(base.yaw)
            poses[self._arm, :2, :2] = [[cosine, -sine], [sine, cosine]]
            system, q, held = now, state.q, state.object_pose
        else:
            system, q, why_not = there.system, there.state.q, ""
            poses, held = system.base_poses.copy(), np.array(there.state.object_pose)
            poses[:, :2, 3] += self._middle
            held[:2, 3] += self._middle
        moved = dyn.multi_arm(system.robots, poses, system.task_object, system.gravity)
        return BaseAim(self._arm, base, dyn.forward_dynamics(moved, moved.state(q=q, object_pose=held)), why_not)


def slid(base: Base, grip: Array, target: Array) -> Base:
    """The base with the grip, (3,) m in its own axes, at a place on the ground, (2,) m.

    It turns as it goes round the object, so that it keeps looking at it.
    """
    faces = base.yaw - math.atan2(-base.y, -base.x)
    x, y, yaw = base.x, base.y, base.yaw
    for _ in range(ROUNDS):
        cosine, sine = math.cos(yaw), math.sin(yaw)
        x = float(np.clip(target[0] - cosine * grip[0] + sine * grip[1], -FARTHEST, FARTHEST))
        y = float(np.clip(target[1] - sine * grip[0] - cosine * grip[1], -FARTHEST, FARTHEST))
        yaw = math.atan2(-y, -x) + faces
    return Base(x, y, math.atan2(math.sin(yaw), math.cos(yaw)))


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
