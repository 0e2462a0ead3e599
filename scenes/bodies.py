"""The solid bodies of a scene, built once for all scenes of the same system from the same start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from scenes import palette, parts
from scenes.ellipsoids import covers
from scenes.mesh import SceneMesh, shared
from scenes.scales import Proportions

if TYPE_CHECKING:
    import dynamics as dyn


@dataclass(frozen=True, eq=False)
class Bodies:
    """The meshes of a system in one theme.

    Attributes:
        links, things: meshes of the links, and of the object.
        roots: fixed meshes, with their poses.
        floor: its height along up, m; None without one.
        covered: (joints,) m, from ``scenes.ellipsoids``.
        remarks: what could not be drawn.
    """

    links: tuple[SceneMesh, ...]
    things: tuple[SceneMesh, ...]
    roots: tuple[parts.Placed, ...]
    floor: float | None
    covered: NDArray[np.float64]
    remarks: tuple[str, ...]


_known: WeakKeyDictionary[dyn.Solution, dict[palette.Theme, Bodies]] = WeakKeyDictionary()
"""Keyed by the start, which belongs to a system, and dropped with it. Immutable, and independent of any session."""


def bodies_of(system: dyn.System, start: dyn.Solution, sizes: Proportions, theme: palette.Theme) -> Bodies:
    """The bodies of a system, with a floor that leaves room for ``start``."""
    own = _known.setdefault(start, {}) if start.system is system else {}
    if theme not in own:
        own[theme] = _made(system, start, sizes, theme)
    return own[theme]


def _made(system: dyn.System, start: dyn.Solution, sizes: Proportions, theme: palette.Theme) -> Bodies:
    links, remarks = parts.link_meshes(system, sizes, theme)
    roots, floor = parts.roots_and_floor(system, start, links, sizes, theme)
    solid = {mesh.link: mesh for mesh in links if mesh.link is not None}
    solid |= {-1 - mesh.arm: mesh for mesh, _ in roots if mesh.arm is not None}
    covered = covers(system, start, solid, float(sizes.reach.min()))
    things = parts.object_meshes(system, theme)
    solids = shared([*links, *(mesh for mesh, _ in roots)])
    roots = list(zip(solids[len(links) :], (pose for _, pose in roots), strict=True))
    return Bodies(tuple(solids[: len(links)]), tuple(things), tuple(roots), floor, covered, tuple(remarks))
