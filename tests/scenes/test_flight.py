"""What a picture adds to a machine: what is conserved in flight, and what passes through the contacts."""

import numpy as np
import pytest

import dynamics as dyn
import scenes
from scenes.contact_ways import LONGEST, MOST_HIDDEN, SIGN, SIGNS
from scenes.flight import AHEAD
from scenes.layers import FLIGHT
from scenes.trails import RODS
from tests.dynamics.solve.test_center_of_mass import spinning

LAYERS = tuple(layer.name for layer in FLIGHT)


def matrices(scene, solution, course=None):
    return scene.transforms(solution, LAYERS, scenes.Look(course=course)).reshape(-1, 3, 4).astype(float)


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
            moved = matrices(scene, solution, course)
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
    moved = matrices(scene, still)
    assert moved[scene.layers["mass_center"]].any()
    assert not moved[[*scene.layers["momentum"], *scene.layers["angular_momentum"]]].any()
    run = dyn.simulate(system, system.state(q=state.q), tau=np.full(system.n_joints, 0.2), duration=0.3, dt=1e-3)
    turning = run.solution_at(0.3)  # inner torques move every link, and no momentum comes of it
    assert turning.kinetic_energy > 1e-3
    assert not matrices(scene, turning)[[*scene.layers["momentum"], *scene.layers["angular_momentum"]]].any()


def drawn(solution: dyn.Solution, name: str, count: int) -> tuple[scenes.Scene, np.ndarray]:
    """(tips, linear and angular, directions, 3, 4)."""
    scene = scenes.Scene(solution.system, solution)
    moved = scene.transforms(solution, (name,)).reshape(-1, 3, 4).astype(float)[scene.layers[name]]
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
    found = np.concatenate([arrows[:, 1, :3, :, 2], arrows[:, 0, :3, :, 2]], axis=2) / length  # moments, forces
    found = found.transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_allclose(basis @ basis.T @ found, found, atol=0.03)  # the least parts are left out
    np.testing.assert_allclose(found.T @ found, np.eye(3), atol=0.03)
    assert not arrows[:, :, 3:].any()
    assert not drawn(held("two_arms_and_box"), "hidden_forces", MOST_HIDDEN)[1].any()
