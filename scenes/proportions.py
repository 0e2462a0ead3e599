"""Drawn sizes: reach of an arm, joint radii, boxes of equal inertia."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Proportions:
    """Lengths in metres to which all shapes of one system are drawn.

    Attributes:
        reach: (arms,) the longest stretched-out path from base to tip.
        joint_radius: (joints,) radius of the drum of each joint, larger towards the base.
        outboard: for each link the joints that sit on it; the last entry is the world-fixed roots' joints.
    """

    reach: Array
    joint_radius: Array
    outboard: tuple[tuple[int, ...], ...]

    def first(self, system: dyn.System, arm: int) -> list[int]:
        """The joints on the bolted root of an arm."""
        return [j for j in self.outboard[-1] if int(system.arm_of_link[j]) == arm]


def proportions(system: dyn.System) -> Proportions:
    """Reach and radii, from joint offsets and the mass that each joint carries."""
    inboard = np.asarray(system.inboard)
    arms = np.asarray(system.arm_of_link)
    n = system.n_joints
    outboard = tuple(tuple(int(j) for j in np.flatnonzero(inboard[:n] == k)) for k in [*range(system.n_links), -1])
    step = np.array([np.linalg.norm(joint.origin[:3, 3]) for joint in system.joint_models])
    travel = np.array([max(abs(j.lower), abs(j.upper)) if j.kind == "prismatic" else 0.0 for j in system.joint_models])
    step = step + np.where(np.isfinite(travel), travel, 0.0)
    carried = np.array([link.mass for link in system.link_models], float)
    for k in range(n):  # every body before its inboard neighbor
        if inboard[k] >= 0:
            carried[inboard[k]] += carried[k]
    path = np.zeros(system.n_links)
    for k in reversed(range(n)):
        path[k] = step[k] + (path[inboard[k]] if inboard[k] >= 0 else 0.0)
    tip_step = np.zeros(system.n_links)
    for tip in system.tips:
        tip_step[tip.link] = max(tip_step[tip.link], np.linalg.norm(tip.pose[:3, 3]))
    for k in range(n):  # a leaf that ends at its own joint is drawn to its mass centre and beyond
        if not outboard[k] and tip_step[k] == 0.0:
            tip_step[k] = 2.0 * np.linalg.norm(system.link_models[k].center_of_mass)
    count = int(arms.max(initial=0)) + 1
    reach = np.array([max((path + tip_step)[arms == arm], default=0.0) for arm in range(count)])
    reach = np.where(reach > 1e-6, reach, 0.3)

    radius = np.zeros(n)
    for arm in range(count):
        mine = np.flatnonzero(arms[:n] == arm)
        if not len(mine):
            continue
        segments = np.concatenate([step[mine], tip_step[mine]])
        segments = segments[segments > 0.02 * reach[arm]]
        typical = float(np.median(segments)) if len(segments) else reach[arm]
        share = carried[mine] / max(carried[mine].max(), 1e-12)
        radius[mine] = np.minimum(reach[arm] * (0.026 + 0.036 * np.sqrt(share)), 0.34 * typical)
    return Proportions(reach, radius, outboard)


def equal_inertia_box(mass: float, inertia: ArrayLike) -> tuple[Array, Array]:
    """Edges (3,) and axes (3, 3, columns) of the uniform box with this mass and inertia about its mass centre."""
    moments, axes = np.linalg.eigh(np.asarray(inertia, float))
    if np.linalg.det(axes) < 0.0:
        axes = axes * [1.0, 1.0, -1.0]
    squares = 6.0 * (moments.sum() - 2.0 * moments) / max(mass, 1e-12)
    edges = np.sqrt(np.maximum(squares, 0.0))
    return np.maximum(edges, max(0.05 * edges.max(), 1e-3)), axes
