"""Where bodies were before the cursor: tips and object during the last seconds, the mass centre for longer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.computed_legs import leg_at
from app.motion.run import Run
from scenes.flight import COURSE_STEP
from scenes.trails import RODS, STEP, ends

Array = NDArray[np.float64]


class Raster:
    """Points on a fixed raster of time, so that a line lies still while its end moves; each is looked up once.

    Args:
        step: s between two of them.
        at: what is looked up, at s of a run.
    """

    def __init__(self, step: float, at: Callable[[Run, float], Array]) -> None:
        self._step, self._at = step, at
        self._run: Run | None = None
        self._points: dict[int, Array] = {}

    def until(self, run: Run, time: float) -> list[Array]:
        """The last of them, oldest first."""
        if run is not self._run:
            self._run, self._points = run, {}
        last = int(np.floor(time / self._step + 1e-9))
        window = range(max(last - RODS + 1, 0), last + 1)
        self._points = {
            k: self._points[k] if k in self._points else self._at(run, min(k * self._step, run.end)) for k in window
        }
        return list(self._points.values())


class Past:
    """Paths that end where the cursor is.

    Cost: the kinematics of one state for every new point, of ``RODS`` states after a jump; a solution each for the
    mass centre.
    """

    def __init__(self) -> None:
        self._bodies, self._middles = Raster(STEP, bodies_at), Raster(COURSE_STEP, middle_at)

    def paths(self, run: Run, time: float, solution: dyn.Solution) -> Array:
        """(tips and object, samples, 3) world, oldest first and the instant of ``solution`` last."""
        return np.stack([*self._bodies.until(run, time), ends(solution.tip_pose, solution.state)], axis=1)

    def course(self, run: Run, time: float, solution: dyn.Solution) -> Array:
        """(samples, 3) world, of the mass centre of all bodies likewise."""
        return np.stack([*self._middles.until(run, time), dyn.center_of_mass(solution.system, solution.state).position])


def bodies_at(run: Run, time: float) -> Array:
    system, state = moment_at(run, time)
    return ends(dyn.forward_kinematics(system, state).tip_pose, state)


def middle_at(run: Run, time: float) -> Array:
    return dyn.center_of_mass(*moment_at(run, time)).position


def moment_at(run: Run, time: float) -> tuple[dyn.System, dyn.State]:
    leg = leg_at(run.legs, time)
    own = leg.own(time)
    return leg.recording.system_at(own), leg.recording.state_at(own)
