"""What an arm is bolted to is never where the arm is; what is said to be too small to be seen is within the links."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

import dynamics as dyn
import scenes

LINK = """
  <joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{name}_link"/>
    <origin xyz="{place}"/><axis xyz="{axis}"/></joint>
  <link name="{name}_link">
    <inertial><origin xyz="{middle}"/><mass value="1"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="{middle}"/><geometry><box size="{size}"/></geometry></visual></link>"""


def scene_of(links: tuple[tuple[str, ...], ...]) -> tuple[scenes.Scene, dyn.Solution]:
    text, parent = "", "base"
    for k, (place, axis, middle, size) in enumerate(links):
        text += LINK.format(name=f"j{k}", parent=parent, place=place, axis=axis, middle=middle, size=size)
        parent = f"j{k}_link"
    robot = dyn.load_urdf_text(f'<robot name="own"><link name="base"/>{text}</robot>'.encode(), "own.urdf")
    system = dyn.single_arm(robot)
    solution = dyn.forward_dynamics(system, system.home())
    return scenes.Scene(system, solution), solution


def three_rods(thick: str) -> tuple[tuple[str, ...], ...]:
    """Rods of 0.3 m each that hang from a raised shoulder."""
    size = f"{thick} {thick} 0.3"
    second, third = (("0 0 -0.3", axis, "0 0 -0.15", size) for axis in ("0 1 0", "1 0 0"))
    return ("0 0 1", "0 1 0", "0 0 -0.15", size), second, third


def balls(scene: scenes.Scene, solution: dyn.Solution, radius: float) -> np.ndarray:
    """A picture in which P of every link is a ball of that radius, m."""
    picture = scene.transforms(solution, ("links",))
    for k, mesh in enumerate(scene.layers["articulated_inertia"]):
        pose = np.column_stack([radius * np.eye(3), solution.link_pose[k, :3, 3]])
        picture[mesh] = pose.ravel()
    return picture


def test_a_ball_thicker_than_its_rods_is_seen(subtests: pytest.Subtests) -> None:
    """However thick an invented joint would be: at the root there is none but a thin pin."""
    for thick, radius, small in [("0.06", 0.07, 0), ("0.06", 0.05, 0), ("0.2", 0.07, 2)]:
        with subtests.test(thick=thick):
            scene, solution = scene_of(three_rods(thick))
            assert scene.hidden("articulated_inertia", balls(scene, solution, radius)) == (3, small)


def test_neither_an_invented_base_nor_the_floor_is_in_the_links(subtests: pytest.Subtests) -> None:
    upright = "0.05 0.05 0.4"
    arms = {
        "hangs": (("0 0 0", "0 0 1", "0 0 -0.2", upright), ("0 0 -0.4", "0 1 0", "0 0 -0.2", upright)),
        "hangs from high above its root": three_rods("0.06"),
        "stands": (("0 0 0", "0 0 1", "0 0 0.2", upright), ("0 0 0.4", "0 1 0", "0 0 0.2", upright)),
    }
    for name, links in arms.items():
        scene, solution = scene_of(links)
        base = placed(next(mesh for mesh in scene.meshes if mesh.name == "base"), solution.system.base_poses[0])
        near = 2.0 * float(scene.sizes.joint_radius.max())  # there they are joined
        for mesh in (mesh for mesh in scene.meshes if mesh.layer == "links" and mesh.link is not None):
            with subtests.test(name=name, mesh=mesh.name):
                link = placed(mesh, solution.link_pose[mesh.link])
                caught = np.concatenate([inside(np.asarray(base.points), link), inside(np.asarray(link.points), base)])
                assert (np.linalg.norm(caught - solution.link_pose[-1, :3, 3], axis=1) < near).all()
                assert link.points[:, 2].min() > scene.ground_height - 1e-6


def placed(mesh: scenes.SceneMesh, pose: np.ndarray) -> pv.PolyData:
    """In the world, without its colors."""
    points = mesh.points @ pose[:3, :3].T + pose[:3, 3]
    return pv.PolyData.from_regular_faces(points.astype(float), mesh.faces.astype(int))


def inside(points: np.ndarray, solid: pv.PolyData) -> np.ndarray:
    found = pv.PolyData(points).select_interior_points(solid, check_surface=False)
    return points[np.asarray(found["selected_points"], bool)]
