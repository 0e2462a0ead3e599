"""What an arm is bolted to where its file draws nothing: a column, a bracket, or a stand to swing from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import palette, shapes
from scenes.links import tube_between
from scenes.proportions import Proportions

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]


def column(
    system: dyn.System, arm: int, sizes: Proportions, height: float, up: Array, theme: palette.Theme
) -> pv.PolyData:
    """Tubes from the root's origin to its joints, and a column with a foot ``height`` metres below it.

    Args:
        up: unit vector in the root's axes.
    """
    metal = palette.METAL[theme]
    radius = _radius(system, arm, sizes)
    pieces = []
    for j in sizes.first(system, arm):
        end = system.joint_models[j].origin[:3, 3]
        if np.linalg.norm(end) > 0.25 * radius:
            pieces.append(tube_between(np.zeros(3), end, 0.95 * radius, 0.85 * radius, metal))
    if height > 0.0:
        thick = min(radius, 0.30 * height)
        pieces.append(tube_between(-0.4 * thick * up, -(height - thick) * up, 0.85 * thick, thick, metal))
        pieces.append(_foot(thick, -height * up, up, metal))
    elif pieces:
        pieces.append(_foot(radius, np.zeros(3), up, metal))
    else:
        axis = _axis(system, sizes.first(system, arm)[0])
        plate = shapes.drum(1.5 * radius, -1.8 * radius, -1.3 * radius)
        pieces.append(shapes.painted(shapes.placed(plate, shapes.frame_along(axis)), metal))
    return shapes.merged(pieces)


def stand(
    system: dyn.System, arm: int, sizes: Proportions, height: float, up: Array, behind: Array, theme: palette.Theme
) -> pv.PolyData:
    """A post behind the plane in which an arm swings, and a pin from it to the first joint.

    Args:
        height: of the root's origin above the floor, m.
        up, behind: unit vectors in the root's axes.
    """
    metal = palette.METAL[theme]
    radius = min(_radius(system, arm, sizes), 0.03 * float(sizes.reach[arm]))
    start = system.joint_models[sizes.first(system, arm)[0]].origin[:3, 3]
    top = start + max(6.0 * radius, 0.10 * float(sizes.reach[arm])) * behind
    floor = top - (float(top @ up) + height) * up
    pieces = [
        tube_between(start, top, 0.5 * radius, 0.7 * radius, metal),
        tube_between(floor + 0.5 * radius * up, top, 0.95 * radius, 0.8 * radius, metal),
        _foot(1.6 * radius, floor, up, metal),
    ]
    return shapes.merged(pieces)


def _foot(radius: float, at: Array, up: Array, color: str) -> pv.PolyData:
    plate = shapes.foot(2.1 * radius, 0.4 * radius, 1.4 * radius)
    return shapes.painted(shapes.placed(plate, shapes.frame_along(up, at)), color)


def _radius(system: dyn.System, arm: int, sizes: Proportions) -> float:
    """Of the largest joint on the root."""
    return max(float(sizes.joint_radius[j]) for j in sizes.first(system, arm))


def _axis(system: dyn.System, joint: int) -> Array:
    """A joint's axis in the axes of what it sits on."""
    model = system.joint_models[joint]
    return model.origin[:3, :3] @ model.axis
