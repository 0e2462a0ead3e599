"""A robot out of its description: welds merged away, links ordered from the tips to the base."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dynamics.checks import Array, brief, choices, names
from dynamics.descriptions.description import Connection, Description
from dynamics.descriptions.welded import NOT_FELT, bodies_of
from dynamics.errors import ModelError
from dynamics.robot.model import Frame, Geometry, Joint, Link, Robot

Inner = Mapping[str, Connection]
"""By the name of the part that it carries."""


def robot_of(
    description: Description,
    title: str,
    tip: str | Sequence[str] | None,
    remarks: tuple[str, ...],
    points: tuple[Frame, ...] = (),
) -> Robot:
    """The robot, before anybody looks whether it can be.

    Args:
        description: parts and connections that form a tree.
        title: the words that name the robot in a message.
        tip: the part, or parts, whose origins are the tool points; by default the outermost ones.
        remarks: what was not understood of its file.
        points: named frames beside the parts' own, each posed in the part whose number it has.

    Raises:
        ModelError: without a moving joint, for a tip that is none, or a body that cannot be.
    """
    if all(each.joint is None for each in description.connections):
        raise ModelError(f"{title} has no moving joint; expected at least one revolute or prismatic joint.")
    tips = names(() if tip is None else tip, f"{title}: tip", ModelError)
    inner = {each.child: each for each in description.connections}
    parts = {part.name: part for part in description.parts}
    in_part = {point.name: (description.parts[point.link].name, point.pose) for point in points}
    preorder = _preorder(description, inner, [in_part.get(name, (name,))[0] for name in tips], title)
    owner, pose_in_owner = _merge(inner, preorder)

    moving = [part for part in reversed(preorder) if owner[part] == part and part != preorder[0]]
    index = {link: k for k, link in enumerate([*moving, preorder[0]])}
    bodies, faults = bodies_of(description, owner, pose_in_owner)
    if faults:
        faults = tuple(fault.removeprefix(f"{title}, ") for fault in faults)
        warnings.warn(f"{title}: left out of the root, which cannot feel it: {' '.join(faults)}", stacklevel=5)
    shapes: dict[str, list[Geometry]] = {link: [] for link in bodies}
    for part in description.parts:
        at = pose_in_owner[part.name]
        shapes[owner[part.name]] += [replace(shape, pose=at @ shape.pose) for shape in part.shapes]
    frames = {
        name: Frame(name, index[owner[part]], pose_in_owner[part] @ pose)
        for name, (part, pose) in {**in_part, **{part: (part, np.eye(4)) for part in preorder}}.items()
    }
    links = {
        link: Link(link, body.mass, body.center_of_mass, body.inertia, tuple(shapes[link]))
        for link, body in bodies.items()
    }
    return Robot(
        name=description.name,
        links=tuple(links[link] for link in moving),
        joints=tuple(_joint(inner[link], pose_in_owner) for link in moving),
        inboard=tuple(index[owner[inner[link].parent]] for link in moving),
        root=links[preorder[0]],
        tips=_choose_tips(frames, tips, len(moving), title)
        if tips
        else _default_tips(inner, owner, moving, {part: frames[part] for part in parts}),
        frames=frames,
        remarks=(*remarks, *(f"{fault} {NOT_FELT}" for fault in faults)),
        root_fault=" ".join(faults),
    )


def _joint(connection: Connection, pose_in_owner: Mapping[str, Array]) -> Joint:
    assert connection.joint is not None
    return replace(connection.joint, origin=pose_in_owner[connection.parent] @ connection.origin)


def _choose_tips(frames: Mapping[str, Frame], names: Sequence[str], n: int, title: str) -> tuple[Frame, ...]:
    """The named frames as tool points."""
    for name in names:
        if frames[name].link == n:
            raise ModelError(f"{title}: tip {brief(name)} is fixed to the root and cannot move; name a moving link.")
    if len(set(names)) < len(names):
        raise ModelError(f"{title}: tip {brief(list(names))} names a link twice; name each tip once.")
    return tuple(frames[name] for name in names)


def _default_tips(
    inner: Inner, owner: Mapping[str, str], moving: Sequence[str], frames: Mapping[str, Frame]
) -> tuple[Frame, ...]:
    """One tool point for each outermost moving link: its file's leaf link if there is exactly one, else itself."""
    parents = {each.parent for each in inner.values()}
    inboard_owners = {owner[each.parent] for each in inner.values() if each.joint is not None}
    leaves: dict[str, list[str]] = {link: [] for link in moving if link not in inboard_owners}
    for link in frames:
        if link not in parents and owner[link] in leaves:
            leaves[owner[link]].append(link)
    return tuple(frames[ends[0] if len(ends) == 1 else link] for link, ends in leaves.items())


def _preorder(description: Description, inner: Inner, tips: Sequence[str], title: str) -> list[str]:
    """All parts, parents first and branch after branch; the first tip's branch comes last, so that reversed
    it comes first."""
    children: dict[str, list[str]] = {part.name: [] for part in description.parts}
    for each in description.connections:
        children[each.parent].append(each.child)
    rank = dict.fromkeys(children, -len(tips))
    for number, tip in enumerate(tips):
        if tip not in children:
            raise ModelError(f"{title} has no link {brief(tip)} for a tip; expected one of {choices(children)}.")
        part: str | None = tip
        while part is not None:
            rank[part] = max(rank[part], -number + 1)
            part = inner[part].parent if part in inner else None
    root = next(part for part in children if part not in inner)
    order, stack = [], [root]
    while stack:
        part = stack.pop()
        order.append(part)
        stack.extend(sorted(children[part], key=rank.__getitem__)[::-1])
    return order


def _merge(inner: Inner, preorder: Sequence[str]) -> tuple[dict[str, str], dict[str, Array]]:
    """For every part the moving one (or the root) it is welded to, and its pose in it."""
    owner = {preorder[0]: preorder[0]}
    pose = {preorder[0]: np.eye(4)}
    for part in preorder[1:]:
        joined = inner[part]
        if joined.joint is not None:
            owner[part], pose[part] = part, np.eye(4)
        else:
            owner[part] = owner[joined.parent]
            pose[part] = pose[joined.parent] @ joined.origin
    return owner, pose
