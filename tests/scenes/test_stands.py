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
    "hangs from high above its root": (
        ("0 0 1", "0 1 0", "0 0 -0.15", "0.06 0.06 0.3"),
        ("0 0 -0.3", "1 0 0", "0 0 -0.15", "0.06 0.06 0.3"),
    ),
    "hangs from high above its root to the floor": (
        ("0 0 0.75", "0.3 1 0", "0 0 -0.35", "0.04 0.04 0.7"),
        ("0 0 -0.7", "1 0 0", "0.1 0 0", "0.2 0.04 0.04"),
    ),
    "is folded back onto what holds it": (
        ("0.6 0 0.5", "0 0 1", "-0.2 0 -0.2", "0.4 0.4 0.05"),
        ("-0.4 0 0", "1 0 0", "0 0 0.1", "0.05 0.05 0.2"),
    ),
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


@pytest.mark.parametrize("name", ["hangs from high above its root", "hangs from high above its root to the floor"])
def test_an_arm_that_hangs_where_a_column_would_be_is_seen(name: str) -> None:
    """What holds it is behind it, on the floor, and thinner than its links."""
    scene, solution = scene_of(ARMS[name])
    base = placed(next(mesh for mesh in scene.meshes if mesh.name == "base"), np.eye(4))
    eye = np.asarray(scene.camera.position)
    for mesh in scene.meshes:
        if mesh.layer == "links" and mesh.link is not None:
            middle = np.asarray(placed(mesh, solution.link_pose[mesh.link]).center)
            assert not len(base.ray_trace(eye, middle)[0]), mesh.name
    assert base.bounds[4] == pytest.approx(scene.ground_height, abs=1e-6)
    for height in (0.2, 0.4, 0.6):
        across = base.slice(normal="z", origin=(0.0, 0.0, height)).bounds
        assert across[1] - across[0] < 0.04
        assert across[3] - across[2] < 0.04


def test_an_arm_that_stands_or_lies_keeps_its_column() -> None:
    for name in ("stands", "lies"):
        scene, _ = scene_of(ARMS[name])
        base = next(mesh for mesh in scene.meshes if mesh.name == "base")
        assert base.points[:, 2].min() < -3.0 * scene.sizes.joint_radius.max(), name
