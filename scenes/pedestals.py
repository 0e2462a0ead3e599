"""What an arm is bolted to where its file draws nothing: a column, a bracket, or a stand to swing from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import palette, shapes
from scenes.links import tube_between
from scenes.scales import Proportions

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
FOOT = 2.1
"""Radius of a foot, in radii of the column."""
NEAR = 1.6
"""Distance from a joint, in joint radii, within which its links and what it is bolted to are joined."""
LEVEL = 0.5
"""Least level component of a joint axis for a post to stand behind the links that turn about it."""
THIN = 0.6
"""Radius of a post beside an arm, as a share of half its links' breadth."""


def column(
    system: dyn.System, arm: int, sizes: Proportions, height: float, up: Array, drawn: Array, theme: palette.Theme
) -> pv.PolyData:
    """Tubes from the root's origin to its joints, and a column with a foot ``height`` metres below it.

    Where the arm's own links are in the way, there is only a plate behind the first joint.

    Args:
        up: unit vector in the root's axes.
        drawn: (m, 3) in the root's axes, points of the arm's links.
    """
    metal = palette.METAL[theme]
    radius = _radius(system, arm, sizes)
    if _is_taken(drawn, radius, up):
        return _plate(system, sizes.first(system, arm)[0], radius, drawn, metal)
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
        pieces.append(_plate(system, sizes.first(system, arm)[0], radius, drawn, metal))
    return shapes.merged(pieces)


def is_in_the_way(system: dyn.System, arm: int, sizes: Proportions, drawn: Array) -> bool:
    """Whether a column's tubes would go through the arm's links, away from the joints where they end.

    Args:
        drawn: (m, 3) in the root's axes, points all over the surface of the arm's links.
    """
    radius = _radius(system, arm, sizes)
    ends = (system.joint_models[j].origin[:3, 3] for j in sizes.first(system, arm))
    return any(_is_within(drawn, end, radius) for end in ends)


def _is_within(drawn: Array, end: Array, radius: float) -> bool:
    """Whether links are in a tube from the origin to ``end``, or where it stands."""
    length = float(np.linalg.norm(end))
    if length < NEAR * radius:
        return False
    along = drawn @ end / length
    across = np.linalg.norm(drawn - np.outer(along, end) / length, axis=1)
    return bool(((along < length - NEAR * radius) & (along > -NEAR * radius) & (across < radius)).any())


def beside(
    system: dyn.System,
    arm: int,
    sizes: Proportions,
    height: float | None,
    up: Array,
    toward: Array,
    drawn: Array,
    theme: palette.Theme,
) -> pv.PolyData:
    """Where a column would hide the arm: a post behind it, thinner than its links, or a plate behind the first joint.

    Args:
        height: of the root's origin above the floor, m; None if there is no floor.
        up, toward: unit vectors in the root's axes, the latter toward the initial camera.
        drawn: (m, 3) in the root's axes, points all over the surface of the arm's links.
    """
    joint, radius = sizes.first(system, arm)[0], _radius(system, arm, sizes)
    behind = _axis(system, joint)
    behind = behind - float(behind @ up) * up
    level = float(np.linalg.norm(behind))
    if height is None or level < LEVEL:
        return _plate(system, joint, radius, drawn, palette.METAL[theme])
    behind *= (-1.0 if behind @ toward > 0.0 else 1.0) / level
    breadth = float(np.abs((drawn - system.joint_models[joint].origin[:3, 3]) @ behind).max(initial=0.0))
    thin = min(THIN * breadth, 0.01 * float(sizes.reach[arm]))
    return stand(system, arm, sizes, height, up, behind, drawn, theme, thin)


def _is_taken(drawn: Array, radius: float, up: Array) -> bool:
    """Whether links are where a column would be: below the base, as near its axis as the foot is wide."""
    below = drawn @ up < -1.6 * radius
    across = np.linalg.norm(drawn - np.outer(drawn @ up, up), axis=1) < FOOT * radius
    return bool((below & across).any())


def _plate(system: dyn.System, joint: int, radius: float, drawn: Array, color: str) -> pv.PolyData:
    """A plate behind a joint, on the side of its axis that is free of links."""
    axis, place = _axis(system, joint), system.joint_models[joint].origin[:3, 3]
    along = (drawn - place) @ axis
    below, above = max(0.0, -float(along.min(initial=0.0))), float(along.max(initial=0.0))
    side, near = (1.0, below) if below <= above + radius else (-1.0, above)
    near = max(1.3 * radius, near + 0.05 * radius)
    plate = shapes.drum(1.5 * radius, -near - 0.5 * radius, -near)
    return shapes.painted(shapes.placed(plate, shapes.frame_along(side * axis, place)), color)


def stand(
    system: dyn.System,
    arm: int,
    sizes: Proportions,
    height: float,
    up: Array,
    behind: Array,
    drawn: Array,
    theme: palette.Theme,
    thickest: float = np.inf,
) -> pv.PolyData:
    """A post behind the plane in which an arm swings, and a pin from it to the first joint.

    Args:
        height: of the root's origin above the floor, m.
        up, behind: unit vectors in the root's axes.
        drawn: (m, 3) in the root's axes, points of the arm's links: the post is behind them.
        thickest: largest radius of the post, m.
    """
    metal = palette.METAL[theme]
    radius = min(_radius(system, arm, sizes), 0.03 * float(sizes.reach[arm]), thickest)
    start = system.joint_models[sizes.first(system, arm)[0]].origin[:3, 3]
    thick = float(((drawn - start) @ behind).max(initial=0.0))
    top = start + max(6.0 * radius, 0.10 * float(sizes.reach[arm]), thick + 2.0 * radius) * behind
    floor = top - (float(top @ up) + height) * up
    pieces = [
        tube_between(start, top, 0.5 * radius, 0.7 * radius, metal),
        tube_between(floor + 0.5 * radius * up, top, 0.95 * radius, 0.8 * radius, metal),
        _foot(1.6 * radius, floor, up, metal),
    ]
    return shapes.merged(pieces)


def _foot(radius: float, at: Array, up: Array, color: str) -> pv.PolyData:
    plate = shapes.foot(FOOT * radius, 0.4 * radius, 1.4 * radius)
    return shapes.painted(shapes.placed(plate, shapes.frame_along(up, at)), color)


def _radius(system: dyn.System, arm: int, sizes: Proportions) -> float:
    """Radius of the largest joint on the root."""
    return max(float(sizes.joint_radius[j]) for j in sizes.first(system, arm))


def _axis(system: dyn.System, joint: int) -> Array:
    """A joint's axis in the axes of the body that it sits on."""
    model = system.joint_models[joint]
    return model.origin[:3, :3] @ model.axis
