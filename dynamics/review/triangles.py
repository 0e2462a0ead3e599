"""The solid within a mesh file; nothing of what else it holds."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.robot.model import INSIDE

MOST_BYTES = 100_000_000
KINDS = (".stl", ".obj")
HOLLOW = 0.02
"""Of the volume of a mesh's convex hull: less is a surface that is not turned outward everywhere."""


def solid_of(path: Path) -> tuple[Array, Array] | None:
    """What an STL or OBJ file encloses, as of ``solid_within``; None for one of another kind, or not understood."""
    if path.suffix.lower() not in KINDS:
        return None
    try:
        return solid_within(path.read_bytes(), path.suffix[1:].lower()) if path.stat().st_size <= MOST_BYTES else None
    except OSError:
        return None


def solid_inside(address: str) -> tuple[Array, Array] | None:
    """The same of a mesh that stands in its robot's own text, by its address, which begins with ``INSIDE``."""
    try:
        return solid_within(base64.b64decode(address.removeprefix(INSIDE), validate=True), "stl")
    except ValueError:
        return None


def solid_within(data: bytes, kind: str) -> tuple[Array, Array] | None:
    """The moments of what triangles enclose, or their convex hull where they are not closed; and the hull's corners.

    Returns:
        (4, 4): the integral of x x' over the volume, of points x = (x, y, z, 1). (n, 3) m: corners of the hull. None
        for what is no mesh.
    """
    import trimesh  # here: it takes half a second, and comes with the reader of robot files

    try:
        mesh: Any = trimesh.load(io.BytesIO(data), file_type=kind, force="mesh", skip_materials=True)
        corners = np.asarray(mesh.vertices, dtype=np.float64)
        if not len(mesh.faces) or not np.isfinite(corners).all():
            return None
        hull = mesh.convex_hull
    except Exception:  # a reader of files meets files of every kind
        return None
    volume = abs(float(mesh.volume))
    is_whole = mesh.is_watertight and HOLLOW * hull.volume <= volume <= 1.01 * hull.volume
    return _moments(mesh if is_whole else hull), np.asarray(hull.vertices, dtype=np.float64)


def _moments(mesh: Any) -> Array:
    volume, center = abs(float(mesh.volume)), np.asarray(mesh.center_mass)
    about_center = np.asarray(mesh.moment_inertia) * np.sign(mesh.volume)
    found = np.zeros((4, 4))
    found[:3, :3] = 0.5 * np.trace(about_center) * np.eye(3) - about_center + volume * np.outer(center, center)
    found[:3, 3] = found[3, :3] = volume * center
    found[3, 3] = volume
    return found
