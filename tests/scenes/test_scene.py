"""A scene shows what the solution says, where it says it, in arrays that a browser can take as they are."""

import dataclasses

import numpy as np
import pytest
import pyvista as pv

import dynamics as dyn
import scenes
from scenes import palette
from scenes.layers import ARROWS, CONTACTS, ELLIPSOIDS
from scenes.links import geometry_mesh
from scenes.scales import Scale
from tests.scenes.conftest import EXAMPLES, moment, scene_of
from tests.scenes.test_layers import matrices


def test_links_and_object_lie_where_the_solution_puts_them():
    for name in EXAMPLES:
        scene, solution = scene_of(name), moment(name)[1]
        moved = matrices(scene, solution)
        for mesh, matrix in zip(scene.meshes, moved, strict=True):
            if mesh.kind == "link" and mesh.link is not None:
                np.testing.assert_allclose(matrix, solution.link_pose[mesh.link, :3], atol=1e-6)
                assert mesh.arm == solution.system.arm_of_link[mesh.link]
            elif mesh.kind == "link":
                np.testing.assert_allclose(matrix, solution.system.base_poses[mesh.arm, :3], atol=1e-6)
            elif mesh.kind == "object":
                np.testing.assert_allclose(matrix, solution.state.object_pose[:3], atol=1e-6)


CONTACT_ARROWS = ("contact_force", "predicted_contact_force", "corrected_contact_force")


def test_arrows_add_up_to_the_applied_force_at_the_contact(held):
    scene, solution = held
    moved = matrices(scene, solution)
    predicted = solution.stages["contact"]["predicted_contact_force"]
    for contact in solution.system.contacts:
        index = {mesh.name: i for i, mesh in enumerate(scene.meshes)}
        applied, free, correction = (moved[index[f"{name} {contact.arm + 1}"]] for name in CONTACT_ARROWS)
        point = (solution.link_pose[contact.link] @ contact.tip_pose)[:3, 3]
        np.testing.assert_allclose(applied[:, 3], point, atol=1e-6)
        aside = free[:, 3] - point  # so that it is not inside the applied force
        assert abs(aside @ applied[:, 2]) < 1e-6
        scale, times = scene.force_scale, scene.times("corrected_contact_force")
        np.testing.assert_allclose(applied[:, 2], scale * solution.contact_force[contact.arm, 3:], atol=1e-5)
        np.testing.assert_allclose(free[:, 2], scale * predicted[contact.arm, 3:], atol=1e-5)
        np.testing.assert_allclose(free[:, 2] + correction[:, 2] / times, applied[:, 2], atol=1e-5)
        across = applied[:, :2]
        np.testing.assert_allclose(across.T @ applied[:, 2], 0.0, atol=1e-5)  # round, not sheared


def test_arrays_are_what_a_browser_takes():
    for name in EXAMPLES:
        scene, solution = scene_of(name), moment(name)[1]
        out = scene.transforms(solution)
        assert (out.dtype, out.shape) == (np.float32, (len(scene.meshes), 12))
        assert np.isfinite(out).all()
        assert len({mesh.name for mesh in scene.meshes}) == len(scene.meshes)
        for mesh in scene.meshes:
            assert mesh.points.dtype == mesh.normals.dtype == np.float32
            assert mesh.points.shape == mesh.normals.shape == (len(mesh.points), 3)
            assert mesh.faces.dtype == np.uint32
            assert mesh.faces.min() >= 0
            assert mesh.faces.max() < len(mesh.points)
            assert all(array.flags.c_contiguous for array in (mesh.points, mesh.normals, mesh.faces))
            np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-4)
            assert len(mesh.color) == 4
            assert all(0.0 <= part <= 1.0 for part in mesh.color)
            assert mesh.colors is None or (mesh.colors.dtype == np.uint8 and mesh.colors.shape == (len(mesh.points), 4))


def test_faces_look_outward():
    for name in EXAMPLES:
        scene = scene_of(name)
        for mesh in scene.meshes:
            corners = mesh.points[mesh.faces].astype(float)
            facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            agree = np.einsum("ij,ij->i", facing, mesh.normals[mesh.faces].mean(axis=1))
            assert (agree >= -1e-9).mean() > 0.99, mesh.name
            if mesh.kind != "ground":
                volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
                assert volume > 0.0, mesh.name


def test_layers_cover_every_mesh_once_and_hide_it():
    for name in EXAMPLES:
        scene, solution = scene_of(name), moment(name)[1]
        indices = np.sort(np.concatenate(list(scene.layers.values())))
        np.testing.assert_array_equal(indices, np.arange(len(scene.meshes)))
        for name, members in scene.layers.items():
            shown = scene.transforms(solution, {name})
            hidden = np.setdiff1d(indices, members)
            assert not shown[hidden].any()
            if name in ("links", "articulated_inertia", "ground", "object", "frames", "axes", "mass_centres"):
                assert (np.abs(shown[members]).sum(axis=1) > 0.0).all()
        with pytest.raises(ValueError, match="no layer 'limbs'"):
            scene.transforms(solution, {"limbs"})


def test_numbers_that_are_none_are_hidden_not_sent(held):
    scene, solution = held
    stages = {name: dict(quantities) for name, quantities in solution.stages.items()}
    inertia = np.full_like(stages["filter"]["articulated_inertia"], np.nan)
    stages["filter"]["articulated_inertia"] = inertia
    stages["contact"]["predicted_contact_force"] = np.full((2, 6), np.inf)
    broken = dataclasses.replace(solution, stages=stages, contact_force=np.full((2, 6), np.nan))
    with np.errstate(invalid="ignore"):
        moved = matrices(scene, broken)
    assert np.isfinite(moved).all()
    assert not moved[scene.layers["articulated_inertia"]].any()
    assert not moved[scene.layers["contact_force"]].any()


def test_a_layer_counts_in_its_unit_and_wears_the_color_of_its_quantity():
    for layer in (layer for layer in ARROWS if layer.quantity):
        unit = dyn.registry[layer.stages[0], layer.quantity].unit.replace("^2", "²").split("; ")
        assert layer.units == (unit[layer.part == "linear"],) * 2, layer.name
    for layer in ELLIPSOIDS:  # a root of an inertia or of an inverse one: per kg, and per kg m^2
        inverse = layer.name == "costate_covariance"
        assert layer.units == (("/√kg", "/(√kg m)") if inverse else ("√kg", "√kg m")), layer.name
    for name, unit in (
        ("velocity", "m/s"), ("angular_velocity", "rad/s"), ("contact_force", "N"), ("influence", "m/s² per N m"),
    ):  # fmt: skip
        assert scenes.CHOICES[name].units == (unit, unit), name
    for name, family in (
        ("residual", "innovation"), ("kalman_gain", "gain"), ("tau", "torque"), ("contact_force", "applied"),
        ("predicted_contact_force", "predicted"), ("corrected_contact_force", "corrected"),
    ):  # fmt: skip
        assert palette.quantity(name, "dark") == palette.FAMILIES[family][1], name
    for layer in (*ELLIPSOIDS, *ARROWS, *CONTACTS):
        for scene in (scene_of(example) for example in ("two_arms_and_box", "free_flyer")):
            for mesh in (scene.meshes[at] for at in scene.layers.get(layer.name, ())):
                if mesh.colors is None:
                    assert mesh.color[:3] == pytest.approx(palette.rgb(palette.quantity(layer.color)), abs=0.01), (
                        mesh.name
                    )


def link_of(scene, k):
    return next(mesh for mesh in scene.meshes if mesh.kind == "link" and mesh.link == k)


def test_a_link_without_geometry_reaches_from_its_joint_to_the_next():
    for name in ["puma560", "iiwa14", "panda", "planar_chain"]:
        robot = dyn.load(name)
        links = tuple(dataclasses.replace(link, geometry=()) for link in robot.links)
        root = dataclasses.replace(robot.root, geometry=())
        system = dyn.single_arm(dataclasses.replace(robot, links=links, root=root))
        scene = scenes.Scene(system)
        for k in range(1, system.n_links):
            points = link_of(scene, k).points
            end = system.joint_models[k - 1].origin[:3, 3]
            radius = scene.sizes.joint_radius.max()
            assert np.linalg.norm(points, axis=1).min() < 1.5 * radius
            assert np.linalg.norm(points - end, axis=1).min() < 1.5 * radius
        radii = scene.sizes.joint_radius
        assert (np.diff(radii) >= -1e-12).all()  # thicker towards the base, which carries more


def with_mesh(path, scale=(1.0, 1.0, 1.0)):
    robot = dyn.load("puma560")
    shape = dyn.Geometry("mesh", scale, np.eye(4), None, str(path))
    links = (dataclasses.replace(robot.links[0], geometry=(shape,)), *robot.links[1:])
    return dyn.single_arm(dataclasses.replace(robot, links=links))


def test_mesh_files_are_read_scaled_and_thinned_out(tmp_path):
    for suffix in ["stl", "obj", "ply"]:
        path = tmp_path / f"part.{suffix}"
        pv.Sphere(radius=0.1, theta_resolution=90, phi_resolution=90).save(path)
        scene = scenes.Scene(with_mesh(path, (1.0, 2.0, -1.0)))
        mesh = link_of(scene, 0)
        np.testing.assert_allclose(np.ptp(mesh.points, axis=0), [0.2, 0.4, 0.2], rtol=0.03)
        assert 500 < len(mesh.faces) <= 3100
        corners = mesh.points[mesh.faces].astype(float)
        assert (
            np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) > 0.0
        )  # mirrored, still outward
        assert scene.remarks == ()


def test_a_mesh_file_that_cannot_be_read_leaves_a_capsule_and_a_remark(tmp_path):
    for content in [None, b"", b"solid nothing", b"\x00\xff" * 300]:
        path = tmp_path / "part.stl"
        if content is not None:
            path.write_bytes(content)
        scene = scenes.Scene(with_mesh(path))
        assert len(link_of(scene, 0).faces) > 20
        assert "mesh file" in scene.remarks[0]


def test_every_primitive_lies_about_its_middle_and_is_as_large_as_it_is_said_to_be() -> None:
    for kind, size, extent in (
        ("box", (0.2, 0.4, 0.6), (0.2, 0.4, 0.6)), ("sphere", (0.3,), (0.6, 0.6, 0.6)),
        ("cylinder", (0.1, 0.5), (0.2, 0.2, 0.5)),
    ):  # fmt: skip
        drawn = geometry_mesh(dyn.Geometry(kind, size, np.eye(4)), "#808080")
        ends = np.reshape(drawn.bounds, (3, 2))
        np.testing.assert_allclose(ends[:, 1] - ends[:, 0], extent, rtol=0.02)
        np.testing.assert_allclose(ends.mean(axis=1), 0.0, atol=0.01, err_msg=kind)


def test_scales_move_in_steps_and_only_when_they_must():
    scale = Scale(0.5, 30.0)
    assert scale.value == pytest.approx(0.01)
    assert scale.follow(70.0) == pytest.approx(0.01)  # a little over the length is no reason
    assert scale.follow(200.0) == pytest.approx(0.002)
    assert scale.follow(0.0) == pytest.approx(0.002)  # nothing drawn, nothing learned
    for _ in range(20):
        assert scale.follow(1.0) == pytest.approx(0.002)  # a passing low changes nothing
    for _ in range(200):
        scale.follow(1.0)
    assert scale.value == pytest.approx(0.5)
