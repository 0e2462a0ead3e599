"""The mass centre's straight path and the constant momentum of a machine in flight; and the trails of tips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes import motion
from scenes.arrows import LayerArrows, arrow_transforms, largest
from scenes.instants import Moments
from scenes.layers import FLIGHT
from scenes.scales import Scales

if TYPE_CHECKING:
    import dynamics as dyn

RODS = 36
"""Number of pieces of one trail."""
STEP = 0.05
"""Seconds between two points of a trail."""


def ends(tip_pose: Array, state: dyn.State) -> Array:
    """(tips and object, 3) world, m: the points that leave a trail."""
    tips = tip_pose[:, :3, 3]
    return tips if state.object_pose is None else np.vstack([tips, state.object_pose[:3, 3]])


def together(paths: Sequence[Array]) -> Array:
    """(moments * bodies, samples, 3) from paths (bodies, samples, 3); a short one is padded with its first point."""
    most = max(path.shape[1] for path in paths)
    return np.concatenate([np.pad(path, ((0, 0), (most - path.shape[1], 0), (0, 0)), mode="edge") for path in paths])


def trail_transforms(paths: Array, thickness: float) -> Array:
    """World <- unit rod along z of every piece of every path.

    Args:
        paths: (bodies, samples <= RODS + 1, 3) world, oldest first.
        thickness: metres, of the newest piece.

    Returns:
        (bodies, RODS, 3, 4), newest piece last; zeros for pieces beyond a path that is too short.
    """
    out = np.zeros((len(paths), RODS, 3, 4))
    pieces = min(paths.shape[1] - 1, RODS)
    if pieces > 0:
        paths = paths[:, -pieces - 1 :]
        along = np.diff(paths, axis=1)
        fading = thickness * (0.25 + 0.75 * np.linspace(0.0, 1.0, RODS)[RODS - pieces :])
        moved = motion.arrow_transforms(
            paths[:, :-1].reshape(-1, 3), along.reshape(-1, 3), np.tile(fading, len(paths)), shortest=1e-5
        )
        out[:, RODS - pieces :] = moved.reshape(len(paths), pieces, 3, 4)
    return out


if TYPE_CHECKING:
    import dynamics as dyn
    from dynamics.solve import CenterOfMass

Array = NDArray[np.float64]
NAMES = frozenset(layer.name for layer in FLIGHT)
AHEAD = 8
"""Number of dashes of the predicted path."""
COURSE_STEP, DASH_STEP = 0.5, 1.5
"""Seconds between two points of the past path, and from dash to dash."""
DASH = 0.55
"""Share of the predicted path that its dashes cover."""
LEAST = 0.9
"""Least length of the predicted path without gravity, in reaches."""
SLOWEST = 1e-4
"""Speed of the mass centre, in reaches a second, below which it counts as at rest."""
MARK, THICKNESS, AXES = 0.03, 0.004, 0.32
"""Sizes in reaches: the mass centre's ball, the path, the inertial axes."""
ROUNDING = 1e-6
"""Momentum below this share of what the same bodies could have at the same speeds is only rounding."""


def conserved(solution: dyn.Solution, center: CenterOfMass, reach: float) -> dict[str, Array]:
    """(3,) for each arrow, by layer; zero where the value is only rounding."""
    most = float(np.sqrt(2.0 * center.mass * max(solution.kinetic_energy, 0.0)))
    found = {}
    for name, vector, bound in (
        ("momentum", center.linear_momentum, most),
        ("angular_momentum", center.angular_momentum, most * reach),
    ):
        found[name] = vector if float(np.linalg.norm(vector)) > ROUNDING * bound else np.zeros(3)
    return found


class Flight:
    """The mass centre of all bodies, its path, and the conserved momenta."""

    def __init__(self, scales: Scales, reach: float) -> None:
        self._scales, self._reach = scales, reach

    def put(self, out: Array, rows: Mapping[str, NDArray[np.int64]], moments: Moments, shown: set[str]) -> None:
        """Writes the transforms of the visible layers into (moments, meshes, 3, 4)."""
        mine = {name for name in NAMES & shown if len(rows[name])}
        if not mine:
            return
        import dynamics

        reach = self._reach
        centers = [dynamics.center_of_mass(solution.system, solution.state) for solution in moments.solutions]
        position = np.array([center.position for center in centers])
        if "inertial_axes" in mine:
            out[:, rows["inertial_axes"]] = AXES * reach * np.eye(3, 4)
        if "mass_center" in mine:
            size = np.broadcast_to(MARK * reach * np.eye(3), (len(moments), 3, 3))
            out[:, rows["mass_center"]] = np.concatenate([size, position[:, :, None]], axis=2)[:, None]
        if "mass_center_path" in mine:
            for at, (center, look) in enumerate(zip(centers, moments.looks, strict=True)):
                out[at, rows["mass_center_path"]] = self._path(center, look.course)
        moving = [conserved(*each, reach) for each in zip(moments.solutions, centers, strict=True)]
        units = {layer.name: layer.unit(moments.look.block) for layer in FLIGHT}
        sheaves = [
            LayerArrows(name, units[name], position, np.array([each[name] for each in moving]))
            for name in moving[0]
            if name in mine
        ]
        self._scales.follow(*largest(sheaves))
        for sheaf, moved in zip(sheaves, arrow_transforms(sheaves, self._scales, reach), strict=True):
            out[:, rows[sheaf.layer]] = moved[:, None]

    def _dash_step(self, center: CenterOfMass) -> float:
        """Seconds from dash to dash: longer on a straight path that would otherwise end within the bodies."""
        speed = float(np.linalg.norm(center.velocity))
        if np.any(center.gravity) or speed <= SLOWEST * self._reach:
            return DASH_STEP
        return max(DASH_STEP, LEAST * self._reach / (AHEAD * speed))

    def _path(self, center: CenterOfMass, course: Array | None) -> Array:
        """(rods, 3, 4): the past path, then in dashes the path ahead if nothing pushes."""
        thick = THICKNESS * self._reach
        out = np.zeros((RODS + AHEAD, 3, 4))
        if course is not None:
            out[:RODS] = trail_transforms(course[None], thick)[0]
        dash_step = self._dash_step(center)
        begin = dash_step * (np.arange(AHEAD) + 1.0 - DASH)
        start, end = center.coast(begin), center.coast(begin + DASH * dash_step)
        out[RODS:] = motion.arrow_transforms(start, end - start, np.full(AHEAD, thick), shortest=1e-5)
        return out
