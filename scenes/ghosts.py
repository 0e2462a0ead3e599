"""The bodies of other runs beside the present one's: see-through, each in its own tone and with its letter."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import palette, parts, shapes
from scenes.mesh import SceneMesh, scene_mesh
from scenes.options import Shade
from scenes.quantity_meshes import looks_alike
from scenes.scales import proportions

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
OPACITY = 0.45
LETTERS = "ABCDEF"
SIZE, ABOVE, APART = 0.06, 0.14, 0.09
"""Height of a letter, its height above its body, and its distance from the next one's; shares of the reach."""


@dataclass(frozen=True, eq=False)
class GhostRun:
    """The run that a ghost belongs to.

    Attributes:
        letter: distinguishes it from others; empty where it is the only one.
    """

    system: dyn.System
    letter: str = ""

    @property
    def number(self) -> int:
        """Its index among all that have letters."""
        return max(LETTERS.find(self.letter), 0) if self.letter else 0


class Ghosts:
    """The meshes of every ghost of a scene, one ghost after the other: links, object, letter.

    Args:
        bodies: meshes of the scene's own system, shared by every ghost that looks the same.
        facing: (3, 3) world <- letter: right, up, and toward the initial camera.
        reach: m, of the scene's own system.
    """

    def __init__(
        self, system: dyn.System, haunts: Sequence[GhostRun], bodies: list[SceneMesh], theme: palette.Theme,
        facing: Array, reach: float,
    ) -> None:  # fmt: skip
        self._facing, self._reach, self._haunts = facing, reach, tuple(haunts)
        self._counts: list[tuple[int, int]] = []
        self.meshes: list[SceneMesh] = []
        for haunt in haunts:
            own = bodies if looks_alike(haunt.system, system) else _bodies_of(haunt.system, theme)
            made = list(shades_of(own, haunt, theme))
            self._counts.append((sum(mesh.link is not None for mesh in made), len(made)))
            self.meshes += [*made, *_letters(haunt, theme)]

    def put(self, out: Array, rows: NDArray[np.int64], shades: Sequence[Shade]) -> None:
        """Places each ghost at its own moment; hides one whose moment is of another system than its haunt's."""
        at = 0
        for haunt, (links, bodies), shade in zip(self._haunts, self._counts, shades, strict=False):
            own = rows[at : at + bodies]
            if links == len(shade.link_pose):
                out[own[:links]] = shade.link_pose[:, :3]
                if shade.object_pose is not None:
                    out[own[links:]] = shade.object_pose[:3]
                if haunt.letter and shade.letter == haunt.letter:
                    out[rows[at + bodies]] = self._letter_pose(haunt, shade)
            at += bodies + bool(haunt.letter)

    def _letter_pose(self, haunt: GhostRun, shade: Shade) -> Array:
        body = shade.link_pose[0] if shade.object_pose is None else shade.object_pose
        right, up = self._facing[:, 0], self._facing[:, 1]
        place = body[:3, 3] + self._reach * (ABOVE * up + APART * haunt.number * right)
        return np.column_stack([SIZE * self._reach * self._facing, place])


def _bodies_of(system: dyn.System, theme: palette.Theme) -> list[SceneMesh]:
    meshes, _ = parts.link_meshes(system, proportions(system), theme)
    return meshes + parts.object_meshes(system, theme)


def shades_of(bodies: list[SceneMesh], haunt: GhostRun, theme: palette.Theme) -> Iterator[SceneMesh]:
    """The same bodies again, in one tone."""
    color = (*palette.rgb(palette.ghost(haunt.number, theme)), OPACITY)
    for body in bodies:
        name = f"ghost {haunt.letter} of {body.name}".replace("  ", " ")
        yield replace(body, name=name, kind="ghost", layer="ghost", color=color, colors=None)


def _letters(haunt: GhostRun, theme: palette.Theme) -> Iterator[SceneMesh]:
    if haunt.letter:
        color = palette.mix(palette.ghost(haunt.number, theme), palette.INK[theme], 0.3)
        yield scene_mesh(f"letter {haunt.letter}", "ghost", "ghost", _letter(haunt.letter), color=color)


@functools.cache
def _letter(letter: str) -> pv.PolyData:
    """A letter of height one in its own plane, the middle of its foot at the origin; it also has a back."""
    solid = pv.Text3D(letter, depth=0.2).triangulate()
    points = np.array(solid.points, float)
    low, high = points.min(axis=0), points.max(axis=0)
    points -= [0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])]
    return shapes.triangles(points / (high[1] - low[1]), solid.regular_faces)
