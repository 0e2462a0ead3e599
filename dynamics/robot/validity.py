"""Whether a robot can exist and move: types, names, tree, joints, and an inertia behind every joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from dynamics.checks import Array, brief, choices, is_among
from dynamics.errors import ModelError
from dynamics.robot.model import MOST_LINKS, Joint, Link, Robot
from dynamics.robot.rigid_body import LARGEST, TOLERANCE, check_mass_properties, check_numbers, cross_matrix, displaced

ORTHONORMAL = 1e-9
IMMOBILE = 1e-14  # joint inertia relative to the inertia that the joint carries; anything less is rounding
GOLDEN_ANGLE = 2.399963229728653
SHAPES = {"center_of_mass": (3,), "inertia": (3, 3), "axis": (3,), "origin": (4, 4), "pose": (4, 4)}
_hints = cache(get_type_hints)


def check_parts(robot: Robot) -> None:
    """Refuse a robot whose parts have wrong types or do not fit together, whatever their masses."""
    title, n = f"robot {brief(robot.name)}", len(robot.links) if isinstance(robot.links, tuple) else 0
    check_kinds(robot, title)
    if len(robot.joints) != n or len(robot.inboard) != n or n > MOST_LINKS:
        raise ModelError(
            f"{title}: has {n} links, {len(robot.joints)} joints and {len(robot.inboard)} inboard indices; "
            f"expected as many of each, at most {MOST_LINKS}."
        )
    for link in (*robot.links, robot.root):
        if not np.isfinite(link.mass):
            raise ModelError(f"{title}, link {brief(link.name)}: mass is {link.mass}; expected a finite number.")
    for k, inner in enumerate(robot.inboard):
        if not k < inner <= n:
            raise ModelError(
                f"{title}, link {brief(robot.links[k].name)}: inboard index is {inner}; expected {k + 1}…{n}."
            )
    for tip in robot.tips:
        if not 0 <= tip.link <= n:
            raise ModelError(f"{title}: tip {brief(tip.name)} is on link {tip.link}; expected 0…{n}.")
    for frame in (frame for loop in robot.loops for frame in (loop.first, loop.second)):
        if not 0 <= frame.link <= n:
            raise ModelError(f"{title}: a loop's frame {brief(frame.name)} is on link {frame.link}; expected 0…{n}.")
    if not np.all(np.isfinite([numbers for _, *numbers in robot.couplings.values()])):
        raise ModelError(f"{title}: a joint follows another by numbers that are not finite. Correct them.")


def check_robot(robot: Robot) -> None:
    """Refuse a robot whose dynamics do not exist: a bad tree, name, body or joint, or a joint that moves no inertia."""
    check_parts(robot)
    title, n = f"robot {brief(robot.name)}", len(robot.links)
    if n == 0:
        raise ModelError(f"{title}: has no links; expected at least one.")
    for kind, names in (("link", [link.name for link in robot.links]), ("joint", list(robot.joint_names))):
        doubled = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < n else []
        if doubled:
            raise ModelError(f"{title}: {kind} name {brief(doubled[0])} is used twice; give each its own.")
    for link in (*robot.links, robot.root):
        check_numbers(link.body, f"{title}, link {brief(link.name)}")
    for joint in robot.joints:
        _check_joint(joint, f"{title}, joint {brief(joint.name)}")
    for loop in robot.loops:
        _check_rotation(loop.first.pose, f"{title}, loop {brief(loop.name)}: first frame's")
        _check_rotation(loop.second.pose, f"{title}, loop {brief(loop.name)}: second frame's")
        if loop.first.link == loop.second.link:
            raise ModelError(f"{title}: loop {brief(loop.name)} joins a link to itself. Name frames of two links.")
    for tip in robot.tips:
        if tip.link == n:
            raise ModelError(f"{title}: tip {brief(tip.name)} is on the root and cannot move; name a moving link.")
    unknown = sorted(set(robot.home) - set(robot.joint_names))
    if unknown:
        raise ModelError(f"{title}: home names {brief(unknown[0])}; expected joints: {choices(robot.joint_names)}.")
    for joint in robot.joints:
        value = robot.home.get(joint.name, 0.0)
        if joint.name in robot.home and not joint.lower <= value <= joint.upper:
            raise ModelError(
                f"{title}, joint {brief(joint.name)}: home is {value}; expected {joint.lower:g}…{joint.upper:g}."
            )
    for k in immobile_joints(robot)[:1]:
        joint, link = robot.joints[k], robot.links[k]
        sense = "about" if joint.kind == "revolute" else "along"
        raise ModelError(
            f"{title}, joint {brief(joint.name)}: moves no inertia {sense} its axis (link {brief(link.name)} has "
            f"mass {link.mass:g} kg, and nothing further out resists). Give that link mass and inertia, or lock it."
        )


def check_body(link: Link, title: str) -> None:
    """Refuse a link that no distribution of matter can be: for a caller's own numbers, not for a file's."""
    check_mass_properties(link.body, f"{title}, link {brief(link.name)}")


def check_as_read(robot: Robot) -> None:
    """Refuse an impossible robot; the error quotes the first remark on its file, which may be the reason."""
    try:
        check_robot(robot)
    except ModelError as fault:
        if robot.remarks:
            raise ModelError(f"{fault} A remark on its file: {robot.remarks[0]}.") from None
        raise


def _check_joint(joint: Joint, where: str) -> None:
    if joint.kind not in ("revolute", "prismatic"):
        raise ModelError(f"{where}: kind is {brief(joint.kind)}; expected 'revolute' or 'prismatic'.")
    axis, origin = np.asarray(joint.axis), np.asarray(joint.origin)
    if axis.shape != (3,) or not np.all(np.isfinite(axis)) or abs(axis @ axis - 1.0) > ORTHONORMAL:
        raise ModelError(f"{where}: axis is {brief(axis)}; expected a unit vector of three numbers.")
    if origin.shape != (4, 4) or not np.all(np.abs(origin) <= LARGEST):
        raise ModelError(f"{where}: origin is {brief(origin)}; expected a 4x4 pose of numbers up to {LARGEST:g}.")
    _check_rotation(origin, f"{where}: origin's")
    if not joint.lower <= joint.upper:
        raise ModelError(
            f"{where}: lower limit {joint.lower:g} is above upper limit {joint.upper:g}. Swap or correct them."
        )
    for label, value in (("velocity limit", joint.velocity), ("effort limit", joint.effort)):
        if not value >= 0.0:
            raise ModelError(f"{where}: {label} is {value:g}; expected zero or more. Correct it.")
    losses = (("damping", joint.damping), ("rotor inertia", joint.rotor_inertia))
    for label, value in (*losses, *(("friction", value) for value in joint.friction)):
        if not 0.0 <= value < np.inf:
            raise ModelError(f"{where}: {label} is {value:g}; expected a finite number, zero or more. Correct it.")


def _check_rotation(frame: Array, whose: str) -> None:
    rotation = frame[:3, :3]
    if np.max(np.abs(rotation @ rotation.T - np.eye(3))) > ORTHONORMAL or np.linalg.det(rotation) < 0.0:
        raise ModelError(f"{whose} rotation is {brief(rotation)}; expected an orthonormal, right-handed one.")


def immobile_joints(robot: Robot, at_rest: bool = False) -> tuple[int, ...]:
    """The joints that move no inertia, tip to base, each tested with those further out locked.

    It uses the textbook's block recursion of the articulated inertia, at a generic posture, where a joint inertia
    vanishes only if it does everywhere; or ``at_rest``, where more may vanish. An inertia that overflows, or is below
    zero, is refused.
    """
    title, n = f"robot {brief(robot.name)}", len(robot.links)
    carried, stiff = np.zeros((2, n + 1, 6, 6))  # the second with all joints locked: the scale of rounding
    found = []
    for k, (link, joint) in enumerate(zip(robot.links, robot.joints, strict=True)):
        with np.errstate(over="ignore", invalid="ignore"):
            p, m = cross_matrix(link.center_of_mass), link.mass
            own = np.block([[link.inertia - m * p @ p, m * p], [-m * p, m * np.eye(3)]])  # about the link's origin
            inertia, whole = own + carried[k], own + stiff[k]
            motion = np.zeros(6)
            motion[slice(0, 3) if joint.kind == "revolute" else slice(3, 6)] = joint.axis
            force = inertia @ motion
            joint_inertia = motion @ force + max(joint.rotor_inertia, 0.0)
        block = whole[:3, :3] if joint.kind == "revolute" else whole[3:, 3:]
        if not np.all(np.isfinite(inertia + whole)) or not np.isfinite(joint_inertia):
            raise ModelError(
                f"{title}, joint {brief(joint.name)}: the inertia that it carries overflows. "
                f"Check the units of masses and lengths from link {brief(link.name)} outward."
            )
        size = np.abs(np.diagonal(block)).sum()
        if joint_inertia < -TOLERANCE * size:
            raise ModelError(
                f"{title}, joint {brief(joint.name)}: the inertia that it moves is {joint_inertia:.3g}; expected one "
                f"above zero. Correct the inertia of link {brief(link.name)} and of those further out."
            )
        if joint_inertia <= IMMOBILE * size:
            found.append(k)
        else:
            inertia = inertia - np.outer(force, force) / joint_inertia
        generic = (0.1 if joint.kind == "prismatic" else 1.0) * (0.4 + (GOLDEN_ANGLE * (k + 1)) % 2.0)
        pose = joint.origin @ displaced(joint.kind, joint.axis, joint.rest if at_rest else generic)
        turn = pose[:3, :3]
        to_inboard = np.block([[turn, cross_matrix(pose[:3, 3]) @ turn], [np.zeros((3, 3)), turn]])  # of forces
        with np.errstate(over="ignore", invalid="ignore"):
            carried[robot.inboard[k]] += to_inboard @ inertia @ to_inboard.T
            stiff[robot.inboard[k]] += to_inboard @ whole @ to_inboard.T
    return tuple(found)


def check_kinds(record: object, where: str) -> None:
    """Refuse a record if it, or anything within it, holds a wrong type, such as text for a number."""
    for place, value, expected in _misfits(record, type(record), ""):
        raise ModelError(f"{where}: {place} is {brief(value)}; expected {_in_words(expected)}.")


def _in_words(hint: Any) -> str:
    if get_origin(hint) is Literal:
        fixed = " (a link whose joint is locked is a frame: Robot.locked)" if "revolute" in get_args(hint) else ""
        return f"one of {', '.join(get_args(hint))}{fixed}"
    if get_origin(hint) is np.ndarray:
        return "an array of finite numbers"
    if isinstance(hint, str):
        return hint
    return {float: "a number", int: "a whole number", str: "text"}.get(hint, f"a {getattr(hint, '__name__', hint)}")


def _misfits(value: Any, hint: Any, place: str) -> Iterator[tuple[str, object, Any]]:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple and isinstance(value, tuple):
        kinds = [parts[0]] * len(value) if parts[-1] is Ellipsis else parts
        if len(kinds) != len(value):
            yield place, value, hint
        for k, (each, kind) in enumerate(zip(value, kinds, strict=False)):
            yield from _misfits(each, kind, f"{place}[{k}]")
    elif origin is Mapping and isinstance(value, Mapping):
        for key, each in value.items():
            yield from _misfits(each, parts[1], f"{place}[{brief(key)}]")
    elif is_dataclass(hint) and isinstance(value, hint):  # type: ignore[arg-type]
        for name, kind in _hints(hint).items():  # type: ignore[arg-type]
            held = getattr(value, name)
            if name in SHAPES and np.shape(held) != SHAPES[name]:
                yield f"{place}.{name}".lstrip("."), held, f"an array of shape {SHAPES[name]}"
            yield from _misfits(held, kind, f"{place}.{name}".lstrip("."))
    elif not _is_plain(value, hint, origin, parts):
        yield place, value, hint


def _is_plain(value: Any, hint: Any, origin: Any, parts: tuple[Any, ...]) -> bool:
    if origin is Literal:
        return is_among(value, parts)
    if origin is UnionType:
        return any(next(_misfits(value, part, ""), None) is None for part in parts)
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype.kind == "f" and bool(np.isfinite(value).all())
    if hint in (float, int):
        return isinstance(value, hint | int | np.floating | np.integer) and not isinstance(value, bool | np.timedelta64)
    return origin is None and isinstance(value, hint)
