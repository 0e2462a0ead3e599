"""A robot as its file describes it: links, joints and what they look like, fixed joints merged away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from dynamics.checks import Array, brief, choices, names
from dynamics.errors import ModelError
from dynamics.record import Record

MOST_LINKS = 10_000
"""Of a robot: what has more is no machine, and only takes time and memory."""
INSIDE = "data:model/stl;base64,"
"""How the address of a mesh begins that stands in the robot's own text."""
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
        """Whether its mesh stands in the robot's own text."""
        return self.path is not None and self.path.startswith(INSIDE)


@dataclass(frozen=True, eq=False)
class Link(Record):
    """A rigid body.

    Attributes:
        name: as in the file.
        mass: kg.
        center_of_mass: (3,), m, in link axes from the link's origin.
        inertia: (3, 3), kg m^2, about the mass centre in link axes.
        geometry: what it looks like.
    """

    name: str
    mass: float
    center_of_mass: Array
    inertia: Array
    geometry: tuple[Geometry, ...] = ()


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
        home: a pleasant posture, joint name -> displacement.
        title: the name as people write it, such as ``PUMA 560``; may be empty.
        remarks: what was left out of its file because it was not understood, or is wrong and cannot be felt, with
            lines; a warning says so, too.
        root_fault: what is wrong with the root's inertia in its file, where that is left out: it cannot float.
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

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The joints' names, tip to base."""
        return tuple(joint.name for joint in self.joints)

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
