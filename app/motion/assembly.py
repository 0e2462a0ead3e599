"""From the choices to a system and a start of it: closed exactly where arms hold, and within every joint's stops."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import pi

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.motion.build import OWN, TITLES, Base, Build, Payload, fitting, hands, is_inside, packaged, task_object
from app.motion.reach_posture import POINT, Chain, ReachingArm, least_gap, reaching, segment_gap, thinned

POSTURES = 40


def closed_start(system: dyn.System, state: dyn.State) -> tuple[dyn.State, str]:
    """The nearest closed state, and no words; if none is found, one near a random posture, always the same, and why."""
    try:
        return dyn.project(system, state), ""
    except dyn.SingularConfigurationError as error:
        ends = np.array([(joint.lower, joint.upper) for joint in system.joint_models]).T
        lower, upper = np.clip(ends, *(state.q + way for way in (-pi, pi)))
        for q in np.random.default_rng(0).uniform(lower, upper, (POSTURES, system.n_joints)):
            with suppress(dyn.SingularConfigurationError):
                return dyn.project(system, replace(state, q=q)), f"{error} Another posture, drawn at random, is used."
        raise


Array = NDArray[np.float64]
LOW = 1e-3  # m, height below which a pedestal would not be seen
PEDESTAL = 0.07  # Radius of a pedestal, as a share of the reach
PEDESTAL_COLOR = (0.5, 0.53, 0.57, 1.0)
TOO_NEAR = 0.02  # Distance, as a share of the shortest reach, below which parts collide
ATTEMPTS = 6  # Attempts of a search for a posture
LOOKED_AT = 8  # Points of each part of an arm that are tested for being in the object


@dataclass(frozen=True, eq=False)
class PlacedArm:
    """One arm at its place."""

    robot: dyn.Robot
    title: str
    base: Array  # (4, 4) world <- root
    q: Array  # (joints,) tip to base, rad or m
    reach: float

    @property
    def points(self) -> Array:
        """(many, 3) m, the points of its chain from the root to the tip, in the world."""
        chain = Chain.of(self.robot)
        own = chain.postures(self.q[None, list(chain.joints)]).points[0]
        return np.asarray(own @ self.base[:3, :3].T + self.base[:3, 3])


def object_height(arms: Sequence[ReachingArm]) -> float:
    """m, height of the object's middle above the floor: that of the highest hand; lower arms stand on pedestals."""
    return max(float(arm.tip[2, 3]) for arm in arms)


def places_round(arms: Sequence[ReachingArm], payload: Payload) -> tuple[Base, ...]:
    """The base of each arm with which its hand is on the object as it reaches out."""
    found = []
    for arm, place, away in zip(arms, *hands(payload, len(arms)), strict=True):
        yaw = float(np.arctan2(-away[1], -away[0])) - arm.azimuth
        x, y = place - (Rotation.from_euler("z", yaw).as_matrix() @ arm.tip[:3, 3])[:2]
        found.append(Base(float(x), float(y), float(np.arctan2(np.sin(yaw), np.cos(yaw)))))
    return tuple(found)


def arms_round(
    arms: Sequence[ReachingArm], titles: Sequence[str], payload: Payload, bases: Sequence[Base] | None
) -> list[PlacedArm]:
    """Every arm in its place, its hand on the object; without bases, where it reaches that in its own posture."""
    height = object_height(arms)
    stands = places_round(arms, payload) if bases is None else bases
    places, away = hands(payload, len(arms))
    if bases is not None:  # each arm gets a place on the object, with the shortest total distance
        at_bases = np.array([(base.x, base.y) for base in bases])
        _, order = linear_sum_assignment(np.linalg.norm(at_bases[:, None] - places[None], axis=2))
        places, away = places[order], away[order]
    found = []
    for number, (arm, title, base, at, out) in enumerate(zip(arms, titles, stands, places, away, strict=True), 1):
        pose = np.eye(4)
        pose[:3, :3] = Rotation.from_euler("z", base.yaw).as_matrix()
        pose[:3, 3] = base.x, base.y, height - float(arm.tip[2, 3])
        hand = np.array([*at, height])
        q = arm.q if bases is None else _reached(arm, f"Arm {number}, {title},", pose, hand, out)
        found.append(PlacedArm(on_pedestal(arm, float(pose[2, 3])), title, pose, q, arm.reach))
    check_room(found, payload, height)
    return found


def on_pedestal(arm: ReachingArm, height: float) -> dyn.Robot:
    """The robot, with its root on a cylinder of this height, m."""
    if height <= LOW:
        return arm.robot
    pose = np.eye(4)
    pose[2, 3] = -0.5 * height
    shape = dyn.Geometry("cylinder", (PEDESTAL * arm.reach, height), pose, PEDESTAL_COLOR)
    root = arm.robot.root
    return replace(arm.robot, root=replace(root, geometry=(*root.geometry, shape)))


def _reached(arm: ReachingArm, who: str, base: Array, hand: Array, out: Array) -> Array:
    """The joints with the hand at a place: turned towards the object if possible, or else in any orientation."""
    system = dyn.single_arm(arm.robot, base_pose=base)
    start = system.state(q=arm.q)
    own = base[:3, :3] @ arm.tip[:3, :3]
    faces = float(np.arctan2(base[1, 0], base[0, 0])) + arm.azimuth
    straight = hand[:2] - base[:2, 3]
    for toward in (-out, straight):
        target = np.eye(4)
        target[:3, :3] = Rotation.from_euler("z", float(np.arctan2(toward[1], toward[0])) - faces).as_matrix() @ own
        target[:3, 3] = hand
        found = dyn.inverse_kinematics(system, start, 0, target, attempts=ATTEMPTS)
        if found.reached and not is_folded(arm, found.state.q):
            return found.state.q
    found = dyn.inverse_kinematics(system, start, 0, hand, attempts=ATTEMPTS)
    if not found.reached:
        stop = f", with {found.at_limit[0]} at its stop" if found.at_limit else ""
        raise dyn.ModelError(
            f"{who} does not reach the object from there: its hand stays {found.position_error:.2g} m away{stop}. "
            "Move its base nearer, or turn it."
        )
    if is_folded(arm, found.state.q):
        raise dyn.ModelError(f"{who} would fold into itself to hold the object from there. Move its base, or turn it.")
    return found.state.q


def is_folded(arm: ReachingArm, q: Array) -> bool:
    """Whether parts of an arm are nearer to each other than as it reaches out, and too near."""
    chain = Chain.of(arm.robot)
    gaps = [least_gap(chain.postures(each[None, list(chain.joints)]).points, arm.reach)[0] for each in (q, arm.q)]
    return bool(gaps[0] < min(TOO_NEAR * arm.reach, 0.9 * gaps[1]))


def check_room(arms: Sequence[PlacedArm], payload: Payload, height: float) -> None:
    """Refuses arms that collide with each other or with the object."""
    lines = [arm.points[thinned(len(arm.points))] for arm in arms]
    near = TOO_NEAR * min(arm.reach for arm in arms)
    share = np.linspace(0.0, 1.0, LOOKED_AT)[:, None, None]
    for number, (arm, line) in enumerate(zip(arms, lines, strict=True), 1):
        own = line[: _hand(line, arm.reach) + 1]
        within = (own[:-1] + share * (own[1:] - own[:-1])).reshape(-1, 3) - [0.0, 0.0, height]
        if is_inside(payload, within).any():
            raise dyn.ModelError(
                f"arm {number}, {arm.title}, would reach through the object. Move its base away, or take a smaller "
                "object."
            )
    for (one, a), (two, b) in itertools.combinations(enumerate(lines, 1), 2):
        i, j = (grid.ravel() for grid in np.meshgrid(range(len(a) - 1), range(len(b) - 1)))
        if segment_gap(a[i], a[i + 1], b[j], b[j + 1]).min() < near:
            raise dyn.ModelError(
                f"arms {one} and {two} would overlap. Move their bases apart, take fewer arms or a larger object."
            )


def _hand(line: Array, reach: float) -> int:
    """Index where the arm's last part that is not too short begins: that part touches the object."""
    sizes = np.linalg.norm(line[1:] - line[:-1], axis=1)
    return int(np.flatnonzero(sizes > POINT * reach)[-1]) if (sizes > POINT * reach).any() else 0


HEAVY = 0.5  # Smallest mass of a root that floats by itself, as a share of its links' mass
BUS_MASS = 2.0  # Mass of the bus, as a multiple of the links' total mass
BUS_EDGE = 0.3  # Edge of the bus, as a share of the reach
WEIGHTLESS = 1.0  # Mass of the bus of an arm whose links weigh nothing, kg
BUS_COLOR = (0.62, 0.66, 0.72, 1.0)


def afloat(robot: dyn.Robot, reach: float) -> tuple[dyn.Robot, str]:
    """The robot with a floating root, and in words what floats.

    The bus is a homogeneous cube below the robot's root, which is fixed to it and keeps its own mass.
    """
    links = sum(link.mass for link in robot.links)
    root = robot.root
    if not robot.root_fault and root.mass >= HEAVY * links > 0.0 and np.linalg.eigvalsh(root.inertia)[0] > 0.0:
        return robot, f"Its own root link, {root.name}, floats: {root.mass:.3g} kg."
    mass, edge = float(f"{BUS_MASS * links or WEIGHTLESS:.2g}"), float(f"{BUS_EDGE * reach:.2g}")
    pose = np.eye(4)
    pose[2, 3] = -0.5 * edge
    shape = dyn.Geometry("box", (edge, edge, edge), pose, BUS_COLOR)
    bus = dyn.Link("bus", mass, pose[:3, 3], np.eye(3) * mass * edge**2 / 6.0, (shape,))
    whole = bus if robot.root_fault else _together(bus, root)
    words = f"Its root is fixed to a free bus: a cube of {edge:g} m and {mass:g} kg."
    return replace(robot, root=whole, root_fault=""), words


def _together(bus: dyn.Link, root: dyn.Link) -> dyn.Link:
    mass = bus.mass + root.mass
    center = (bus.mass * bus.center_of_mass + root.mass * root.center_of_mass) / mass
    inertia = sum(
        (
            link.inertia
            + link.mass * (np.sum((at := link.center_of_mass - center) ** 2) * np.eye(3) - np.outer(at, at))
            for link in (bus, root)
        ),
        np.zeros((3, 3)),
    )
    return dyn.Link(bus.name, mass, center, inertia, (*root.geometry, *bus.geometry))


MOST_JOINTS = 150  # Most joints of a machine: one process draws the pages of all users
Travel = tuple[float, float, float, float, float, float]
TRAVELS: tuple[Travel, ...] = (
    (0.0, 0.0, 0.12, 0.0, 0.0, 0.3),
    (0.0, 0.0, 0.06, 0.0, 0.0, 0.15),
    (0.0, 0.0, 0.1, 0.0, 0.0, 0.0),
    (0.08, 0.08, 0.0, 0.0, 0.0, 0.3),
    (0.08, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.0, 0.08, 0.0, 0.0, 0.0, 0.0),
)
"""Motions of an object, lengths relative to the shortest reach; the first that all arms can follow is used, as not
all have six degrees of freedom."""
STILL: Travel = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NEAR = 1e-4  # Accuracy at the ends of such a motion, relative to the shortest reach; the grips are closed exactly
STEPS = 60  # Most steps of a search for one end of such a motion
WEAK = "By their files its motors are too weak for its weight on Earth: here there is no gravity."


@dataclass(frozen=True, eq=False)
class Assembly:
    """An assembled machine."""

    build: Build
    system: dyn.System
    state: dyn.State
    title: str  # what it is and does
    words: str = ""  # what was decided for it
    carry: Travel = STILL  # how far a held object is moved, m and rad: see ``Preset``
    payload: Payload | None = None  # the complete object, if one is held
    bases: tuple[Base, ...] = ()  # where the arms stand, if they hold an object


def assembled(build: Build, own: dyn.Robot | None = None, own_title: str = "") -> Assembly:
    """The system and its start, with the robot of the user's own file if it is needed.

    The search for a posture of each robot takes some 0.2 s; if the object can be moved, some 0.1 s an arm.
    """
    team = ArmGroup.of(build, own, own_title)
    if build.kind == "multi_arm":
        return _holding(build, team)
    arm, title = team.arms[0], team.titles[0]
    robot = arm.robot
    if build.kind == "free_flyer":
        robot, words = afloat(robot, arm.reach)
        flying = dyn.free_flyer(robot)
        state, elsewhere = closed_start(flying, flying.state(q=flying.home().q if robot.home else arm.q))
        return Assembly(build, flying, state, f"{title}, floating", f"{words} {elsewhere}".strip())
    gravity, words = _gravity(team.arms)
    system = dyn.single_arm(robot, gravity)
    state, elsewhere = closed_start(system, system.home() if robot.home else system.state(q=arm.q))
    return Assembly(build, system, state, f"{title}, bolted down", f"{words} {elsewhere}".strip())


_packaged = functools.cache(lambda name: reaching(packaged(name)))  # searched once for all users


@dataclass(frozen=True, eq=False)
class ArmGroup:
    """The arms of a machine, each as it reaches out, before they are placed."""

    arms: tuple[ReachingArm, ...]
    titles: tuple[str, ...]

    @classmethod
    def of(cls, build: Build, own: dyn.Robot | None = None, own_title: str = "") -> ArmGroup:
        """The arms of a build; arguments and errors are those of ``assembled``."""
        robots = {name: own if name == OWN else packaged(name) for name in build.robots}
        found = {name: robot for name, robot in robots.items() if robot is not None}
        if len(found) < len(robots):
            raise dyn.ModelError("this machine needs a robot file that is not here.")
        if (joints := sum(len(found[name].joints) for name in build.robots)) > MOST_JOINTS:
            raise dyn.ModelError(
                f"{len(build.robots)} arms would have {joints} joints together; this page shows up to {MOST_JOINTS}. "
                "Take fewer arms."
            )
        searched = {name: reaching(robot) if name == OWN else _packaged(name) for name, robot in found.items()}
        titles = tuple(own_title if name == OWN else TITLES[name] for name in build.robots)
        return cls(tuple(searched[name] for name in build.robots), titles)

    @property
    def reach(self) -> float:
        """Reach of the shortest arm, m."""
        return min(arm.reach for arm in self.arms)

    def holding(self, build: Build) -> Assembly:
        """Every arm at its base, its hand on the object, whose middle is above the world's origin: not held yet."""
        payload, mass = fitting(
            build.payload, self.reach, sum(link.mass for arm in self.arms for link in arm.robot.links)
        )
        placed = arms_round(self.arms, self.titles, payload, build.bases)
        gravity, words = _gravity(self.arms)
        body = task_object(payload, mass)
        system = dyn.multi_arm([arm.robot for arm in placed], [arm.base for arm in placed], body, gravity)
        middle = np.eye(4)
        middle[2, 3] = object_height(self.arms)
        state = system.state(q=np.concatenate([arm.q for arm in placed]), object_pose=middle)
        bases = build.bases or places_round(self.arms, payload)
        return Assembly(build, system, state, _title(self.titles, payload), words, payload=payload, bases=bases)


def _gravity(arms: Sequence[ReachingArm]) -> tuple[tuple[float, float, float], str]:
    """Earth's gravity, or none if some robot's motors cannot even hold it as it reaches out; and that in words."""
    for arm in {id(arm): arm for arm in arms}.values():
        system = dyn.single_arm(arm.robot)
        needed = np.abs(dyn.inverse_dynamics(system, system.state(q=arm.q), np.zeros(system.n_joints)))
        if (needed > [joint.effort for joint in system.joint_models]).any():
            return (0.0, 0.0, 0.0), WEAK
    return (0.0, 0.0, -9.81), ""


def _holding(build: Build, team: ArmGroup) -> Assembly:
    there = team.holding(build)
    system = there.system
    first = {tip.arm: index for index, tip in reversed(list(enumerate(system.tips)))}
    held = dyn.grasp(system, there.state, ["rigid" if k in first.values() else None for k in range(system.n_tips)])
    state, carry = _led(held, dyn.project(held, there.state), team.reach)
    return replace(there, system=held, state=state, carry=carry)


def carried(pose: Array, way: Sequence[float] | Array, share: float = 1.0) -> Array:
    """A pose (4, 4), world, moved by a share of a travel: m along x, y and z, and the rotation vector, rad."""
    found = pose.copy()
    found[:3, :3] = Rotation.from_rotvec(share * np.array(way[3:])).as_matrix() @ found[:3, :3]
    found[:3, 3] += share * np.array(way[:3])
    return found


def _led(system: dyn.System, state: dyn.State, reach: float) -> tuple[dyn.State, Travel]:
    """The arms where they begin to carry, half of the travel back, and the travel; unmoved if none is possible."""
    assert state.object_pose is not None
    for travel in TRAVELS:
        way = np.array(travel) * np.repeat([reach, 1.0], 3)
        ends = []
        for half in (0.5, -0.5):
            target = carried(state.object_pose, way, half)
            try:
                found = dyn.inverse_kinematics(system, state, "object", target, accuracy=NEAR * reach, most_steps=STEPS)
            except dyn.SingularConfigurationError:
                break
            if not found.reached:
                break
            ends.append(found.state)
        if len(ends) == 2:
            x, y, z, *turn = way.tolist()
            return ends[1], (x, y, z, *turn)
    return replace(state, qd=np.zeros(system.n_joints)), STILL


def _title(titles: Sequence[str], payload: Payload) -> str:
    counted = [f"{count}\u00a0×\u00a0{name}" if count > 1 else name for name, count in Counter(titles).items()]
    who = " and ".join([", ".join(counted[:-1]), counted[-1]] if len(counted) > 1 else counted)
    return f"{who} {'hold' if len(titles) > 1 else 'holds'} a {payload.shape}"
