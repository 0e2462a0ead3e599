"""Assembling robots into a system, bolted down or floating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, flag, listed, numbers, pose
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Frame, Joint, Link, Loop, Robot, joints_in_limits, with_moved_frames
from dynamics.robot.task_object import TaskObject
from dynamics.robot.validity import check_parts
from dynamics.system import link_tables
from dynamics.system.system import Contact, Kind, System, Tip
from dynamics.system.tables import Tables

EARTH_GRAVITY = (0.0, 0.0, -9.81)


@public
def single_arm(robot: Robot, gravity: ArrayLike = EARTH_GRAVITY, base_pose: ArrayLike | None = None) -> System:
    """One robot, its root bolted to the world.

    Args:
        robot: a chain or a tree.
        gravity: (3,), m/s^2, inertial axes.
        base_pose: (4, 4), world <- root link; default the origin.

    Returns:
        A system of kind ``single_arm``.

    Raises:
        ModelError: for a robot without a moving joint, an invalid pose, or numbers that are not finite.

    Example:
        >>> dyn.single_arm(dyn.load("ur5e"), gravity=(0, 0, -1.62))
        System(single_arm, 'ur5e', 6 joints, gravity=[ 0.  ,  0.  , -1.62])

    Cost: linear in the links.
    """
    poses = None if base_pose is None else [base_pose]
    return _assemble("single_arm", [robot], (False,), poses, None, gravity, ())


@public
def free_flyer(robot: Robot, gravity: ArrayLike = (0.0, 0.0, 0.0)) -> System:
    """One robot whose root link floats with six freedoms; by default without gravity.

    Args:
        robot: a chain or a tree.
        gravity: (3,), m/s^2, inertial axes.

    Returns:
        A system of kind ``free_flyer``; a state gives the pose of its root link.

    Raises:
        ModelError: if the root link has no mass or no full inertia: it could not float.

    Example:
        >>> flyer = dyn.free_flyer(dyn.load("free_flyer"))
        >>> flyer.n_joints, flyer.n_bases
        (7, 1)

    Cost: linear in the links.
    """
    return _assemble("free_flyer", [robot], (True,), None, None, gravity, ())


@public
def multi_arm(
    robots: Sequence[Robot],
    base_poses: Sequence[ArrayLike] | Array | None = None,
    task_object: TaskObject | None = None,
    gravity: ArrayLike = EARTH_GRAVITY,
    floating: bool | Sequence[bool] = False,
) -> System:
    """Several arms and, optionally, an object, which is not held until ``grasp``.

    A robot that branches has several tips, each of which can hold: its contacts are then coupled through
    the links they share.

    Args:
        robots: one per arm; the same robot may occur twice.
        base_poses: (4, 4) for each arm, world <- root link, m; default the origin.
        task_object: the object that they may hold.
        gravity: (3,), m/s^2, inertial axes.
        floating: whether the root links float, for all arms or for each. ``base_poses`` are then their initial
            poses unless a state says otherwise.

    Returns:
        A system of kind ``multi_arm``.

    Raises:
        ModelError: for no robot at all, poses that do not match, or a floating root link without inertia.

    Example:
        >>> apart = np.tile(np.eye(4), (2, 1, 1))
        >>> apart[1, 0, 3] = 1.0
        >>> dyn.multi_arm([dyn.load("iiwa14")] * 2, base_poses=apart)
        System(multi_arm, 'iiwa14' and 'iiwa14', 14 joints, gravity=[ 0.  ,  0.  , -9.81])

    Cost: linear in the links.
    """
    arms = listed(robots, "robots", "a sequence of robots", ModelError)
    each = "true or false, for all robots or for each"
    many = (floating,) * len(arms) if isinstance(floating, bool) else listed(floating, "floating", each, ModelError)
    flags = tuple(flag(one, "floating", ModelError) for one in many)
    if len(flags) != len(arms):
        raise ModelError(f"floating: expected {len(arms)}, one for each robot, got {len(flags)}.")
    return _assemble("multi_arm", list(arms), flags, base_poses, task_object, gravity, ())


def with_contacts(system: System, contacts: Sequence[Contact]) -> System:
    """The same system with its object held by ``contacts``."""
    return _again(system, system.task_object, tuple(contacts))


def with_robots(system: System, robots: Sequence[Robot]) -> System:
    """The same system with robots of the same links and joints but possibly other lengths; the grips move along."""
    return _again(system, system.task_object, system.contacts, list(robots))


@public
def with_task_object(system: System, task_object: TaskObject) -> System:
    """The same system, contacts included, with another object.

    Args:
        system: with an object.
        task_object: its replacement, e.g. ``system.task_object.with_mass(...)``.

    Returns:
        A new system.

    Raises:
        ModelError: if there is no object to replace, or the replacement is not one.

    Cost: linear in the links.
    """
    if system.task_object is None:
        raise ModelError("this system has no task object to replace; make it with multi_arm(..., task_object=...).")
    return _again(system, task_object, system.contacts)


@public
def with_object_center(system: System, center: ArrayLike) -> System:
    """The same system with the mass centre elsewhere in the object's body; the arms hold it at the same places.

    An object's frame has its origin at the mass centre, so the frame moves: in the new frame shapes and contacts
    are at ``-center``. A state of ``system`` becomes one of the new system if ``object_pose`` is moved by ``center``
    in the object's axes and the linear part of ``object_velocity`` is replaced by the body's velocity there.

    Args:
        system: with an object.
        center: (3,) m, of the new mass centre from the present one, in the object's axes.

    Returns:
        A new system. Mass and inertia, which is about the mass centre, are unchanged.

    Raises:
        ModelError: if there is no object, or for numbers that are not finite.

    Cost: linear in the links.
    """
    away = numbers(center, (3,), "center", ModelError)
    payload = system.task_object
    if payload is None:
        raise ModelError("this system has no task object; make it with multi_arm(..., task_object=...).")
    shapes = tuple(replace(shape, pose=_moved(shape.pose, -away)) for shape in payload.geometry)
    contacts = tuple(replace(each, object_pose=_moved(each.object_pose, -away)) for each in system.contacts)
    return _again(system, TaskObject(payload.mass, payload.inertia, shapes, payload.name), contacts)


def _moved(pose: Array, by: Array) -> Array:
    found = np.array(pose, float)
    found[:3, 3] += by
    return found


@public
def with_parts(system: System, robots: Sequence[Robot] | None = None, gravity: ArrayLike | None = None) -> System:
    """The same system, object and contacts included, with other masses or losses of its robots, or other gravity.

    Args:
        system: any; its states are also valid for the new one.
        robots: one for each arm, with the same joints as before, e.g. from ``with_body`` and ``with_damping``.
        gravity: (3,), m/s^2, inertial axes.

    Returns:
        A new system.

    Raises:
        ModelError: for another number of robots, one with other joints, a floating root link without inertia,
            or numbers that are not finite.

    Cost: linear in the links.
    """
    arms = system.robots if robots is None else listed(robots, "robots", "a sequence of robots", ModelError)
    if len(arms) != system.n_arms:
        raise ModelError(f"robots: expected {system.n_arms}, one for each arm, got {len(arms)}.")
    for arm, (before, after) in enumerate(zip(system.robots, arms, strict=True)):
        if after is not before:
            _check_alike(arm, before, after)
    return _again(system, system.task_object, system.contacts, list(arms), gravity)


def _check_alike(arm: int, before: Robot, after: Robot) -> None:
    if not isinstance(after, Robot):
        raise ModelError(f"robot {arm + 1} is a {type(after).__name__}; load one with dynamics.load(...).")
    check_parts(after)

    def joined(robot: Robot) -> tuple[object, ...]:
        joints = [(one.name, one.kind, *one.axis, *np.ravel(one.origin), one.mimic) for one in robot.joints]
        tips = [(tip.link, tuple(np.ravel(tip.pose))) for tip in robot.tips]
        ends = [(loop.kind, *((end.link, *np.ravel(end.pose)) for end in (loop.first, loop.second)))
                for loop in robot.loops]  # fmt: skip
        return joints, robot.inboard, tips, [link.name for link in robot.links], ends

    if joined(before) != joined(after):
        raise ModelError(
            f"robot {arm + 1}, {brief(after.name)}, has other links, joints, loops or tips than "
            f"{brief(before.name)}, which it replaces; make a new system of it."
        )


def _again(
    system: System,
    task_object: TaskObject | None,
    contacts: tuple[Contact, ...],
    robots: list[Robot] | None = None,
    gravity: ArrayLike | None = None,
) -> System:
    """The same robots, or modified ones, in their places, with this object and these contacts."""
    arms, bases = list(system.robots) if robots is None else robots, system.base_poses
    pull = system.gravity if gravity is None else gravity
    return _assemble(system.kind, arms, system.floating, bases, task_object, pull, contacts, are_known=True)


class _Row(NamedTuple):
    """A link of a system during assembly."""

    link: Link
    joint: Joint | None  # None for a floating root link
    inboard: int  # -1 is the world
    arm: int
    follows: link_tables.Follows = (-1, 0.0, 0.0)


def _assemble(
    kind: Kind,
    robots: list[Robot],
    floating: tuple[bool, ...],
    base_poses: Sequence[ArrayLike] | Array | None,
    task_object: TaskObject | None,
    gravity: ArrayLike,
    contacts: tuple[Contact, ...],
    are_known: bool = False,
) -> System:
    """Args: are_known: whether the robots have already been checked, alone or in another system."""
    if not robots:
        raise ModelError("a system needs at least one robot.")
    for arm, robot in enumerate(robots):
        if not isinstance(robot, Robot):
            raise ModelError(f"robot {arm + 1} is a {type(robot).__name__}; load one with dynamics.load(...).")
        if not are_known:
            check_parts(robot)
        if not robot.joints and not floating[arm]:
            raise ModelError(f"robot {brief(robot.name)} has no joint that moves.")
    if base_poses is None:
        base_poses = [np.eye(4)] * len(robots)
    base_poses = listed(base_poses, "base_poses", "a pose for each robot", ModelError)
    if len(base_poses) != len(robots):
        raise ModelError(f"base_poses: expected {len(robots)}, one for each robot, got {len(base_poses)}.")
    placed = np.array([pose(p, f"base_poses[{arm}]", ModelError) for arm, p in enumerate(base_poses)])
    rows, tips, loops = _gather(floating, robots, placed)
    links, inboard, arms = [row.link for row in rows], [row.inboard for row in rows], [row.arm for row in rows]
    joints, follows = [row.joint for row in rows if row.joint is not None], [row.follows for row in rows]
    prefix = [f"{arm + 1}/" if len(robots) > 1 else "" for arm in arms]
    axes = link_tables.axes_about_z(joints, len(links))
    things = link_tables.object_table(task_object, robots)
    ends, loop_model = link_tables.loop_tables(loops, axes, link_tables.machine_length(robots, task_object))
    tables = Tables(
        tree=link_tables.tree_table(joints, inboard, arms, follows),
        model=link_tables.model_table(links, joints, inboard, axes, placed[arms], follows),
        gravity=numbers(gravity, (3,), "gravity", ModelError),
        # One memory layout, empty or not: another would be another type, compiled a second time.
        contacts=np.array([[c.link, len(c.selection)] for c in contacts], dtype=np.int64).reshape(len(contacts), 2),
        contact_model=link_tables.contact_table(contacts, axes, things),
        task_object=things,
        loops=ends,
        loop_model=loop_model,
    )
    return System(
        kind=kind,
        robots=tuple(robots),
        floating=floating,
        base_poses=placed,
        gravity=tables.gravity,
        task_object=task_object,
        contacts=contacts,
        tips=tuple(tips),
        loops=tuple(loops),
        joint_names=tuple(before + joint.name for before, joint in zip(prefix, joints, strict=False)),
        link_names=tuple(before + link.name for before, link in zip(prefix, links, strict=True)),
        link_models=tuple(links),
        joint_models=tuple(joints),
        inboard=np.array(inboard, dtype=np.int64),
        arm_of_link=np.array(arms, dtype=np.int64),
        tables=tables,
    )


def _gather(
    floating: tuple[bool, ...], robots: list[Robot], base_poses: Array
) -> tuple[list[_Row], list[Tip], list[Loop]]:
    """The links in the system's order, floating roots last, the tips, and the loops."""
    rows, tips, loops = list[_Row](), list[Tip](), list[Loop]()
    total = sum(len(robot.links) for robot in robots)
    for arm, robot in enumerate(robots):
        root = total + sum(floating[:arm]) if floating[arm] else -1
        place = [*range(len(rows), len(rows) + len(robot.links)), root]  # the index of each link, the root's last
        for k, (link, joint, inner) in enumerate(zip(robot.links, joints_in_limits(robot), robot.inboard, strict=True)):
            rows.append(_Row(link, joint, place[inner], arm))
            if k in robot.couplings:
                leader, multiplier, offset = robot.couplings[k]
                rows[-1] = rows[-1]._replace(follows=(place[leader], multiplier, offset))
        tips += [Tip(arm, place[tip.link], tip.pose) for tip in robot.tips]
        prefix = f"{arm + 1}/" if len(robots) > 1 else ""
        way = [np.eye(4)] * len(robot.links) + [np.eye(4) if floating[arm] else base_poses[arm]]

        def moved(frame: Frame, place: list[int] = place, prefix: str = prefix, way: list[Array] = way) -> Frame:
            return Frame(prefix + frame.name, place[frame.link], way[frame.link] @ frame.pose)

        loops += with_moved_frames(robot.loops, moved)
    for arm, robot in enumerate(robots):
        if floating[arm]:
            _check_floating(robot.name, robot.root, robot.root_fault)
            rows.append(_Row(robot.root, None, -1, arm))
    return rows, tips, loops


def _check_floating(name: str, root: Link, fault: str) -> None:
    if fault:
        raise ModelError(f"robot {brief(name)}: its root link {brief(root.name)} cannot float: {fault}")
    moments = np.linalg.eigvalsh(root.inertia)
    if root.mass <= 0.0 or moments[0] <= 0.0:
        raise ModelError(
            f"robot {brief(name)}: its root link {brief(root.name)} has mass {root.mass} kg and principal moments "
            f"{moments.tolist()} kg m^2; a floating base needs all of them positive. Bolt it down with "
            "single_arm(...), or give the root link an inertial."
        )
