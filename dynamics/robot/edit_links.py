"""Changes a robot's joint, adds a link or a loop, or removes a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, choices, is_among, numbers, pose, real_array, text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import HELD_TURNS, Frame, Joint, Link, Loop, Robot, index_of, led_among, with_moved_frames
from dynamics.robot.rigid_body import moved_by, onto_z, without_rounding
from dynamics.robot.validity import check_body, check_kinds, check_parts, check_robot

Place = str | tuple[str, ArrayLike]
"""The name of a frame; or a name and a point, (3,) m, or a pose, (4, 4), in that frame."""
SHORTEST = 1e-9
"""A vector shorter than this is not a direction."""
OUTBOARD = ("join", "remove")


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
        "axis": None if axis is None else _direction(axis, f"{where}: axis"),
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


def _direction(value: ArrayLike, where: str) -> Array:
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


@public
def with_loop(
    robot: Robot,
    first: Place,
    second: Place,
    kind: Literal["hinge", "point", "rigid"] = "hinge",
    axis: ArrayLike = (0.0, 0.0, 1.0),
) -> Robot:
    """The same robot with two of its places connected, which turns a chain of three bars into a four-bar linkage.

    The connection is exact, like a joint: see ``Solution.coupling_torque`` and ``project``.

    Args:
        robot: any robot; it is not modified.
        first: a place on one link: the name of a link or frame; or a name and a point, (3,) m, or a pose, (4, 4), in
            its axes.
        second: a place on another link, or on the root.
        kind: ``hinge`` (both turn about an axis that they share: five forces and moments), ``point`` (they share a
            point: three forces) or ``rigid`` (six).
        axis: (3,), the axis of a hinge, in the axes of either place.

    Returns:
        A new robot. Not every posture closes the loop: ``project`` finds a nearby one that does.

    Raises:
        ModelError: for an unknown link or frame, an unknown kind, places on the same link, or malformed numbers.

    Cost: linear in the links, about 50 us each.
    """
    check_parts(robot)
    title = f"robot {brief(robot.name)}"
    if not is_among(kind, HELD_TURNS):
        raise ModelError(f"{title}: kind is {brief(kind)}; a loop's is one of {choices(HELD_TURNS)}.")
    onto_axis = np.eye(4)
    onto_axis[:3, :3] = onto_z(_direction(axis, f"{title}: axis"))
    ends = (_frame(robot, place, f"{title}: {word}") for place, word in ((first, "first"), (second, "second")))
    ends = (replace(end, pose=end.pose @ onto_axis) for end in ends)
    made = replace(robot, loops=(*robot.loops, Loop(kind, *ends)))
    check_robot(made)
    return made


def _frame(robot: Robot, place: Place, where: str) -> Frame:
    known = {link.name: Frame(link.name, k, np.eye(4)) for k, link in enumerate((*robot.links, robot.root))}
    known |= robot.frames
    name, inside = place if isinstance(place, tuple) and len(place) == 2 else (place, np.eye(4))
    if not is_among(name, known):
        raise ModelError(f"{where} is {brief(name)}; expected a link or frame, one of {choices(known)}.")
    at = real_array(inside, "a point or a pose", where, ModelError)
    own: Array = pose(at, where, ModelError) if at.ndim == 2 else moved_by(numbers(at, (3,), where, ModelError))
    return replace(known[str(name)], pose=known[str(name)].pose @ own)


@public
def with_link(robot: Robot, inboard: str, link: Link, joint: Joint, tip: ArrayLike | None = None) -> Robot:
    """The same robot with one more link at its end, or a branch that begins at any of its links.

    Args:
        robot: any robot; it is not modified.
        inboard: the name of the link that carries the new one, or of the root.
        link: the new link, in its own axes; since it is outermost, it needs mass and inertia.
        joint: the joint between the two; its origin is a pose, inboard link <- joint.
        tip: (4, 4), new link <- its tool point; by default the new link's origin.

    Returns:
        A new robot. If the link that carries the new one was outermost, the new link's tool point replaces its tool
        point; otherwise it is an additional one.

    Raises:
        ModelError: for an unknown inboard link, a name that another link, frame or joint has, or an impossible body
            or joint.

    Cost: linear in the links, about 50 us each.
    """
    check_parts(robot)
    title = f"robot {brief(robot.name)}"
    names = [one.name for one in (*robot.links, robot.root)]
    at = index_of(inboard, names, "link", title)
    for record, where in ((link, "the new link"), (joint, "its joint")):
        check_kinds(record, f"{title}, {where}")
    check_body(link, title)
    if link.name in (*names, *robot.frames):
        raise ModelError(f"{title}: the name {brief(link.name)} belongs to a link or frame. Give the new link its own.")
    # The new link comes just before the link that carries it, in the order in which a file of them would be read.
    place = [k + (k >= at) for k in range(len(names))]
    was_outermost = at < len(robot.links) and at not in robot.inboard
    tips = [replace(one, link=place[one.link]) for one in robot.tips if not (was_outermost and one.link == at)]
    own = Frame(link.name, at, np.eye(4))
    point = own
    if tip is not None:
        point = Frame(f"{link.name}_tip", at, pose(tip, f"{title}, the new link: tip", ModelError))
    if point.name in (*names, *robot.frames):
        raise ModelError(
            f"{title}: the name {brief(point.name)} belongs to a link or frame. Give the new link another."
        )
    made = replace(
        robot,
        links=(*robot.links[:at], link, *robot.links[at:]),
        joints=(*robot.joints[:at], joint, *robot.joints[at:]),
        inboard=tuple(place[k] for k in (*robot.inboard[:at], at, *robot.inboard[at:])),
        tips=_in_order([*tips, point]),
        frames={name: replace(frame, link=place[frame.link]) for name, frame in robot.frames.items()}
        | {own.name: own, point.name: point},
        loops=with_moved_frames(robot.loops, lambda frame: replace(frame, link=place[frame.link])),
    )
    check_robot(made)
    return made


@public
def without_link(robot: Robot, link: str, outboard: Literal["join", "remove"] = "join") -> Robot:
    """The same robot without one of its links, its joint, and the frames that it carries.

    Args:
        robot: any robot; it is not modified.
        link: the name of a moving link.
        outboard: what happens to the links that it carries: ``join`` attaches them to its inboard neighbor, where
            they are while its joint is at zero; ``remove`` removes them too.

    Returns:
        A new robot. If the inboard neighbor becomes outermost, it carries the tool point at the removed joint's origin.

    Raises:
        ModelError: for an unknown moving link, the last link, or a robot that is invalid without it.

    Cost: linear in the links, about 50 us each.
    """
    check_parts(robot)
    title, names = f"robot {brief(robot.name)}", [one.name for one in robot.links]
    if not is_among(link, names):
        raise ModelError(f"{title}: there is no moving link {brief(link)}; they are {choices(names)}.")
    if not is_among(outboard, OUTBOARD):
        raise ModelError(f"{title}: outboard is {brief(outboard)}; expected one of {choices(OUTBOARD)}.")
    at = names.index(link)
    gone = {at}
    if outboard == "remove":
        for k in range(at - 1, -1, -1):
            if robot.inboard[k] in gone:
                gone.add(k)
    stay = [k for k in range(len(names)) if k not in gone]
    if not stay:
        raise ModelError(f"{title}: without link {brief(link)} nothing moves. Add another link first.")
    place = {k: number for number, k in enumerate([*stay, len(names)])}
    inner, step = robot.inboard[at], robot.joints[at].origin
    names_of_joints = {robot.joints[k].name: robot.joints[k].name for k in stay}
    joints = {k: led_among(robot.joints[k], names_of_joints) for k in stay}
    loops = [loop for loop in robot.loops if not {loop.first.link, loop.second.link} & gone]
    made = replace(
        robot,
        links=tuple(robot.links[k] for k in stay),
        joints=tuple(_carried(joints[k], step if robot.inboard[k] == at else None) for k in stay),
        inboard=tuple(place[inner if robot.inboard[k] == at else robot.inboard[k]] for k in stay),
        tips=_tips_without(robot, at, gone, place),
        frames={},
        home={name: value for name, value in robot.home.items() if name in names_of_joints},
        loops=with_moved_frames(loops, lambda frame: replace(frame, link=place[frame.link])),
    )
    kept = {name: replace(f, link=place[f.link]) for name, f in robot.frames.items() if f.link not in gone}
    made = replace(made, frames=kept | {tip.name: tip for tip in made.tips if tip.name not in kept})
    check_robot(made)
    return made


def _carried(joint: Joint, step: Array | None) -> Joint:
    return joint if step is None else replace(joint, origin=step @ joint.origin)


def _tips_without(robot: Robot, at: int, gone: set[int], place: dict[int, int]) -> tuple[Frame, ...]:
    """The tool points of the links that stay; one at the removed joint if its inboard neighbor is now outermost."""
    tips = [replace(tip, link=place[tip.link]) for tip in robot.tips if tip.link not in gone]
    inner = robot.inboard[at]
    carries = any(k not in gone and robot.inboard[k] in (inner, at) for k in range(len(robot.links)))
    lost = next((tip for tip in robot.tips if tip.link in gone), None)
    if lost is not None and not carries and inner < len(robot.links):
        names = {one.name for k, one in enumerate(robot.links) if k not in gone}
        name = lost.name if lost.name not in names else f"{lost.name}_tip"
        tips.append(Frame(name, place[inner], robot.joints[at].origin))
    first = next(k for k in place if place[k] == 0)
    return _in_order(tips or [Frame(robot.links[first].name, 0, np.eye(4))])


def _in_order(tips: Sequence[Frame]) -> tuple[Frame, ...]:
    return tuple(sorted(tips, key=lambda tip: tip.link))
