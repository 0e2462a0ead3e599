"""Everything that decides a run. A run is a function of its setup, so undo, links and comparisons keep setups."""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

import dynamics as dyn
import scenes
from app.motion.actuation import DRIVES, Actuation, Drive, why_not
from app.motion.assembly import Assembly, carried, closed_start
from app.motion.errors import ERRORS
from app.motion.interventions import Intervention
from app.motion.leg import Ground, Leg
from app.motion.postures import BRIEF, THOROUGH, TipCircle, away, no_circle, posed, stops, tip_circle, within
from app.motion.presets import MODE_OF_KIND, Preset
from app.motion.robot_file import OwnFile, check_count, check_robot
from app.motion.run import Course, Run
from app.motion.world import (
    RUNGE_KUTTA,
    Body,
    Numerics,
    body_of,
    check_effort,
    check_stiffness,
    from_loaded,
    in_world,
    place_of,
    with_bodies,
)

HANGING = np.diag([1.0, -1.0, -1.0, 1.0])  # World <- base of an arm that is bolted to a ceiling


def prepared(preset: Preset) -> tuple[dyn.System, dyn.State]:
    """The packaged example, with mounting, friction and posture as in the preset."""
    system, state = dyn.example(preset.example)
    if preset.mass is not None:
        assert system.task_object is not None
        system = dyn.with_task_object(system, system.task_object.with_mass(preset.mass))
    if preset.hangs or preset.damping is not None or preset.losses != 1.0:
        base = HANGING if preset.hangs else system.base_poses[0]
        system = dyn.single_arm(eased(system.robots[0], preset), system.gravity, base)
    q, rates = (
        own if chosen is None else system.to_joint_vector(dict(chosen))
        for own, chosen in ((state.q, preset.posture), (state.qd, preset.rates))
    )
    if preset.actuation == "reach":
        rates = np.zeros(system.n_joints)  # joints that start at rest do not jerk against their springs
    state = replace(state, q=q, qd=rates)
    if preset.tumbling is not None:
        state = replace(state, base_velocity=np.array([*preset.tumbling, 0.0, 0.0, 0.0]))
    there_and_back = preset.actuation == "carry" and preset.led is None
    return system, drawn_back(preset, system, state) if there_and_back else state


def eased(robot: dyn.Robot, preset: Preset) -> dyn.Robot:
    """The robot with the preset's share of its friction and damping, or with the preset's damping at every joint."""

    def changed(joint: dyn.Joint) -> dyn.Joint:
        damping = preset.losses * joint.damping if preset.damping is None else preset.damping
        static, sliding = joint.friction
        return replace(joint, damping=damping, friction=(preset.losses * static, preset.losses * sliding))

    return replace(robot, joints=tuple(map(changed, robot.joints)))


def drawn_back(preset: Preset, system: dyn.System, state: dyn.State) -> dyn.State:
    """The arms where they begin to carry: half the way before the example's place, with the other half beyond it."""
    assert state.object_pose is not None
    found = dyn.inverse_kinematics(system, state, "object", carried(state.object_pose, preset.carry, -0.5))
    if not found.reached:
        raise dyn.ModelError(f"{preset.title}: the arms cannot begin half the travel before the example's place.")
    return found.state


LINK_BYTES, SHAPE_BYTES, FRAME_BYTES = 8_000, 1_000, 1_000
"""Measured memory in bytes: of a system's link with the tables of its motion, a shape, a link's own frame."""
CLEAR = 0.2  # rad or m from a stop at the start, as springs that return to it overshoot a little
MOST_CIRCLES = 8  # Circles that a machine caches


@dataclass(frozen=True, eq=False)
class Machine:
    """What was opened, before any change: a packaged example, or the robot of a user's own file."""

    preset: Preset
    system: dyn.System
    state: dyn.State
    file: OwnFile | None = None
    source: bytes = field(default=b"", repr=False)  # that file's own text, compressed by zlib
    built: Assembly | None = None  # how it was assembled, if it was: see ``app.motion.built_machine``
    # the machine before any edit of its robot, if there was one: see ``app.motion.built_machine``
    origin: Machine | None = field(default=None, repr=False)

    @functools.cached_property
    def refusals(self) -> Mapping[str, str]:
        """Why a drive does not fit, by name; empty if it does."""
        return MappingProxyType({name: why_not(name, self.system, self.state) for name in DRIVES})

    @functools.cached_property
    def first(self) -> dyn.Solution:
        """The solution at its own start, independent of later poses: the floor is placed with room for it."""
        return dyn.forward_dynamics(self.system, self.state)

    @functools.cached_property
    def ground(self) -> Ground | None:
        """The floor, as it is drawn, on which its object lands; None without an object or a level floor."""
        points = scenes.object_points(self.system)
        height = scenes.ground_height(self.system, self.first) if len(points) else None
        return None if height is None else Ground(height, points)

    def circle_from(self, state: dyn.State) -> TipCircle:
        """The circle that the tip follows from a posture, or from the machine's own if a brief search finds none."""
        found = self._circle(state.q.tobytes(), BRIEF)
        if found is None and (own := self._circle(self.state.q.tobytes(), THOROUGH)) is not None:
            found = replace(own, is_bent=True)
        if found is None:
            raise dyn.ModelError(no_circle(self.system, self.state))
        return found

    @functools.cached_property
    def _circle(self) -> Callable[[bytes, int], TipCircle | None]:
        """Finds a circle from a posture, and remembers the last few of them."""
        state_of = lambda q: replace(self.state, q=np.frombuffer(q))  # noqa: E731
        return functools.lru_cache(MOST_CIRCLES)(lambda q, work: tip_circle(self.system, state_of(q), work))

    @property
    def size(self) -> int:
        """Approximate memory in bytes, once it has moved."""
        shapes = sum(len(link.geometry) for robot in self.system.robots for link in (*robot.links, robot.root))
        frames = sum(len(robot.frames) for robot in self.system.robots)
        return LINK_BYTES * (self.system.n_links + 1) + SHAPE_BYTES * shapes + FRAME_BYTES * frames + len(self.source)

    @property
    def remark(self) -> str:
        """What was not understood in its files, with lines; empty if all was."""
        return "; ".join(dict.fromkeys(remark for robot in self.system.robots for remark in robot.remarks))


@functools.cache
def machine_of_preset(preset: Preset) -> Machine:
    """A packaged example, shared by all sessions as it cannot be changed."""
    return Machine(preset, *prepared(preset))


def machine_of_file(text: bytes, name: str) -> Machine:
    """A robot description as it stands: bolted down, unless a MuJoCo model lets it float."""
    is_mujoco = check_count(text, name) == "mujoco"
    robot = dyn.load_mjcf_text(text, name) if is_mujoco else dyn.load_urdf_text(text, name)
    check_robot(robot, name)
    floats = is_mujoco and robot.root.mass > 0.0  # the world, to which fixed robots are bolted, weighs nothing
    system = dyn.free_flyer(robot) if floats else dyn.single_arm(robot)
    # A file gives no posture: zero, but clear of the stops.
    start, elsewhere = closed_start(system, away(system, system.home(), 0.0, CLEAR))
    if elsewhere:
        system = replace(system, robots=(replace(robot, remarks=(*robot.remarks, elsewhere)),))
    file = OwnFile.of(text, name)
    preset = Preset("", file.name, MODE_OF_KIND[system.kind], "", "reach")
    return Machine(preset, system, start, file, zlib.compress(text))


def review_of_file(text: bytes, name: str) -> dyn.RobotReport | None:
    """Errors and doubtful values in a robot file; None if it is too large for the page, or cannot be read."""
    try:
        check_count(text, name)
        return dyn.robot_report(text, name)
    except dyn.ModelError:
        return None


AFTER = 2.0  # Seconds that a run continues at least after an intervention: a run that is pushed by hand does not end
LONGEST_RUN = 60.0  # Seconds to which interventions can extend a run


@dataclass(frozen=True)
class Setup:
    """What was chosen, as values; immutable."""

    machine: Machine
    # joint name -> N m or N on top of the preset's actuation; zero for joints that are not named
    torques: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    posture: tuple[float, ...] | None = None  # (joints,) rad or m at the start; None as loaded
    interventions: tuple[Intervention, ...] = ()  # in the order of their times
    drive: str = ""  # what drives the joints, by its name in ``DRIVES``; empty for the machine's own
    # changed inertial parameters: a link by its index, the object after the last link
    bodies: Mapping[int, Body] = field(default_factory=lambda: MappingProxyType({}))
    gravity: tuple[float, ...] | None = None  # (3,) m/s^2; None as loaded
    damping: float = 0.0  # N m s/rad or N s/m, added to every joint's own
    numerics: Numerics = RUNGE_KUTTA  # integrator settings

    def __hash__(self) -> int:
        tables = (frozenset(self.torques.items()), frozenset(self.bodies.items()))
        return hash((self.machine, self.posture, self.interventions, self.drive, self.gravity, self.numerics, tables))

    def body(self, k: int) -> Body:
        """Inertial parameters of a body."""
        return self.bodies[k] if k in self.bodies else body_of(self.machine.system, k)

    @property
    def object_center(self) -> tuple[float, ...]:
        """(3,) m, shift of the object's mass centre from where it was loaded, in its axes; zero without an object."""
        payload = self.bodies.get(self.machine.system.n_links)
        return (0.0, 0.0, 0.0) if payload is None else payload.center

    @property
    def driven(self) -> Drive:
        return DRIVES[self.drive or self.machine.preset.actuation]

    @property
    def changes(self) -> list[str]:
        """Brief list of changes of the machine and its world, without torques and posture."""
        found = [self.driven.title.lower()] if self.drive else []
        if len(self.bodies) == 1:
            ((k, body),) = self.bodies.items()
            name = [*self.machine.system.link_names, "object"][k]
            is_scaled = body.mass > 0.0 and body == body_of(self.machine.system, k).scaled(body.mass)
            found.append(f"{name} {body.mass:.3g} kg" if is_scaled else f"{name} changed")
        elif self.bodies:
            found.append(f"{len(self.bodies)} bodies changed")
        if self.gravity is not None:
            found.append(place_of(self.gravity).replace("No", "no").replace("Other", "other"))
        if self.damping:
            found.append(f"damped by {self.damping:g}")
        if self.numerics != RUNGE_KUTTA:
            found.append(self.numerics.words)
        return found

    def first_leg(self) -> tuple[Leg, Actuation]:
        state = self.machine.state
        check_effort(self.machine.system, self.numerics)
        state = from_loaded(state, self.object_center)
        system = in_world(with_bodies(self.machine.system, self.bodies), self.gravity, self.damping)
        if self.posture is not None:
            state = posed(system, state, np.array(self.posture))
        if self.damping or self.bodies or self.numerics != RUNGE_KUTTA:  # as loaded it is always shown
            check_stiffness(system, state, self.numerics)
        if refused := self.machine.refusals[self.driven.name]:
            raise dyn.ModelError(f"{self.driven.title}: this does not fit, because {refused}. Choose another drive.")
        circle = self.machine.circle_from(state) if self.driven.name == "circle" else None
        state = state if circle is None else circle.begun(state)
        actuation = Actuation(self.machine.preset, system, self.torques, self.drive, circle)
        ground = self.machine.ground
        if ground is not None and any(self.object_center):
            ground = replace(ground, points=ground.points - np.array(self.object_center))
        return Leg(0.0, system, state, actuation.law(system, state), numerics=self.numerics, ground=ground), actuation

    def run(self) -> Run:
        leg, actuation = self.first_leg()
        return Run(leg, actuation, self.duration, self.interventions)

    @property
    def duration(self) -> float:
        """Length of the timeline, s: the preset's, or longer if the last intervention would otherwise not be seen."""
        own = self.machine.preset.duration
        if not self.interventions:
            return own
        return max(own, min(float(math.ceil(self.interventions[-1].time + AFTER)), LONGEST_RUN))

    def plain(self) -> Setup:
        return Setup(self.machine)


MOST = 16  # Courses in the cache; each holds at most a minute of motion


def common_run(setup: Setup) -> Run:
    """The run of a setup that others may open, too: computed once for all of them, up to its own end.

    A machine from a user's own file or edit is not shared: its run is its own, and is forgotten with it.
    """
    if setup.machine.file is not None or setup.machine.origin is not None:
        return setup.run()
    course = course_of(setup)
    return Run(course.first, course.actuation, course.duration, setup.interventions, course=course)


@functools.lru_cache(MOST)
def course_of(setup: Setup) -> Course:
    """What is known of a motion, shared by all sessions."""
    return Course(*setup.first_leg(), setup.duration)


BENT = 0.5  # rad from the posture as loaded
NEAR = 1e-9
STILL = 1e-6  # rad/s² or m/s²: smaller accelerations look like rest
AS_LOADED = "As loaded"


def starts_of(machine: Machine) -> Mapping[str, tuple[float, ...] | None]:
    """The title of each start, and its posture (joints,), rad or m; None for that of the machine as loaded.

    Arms that hold something have that one alone: their joints are moved one by one.
    """
    system, state = machine.system, machine.state
    if system.is_closed:
        return {AS_LOADED: None}
    ends = stops(system)
    middle = np.where(np.isfinite(ends).all(axis=0), np.nan_to_num(ends).mean(axis=0), 0.0)
    found: dict[str, tuple[float, ...] | None] = {AS_LOADED: None}
    seen = [state.q]
    for words, q in (
        ("Every joint at zero", np.zeros(system.n_joints)),
        ("Every joint in the middle of its range", middle),
        ("Bent this way and that", away(system, state, BENT).q),
    ):
        kept = within(system, replace(state, q=q)).q
        if all(np.abs(kept - other).max() > NEAR for other in seen):
            found[words] = tuple(kept.tolist())
            seen.append(kept)
    return found


def bent_out_of_balance(run: Run) -> tuple[float, ...] | None:
    """A posture (joints,) from which a run would move that starts in balance; None if it moves already.

    None also if bending does not help: no force acts, or the arms hold something.
    """
    system, start = run.actuation.system, run.start
    if system.is_closed or not np.any(system.gravity) or np.any(start.qd):
        return None
    try:
        bent = within(system, away(system, start, BENT))
        moved = dyn.forward_dynamics(system, bent, np.zeros(system.n_joints))
        rests = _is_still(run.solution_at(run.begin)) and not _is_still(moved)
    except ERRORS:
        return None
    return tuple(bent.q.tolist()) if rests else None


def _is_still(solution: dyn.Solution) -> bool:
    return bool(np.abs(solution.joint_acceleration).max(initial=0.0) < STILL)
