"""The 3D view as a function of run and cursor, without a browser."""

from __future__ import annotations

import json
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

import dynamics as dyn
import scenes
from app.motion.interventions import Pushed
from app.state import Session
from app.state.manipulation import Manipulation
from app.viewer import Drag
from app.views.past import Past
from app.views.pushes import pushes_of
from app.views.scene_view import SceneView
from app.views.scene_words import names, title
from app.views.selection import follow_click, marked
from app.views.sight import Sight
from scenes.trails import RODS, STEP


def computed(preset: str, end: float) -> Session:
    session = Session(preset)
    session.playing = False
    while session.run.end < end:
        session.run.accept(session.run.compute())
    return session


@pytest.fixture
def held() -> Session:
    session = computed("two_arms_and_box", 0.5)
    session.seek(0.4)
    return session


def mesh_of(scene: scenes.Scene, layer: str, link: int) -> scenes.SceneMesh:
    return next(scene.meshes[i] for i in scene.layers[layer] if scene.meshes[i].link == link)


@pytest.mark.parametrize(
    ("layer", "stage", "half"),
    [
        ("articulated_inertia", "filter", 0),
        ("articulated_inertia_updated", "filter", 1),
        ("predicted_force", "filter", 0),
        ("acceleration", "smoother_final", 0),
        ("costate_covariance", "smoother", 0),
        ("links", "contact", 0),
        ("velocity", "contact", 0),
    ],
)
def test_a_click_moves_the_cursor_to_link_and_stage(held: Session, layer: str, stage: str, half: int) -> None:
    solution = held.solution()
    scene = scenes.Scene(held.loaded, solution)
    held.select_stage("contact")
    follow_click(held, mesh_of(scene, layer, 9), solution)
    assert (held.cursor.link, held.cursor.arm, held.cursor.stage, held.cursor.half) == (9, 1, stage, half)


def test_a_click_on_a_contact_force_goes_to_the_contact_stage(held: Session) -> None:
    scene = scenes.Scene(held.loaded, held.solution())
    second = scene.meshes[scene.layers["contact_force"][1]]
    follow_click(held, second, held.solution())
    assert (held.cursor.arm, held.cursor.stage) == (1, "contact")


def test_the_mark_is_the_link_and_what_its_stage_owns_there(held: Session) -> None:
    scene = scenes.Scene(held.loaded, held.solution())
    visible = ("articulated_inertia", "articulated_inertia_updated", "acceleration", "velocity")
    for stage, half, expected in (
        ("filter", 0, "articulated_inertia"),
        ("filter", 1, "articulated_inertia_updated"),
        ("smoother_final", 0, "acceleration"),
        ("contact", 0, ""),
    ):
        held.cursor.param.update(link=3, stage=stage, half=half)
        body, found = marked(scene, held, held.solution(), visible)
        assert scene.meshes[body].link == 3
        assert {scene.meshes[i].layer for i in found} == {"links", *([expected] if expected else [])}
        assert {scene.meshes[i].link for i in found} == {3}


def test_a_trail_is_a_function_of_the_instant_whichever_way_it_came(held: Session) -> None:
    past, fresh = Past(), Past()
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


def test_a_trail_forgets_what_is_long_past() -> None:
    session = computed("puma560", 2.5)
    past = Past()
    for time in np.arange(0.0, 2.5, 0.1):
        paths = past.paths(session.run, float(time), session.run.solution_at(float(time)))
    assert paths.shape == (1, RODS + 1, 3)


def test_a_recorded_push_is_drawn_where_it_acts() -> None:
    session = computed("puma560", 0.2)
    point, force = np.array([0.02, -0.05, 0.11]), np.array([0.0, 12.0, -7.0])
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[2] = np.concatenate([np.cross(point, force), force])
    session.intervene(Pushed(0.1, wrench))
    session.playing = False
    while session.run.end < 0.2:
        session.run.accept(session.run.compute())
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


def test_the_view_shows_only_what_is_there(held: Session) -> None:
    view = SceneView(held)
    view.paint("light")
    view.draw()
    assert {"contact_force", "articulated_inertia_updated", "freed"} <= set(view.visible)
    assert "push" not in view.visible
    held.select_stage("contact")
    view.draw()
    assert not {"freed", "articulated_inertia_updated"} & set(view.visible)
    held.select_stage("filter")
    held.playing = True  # the filter's step is for a motion that stands still
    view.draw()
    assert "freed" not in view.visible
    held.release()
    held.playing = False
    view.draw()
    assert "contact_force" not in view.visible
    assert set(view.stated()) <= set(view.visible)


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


def test_of_a_new_run_the_browser_is_given_what_it_looks_at_before_what_it_may_play(
    held: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = SceneView(held)
    view.paint("light")
    view.draw()
    moved, handed = list[float](), list[object]()
    monkeypatch.setattr(view._view, "move", lambda transforms, time, grown: moved.append(time))
    monkeypatch.setattr(view._view, "hand_over", handed.append)
    held.set_mass(2.0)
    view.draw()
    assert (len(moved), handed) == (1, [])
    monkeypatch.setattr(held, "_new_at", -math.inf)
    view.draw()
    assert len(moved) == 1
    assert handed


def test_every_layer_has_words_in_both_vocabularies() -> None:
    for preset in ("puma560", "two_arms_and_box", "free_flyer"):
        system, state = dyn.example(preset)
        scene = scenes.Scene(system, dyn.forward_dynamics(system, state))
        for layer in scenes.layers_of(system):
            assert all(names(layer, system)), layer.name
        titles = [title(mesh, system) for mesh in scene.meshes]
        assert not any("articulated_inertia" in words for words in titles)


def test_momentum_is_stated_with_its_scale_and_where_it_is_zero_that_is_said() -> None:
    session = computed("free_flyer_drifting", 0.3)
    session.layers = ["momentum", "angular_momentum", "mass_center", "mass_center_path"]
    view = SceneView(session)
    view.draw()
    said = [entry["name"] for entry in view._view.legend]
    assert {"p momentum", "h angular momentum", "C mass centre"} <= set(said)
    assert "N s" in view._view.caption
    still = session.system.state(q=session.solution().state.q)
    view._sight = Sight()
    view._tell(dyn.forward_dynamics(session.system, still))
    zero = ["p momentum: zero", "h angular momentum: zero"]
    assert [each["name"] for each in view._view.legend[-2:]] == zero  # a screen may have no room for the last
    view._state_scale()
    assert "N s" not in view._view.caption


def test_the_walk_shows_in_free_flight_what_stays() -> None:
    session = computed("free_flyer_drifting", 0.5)
    session.seek(0.4)
    session.select_stage("dual_filter")
    session.walk_half(1)
    view = SceneView(session)
    view.draw()
    assert {"momentum", "angular_momentum", "mass_center", "mass_center_path", "inertial_axes"} <= set(view.visible)
    session.follows_walk = False
    assert "momentum" not in view.visible


def test_the_shadow_is_as_the_session_has_it() -> None:
    session = computed("puma560", 0.1)
    view = SceneView(session)
    view.draw()
    assert view._view.shadow
    session.shadow = False
    view.draw()
    assert not view._view.shadow


def legend_of(session: Session) -> str:
    view = SceneView(session)
    view.draw()
    return "; ".join(entry["name"] for entry in view._view.legend)


def test_the_legend_says_which_ellipsoids_are_hidden_in_their_joints() -> None:
    """At the tip of a PUMA the hand's inertia is that of 0.09 kg: at the scale of all links a ball of 1.5 cm."""
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.playing = False
    session.select_stage("smoother")  # where no step of the filter is shown beside
    session.layers = ["articulated_inertia"]
    assert re.search(r"articulated inertia, \d of 6 too small", legend_of(session))
    session.around = "link"
    session.select_link(0)
    assert "P(k) articulated inertia: too small" in legend_of(session)
    session.select_link(4)
    assert "too small" not in legend_of(session)


def test_the_legend_says_where_a_push_is_cut_short(held: Session) -> None:
    for newtons, words in ((1.0, "F push"), (5000.0, "F push, cut short")):
        force = np.array([newtons, 0.0, 0.0])
        held.point_force = SimpleNamespace(
            point=np.ones(3), force=force, target=np.ones(3), size=newtons, is_limited=False
        )
        assert words in legend_of(held).split("; ")


def test_the_legend_says_how_much_larger_a_correction_is_drawn(held: Session) -> None:
    held.layers = ["contact_force", "predicted_contact_force", "corrected_contact_force"]
    held.seek(0.3)
    words = legend_of(held)
    found = re.search(r"correction ×([\d.]+)", words)
    assert found
    assert float(found[1]) > 1.5


@pytest.mark.parametrize("walked", [False, True])
def test_taking_hold_of_a_body_opens_its_link_but_moves_nobodys_walk(walked: bool) -> None:
    session = Session("panda")
    view = SceneView(session, Manipulation(session), lambda: False)
    if walked:
        session.walk_half(1)
    view.draw()
    before, other = session.place, 4
    assert before.link != other
    scene = view._scene
    assert scene is not None
    mesh = view._meshes.tolist().index(next(at for at in scene.layers["links"] if scene.meshes[at].link == other))
    view._drag(Drag("start", mesh, np.zeros(3), np.zeros(3)))
    assert session.place.link == (before.link if walked else other)
    assert session.point_force is not None
    assert session.point_force.body_point.body == other


def test_the_joint_that_is_edited_is_pointed_out() -> None:
    session = computed("puma560", 0.2)
    view = SceneView(session)
    view.draw()
    session.select_link(2)
    for name, links in {"": {}, "Edit": {"axes": [2], "frames": [2]}}.items():
        session.tab = name
        view.draw()
        seen = {layer: drawn_links(view, layer) for layer in ("axes", "frames")}
        assert seen == {"axes": [], "frames": []} | links
        assert ("axes" in view.visible) == bool(links)
    session.select_link(4)
    view.draw()
    assert drawn_links(view, "axes") == drawn_links(view, "frames") == [4]
    session.layers = [*session.layers, "axes"]
    view.draw()
    assert drawn_links(view, "axes") == list(range(6))  # who wants to see all of them does
    assert drawn_links(view, "frames") == [4]
    session.tab, session.beside = "Walk", "Edit"
    view.draw()
    assert drawn_links(view, "frames") == [4]


def drawn_links(view: SceneView, layer: str) -> list[int | None]:
    """Of whose meshes of a layer there is something to see."""
    scene, sent = view._scene, view._view._last
    assert scene is not None
    assert sent is not None
    rows = [row for row in scene.layers[layer] if sent[view._place[row]].any()]
    return [scene.meshes[row].link for row in rows]
