"""Direct manipulation: a body pushes the running system or poses its start, and an arm's base is moved."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import param
from numpy.typing import NDArray

import dynamics as dyn
from app.job import Job
from app.messages import Kind, Message
from app.motion.assembly import ArmGroup
from app.motion.build import FARTHEST, Base, Build
from app.motion.built_machine import bases_of, team_of_build
from app.motion.errors import ERRORS
from app.motion.interventions import ForceStep
from app.motion.setup import AFTER, LONGEST_RUN
from app.state.point_force import BodyPoint, PointForce, frame_of, motion_of, spring, steady
from app.state.session import Session
from dynamics.solve import Placement, move_joint
from dynamics.system import Tip

Array = NDArray[np.float64]
ACCURACY = 1e-5  # Metres: a hundredth of a pointer's resolution
MOST_STEPS = 25  # Steps of one descent: a farther place is reached with the next messages of the same drag
FELT = 2e-3  # Metres that a body may be off its target before the page reports it


@dataclass(frozen=True, eq=False)
class Aim:
    """The target of a posture, and how near the posture came."""

    point: Array  # (3,) of the grip and of the pointer, m, world
    target: Array
    at_limit: tuple[str, ...]  # names of the joints whose stops prevent more

    @property
    def miss(self) -> float:
        """Metres between the two."""
        return float(np.linalg.norm(self.target - self.point))

    @property
    def words(self) -> str:
        """How far short it falls and why; empty while the body is at the pointer."""
        if self.miss < FELT:
            return ""
        why = f"limit of {', '.join(self.at_limit)}" if self.at_limit else "out of reach"
        return f"{1e3 * self.miss:.0f} mm short: {why}"


class Gesture(ABC):
    """What the user does with a body, led to ``target`` (3,), m in the world."""

    target: Array

    @abstractmethod
    def attend(self, frame: int) -> bool:
        """Called every frame; returns whether the gesture continues."""

    @abstractmethod
    def let_go(self) -> None: ...


class PoseGesture(Gesture):
    """One drag: the posture stays as near as possible to the one with which it began."""

    def __init__(self, session: Session, body_point: BodyPoint, target: Array, control: str) -> None:
        self._session, self._body_point, self.target, self._control = session, body_point, target, control
        session.playing = False
        session.seek(0.0)
        self._home = session.solution().state
        self._posed: Array | None = None

    def attend(self, frame: int) -> bool:
        """Moves the posture to the newest target; does nothing if it is there already."""
        session = self._session
        if session.playing or len(self._home.q) != session.system.n_joints:
            return self._forget()
        if self._posed is None or (self._posed != self.target).any():
            self._posed = self.target
            found = placed(session.solution(), self._body_point, self.target, self._home.q)
            if not session.change(self._control, True, posture=tuple(found.state.q.tolist())):
                return self._forget()
            point, _ = motion_of(session.solution(), self._body_point)
            session.aim = Aim(point, self.target, found.at_limit)
        return True

    def let_go(self) -> None:
        self.attend(0)
        self._forget()

    def _forget(self) -> bool:
        self._session.aim = None
        return False


def placed(solution: dyn.Solution, body_point: BodyPoint, target: Array, home: Array) -> Placement:
    """The posture nearest to ``home`` that brings the grip to the target, or as near to it as possible.

    Only the point of a link is led, and the link may turn; a held object keeps its orientation.
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
    still = replace(state, qd=np.zeros(system.n_joints))
    return dyn.inverse_kinematics(
        system, still, tip, wanted, nearest_to=home, attempts=1, accuracy=ACCURACY, most_steps=MOST_STEPS
    )


def set_joint(session: Session, joint: str, value: float) -> str:
    """Sets the start displacement (rad or m) of a joint as far as a closed chain allows, and shows the start at rest.

    Returns in words how far it came if it did not come all the way; else an empty text.
    """
    session.playing = False
    session.seek(0.0)
    state = session.solution().state
    still = replace(state, qd=np.zeros(len(state.q)))
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


STILL = 1e-3  # m: a base moved by less than this has not moved
ROUNDS = 12  # Iterations for placing a base under the hand, as it turns while it moves


@dataclass(frozen=True, eq=False)
class BaseAim:
    """Where the user leads a base, and the machine with the base there."""

    arm: int  # index of the arm whose base it is, from 0
    base: Base
    solution: dyn.Solution  # of the arms at rest round the object, which they touch but do not hold yet
    why_not: str = ""  # why they cannot hold it from there, in words; empty if they can

    @property
    def words(self) -> str:
        """What is wrong with the place, or where it is."""
        base = self.base
        there = f"Arm {self.arm + 1}: x {base.x:z.2f} m, y {base.y:z.2f} m, turned {math.degrees(base.yaw):z.0f}°"
        return self.why_not.partition(". ")[0] or there


class BaseGesture(Gesture):
    """One drag of an arm's base, held at a point in its root link's axes; the machine is computed in the background."""

    def __init__(self, session: Session, arm: int, grip: Array, target: Array, job: Job[BaseAim]) -> None:
        self._session, self._arm, self._grip, self.target, self._job = session, arm, grip, target, job
        session.playing = False
        session.seek(0.0)
        self._machine = session.setup.machine
        self._present = session.solution()
        self._bases = bases_of(self._machine)
        self._base = self._bases[arm]
        pose = self._present.system.base_poses[arm]
        self._middle = pose[:2, 3] - [self._base.x, self._base.y]
        self._team: ArmGroup | None = None
        self._tried: Array | None = None

    def attend(self, frame: int) -> bool:
        """Starts the computation for the newest place, if it is another one."""
        session = self._session
        if session.playing or session.setup.machine is not self._machine:
            self._job.cancel()
            session.aim = None
            return False
        if self._tried is None or (self._tried != self.target).any():
            self._tried = self.target
            self._base = base = slid(self._bases[self._arm], self._grip, self.target[:2] - self._middle)
            self._job.start(lambda: self._looked(base), lambda aim: session.param.update(aim=aim))
        return True

    def let_go(self) -> None:
        """Requests the machine with the base at its current place; the preview stays until that is shown or refused."""
        self.attend(0)
        self._job.cancel()
        old, new = self._bases[self._arm], self._base
        if self._session.setup.machine is self._machine and math.hypot(new.x - old.x, new.y - old.y) > STILL:
            self._session.put_together(self._build(new))
        if self._session.opening.awaited is None:
            self._session.aim = None

    def _build(self, base: Base) -> Build:
        build = self._session.build
        assert build is not None
        return replace(build, bases=(*self._bases[: self._arm], base, *self._bases[self._arm + 1 :]))

    def _looked(self, base: Base) -> BaseAim:
        """The machine with the base there, or the arm detached from the object with the reason."""
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
    """The base with the grip, (3,) m in its own axes, at a place on the ground, (2,) m; it keeps facing the object."""
    faces = base.yaw - math.atan2(-base.y, -base.x)
    x, y, yaw = base.x, base.y, base.yaw
    for _ in range(ROUNDS):
        cosine, sine = math.cos(yaw), math.sin(yaw)
        x = float(np.clip(target[0] - cosine * grip[0] + sine * grip[1], -FARTHEST, FARTHEST))
        y = float(np.clip(target[1] - sine * grip[0] - cosine * grip[1], -FARTHEST, FARTHEST))
        yaw = math.atan2(-y, -x) + faces
    return Base(x, y, math.atan2(math.sin(yaw), math.cos(yaw)))


LIES = "The object lies on the ground and stays there until it is taken: press Grasp."
RENEWED = 2  # Clock frames between two forces of one push: about fifteen forces a second
TAP = 0.2  # Seconds of simulated time for which a tap pushes


class Manipulation(param.Parameterized):
    """At most one gesture at a time. Each gesture is one undo step, however long it takes."""

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
        """Posing shows the start, standing still."""
        self.let_go()
        if self.mode == "pose":
            self._session.playing = False
            self._session.to_start()

    @property
    def is_holding(self) -> bool:
        return self._gesture is not None

    def take(self, body_point: BodyPoint, target: Array) -> None:
        """Grasps a point of a body and pulls it to ``target`` (3,), m in the world."""
        if self.mode == "pose":
            self._begin(PoseGesture(self._session, body_point, target, self._next_control("pose")))
        else:
            self._push(body_point, lambda solution, at: spring(solution, body_point, at), target)

    @property
    def moves_bases(self) -> bool:
        """Whether an arm's base can be dragged: in pose mode, with arms standing round an object."""
        build = self._session.build
        return self.mode == "pose" and build is not None and build.kind == "multi_arm"

    def take_base(self, arm: int, grip: Array, target: Array) -> None:
        """Grasps an arm's base at a point in its own axes (3,), m, and leads that to ``target`` (3,), m."""
        if self.moves_bases and self._session.opening.awaited is None:
            self._begin(BaseGesture(self._session, arm, grip, target, self._placing))

    def _see_built(self, event: param.parameterized.Event) -> None:
        """The machine with the moved base is there or was refused: the preview is removed."""
        if event.new is None and self._gesture is None:
            self._session.aim = None

    def press(self, body_point: BodyPoint, force: Array) -> None:
        """Pushes at a point with a constant force (3,), N in the world, until ``let_go``."""
        self._push(body_point, lambda solution, _: steady(solution, body_point, force), np.zeros(3))

    def _push(self, body_point: BodyPoint, law: Callable[[dyn.Solution, Array], PointForce], target: Array) -> None:
        self.let_go()
        if lies(self._session, body_point):
            self._session.message = LIES
            return
        self._begin(PushGesture(self._session, body_point, law, target, self._next_control("push")))

    def tap(self, body_point: BodyPoint, force: Array) -> None:
        """Pushes for a fifth of a second of simulated time."""
        self.let_go()
        if lies(self._session, body_point):
            self._session.message = LIES
            return
        session, control = self._session, self._next_control("tap")
        wrench, time = steady(session.solution(), body_point, force).wrench, session.time
        if session.intervene(ForceStep(time, wrench), control, gesture=True):
            session.intervene(ForceStep(time + TAP, None), control, gesture=True)

    def _next_control(self, kind: str) -> str:
        self._count += 1
        return f"{kind} {self._count}"

    def _begin(self, gesture: Gesture) -> None:
        self.let_go()
        self._gesture = gesture
        self.attend(0)

    def move(self, target: Array) -> None:
        """Sets the pointer's place; of several places between two frames only the last counts."""
        if self._gesture is not None:
            self._gesture.target = target

    def let_go(self) -> None:
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.let_go()

    def attend(self, frame: int) -> None:
        """Called by the clock once a frame."""
        if self._gesture is not None and not self._gesture.attend(frame):
            self._gesture = None


@dataclass(eq=False)
class PushGesture(Gesture):
    """A force that is renewed while the push lasts, so that it follows the body and the pointer."""

    session: Session
    body_point: BodyPoint
    law: Callable[[dyn.Solution, Array], PointForce]
    target: Array
    control: str
    since: float = -1.0

    def attend(self, frame: int) -> bool:
        session = self.session
        if frame % RENEWED:
            return True
        if self.body_point.body >= session.system.n_links + (session.system.task_object is not None):
            return self._forget()
        if lies(session, self.body_point):  # it has landed in the user's hand
            self.let_go()
            return False
        if session.time < self.since:  # the run began anew, or something else changed it
            if self.since > LONGEST_RUN - AFTER:
                session.message = Message(Kind.RUN_ENDED, f"A run ends at {LONGEST_RUN:g} s, and a push with it.")
            return self._forget()
        if session.run.end <= self.since:  # the effect of the last force is still being computed
            return True
        self.since = session.time
        point_force = self.law(session.solution(), self.target)
        if not session.intervene(ForceStep(self.since, point_force.wrench), self.control, gesture=True):
            return self._forget()
        session.point_force = point_force
        return True

    def let_go(self) -> None:
        self.session.intervene(ForceStep(self.session.time, None), self.control, gesture=True)
        self._forget()

    def _forget(self) -> bool:
        self.session.point_force = None
        return False


def lies(session: Session, body_point: BodyPoint) -> bool:
    """Whether a point belongs to the object, and the object lies on the ground at the cursor."""
    return body_point.body == session.system.n_links and session.run.lies_at(session.time)
