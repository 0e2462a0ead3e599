"""The Denavit-Hartenberg table of a robot, and the robot changed by another table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, is_among, numbers
from dynamics.editing.common_normals import placed_modified, placed_standard, row_of
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.robot.denavit_hartenberg import joint_places
from dynamics.robot.model import Robot
from dynamics.robot.poses import cross_matrix, inverse
from dynamics.robot.validity import check_parts, check_robot

Convention = Literal["standard", "modified"]


@dataclass(frozen=True, eq=False)
class DenavitHartenberg(Record):
    """A chain's table, from base to tip, with its frames and bodies; ``from_denavit_hartenberg`` accepts all of it.

    Attributes:
        convention: ``standard`` or ``modified``.
        joint_names: (n,), base to tip.
        kinds: (n,), ``revolute`` or ``prismatic``.
        rows: (n, 4) of a, alpha, d, theta, m and rad, with all joints at zero.
        base: (4, 4), root <- frame 0.
        tool: (4, 4), frame n <- tool point.
        masses: (n,) kg.
        centers: (n, 3) m, mass centre of link i in frame i.
        inertias: (n, 3, 3) kg m^2, about the mass centre, in the axes of frame i.
    """

    convention: Convention
    joint_names: tuple[str, ...]
    kinds: tuple[Literal["revolute", "prismatic"], ...]
    rows: Array
    base: Array
    tool: Array
    masses: Array
    centers: Array
    inertias: Array


@public
def denavit_hartenberg(robot: Robot, convention: Convention = "standard") -> DenavitHartenberg:
    """The Denavit-Hartenberg table of a chain: four numbers per joint, from the common normals of the axes.

    If axes are parallel, d is zero; if they coincide, so is theta. A normal may be reversed, with negative a, if theta
    is then less than a right angle, as in published tables. The last frame is the tool's if a table row reaches it;
    otherwise it is at the last joint. ``from_denavit_hartenberg`` turns the table into a robot that moves in the same
    way.

    Args:
        robot: a chain.
        convention: ``standard``, T = Rz(theta) Tz(d) Tx(a) Rx(alpha), or ``modified``, T = Rx(alpha) Tx(a) Rz(theta)
            Tz(d).

    Returns:
        The table, in m and rad; bodies in the table's own frames.

    Raises:
        ModelError: for a robot that branches or has several tool points, which no table can describe; for nearly
            parallel axes, whose common normal is so far away that the table would lose digits.

    Cost: linear in the joints, about 0.1 ms each.
    """
    poses, tip = _chain(robot, convention)
    axes = [pose @ _turned(joint.axis) for pose, joint in zip(poses, robot.joints[::-1], strict=True)]
    places = placed_standard if convention == "standard" else placed_modified
    frames = places(axes, tip, robot.joint_names[::-1])
    bodies = [
        link.body.moved(inverse(frame) @ pose)
        for link, frame, pose in zip(robot.links[::-1], frames[1:], poses, strict=True)
    ]
    return DenavitHartenberg(
        convention=convention,
        joint_names=robot.joint_names[::-1],
        kinds=tuple(joint.kind for joint in robot.joints[::-1]),
        rows=np.array([row_of(inverse(a) @ b, convention) for a, b in pairwise(frames)]),
        base=frames[0],
        tool=inverse(frames[-1]) @ tip,
        masses=np.array([body.mass for body in bodies]),
        centers=np.array([body.center_of_mass for body in bodies]),
        inertias=np.array([body.inertia for body in bodies]),
    )


@public
def with_denavit_hartenberg(robot: Robot, rows: ArrayLike, convention: Convention = "standard") -> Robot:
    """The same chain with another Denavit-Hartenberg table: new lengths, twists, offsets and zeros of its joints.

    Every link keeps its body, shapes and frames fixed relative to its own joint; the table determines the transform
    from each joint to the next, and the tool point.

    Args:
        robot: a chain; it is not modified.
        rows: (n, 4) of a, alpha, d, theta, base to tip, m and rad, replacing ``denavit_hartenberg(robot).rows``.
        convention: the convention of the rows.

    Returns:
        A new robot; with the robot's own table it is the same one, to rounding.

    Raises:
        ModelError: for a table of another shape, malformed numbers, or a robot that has no table.

    Cost: linear in the joints, about 0.2 ms each.
    """
    old = denavit_hartenberg(robot, convention)
    n = len(old.rows)
    table = numbers(rows, (n, 4), "rows", ModelError)
    sliding = [kind == "prismatic" for kind in old.kinds]
    # A link's own frame is fixed to the table's frame at its joint: only the transforms between joints change.
    own, place = [np.eye(4)], np.eye(4)
    for (origin, _), pose in zip(
        joint_places(old.rows, convention, sliding, old.base), _chain(robot, convention)[0], strict=True
    ):
        place = place @ origin
        own.append(inverse(place) @ pose)
    places = list(joint_places(table, convention, sliding, old.base))
    origins = [inverse(a) @ origin @ b for (origin, _), a, b in zip(places, own[:-1], own[1:], strict=True)]
    tip = replace(robot.tips[0], pose=inverse(own[-1]) @ places[-1][1] @ old.tool)
    made = replace(
        robot,
        joints=tuple(replace(joint, origin=o) for joint, o in zip(robot.joints, origins[::-1], strict=True)),
        tips=(tip,),
        frames=dict(robot.frames) | ({tip.name: tip} if tip.name != robot.links[0].name else {}),
    )
    check_robot(made)
    return made


def _chain(robot: Robot, convention: str) -> tuple[list[Array], Array]:
    """(4, 4), root <- link at zero displacement from base to tip, and root <- tool point."""
    check_parts(robot)
    title, n = f"robot {brief(robot.name)}", len(robot.links)
    if not is_among(convention, ("standard", "modified")):
        raise ModelError(f"convention is {brief(convention)}; expected 'standard' or 'modified'.")
    if robot.inboard != tuple(range(1, n + 1)) or len(robot.tips) != 1 or robot.tips[0].link != 0 or n == 0:
        raise ModelError(
            f"{title}: branches, or has its tool point elsewhere than on the last link; a Denavit-Hartenberg table "
            "describes a single chain. Remove branches with without_link, or edit its joints one by one."
        )
    poses = list(accumulate((joint.origin for joint in robot.joints[::-1]), np.matmul))
    return poses, poses[-1] @ robot.tips[0].pose


def _turned(axis: Array) -> Array:
    """(4, 4), link <- a frame with z along ``axis``, by the smallest rotation."""
    pose, up = np.eye(4), np.array([0.0, 0.0, 1.0])
    if axis[2] < -0.5:  # first half a turn about x, so that the rest is small again
        half = np.diag([1.0, -1.0, -1.0])
        pose[:3, :3] = half @ _turned(half @ axis)[:3, :3]
        return pose
    v = np.cross(up, axis)
    h = cross_matrix(v)
    pose[:3, :3] += h + h @ h / (1.0 + axis[2])
    return pose
