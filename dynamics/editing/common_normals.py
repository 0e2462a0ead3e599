"""Frames on the common normals of a chain's axes, as Denavit-Hartenberg tables require."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import ModelError

PARALLEL, NEARLY = 1e-12, 1e-6
"""Sines of the angle between axes: parallel below the first; up to the second the normal loses its digits."""
EXACT = 1e-9
"""Tolerance of a dot product of directions: a normal at a right angle to x is not reversed."""
ROUNDING = 1e-14


def placed_standard(axes: Sequence[Array], tip: Array, names: Sequence[str]) -> list[Array]:
    """(4, 4), root <- frame 0 … n: frame i on the axis of joint i + 1, its x along the normal from that of joint i.

    Args:
        axes: (4, 4) each, root <- a frame with z along the joint's axis, base to tip.
        tip: (4, 4), root <- tool point.
        names: the joints' names.

    Raises:
        ModelError: for axes that are nearly parallel.
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
