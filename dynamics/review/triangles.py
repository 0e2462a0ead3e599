"""The triangles of a mesh file, and the solid within them; nothing of what else it holds."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from dynamics.checks import Array
from dynamics.robot.model import INSIDE

MOST_BYTES = 100_000_000
HEAD, RECORD = 84, 50
"""Bytes before the triangles of a binary STL, and of each."""
NUMBER = re.compile(rb"(?<=[ \t])-?[0-9]+")
"""Of a point, as a face has it before the first slash."""
CLOSED = 1e-3
"""Of a surface's area: the areas of a closed one, as vectors outward, add up to less."""
HOLLOW = 0.02
"""Of the volume of a mesh's convex hull: less is a surface that is not turned outward everywhere."""


def triangles_of(path: Path) -> Array | None:
    """(t, 3, 3) corners of an STL or OBJ file's triangles; None for one of another kind, or not understood."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    kind = path.suffix.lower()
    try:
        if kind == ".stl":
            corners = _binary(data) if _is_binary(data) else _text(data)
        elif kind == ".obj":
            corners = _obj(data)
        else:
            return None
    except (ValueError, IndexError):
        return None
    return corners if np.isfinite(corners).all() else None


def triangles_inside(address: str) -> Array | None:
    """The same of a mesh that stands in its robot's own text, by its address, which begins with ``INSIDE``."""
    try:
        data = base64.b64decode(address.removeprefix(INSIDE), validate=True)
    except ValueError:
        return None
    corners = _binary(data) if _is_binary(data) else None
    return corners if corners is not None and np.isfinite(corners).all() else None


def solid_within(corners: Array) -> tuple[Array, Array]:
    """The moments of what triangles enclose, or their convex hull where they are not closed; and the hull's corners.

    Returns:
        (4, 4): the integral of x x' over the volume, of points x = (x, y, z, 1). (n, 3) m: corners of the hull.
    """
    middle = corners.mean(axis=(0, 1))
    around = corners - middle
    try:
        hull = ConvexHull(around.reshape(-1, 3))
    except (QhullError, ValueError):  # flat: nothing is within
        lower, upper = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        return np.zeros((4, 4)), np.array([lower, upper])[[[k >> i & 1 for i in range(3)] for k in range(8)], range(3)]
    areas = np.cross(around[:, 1] - around[:, 0], around[:, 2] - around[:, 0])
    moments = _moments(around, np.einsum("ti,ti->t", around[:, 0], np.cross(around[:, 1], around[:, 2])))
    moments *= np.sign(moments[3, 3])
    is_closed = np.linalg.norm(areas.sum(axis=0)) <= CLOSED * np.linalg.norm(areas, axis=1).sum()
    if not is_closed or not HOLLOW * hull.volume <= moments[3, 3] <= 1.01 * hull.volume:
        faces = hull.points[hull.simplices] - (inner := hull.points[hull.vertices].mean(axis=0))
        moments = _moments(faces, np.abs(np.linalg.det(faces)))
        moments = _shifted(moments, inner)
    return _shifted(moments, middle), hull.points[hull.vertices] + middle


def _moments(corners: Array, determinants: Array) -> Array:
    """The sum over tetrahedra between the origin and each triangle: the integral of x x' is |abc| / 120 times ..."""
    d, total = determinants[:, None], corners.sum(axis=1)
    found = np.zeros((4, 4))
    found[:3, :3] = (d * total).T @ total + sum((d * corners[:, k]).T @ corners[:, k] for k in range(3))
    found[:3, 3] = found[3, :3] = 5.0 * (d * total).sum(axis=0)
    found[3, 3] = 20.0 * d.sum()
    return found / 120.0


def _shifted(moments: Array, by: Array) -> Array:
    shift = np.eye(4)
    shift[:3, 3] = by
    return shift @ moments @ shift.T


def _is_binary(data: bytes) -> bool:
    return len(data) >= HEAD and len(data) == HEAD + RECORD * int.from_bytes(data[HEAD - 4 : HEAD], "little")


def _binary(data: bytes) -> Array:
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
    return np.frombuffer(data, kind, offset=HEAD)["corners"].astype(np.float64)


def _text(data: bytes) -> Array:
    rows = [line.split()[1:4] for line in data.splitlines() if line.lstrip().startswith(b"vertex")]
    return np.array(rows, dtype=np.float64).reshape(-1, 3, 3)


def _obj(data: bytes) -> Array:
    lines = [line for line in data.splitlines() if line[:2] in (b"v ", b"f ")]
    points = np.array([line.split()[1:4] for line in lines if line[:1] == b"v"], dtype=np.float64).reshape(-1, 3)
    faces = [NUMBER.findall(line) for line in lines if line[:1] == b"f"]
    fans = [np.empty((0, 3), dtype=np.int64)]
    for count in {len(face) for face in faces}:
        alike = np.array([face for face in faces if len(face) == count], dtype=np.int64)
        fans += [alike[:, [0, k, k + 1]] for k in range(1, count - 1)]
    index = np.concatenate(fans)
    return points[np.where(index > 0, index - 1, index)]
