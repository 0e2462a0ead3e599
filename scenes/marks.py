"""Joint axes, link frames, mass centres, trails, and the direction that the filter frees at the cursor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.flight import together, trail_transforms
from scenes.instants import Moments
from scenes.quantity_meshes import local_rods
from scenes.scales import Proportions

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
FRAME, MASS_CENTRE, TRAIL = 0.13, 0.022, 0.007  # sizes in reaches of the shortest arm
FREED = 2.4  # half the length of the freed direction's axis in radii of its joint


class Marks:
    """Marks, which have a position and a direction but no scale."""

    def __init__(self, system: dyn.System, sizes: Proportions) -> None:
        self._joint_kinds = [joint.kind for joint in system.joint_models]
        self._reach = float(sizes.reach.min())
        self._rods = local_rods(system, sizes)
        self._freed = local_rods(system, sizes, FREED)
        self._system: dyn.System | None = None
        self._centers = np.empty((0, 3))

    def put(self, out: Array, rows: Mapping[str, NDArray[np.int64]], moments: Moments, shown: set[str]) -> None:
        """Writes the transforms of the visible marks into (moments, meshes, 3, 4)."""
        poses, joints, look = moments.link_pose, len(self._rods), moments.look
        if "axes" in shown:
            out[:, rows["axes"]] = (poses[:, :joints] @ self._rods)[:, :, :3]
            _hide(out, rows["axes"], look.only.get("axes"))
        if "frames" in shown:
            frames = poses[:, :, :3].copy()
            frames[..., :3] *= FRAME * self._reach
            out[:, rows["frames"]] = frames
            _hide(out, rows["frames"], look.only.get("frames"))
        if "mass_centres" in shown:
            marks = np.zeros((*poses.shape[:2], 3, 4))
            marks[..., :3] = MASS_CENTRE * self._reach * poses[:, :, :3, :3]
            marks[..., 3] = self._mass_centers(moments)
            out[:, rows["mass_centres"]] = marks
        if "trails" in shown and look.paths is not None:
            paths = [each.paths for each in moments.looks if each.paths is not None]
            out[:, rows["trails"]] = trail_transforms(together(paths), TRAIL * self._reach).reshape(
                len(moments), -1, 3, 4
            )
        k = look.link
        if "freed" in shown and look.stage == "filter" and k is not None and k < joints:
            slides = self._joint_kinds[k] == "prismatic"
            out[:, rows["freed"][int(slides)]] = (poses[:, k] @ self._freed[k])[:, :3]

    def _mass_centers(self, moments: Moments) -> Array:
        """(moments, links, 3) world."""
        if moments.system is not self._system:
            self._system = moments.system
            self._centers = np.array([model.center_of_mass for model in moments.system.link_models])
        poses = moments.link_pose
        return np.einsum("tkij,kj->tki", poses[:, :, :3, :3], self._centers) + poses[:, :, :3, 3]


def _hide(out: Array, rows: NDArray[np.int64], seen: NDArray[np.bool_] | None) -> None:
    """Hides the marks of links that are not looked at."""
    if seen is not None:
        out[:, rows[~seen[: len(rows)]]] = 0.0
