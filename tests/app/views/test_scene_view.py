"""The 3D view is a function of run, cursor and walk; no browser is needed."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import dynamics as dyn
import scenes
from app.motion.interventions import ForceStep
from app.state import Session, walk
from app.state.address import query_of
from app.state.manipulation import Manipulation
from app.state.walk import CORRECTION
from app.viewer import Drag
from app.views.scene_options import WALKED, PastPaths, pushes_of, staged
from app.views.scene_view import SceneView, follow_click
from scenes.flight import STEP
from tests.app.arrival import computed, paused, restore
from tests.app.state.test_walk import branching


@pytest.fixture
def held() -> Session:
    session = paused("two_arms_and_box", 0.5)
    session.seek(0.4)
    return session


def test_a_click_moves_the_cursor_to_link_and_stage(held: Session) -> None:
    for layer, stage, half in (
        ("articulated_inertia", "filter", 0), ("articulated_inertia_updated", "filter", 1),
        ("predicted_force", "filter", 0), ("acceleration", "smoother_final", 0), ("costate_covariance", "smoother", 0),
        ("links", "contact", 0), ("velocity", "contact", 0),
    ):  # fmt: skip
        solution = held.solution()
        scene = scenes.Scene(held.loaded, solution)
        held.select_stage("contact")
        mesh = next(scene.meshes[i] for i in scene.layers[layer] if scene.meshes[i].link == 9)
        follow_click(held, mesh, solution)
        assert (held.cursor.link, held.cursor.arm, held.cursor.stage, held.cursor.half) == (9, 1, stage, half), layer


def test_a_trail_is_a_function_of_the_instant_alone(held: Session) -> None:
    past, fresh = PastPaths(), PastPaths()
    for time in (0.1, 0.3, 0.5):
        past.paths(held.run, time, held.run.solution_at(time))
    for time in (0.42, 0.2, 0.0):
        solution = held.run.solution_at(time)
        back = past.paths(held.run, time, solution)
        np.testing.assert_array_equal(back, fresh.paths(held.run, time, solution))
        assert back.shape == (3, int(time / STEP + 1e-9) + 2, 3)
        np.testing.assert_allclose(back[:2, -1], solution.tip_pose[:, :3, 3])
        np.testing.assert_allclose(back[2, -1], solution.state.object_pose[:3, 3])
    at = held.run.solution_at(0.15)
    np.testing.assert_allclose(past.paths(held.run, 0.42, held.run.solution_at(0.42))[:2, 3], at.tip_pose[:, :3, 3])


def test_a_recorded_push_is_drawn_where_it_acts() -> None:
    session = paused("puma560", 0.2)
    point, force = np.array([0.02, -0.05, 0.11]), np.array([0.0, 12.0, -7.0])
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[2] = np.concatenate([np.cross(point, force), force])
    session.intervene(ForceStep(0.1, wrench))
    session.playing = False
    computed(session.run, 0.2)
    session.seek(0.05)
    assert pushes_of(session, session.solution(), 0.05) == ()
    session.seek(0.15)
    solution = session.solution()
    (push,) = pushes_of(session, solution, 0.15)
    np.testing.assert_allclose(push.force, force)
    origin = solution.link_pose[2, :3, 3]
    np.testing.assert_allclose(np.cross(push.point - origin, force), np.cross(point, force), atol=1e-12)
    session.point_force = SimpleNamespace(point=np.ones(3), force=np.array([1.0, 0.0, 0.0]), target=np.ones(3))
    (point_force,) = pushes_of(session, solution, 0.15)
    np.testing.assert_array_equal(point_force.point, np.ones(3))


def test_the_view_follows_the_cursor_and_keeps_its_camera_through_a_theme(held: Session) -> None:
    view = SceneView(held)
    view.paint("light")
    view.draw()
    inner = view._view
    first, names_ = inner.selected, [row["name"] for row in json.loads(inner.scene["meshes"])]
    held.select_link(10)
    view.draw()
    assert inner.selected != first
    assert names_[inner.selected] == f"link {held.system.link_names[10]}"
    marks = {names_[i] for i in inner.marked}
    view.paint("dark")
    view.draw()
    assert inner.scene["stay"] is True
    assert {json.loads(inner.scene["meshes"])[i]["name"] for i in inner.marked} == marks
    held.open_preset("puma560")
    view.draw()
    assert inner.scene["stay"] is False
    assert inner.marked


def test_taking_hold_of_a_body_opens_its_link_but_does_not_move_a_walk() -> None:
    for walked in [False, True]:
        session = Session("panda")
        view = SceneView(session, Manipulation(session), lambda: False)
        if walked:
            session.walk_half(1)
        view.draw()
        before, other, scene = session.place, 4, view._scene
        at = next(at for at in scene.layers["links"] if scene.meshes[at].link == other)
        view._drag(Drag("start", view._meshes.tolist().index(at), np.zeros(3), np.zeros(3)))
        assert (session.place.link, session.point_force.body_point.body) == (before.link if walked else other, other)


def test_every_half_step_shows_what_there_is_so_far() -> None:
    systems = [dyn.example(name)[0] for name in dyn.examples()]
    for system in (*systems, branching(), dyn.free_flyer(branching().robots[0])):
        known = {layer.name for layer in scenes.layers_of(system)}
        inertias: set[int] = set()
        for place in walk.whole_walk(system):
            shown = staged(system, place)
            assert set(shown.layers) <= known & set(WALKED), (system, place)
            assert set(shown.only) <= set(shown.layers)
            if place.stage == "filter":
                inertias |= {place.link} if place.half == CORRECTION else set()
                assert np.flatnonzero(shown.only["articulated_inertia"]).tolist() == [place.link]
                assert set(np.flatnonzero(shown.only["articulated_inertia_updated"])) == inertias
                for k in inertias:  # the filter goes inward: outboard neighbors come first
                    assert set(np.flatnonzero(system.inboard == k)) <= inertias
            elif place.stage.startswith("smoother"):
                seen = set(np.flatnonzero(shown.only["acceleration"]))
                assert (place.link in seen) == (place.half == CORRECTION or place.link >= system.n_joints)
                assert all(int(system.inboard[k]) in {*seen, -1} for k in seen)
            for (new, at), (old, there) in shown.grown:
                assert new in shown.layers
                assert shown.only.get(new, np.ones(at + 1, bool))[at]
                assert (new, at) != (old, there)


def drawn(view: SceneView) -> set[str]:
    view.draw()
    scene, last = view._scene, view._view._last
    layers = [scene.meshes[i].layer for i in view._meshes]
    return {layers[i] for i in np.flatnonzero(last.any(axis=1))} - {"links", "object"}


def test_a_link_draws_the_step_that_it_was_copied_at() -> None:
    for preset in ["puma560", "free_flyer"]:
        session = paused(preset, 0.3)
        session.seek(0.2)
        session.walk_to(next(each for each in walk.whole_walk(session.system) if each.stage == "smoother"))
        session.walk_half(5)
        other = Session("planar_chain")
        restore(other, query_of(session))
        computed(other.run, 0.3)
        assert drawn(SceneView(other)) == drawn(SceneView(session)) >= {"acceleration", "angular_acceleration"}
