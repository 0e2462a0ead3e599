"""The same free flyer with another link called its base; JR 3.3, Appendix A. ``check`` tests its algebra against it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dynamics.checks import Array, brief, choices, is_among
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Frame, Geometry, Joint, Link, Robot, with_moved_frames
from dynamics.system.assembly import free_flyer
from dynamics.system.plain_kinematics import poses_and_velocities
from dynamics.system.state import State
from dynamics.system.system import System


@public
def rebase(system: System, link: str) -> System:
    """The same free flyer, counted from another base; JR Appendix A.

    Joints on the path from the old base to the new one are traversed in the opposite direction: their axes are
    reversed, so that every joint keeps its displacement and its name. A link whose inner joint changes gets
    its frame there, as the numbering requires. Joint accelerations do not change, nor do
    accelerations and P + S of the same point; P, S, z do.

    Args:
        system: a free flyer.
        link: the name of the new base.

    Returns:
        A new system; ``rebase_state`` converts a state to it.

    Raises:
        ModelError: if the system is not a free flyer, or has no such link.

    Cost: linear in the links.
    """
    if system.kind != "free_flyer":
        raise ModelError("only a free flyer has no preferred base; this system is bolted down.")
    if not is_among(link, system.link_names):
        raise ModelError(f"there is no link {brief(link)}; the links are {choices(system.link_names)}.")
    return free_flyer(_rebased(system.robots[0], system.link_names.index(link)), system.gravity)


@public
def rebase_state(system: System, rebased: System, state: State) -> State:
    """The same motion as a state of ``rebased``; its law is JR (A.1)-(A.3).

    Args:
        system: the system that the state belongs to.
        rebased: the same free flyer by ``rebase``.
        state: of ``system``.

    Returns:
        A state of ``rebased`` with every link at the same pose and velocity.

    Raises:
        ModelError: if the base of ``rebased`` is not a link of ``system``.
        StateError: for a state of another system.

    Cost: linear in the links.
    """
    system.require_own(state)
    named = rebased.link_names[-1]
    if named not in system.link_names:
        raise ModelError(
            f"rebased: its base {brief(named)} is no link of this system; the links are {choices(system.link_names)}."
        )
    joints = system.from_joint_vector(state.q)
    rates = system.from_joint_vector(state.qd)
    poses, velocities = poses_and_velocities(system, state)
    base = system.link_names.index(named)
    return rebased.state(
        q=rebased.to_joint_vector(joints),
        qd=rebased.to_joint_vector(rates),
        base_pose=poses[base],
        base_velocity=velocities[base],
    )


def _rebased(robot: Robot, base: int) -> Robot:
    n = len(robot.links)
    if base == n:
        return robot
    links = [*robot.links, robot.root]
    # The path from the new base to the old one: these links change their inner joint.
    way = [base]
    while way[-1] != n:
        way.append(robot.inboard[way[-1]])
    shift = {k: np.eye(4) for k in range(n + 1)}  # old link frame <- new link frame
    shift |= {robot.inboard[outer]: robot.joints[outer].origin for outer in way[:-1]}  # a frame goes to its new joint
    inner: dict[int, tuple[int, Joint]] = {}
    for k, (at, joint) in enumerate(zip(robot.inboard, robot.joints, strict=True)):
        if k in way:  # reversed: it carries its old inboard link
            turned = replace(joint, axis=-joint.axis, origin=_seen_from(shift[k], np.eye(4)))
            inner[at] = k, turned
        else:
            inner[k] = at, replace(joint, origin=_seen_from(shift[at], joint.origin))
    moved = [_moved(link, shift[k]) for k, link in enumerate(links)]
    order = _outboard_first(inner, base)
    position = {k: i for i, k in enumerate(order)} | {base: n}
    return Robot(
        name=robot.name,
        links=tuple(moved[k] for k in order),
        joints=tuple(inner[k][1] for k in order),
        inboard=tuple(position[inner[k][0]] for k in order),
        root=moved[base],
        tips=tuple(_frame(frame, position, shift) for frame in robot.tips),
        frames={name: _frame(frame, position, shift) for name, frame in robot.frames.items()},
        home=robot.home,
        loops=with_moved_frames(robot.loops, lambda frame: _frame(frame, position, shift)),
    )


def _seen_from(frame: Array, pose: Array) -> Array:
    """A pose in the axes of another frame, both given in the same axes."""
    return np.asarray(np.linalg.solve(frame, pose), dtype=np.float64)


def _frame(frame: Frame, position: dict[int, int], shift: dict[int, Array]) -> Frame:
    return Frame(frame.name, position[frame.link], _seen_from(shift[frame.link], frame.pose))


def _moved(link: Link, shift: Array) -> Link:
    """The link in a new frame: old <- new is ``shift``."""
    rotation = shift[:3, :3]
    back = np.linalg.solve(shift, np.eye(4))
    return replace(
        link,
        center_of_mass=rotation.T @ (link.center_of_mass - shift[:3, 3]),
        inertia=rotation.T @ link.inertia @ rotation,
        geometry=tuple(
            Geometry(shape.kind, shape.size, back @ shape.pose, shape.color, shape.path) for shape in link.geometry
        ),
    )


def _outboard_first(inner: dict[int, tuple[int, Joint]], base: int) -> list[int]:
    """Every link before its inboard neighbor."""
    children: dict[int, list[int]] = {}
    for k, (at, _) in inner.items():
        children.setdefault(at, []).append(k)
    order, stack = [], [base]
    while stack:
        at = stack.pop()
        order.append(at)
        stack += sorted(children.get(at, []))
    return order[:0:-1]
