"""What shapes and mesh files tell about a body: the solid that they fill, and how far it reaches."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array
from dynamics.robot.model import INSIDE
from dynamics.robot.rigid_body import MassProperties
from dynamics.robot_files.mesh_files import find_mesh
from dynamics.robot_files.review_draft import Draft

MOST_BYTES = 100_000_000
KINDS = (".stl", ".obj")
HOLLOW = 0.02
"""Share of the convex hull's volume: a mesh with less has a surface that is not oriented outward everywhere."""


def _enclosed(data: bytes, kind: str) -> Solid | None:
    """The solid that a mesh's triangles enclose, or their convex hull if they are not closed; None if it is no mesh."""
    import trimesh  # here, because it takes half a second and comes with the reader of robot files

    try:
        mesh: Any = trimesh.load(io.BytesIO(data), file_type=kind, force="mesh", skip_materials=True)
        corners = np.asarray(mesh.vertices, dtype=np.float64)
        if not len(mesh.faces) or not np.isfinite(corners).all():
            return None
        hull = mesh.convex_hull
    except Exception:  # a reader may raise anything for an unknown file
        return None
    is_whole = mesh.is_watertight and HOLLOW * hull.volume <= abs(mesh.volume) <= 1.01 * hull.volume
    body = mesh if is_whole else hull
    volume, center = abs(float(body.volume)), np.asarray(body.center_mass)
    about_center = np.asarray(body.moment_inertia) * np.sign(body.volume)
    moments = np.zeros((4, 4))
    moments[:3, :3] = 0.5 * np.trace(about_center) * np.eye(3) - about_center + volume * np.outer(center, center)
    moments[:3, 3] = moments[3, :3] = volume * center
    moments[3, 3] = volume
    return Solid(moments, np.asarray(hull.vertices, dtype=np.float64))


AWAY, BEYOND = 10.0, 10.0
"""m, and multiple of the robot's reach: no joint slides so far, and no mass centre is so far from its joint."""
FARTHEST = 1e12
"""m: larger than any robot, but volume and inertia are still finite numbers."""
MESHES_KEPT = 500
"""Number of meshes whose moments and hull corners are cached."""
CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
ROUND = np.array([each for each in product((-1.0, 0.0, 1.0), repeat=3) if any(each)])
ROUND /= np.linalg.norm(ROUND, axis=1, keepdims=True)
RIM = np.array([(math.cos(a), math.sin(a), z) for a in np.arange(16) * math.pi / 8.0 for z in (-1.0, 1.0)])


@dataclass(frozen=True, eq=False)
class Solid:
    """Shapes as a solid of density one.

    Attributes:
        moments: (4, 4), the integral of x x' over its volume, of points x = (x, y, z, 1).
        corners: (n, 3) m, of its convex hull.
    """

    moments: Array
    corners: Array

    @property
    def volume(self) -> float:
        return float(self.moments[3, 3])

    @property
    def size(self) -> float:
        """m, the diagonal of its bounding box."""
        return float(np.linalg.norm(np.ptp(self.corners, axis=0)))

    def mapped(self, by: Array) -> Solid:
        """Mapped by an affine map, (4, 4), such as a pose or a scale."""
        moments = abs(np.linalg.det(by[:3, :3])) * by @ self.moments @ by.T
        return Solid(moments, self.corners @ by[:3, :3].T + by[:3, 3])

    def farthest(self, point: Array) -> float:
        """m, the largest distance from a point."""
        return float(np.linalg.norm(self.corners - point, axis=1).max())

    def outside(self, point: Array) -> float:
        """m, distance of a point from the bounding box."""
        lower, upper = self.corners.min(axis=0), self.corners.max(axis=0)
        return float(np.linalg.norm(np.maximum(np.maximum(lower - point, point - upper), 0.0)))

    def weighed(self, mass: float) -> MassProperties:
        """As a uniform body; if it has no volume, a shell of its corners."""
        rows = np.column_stack([self.corners, np.ones(len(self.corners))])
        moments = self.moments if self.volume > 0.0 else rows.T @ rows
        center = moments[:3, 3] / moments[3, 3]
        spread = mass * (moments[:3, :3] / moments[3, 3] - np.outer(center, center))
        return MassProperties(mass, center, np.trace(spread) * np.eye(3) - spread)


def together(solids: Iterable[Solid]) -> Solid | None:
    """Several solids as one; None for none."""
    found = list(solids)
    if not found:
        return None
    return Solid(np.sum([each.moments for each in found], axis=0), np.concatenate([each.corners for each in found]))


def shapes_of(link: Draft, tag: str, folder: Path | None) -> list[Solid | None]:
    """A link's shapes in its axes, ``visual`` or ``collision``; None for each that could not be read."""
    found = (_shape(shape, folder) for shape in link.all(tag))
    return [each if each is not None and np.abs(each.corners).max() <= FARTHEST else None for each in found]


def shown(link: Draft, folder: Path | None) -> Solid | None:
    """A link's visible shapes, or its collision shapes if it has none; None if one could not be read."""
    found = shapes_of(link, "visual", folder) or shapes_of(link, "collision", folder)
    return None if None in found else together(each for each in found if each is not None)


def _shape(shape: Draft, folder: Path | None) -> Solid | None:
    geometry, pose = shape.first("geometry"), origin_of(shape)
    for each in geometry.inner if geometry is not None and pose is not None else ():
        size, radius, length = (each.numbers(name, n) for name, n in (("size", 3), ("radius", 1), ("length", 1)))
        found: Solid | None = None
        if each.tag == "box" and size is not None:
            found = _shape_of("box", 0.5 * size)
        elif each.tag == "sphere" and radius is not None:
            found = _shape_of("sphere", radius.repeat(3))
        elif each.tag == "cylinder" and radius is not None and length is not None:
            found = _shape_of("cylinder", np.array([radius[0], radius[0], 0.5 * length[0]]))
        elif each.tag == "mesh":
            found = _mesh(each, folder)
        if found is not None:
            assert pose is not None
            return found.mapped(pose)
    return None


UNIT = {
    "box": (np.array([1 / 3, 1 / 3, 1 / 3, 1.0]) * 8.0, CORNERS),
    "cylinder": (np.array([1 / 4, 1 / 4, 1 / 3, 1.0]) * 2.0 * math.pi, RIM),
    "sphere": (np.array([1 / 5, 1 / 5, 1 / 5, 1.0]) * 4.0 / 3.0 * math.pi, ROUND),
}
"""Unit shapes between -1 and 1 along each axis: the diagonal of the moments, and corners."""


def _shape_of(kind: str, half: Array) -> Solid:
    diagonal, corners = UNIT[kind]
    with np.errstate(over="ignore", invalid="ignore"):
        return Solid(np.diag(diagonal), corners).mapped(np.diag([*half, 1.0]))


def _mesh(mesh: Draft, folder: Path | None) -> Solid | None:
    name, found = mesh.get("filename") or "", None
    with suppress(OSError, ValueError):
        if name.startswith(INSIDE):
            found = _enclosed(base64.b64decode(name.removeprefix(INSIDE), validate=True), "stl")
        elif (path := find_mesh(name, folder)[0]) is not None and path.suffix.lower() in KINDS:
            state = path.stat()
            found = _of_file(path, state.st_mtime_ns, state.st_size) if state.st_size <= MOST_BYTES else None
    return None if found is None else found.mapped(np.diag([*scale_of(mesh), 1.0]))


@lru_cache(maxsize=MESHES_KEPT)
def _of_file(path: Path, changed: int, size: int) -> Solid | None:
    """Cached, as a report asks several times; a file with another time of change or size is read again."""
    return _enclosed(path.read_bytes(), path.suffix[1:].lower())


def scale_of(mesh: Draft) -> Array:
    """(3,); a single number applies to all axes."""
    given = mesh.numbers("scale", 3)
    given = mesh.numbers("scale", 1) if given is None else given
    return np.ones(3) if given is None else np.broadcast_to(given, 3)


def origin_of(draft: Draft) -> Array | None:
    """(4, 4), of an element's ``<origin>``; None if its numbers are invalid."""
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
                pose[:3, :3] = Rotation.from_euler("xyz", values).as_matrix()  # about x, then y, then z, all fixed
    return pose


def reach_of(robot: Draft) -> float:
    """m, the largest distance of a joint from its parent's frame."""
    poses = (origin_of(joint) for joint in robot.all("joint"))
    return max((float(np.linalg.norm(pose[:3, 3])) for pose in poses if pose is not None), default=0.0)
