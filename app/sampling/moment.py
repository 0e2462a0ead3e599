"""One instant of a run, whose parts are computed when they are first asked for."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.leg import leg_at
from app.motion.run import Run
from dynamics.solve import CenterOfMass

Array = NDArray[np.float64]


class Moment:
    """What the plotted quantities are read from: the complete solution, and what only the recording knows.

    Args:
        solution: at this instant, if it is known already.
    """

    def __init__(self, run: Run, time: float, solution: dyn.Solution | None = None) -> None:
        self.run = run
        self.time = min(time, run.end)
        if solution is not None:
            self.solution = solution

    @cached_property
    def solution(self) -> dyn.Solution:
        """The complete solution at this instant.

        Raises:
            SingularConfigurationError, StateError: where the mechanics has none.
        """
        return self.run.solution_at(self.time)

    @property
    def system(self) -> dyn.System:
        return self.solution.system

    @cached_property
    def mass_center(self) -> CenterOfMass:
        """Of links and object, with the momentum about it."""
        return dyn.center_of_mass(self.solution.system, self.solution.state)

    @property
    def base_acceleration(self) -> Array | None:
        """(1, 6) of a single floating base."""
        found = self.solution.base_acceleration
        return None if found is None else found.reshape(-1, 6)

    @property
    def object_position(self) -> Array | None:
        """(1, 3) m, of the mass center."""
        pose = self.solution.state.object_pose
        return None if pose is None else pose[None, :3, 3]

    @property
    def object_velocity(self) -> Array | None:
        """(1, 6) at the mass center."""
        velocity = self.solution.state.object_velocity
        return None if velocity is None else velocity[None]

    @property
    def drift(self) -> Array:
        """(1, 2) worst gap of the closure in position and in velocity, before it was projected away."""
        leg = leg_at(self.run.legs, self.time)
        recorded = leg.recording.segment_at(self.time - leg.start)
        nearest = int(np.argmin(np.abs(recorded.times - (self.time - leg.start))))
        return recorded.drift[None, nearest]
