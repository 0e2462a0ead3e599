"""What an arm is bolted to, where its file draws nothing, is never where the arm itself is."""

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
UPRIGHT, LYING = "0.05 0.05 0.4", "0.4 0.05 0.05"
ARMS = {
    "hangs, turns about the upright": (("0 0 0", "0 0 1", "0 0 -0.2", UPRIGHT),),
    "hangs, turns about the upright, and swings": (
        ("0 0 0", "0 0 1", "0 0 -0.2", UPRIGHT),
        ("0 0 -0.4", "0 1 0", "0 0 -0.2", UPRIGHT),
    ),
    "hangs beside a raised shoulder": (("0 0 0.1", "0 0 1", "0 0 -0.2", UPRIGHT),),
    "swings in a plane, broad": (("0 0 0", "0 1 0", "0 0 -0.2", "0.05 0.3 0.4"),),
    "stands": (("0 0 0", "0 0 1", "0 0 0.2", UPRIGHT), ("0 0 0.4", "0 1 0", "0 0 0.2", UPRIGHT)),
    "lies": (("0 0 0", "0 0 1", "0.2 0 0", LYING), ("0.4 0 0", "0 1 0", "0.2 0 0", LYING)),
}


def scene_of(links: tuple[tuple[str, ...], ...]) -> tuple[scenes.Scene, dyn.Solution]:
    text, parent = "", "base"
    for k, (place, axis, middle, size) in enumerate(links):
        text += LINK.format(name=f"j{k}", parent=parent, place=place, axis=axis, middle=middle, size=size)
        parent = f"j{k}_link"
    robot = dyn.load_urdf_text(f'<robot name="own"><link name="base"/>{text}</robot>'.encode(), "own.urdf")
    system = dyn.single_arm(robot)
    solution = dyn.forward_dynamics(system, system.home())
    return scenes.Scene(system, solution), solution


def placed(mesh: scenes.SceneMesh, pose: np.ndarray) -> pv.PolyData:
    """In the world, without its colors."""
    points = mesh.points @ pose[:3, :3].T + pose[:3, 3]
    return pv.PolyData.from_regular_faces(points.astype(float), mesh.faces.astype(int))


def inside(points: np.ndarray, solid: pv.PolyData) -> np.ndarray:
    found = pv.PolyData(points).select_interior_points(solid, check_surface=False)
    return points[np.asarray(found["selected_points"], bool)]


@pytest.mark.parametrize("links", ARMS.values(), ids=ARMS)
def test_neither_a_base_nor_the_floor_is_in_the_links(links: tuple[tuple[str, ...], ...]) -> None:
    scene, solution = scene_of(links)
    base = placed(next(mesh for mesh in scene.meshes if mesh.name == "base"), solution.system.base_poses[0])
    joint = solution.link_pose[-1, :3, 3]
    near = 2.0 * float(scene.sizes.joint_radius.max())  # there they are joined
    for mesh in scene.meshes:
        if mesh.layer != "links" or mesh.link is None:
            continue
        link = placed(mesh, solution.link_pose[mesh.link])
        caught = np.concatenate([inside(np.asarray(base.points), link), inside(np.asarray(link.points), base)])
        assert (np.linalg.norm(caught - joint, axis=1) < near).all(), mesh.name
        assert link.points[:, 2].min() > scene.ground_height - 1e-6


def test_an_arm_that_stands_or_lies_keeps_its_column() -> None:
    for name in ("stands", "lies"):
        scene, _ = scene_of(ARMS[name])
        base = next(mesh for mesh in scene.meshes if mesh.name == "base")
        assert base.points[:, 2].min() < -3.0 * scene.sizes.joint_radius.max(), name
