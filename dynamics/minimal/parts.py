"""All of a case that can be made simpler, number by number, and the simpler cases that come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.minimal.case import Case
from dynamics.minimal.rounder import (
    simpler_axes,
    simpler_inertias,
    simpler_masses,
    simpler_numbers,
    simpler_rotations,
)
from dynamics.robot.model import Joint, Link
from dynamics.robot.task_object import TaskObject

Simpler = Callable[[Array], Iterator[Array]]


@dataclass(frozen=True, eq=False)
class Part:
    """Something of a case that can be read, and put in its place.

    Attributes:
        kind: what it is.
        get: its value in a case.
        put: the case with another.
        simpler: what is simpler than a value.
    """

    kind: str
    get: Callable[[Case], Array]
    put: Callable[[Case, Array], Case]
    simpler: Simpler

    def simpler_cases(self, case: Case) -> Iterator[Case]:
        """The case with less in this place, the simplest first."""
        for value in self.simpler(self.get(case)):
            yield self.put(case, value)


def parts_of(case: Case) -> list[list[Part]]:
    """All of them, those of a kind together: of the moment, of joints, of bodies, of bases and of the object."""
    joints, links = range(len(case.q)), range(len(case.pushes))
    found = [[_field("gravity", simpler_numbers)]]
    found += [[_row(name, k) for k in joints] for name in ("qd", "tau", "q")]
    found += [[_row("pushes", k) for k in links]]
    found += [[_joint(name, simpler_numbers, k) for k in joints] for name in ("damping", "friction", "rotor_inertia")]
    found += [[Part("base pose", partial(_base, arm), partial(_rebased, arm), _simpler_lever)
               for arm in range(len(case.robots))]]  # fmt: skip
    found += [[Part("base axes", partial(_base, arm), partial(_rebased, arm), _simpler_turn)
               for arm in range(len(case.robots))]]  # fmt: skip
    found += [[_row("base_velocities", arm) for arm in range(len(case.robots)) if case.floating[arm]]]
    found += [[_joint("kind", _turning, k) for k in joints]]
    found += [[_joint("origin", _simpler_turn, k) for k in joints], [_joint("axis", simpler_axes, k) for k in joints]]
    found += [[_joint("origin", _simpler_lever, k) for k in joints]]
    for name, rule in (("mass", simpler_masses), ("center_of_mass", simpler_numbers), ("inertia", simpler_inertias)):
        found.append([_link(name, rule, k) for k in links])
    tips = [(arm, at) for arm, robot in enumerate(case.robots) for at in range(len(robot.tips))]
    found += [[_tip(simpler, *place) for place in tips] for simpler in (_simpler_turn, _simpler_lever)]
    if case.thing is not None:
        found += [[_field("object_velocity", simpler_numbers)], [_row("object_push", slice(None))]]
        found += [[_field("object_pose", _simpler_turn)], [_field("object_pose", _simpler_lever)]]
        found += [[_thing("mass", simpler_masses)], [_thing("inertia", simpler_inertias)]]
    return found


def _field(name: str, simpler: Simpler) -> Part:
    def put(case: Case, value: Array) -> Case:
        return replace(case, **{name: value})  # type: ignore[arg-type]

    return Part(name, lambda case: getattr(case, name), put, simpler)


def _row(name: str, at: int | slice) -> Part:
    def put(case: Case, value: Array) -> Case:
        rows = np.array(getattr(case, name))
        rows[at] = value
        return replace(case, **{name: rows})  # type: ignore[arg-type]

    return Part(name, lambda case: np.asarray(getattr(case, name)[at]), put, simpler_numbers)


def _joint(name: str, simpler: Simpler, k: int) -> Part:
    def get(case: Case) -> Array:
        arm, at = case.place(k)
        return np.asarray(getattr(case.robots[arm].joints[at], name))

    def put(case: Case, value: Array) -> Case:
        arm, at = case.place(k)
        robot = case.robots[arm]
        plain: Any = value if value.ndim and name != "friction" else value.tolist()
        changes: dict[str, Any] = {name: tuple(plain) if name == "friction" else plain}
        joint: Joint = replace(robot.joints[at], **changes)
        joints = (*robot.joints[:at], joint, *robot.joints[at + 1 :])
        return _with_robot(case, arm, joints=joints)

    return Part(name, get, put, simpler)


def _link(name: str, simpler: Simpler, k: int) -> Part:
    def body(case: Case) -> tuple[int, int, Link]:
        if k < len(case.q):
            arm, at = case.place(k)
            return arm, at, case.robots[arm].links[at]
        floating = [arm for arm, floats in enumerate(case.floating) if floats]
        arm = floating[k - len(case.q)]
        return arm, -1, case.robots[arm].root

    def get(case: Case) -> Array:
        return np.asarray(getattr(body(case)[2], name))

    def put(case: Case, value: Array) -> Case:
        arm, at, old = body(case)
        link: Link = replace(old, **{name: value if value.ndim else float(value)})  # type: ignore[arg-type]
        if at < 0:
            return _with_robot(case, arm, root=link)
        links = case.robots[arm].links
        return _with_robot(case, arm, links=(*links[:at], link, *links[at + 1 :]))

    return Part(name, get, put, simpler)


def _tip(simpler: Simpler, arm: int, at: int) -> Part:
    def put(case: Case, pose: Array) -> Case:
        tips = case.robots[arm].tips
        return _with_robot(case, arm, tips=(*tips[:at], replace(tips[at], pose=pose), *tips[at + 1 :]))

    return Part("tip", lambda case: np.asarray(case.robots[arm].tips[at].pose), put, simpler)


def _thing(name: str, simpler: Simpler) -> Part:
    def put(case: Case, value: Array) -> Case:
        thing = case.thing
        assert thing is not None
        own: dict[str, Any] = {
            "mass": thing.mass,
            "inertia": thing.inertia,
            name: value if value.ndim else float(value),
        }
        return replace(case, thing=TaskObject(**own, geometry=thing.geometry, name=thing.name))

    return Part(f"object's {name}", lambda case: np.asarray(getattr(case.thing, name)), put, simpler)


def _with_robot(case: Case, arm: int, **changes: Any) -> Case:
    robots = list(case.robots)
    robots[arm] = replace(robots[arm], **changes)
    return replace(case, robots=tuple(robots))


def _base(arm: int, case: Case) -> Array:
    return np.asarray(case.base_poses[arm])


def _rebased(arm: int, case: Case, pose: Array) -> Case:
    poses = case.base_poses.copy()
    poses[arm] = pose
    return replace(case, base_poses=poses)


def _turning(kind: Array) -> Iterator[Array]:
    """A joint that slides may turn instead."""
    if str(kind) == "prismatic":
        yield np.asarray("revolute")


def _simpler_turn(pose: Array) -> Iterator[Array]:
    for turn in simpler_rotations(pose[:3, :3]):
        yield _posed(turn, pose[:3, 3])


def _simpler_lever(pose: Array) -> Iterator[Array]:
    for lever in simpler_numbers(pose[:3, 3]):
        yield _posed(pose[:3, :3], lever)


def _posed(turn: Array, point: Array) -> Array:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, point
    return pose
