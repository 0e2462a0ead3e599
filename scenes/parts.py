"""The meshes of a scene, kind by kind: roots and floor, links, object, arrows, ellipsoids, axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import links, palette, shapes
from scenes.mesh import SceneMesh, scene_mesh
from scenes.proportions import Proportions, equal_inertia_box
from scenes.surroundings import has_floor, up_direction

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
Placed = tuple[SceneMesh, Array]
ELLIPSOID_OPACITY = 0.30
OBJECT_OPACITY = 0.82
ARROWS = (
    ("contact_force", "contact_force"),
    ("predicted_contact_force", "predicted_contact_force"),
    ("corrected_contact_force", "contact force correction"),
)
ARROW_WEIGHTS = (0.95, 0.75, 0.6)  # thickness: the applied force stands out where all three lie on one line


def roots_and_floor(
    system: dyn.System, points: Array, sizes: Proportions, theme: palette.Theme
) -> tuple[list[Placed], float | None]:
    """What never moves, with its pose, and the height of the floor along z where it is level.

    An arm without a root of its own stands on a column; one that hangs has room to swing above the floor.
    """
    if system.is_floating:
        return [], None
    up = up_direction(system)
    reach = float(sizes.reach.max())
    lowest = min(float(up @ pose[:3, 3]) for pose in system.base_poses)
    hangs = len(points) > 0 and lowest - float((points @ up).min()) > 0.12 * reach
    found: list[tuple[str, int, pv.PolyData, Array]] = []
    for arm, pose in enumerate(system.base_poses):
        low_joint = min(float(system.joint_models[j].origin[:3, 3] @ pose[:3, :3].T @ up) for j in _first(system, sizes, arm))
        column = 0.0 if hangs or low_joint > 0.06 * reach or not has_floor(system) else 0.28 * reach
        mesh = _root(system, arm, sizes, column, pose[:3, :3].T @ up, theme)
        if mesh is not None:
            name = f"base {arm + 1}" if len(system.robots) > 1 else "base"
            found.append((name, arm, mesh, pose))
            lowest = min(lowest, float(((mesh.points @ pose[:3, :3].T + pose[:3, 3]) @ up).min()))
    placed = [(scene_mesh(name, "link", "links", mesh, arm=arm), pose) for name, arm, mesh, pose in found]
    if not has_floor(system):
        return placed, None
    height = lowest - 1.1 * reach if hangs else lowest
    middle = np.mean([pose[:3, 3] for pose in system.base_poses], axis=0)
    spread = max(float(np.linalg.norm(pose[:3, 3] - middle)) for pose in system.base_poses)
    extent = 1.25 * reach + spread + (1.2 * reach if hangs else 0.6 * reach)
    tile = [p for p in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0) if p <= 0.24 * reach]
    pitch = tile[-1] if tile else 0.24 * reach
    floor = shapes.tiles(extent, max(pitch, extent / 12.0), palette.GROUND[theme])
    pose = shapes.frame_along(up, middle + (height - float(up @ middle)) * up)
    level = float(up[2]) > 1.0 - 1e-9
    if level:
        pose[:3, :3] = np.eye(3)
    mesh = scene_mesh("ground", "ground", "ground", floor, color=palette.GROUND[theme][0], opacity=0.6)
    return [*placed, (mesh, pose)], height if level else None


def _first(system: dyn.System, sizes: Proportions, arm: int) -> list[int]:
    """The joints bolted to an arm's root."""
    return [j for j in sizes.outboard[-1] if int(system.arm_of_link[j]) == arm]


def _root(
    system: dyn.System, arm: int, sizes: Proportions, column: float, up: Array, theme: palette.Theme
) -> pv.PolyData | None:
    """A root in its own axes: its geometry, or a stand with a foot ``column`` metres below it."""
    root = system.robots[arm].root
    hue, metal = palette.arm(arm, theme), palette.METAL[theme]
    shown = [links.geometry_mesh(shape, palette.mix(palette.BODY[theme], hue, 0.16)) for shape in root.geometry]
    found = [mesh for mesh in shown if mesh is not None]
    if found:
        return shapes.merged(found)
    first = _first(system, sizes, arm)
    radius = max(float(sizes.joint_radius[j]) for j in first)
    pieces = []
    for j in first:
        end = system.joint_models[j].origin[:3, 3]
        if np.linalg.norm(end) > 0.25 * radius:
            pieces.append(links.tube_between(np.zeros(3), end, 1.0 * radius, 0.85 * radius, metal))
    if column > 0.0:
        pieces.append(links.tube_between(np.zeros(3), -column * up, 0.8 * radius, 1.0 * radius, metal))
    if column > 0.0 or pieces:
        foot = shapes.placed(
            shapes.foot(2.1 * radius, 0.4 * radius, 1.3 * radius), shapes.frame_along(up, -column * up)
        )
        pieces.append(shapes.painted(foot, metal))
    else:  # hung up in the air: a bracket around the first joint
        joint = system.joint_models[first[0]]
        axis = joint.origin[:3, :3] @ joint.axis
        plate = shapes.drum(1.5 * radius, -1.75 * radius, -1.25 * radius)
        pieces.append(shapes.painted(shapes.placed(plate, shapes.frame_along(axis)), metal))
    return shapes.merged(pieces)


def link_meshes(system: dyn.System, sizes: Proportions, theme: palette.Theme) -> tuple[list[SceneMesh], list[str]]:
    """One mesh a link, in link axes, and what could not be drawn."""
    meshes, remarks = [], []
    for k, name in enumerate(system.link_names):
        polydata, remark = links.link_mesh(system, k, sizes, theme)
        meshes.append(
            scene_mesh(f"link {name}", "link", "links", polydata, link=k, arm=int(system.arm_of_link[k]))
        )
        if remark is not None:
            remarks.append(remark)
    return meshes, remarks


def object_meshes(system: dyn.System, theme: palette.Theme) -> list[SceneMesh]:
    """The task object in its own axes: its geometry, or the box of equal inertia; translucent, to show the arrows."""
    thing = system.task_object
    if thing is None:
        return []
    color = palette.TASK_OBJECT[theme]
    shown = [links.geometry_mesh(shape, color) for shape in thing.geometry]
    found = [mesh for mesh in shown if mesh is not None]
    if not found:
        edges, axes = equal_inertia_box(thing.mass, thing.inertia)
        pose = np.eye(4)
        pose[:3, :3] = axes
        found = [shapes.painted(shapes.placed(shapes.box(edges), pose), color)]
    whole = shapes.merged(found)
    whole.point_data["rgba"][:, 3] = np.minimum(whole.point_data["rgba"][:, 3], round(255 * OBJECT_OPACITY))
    return [scene_mesh(f"object {thing.name}", "object", "object", whole)]


def arrow_meshes(system: dyn.System, theme: palette.Theme) -> list[SceneMesh]:
    """Three unit arrows an arm, in the order of ``ARROWS``, wherever there is an object to hold."""
    if system.task_object is None:
        return []
    arrow = shapes.arrow()
    return [
        scene_mesh(
            f"{word} {arm + 1}", "arrow", "contact_forces", arrow, arm=arm, quantity=quantity,
            color=palette.quantity(quantity, theme),
        )
        for arm in range(len(system.robots))
        for quantity, word in ARROWS
    ]  # fmt: skip


def ellipsoid_meshes(system: dyn.System, theme: palette.Theme) -> list[SceneMesh]:
    """A unit sphere a link, to be stretched to the linear block of P."""
    sphere = shapes.sphere()
    return [
        scene_mesh(
            f"articulated_inertia {name}", "ellipsoid", "ellipsoids", sphere, link=k,
            arm=int(system.arm_of_link[k]), quantity="articulated_inertia",
            color=palette.quantity("articulated_inertia", theme), opacity=ELLIPSOID_OPACITY,
        )
        for k, name in enumerate(system.link_names)
    ]  # fmt: skip


def axis_meshes(system: dyn.System, sizes: Proportions, theme: palette.Theme) -> list[SceneMesh]:
    """A thin double-ended rod along each joint's axis, its head at the positive end, in link axes."""
    meshes = []
    for k, joint in enumerate(system.joint_models):
        arm = int(system.arm_of_link[k])
        half = max(2.4 * float(sizes.joint_radius[k]), 0.07 * float(sizes.reach[arm]))
        thin = 0.14 * half
        rod = shapes.revolved(
            [(0.0, -half), (0.35 * thin, -half), (0.35 * thin, 0.7 * half), (thin, 0.7 * half), (0.0, half)], sides=10
        )
        meshes.append(
            scene_mesh(
                f"axis {system.joint_names[k]}", "axis", "axes", shapes.placed(rod, shapes.frame_along(joint.axis)),
                link=k, arm=arm, color=palette.quantity("axis", theme),
            )
        )  # fmt: skip
    return meshes
