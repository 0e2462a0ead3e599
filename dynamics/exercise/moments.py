"""Moments of other machines, drawn at random: everything moves, nothing is aligned, no term of the text is zero.

A typed line is compared with the published one here as well: a line that agrees only by coincidence at the live moment,
for example at rest or without a rotor, does not agree everywhere.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array
from dynamics.exercise.places import Place, part_with, places_of
from dynamics.reading.moment import read_textbook
from dynamics.reading.reading import Reading
from dynamics.robot.model import Frame, Joint, Link, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.system.assembly import free_flyer, multi_arm, single_arm
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.grasp import grasp
from dynamics.system.state import State
from dynamics.system.system import System

GRAVITY = (0.7, -1.9, -9.2)
TREE = (1, 4, 3, 4, 6, 6, 7)
"""Links 0 and 2 are tips, 5 a third; 3 links meet at link 4 and, with another branch, at link 6."""
CHAIN = (1, 2, 3, 4)
MOST_PLACES = 6
"""The most places of a line at one moment."""
SEED = 1987


def _robot(rng: np.random.Generator, name: str, inboard: tuple[int, ...]) -> Robot:
    """A tree of links of a few kilograms and decimetres; every third joint slides."""

    def link(name: str) -> Link:
        return Link(name, float(rng.uniform(1.0, 3.0)), rng.normal(size=3) * 0.2, _inertia(rng, 0.2))

    def joint(k: int) -> Joint:
        axis, origin = rng.normal(size=3), _pose(rng, 0.4)
        return Joint(
            f"joint_{k}", "prismatic" if k % 3 == 1 else "revolute", axis / np.linalg.norm(axis), origin,
            damping=float(rng.uniform(0.1, 0.5)), friction=(0.2, 0.3), rotor_inertia=float(rng.uniform(0.1, 0.4)),
        )  # fmt: skip

    numbers = range(len(inboard))
    tips = tuple(Frame(f"tip_{k}", k, _pose(rng, 0.2)) for k in numbers if k not in inboard)
    links, joints = tuple(link(f"link_{k}") for k in numbers), tuple(map(joint, numbers))
    return Robot(name, links, joints, inboard, link("base"), tips)


def _inertia(rng: np.random.Generator, size: float) -> Array:
    """The inertia of a cloud of points."""
    points = rng.normal(size=(3, 5)) * size
    spread = points @ points.T
    return np.asarray(np.trace(spread) * np.eye(3) - spread)


def _pose(rng: np.random.Generator, reach: float) -> Array:
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    pose[:3, 3] = rng.normal(size=3) * reach
    return pose


def _read(rng: np.random.Generator, system: System, at: State | None = None) -> Reading:
    """The reading of a moment at which everything moves."""
    given: dict[str, Any] = {
        "q": rng.normal(size=system.n_joints) if at is None else at.q,
        "qd": rng.normal(size=system.n_joints),
    }
    if system.kind == "free_flyer":
        given |= {"base_pose": _pose(rng, 1.0), "base_velocity": rng.normal(size=6)}
    if at is not None and at.object_pose is not None:
        given |= {"object_pose": at.object_pose, "object_velocity": rng.normal(size=6)}
    wrench = 5.0 * rng.normal(size=(system.n_links + 1, 6))
    if system.task_object is None:
        wrench[-1] = 0.0
    return read_textbook(system, system.state(**given), 5.0 * rng.normal(size=system.n_joints), wrench)


@functools.cache
def moments() -> tuple[Reading, ...]:
    """Moments of a tree, of a tree in flight, and two of a tree and a chain that hold an object together."""
    rng = np.random.default_rng(SEED)
    tree, chain = _robot(rng, "tree", TREE), _robot(rng, "chain", CHAIN)
    return (
        _read(rng, single_arm(tree, gravity=GRAVITY)),
        _read(rng, free_flyer(tree, gravity=GRAVITY)),
        _holding(rng, tree, chain, ("rigid", "rigid", "point", "rigid")),
        _holding(rng, tree, chain, ("point", None, None, "rigid")),
    )


def _holding(rng: np.random.Generator, tree: Robot, chain: Robot, contacts: tuple[str | None, ...]) -> Reading:
    bases = [_pose(rng, 1.0), _pose(rng, 1.0)]
    system = multi_arm([tree, chain], bases, TaskObject(3.0, _inertia(rng, 0.3), (), "thing"), gravity=GRAVITY)
    q, middle = rng.normal(size=system.n_joints), np.eye(4)
    middle[:3, 3] = forward_kinematics(system, system.state(q=q)).tip_pose[:, :3, 3].mean(axis=0)
    state = system.state(q=q, object_pose=middle)
    return _read(rng, grasp(system, state, contacts), state)


@functools.cache
def places_elsewhere(key: str) -> tuple[Place, ...]:
    """Some of the places where a line runs at these moments."""
    found: list[Place] = []
    for reading in moments():
        if part_with(reading.system, key) is not None:
            places = places_of(reading, key)
            chosen = np.linspace(0, len(places) - 1, min(len(places), MOST_PLACES)).round().astype(int)
            found += [places[at] for at in sorted(set(chosen.tolist()))]
    return tuple(found)
