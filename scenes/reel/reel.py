"""A recording as pictures: one scene, scales that hold throughout, and a camera that keeps everything in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes import palette
from scenes.flight import COURSE_STEP, RODS, STEP, ends
from scenes.layers import AUTOMATIC
from scenes.options import Look, pushes
from scenes.scene import Scene
from scenes.surroundings import Camera

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
TOGETHER = 16
"""Number of moments that are solved and placed at once."""
SIGHTED = 120
"""Number of moments from which scales and camera are chosen."""


class Reel:
    """Draws a recording as the page draws a run: bodies, and the requested layers beside them.

    Args:
        recording: the run to draw.
        layers: names of the layers to show.
        theme: of the colors.

    Attributes:
        scene: the scene of all pictures; its scales hold from beginning to end.
        begin, end: s, of the recording.

    Raises:
        SingularConfigurationError: if its first instant has no solution.
    """

    def __init__(self, recording: dyn.Recording, layers: Sequence[str], theme: palette.Theme = "light") -> None:
        self._recording = recording
        self._layers = (*AUTOMATIC, *layers)
        self.begin, self.end = float(recording.t[0]), recording.duration
        self._last = recording.solution_at(self.begin)
        self.scene = Scene(self._last.system, self._last, theme)
        self._seen = self._settled()

    def _settled(self) -> NDArray[np.float32]:
        """Chooses scales for the whole recording; returns (moments, meshes, 12) of the moments used."""
        scales = self.scene.scales
        scales.grows = False
        scales.begin()
        count = SIGHTED if self.end > self.begin else 1
        seen = np.stack(list(self.transforms(np.linspace(self.begin, self.end, count))))
        scales.refit()
        scales.fixed = scales.units
        return seen

    def camera(self, size: tuple[int, int]) -> Camera:
        """The camera, in the scene's own direction, that keeps all bodies in sight throughout."""
        return self.scene.camera_on(self._seen, size[0] / size[1])

    def transforms(self, times: Array) -> Iterator[NDArray[np.float32]]:
        """(meshes, 12) of ``Scene.transforms`` at each of these ascending times, s.

        Where the mechanics has no solution, the last moment with one is repeated.
        """
        for first in range(0, len(times), TOGETHER):
            some = times[first : first + TOGETHER].tolist()
            solutions = self._solutions(some)
            looks = [self._look(time, solution) for time, solution in zip(some, solutions, strict=True)]
            yield from self.scene.pictures(solutions, self._layers, looks)

    def _solutions(self, times: list[float]) -> list[dyn.Solution]:
        import dynamics

        try:
            found = list(self._recording.solutions_at(times))
        except dynamics.SingularConfigurationError:
            found = []
            for time in times:
                with suppress(dynamics.SingularConfigurationError):
                    self._last = self._recording.solution_at(time)
                found.append(self._last)
        self._last = found[-1]
        return found

    def _look(self, time: float, solution: dyn.Solution) -> Look:
        paths = course = None
        if "trails" in self._layers:
            paths = np.stack([*map(self._bodies, self._before(time, STEP)), ends(solution.tip_pose, solution.state)], 1)
        if "mass_center_path" in self._layers:
            course = np.stack(
                [*map(self._middle, self._before(time, COURSE_STEP)), _mass_center(solution.system, solution.state)]
            )
        wrench = self._recording.segment_at(time).wrench_at(time)
        return Look(paths=paths, course=course, pushes=pushes(wrench, solution) if "push" in self._layers else ())

    def _before(self, time: float, step: float) -> Array:
        """s, on a fixed grid so that a trail stays still while its end moves; oldest first."""
        last = int(np.floor((time - self.begin) / step + 1e-9))
        return np.minimum(self.begin + step * np.arange(max(last - RODS + 1, 0), last + 1), self.end)

    def _bodies(self, time: float) -> Array:
        import dynamics

        state = self._recording.state_at(time)
        return ends(dynamics.forward_kinematics(self._recording.system_at(time), state).tip_pose, state)

    def _middle(self, time: float) -> Array:
        return _mass_center(self._recording.system_at(time), self._recording.state_at(time))


def _mass_center(system: dyn.System, state: dyn.State) -> Array:
    import dynamics

    return dynamics.center_of_mass(system, state).position
