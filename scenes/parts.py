"""The meshes of a scene by kind: roots and floor, links, object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes import links, palette, pedestals, shapes
from scenes.mesh import SceneMesh, scene_mesh
from scenes.scales import Proportions, equal_inertia_box, proportions, readable_scale
from scenes.surroundings import facing, has_floor, landmarks, plane_normal, up_direction

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
Placed = tuple[SceneMesh, Array]
OBJECT_OPACITY = 0.72
FINE = 12
"""Number of pieces along a body's length that are examined one by one."""


def roots_and_floor(
    system: dyn.System, start: dyn.Solution, bodies: list[SceneMesh], sizes: Proportions, theme: palette.Theme
) -> tuple[list[Placed], float | None]:
    """The fixed meshes, with their poses, and the floor's height along up.

    An arm whose file draws no root stands on a column, unless its links are in the way. An arm that hangs, or that
    swings in an upright plane, clears the floor; the latter hangs on a stand behind it.

    Args:
        start: the moment for which the floor leaves room.
        bodies: the links, as ``link_meshes`` draws them.
    """
    if system.is_floating:
        return [], None
    points, axes = landmarks(system, start)
    drawn = [_drawn(system, arm, start, bodies) for arm in range(len(system.base_poses))]
    up, reach, falls = up_direction(system), float(sizes.reach.max()), has_floor(system)
    origins = system.base_poses[:, :3, 3]
    lowest = float((origins @ up).min())
    normal = plane_normal(axes)
    swings = falls and normal is not None and abs(float(normal @ up)) < 0.1
    hangs = falls and lowest - float((np.concatenate([points, *drawn]) @ up).min()) > 0.12 * reach
    height = lowest - 1.08 * reach if swings or hangs else lowest
    placed: list[Placed] = []
    for arm, pose in enumerate(system.base_poses):
        own_up = pose[:3, :3].T @ up
        drop = float(pose[:3, 3] @ up) - height
        mesh = links.root_geometry(system, arm, theme)
        if mesh is None and swings and normal is not None:
            own = (drawn[arm] - pose[:3, 3]) @ pose[:3, :3]
            mesh = pedestals.stand(system, arm, sizes, drop, own_up, -pose[:3, :3].T @ normal, own, theme)
        elif mesh is None and pedestals.is_in_the_way(
            system, arm, sizes, own := (drawn[arm] - pose[:3, 3]) @ pose[:3, :3]
        ):
            toward = pose[:3, :3].T @ facing(system, axes)[:, 2]
            mesh = pedestals.beside(system, arm, sizes, drop if falls else None, own_up, toward, own, theme)
        elif mesh is None:
            rises = min(float(system.joint_models[j].origin[:3, 3] @ own_up) for j in sizes.first(system, arm))
            short = falls and not hangs and rises < 0.06 * reach
            mesh = pedestals.column(system, arm, sizes, 0.28 * reach if short else 0.0, own_up, own, theme)
        lowest = min(lowest, float(((mesh.points @ pose[:3, :3].T + pose[:3, 3]) @ up).min()))
        name = f"base {arm + 1}" if system.n_arms > 1 else "base"
        placed.append((scene_mesh(name, "link", "links", mesh, arm=arm), pose))
    if not falls:
        return placed, None
    height = min(height, lowest)
    return [*placed, _floor(origins, up, height, reach, theme)], height


def ground_height(system: dyn.System, start: dyn.Solution) -> float | None:
    """Height of a level floor along z, m; equal to ``Scene.ground_height`` for the same start."""
    if not (has_floor(system) and is_level(up_direction(system))):
        return None
    sizes = proportions(system)
    return roots_and_floor(system, start, link_meshes(system, sizes, "light")[0], sizes, "light")[1]


def _drawn(system: dyn.System, arm: int, start: dyn.Solution, bodies: list[SceneMesh]) -> Array:
    """(m, 3) world: points all over the surface of an arm's links."""
    found = [np.empty((0, 3))]
    for body in bodies:
        if body.link is not None and body.arm == arm:
            pose = start.link_pose[body.link]
            found.append(_all_over(body) @ pose[:3, :3].T + pose[:3, 3])
    return np.concatenate(found)


def _all_over(body: SceneMesh) -> Array:
    """(m, 3): its vertices, and points within faces that are large relative to the whole."""
    points = np.asarray(body.points, float)
    corners = points[np.asarray(body.faces, int)]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1, initial=0.0)
    large = corners[longest > float(np.ptp(points, axis=0).max(initial=0.0)) / FINE]
    share = np.array([(i, j, FINE - i - j) for i in range(FINE + 1) for j in range(FINE + 1 - i)]) / FINE
    return np.concatenate([points, np.einsum("si,fix->fsx", share, large).reshape(-1, 3)])


def is_level(up: Array) -> bool:
    """Whether a floor normal to ``up`` is parallel to the x-y plane."""
    return bool(up[2] > 1.0 - 1e-9)


def object_points(system: dyn.System) -> Array:
    """(m, 3) in the object's axes, m: the points of its drawn surface; empty without an object."""
    found = [np.asarray(mesh.points, float).reshape(-1, 3) for mesh in object_meshes(system, "light")]
    return np.unique(np.concatenate(found), axis=0) if found else np.empty((0, 3))


def _floor(origins: Array, up: Array, height: float, reach: float, theme: palette.Theme) -> Placed:
    """Tiles of a round size about the middle of the bases."""
    middle = origins.mean(axis=0)
    extent = 2.6 * reach + float(np.linalg.norm(origins - middle, axis=1).max())
    pitch = readable_scale(0.3 * reach, 1.0)
    floor = shapes.tiles(extent, max(pitch, extent / 14.0), palette.GROUND[theme])
    pose = shapes.frame_along(up, middle + (height - float(up @ middle)) * up)
    if is_level(up):
        pose[:3, :3] = np.eye(3)
        pose[:2, 3] = pitch * np.round(pose[:2, 3] / pitch)
    return scene_mesh("ground", "ground", "ground", floor, color=palette.GROUND[theme][0], opacity=0.6), pose


def link_meshes(system: dyn.System, sizes: Proportions, theme: palette.Theme) -> tuple[list[SceneMesh], list[str]]:
    """One mesh a link, in link axes, and remarks on what could not be drawn."""
    meshes, remarks = [], []
    for k, name in enumerate(system.link_names):
        polydata, remark = links.link_mesh(system, k, sizes, theme)
        meshes.append(scene_mesh(f"link {name}", "link", "links", polydata, link=k, arm=int(system.arm_of_link[k])))
        if remark is not None:
            remarks.append(remark)
    return meshes, remarks


def object_meshes(system: dyn.System, theme: palette.Theme) -> list[SceneMesh]:
    """The task object in its own axes: its geometry, or the box of equal inertia; translucent, to show the arrows."""
    payload = system.task_object
    if payload is None:
        return []
    color = palette.TASK_OBJECT[theme]
    shown = [links.geometry_mesh(shape, color) for shape in payload.geometry]
    found = [mesh for mesh in shown if mesh is not None]
    if not found:
        edges, axes = equal_inertia_box(payload.mass, payload.inertia)
        pose = np.eye(4)
        pose[:3, :3] = axes
        found = [shapes.painted(shapes.placed(shapes.box(edges), pose), color)]
    whole = shapes.merged(found)
    whole.point_data["rgba"][:, 3] = np.minimum(whole.point_data["rgba"][:, 3], round(255 * OBJECT_OPACITY))
    return [scene_mesh(f"object {payload.name}", "object", "object", whole)]
