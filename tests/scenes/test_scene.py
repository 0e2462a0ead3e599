"""A scene shows what the solution says, where it says it, in arrays that a browser can take as they are."""

import dataclasses

import numpy as np
import pytest

import dynamics as dyn
import scenes
from scenes.scales import Scale
from scenes.shapes import HEAD, SHAFT


def matrices(scene, solution, visible=None):
    return scene.transforms(solution, visible).reshape(-1, 3, 4)


def test_links_and_object_lie_where_the_solution_puts_them(drawn):
    scene, solution = drawn
    moved = matrices(scene, solution)
    for mesh, matrix in zip(scene.meshes, moved, strict=True):
        if mesh.kind == "link" and mesh.link is not None:
            np.testing.assert_allclose(matrix, solution.link_pose[mesh.link, :3], atol=1e-6)
            assert mesh.arm == solution.system.arm_of_link[mesh.link]
        elif mesh.kind == "link":
            np.testing.assert_allclose(matrix, solution.system.base_poses[mesh.arm, :3], atol=1e-6)
        elif mesh.kind == "object":
            np.testing.assert_allclose(matrix, solution.state.object_pose[:3], atol=1e-6)


def test_ellipsoids_have_the_eigenvectors_of_P_and_the_roots_of_its_eigenvalues(drawn):
    scene, solution = drawn
    moved = matrices(scene, solution)
    for index in scene.layers["articulated_inertia"]:
        k = scene.meshes[index].link
        block = solution.stages["filter"]["articulated_inertia"][k, 3:, 3:]
        values, vectors = np.linalg.eigh(block)
        roots = np.sqrt(np.maximum(values, 0.0))
        stretch = moved[index, :, :3]
        axes = scene.ellipsoid_scale * np.maximum(roots, 0.03 * roots.max())
        np.testing.assert_allclose(stretch @ vectors, vectors * axes, atol=1e-5 * axes.max())
        assert np.linalg.det(stretch) > 0.0  # never turned inside out
        np.testing.assert_allclose(moved[index, :, 3], solution.link_pose[k, :3, 3], atol=1e-6)


def contact_arrows(scene, moved, arm):
    index = {mesh.name: i for i, mesh in enumerate(scene.meshes)}
    return (moved[index[f"{name} {arm + 1}"]] for name in CONTACT_ARROWS)


CONTACT_ARROWS = ("contact_force", "predicted_contact_force", "corrected_contact_force")


def test_arrows_add_up_to_the_applied_force_at_the_contact(held):
    scene, solution = held
    moved = matrices(scene, solution)
    predicted = solution.stages["contact"]["predicted_contact_force"]
    for contact in solution.system.contacts:
        applied, free, correction = contact_arrows(scene, moved, contact.arm)
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


FORCES = {
    "a little less": ([0.0, 0.0, 20.8], [0.0, 0.0, 19.8]),
    "a little more": ([0.0, 0.0, 18.8], [0.0, 0.0, 19.8]),
    "aslant": ([0.9, 2.2, 20.8], [1.9, 1.7, 19.9]),
    "aslant to the other side": ([-1.4, 0.3, 20.8], [0.3, -0.2, 19.9]),
    "toward the eye": ([10.0, -12.0, 6.0], [10.0, -12.5, 6.6]),
    "across": ([20.0, 0.0, 0.0], [16.0, 4.0, 0.0]),
    "nearly none is left": ([0.0, 0.0, 20.0], [0.0, 0.0, 1.0]),
}


@pytest.mark.parametrize(("predicted", "applied"), FORCES.values(), ids=FORCES)
def test_a_correction_is_seen_beside_the_forces_that_it_leads_between(held, predicted, applied):
    """However the three lie: it is long enough to read, and either end of it is outside both other arrows."""
    _, solution = held
    forced = dataclasses.replace(
        solution,
        contact_force=np.tile([0.0, 0.0, 0.0, *applied], (2, 1)),
        stages={"contact": {"predicted_contact_force": np.tile([0.0, 0.0, 0.0, *predicted], (2, 1))}},
    )
    scene = scenes.Scene(solution.system, solution)
    moved = matrices(scene, forced, CONTACT_ARROWS)
    reach = scene.sizes.reach.min()
    for contact in solution.system.contacts:
        whole, free, correction = contact_arrows(scene, moved, contact.arm)
        assert 0.1 * reach < np.linalg.norm(correction[:, 2]) < 0.5 * reach
        times, scale = scene.times("corrected_contact_force"), scene.force_scale
        np.testing.assert_allclose(correction[:, 2], times * scale * np.subtract(applied, predicted), atol=1e-5)
        unit, amount = scene.stated(CONTACT_ARROWS)["corrected_contact_force"]
        assert (unit, amount) == ("N", pytest.approx(0.1 / (times * scale)))
        for other in (whole, free):
            far = max(distance(correction[:, 3] + share * correction[:, 2], other) for share in (0.0, 0.5, 1.0))
            wide = HEAD * np.linalg.norm(other[:, 0]) + SHAFT * np.linalg.norm(correction[:, 0])
            assert far > wide
        start = correction[:, 3] - free[:, 3] - free[:, 2]
        assert np.linalg.norm(start) < 0.12 * reach  # at the predicted force's head, or beside it
        assert abs(start @ free[:, 2]) < 1e-6


def distance(point, arrow):
    """m, of a point from the line of an arrow's shaft."""
    along = arrow[:, 2]
    share = np.clip((point - arrow[:, 3]) @ along / (along @ along), 0.0, 1.0)
    return np.linalg.norm(point - arrow[:, 3] - share * along)


def test_a_correction_that_is_only_rounding_is_not_blown_up(held):
    _, solution = held
    force = solution.contact_force
    same = {"contact": {"predicted_contact_force": force * (1.0 + 1e-13)}}
    scene = scenes.Scene(solution.system, solution)
    matrices(scene, dataclasses.replace(solution, stages=same), CONTACT_ARROWS)
    assert scene.times("corrected_contact_force") == 1.0


def test_one_of_a_contacts_forces_alone_starts_at_the_contact(held):
    scene, solution = held
    moved = matrices(scene, solution, ("predicted_contact_force",))
    for contact in solution.system.contacts:
        _, free, _ = contact_arrows(scene, moved, contact.arm)
        point = (solution.link_pose[contact.link] @ contact.tip_pose)[:3, 3]
        np.testing.assert_allclose(free[:, 3], point, atol=1e-6)


def test_released_object_has_no_arrows_and_the_same_scene_still_serves(held):
    scene, solution = held
    free = dyn.release(solution.system)
    moved = matrices(scene, dyn.forward_dynamics(free, solution.state))
    assert not moved[scene.layers["contact_force"]].any()
    assert moved[scene.layers["object"]].any()
    assert matrices(scene, solution)[scene.layers["contact_force"]].any()


def test_arrays_are_what_a_browser_takes(drawn):
    scene, solution = drawn
    out = scene.transforms(solution)
    assert out.dtype == np.float32
    assert out.shape == (len(scene.meshes), 12)
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


def test_faces_look_outward(drawn):
    scene, _ = drawn
    for mesh in scene.meshes:
        corners = mesh.points[mesh.faces].astype(float)
        facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        agree = np.einsum("ij,ij->i", facing, mesh.normals[mesh.faces].mean(axis=1))
        assert (agree >= -1e-9).mean() > 0.99, mesh.name
        if mesh.kind != "ground":
            volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
            assert volume > 0.0, mesh.name


def test_what_travels_stays_small(drawn):
    scene, solution = drawn
    geometries = {id(mesh.points): mesh for mesh in scene.meshes}
    assert len(geometries) <= scene.system.n_links + 2 * scene.system.n_arms + 30
    assert sum(len(mesh.faces) for mesh in geometries.values()) <= 20_000
    bodies = len(scene.layers["links"]) + len(scene.layers["object"])
    shown = scene.transforms(solution, ("links", "object", "articulated_inertia")).any(axis=1)
    assert shown.sum() <= bodies + scene.system.n_links  # a frame in the browser is 48 bytes for each of these


def test_layers_cover_every_mesh_once_and_hide_it(drawn):
    scene, solution = drawn
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


def test_a_solution_without_stages_hides_what_it_does_not_know(held):
    scene, solution = held
    dense = dyn.forward_dynamics(solution.system, solution.state, method="kkt")
    moved = matrices(scene, dense)
    assert np.isfinite(moved).all()
    assert not moved[scene.layers["articulated_inertia"]].any()
    assert moved[scene.layers["contact_force"]].any(axis=(1, 2)).sum() == len(solution.system.contacts)


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


def test_camera_sees_the_whole_machine(drawn):
    scene, solution = drawn
    camera = scene.camera
    toward = np.subtract(camera.position, camera.focal_point)
    distance = np.linalg.norm(toward)
    toward = toward / distance
    right = np.cross(camera.up, toward)
    right /= np.linalg.norm(right)
    above = np.cross(toward, right)
    offset = solution.link_pose[:, :3, 3] - camera.position
    depth = -offset @ toward
    half = np.tan(np.radians(0.5 * camera.angle))
    assert (depth > 0.0).all()
    assert (np.abs(offset @ above) <= half * depth).all()
    assert (np.abs(offset @ right) <= 1.6 * half * depth).all()


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


def test_without_a_moment_the_home_posture_serves():
    system, _ = dyn.example("two_arms_and_box")
    assert len(scenes.Scene(system).meshes) > 20
