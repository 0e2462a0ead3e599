"""Denavit-Hartenberg tables, in the standard convention of TML (1.10) and in the modified one.

A robot from its table; the table of a robot, from the common normals of its axes; and the robot changed by another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, is_among, listed, numbers, pose, real_array, text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.robot.model import Frame, Joint, Link, Robot
from dynamics.robot.rigid_body import MassProperties, cross_matrix, inverse, without_rounding
from dynamics.robot.validity import check_body, check_parts, check_robot


@public
def from_denavit_hartenberg(
    rows: ArrayLike,
    masses: ArrayLike,
    centers: ArrayLike,
    inertias: ArrayLike,
    *,
    convention: Literal["standard", "modified"] = "standard",
    kinds: str | Sequence[str] = "revolute",
    rotor_inertia: ArrayLike | None = None,
    damping: ArrayLike | None = None,
    friction: ArrayLike | None = None,
    limits: ArrayLike | None = None,
    base: ArrayLike | None = None,
    tool: ArrayLike | None = None,
    name: str = "denavit_hartenberg",
) -> Robot:
    """A chain from its Denavit-Hartenberg table; like the tables, everything is listed from base to tip.

    ``standard``: frame i stands at the outer end of link i, T = Rz(theta) Tz(d) Tx(a) Rx(alpha); TML (1.10), (1.13).
    ``modified``: frame i stands at joint i, T = Rx(alpha) Tx(a) Rz(theta) Tz(d), a and alpha being those of row i.
    The joint's variable is added to theta, or to d where the joint is prismatic. Joint i is called ``joint_i``.

    Args:
        rows: (n, 4) of a, alpha, d, theta, in m and rad.
        masses: (n,) kg.
        centers: (n, 3), mass centre of link i in frame i, m.
        inertias: (n, 3, 3), or (n, 3) for principal moments, or (n, 6) for xx yy zz xy yz xz, about the mass
            centre in the axes of frame i, kg m^2; products are the tensor's own elements, minus sign included.
        convention: ``standard`` or ``modified``.
        kinds: ``revolute`` or ``prismatic``, one for all or one for each joint.
        rotor_inertia: (n,), seen at the joint, kg m^2 or kg.
        damping: (n,), N m s/rad or N s/m.
        friction: (n, 2), against motion in the negative and in the positive direction, N m or N.
        limits: (n, 2), lower and upper, rad or m.
        base: (4, 4), root <- frame 0, in which the first joint's axis is z where the convention is standard.
        tool: (4, 4), frame n <- tool point.
        name: of the robot.

    Returns:
        The robot, its links and joints listed tip to base, as everywhere else.

    Raises:
        ModelError: for wrong shapes, an unknown convention or kind, or impossible bodies.

    Cost: linear in the joints.
    """
    table = _table(rows, "rows")
    n = len(table) if table.ndim else 0
    if table.ndim != 2 or n == 0:
        raise ModelError(f"rows: expected a table of n rows of (a, alpha, d, theta), got shape {table.shape}.")
    table = numbers(table, (n, 4), "rows", ModelError)
    if not is_among(convention, ("standard", "modified")):
        raise ModelError(f"convention is {brief(convention)}; expected 'standard' or 'modified'.")
    sliding = [kind == "prismatic" for kind in _kinds(kinds, n)]
    bodies = _bodies(masses, centers, inertias, n)
    rotors = numbers(np.zeros(n) if rotor_inertia is None else rotor_inertia, (n,), "rotor_inertia", ModelError)
    drags = numbers(np.zeros(n) if damping is None else damping, (n,), "damping", ModelError)
    against = numbers(np.zeros((n, 2)) if friction is None else friction, (n, 2), "friction", ModelError)
    bounds = np.tile([-np.inf, np.inf], (n, 1)) if limits is None else _table(limits, "limits")
    if bounds.shape != (n, 2):
        raise ModelError(f"limits: expected shape ({n}, 2), got {bounds.shape}.")

    links, joints = [], []
    first = np.eye(4) if base is None else pose(base, "base", ModelError)
    outer = first
    for i, (origin, outer) in enumerate(joint_places(table, convention, sliding, first)):
        body = bodies[i].moved(outer)
        links.append(Link(f"link_{i + 1}", body.mass, body.center_of_mass, body.inertia))
        joints.append(
            Joint(
                name=f"joint_{i + 1}",
                kind="prismatic" if sliding[i] else "revolute",
                axis=np.array([0.0, 0.0, 1.0]),
                origin=origin,
                lower=float(bounds[i, 0]),
                upper=float(bounds[i, 1]),
                damping=float(drags[i]),
                friction=(float(against[i, 0]), float(against[i, 1])),
                rotor_inertia=float(rotors[i]),
            )
        )
    tip = Frame("tool", 0, outer if tool is None else outer @ pose(tool, "tool", ModelError))
    frames = {link.name: Frame(link.name, n - 1 - i, np.eye(4)) for i, link in enumerate(links)}
    robot = Robot(
        name=text(name, "name", ModelError),
        links=tuple(links[::-1]),
        joints=tuple(joints[::-1]),
        inboard=tuple(range(1, n + 1)),
        root=Link("base", 0.0, np.zeros(3), np.zeros((3, 3))),
        tips=(tip,),
        frames={"base": Frame("base", n, np.eye(4)), **frames, "tool": tip},
    )
    for link in robot.links:
        check_body(link, f"robot {brief(robot.name)}")
    check_robot(robot)
    return robot


def joint_places(
    rows: Array, convention: Literal["standard", "modified"], sliding: Sequence[bool], base: Array
) -> Iterator[tuple[Array, Array]]:
    """Two (4, 4) for each joint from base to tip: inboard link at its joint <- joint, and link at it <- frame i.

    Args:
        rows: (n, 4) of a, alpha, d, theta, m and rad.
        base: (4, 4), root <- frame 0.
    """
    outer = base
    for (a, alpha, d, theta), slides in zip(rows, sliding, strict=True):
        # The joint's own screw commutes with its variable; the rest of the row comes before or after it.
        along, across = _screw_z(theta, d), _screw_x(alpha, a)
        before, after = (along, across) if convention == "standard" else (across @ along, np.eye(4))
        if convention == "standard" and not slides:
            before, after = _screw_z(theta, 0.0), _screw_z(0.0, d) @ across
        yield outer @ before, after
        outer = after


def _table(value: ArrayLike, name: str) -> Array:
    return real_array(value, "numbers in rows of equal length", name, ModelError)


def _kinds(kinds: str | Sequence[str], n: int) -> Sequence[str]:
    expected = f"'revolute' or 'prismatic', one for all or {n}"
    found = (kinds,) * n if isinstance(kinds, str) else listed(kinds, "kinds", expected, ModelError)
    if len(found) != n or not all(is_among(kind, ("revolute", "prismatic")) for kind in found):
        raise ModelError(f"kinds is {brief(kinds)}; expected {expected}.")
    return found


def _bodies(masses: ArrayLike, centers: ArrayLike, inertias: ArrayLike, n: int) -> list[MassProperties]:
    m = numbers(masses, (n,), "masses", ModelError)
    c = numbers(centers, (n, 3), "centers", ModelError)
    given = _table(inertias, "inertias")
    if given.shape == (n, 3):
        tensors = given[:, :, None] * np.eye(3)
    elif given.shape == (n, 6):
        tensors = given[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
    else:
        tensors = given
    tensors = numbers(tensors, (n, 3, 3), "inertias", ModelError)
    return [MassProperties(float(mass), center, tensor) for mass, center, tensor in zip(m, c, tensors, strict=True)]


def _screw_x(angle: float, distance: float) -> Array:
    """Tx(distance) Rx(angle)."""
    cosine, sine = without_rounding(np.array([np.cos(angle), np.sin(angle)]))
    return np.array([[1, 0, 0, distance], [0, cosine, -sine, 0], [0, sine, cosine, 0], [0, 0, 0, 1]], dtype=np.float64)


def _screw_z(angle: float, distance: float) -> Array:
    """Tz(distance) Rz(angle)."""
    cosine, sine = without_rounding(np.array([np.cos(angle), np.sin(angle)]))
    return np.array([[cosine, -sine, 0, 0], [sine, cosine, 0, 0], [0, 0, 1, distance], [0, 0, 0, 1]], dtype=np.float64)


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
    for (origin, _), placed in zip(
        joint_places(old.rows, convention, sliding, old.base), _chain(robot, convention)[0], strict=True
    ):
        place = place @ origin
        own.append(inverse(place) @ placed)
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


PARALLEL, NEARLY = 1e-12, 1e-6
"""Sines of the angle between axes: parallel below the first; up to the second the normal loses its digits."""
EXACT = 1e-9
"""Tolerance of a dot product of directions: a normal at a right angle to x is not reversed."""
ROUNDING = 1e-14


def placed_standard(axes: Sequence[Array], tip: Array, names: Sequence[str]) -> list[Array]:
    """(4, 4), root <- frame 0 … n: frame i on the axis of joint i + 1, its x along the normal from that of joint i.

    ``axes`` are (4, 4), root <- a frame with z along the joint's axis, base to tip; nearly parallel ones are refused.
    """
    frames = [np.eye(4) if _is_along(axes[0], np.eye(4)) else axes[0]]
    for k, axis in enumerate(axes[1:], 1):
        x, _, foot = _normal(frames[-1], axis, f"{brief(names[k - 1])} and {brief(names[k])}")
        frames.append(_frame(x, axis[:3, 2], foot))
    last = frames[-1]
    frames.append(tip if _is_reached(last, tip) else last)
    return frames


def placed_modified(axes: Sequence[Array], tip: Array, names: Sequence[str]) -> list[Array]:
    """The same with frame i on the axis of joint i, its x along the normal to that of joint i + 1."""
    root = np.eye(4)
    foot_of_root = np.array([axes[0][0, 3], 0.0, 0.0])
    crosses = abs(axes[0][0, 2]) < PARALLEL and _is_on(foot_of_root, axes[0])
    frames = [root if crosses else axes[0]]
    at = _frame(frames[0][:3, 0], axes[0][:3, 2], foot_of_root if crosses else axes[0][:3, 3])
    for k, axis in enumerate(axes[1:], 1):
        x, near, far = _normal(at, axis, f"{brief(names[k - 1])} and {brief(names[k])}")
        frames.append(_frame(x, at[:3, 2], near))
        at = _frame(x, axis[:3, 2], far)
    frames.append(tip if _is_along(at, tip) else at)
    return frames


def row_of(step: Array, convention: str) -> tuple[float, float, float, float]:
    """a, alpha, d and theta of (4, 4), one frame <- the next."""
    m = step
    if convention == "standard":
        theta, alpha = math.atan2(m[1, 0], m[0, 0]), math.atan2(m[2, 1], m[2, 2])
        a, d = m[0, 3] * math.cos(theta) + m[1, 3] * math.sin(theta), m[2, 3]
    else:
        theta, alpha = math.atan2(-m[0, 1], m[0, 0]), math.atan2(-m[1, 2], m[2, 2])
        a, d = m[0, 3], m[2, 3] * math.cos(alpha) - m[1, 3] * math.sin(alpha)
    a, alpha, d, theta = (float(value) if abs(value) > ROUNDING else 0.0 for value in (a, alpha, d, theta))
    return a, alpha, d, theta


def _normal(frame: Array, axis: Array, joints: str) -> tuple[Array, Array, Array]:
    """Direction of the common normal of z and an axis, within a right angle of x, and its ends on z and on the axis.

    If the two are parallel, the normal passes through the frame's origin; if they coincide, it is x.
    """
    x, z, origin = frame[:3, 0], frame[:3, 2], frame[:3, 3]
    other, gap = axis[:3, 2], axis[:3, 3] - origin
    across = np.cross(z, other)
    sine = float(np.linalg.norm(across))
    if PARALLEL < sine < NEARLY:
        raise ModelError(
            f"the axes of joints {joints} are parallel but for {sine:.2g} rad: their common normal is some "
            f"{1.0 / sine:.2g} lengths away, and a table of it would lose digits. Make them parallel, or edit joints."
        )
    if sine <= PARALLEL:
        offset = gap - (gap @ z) * z
        far = origin + offset
        length = float(np.linalg.norm(offset))
        normal = offset / length if length > ROUNDING * (1.0 + float(np.linalg.norm(gap))) else x
        near = origin
    else:
        normal = across / sine
        near = origin + (np.cross(gap, other) @ normal / sine) * z
        far = axis[:3, 3] + (np.cross(gap, z) @ normal / sine) * other
    return (-normal if normal @ x < -EXACT else normal), near, far


def _frame(x: Array, z: Array, origin: Array) -> Array:
    frame = np.eye(4)
    frame[:3, 0], frame[:3, 1], frame[:3, 2], frame[:3, 3] = x, np.cross(z, x), z, origin
    return frame


def _is_on(point: Array, axis: Array) -> bool:
    """Whether a point lies on the axis."""
    gap = point - axis[:3, 3]
    return float(np.linalg.norm(np.cross(gap, axis[:3, 2]))) < PARALLEL


def _is_along(frame: Array, other: Array) -> bool:
    """Whether two frames share the axis z, so that they differ by a screw about it."""
    return float(np.abs(frame[:3, 2] - other[:3, 2]).max()) < PARALLEL and _is_on(other[:3, 3], frame)


def _is_reached(frame: Array, tip: Array) -> bool:
    """Whether a table row leads from a frame to the tool: the tool's x crosses the frame's z at a right angle."""
    x, z = tip[:3, 0], frame[:3, 2]
    gap = tip[:3, 3] - frame[:3, 3]
    return abs(float(x @ z)) < PARALLEL and abs(float(gap @ np.cross(z, x))) < PARALLEL
