"""Objects to be held: a box, a sphere, a cylinder or a beam, and where on it hands take hold."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.assembly.build import Thing

Array = NDArray[np.float64]
SHARE = {"box": (0.36, 0.36, 0.2), "sphere": (0.2,), "cylinder": (0.2, 0.24), "beam": (1.2, 0.12)}
"""Of an arm's reach: an object that fits it, with room for eight hands."""
WEIGHT = 0.08
"""Of the arms' own mass: an object that they carry with ease."""
WEIGHTLESS = 1.0
"""kg, between arms that weigh nothing."""


def fitting(thing: Thing, reach: float, arms_mass: float) -> tuple[Thing, float]:
    """The object with what is not said of it such as suits arms, in round numbers; and its mass, kg.

    Args:
        reach: m, of the shortest.
        arms_mass: kg, of all together.
    """
    size = thing.size or tuple(_round(share * reach) for share in SHARE[thing.shape])
    mass = thing.mass or _round(WEIGHT * arms_mass) or WEIGHTLESS
    return Thing(thing.shape, size, mass), mass


def _round(value: float) -> float:
    """To two digits."""
    return float(f"{value:.2g}")


def task_object(thing: Thing, mass: float) -> dyn.TaskObject:
    """The body, of one stuff throughout; a cylinder stands upright, a beam lies along x.

    Raises:
        ModelError: for sizes or a mass that cannot be.
    """
    name = thing.shape
    if name in ("box", "beam"):
        return dyn.TaskObject.box(edges(thing), mass, name)
    radius = thing.size[0]
    if name == "sphere":
        return dyn.TaskObject(
            mass, np.eye(3) * 0.4 * mass * radius**2, (dyn.Geometry("sphere", (radius,), np.eye(4)),), name
        )
    height = thing.size[1]
    across = mass * (3.0 * radius**2 + height**2) / 12.0
    shape = dyn.Geometry("cylinder", (radius, height), np.eye(4))
    return dyn.TaskObject(mass, np.diag([across, across, 0.5 * mass * radius**2]), (shape,), name)


def edges(thing: Thing) -> tuple[float, float, float]:
    """m along x, y and z, of what it just fits into."""
    if thing.shape == "box":
        x, y, z = thing.size
        return x, y, z
    if thing.shape == "beam":
        length, across = thing.size
        return length, across, across
    across = 2.0 * thing.size[0]
    return across, across, thing.size[1] if thing.shape == "cylinder" else across


def hands(thing: Thing, count: int) -> tuple[Array, Array]:
    """Places evenly round the object at half its height, the first at -x, and where each looks away from it.

    Returns:
        (count, 2) m and (count, 2) unit vectors, both level, in the object's axes. Round a square or round object
        they look away from its middle; along a beam, from the middle's nearest part.
    """
    x, y, _ = edges(thing)
    if thing.shape in ("sphere", "cylinder"):
        turns = math.pi + 2.0 * math.pi * np.arange(count) / count
        away = np.column_stack([np.cos(turns), np.sin(turns)])
        return 0.5 * x * away, away
    places = np.array([_on_outline(x, y, 2.0 * (x + y) * k / count) for k in range(count)])
    core = np.clip(places, -0.5 * np.maximum([x - y, y - x], 0.0), 0.5 * np.maximum([x - y, y - x], 0.0))
    away = places - core
    return places, away / np.linalg.norm(away, axis=1, keepdims=True)


def _on_outline(x: float, y: float, along: float) -> tuple[float, float]:
    """The place so far along a rectangle's outline from the middle of its side at -x, towards -y first."""
    corners = [(-x / 2, 0.0), (-x / 2, -y / 2), (x / 2, -y / 2), (x / 2, y / 2), (-x / 2, y / 2), (-x / 2, 0.0)]
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        side = abs(bx - ax) + abs(by - ay)
        if along <= side:
            return ax + (bx - ax) * along / side, ay + (by - ay) * along / side
        along -= side
    return corners[-1]


def is_inside(thing: Thing, points: Array) -> NDArray[np.bool_]:
    """Which of (m, 3) points in the object's axes are well within it, not only at its surface."""
    half = 0.45 * np.array(edges(thing))
    if thing.shape == "sphere":
        return np.asarray(np.linalg.norm(points, axis=1) < half[0])
    if thing.shape == "cylinder":
        return np.asarray((np.hypot(points[:, 0], points[:, 1]) < half[0]) & (np.abs(points[:, 2]) < half[2]))
    return np.asarray((np.abs(points) < half).all(axis=1))
