"""How large a link is, by the shapes that its file gives it: their volume, and the box around them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

from dynamics.checks import Array
from dynamics.descriptions.mesh_files import find_mesh
from dynamics.review.draft import Draft
from dynamics.review.triangles import triangles_inside, triangles_of
from dynamics.robot.model import INSIDE

AWAY, BEYOND = 10.0, 10.0
"""m, and times the reach of its robot: nothing slides so far, nor is a mass centre so far from its joint."""
FARTHEST = 1e12
"""m: nothing is so large, and its volume and inertia are numbers still."""
MESHES_KEPT = 500
"""Of each a volume and eight corners."""
UNIT_BOX = np.array(list(product((-1.0, 1.0), repeat=3)))


@dataclass(frozen=True, eq=False)
class Extent:
    """Attributes:
    volume: m^3, of all shapes together.
    lower, upper: (3,) m, corners of the box around them in the link's axes.
    """

    volume: float
    lower: Array
    upper: Array

    @property
    def size(self) -> float:
        """m, the box's diagonal."""
        return float(np.linalg.norm(self.upper - self.lower))

    def inertia(self, mass: float) -> Array:
        """kg m^2, of a uniform box so large."""
        squares = (self.upper - self.lower) ** 2
        return mass / 12.0 * np.diag(squares.sum() - squares)


def extent_of(link: Draft, folder: Path | None) -> Extent | None:
    """Of a link's visible shapes, or of those for collisions where one is not known; None where both have such."""
    for tag in ("visual", "collision"):
        shapes = [_shape(shape, folder) for shape in link.all(tag)]
        found = [one for one in shapes if one is not None and not _absurd(one)]
        if found and None not in shapes:
            corners = np.concatenate([corners for _, corners in found])
            return Extent(sum(volume for volume, _ in found), corners.min(axis=0), corners.max(axis=0))
    return None


def absurd_shapes(link: Draft, folder: Path | None) -> Iterator[Draft]:
    """Those that are larger than anything, or farther away, of which nothing can be told."""
    for tag in ("visual", "collision"):
        for shape in link.all(tag):
            found = _shape(shape, folder)
            if found is not None and _absurd(found):
                yield shape


def _absurd(shape: tuple[float, Array]) -> bool:
    return not np.abs(shape[1]).max() <= FARTHEST


def _shape(shape: Draft, folder: Path | None) -> tuple[float, Array] | None:
    """Volume, and points around it in the link."""
    geometry = shape.first("geometry")
    for each in geometry.inner if geometry is not None else ():
        size = each.numbers("size", 3) if each.tag == "box" else None
        radius = each.numbers("radius", 1) if each.tag in ("cylinder", "sphere") else None
        length = each.numbers("length", 1) if each.tag == "cylinder" else None
        found: tuple[float, Array] | None = None
        if size is not None:
            found = float(np.prod(size)), 0.5 * UNIT_BOX * size
        elif radius is not None and each.tag == "sphere":
            found = float(4.0 / 3.0 * math.pi * radius[0] ** 3), radius[0] * UNIT_BOX
        elif radius is not None and length is not None:
            half = np.array([radius[0], radius[0], 0.5 * length[0]])
            found = float(math.pi * radius[0] ** 2 * length[0]), half * UNIT_BOX
        elif each.tag == "mesh":
            found = _mesh(each, folder)
        if found is not None:
            pose = origin_of(shape)
            return (found[0], found[1] @ pose[:3, :3].T + pose[:3, 3]) if pose is not None else None
    return None


def _mesh(mesh: Draft, folder: Path | None) -> tuple[float, Array] | None:
    name = mesh.get("filename") or ""
    if name.startswith(INSIDE):
        found = _measured(triangles_inside(name))
    else:
        path, _ = find_mesh(name, folder)
        found = None if path is None else _of_file(path, *_state(path))
    if found is None:
        return None
    given = mesh.numbers("scale", 3)
    scale = np.ones(3) if given is None else given
    return found[0] * abs(float(np.prod(scale))), found[1] * scale


def _state(path: Path) -> tuple[int, int]:
    """By which a file is known to be as it was."""
    with suppress(OSError):
        state = path.stat()
        return state.st_mtime_ns, state.st_size
    return 0, 0


@lru_cache(maxsize=MESHES_KEPT)
def _of_file(path: Path, changed: int, size: int) -> tuple[float, Array] | None:
    """A report asks several times; a file that has changed is read anew."""
    return _measured(triangles_of(path))


def _measured(corners: Array | None) -> tuple[float, Array] | None:
    """The volume within triangles, and the corners of the box around them."""
    if corners is None or not len(corners):
        return None
    volume = abs(float(np.einsum("ti,ti->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])))) / 6.0
    points = corners.reshape(-1, 3)
    lower, upper = points.min(axis=0), points.max(axis=0)
    return volume, 0.5 * (upper + lower) + 0.5 * UNIT_BOX * (upper - lower)


def origin_of(draft: Draft) -> Array | None:
    """(4, 4), of an element's ``<origin>``; None where it has numbers that are none."""
    origin, pose = draft.first("origin"), np.eye(4)
    if origin is None:
        return pose
    for attribute in ("xyz", "rpy"):
        if attribute in origin.attributes:
            values = origin.numbers(attribute, 3)
            if values is None:
                return None
            if attribute == "xyz":
                pose[:3, 3] = values
            else:
                pose[:3, :3] = turn_of(values)
    return pose


def reach_of(robot: Draft) -> float:
    """m, of the joint that is farthest from its parent's frame."""
    poses = (origin_of(joint) for joint in robot.all("joint"))
    return max((float(np.linalg.norm(pose[:3, 3])) for pose in poses if pose is not None), default=0.0)


def turn_of(rpy: Array) -> Array:
    """(3, 3), about x, then y, then z, all fixed."""
    (a, b, c), (x, y, z) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [c * b, c * y * x - z * a, c * y * a + z * x],
            [z * b, z * y * x + c * a, z * y * a - c * x],
            [-y, b * x, b * a],
        ]
    )
