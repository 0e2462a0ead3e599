"""Where the tips and the object were during the last seconds before the cursor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.run import Run, leg_at
from scenes.trails import RODS, STEP

Array = NDArray[np.float64]


class Past:
    """Points on a fixed raster of time, so that a trail lies still while its end moves; each is looked up once.

    Cost: the kinematics of one state for every new point, of ``RODS`` states after a jump.
    """

    def __init__(self) -> None:
        self._run: Run | None = None
        self._points: dict[int, Array] = {}

    def paths(self, run: Run, time: float, solution: dyn.Solution) -> Array:
        """(tips and object, samples, 3) world, oldest first and the instant of ``solution`` last."""
        if run is not self._run:
            self._run, self._points = run, {}
        last = int(np.floor(time / STEP + 1e-9))
        window = range(max(last - RODS + 1, 0), last + 1)
        self._points = {k: self._points[k] if k in self._points else self._at(run, k * STEP) for k in window}
        samples = [*self._points.values(), points(solution.tip_pose, solution.state)]
        return np.stack(samples, axis=1)

    def _at(self, run: Run, time: float) -> Array:
        time = min(time, run.end)
        leg = leg_at(run.legs, time)
        recording, own = leg.recording, leg.own(time)
        state = recording.state_at(own)
        return points(dyn.tip_poses(recording.system_at(own), state), state)


def points(tip_pose: Array, state: dyn.State) -> Array:
    """(tips and object, 3) world."""
    tips = tip_pose[:, :3, 3]
    return tips if state.object_pose is None else np.vstack([tips, state.object_pose[:3, 3]])
