"""Joint axes, link frames, mass centres, trails, and the direction that the filter frees where the cursor stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.look import Look
from scenes.proportions import Proportions
from scenes.quantity_meshes import local_rods
from scenes.trails import trail_transforms

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
FRAME, MASS_CENTRE, TRAIL = 0.13, 0.022, 0.007  # sizes in reaches of the shortest arm
FREED = 2.4  # half the length of the freed direction's axis in radii of its joint


class Marks:
    """What has a place and a direction, but no scale."""

    def __init__(self, system: dyn.System, sizes: Proportions) -> None:
        self._joint_kinds = [joint.kind for joint in system.joint_models]
        self._reach = float(sizes.reach.min())
        self._rods = local_rods(system, sizes)
        self._freed = local_rods(system, sizes, FREED)
        self._system: dyn.System | None = None
        self._centers = np.empty((0, 3))

    def put(
        self, out: Array, rows: Mapping[str, NDArray[np.int64]], solution: dyn.Solution, shown: set[str], look: Look
    ) -> None:
        """Writes the transforms of the visible marks into (meshes, 3, 4)."""
        poses, joints = solution.link_pose, len(self._rods)
        if "axes" in shown:
            out[rows["axes"]] = (poses[:joints] @ self._rods)[:, :3]
        if "frames" in shown:
            frames = poses[:, :3].copy()
            frames[:, :, :3] *= FRAME * self._reach
            out[rows["frames"]] = frames
        if "mass_centres" in shown:
            marks = np.zeros((len(poses), 3, 4))
            marks[:, :, :3] = MASS_CENTRE * self._reach * poses[:, :3, :3]
            marks[:, :, 3] = self._mass_centers(solution)
            out[rows["mass_centres"]] = marks
        if "trails" in shown and look.paths is not None:
            out[rows["trails"]] = trail_transforms(look.paths, TRAIL * self._reach).reshape(-1, 3, 4)
        k = look.link
        if "freed" in shown and look.stage == "filter" and k is not None and k < joints:
            slides = self._joint_kinds[k] == "prismatic"
            out[rows["freed"][int(slides)]] = (poses[k] @ self._freed[k])[:3]

    def _mass_centers(self, solution: dyn.Solution) -> Array:
        """(links, 3) world."""
        if solution.system is not self._system:
            self._system = solution.system
            self._centers = np.array([model.center_of_mass for model in solution.system.link_models])
        poses = solution.link_pose
        return np.einsum("kij,kj->ki", poses[:, :3, :3], self._centers) + poses[:, :3, 3]
