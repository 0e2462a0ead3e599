"""What a link looks like: the geometry of its file, or tubes and drums sized by length and mass."""

from __future__ import annotations

import base64
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import palette, shapes
from scenes.pack_process import INSIDE
from scenes.scales import Proportions, equal_inertia_box

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
LARGEST_FILE = 64 * 1024 * 1024  # bytes
LONGEST_INSIDE = 2 * 1024 * 1024  # characters of a mesh embedded in its robot's text
MOST_TRIANGLES = 3000  # of one link's mesh file
VIVID = 0.28  # difference of the largest and the smallest of red, green, blue


def geometry_mesh(geometry: dyn.Geometry, color: str, hue: str | None = None) -> pv.PolyData | None:
    """A shape of a robot file in its link's axes; None for a mesh file that is missing, too large or unreadable.

    Args:
        color: for a shape to which the file gives none.
        hue: replaces the file's vivid colors, to distinguish the arms; its greys stay.
    """
    size = geometry.size
    if geometry.kind == "box":
        shape = shapes.box(size, chamfer=0.03)
    elif geometry.kind == "cylinder":
        shape = shapes.drum(size[0], -0.5 * size[1], 0.5 * size[1])
    elif geometry.kind == "sphere":
        shape = shapes.sphere(size[0], sides=18, rings=10)
    elif geometry.kind == "capsule":
        shape = shapes.placed(shapes.tube(size[1], size[0], size[0]), _raised(-0.5 * size[1]))
    else:
        read = _mesh_file(geometry)
        if read is None:
            return None
        read.points = (read.points * np.asarray(size or (1.0, 1.0, 1.0))).astype(np.float32)
        if np.prod(size or (1.0,)) < 0.0:
            read = shapes.triangles(read.points, read.regular_faces[:, ::-1])
        shape = read
    opacity = 1.0
    if geometry.color is not None:
        red, green, blue, opacity = (min(max(float(part), 0.0), 1.0) for part in geometry.color)
        color = "#" + "".join(f"{round(255 * part):02X}" for part in (red, green, blue))
        if hue is not None and max(red, green, blue) - min(red, green, blue) > VIVID:
            color = palette.mix(hue, color, 0.12)
    return shapes.painted(shapes.placed(shape, geometry.pose), color, opacity)


def _mesh_file(geometry: dyn.Geometry) -> pv.PolyData | None:
    """The triangles of a mesh file, or of a mesh embedded in the robot's text, decimated if there are too many."""
    path = geometry.path
    is_file = path is not None and not geometry.is_inside and Path(path).is_file()
    if path is None or not (geometry.is_inside or (is_file and Path(path).stat().st_size <= LARGEST_FILE)):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the readers': what is wrong with the file is reported as a remark
            mesh = _inside(path) if geometry.is_inside else _read(path)
    except (ValueError, OSError, KeyError, IndexError, ImportError, AttributeError, RuntimeError, TypeError):
        return None  # the caller draws a capsule instead and says so
    if mesh.n_points == 0 or mesh.n_cells == 0 or not np.isfinite(mesh.points).all():
        return None
    if mesh.n_cells > MOST_TRIANGLES:
        mesh = mesh.decimate(1.0 - MOST_TRIANGLES / mesh.n_cells).clean()
    return shapes.triangles(mesh.points, mesh.regular_faces)


def _inside(address: str) -> pv.PolyData:
    """A mesh that ``pack_process`` has written: some thousand triangles at most."""
    import trimesh

    stl = base64.b64decode(address.removeprefix(INSIDE)[:LONGEST_INSIDE], validate=True)
    loaded = trimesh.load_mesh(io.BytesIO(stl), file_type="stl")
    return shapes.triangles(loaded.vertices, loaded.faces)


def _read(path: str) -> pv.PolyData:
    if Path(path).suffix.lower() in {".stl", ".obj", ".ply", ".vtp", ".vtk"}:
        return pv.read(path).extract_surface().triangulate().clean()
    import trimesh  # comes with the reader of robot files

    loaded = trimesh.load_mesh(path)
    return shapes.triangles(loaded.vertices, loaded.faces)


def body_color(system: dyn.System, hue: str, theme: palette.Theme) -> str:
    """Color of a body whose file gives none: a single arm is nearly white, several have their own hues."""
    return palette.mix(palette.BODY[theme], hue, 0.45 if system.n_arms > 1 else 0.14)


def link_mesh(
    system: dyn.System, link: int, sizes: Proportions, theme: palette.Theme
) -> tuple[pv.PolyData, str | None]:
    """One link with its joint's drum as one painted mesh in link axes, and a remark when something is missing."""
    model = system.link_models[link]
    hue = palette.arm(int(system.arm_of_link[link]), theme)
    body = body_color(system, hue, theme)
    tint = hue if system.n_arms > 1 else None
    parts = [geometry_mesh(shape, body, tint) for shape in model.geometry]
    found = [part for part in parts if part is not None]
    remark = None
    if len(found) < len(parts):
        remark = f"link {model.name!r}: a mesh file is missing or cannot be read; drawn as a capsule."
    if found and remark is None:
        return shapes.merged(found), None
    if link >= system.n_joints:
        return _body_box(model, hue, theme), remark
    return _drawn_link(system, link, sizes, hue, body, theme), remark


def _drawn_link(
    system: dyn.System, link: int, sizes: Proportions, hue: str, body: str, theme: palette.Theme
) -> pv.PolyData:
    """Drum along the joint's axis and a tapering tube to each outboard joint or tip."""
    joint = system.joint_models[link]
    axis = np.asarray(joint.axis, float)
    radius = float(sizes.joint_radius[link])
    ends = [(system.joint_models[j].origin[:3, 3], float(sizes.joint_radius[j])) for j in sizes.outboard[link]]
    tips = [tip.pose[:3, 3] for tip in system.tips if tip.link == link]
    ends += [(point, 0.55 * radius) for point in tips]
    if not ends or (len(ends) == len(tips) and max(np.linalg.norm(point) for point in tips) < 0.2 * radius):
        ends.append((2.0 * np.asarray(system.link_models[link].center_of_mass), 0.55 * radius))

    parts: list[pv.PolyData] = []
    low, high = -1.05 * radius, 1.05 * radius
    for end, end_radius in ends:
        length = float(np.linalg.norm(end))
        if length < 0.25 * radius:
            continue
        along = float(end @ axis)
        across = end - along * axis
        if np.linalg.norm(across) < 0.2 * length:  # a roll joint: the tube leaves through the drum
            low, high = max(low, -0.6 * radius), min(high, 0.6 * radius)
            parts.append(tube_between(np.zeros(3), end, 0.84 * radius, 0.80 * end_radius, body))
        elif abs(along) < 0.9 * radius:
            parts.append(tube_between(np.zeros(3), end, 0.80 * radius, 0.80 * end_radius, body))
        else:  # the drum reaches out sideways and the tube leaves from there
            low, high = min(low, along - 0.95 * radius), max(high, along + 0.95 * radius)
            parts.append(tube_between(along * axis, end, 0.80 * radius, 0.80 * end_radius, body))
    frame = shapes.frame_along(axis)
    if joint.kind == "revolute":
        parts.append(shapes.painted(shapes.placed(shapes.drum(radius, low, high), frame), hue))
        cap = 0.62 * radius
        ends_of_drum = shapes.drum(cap, low - 0.10 * radius, high + 0.10 * radius, sides=16)
        parts.append(shapes.painted(shapes.placed(ends_of_drum, frame), palette.METAL[theme]))
    else:
        parts += _slide(joint, radius, frame, hue, theme)
    for point in tips:
        parts.append(
            shapes.painted(shapes.placed(shapes.sphere(0.5 * radius, 12, 6), _at(point)), palette.METAL[theme])
        )
    return shapes.merged(parts)


def _slide(joint: dyn.Joint, radius: float, frame: Array, hue: str, theme: palette.Theme) -> list[pv.PolyData]:
    """A carriage, and the rail that trails behind it along the joint's travel."""
    travel = max(abs(limit) if np.isfinite(limit) else 0.0 for limit in (joint.lower, joint.upper))
    rail = max(travel, 3.0 * radius)
    carriage = shapes.box((1.9 * radius, 1.9 * radius, 2.2 * radius))
    bar = shapes.placed(shapes.box((0.7 * radius, 0.7 * radius, rail)), _raised(-0.5 * rail))
    return [
        shapes.painted(shapes.placed(carriage, frame), hue),
        shapes.painted(shapes.placed(bar, frame), palette.METAL[theme]),
    ]


def _body_box(model: dyn.Link, hue: str, theme: palette.Theme) -> pv.PolyData:
    """A floating base without geometry: the box of equal inertia, with a band in its arm's hue."""
    edges, axes = equal_inertia_box(model.mass, model.inertia)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = axes, model.center_of_mass
    longest = int(np.argmax(edges))
    band = edges * 1.015
    band[longest] = 0.12 * edges[longest]
    return shapes.merged(
        [
            shapes.painted(shapes.placed(shapes.box(edges), pose), palette.BODY[theme]),
            shapes.painted(shapes.placed(shapes.box(band), pose), hue),
        ]
    )


def root_geometry(system: dyn.System, arm: int, theme: palette.Theme) -> pv.PolyData | None:
    """The bolted root of an arm as its file draws it, in its own axes; None where the file draws none."""
    hue = palette.arm(arm, theme)
    body = body_color(system, hue, theme)
    shown = [geometry_mesh(g, body, hue if system.n_arms > 1 else None) for g in system.robots[arm].root.geometry]
    found = [mesh for mesh in shown if mesh is not None]
    return shapes.merged(found) if found else None


def tube_between(start: Array, end: Array, start_radius: float, end_radius: float, color: str) -> pv.PolyData:
    along = np.asarray(end, float) - start
    mesh = shapes.tube(float(np.linalg.norm(along)), start_radius, end_radius)
    return shapes.painted(shapes.placed(mesh, shapes.frame_along(along, start)), color)


def _at(point: Array) -> Array:
    pose = np.eye(4)
    pose[:3, 3] = point
    return pose


def _raised(height: float) -> Array:
    return _at(np.array([0.0, 0.0, height]))
