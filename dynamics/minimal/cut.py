"""A robot with fewer links: what hung on a link that is gone hangs on the next, as if its joint were stuck at zero."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.robot.model import Frame, Robot


class Cut(NamedTuple):
    """A robot that has lost links.

    Attributes:
        robot: what is left.
        tips: for each of its tips which it was.
    """

    robot: Robot
    tips: tuple[int, ...]


def without_links(robot: Robot, gone: Collection[int]) -> Cut:
    """The robot without some of its links; a tip that was on one moves inward with what hung on it."""
    kept = [k for k in range(len(robot.links)) if k not in gone]
    number = {old: new for new, old in enumerate(kept)} | {len(robot.links): len(kept)}
    joints, inboard, names = [], [], {robot.joint_names[k]: robot.joint_names[k] for k in kept}
    for k in kept:
        inner, origin = _next(robot, gone, robot.inboard[k], np.asarray(robot.joints[k].origin))
        joints.append(replace(robot.joints[k].among(names), origin=origin))
        inboard.append(number[inner])
    tips = [_moved(robot, gone, tip) for tip in robot.tips]
    left = _ends(tips, [number[tip.link] for tip in tips], inboard, len(kept))
    cut = replace(
        robot,
        links=tuple(robot.links[k] for k in kept),
        joints=tuple(joints),
        inboard=tuple(inboard),
        tips=tuple(replace(tips[at], link=number[tips[at].link]) for at in left),
        frames={},
        home={},
    )
    return Cut(cut, tuple(left))


def _next(robot: Robot, gone: Collection[int], inner: int, pose: Array) -> tuple[int, Array]:
    """The next link inward that is left, and a pose, given in ``inner``, in it."""
    while inner in gone:
        pose, inner = robot.joints[inner].origin @ pose, robot.inboard[inner]
    return inner, pose


def _moved(robot: Robot, gone: Collection[int], tip: Frame) -> Frame:
    link, pose = _next(robot, gone, tip.link, np.asarray(tip.pose))
    return replace(tip, link=link, pose=pose)


def _ends(tips: list[Frame], links: list[int], inboard: list[int], root: int) -> list[int]:
    """Tips that are on different links, and not on the root, which cannot move; at links that end, where some are."""
    found: dict[int, int] = {}
    for at, link in enumerate(links):
        if link < root:
            found.setdefault(link, at)
    outermost = [at for link, at in found.items() if link not in inboard]
    return sorted(outermost or found.values())
