"""Any body may weigh otherwise: it moves so, stays so through release and grasp, and a link says it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
import scenes
from app.motion.bodies import Body, body_names, body_of, main_body
from app.motion.bounds import MOST_BODIES
from app.motion.presets import PRESETS
from app.motion.setup import machine_of_preset
from app.state import Session
from app.state.address import query_of, restore


def compute(session: Session, until: float) -> None:
    while session.run.end < until - 1e-9:
        session.run.accept(session.run.compute())


def through_a_link(session: Session) -> Session:
    other = Session("puma560")
    restore(other, query_of(session))
    assert other.message == ""
    return other


@pytest.mark.parametrize("preset", PRESETS)
def test_any_body_of_any_machine(preset: str) -> None:
    session = Session(preset)
    loaded = session.loaded
    for k in range(len(body_names(loaded))):
        body = body_of(loaded, k)
        wide = Body(
            1.5 * body.mass + 0.1,
            (0.01, -0.02, 0.03),
            tuple(1.5 * i + 0.01 * (at < 3) for at, i in enumerate(body.inertia)),
        )
        assert session.set_body(k, wide), session.message
        assert session.setup.body(k) == wide
        assert body_of(session.system, k) == (wide if k < loaded.n_links else replace(wide, center=(0.0, 0.0, 0.0)))
        others = [other for other in range(len(body_names(loaded))) if other != k]
        assert all(body_of(session.system, other) == body_of(loaded, other) for other in others)
        assert through_a_link(session).setup.bodies == {k: wide}
        assert session.set_body(k, None)
    assert session.setup.bodies == {}


@pytest.mark.parametrize(("after", "word"), [(0.21, "grasped"), (0.3, "put back")])
def test_each_of_two_arms_of_one_robot_is_its_own_and_stays_through_release_and_grasp(after: float, word: str) -> None:
    session = Session("two_arms_and_box")
    first, second = session.loaded.robots
    assert first is second
    k = session.loaded.link_names.index("2/" + second.links[2].name)
    before = body_of(session.loaded, k)
    heavy = replace(before.scaled(3.0 * before.mass), center=(0.02, -0.01, 0.1))
    assert session.set_body(k, heavy)
    assert session.title.endswith(f", {session.loaded.link_names[k]} changed")
    compute(session, 0.25)
    session.seek(0.2)
    session.release()
    compute(session, 0.4)
    session.seek(after)
    session.grasp()
    compute(session, 0.4)
    assert [leg.leg.word for leg in session.run.legs[1:]] == ["released", word]
    for leg in session.run.legs:
        assert body_of(leg.leg.system, k) == heavy
        assert body_of(leg.leg.system, 2) == body_of(session.loaded, 2)
    solution = session.run.solution_at(0.1)
    worst = dyn.agreement(solution.system, solution.state, solution.tau)
    assert worst.worst < 1e-9


def test_an_inertia_that_no_body_has_changes_nothing_and_is_named() -> None:
    session = Session("iiwa14")
    setup, body = session.setup, body_of(session.loaded, 3)
    flat = replace(body, inertia=(10.0 * body.inertia[0], *body.inertia[1:]))
    assert not session.set_body(3, flat)
    assert session.setup is setup
    assert "triangle inequality" in session.message
    assert repr(session.loaded.link_models[3].name) in session.message


def test_a_mass_goes_to_and_fro_without_a_digit_lost() -> None:
    session = Session("puma560")
    for factor in (1.37, 0.2, 3.3):
        session.set_body_mass(2, factor)
    session.set_body_mass(2, body_of(session.loaded, 2).mass)
    assert session.setup.bodies == {}
    session.set_mass(2.5)
    assert query_of(session)["mass"] == "2.5"
    assert "bodies" not in query_of(session)
    session.undo()
    session.redo()
    other = through_a_link(session)
    assert other.setup.bodies == session.setup.bodies
    session.reset()
    assert session.setup.bodies == {}


@pytest.mark.slow
def test_more_bodies_than_a_link_holds_are_refused() -> None:
    session = Session("four_arms_and_box")
    for k in range(MOST_BODIES):
        session.set_body_mass(k, 1.25)
        assert session.message == ""
    session.set_body_mass(MOST_BODIES, 1.25)
    assert f"room for {MOST_BODIES}" in session.message
    assert len(session.setup.bodies) == MOST_BODIES
    assert through_a_link(session).setup.bodies == session.setup.bodies


def test_a_root_that_floats_is_a_body_too() -> None:
    """Heavier, it gives way less to the same start."""
    session = Session("free_flyer")
    root = session.loaded.n_links - 1
    light = np.abs(session.run.solution_at(0.0).base_acceleration[3:]).max()
    session.set_body_mass(root, 50.0 * body_of(session.loaded, root).mass)
    assert session.message == ""
    assert np.abs(session.run.solution_at(0.0).base_acceleration[3:]).max() < 0.2 * light


def test_the_motors_know_what_they_lift() -> None:
    session = Session("puma560")
    session.set_body_mass(0, 4.0)
    still = session.run.solution_at(0.0)
    assert np.abs(still.joint_acceleration).max() < 1e-6  # springs that start where they are, weight carried
    assert main_body(session.system) == 0


HELD = [preset for preset in PRESETS if machine_of_preset(PRESETS[preset]).system.is_held]


@pytest.mark.parametrize("preset", HELD)
def test_an_object_heavy_at_one_side_is_held_and_drawn_where_it_was_and_hangs_otherwise(preset: str) -> None:
    session = Session(preset)
    loaded, light = session.loaded, session.run.solution_at(0.0)
    pressed = 0.0 if PRESETS[preset].led is None else 0.5  # s; what is led from rest is not pressed at first
    compute(session, pressed)
    as_loaded = session.run.solution_at(pressed).contact_force
    box, away = loaded.n_links, np.array([0.05, 0.02, -0.03])
    before = outline(loaded, light.state)
    assert session.set_body(box, replace(session.setup.body(box), center=tuple(away.tolist()))), session.message
    heavy = session.run.solution_at(0.0)
    np.testing.assert_allclose(outline(session.drawn, heavy.state), before, atol=1e-7)  # as fine as meshes are
    assert session.drawn is session.drawn
    compute(session, 0.5)
    otherwise = session.run.solution_at(pressed).contact_force
    assert np.abs(otherwise - as_loaded).max() > 1e-3 * np.abs(as_loaded).max() > 0.0
    solution = session.run.solution_at(0.5)
    assert dyn.agreement(solution.system, solution.state, solution.tau).worst < 1e-9
    session.set_body_mass(box, 2.0 * session.setup.body(box).mass)
    assert session.setup.body(box).center == tuple(away.tolist())
    other = through_a_link(session)
    assert other.setup.bodies == session.setup.bodies
    session.set_body(box, None)
    assert session.drawn is loaded
    np.testing.assert_array_equal(session.run.solution_at(0.0).state.object_pose, light.state.object_pose)


def test_it_falls_about_its_own_mass_centre_and_its_surface_lands_on_the_floor() -> None:
    session = Session("two_arms_and_box")
    box = session.loaded.n_links
    session.set_body(box, replace(session.setup.body(box), center=(0.1, 0.0, 0.05)))
    compute(session, 0.6)
    session.seek(0.5)
    session.release()
    compute(session, 2.5)
    assert "lands" in session.run.legs[-1].leg.word
    ground = session.setup.machine.ground
    assert ground is not None
    down = session.run.solution_at(2.5)
    lowest = outline(session.drawn, down.state)[:, 2].min()
    assert lowest == pytest.approx(ground.height, abs=1e-7)  # as fine as meshes are
    free, later = (session.run.solution_at(at).state for at in (0.55, 0.65))
    assert free.object_velocity is not None
    assert later.object_velocity is not None
    np.testing.assert_allclose((later.object_velocity - free.object_velocity)[3:] / 0.1, [0, 0, -9.81], atol=1e-6)


def outline(system: dyn.System, state: dyn.State) -> np.ndarray:
    """The points of the object's surface in the world, as they are drawn."""
    assert state.object_pose is not None
    return scenes.object_points(system) @ state.object_pose[:3, :3].T + state.object_pose[:3, 3]
