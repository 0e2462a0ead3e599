"""Changes a robot's joint: its origin, axis and kind, its stops, rotor and losses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, numbers, pose, real_array, text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Joint, Robot, index_of, led_among
from dynamics.robot.poses import without_rounding
from dynamics.robot.validity import check_parts, check_robot

SHORTEST = 1e-9
"""A vector shorter than this is not a direction."""


@public
def with_joint(
    robot: Robot,
    joint: str,
    *,
    name: str | None = None,
    kind: Literal["revolute", "prismatic"] | None = None,
    axis: ArrayLike | None = None,
    origin: ArrayLike | None = None,
    lower: float | None = None,
    upper: float | None = None,
    velocity: float | None = None,
    effort: float | None = None,
    damping: float | None = None,
    friction: ArrayLike | None = None,
    rotor_inertia: float | None = None,
) -> Robot:
    """The same robot with one joint changed; properties that are not given stay.

    Args:
        robot: any robot; it is not modified.
        joint: the joint's name.
        name: a new name for it.
        kind: ``revolute`` or ``prismatic``.
        axis: (3,), a direction in the axes of the joint's link; it is normalized.
        origin: (4, 4), inboard link <- joint at zero displacement; the next joint's origin contains a link's length.
        lower: the smallest displacement, rad or m; minus infinity for none.
        upper: the largest displacement; infinity for none.
        velocity: the highest speed, rad/s or m/s; infinity for none.
        effort: the largest torque or force, N m or N; infinity for none.
        damping: N m s/rad or N s/m.
        friction: in both directions, N m or N, or (2,) against motion in the negative and the positive direction.
        rotor_inertia: kg m^2 or kg, seen at the joint.

    Returns:
        A new robot. A home posture outside the new limits moves to the nearer limit.

    Raises:
        ModelError: for an unknown joint, or a new name that is taken; for malformed or impossible numbers; for a
            joint that would move no inertia.

    Cost: linear in the links, about 50 us each.
    """
    check_parts(robot)
    title = f"robot {brief(robot.name)}"
    at, where = index_of(joint, robot.joint_names, "joint", title), f"{title}, joint {brief(joint)}"
    changes: dict[str, Any] = {
        "kind": kind,
        "name": None if name is None else text(name, f"{where}: name", ModelError),
        "axis": None if axis is None else direction(axis, f"{where}: axis"),
        "origin": None if origin is None else pose(origin, f"{where}: origin", ModelError),
        "friction": None if friction is None else _both_ways(friction, f"{where}: friction"),
    }
    numbers_given = {
        "lower": lower, "upper": upper, "velocity": velocity, "effort": effort, "damping": damping,
        "rotor_inertia": rotor_inertia,
    }  # fmt: skip
    for key, value in numbers_given.items():
        changes[key] = None if value is None else _one(value, f"{where}: {key.replace('_', ' ')}")
    changed = replace(robot.joints[at], **{key: value for key, value in changes.items() if value is not None})
    names = {each: each for each in robot.joint_names} | {joint: changed.name}
    joints = (led_among(each, names) for each in (*robot.joints[:at], changed, *robot.joints[at + 1 :]))
    made = replace(robot, joints=tuple(joints), home=_home(robot, at, changed))
    check_robot(made)
    return made


def direction(value: ArrayLike, where: str) -> Array:
    """(3,), a unit vector; a vector without a direction is refused."""
    given = numbers(value, (3,), where, ModelError)
    length = float(np.linalg.norm(given))
    if not SHORTEST <= length < np.inf:
        raise ModelError(f"{where} is {brief(given.tolist())}; expected a direction. Give a nonzero vector.")
    return given if length == 1.0 else without_rounding(given / length)


def _one(value: object, where: str) -> float:
    """A number, which may be infinite for no limit."""
    found = real_array(value, "a number", where, ModelError)  # type: ignore[arg-type]
    if found.shape != () or np.isnan(found):
        raise ModelError(f"{where} is {brief(value)}; expected a number.")
    return float(found)


def _both_ways(value: ArrayLike, where: str) -> tuple[float, float]:
    given = real_array(value, "one number, or two", where, ModelError)
    back, forth = numbers(np.broadcast_to(given, (2,)) if given.shape == () else given, (2,), where, ModelError)
    return float(back), float(forth)


def _home(robot: Robot, at: int, joint: Joint) -> dict[str, float]:
    """The home posture with the joint's new name and within its limits."""
    old = robot.joints[at].name
    home = {joint.name if name == old else name: value for name, value in robot.home.items()}
    if joint.name in home:
        home[joint.name] = float(np.clip(home[joint.name], joint.lower, joint.upper))
    return home
