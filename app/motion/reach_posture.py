"""A posture in which an arm reaches out to hold: found by a random but deterministic search with a cost function.

The hand is at a third of the arm's reach above its root and half of it away, points ahead, and can move every way that
the arm's joints allow; no joint is near a stop, no part near another or in the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]
MOST_PARTS = 14  # Most parts of a chain whose pairwise distances are computed
POINT = 0.02  # Share of the reach: a shorter hand points in the direction of the link before it


@dataclass(frozen=True, eq=False)
class Postures:
    """Several postures of a chain, in its root's axes."""

    points: Array  # (postures, joints + 2, 3) m: the root, each joint outward, the tip
    tip: Array  # (postures, 4, 4)
    rows: Array  # (postures, 6, joints): the tip's [angular; linear] velocity per joint rate


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints between a robot's root and its first tip."""

    robot: dyn.Robot
    joints: tuple[int, ...]  # their indices in the robot, outward

    @classmethod
    def of(cls, robot: dyn.Robot) -> Chain:
        found, k = list[int](), robot.tips[0].link
        while k < len(robot.joints):
            found.append(k)
            k = robot.inboard[k]
        if not found:
            raise dyn.ModelError(f"robot {robot.name!r} has no joint that moves its tip.")
        return cls(robot, tuple(reversed(found)))

    def postures(self, q: Array) -> Postures:
        """Evaluates all (postures, joints of the chain, outward)."""
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
    """(postures, 4, 4): the transforms of a joint at its displacements."""
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
    """(postures, 3) unit vectors: direction of the hand, along the last part of the chain that is not too short."""
    found = np.zeros((len(points), 3))
    for before in range(points.shape[1] - 2, -1, -1):
        along = points[:, -1] - points[:, before]
        size = np.linalg.norm(along, axis=1)
        new = (size > POINT * length) & ~found.any(axis=1)
        found[new] = along[new] / size[new, None]
    return found


def least_gap(points: Array, length: float) -> Array:
    """(postures,) m: smallest distance of parts that are not neighbours; in a long chain a part is several links."""
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
    """Indices of the tested points among ``count`` along a chain, including its ends."""
    return np.unique(np.linspace(0, count - 1, min(count, MOST_PARTS + 1)).round().astype(np.int64))


def segment_gap(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Distance in m between the segments from a to b and from c to d, (many, 3) each."""
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


TRIED, ROUNDS, KEPT, NEAR = 3000, 24, 6, 50
"""Numbers of: postures tried anywhere, rounds, best postures kept, tries near each of them, closer every round."""
SHORT = 10  # Most joints for which as many postures are tried; a longer chain gets fewer
HEIGHT, AWAY = 0.35, 0.55  # Best height and distance of the hand, relative to the reach
ROOM = 0.12  # Clearance from a stop, as a share of a joint's range
FOLDED = 0.04  # Distance below which parts are too near each other, relative to the reach
TURN, SLIDE = np.pi, 0.5  # Assumed range of a joint without stops, rad or m to either side
NO_STOP = 1e3  # rad or m: a stop beyond this counts as none


@dataclass(frozen=True, eq=False)
class ReachingArm:
    """An arm in its reaching posture."""

    robot: dyn.Robot
    q: Array  # (joints of the robot,) tip to base, rad or m
    tip: Array  # (4, 4) root <- tip
    reach: float  # m, how far the tip gets from its first joint

    @property
    def azimuth(self) -> float:
        return float(np.arctan2(self.tip[1, 3], self.tip[0, 3]))


def reaching(robot: dyn.Robot) -> ReachingArm:
    """The posture in which a robot reaches out; the search takes some 0.1 s for seven joints."""
    chain, rng = Chain.of(robot), np.random.default_rng(0)
    lower, upper = _ends(chain)
    home = np.array([robot.home.get(joint.name, 0.0) for joint in robot.joints])
    fewer = min(1.0, SHORT / len(lower))
    anywhere = rng.uniform(lower, upper, (int(TRIED * fewer), len(lower)))
    tried = np.vstack([anywhere, np.clip(home[list(chain.joints)], lower, upper)])
    seen = chain.postures(tried)
    reach = float(np.linalg.norm(seen.points[:, -1] - seen.points[:, 1], axis=1).max())
    reach = reach or float(np.ptp(seen.points[:, -1], axis=0).max())  # for a slide, from its own origin
    if not reach > 0.0:
        raise dyn.ModelError(f"the tip of robot {robot.name!r} does not move.")
    judge = _PostureCost(chain, lower, upper, reach, seen)
    faults = judge.faults(tried, seen)
    best = tried[np.argsort(faults)[:KEPT]]
    for spread in np.geomspace(0.3, 0.005, ROUNDS):
        near = best[:, None] + spread * rng.normal(size=(KEPT, max(int(NEAR * fewer), 2), len(lower)))
        near[:, 0] = best
        flat = np.clip(near.reshape(-1, len(lower)), lower, upper)
        faults = judge.faults(flat, chain.postures(flat)).reshape(near.shape[:2])
        best = flat.reshape(near.shape)[np.arange(KEPT), faults.argmin(axis=1)]
    chosen = best[int(faults.min(axis=1).argmin())]
    q = np.clip(home, [joint.lower for joint in robot.joints], [joint.upper for joint in robot.joints])
    q[list(chain.joints)] = chosen
    return ReachingArm(robot, q, chain.postures(chosen[None]).tip[0], reach)


def _ends(chain: Chain) -> tuple[Array, Array]:
    joints = [chain.robot.joints[k] for k in chain.joints]
    free = np.array([TURN if joint.kind == "revolute" else SLIDE for joint in joints])
    low, high = np.array([(joint.lower, joint.upper) for joint in joints]).T
    has_low, has_high = np.abs(low) < NO_STOP, np.abs(high) < NO_STOP
    lower = np.where(has_low, low, np.where(has_high, np.minimum(-free, high - 2.0 * free), -free))
    return lower, np.where(has_high, high, np.where(has_low, np.maximum(free, low + 2.0 * free), free))


class _PostureCost:
    """The cost function of postures."""

    def __init__(self, chain: Chain, lower: Array, upper: Array, reach: float, seen: Postures) -> None:
        self._chain, self._lower, self._upper, self._reach = chain, lower, upper, reach
        sizes = self._sizes(seen)
        self._rank = int((np.median(sizes, axis=0) > 1e-6).sum())
        self._usual = float(np.quantile(sizes[:, self._rank - 1], 0.8))

    def _sizes(self, seen: Postures) -> Array:
        """(postures, up to 6) singular values of the tip's velocity, with lengths divided by the reach."""
        rows = seen.rows.copy()
        rows[:, 3:] /= self._reach
        return np.asarray(np.linalg.svd(rows, compute_uv=False))

    def faults(self, q: Array, seen: Postures) -> Array:
        reach, tip = self._reach, seen.points[:, -1]
        away = np.hypot(tip[:, 0], tip[:, 1])
        ahead = np.column_stack([tip[:, 0], tip[:, 1], np.zeros(len(tip))]) / np.maximum(away, 1e-9)[:, None]
        aside = np.abs(seen.points @ np.cross(ahead, [0.0, 0.0, 1.0])[:, :, None])[..., 0].mean(axis=1)
        span = np.maximum(self._upper - self._lower, 1e-9)
        room = (np.minimum(q - self._lower, self._upper - q) / span).min(axis=1)
        able = self._sizes(seen)[:, self._rank - 1] / self._usual
        return np.asarray(
            1.5 * (1.0 - np.minimum(able, 1.0))
            + 1.5 * (1.0 - (pointing(seen.points, reach) * ahead).sum(axis=1))
            + 0.5 * ((tip[:, 2] / reach - HEIGHT) / 0.2) ** 2
            + 0.5 * ((away / reach - AWAY) / 0.2) ** 2
            + 2.0 * np.maximum(ROOM - room, 0.0) / ROOM
            + 3.0 * np.maximum(FOLDED - least_gap(seen.points, reach) / reach, 0.0) / FOLDED
            + 20.0 * np.maximum(0.04 - seen.points[:, 2:, 2].min(axis=1) / reach, 0.0)
            + 4.0 * aside / reach
            + 0.5 * ((q - 0.5 * (self._lower + self._upper)) ** 2).mean(axis=1)
            - 0.4 * seen.points[:, :, 2].mean(axis=1) / reach
        )
