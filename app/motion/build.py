"""The choices for an assembly: which robots, how they are held, where they stand, and the object with its shape."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Kind = Literal["single_arm", "multi_arm", "free_flyer"]
KINDS: tuple[Kind, ...] = ("single_arm", "multi_arm", "free_flyer")
"""Bolted down, several round an object, and floating: the kinds of a ``dynamics.System``."""
MOST_ARMS = 8
OWN = "own"  # Stands for the robot of the user's own file
EDGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "box": ("Length", "Width", "Height"),
        "sphere": ("Radius",),
        "cylinder": ("Radius", "Height"),
        "beam": ("Length", "Thickness"),
    }
)
"""Shapes of an object, and the dimensions of each, m."""
THINNEST, LONGEST = 0.01, 10.0  # Limits of an object's dimensions, m
LIGHTEST_THING, HEAVIEST = 0.001, 10_000.0  # Limits of an object's mass, kg: *Change* can exceed them
FARTHEST = 50.0  # Farthest place of a base to either side, m


@dataclass(frozen=True)
class Payload:
    """A homogeneous object."""

    shape: str = "box"  # one of ``EDGES``
    size: tuple[float, ...] = ()  # m, in the order of ``EDGES``; empty for one that fits the arms that hold it
    mass: float | None = None  # kg; None for one that the arms carry with ease


@dataclass(frozen=True)
class Base:
    """Where an arm stands."""

    x: float  # m, relative to the object's middle, as is y
    y: float
    yaw: float  # rad, about the vertical


@dataclass(frozen=True)
class Build:
    """A machine."""

    kind: Kind  # what holds its robots
    robots: tuple[str, ...]  # by name, one an arm; ``OWN`` for that of the user's own file
    payload: Payload = Payload()  # the held object, if any
    bases: tuple[Base, ...] | None = None  # one an arm; None for default places round the object

    @property
    def needs_file(self) -> bool:
        return OWN in self.robots

    def of_kind(self, kind: Kind) -> Build:
        """Its first robot as another kind; two robots where they hold an object."""
        return self if kind == self.kind else Build(kind, (self.robots[0],) * (2 if kind == "multi_arm" else 1))

    def with_arms(self, count: int) -> Build:
        """The current arms up to this number, and more like the last; all get new places round the object."""
        robots = (*self.robots, *[self.robots[-1]] * count)[:count]
        return self if robots == self.robots else replace(self, robots=robots, bases=None)

    def with_robot(self, arm: int, name: str) -> Build:
        robots = (*self.robots[:arm], name, *self.robots[arm + 1 :])
        return self if robots == self.robots else replace(self, robots=robots, bases=None)


TITLES: Mapping[str, str] = MappingProxyType({
    "puma560": "PUMA 560", "iiwa14": "KUKA iiwa 14", "panda": "Panda", "ur5e": "UR5e", "duaro_scara": "duAro SCARA",
    "stanford": "Stanford arm", "talos": "TALOS, waist up",
    "free_flyer": "Servicer's arm", "two_arm_flyer": "Servicer with two arms",
    "dual_arm_satellite": "Satellite with two arms", "solo12": "Solo 12",
    "planar_chain": "Planar chain of five links", "long_chain": "Planar chain of twelve links",
    "jazidie_arm": "Planar arm of three links", "jazidie_arm_6": "Planar arm of six links",
})  # fmt: skip
"""Every packaged robot with its title."""
OF_EXAMPLES: Mapping[str, str] = MappingProxyType(
    {"long_chain": "long_chain", "jazidie_arm": "two_planar_arms", "jazidie_arm_6": "one_arm_by_a_point"}
)
"""Robots that are the first of an example, with its name; every other has a file."""


@functools.cache
def packaged(name: str) -> dyn.Robot:
    """One of ``TITLES``, immutable and shared by all users."""
    return dyn.example(OF_EXAMPLES[name])[0].robots[0] if name in OF_EXAMPLES else dyn.load(name)


Array = NDArray[np.float64]
SHARE = {"box": (0.36, 0.36, 0.2), "sphere": (0.2,), "cylinder": (0.2, 0.24), "beam": (1.2, 0.12)}
"""Size of an object that fits an arm, relative to its reach, with room for eight hands."""
WEIGHT = 0.08  # Mass of an object that arms carry with ease, relative to their own
WEIGHTLESS = 1.0  # Mass of an object between arms that weigh nothing, kg


def fitting(payload: Payload, reach: float, arms_mass: float) -> tuple[Payload, float]:
    """The object with missing values replaced by round ones that suit the shortest arm's reach, m; and its mass, kg."""
    size = payload.size or tuple(_round(share * reach) for share in SHARE[payload.shape])
    mass = payload.mass or _round(WEIGHT * arms_mass) or WEIGHTLESS
    return Payload(payload.shape, size, mass), mass


def _round(value: float) -> float:
    return float(f"{value:.2g}")


def task_object(payload: Payload, mass: float) -> dyn.TaskObject:
    """The homogeneous body; a cylinder stands upright, a beam lies along x."""
    name = payload.shape
    if name in ("box", "beam"):
        return dyn.TaskObject.box(edges(payload), mass, name)
    radius = payload.size[0]
    if name == "sphere":
        return dyn.TaskObject(
            mass, np.eye(3) * 0.4 * mass * radius**2, (dyn.Geometry("sphere", (radius,), np.eye(4)),), name
        )
    height = payload.size[1]
    across = mass * (3.0 * radius**2 + height**2) / 12.0
    shape = dyn.Geometry("cylinder", (radius, height), np.eye(4))
    return dyn.TaskObject(mass, np.diag([across, across, 0.5 * mass * radius**2]), (shape,), name)


def edges(payload: Payload) -> tuple[float, float, float]:
    """Size of its bounding box along x, y and z, m."""
    if payload.shape == "box":
        x, y, z = payload.size
        return x, y, z
    if payload.shape == "beam":
        length, across = payload.size
        return length, across, across
    across = 2.0 * payload.size[0]
    return across, across, payload.size[1] if payload.shape == "cylinder" else across


def hands(payload: Payload, count: int) -> tuple[Array, Array]:
    """(count, 2) m, places evenly round the object, the first at -x, and (count, 2), the outward direction at each.

    On a square or round object they point away from its middle; along a beam, from its nearest center line.
    """
    x, y, _ = edges(payload)
    if payload.shape in ("sphere", "cylinder"):
        turns = math.pi + 2.0 * math.pi * np.arange(count) / count
        away = np.column_stack([np.cos(turns), np.sin(turns)])
        return 0.5 * x * away, away
    places = np.array([_on_outline(x, y, 2.0 * (x + y) * k / count) for k in range(count)])
    core = np.clip(places, -0.5 * np.maximum([x - y, y - x], 0.0), 0.5 * np.maximum([x - y, y - x], 0.0))
    away = places - core
    return places, away / np.linalg.norm(away, axis=1, keepdims=True)


def _on_outline(x: float, y: float, along: float) -> tuple[float, float]:
    """The place at a distance along a rectangle's outline from the middle of its side at -x, towards -y first."""
    corners = [(-x / 2, 0.0), (-x / 2, -y / 2), (x / 2, -y / 2), (x / 2, y / 2), (-x / 2, y / 2), (-x / 2, 0.0)]
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        side = abs(bx - ax) + abs(by - ay)
        if along <= side:
            return ax + (bx - ax) * along / side, ay + (by - ay) * along / side
        along -= side
    return corners[-1]


def is_inside(payload: Payload, points: Array) -> NDArray[np.bool_]:
    """Which of (m, 3) points in the object's axes are well inside it, not only at its surface."""
    half = 0.45 * np.array(edges(payload))
    if payload.shape == "sphere":
        return np.asarray(np.linalg.norm(points, axis=1) < half[0])
    if payload.shape == "cylinder":
        return np.asarray((np.hypot(points[:, 0], points[:, 1]) < half[0]) & (np.abs(points[:, 2]) < half[2]))
    return np.asarray((np.abs(points) < half).all(axis=1))
