"""The largest ellipsoid round a joint that is still hidden within the links that meet there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.mesh import SceneMesh

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
WAYS = 32
"""Number of directions from a joint in which the surface of its links is sought."""
PEEKING = 0.15
"""Share of the directions in which a hidden ellipsoid may protrude a little and still not be recognized."""
FAINT = 0.004
"""Half-axis, as a share of the reach, that is no more than a dot."""


def covers(system: dyn.System, start: dyn.Solution, bodies: Mapping[int, SceneMesh], reach: float) -> Array:
    """(joints,) m: the radius up to which a ball about O_k is within link k and the body that it sits on.

    Args:
        start: the moment whose posture is measured.
        bodies: the links' meshes in their own axes; key -1 - arm is the body an arm is bolted to, in its root's axes.
    """
    ways = _ways()
    found = np.zeros(system.n_joints)
    for k in range(system.n_joints):
        inner, arm = int(system.inboard[k]), int(system.arm_of_link[k])
        far = _exits(bodies.get(k), start.link_pose[k], start.link_pose[k, :3, 3], ways)
        inner, pose = (inner, start.link_pose[inner]) if inner >= 0 else (-1 - arm, system.base_poses[arm])
        far = np.maximum(far, _exits(bodies.get(inner), pose, start.link_pose[k, :3, 3], ways))
        found[k] = max(float(np.quantile(far, PEEKING)), FAINT * reach)
    return found


def _ways() -> Array:
    """(WAYS, 3) unit vectors, evenly distributed."""
    height = 1.0 - (2.0 * np.arange(WAYS) + 1.0) / WAYS
    angle = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(WAYS)
    level = np.sqrt(1.0 - height * height)
    return np.column_stack([level * np.cos(angle), level * np.sin(angle), height])


def _exits(body: SceneMesh | None, pose: Array, origin: Array, ways: Array) -> Array:
    """(ways,) m: distance from ``origin`` to the outermost surface of a body in each direction; 0 if there is none."""
    if body is None:
        return np.zeros(len(ways))
    points = (np.asarray(body.points, float) @ pose[:3, :3].T + pose[:3, 3] - origin)[np.asarray(body.faces, int)]
    # The three corners of a face span a cone from the origin: a direction within it meets the face.
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    normal = np.cross(b - a, c - a)
    volume = np.einsum("fi,fi->f", a, normal)
    edges = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
    sides = np.einsum("efi,wi->ewf", edges, ways) * np.sign(volume)
    toward = np.einsum("fi,wi->wf", normal, ways) * np.sign(volume)
    met = (sides >= 0.0).all(axis=0) & (toward > 0.0)
    far = np.where(met, np.abs(volume) / np.where(met, toward, 1.0), 0.0)
    return np.asarray(far.max(axis=1, initial=0.0), float)
