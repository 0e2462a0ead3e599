"""Every layer draws what the solution holds, to the scale that the scene states."""

import numpy as np
import pytest

import dynamics as dyn
import scenes
from dynamics.solve import smoothed_force_covariance
from dynamics.system.plain_kinematics import spatial_inertias
from scenes.contact_ways import LONGEST, MOST_HIDDEN, SIGN, SIGNS
from scenes.flight import AHEAD, RODS
from scenes.layers import ARROWS, ELLIPSOIDS, FLIGHT, LAYERS, owner
from tests.dynamics.solve.test_center_of_mass import spinning
from tests.scenes.conftest import EXAMPLES, moment, scene_of

SMOOTHERS = "smoother", "smoother_final"
ROWS = {"rotational": slice(0, 3), "translational": slice(3, 6)}


def matrices(scene, solution, visible=None, look=None):
    return scene.transforms(solution, visible, look or scenes.Look()).reshape(-1, 3, 4).astype(float)


def whole(layer, solution):
    """(links, 6, 6) of an ellipsoid's layer, without the scene."""
    if layer.name == "spatial_inertia":
        motion = dyn.forward_kinematics(solution.system, solution.state)
        return spatial_inertias(solution.system, motion.pose, motion.mass_lever)
    if layer.name == "operational_space_inertia" and solution.system.kind != "free_flyer":
        return np.linalg.pinv(solution.stages["smoother"]["costate_covariance"], rcond=1e-11, hermitian=True)
    if layer.name == "smoothed_force_covariance":
        return smoothed_force_covariance(solution.system, solution.state)
    if layer.name == "contact_influence_sweep":
        maps = dyn.influence(solution.system, solution.state)
        return maps.sweeps["inward_influence"]["contact_influence_sweep"]
    return solution.stages[layer.stages[0]][layer.quantity]


def test_every_ellipsoid_has_the_axes_of_its_block():
    for block in ["translational", "rotational"]:
        for name in ["puma560", "two_arms_and_box", "free_flyer"]:
            system, solution = moment(name)
            scene = scenes.Scene(system, solution)
            for layer in ELLIPSOIDS:
                if layer not in scenes.layers_of(system):
                    continue
                moved = matrices(scene, solution, (layer.name,), scenes.Look(block=block))[scene.layers[layer.name]]
                unit, amount = scene.stated((layer.name,), block)[layer.name]
                assert unit == layer.unit(block)
                for k, matrix in enumerate(whole(layer, solution)):
                    values, vectors = np.linalg.eigh(matrix[ROWS[block], ROWS[block]])
                    roots = 0.1 / amount * np.sqrt(np.maximum(values, 0.0))
                    roots = np.minimum(roots, 0.7 * scene.sizes.reach.min())
                    if roots.max() < 1e-6:
                        continue  # of a direction in which nothing can be seen
                    roots = np.maximum(roots, 0.03 * roots.max())
                    np.testing.assert_allclose(moved[k, :, :3] @ vectors, vectors * roots, atol=2e-4 * roots.max())
                    np.testing.assert_allclose(moved[k, :, 3], solution.link_pose[k, :3, 3], atol=1e-6)


def test_every_arrow_is_its_vector_at_the_stated_scale():
    for name in ["puma560", "two_arms_and_box", "free_flyer"]:
        system, solution = moment(name)
        scene = scenes.Scene(system, solution)
        own = [(layer, owner(layer, solution), scenes.Look()) for layer in ARROWS]
        if solution.system.is_held:  # the cursor's stage chooses whose acceleration is drawn
            assert owner(scenes.CHOICES["acceleration"], solution) == "smoother_final"
            own += [(scenes.CHOICES["acceleration"], stage, scenes.Look(stage=stage)) for stage in SMOOTHERS]
        for layer, stage, look in own:
            moved = matrices(scene, solution, (layer.name,), look)[scene.layers[layer.name]]
            six = solution.stages[stage][layer.quantity] if layer.quantity else solution.link_velocity
            vector = six[:, 3:] if layer.part == "linear" else six[:, :3]
            _, amount = scene.stated((layer.name,))[layer.name]
            np.testing.assert_allclose(moved[:, :, 2] * amount / 0.1, vector, atol=1e-5 * np.abs(vector).max())
            seen = np.abs(moved).sum(axis=(1, 2)) > 0.0
            np.testing.assert_allclose(moved[seen, :, 3], solution.link_pose[seen, :3, 3], atol=1e-6)


def test_only_the_chosen_links_are_drawn_to_the_scale_of_all():
    system, solution = moment("puma560")
    scene = scenes.Scene(system, solution)
    layers = ("articulated_inertia", "predicted_force")
    everything = matrices(scene, solution, layers)
    stated = scene.stated(layers)
    one = matrices(scene, solution, layers, scenes.Look(links=np.arange(system.n_links) == 2))
    assert scene.stated(layers) == stated
    for name in layers:
        rows = scene.layers[name]
        np.testing.assert_array_equal(one[rows[2]], everything[rows[2]])
        assert not np.delete(one[rows], 2, axis=0).any()


def test_the_filter_s_step_shows_before_and_after_and_what_is_freed():
    system, solution = moment("puma560")
    scene = scenes.Scene(system, solution)
    before, after = scene.layers["articulated_inertia"], scene.layers["articulated_inertia_updated"]
    for k in range(system.n_joints):
        moved = matrices(scene, solution, ("freed",), scenes.Look(stage="filter", link=k))
        for rows in (before, after):
            seen = np.abs(moved[rows]).sum(axis=(1, 2)) > 0.0
            np.testing.assert_array_equal(np.flatnonzero(seen), [k])
        turn, slide = moved[scene.layers["freed"]]
        axis = solution.link_pose[k, :3, :3] @ system.joint_models[k].axis
        np.testing.assert_allclose(turn[:, 2] / np.linalg.norm(turn[:, 2]), axis, atol=1e-6)
        assert not slide.any()
    assert not matrices(scene, solution, ("freed",), scenes.Look(stage="smoother", link=1)).any()


def test_marks_lie_on_the_machine():
    for name in EXAMPLES:
        scene, solution = scene_of(name), moment(name)[1]
        system = scene.system
        moved = matrices(scene, solution, ("axes", "frames", "mass_centres"))
        for k, (joint, row) in enumerate(zip(system.joint_models, scene.layers["axes"], strict=True)):
            axis = solution.link_pose[k, :3, :3] @ joint.axis
            np.testing.assert_allclose(np.cross(moved[row, :, 2], axis), 0.0, atol=1e-5)
            assert moved[row, :, 2] @ axis > 0.0
        for k, row in enumerate(scene.layers["frames"]):
            length = np.linalg.norm(moved[row, :, 0])
            np.testing.assert_allclose(moved[row, :, :3], length * solution.link_pose[k, :3, :3], atol=1e-6)
        for k, row in enumerate(scene.layers["mass_centres"]):
            center = solution.link_pose[k] @ np.append(system.link_models[k].center_of_mass, 1.0)
            np.testing.assert_allclose(moved[row, :, 3], center[:3], atol=1e-6)


def test_trails_join_the_points_and_end_at_the_last():
    system, solution = moment("two_arms_and_box")
    scene = scenes.Scene(system, solution)
    time = np.linspace(0.0, 1.0, 9)[None, :, None]
    paths = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.5]])[:, None, :] * time
    moved = matrices(scene, solution, ("trails",), scenes.Look(paths=paths))[scene.layers["trails"]]
    for path, rods in zip(paths, np.split(moved, 3), strict=True):
        drawn = rods[np.abs(rods).sum(axis=(1, 2)) > 0.0]
        assert len(drawn) == 8
        np.testing.assert_allclose(drawn[:, :, 3], path[:-1], atol=1e-6)
        np.testing.assert_allclose(drawn[:, :, 3] + drawn[:, :, 2], path[1:], atol=1e-6)
    assert not matrices(scene, solution, ("trails",), scenes.Look(paths=paths[:, :1])).any()


def test_a_push_leads_from_its_point_to_where_it_pulls_and_shares_the_scale_of_forces():
    system, solution = moment("puma560")
    scene = scenes.Scene(system, solution)
    push = scenes.Push(np.array([0.3, 0.1, 0.5]), np.array([0.0, -20.0, 5.0]))
    moved = matrices(scene, solution, ("push",), scenes.Look(pushes=(push,)))[scene.layers["push"]]
    np.testing.assert_allclose(moved[0, :, 3], push.point, atol=1e-6)
    np.testing.assert_allclose(moved[0, :, 2], scene.force_scale * push.force, atol=1e-6)
    assert not moved[1:].any()


def shade(solution, letter=""):
    return scenes.Shade(solution.link_pose, solution.state.object_pose, letter)


def test_a_ghost_shows_the_bodies_of_another_moment_or_another_machine():
    system, solution = moment("two_arms_and_box")
    later = dyn.simulate(system, solution.state, duration=0.05, dt=1e-3).solution_at(0.05)
    scene = scenes.Scene(system, solution, haunts=[scenes.GhostRun(system)])
    rows = scene.layers["ghost"]
    assert not matrices(scene, solution)[rows].any()
    moved = matrices(scene, solution, ("links", "ghost"), scenes.Look(ghosts=(shade(later),)))
    np.testing.assert_allclose(moved[rows[:-1]], later.link_pose[:, :3], atol=1e-6)
    np.testing.assert_allclose(moved[rows[-1]], later.state.object_pose[:3], atol=1e-6)
    own = {id(mesh.points) for mesh in scene.meshes if mesh.layer != "ghost"}
    assert {id(scene.meshes[i].points) for i in rows} <= own  # the same geometry travels once
    stranger = moment("puma560")[1]
    assert not scenes.looks_alike(stranger.system, system)
    assert not matrices(scene, solution, None, scenes.Look(ghosts=(shade(stranger),)))[rows].any()
    mixed = scenes.Scene(system, solution, haunts=[scenes.GhostRun(stranger.system)])
    moved = matrices(mixed, solution, ("ghost",), scenes.Look(ghosts=(shade(stranger),)))
    np.testing.assert_allclose(moved[mixed.layers["ghost"]], stranger.link_pose[:, :3], atol=1e-6)


def moments(example: str) -> list[tuple[dyn.Solution, scenes.Look]]:
    """Of a motion, in its second half with nothing held, each looked at another way."""
    draw = np.random.default_rng(5)
    system, state = dyn.example(example)
    free = dyn.release(system) if system.is_held else system
    found = []
    for number in range(9):
        own = system if number < 5 else free
        torque = draw.normal(size=system.n_joints)
        solution = dyn.forward_dynamics(own, state, torque)
        bodies = system.n_tips + (system.task_object is not None)
        push = scenes.Push(draw.normal(size=3), 30.0 * draw.normal(size=3))
        look = scenes.Look(
            paths=draw.normal(size=(bodies, number + 1, 3)),
            course=draw.normal(size=(number + 1, 3)),
            pushes=(push,) * (number % 3 > 0),
            influence=None if system.is_floating else draw.normal(size=(system.n_links, 2, 3)),
            stage="filter",
            link=1,
        )
        found.append((solution, look))
    return found


MACHINES = ("puma560", "two_arms_and_box", "free_flyer")


def test_together_as_alone() -> None:
    for example in MACHINES:
        some = moments(example)
        solutions, looks = zip(*some, strict=True)
        scene = scenes.Scene(solutions[0].system, solutions[0])
        layers = [name for name in LAYERS if name != "ghost"]
        scene.pictures(solutions, layers, looks)
        scene.scales.fixed = scene.scales.units
        together = scene.pictures(solutions, layers, looks)
        alone = [scene.transforms(solution, layers, look) for solution, look in some]
        np.testing.assert_allclose(together, alone, atol=1e-6, rtol=1e-5)
        for name in ("links", "trails", "push", "articulated_inertia", "predicted_force"):
            assert together[:, scene.layers[name]].any(), name


SHOWN = tuple(layer.name for layer in FLIGHT)


def test_mark_path_and_arrows_are_those_of_the_mechanics_and_the_arrows_stay():
    for seed in [3, 8]:
        system, state = spinning(seed)
        run = dyn.simulate(system, state, duration=0.3, dt=1e-3)
        scene = scenes.Scene(system, run.solution_at(0.0))
        drawn = []
        for time in (0.0, 0.1, 0.3):
            solution = run.solution_at(time)
            center = dyn.center_of_mass(solution.system, solution.state)
            past = [run.state_at(t) for t in np.linspace(0.0, time, 5)]
            course = np.array([dyn.center_of_mass(system, state).position for state in past])
            moved = matrices(scene, solution, SHOWN, scenes.Look(course=course))
            (mark,), (axes,) = (moved[scene.layers[name]] for name in ("mass_center", "inertial_axes"))
            np.testing.assert_allclose(mark[:, 3], center.position, atol=1e-6)
            assert not axes[:, 3].any()
            (base,) = moved[scene.layers["start"]]
            np.testing.assert_allclose(base, run.solution_at(0.0).link_pose[-1, :3], atol=1e-6)
            arrows = {}
            for name, vector in (("momentum", center.linear_momentum), ("angular_momentum", center.angular_momentum)):
                (arrow,) = moved[scene.layers[name]]
                unit, amount = scene.stated((name,))[name]
                np.testing.assert_allclose(arrow[:, 2], 0.1 / amount * vector, atol=1e-5 * np.linalg.norm(arrow[:, 2]))
                np.testing.assert_allclose(arrow[:, 3], center.position, atol=1e-6)
                assert unit == {"momentum": "N s", "angular_momentum": "N m s"}[name]
                arrows[name] = arrow[:, 2]
            drawn.append(arrows)
            path = moved[scene.layers["mass_center_path"]]
            ahead = path[RODS:]
            assert ahead[:, :, 2].any(axis=1).sum() == AHEAD
            away = np.cross(path[path.any(axis=(1, 2))][:, :, 3] - center.position, center.velocity)
            assert np.abs(away).max() < 1e-5  # before and after it lies on one line
        for later in drawn[1:]:
            for name, arrow in later.items():
                np.testing.assert_allclose(arrow, drawn[0][name], atol=1e-5 * np.linalg.norm(arrow))


def test_momentum_that_is_only_rounding_has_no_arrow():
    system, state = spinning(3)
    still = dyn.forward_dynamics(system, system.state(q=state.q, base_pose=state.base_pose))
    scene = scenes.Scene(system, still)
    moved = matrices(scene, still, SHOWN)
    assert moved[scene.layers["mass_center"]].any()
    assert not moved[[*scene.layers["momentum"], *scene.layers["angular_momentum"]]].any()
    run = dyn.simulate(system, system.state(q=state.q), tau=np.full(system.n_joints, 0.2), duration=0.3, dt=1e-3)
    turning = run.solution_at(0.3)  # inner torques move every link, and no momentum comes of it
    assert turning.kinetic_energy > 1e-3
    assert not matrices(scene, turning, SHOWN)[[*scene.layers["momentum"], *scene.layers["angular_momentum"]]].any()


def drawn(solution: dyn.Solution, name: str, count: int) -> tuple[scenes.Scene, np.ndarray]:
    """(tips, linear and angular, directions, 3, 4)."""
    scene = scenes.Scene(solution.system, solution)
    moved = matrices(scene, solution, (name,))[scene.layers[name]]
    return scene, moved.reshape(solution.system.n_tips, 2, count, 3, 4)


def held(name: str, kinds: list[str] | None = None, at: float = 0.0) -> dyn.Solution:
    """An example, held so; its object turned, so that its axes are no other frame's."""
    system, state = dyn.example(name)
    if kinds is not None:
        system = dyn.grasp(dyn.release(system), state, kinds)
    if at:
        state = dyn.simulate(system, state, duration=at, dt=2e-3).solution_at(at).state
    return dyn.forward_dynamics(system, state)


def test_signs_lie_along_what_passes_and_what_is_free() -> None:
    for kinds, passes in [(["rigid", "point"], [(3, 3), (3, 0)]), (["soft_finger", "rigid"], [(3, 1), (3, 3)])]:
        solution = held("two_arms_and_box", kinds, at=0.1)
        pose = solution.state.object_pose
        for name, is_passed in (("transmitted_directions", True), ("free_directions", False)):
            scene, signs = drawn(solution, name, SIGNS)
            for contact, counts in zip(solution.system.contacts, passes, strict=True):
                frame = pose[:3, :3] @ contact.object_pose[:3, :3]
                place = pose[:3, :3] @ contact.object_pose[:3, 3] + pose[:3, 3]
                projector = contact.selection.T @ np.linalg.pinv(contact.selection).T
                for half, count in enumerate(counts):
                    seen = [m for m in signs[contact.tip, half] if m.any()]
                    assert len(seen) == (count if is_passed else 3 - count)
                    for matrix in seen:
                        np.testing.assert_allclose(matrix[:, 3], place, atol=1e-5)
                        length = np.linalg.norm(matrix[:, 2])
                        assert length == pytest.approx(SIGN * scene.sizes.reach.min(), rel=1e-5)
                        six = np.zeros(6)
                        six[3 * (half == 0) : 3 * (half == 0) + 3] = frame.T @ matrix[:, 2] / length
                        np.testing.assert_allclose(projector @ six, six if is_passed else 0.0, atol=1e-6)


def test_arrows_of_what_no_motion_reveals_span_what_the_dynamics_says() -> None:
    """Planar arms, out of their plane: forces of one arm against the other."""
    solution = held("two_planar_arms")
    basis = solution.indeterminate.reshape(-1, solution.indeterminate.shape[-1])
    assert basis.shape[1] == 3
    scene, arrows = drawn(solution, "hidden_forces", MOST_HIDDEN)
    length = LONGEST * scene.sizes.reach.min()
    found = np.concatenate([arrows[:, 1, :3, :, 2], arrows[:, 0, :3, :, 2]], axis=2) / length  # flown, forces
    found = found.transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_allclose(basis @ basis.T @ found, found, atol=0.03)  # the least parts are left out
    np.testing.assert_allclose(found.T @ found, np.eye(3), atol=0.03)
    assert not arrows[:, :, 3:].any()
    assert not drawn(held("two_arms_and_box"), "hidden_forces", MOST_HIDDEN)[1].any()
