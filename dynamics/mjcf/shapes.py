"""The shape of a geom in a compiled model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.descriptions.mesh_files import SUFFIXES
from dynamics.mjcf.elements import DRAWN
from dynamics.robot.model import INSIDE, Geometry
from dynamics.robot.poses import inverse, moved_by, pose_of_quaternion

SPHERE, CAPSULE, CYLINDER, BOX, MESH = 2, 3, 5, 6, 7
"""``mjtGeom`` of the kinds that can be drawn."""
LAST_GROUP = 2
"""The last geom group that MuJoCo's viewer shows; the others are for contact."""


def shape_of(
    model: Mapping[str, Any], geom: int, meshes: Mapping[str, str], placed: Mapping[str, tuple[Array, Array]]
) -> Geometry | None:
    """The shape, posed in its body; None if it is not shown, or of a kind that cannot be drawn.

    Args:
        model: arrays of the compiled model.
        geom: the geom's number.
        meshes: files, by the meshes' names.
        placed: for some meshes, the point that becomes the origin, and a rotation to undo.
    """
    kind, (a, b, c) = int(model["geom_type"][geom]), model["geom_size"][geom].tolist()
    pose = pose_of_quaternion(model["geom_pos"][geom], model["geom_quat"][geom])
    color = _color(model, geom)
    if not is_shown(model, geom):
        return None
    if kind == SPHERE:
        return Geometry("sphere", (a,), pose, color)
    if kind == CAPSULE:
        return Geometry("capsule", (a, 2.0 * b), pose, color)
    if kind == CYLINDER:
        return Geometry("cylinder", (a, 2.0 * b), pose, color)
    if kind == BOX:
        return Geometry("box", (2.0 * a, 2.0 * b, 2.0 * c), pose, color)
    mesh = int(model["geom_dataid"][geom]) if kind == MESH else -1
    path = meshes.get(model["mesh"][mesh], "") if mesh >= 0 else ""
    if path.startswith(DRAWN):
        path = path.replace(DRAWN, INSIDE, 1)
    if path == INSIDE or not (path.startswith(INSIDE) or Path(path).suffix.lower() in SUFFIXES):
        return None
    # MuJoCo has moved the mesh so that its mass centre is at its origin
    pose = pose @ inverse(pose_of_quaternion(model["mesh_pos"][mesh], model["mesh_quat"][mesh]))
    x, y, z = model["mesh_scale"][mesh].tolist()
    if (place := placed.get(model["mesh"][mesh])) is not None:
        point, back = place[0], inverse(pose_of_quaternion(np.zeros(3), place[1]))
        if not x == y == z and not np.array_equal(back, np.eye(4)):
            return None  # a mesh that is rotated and then scaled unevenly has no pose
        pose = pose @ back @ moved_by(-np.array([x, y, z]) * point)
    return Geometry("mesh", (x, y, z), pose, color, path)


def is_shown(model: Mapping[str, Any], geom: int) -> bool:
    """Whether a viewer that can draw the geom shows it."""
    return bool(model["geom_group"][geom] <= LAST_GROUP) and _color(model, geom)[3] != 0.0


def _color(model: Mapping[str, Any], geom: int) -> tuple[float, float, float, float]:
    """Red, green, blue and opacity."""
    material = int(model["geom_matid"][geom])
    red, green, blue, alpha = (model["geom_rgba"][geom] if material < 0 else model["mat_rgba"][material]).tolist()
    return red, green, blue, alpha
