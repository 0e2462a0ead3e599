"""What the walk shows in the picture: as far as the computation has come, and no further."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dynamics as dyn
import scenes
from app.state import Session, walk
from app.state.address import query_of, restore
from app.state.walk import CORRECTION
from app.views.plots import Plots
from app.views.scene_view import SceneView
from app.views.staging import WALKED, staged
from tests.app.state.test_walk import branching
from tests.app.views.test_scene_view import computed

SYSTEMS = {name: functools.partial(dyn.example, name) for name in dyn.examples()} | {
    "a tree": lambda: (branching(), None),
    "a tree that floats": lambda: (dyn.free_flyer(branching().robots[0]), None),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_half_step_shows_what_there_is_so_far(name: str) -> None:
    system = SYSTEMS[name]()[0]
    known = {layer.name for layer in scenes.layers_of(system)}
    inertias: set[int] = set()
    for place in walk.whole_walk(system):
        shown = staged(system, place)
        assert set(shown.layers) <= known & set(WALKED), place
        assert set(shown.only) <= set(shown.layers)
        if place.stage == "filter":
            if place.half == CORRECTION:
                inertias.add(place.link)
            assert np.flatnonzero(shown.only["articulated_inertia"]).tolist() == [place.link]
            assert set(np.flatnonzero(shown.only["articulated_inertia_updated"])) == inertias
            for k in inertias:  # the filter goes inward: what a link has passed on, its outboard neighbors have, too
                assert set(np.flatnonzero(system.inboard == k)) <= inertias
        elif place.stage.startswith("smoother"):
            seen = set(np.flatnonzero(shown.only["acceleration"]))
            assert (place.link in seen) == (place.half == CORRECTION or place.link >= system.n_joints)
            assert all(int(system.inboard[k]) in {*seen, -1} for k in seen)
        for (new, at), (old, there) in shown.grown:
            assert new in shown.layers
            assert shown.only.get(new, np.ones(at + 1, bool))[at]
            assert (new, at) != (old, there)


def test_at_the_object_the_predicted_force_and_the_correction_make_the_applied_one() -> None:
    system, _ = dyn.example("four_arms_and_box")
    places = [each for each in walk.whole_walk(system) if each.stage == "contact"]
    first, last = staged(system, places[0]), staged(system, places[-1])
    assert first.only["predicted_contact_force"].sum() == 1
    assert not first.only["contact_force"].any()
    assert last.only["contact_force"].all()
    assert last.only["corrected_contact_force"].all()
    assert last.only["predicted_contact_force"].all()


def test_whose_is_said_by_links_also_of_what_acts_on_tips() -> None:
    system = dyn.example("two_arms_and_box")[0]
    holding = {tip.link for tip in system.tips}
    for place in walk.whole_walk(system):
        shown = staged(system, place)
        only = shown.links_only(system)
        assert list(only) == list(shown.only)
        if place.stage == "filter":
            assert only["articulated_inertia"] == [place.link]
        if place.stage == "contact":
            assert place.link in only["predicted_contact_force"]
            assert set(only["predicted_contact_force"]) <= holding


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_the_picture_has_just_these_meshes(preset: str) -> None:
    """Drawn and sent: of the links that the walk has come to, and nothing of the layers that the user had on."""
    session = computed(preset, 0.4)
    session.seek(0.3)
    view = SceneView(session)
    view.draw()
    sent: list[object] = []
    view._view._send_msg = sent.append  # type: ignore[method-assign]
    session.walk_to_start()
    for _ in range(5):
        session.walk_half(1)
    view.draw()
    scene, place = view._scene, session.place
    assert scene is not None
    shown = staged(session.system_here, place)
    moved = view._transforms(session.solution(), session.time, view._layers)
    for layer in ("articulated_inertia", "articulated_inertia_updated"):
        seen = [bool(moved[i].any()) for i in scene.layers[layer]]
        assert seen == shown.only[layer].tolist()
    assert not moved[scene.layers["contact_force"]].any()
    (grown,) = [message["grown"] for message in sent if isinstance(message, dict) and "grown" in message]
    names = [[scene.meshes[view._meshes[i]].layer for i in pair] for pair in grown]
    assert names == [["articulated_inertia_updated", "articulated_inertia"]]
    for layer in WALKED[:2]:
        assert layer in view.visible


def test_the_users_choice_is_back_as_soon_as_the_motion_goes_on_or_they_say_so() -> None:
    session = computed("puma560", 0.4)
    session.seek(0.3)
    session.layers = ["velocity"]
    view = SceneView(session)
    assert view._layers == ("velocity",)
    session.walk_half(1)
    assert session.is_staged
    assert "articulated_inertia" in view._layers
    session.playing = True
    assert view._layers == ("velocity",)
    session.playing = False
    assert session.is_staged
    session.follows_walk = False
    assert view._layers == ("velocity",)
    session.follows_walk = True
    session.walk_to_start()
    for _ in range(3):
        session.walk_half(1)
    assert "articulated_inertia_updated" in view._layers
    assert "velocity" in view._layers  # the walk says nothing of velocities


def test_what_has_grown_does_not_grow_again_when_it_is_looked_at_otherwise() -> None:
    session = computed("puma560", 0.4)
    session.seek(0.3)
    view = SceneView(session)
    view.draw()
    sent: list[object] = []
    view._view._send_msg = sent.append  # type: ignore[method-assign]
    session.walk_to_start()
    session.walk_half(1)
    view.draw()
    session.block = "rotational"
    view.draw()
    session.walk_half(1)
    view.draw()
    grown = [message["grown"] for message in sent if isinstance(message, dict) and "grown" in message]
    assert [len(pairs) for pairs in grown] == [1, 0, 1]


def drawn(view: SceneView) -> set[str]:
    """The layers beside the machines that the picture sent last has anything of."""
    view.draw()
    scene, last = view._scene, view._view._last
    assert scene is not None
    assert last is not None
    layers = [scene.meshes[i].layer for i in view._meshes]
    return {layers[i] for i in np.flatnonzero(last.any(axis=1))} - {"links", "object"}


def outward(session: Session, steps: int) -> None:
    session.walk_to(next(each for each in walk.whole_walk(session.system) if each.stage == "smoother"))
    session.walk_half(steps)


def test_another_instant_is_drawn_as_the_step_that_one_stands_on() -> None:
    """Sought, stepped to, played to, or changed under one's feet: as long as the walk stands there."""
    session = computed("puma560", 0.6)
    session.seek(0.3)
    view = SceneView(session)
    assert "articulated_inertia" in drawn(view)
    outward(session, 5)
    arrows = {"acceleration", "angular_acceleration", "acceleration_inboard", "angular_acceleration_inboard"}
    assert drawn(view) == arrows
    session.step(1)
    assert drawn(view) == arrows
    session.seek(0.1)
    assert drawn(view) == arrows
    session.playing = True
    session.seek(0.2)
    view.draw()
    session.playing = False
    assert drawn(view) == arrows
    session.set_torque("joint2", 3.0)
    session.run.accept(session.run.compute())
    assert drawn(view) == arrows


def test_nobody_walks_in_a_machine_that_has_just_been_opened() -> None:
    session = computed("puma560", 0.3)
    assert not session.is_staged
    session.walk_half(1)
    session.open_preset("two_arms_and_box")
    assert not session.walked
    assert not session.is_staged
    session.undo()
    assert not session.is_staged


@pytest.mark.parametrize("preset", ["puma560", "free_flyer"])
def test_a_link_draws_the_step_that_it_was_copied_at(preset: str) -> None:
    session = computed(preset, 0.3)
    session.seek(0.2)
    before = query_of(session)
    outward(session, 5)
    other = Session("planar_chain")
    restore(other, query_of(session))
    while other.run.end < 0.3:
        other.run.accept(other.run.compute())
    assert drawn(SceneView(other)) == drawn(SceneView(session)) >= {"acceleration", "angular_acceleration"}
    restore(other, before)  # where nobody has walked yet, the user's choice is drawn
    while other.run.end < 0.3:
        other.run.accept(other.run.compute())
    assert "articulated_inertia" in drawn(SceneView(other))


def test_a_link_that_says_which_plots_are_open_keeps_them_along_the_walk() -> None:
    for said, then in (({}, "Motion"), ({"plots": "Two filters"}, "Two filters")):
        session = computed("free_flyer", 0.2)
        session.seek(0.1)
        plots = Plots(session)
        session.param.update(**said)
        plots.draw()
        session.walk_to(next(each for each in walk.whole_walk(session.system) if each.stage == "smoother"))
        plots.draw()
        plots.draw()
        assert session.plots == then


def half_axes(view: SceneView, layer: str) -> np.ndarray:
    """(links,) m, the longest of each link's ellipsoid as it is drawn."""
    view.draw()
    assert view._scene is not None
    moved = view._transforms(view._session.solution(), view._session.time, view._layers)
    return np.linalg.norm(moved[view._scene.layers[layer]].reshape(-1, 3, 4)[:, :, :3].astype(float), 2, axis=(1, 2))


@pytest.mark.parametrize("block", ["translational", "rotational"])
@pytest.mark.parametrize("preset", ["puma560", "planar_chain", "two_arms_and_box", "free_flyer"])
def test_a_walked_inertia_is_large_enough_to_be_seen_and_says_at_what_scale(preset: str, block: str) -> None:
    session = computed(preset, 0.4)
    session.param.update(block=block)
    session.seek(0.3)
    view = SceneView(session)
    session.walk_to_start()
    rows = slice(3, 6) if block == "translational" else slice(0, 3)
    for place in [each for each in walk.whole_walk(session.system) if each.stage == "filter"]:
        session.walk_to(place)
        drawn_to = half_axes(view, "articulated_inertia")
        assert view._scene is not None
        k, reach = place.link, float(view._scene.sizes.reach.min())
        if k < session.system.n_joints:
            assert drawn_to[k] > max(1.2 * view._scene._covered[k], 0.04 * reach), place
            assert view._sight.small["articulated_inertia"] == (1, 0)
        unit, amount = view.stated()["articulated_inertia"]
        inertia = session.solution().stages["filter"]["articulated_inertia"][k, rows, rows]
        root = np.sqrt(np.linalg.eigvalsh(inertia)[-1])
        assert drawn_to[k] == pytest.approx(min(0.1 / amount * root, 0.7 * reach), rel=1e-4)
        assert f"{amount:,.6g} {unit}" in view._view.caption or preset == "two_arms_and_box"
        others = half_axes(view, "articulated_inertia_updated")
        assert others.max(initial=0.0) < max(1.6 * drawn_to[k], 0.45 * reach)  # none is swamped


def test_a_walked_link_keeps_its_scale_at_both_half_steps_and_every_instant() -> None:
    session = computed("puma560", 1.0)
    session.seek(0.3)
    view = SceneView(session)
    session.walk_to_start()
    view.draw()
    stated = view.stated()["articulated_inertia"]
    assert " ×" in next(entry["name"] for entry in view._view.legend if entry["name"].startswith("P(k)"))
    assert "at this link" in view._view.caption
    for time in (0.3, 0.0, 0.9):
        session.seek(time)
        for half in (0, 1):
            session.walk_to(walk.Place("filter", 0, 0, half))
            view.draw()
            assert view.stated()["articulated_inertia"] == stated
    session.playing = True
    view.draw()
    assert "at this link" not in view._view.caption


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_accelerations_keep_one_scale_along_a_walked_run(preset: str) -> None:
    session = computed(preset, 2.0)
    session.layers = []
    for stage in [name for name in walk.stages(session.system) if name.startswith("smoother")]:
        view = SceneView(session)
        session.walk_to([each for each in walk.whole_walk(session.system) if each.stage == stage][-1])
        said = set()
        for time in np.linspace(0.0, 2.0, 9):
            session.seek(float(time))
            view.draw()
            stated = view.stated()
            said.add((stated["acceleration"], stated["angular_acceleration"]))
            assert stated["acceleration"] == stated["acceleration_inboard"]
        assert len(said) == 1, stage


def test_both_accelerations_of_a_step_have_the_letters_of_its_equations_and_a_look_of_their_own() -> None:
    session = computed("puma560", 0.4)
    session.layers = []
    session.seek(0.3)
    view = SceneView(session)
    outward(session, 5)  # joint 4 has been crossed
    view.draw()
    legend = {entry["name"].partition(" ")[0]: [] for entry in view._view.legend}
    for entry in view._view.legend:
        legend[entry["name"].partition(" ")[0]].append((entry["color"], entry["icon"]))
    assert set(legend) == {"α(k)", "α⁺(k)"}
    assert len({color for color, _ in legend["α(k)"]}) == 2  # what goes on, and what turns
    assert len({drawing for looks in legend.values() for _, drawing in looks}) == 4
    session.walk_half(-1)
    place = session.place
    assert staged(session.system, place).only["acceleration_inboard"].nonzero()[0].tolist() == [place.link]
    assert not staged(session.system, place).only["acceleration"][place.link]


def test_a_run_that_is_computed_under_the_walk_is_drawn_to_the_scale_of_all_that_is_known() -> None:
    session = computed("puma560", 0.0)
    session.layers = []
    early = SceneView(session)
    outward(session, 11)
    early.draw()
    first = early.stated()["acceleration"]
    while not session.run.complete:
        session.run.accept(session.run.compute())
    early.draw()
    late = SceneView(session)
    late.draw()
    assert early.stated() == late.stated()
    assert early.stated()["acceleration"] != first  # at its start the machine hardly moves
