"""Low-poly closed shapes as PolyData: revolved profiles, chamfered boxes, grids. Metres, z along the axis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyvista as pv
from numpy.typing import ArrayLike, NDArray

from scenes import palette

ROUND = 20  # sides of an arrow
SHAFT, HEAD = 0.027, 0.076  # radii of an arrow
SHARP_EDGE = 38.0  # degrees; normals split at sharper edges, so that they shade as edges


def triangles(points: ArrayLike, faces: ArrayLike) -> pv.PolyData:
    """A mesh of plain triangles."""
    return pv.PolyData.from_regular_faces(np.asarray(points, np.float32), np.asarray(faces, np.int64))


def revolved(profile: Sequence[tuple[float, float]], sides: int) -> pv.PolyData:
    """Surface of revolution about z of (radius, height) pairs, from the bottom pole to the top pole."""
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    around = np.column_stack([np.cos(angle), np.sin(angle)])
    points: list[NDArray[np.float64]] = []
    rings: list[NDArray[np.int64]] = []
    for radius, height in profile:
        count = 1 if radius <= 0.0 else sides
        first = sum(len(part) for part in points)
        points.append(np.column_stack([radius * around[:count], np.full(count, height)]))
        rings.append(np.resize(np.arange(first, first + count), sides))
    faces = []
    for low, high in pairwise(rings):
        low_next, high_next = np.roll(low, -1), np.roll(high, -1)
        if high[0] != high[1]:
            faces.append(np.column_stack([low, high_next, high]))
        if low[0] != low[1]:
            faces.append(np.column_stack([low, low_next, high_next]))
    return triangles(np.vstack(points), np.vstack(faces))


def tube(length: float, bottom: float, top: float, sides: int = 14, rings: int = 3) -> pv.PolyData:
    """A capsule from z = 0 to z = length that tapers from one radius to the other."""
    down = np.linspace(0.5 * np.pi, 0.0, rings + 1)
    lower = [(bottom * np.cos(a), -bottom * np.sin(a)) for a in down]
    upper = [(top * np.cos(a), length + top * np.sin(a)) for a in down[::-1]]
    lower[0], upper[-1] = (0.0, -bottom), (0.0, length + top)
    return revolved(lower + upper, sides)


def drum(radius: float, low: float, high: float, sides: int = 20) -> pv.PolyData:
    """A cylinder along z with a small chamfer on both rims."""
    rim = min(0.16 * radius, 0.25 * (high - low))
    profile = [
        (0.0, low), (radius - rim, low), (radius, low + rim), (radius, high - rim), (radius - rim, high), (0.0, high),
    ]  # fmt: skip
    return revolved(profile, sides)


def foot(radius: float, height: float, top: float, sides: int = 28) -> pv.PolyData:
    """A plate on the floor, z = 0, that narrows upwards."""
    return revolved([(0.0, 0.0), (radius, 0.0), (radius, 0.5 * height), (top, height), (0.0, height)], sides)


def sphere(radius: float, sides: int, rings: int) -> pv.PolyData:
    """A sphere about the origin."""
    latitude = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rings + 1)[1:-1]
    middle = [(radius * float(np.cos(a)), radius * float(np.sin(a))) for a in latitude]
    return revolved([(0.0, -radius), *middle, (0.0, radius)], sides)


def ball() -> pv.PolyData:
    """The unit sphere as an icosahedron divided three times: the roundest for its 642 points."""
    mesh = pv.Icosphere(radius=1.0, nsub=3)
    return triangles(mesh.points, mesh.regular_faces)


def box(edges: ArrayLike, chamfer: float = 0.06) -> pv.PolyData:
    """A box about the origin; ``chamfer`` is a share of its shortest edge."""
    half = 0.5 * np.asarray(edges, float)
    cut = chamfer * 2.0 * half.min()
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    # Corner c owns three points, one on each of its faces: full size along that axis, cut along the others.
    points = np.repeat(signs * (half - cut), 3, axis=0).reshape(8, 3, 3)
    for axis in range(3):
        points[:, axis, axis] = signs[:, axis] * half[axis]
    index = np.arange(24).reshape(8, 3)
    faces: list[Sequence[int]] = [tuple(row) for row in index]
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            loop = [
                index[np.flatnonzero((signs[:, axis] == side) & (signs[:, one] == a) & (signs[:, two] == b))[0], axis]
                for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            faces += [loop[:3], [loop[0], loop[2], loop[3]]]
        for a in (-1, 1):
            for b in (-1, 1):
                ends = np.flatnonzero((signs[:, one] == a) & (signs[:, two] == b))
                low, high = ends[np.argsort(signs[ends, axis])]
                faces += [
                    [index[low, one], index[high, one], index[high, two]],
                    [index[low, one], index[high, two], index[low, two]],
                ]
    flat = points.reshape(-1, 3)
    corners = np.array(faces)
    a, b, c = flat[corners[:, 0]], flat[corners[:, 1]], flat[corners[:, 2]]
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a + b + c) < 0.0
    corners[inward] = corners[inward][:, ::-1]
    return triangles(flat, corners)


def arrow(shaft: float = SHAFT, head: float = HEAD, head_length: float = 0.22, sides: int = ROUND) -> pv.PolyData:
    """An arrow of unit length along z, from the origin."""
    neck = 1.0 - head_length
    return revolved([(0.0, 0.0), (shaft, 0.0), (shaft, neck), (head, neck), (0.0, 1.0)], sides)


def tiles(radius: float, pitch: float, colors: tuple[str, str], opacity: float = 1.0) -> pv.PolyData:
    """A flat round floor of square tiles in two tones, facing +z, that fades out towards its edge."""
    count = int(np.ceil(radius / pitch))
    line = pitch * np.arange(-count, count + 1)
    low = np.array([(x, y) for x in line[:-1] for y in line[:-1]])
    # The farthest corner of a tile decides, so that the rim has always faded out.
    low = low[np.linalg.norm(np.abs(low + 0.5 * pitch) - 0.5 * pitch, axis=1) < radius]
    corners = low[:, None, :] + pitch * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])[None]
    points = np.concatenate([corners, np.zeros((len(low), 4, 1))], axis=2).reshape(-1, 3)
    first = 4 * np.arange(len(low))[:, None]
    faces = np.vstack([first + np.array(half) for half in ((0, 1, 2), (0, 2, 3))])
    odd = np.round((low / pitch).sum(axis=1)).astype(int) % 2
    tone = 255.0 * np.array([palette.rgb(color) for color in colors])[odd]
    fade = np.clip(1.0 - np.linalg.norm(points[:, :2], axis=1) / radius, 0.0, 1.0)
    alpha = 255.0 * opacity * fade**1.2 * (3.0 - 2.0 * fade) ** 0.5
    mesh = triangles(points, faces)
    mesh.point_data["rgba"] = np.column_stack([np.repeat(tone, 4, axis=0), np.clip(alpha, 0, 255)]).astype(np.uint8)
    return mesh


def placed(mesh: pv.PolyData, pose: ArrayLike) -> pv.PolyData:
    """The mesh moved by a 4x4 pose."""
    matrix = np.asarray(pose, float)
    moved = mesh.copy(deep=True)
    moved.points = (mesh.points @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)
    return moved


def painted(mesh: pv.PolyData, color: str, opacity: float = 1.0) -> pv.PolyData:
    """The mesh in one color, stored at its points so that parts of several colors can be merged."""
    rgba = (255.0 * np.array([*palette.rgb(color), opacity])).round().astype(np.uint8)
    mesh.point_data["rgba"] = np.tile(rgba, (mesh.n_points, 1))
    return mesh


def merged(parts: Sequence[pv.PolyData]) -> pv.PolyData:
    """Several painted parts as one mesh, points kept apart."""
    offsets = np.cumsum([0] + [part.n_points for part in parts[:-1]])
    whole = triangles(
        np.vstack([part.points for part in parts]),
        np.vstack([part.regular_faces + first for part, first in zip(parts, offsets, strict=True)]),
    )
    whole.point_data["rgba"] = np.vstack([part.point_data["rgba"] for part in parts])
    return whole


def frame_along(direction: ArrayLike, origin: ArrayLike = (0.0, 0.0, 0.0)) -> NDArray[np.float64]:
    """A 4x4 pose at ``origin`` whose z axis points along ``direction``."""
    z = np.asarray(direction, float)
    z = z / np.linalg.norm(z)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    pose[:3, 3] = origin
    return pose
