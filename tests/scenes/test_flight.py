"""In flight the picture shows what stays: the mass centre on a straight path, momentum as arrows that do not change."""

import numpy as np
import pytest

import dynamics as dyn
import scenes
from scenes.flight import AHEAD, DASH_STEP
from scenes.layers import FLIGHT
from scenes.trails import RODS
from tests.dynamics.methods.test_mass_center import spinning

LAYERS = tuple(layer.name for layer in FLIGHT)


def matrices(scene, solution, course=None):
    return scene.transforms(solution, LAYERS, scenes.Look(course=course)).reshape(-1, 3, 4).astype(float)


@pytest.mark.parametrize("seed", [3, 8])
def test_mark_path_and_arrows_are_those_of_the_mechanics_and_the_arrows_stay(seed):
    system, state = spinning(seed)
    run = dyn.simulate(system, state, duration=0.3, dt=1e-3)
    scene = scenes.Scene(system, run.solution_at(0.0))
    drawn = []
    for time in (0.0, 0.1, 0.3):
        solution = run.solution_at(time)
        center = dyn.mass_center(solution)
        course = np.array([dyn.mass_center(run.solution_at(t)).position for t in np.linspace(0.0, time, 5)])
        moved = matrices(scene, solution, course)
        (mark,), (axes,) = (moved[scene.layers[name]] for name in ("mass_center", "inertial_axes"))
        np.testing.assert_allclose(mark[:, 3], center.position, atol=1e-6)
        assert not axes[:, 3].any()
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


@pytest.mark.parametrize(("speed", "seconds"), [(0.02, None), (5.0, DASH_STEP), (0.0, DASH_STEP)])
def test_the_path_to_come_leaves_the_bodies_however_slow_they_are(speed, seconds):
    system, state = spinning(3)
    still = dyn.forward_dynamics(system, system.state(q=state.q, base_pose=state.base_pose))
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    drifts = system.state(q=state.q, base_pose=state.base_pose, base_velocity=[0, 0, 0, *(speed * turn[0])])
    scene, solution = scenes.Scene(system, still), dyn.forward_dynamics(system, drifts)
    ahead = matrices(scene, solution)[scene.layers["mass_center_path"]][RODS:]
    if not speed:
        assert not ahead.any()
        return
    apart = np.linalg.norm(np.diff(ahead[:, :, 3], axis=0), axis=1)
    reach = scene.sizes.reach.min()
    if seconds is None:
        assert AHEAD * apart[0] == pytest.approx(0.9 * reach, rel=1e-4)
    else:
        assert apart == pytest.approx(speed * seconds, rel=1e-4)
    assert np.cross(ahead[:, :, 3] - dyn.mass_center(solution).position, turn[0]) == pytest.approx(0.0, abs=1e-5)


def test_momentum_that_is_only_rounding_has_no_arrow():
    system, state = spinning(3)
    still = dyn.forward_dynamics(system, system.state(q=state.q, base_pose=state.base_pose))
    scene = scenes.Scene(system, still)
    moved = matrices(scene, still)
    assert moved[scene.layers["mass_center"]].any()
    assert not moved[[*scene.layers["momentum"], *scene.layers["angular_momentum"]]].any()
    run = dyn.simulate(system, system.state(q=state.q), tau=np.full(system.n_joints, 0.2), duration=0.3, dt=1e-3)
    turning = run.solution_at(0.3)  # inner torques move every link, and no momentum comes of it
    assert turning.kinetic_energy > 1e-3
    assert not matrices(scene, turning)[[*scene.layers["momentum"], *scene.layers["angular_momentum"]]].any()


@pytest.mark.parametrize("name", ["puma560", "two_arms_and_box"])
def test_what_is_bolted_down_conserves_nothing_and_has_none_of_it(name):
    system, _ = dyn.example(name)
    assert not {layer.name for layer in scenes.layers_of(system)} & set(LAYERS)


def test_what_begins_within_a_body_is_seen_through_it():
    system, state = dyn.example("free_flyer")
    scene = scenes.Scene(system, dyn.forward_dynamics(system, state))
    for name in ("momentum", "angular_momentum", "mass_center", "mass_center_path"):
        assert {scene.meshes[k].kind for k in scene.layers[name]} == {"beacon"}, name
