"""What links look like with and without geometry of their own."""

import dataclasses

import numpy as np
import pytest
import pyvista as pv

import dynamics as dyn
import scenes


def bare(robot):
    """The same robot without any geometry."""
    links = tuple(dataclasses.replace(link, geometry=()) for link in robot.links)
    return dataclasses.replace(robot, links=links, root=dataclasses.replace(robot.root, geometry=()))


def link_of(scene, k):
    return next(mesh for mesh in scene.meshes if mesh.kind == "link" and mesh.link == k)


@pytest.mark.parametrize("name", ["puma560", "iiwa14", "panda", "planar_chain"])
def test_a_link_without_geometry_reaches_from_its_joint_to_the_next(name):
    system = dyn.single_arm(bare(dyn.load(name)))
    scene = scenes.Scene(system)
    for k in range(1, system.n_links):
        points = link_of(scene, k).points
        end = system.joint_models[k - 1].origin[:3, 3]
        radius = scene.sizes.joint_radius.max()
        assert np.linalg.norm(points, axis=1).min() < 1.5 * radius
        assert np.linalg.norm(points - end, axis=1).min() < 1.5 * radius
    radii = scene.sizes.joint_radius
    assert (np.diff(radii) >= -1e-12).all()  # thicker towards the base, which carries more


def test_a_floating_base_without_geometry_is_a_box_of_its_inertia():
    system = dyn.free_flyer(bare(dyn.load("free_flyer")))
    base = system.link_models[-1]
    scene = scenes.Scene(system)
    edges, axes = scenes.proportions.equal_inertia_box(base.mass, base.inertia)
    own = (link_of(scene, system.n_links - 1).points - base.center_of_mass) @ axes
    np.testing.assert_allclose(np.ptp(own, axis=0), edges, rtol=0.02)
    a, b, c = edges**2
    moments = base.mass / 12.0 * np.array([b + c, c + a, a + b])
    np.testing.assert_allclose(axes @ np.diag(moments) @ axes.T, base.inertia, rtol=1e-6, atol=1e-6)


def with_mesh(path, scale=(1.0, 1.0, 1.0)):
    robot = dyn.load("puma560")
    shape = dyn.Geometry("mesh", scale, np.eye(4), None, str(path))
    links = (dataclasses.replace(robot.links[0], geometry=(shape,)), *robot.links[1:])
    return dyn.single_arm(dataclasses.replace(robot, links=links))


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply"])
def test_mesh_files_are_read_scaled_and_thinned_out(tmp_path, suffix):
    path = tmp_path / f"part.{suffix}"
    pv.Sphere(radius=0.1, theta_resolution=90, phi_resolution=90).save(path)
    scene = scenes.Scene(with_mesh(path, (1.0, 2.0, -1.0)))
    mesh = link_of(scene, 0)
    np.testing.assert_allclose(np.ptp(mesh.points, axis=0), [0.2, 0.4, 0.2], rtol=0.03)
    assert 500 < len(mesh.faces) <= 3100
    corners = mesh.points[mesh.faces].astype(float)
    assert np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) > 0.0  # mirrored, still outward
    assert scene.remarks == ()


@pytest.mark.parametrize("content", [None, b"", b"solid nothing", b"\x00\xff" * 300])
def test_a_mesh_file_that_cannot_be_read_leaves_a_capsule_and_a_remark(tmp_path, content):
    path = tmp_path / "part.stl"
    if content is not None:
        path.write_bytes(content)
    scene = scenes.Scene(with_mesh(path))
    assert len(link_of(scene, 0).faces) > 20
    assert "mesh file" in scene.remarks[0]


def test_arms_wear_different_hues():
    system, _ = dyn.example("two_arms_and_box")
    scene = scenes.Scene(system)
    looks = [
        {tuple(color) for m in scene.meshes if m.kind == "link" and m.arm == arm and m.colors is not None
         for color in np.unique(m.colors, axis=0)}
        for arm in (0, 1)
    ]  # fmt: skip
    assert looks[0] - looks[1]
    assert looks[1] - looks[0]
