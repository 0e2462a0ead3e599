"""A robot as its file describes it: links, joints and their geometry, fixed joints merged away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, names, number
from dynamics.errors import ModelError
from dynamics.record import Record, in_a_line, short
from dynamics.robot.rigid_body import MassProperties, displaced, joined

MOST_LINKS = 10_000
"""Limit for a robot: anything with more links is not a machine, and only takes time and memory."""
INSIDE = "data:model/stl;base64,"
"""Prefix of the address of a mesh embedded in the robot's own text."""
HELD_TURNS = {"point": 0, "hinge": 2, "rigid": 3}
"""For each kind of loop, the held rotations: about x and y of its frames, or all; all translations are held, too."""
PROPERTIES = ("limits", "damping", "friction", "rotor_inertia")


@dataclass(frozen=True, eq=False)
class Geometry(Record):
    """One visible shape, fixed in a link.

    Attributes:
        kind: ``box`` (size = x, y, z edges), ``cylinder`` (radius, length along z),
            ``sphere`` (radius,), ``capsule`` (radius, length of the straight part along z) or
            ``mesh`` (size = x, y, z scale of ``path``).
        size: the shape's dimensions in metres.
        pose: 4x4, link <- shape.
        color: red, green, blue, alpha in 0..1, or None where the file names none.
        path: the mesh file, or a ``data:`` address of binary STL, for ``mesh`` only.
    """

    kind: Literal["box", "cylinder", "sphere", "capsule", "mesh"]
    size: tuple[float, ...]
    pose: Array
    color: tuple[float, float, float, float] | None = None
    path: str | None = None

    @property
    def is_inside(self) -> bool:
        """Whether its mesh is embedded in the robot's own text."""
        return self.path is not None and self.path.startswith(INSIDE)


@dataclass(frozen=True, eq=False)
class Link(Record):
    """A rigid body.

    Attributes:
        name: as in the file.
        mass: kg.
        center_of_mass: (3,), m, in link axes from the link's origin.
        inertia: (3, 3), kg m^2, about the mass centre in link axes.
        geometry: its shapes.
    """

    name: str
    mass: float
    center_of_mass: Array
    inertia: Array
    geometry: tuple[Geometry, ...] = ()

    @property
    def body(self) -> MassProperties:
        """Mass, mass centre and inertia in a form that can be moved and joined."""
        return MassProperties(self.mass, self.center_of_mass, self.inertia)


@dataclass(frozen=True, eq=False)
class Joint(Record):
    """The inner joint of a link: it joins the link to its inboard neighbor.

    Attributes:
        name: as in the file.
        kind: ``revolute`` or ``prismatic``.
        axis: (3,) unit vector in the link's own axes.
        origin: (4, 4), inboard link <- joint frame at zero displacement.
        lower: the least displacement, rad or m; minus infinity where there is no limit.
        upper: the largest; infinity where there is no limit.
        velocity: the highest speed, rad/s or m/s; infinity where there is no limit.
        effort: the largest torque or force, N m or N; infinity where there is no limit.
        damping: N m s/rad or N s/m.
        friction: Coulomb friction against motion in the negative and in the positive direction, N m or N.
        rotor_inertia: kg m^2 (or kg) seen at the joint.
        mimic: the joint that it follows, by name, and m and b of its displacement m x + b if that one's is x, rad or
            m; None for a joint that moves independently.
    """

    name: str
    kind: Literal["revolute", "prismatic"]
    axis: Array
    origin: Array
    lower: float = -np.inf
    upper: float = np.inf
    velocity: float = np.inf
    effort: float = np.inf
    damping: float = 0.0
    friction: tuple[float, float] = (0.0, 0.0)
    rotor_inertia: float = 0.0
    mimic: tuple[str, float, float] | None = None

    @property
    def rest(self) -> float:
        """The displacement within the limits that is nearest to zero."""
        return float(np.clip(0.0, self.lower, self.upper))


@dataclass(frozen=True, eq=False)
class Frame(Record):
    """A named frame fixed in a link.

    Attributes:
        name: as in the file.
        link: index of the link, n for the root.
        pose: (4, 4), link <- frame.
    """

    name: str
    link: int
    pose: Array


@dataclass(frozen=True, eq=False)
class Loop(Record):
    """Closes a loop: holds together two links that the tree does not join, by a frame on each.

    Attributes:
        kind: ``hinge`` (the frames turn about their z axis, which they share), ``point`` (they rotate freely about
            their origin) or ``rigid`` (they coincide).
        first: a frame on one link; link n is the root.
        second: the frame on another.
    """

    kind: Literal["hinge", "point", "rigid"]
    first: Frame
    second: Frame

    @property
    def name(self) -> str:
        """Its name in messages."""
        return f"{self.first.name}-{self.second.name}"


@dataclass(frozen=True, eq=False)
class Robot(Record):
    """A tree of links. Index 0 is a tip's link, and every link comes before its inboard neighbor.

    Attributes:
        name: as in the file.
        links: n moving bodies.
        joints: n; joint k is the inner joint of link k.
        inboard: for each link the index of its inboard neighbor, n for the root.
        root: the link that is bolted to the world, or floats.
        tips: the tool points, one for a chain.
        frames: every link of the file, merged ones too, by name.
        home: a typical posture, joint name -> displacement.
        title: the display name, such as ``PUMA 560``; may be empty.
        remarks: what was left out of its file or changed, with line numbers; also issued as a warning.
        root_fault: what is wrong with the root's inertia in its file, if it was left out: the robot cannot float.
        loops: connections between links that the tree does not join.
        trees: of a scene with several, a body of each that can be the robot, as ``load(body=)`` takes it.
        loose: bodies of its scene that float alone, by name: each about its mass centre, and its pose, (4, 4).
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    inboard: tuple[int, ...]
    root: Link
    tips: tuple[Frame, ...]
    frames: Mapping[str, Frame] = field(repr=False, default_factory=dict)
    home: Mapping[str, float] = field(repr=False, default_factory=dict)
    title: str = ""
    remarks: tuple[str, ...] = ()
    root_fault: str = ""
    loops: tuple[Loop, ...] = ()
    trees: tuple[str, ...] = ()
    loose: Mapping[str, tuple[Link, Array]] = field(repr=False, default_factory=dict)

    def __repr__(self) -> str:
        return in_a_line("Robot", [short(self.name), f"{len(self.joints)} joints: {', '.join(self.joint_names)}"])

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The joints' names, tip to base."""
        return tuple(joint.name for joint in self.joints)

    @cached_property
    def couplings(self) -> Mapping[int, tuple[int, float, float]]:
        """Each joint that follows another, by its index: its leader, m and b.

        If the leader follows another joint, too, the first that follows none, and m and b relative to it.

        Raises:
            ModelError: if a joint follows itself, directly or through others, or one that the robot does not have.
        """
        index = {name: k for k, name in enumerate(self.joint_names)}
        found = {}
        for k, joint in enumerate(self.joints):
            leader, way, times, more = joint, {k}, 1.0, 0.0
            while leader.mimic is not None:
                name, multiplier, offset = leader.mimic
                where = f"robot {brief(self.name)}, joint {brief(leader.name)}: follows {brief(name)}"
                if name not in index:
                    raise ModelError(f"{where}; the joints are {choices(index)}.")
                if index[name] in way:
                    raise ModelError(f"{where}, which follows it; one of them must move by itself.")
                way.add(index[name])
                leader, times, more = self.joints[index[name]], times * multiplier, more + times * offset
            if leader is not joint:
                found[k] = index[leader.name], times, more
        return MappingProxyType(found)

    def without(self, *properties: str) -> Robot:
        """The same robot with some of its properties switched off.

        Args:
            *properties: of ``limits``, ``damping``, ``friction`` and ``rotor_inertia``.

        Returns:
            A new robot.

        Raises:
            ModelError: for any other word.

        Cost: linear in the joints.
        """
        unknown = [name for name in names(properties, "properties", ModelError) if name not in PROPERTIES]
        if unknown:
            raise ModelError(
                f"robot {brief(self.name)}: cannot switch off {brief(unknown[0])}; choose among {choices(PROPERTIES)}."
            )
        off: dict[str, dict[str, object]] = {
            "limits": {"lower": -np.inf, "upper": np.inf, "velocity": np.inf, "effort": np.inf},
            "damping": {"damping": 0.0},
            "friction": {"friction": (0.0, 0.0)},
            "rotor_inertia": {"rotor_inertia": 0.0},
        }
        changes = {key: value for name in properties for key, value in off[name].items()}
        return replace(self, joints=tuple(replace(joint, **changes) for joint in self.joints))  # type: ignore[arg-type]

    def locked(self, joints: Mapping[str, float] | Iterable[str]) -> Robot:
        """The same robot with some of its joints locked: their links become parts of their inboard neighbors.

        Followers of a locked joint are locked at the corresponding displacement; a joint that is locked by its own name
        no longer follows any. A loop whose two links become one is dropped. Every link stays a frame.
        Tool points that end up in one link are kept if they come from a single link; otherwise the link's own origin
        replaces them.

        Args:
            joints: their names; or displacements by name, rad or m. A name alone locks a joint at 0, or at the limit
                nearest to 0.

        Returns:
            A new robot with fewer joints.

        Raises:
            ModelError: for an unknown joint, an invalid displacement, or if nothing would move.

        Cost: linear in the links, some 50 us each.
        """
        at, n = displacements(self, joints), len(self.links)
        follows = {joint.name: joint.mimic for joint in self.joints if joint.mimic is not None}
        while led := {name: m * at[x] + b for name, (x, m, b) in follows.items() if x in at and name not in at}:
            at |= led
        stay = [k for k in range(n) if self.joints[k].name not in at]
        if not stay:
            raise ModelError(f"robot {brief(self.name)}: with all joints locked nothing moves. Leave one free.")
        number_of = {k: number for number, k in enumerate([*stay, n])}
        links, owner, pose = (*self.links, self.root), list(range(n + 1)), [np.eye(4)] * (n + 1)
        parts: dict[int, list[int]] = {k: [k] for k in number_of}
        for k in range(n - 1, -1, -1):
            joint, inner = self.joints[k], self.inboard[k]
            if joint.name in at:
                owner[k] = owner[inner]
                pose[k] = pose[inner] @ joint.origin @ displaced(joint.kind, joint.axis, at[joint.name])
                parts[owner[k]].append(k)

        def moved(frame: Frame) -> Frame:
            return Frame(frame.name, number_of[owner[frame.link]], pose[frame.link] @ frame.pose)

        def together(link: Link, others: list[int]) -> Link:
            if len(others) == 1:
                return link
            body = joined(links[k].body.moved(pose[k]) for k in others)
            shapes = (replace(shape, pose=pose[k] @ shape.pose) for k in others for shape in links[k].geometry)
            return Link(link.name, body.mass, body.center_of_mass, body.inertia, tuple(shapes))

        made = [together(links[k], parts[k]) for k in number_of]
        own_frames = {each.name: Frame(each.name, k, np.eye(4)) for k, each in enumerate(links) if owner[k] != k}
        frames = {name: moved(frame) for name, frame in (dict(self.frames) | own_frames).items()}
        tips: dict[int, list[Frame]] = {}
        for tip in self.tips:
            tips.setdefault(owner[tip.link], []).append(tip)
        kept = []
        for k, there in tips.items():
            several = len({tip.link for tip in there}) > 1
            own = [Frame(links[k].name, number_of[k], np.eye(4))] if several else [moved(tip) for tip in there]
            kept += own if k < n else []
        joints_left = (self.joints[k] for k in stay)
        return replace(
            self,
            links=tuple(made[:-1]),
            joints=tuple(replace(self.joints[k], origin=pose[self.inboard[k]] @ self.joints[k].origin) for k in stay),
            inboard=tuple(number_of[owner[self.inboard[k]]] for k in stay),
            root=made[-1],
            tips=tuple(kept) or (Frame(made[0].name, 0, np.eye(4)),),
            frames=frames,
            home={joint.name: self.home[joint.name] for joint in joints_left if joint.name in self.home},
            loops=with_moved_frames(self.loops, moved),
        )


def with_moved_frames(loops: Iterable[Loop], moved: Callable[[Frame], Frame]) -> tuple[Loop, ...]:
    """The loops after links have been renumbered or moved, without those within one link."""
    found = (replace(loop, first=moved(loop.first), second=moved(loop.second)) for loop in loops)
    return tuple(loop for loop in found if loop.first.link != loop.second.link)


def displacements(robot: Robot, joints: Mapping[str, float] | Iterable[str]) -> dict[str, float]:
    """Displacements of the locked joints, rad or m, from the argument of ``Robot.locked``."""
    title, known = f"robot {brief(robot.name)}", {joint.name: joint.rest for joint in robot.joints}
    values = dict(joints) if isinstance(joints, Mapping) else dict.fromkeys(names(joints, "joints", ModelError))
    for name, value in values.items():
        index_of(name, robot.joint_names, "joint", title)
        if value is not None:
            known[name] = number(value, f"{title}, joint {brief(name)}", "a displacement, rad or m", ModelError)
    return {name: known[name] for name in values}


def index_of(name: str, known: Sequence[str], kind: str, title: str) -> int:
    """The index of the link or joint of that name; an unknown one is refused."""
    if not is_among(name, known):
        raise ModelError(f"{title}: there is no {kind} {brief(name)}; the {kind}s are {choices(known)}.")
    return known.index(name)


def led_among(joint: Joint, names: Mapping[str, str]) -> Joint:
    """The joint after others were removed or renamed; ``names`` maps old names of the remaining ones to new."""
    if joint.mimic is None:
        return joint
    leader, multiplier, offset = joint.mimic
    return replace(joint, mimic=(names[leader], multiplier, offset) if leader in names else None)


def joints_in_limits(robot: Robot) -> tuple[Joint, ...]:
    """Its joints, each with limits that agree with all joints coupled to it.

    Limits of a follower that leave its leader no room are ignored: many files have zeros there.
    """
    joints = list(robot.joints)
    for k, (leader, m, b) in robot.couplings.items():
        own, led = joints[leader], robot.joints[k]
        ends = sorted((end - b) / m for end in (led.lower, led.upper)) if m else (-np.inf, np.inf)
        lower, upper = max(own.lower, ends[0]), min(own.upper, ends[1])
        if lower < upper:
            joints[leader] = replace(own, lower=lower, upper=upper)
    for k, (leader, m, b) in robot.couplings.items():
        lower, upper = sorted(m * end + b if m else b for end in (joints[leader].lower, joints[leader].upper))
        joints[k] = replace(joints[k], lower=lower, upper=upper)
    return tuple(joints)
