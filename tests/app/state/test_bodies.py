"""A changed body moves so, stays so through release and grasp, and a link carries it."""

from dataclasses import replace

import numpy as np

import dynamics as dyn
import scenes
from app.motion.bodies import Body, body_names, body_of
from app.motion.presets import PRESETS
from app.state import Session
from tests.app.arrival import computed
from tests.app.state.test_world import through_a_link


def test_any_body_of_any_machine() -> None:
    for preset in ("puma560", "free_flyer", "two_arms_and_box", "two_planar_arms"):
        session = Session(preset)
        loaded = session.loaded
        count = len(body_names(loaded))
        for k in (0, count // 2, count - 1):
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


def test_an_inertia_that_no_body_has_changes_nothing_and_is_named() -> None:
    session = Session("iiwa14")
    setup, body = session.setup, body_of(session.loaded, 3)
    flat = replace(body, inertia=(10.0 * body.inertia[0], *body.inertia[1:]))
    assert not session.set_body(3, flat)
    assert session.setup is setup
    assert "triangle inequality" in session.message
    assert repr(session.loaded.link_models[3].name) in session.message


def test_an_object_heavy_at_one_side_is_held_and_drawn_where_it_was_and_hangs_otherwise() -> None:
    for preset in ("two_arms_and_box", "point_contact", "jazidie_1"):
        session = Session(preset)
        loaded, light = session.loaded, session.run.solution_at(0.0)
        pressed = 0.0 if PRESETS[preset].led is None else 0.5  # s; what is led from rest is not pressed at first
        computed(session.run, pressed)
        as_loaded = session.run.solution_at(pressed).contact_force
        box, away = loaded.n_links, np.array([0.05, 0.02, -0.03])
        before = outline(loaded, light.state)
        assert session.set_body(box, replace(session.setup.body(box), center=tuple(away.tolist()))), session.message
        heavy = session.run.solution_at(0.0)
        np.testing.assert_allclose(outline(session.drawn, heavy.state), before, atol=1e-7)  # as fine as meshes are
        computed(session.run, 0.5)
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


def outline(system: dyn.System, state: dyn.State) -> np.ndarray:
    return scenes.object_points(system) @ state.object_pose[:3, :3].T + state.object_pose[:3, 3]
