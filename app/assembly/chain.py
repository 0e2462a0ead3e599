"""Where the joints of a chain are in many postures at once, for a search that looks at thousands of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]
MOST_PARTS = 14
"""Of a chain, that are looked at one against the other."""
POINT = 0.02
"""Of its reach: a hand that is shorter points where the link before it does."""


@dataclass(frozen=True, eq=False)
class Postures:
    """A chain in some postures, in its root's axes.

    Attributes:
        points: (postures, joints + 2, 3) m: the root, each joint outward, the tip.
        tip: (postures, 4, 4).
        rows: (postures, 6, joints): what each joint's rate makes of the tip's, [angular; linear].
    """

    points: Array
    tip: Array
    rows: Array


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints between a robot's root and its first tip.

    Attributes:
        joints: their indices in the robot, outward.
    """

    robot: dyn.Robot
    joints: tuple[int, ...]

    @classmethod
    def of(cls, robot: dyn.Robot) -> Chain:
        """The way to the first tip.

        Raises:
            ModelError: for a robot without a joint on that way.
        """
        found, k = list[int](), robot.tips[0].link
        while k < len(robot.joints):
            found.append(k)
            k = robot.inboard[k]
        if not found:
            raise dyn.ModelError(f"robot {robot.name!r} has no joint that moves its tip.")
        return cls(robot, tuple(reversed(found)))

    def postures(self, q: Array) -> Postures:
        """All of (postures, joints of the chain, outward)."""
        count = len(q)
        pose = np.broadcast_to(np.eye(4), (count, 4, 4))
        points, axes, origins = [pose[:, :3, 3]], [], []
        for at, k in enumerate(self.joints):
            joint = self.robot.joints[k]
            pose = pose @ joint.origin @ _moved(joint, q[:, at])
            points.append(pose[:, :3, 3])
            axes.append(pose[:, :3, :3] @ joint.axis)
            origins.append(pose[:, :3, 3])
        tip = pose @ self.robot.tips[0].pose
        points.append(tip[:, :3, 3])
        rows = np.zeros((count, 6, len(self.joints)))
        for at, k in enumerate(self.joints):
            if self.robot.joints[k].kind == "revolute":
                rows[:, :3, at] = axes[at]
                rows[:, 3:, at] = np.cross(axes[at], tip[:, :3, 3] - origins[at])
            else:
                rows[:, 3:, at] = axes[at]
        return Postures(np.stack(points, axis=1), tip, rows)


def _moved(joint: dyn.Joint, q: Array) -> Array:
    """(postures, 4, 4): what the displacements of a joint do."""
    found = np.tile(np.eye(4), (len(q), 1, 1))
    if joint.kind != "revolute":
        found[:, :3, 3] = q[:, None] * joint.axis
        return found
    x, y, z = joint.axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, rest = np.sin(q)[:, None, None], (1.0 - np.cos(q))[:, None, None]
    found[:, :3, :3] = np.eye(3) + sine * cross + rest * (cross @ cross)
    return found


def pointing(points: Array, length: float) -> Array:
    """(postures, 3) unit vectors: where the hand points, along the last part of the chain that has a length."""
    found = np.zeros((len(points), 3))
    for before in range(points.shape[1] - 2, -1, -1):
        along = points[:, -1] - points[:, before]
        size = np.linalg.norm(along, axis=1)
        new = (size > POINT * length) & ~found.any(axis=1)
        found[new] = along[new] / size[new, None]
    return found


def least_gap(points: Array, length: float) -> Array:
    """(postures,) m: how near parts of the chain come to each other that are not neighbours.

    Of a long chain a part is several links.
    """
    points = points[:, thinned(points.shape[1])]
    first, second = points[:, :-1], points[:, 1:]
    size = np.linalg.norm(second - first, axis=2).min(axis=0)
    parts = [k for k in range(first.shape[1]) if size[k] > POINT * length]
    least = np.full(len(points), np.inf)
    for at, i in enumerate(parts):
        for j in parts[at + 2 :]:
            least = np.minimum(least, segment_gap(first[:, i], second[:, i], first[:, j], second[:, j]))
    return least


def thinned(count: int) -> NDArray[np.int64]:
    """Of so many points along a chain those that are looked at, its ends among them."""
    return np.unique(np.linspace(0, count - 1, min(count, MOST_PARTS + 1)).round().astype(np.int64))


def segment_gap(a: Array, b: Array, c: Array, d: Array) -> Array:
    """m between the straight lines from a to b and from c to d, (many, 3) each."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv = ((x * y).sum(axis=-1) for x, y in ((u, u), (u, v), (v, v)))
    uw, vw = (u * w).sum(axis=-1), (v * w).sum(axis=-1)
    least = np.finfo(float).tiny
    across = uu * vv - uv * uv
    s = np.clip(np.where(across > 1e-12 * uu * vv, (uv * vw - vv * uw) / np.maximum(across, least), 0.0), 0.0, 1.0)
    t = np.clip((uv * s + vw) / np.maximum(vv, least), 0.0, 1.0)
    s = np.clip((uv * t - uw) / np.maximum(uu, least), 0.0, 1.0)
    apart = w + s[..., None] * u - t[..., None] * v
    return np.asarray(np.linalg.norm(apart, axis=-1))
