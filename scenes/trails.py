"""The path of a body over the last seconds as a chain of thin rods, the older the thinner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.motion import arrow_transforms

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
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
        moved = arrow_transforms(
            paths[:, :-1].reshape(-1, 3), along.reshape(-1, 3), np.tile(fading, len(paths)), shortest=1e-5
        )
        out[:, RODS - pieces :] = moved.reshape(len(paths), pieces, 3, 4)
    return out
