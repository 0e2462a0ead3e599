"""What is put together, as values: which robots, bolted down, holding or floating, where they stand, what they hold."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import dynamics as dyn

Kind = Literal["single_arm", "multi_arm", "free_flyer"]
KINDS: tuple[Kind, ...] = ("single_arm", "multi_arm", "free_flyer")
"""Bolted down, several round an object, and floating: the kinds of a ``dynamics.System``."""
MOST_ARMS = 8
OWN = "own"
"""Stands for the robot of the user's own file."""
EDGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "box": ("Length", "Width", "Height"),
        "sphere": ("Radius",),
        "cylinder": ("Radius", "Height"),
        "beam": ("Length", "Thickness"),
    }
)
"""What an object can be, and what of it is chosen, m."""
THINNEST, LONGEST = 0.01, 10.0
"""m, of an object."""
LIGHTEST_THING, HEAVIEST = 0.001, 10_000.0
"""kg, of an object: *Change* takes it beyond."""
FARTHEST = 50.0
"""m to either side, of a base."""


@dataclass(frozen=True)
class Thing:
    """An object: a body of one stuff.

    Attributes:
        shape: one of ``EDGES``.
        size: m, as ``EDGES`` names them; empty for one that fits whoever holds it.
        mass: kg; None for one that they carry with ease.
    """

    shape: str = "box"
    size: tuple[float, ...] = ()
    mass: float | None = None


@dataclass(frozen=True)
class Base:
    """Where an arm stands.

    Attributes:
        x, y: m, the object's middle being at zero.
        yaw: rad, about the vertical.
    """

    x: float
    y: float
    yaw: float


@dataclass(frozen=True)
class Build:
    """A machine.

    Attributes:
        kind: what holds its robots.
        robots: by name, one an arm; ``OWN`` for that of the user's own file.
        thing: what they hold, where they hold something.
        bases: one an arm; None for all round the object, where nothing else is said.
    """

    kind: Kind
    robots: tuple[str, ...]
    thing: Thing = Thing()
    bases: tuple[Base, ...] | None = None

    @property
    def needs_file(self) -> bool:
        """Whether one of its robots is the user's own."""
        return OWN in self.robots

    def of_kind(self, kind: Kind) -> Build:
        """Its first robot in another way, two where they hold."""
        return self if kind == self.kind else Build(kind, (self.robots[0],) * (2 if kind == "multi_arm" else 1))

    def with_arms(self, count: int) -> Build:
        """As many arms: those that are there, and more like the last; all find new places round the object."""
        robots = (*self.robots, *[self.robots[-1]] * count)[:count]
        return self if robots == self.robots else replace(self, robots=robots, bases=None)

    def with_robot(self, arm: int, name: str) -> Build:
        """Another robot for an arm."""
        robots = (*self.robots[:arm], name, *self.robots[arm + 1 :])
        return self if robots == self.robots else replace(self, robots=robots, bases=None)


TITLES: Mapping[str, str] = MappingProxyType(
    {
        "puma560": "PUMA 560",
        "iiwa14": "KUKA iiwa 14",
        "panda": "Panda",
        "ur5e": "UR5e",
        "duaro_scara": "duAro SCARA",
        "stanford": "Stanford arm",
        "talos": "TALOS, waist up",
        "free_flyer": "Servicer's arm",
        "two_arm_flyer": "Servicer with two arms",
        "dual_arm_satellite": "Satellite with two arms",
        "solo12": "Solo 12",
        "planar_chain": "Planar chain of five links",
        "long_chain": "Planar chain of twelve links",
        "jazidie_arm": "Planar arm of three links",
        "jazidie_arm_6": "Planar arm of six links",
    }
)
"""Every packaged robot, and what to call it."""
OF_EXAMPLES: Mapping[str, str] = MappingProxyType(
    {"long_chain": "long_chain", "jazidie_arm": "two_planar_arms", "jazidie_arm_6": "one_arm_by_a_point"}
)
"""Robots that are an example's first, by its name; every other has a file."""


@functools.cache
def packaged(name: str) -> dyn.Robot:
    """One of ``TITLES``: the same for everybody, since nothing of it can be changed."""
    return dyn.example(OF_EXAMPLES[name])[0].robots[0] if name in OF_EXAMPLES else dyn.load(name)
