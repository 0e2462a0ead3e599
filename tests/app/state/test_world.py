"""What a session's user sets of the world and of masses is in the motion, in the words and in a link."""

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
import scenes
from app.motion.interventions import ForceStep
from app.motion.presets import PRESETS
from app.motion.world import ADAPTIVE, FIXED, STEPS, Body, Numerics, body_names, body_of
from app.state import Session
from app.state.address import query_of
from app.state.agreement_search import COARSE, ROUNDS, AgreementSearch, agreement_at
from tests.app.arrival import computed, paused, restore


def through_a_link(session: Session) -> Session:
    other = Session("puma560")
    restore(other, query_of(session))
    assert (other.message, query_of(other)) == ("", query_of(session))
    return other


def falling(session: Session, at: float) -> float:
    """m/s^2 with which a body falls freely: the object, let go."""
    session.seek(0.0)
    session.release()
    computed(session.run, at)
    return float(session.run.solution_at(at).object_acceleration[5])


def test_what_is_let_go_falls_as_gravity_says() -> None:
    moon, none, other = (0.0, 0.0, -1.62), (0.0, 0.0, 0.0), (0.0, 1.0, -2.0)
    for pull, word in ((moon, "Moon"), (none, "no gravity"), (other, "other gravity")):
        session = Session("two_arms_and_box")
        session.set_gravity(pull)
        assert session.title == f"{session.preset.title}, {word}"
        other = through_a_link(session)
        assert falling(session, 0.1) == pytest.approx(pull[2], abs=1e-12)
        assert falling(other, 0.1) == falling(session, 0.1)
        session.reset()
        assert session.setup.gravity is None
        session.set_gravity(tuple(session.loaded.gravity.tolist()))  # its own is no change
        assert (session.setup.gravity, "gravity" in query_of(session)) == (None, False)


def test_damping_is_on_top_of_each_joints_own() -> None:
    session = Session("panda")
    session.set_damping(0.75)
    for now, own in zip(session.system.joint_models, session.loaded.joint_models, strict=True):
        assert now.damping == own.damping + 0.75
    other = through_a_link(session)
    assert other.setup.damping == 0.75
    session.change("", drive="free", damping=5.0)
    swinging = Session("panda")
    swinging.set_drive("free")
    ends = [computed(each.run, 0.75).solution_at(0.75).state.qd for each in (session, swinging)]
    assert np.abs(ends[0]).max() < 0.5 * np.abs(ends[1]).max()


def test_every_integrator_goes_on_in_stretches_as_it_would_in_one() -> None:
    for method in [*FIXED, *ADAPTIVE]:
        session = Session("planar_chain")
        session.change("", numerics=Numerics(method))
        assert session.message == ""
        other = through_a_link(session)
        assert other.setup.numerics == Numerics(method)
        start, actuation = session.setup.first_leg()
        whole = dyn.simulate(start.system, start.state, dyn.ConstantTorque(np.zeros(session.system.n_joints)),
                             duration=0.5, method=method)  # fmt: skip
        run = computed(session.run, 0.5)
        close = 1e-7 if method in ADAPTIVE else 1e-12  # each stretch begins with a first step of its own
        np.testing.assert_allclose(run.solution_at(0.5).state.q, whole.state_at(0.5).q, atol=close)
        assert actuation.system is session.system


def test_a_step_is_taken_and_no_more_is_kept_than_the_page_has_instants() -> None:
    for step in STEPS:
        session = Session("planar_chain")
        session.change("", numerics=Numerics("rk4", step))
        through_a_link(session)
        run = computed(session.run, 0.5)
        times = run.legs[0].recording.t
        np.testing.assert_allclose(np.diff(times), max(step, 1e-3), atol=1e-9)
        exact = dyn.simulate(session.system, session.setup.machine.state, duration=0.5, method="DOP853", dt=0.1)
        found = np.abs(run.solution_at(0.5).state.q - exact.state_at(0.5).q).max()
        assert found < 3e6 * step**4 + 1e-8  # rad, of a chain that swings through


def test_a_push_in_the_middle_is_the_same_motion_from_a_link() -> None:
    """It begins at a step of the run, whatever the page's own raster says."""
    for method, step in (("rk4", 2e-4), ("euler", 1e-3), ("rk4", 1e-2)):
        session = Session("planar_chain")
        session.change("", numerics=Numerics(method, step))
        computed(session.run, 0.5)
        session.seek(0.2337)
        wrench = np.zeros((session.system.n_links + 1, 6))
        wrench[0, 3:] = 3.0, 0.0, 1.0
        session.intervene(ForceStep(session.time, wrench))
        session.intervene(ForceStep(session.time + 0.1, None))
        session.playing = False
        other = through_a_link(session)
        ends = [computed(each.run, 0.75).solution_at(0.7).state.q for each in (session, other)]
        np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


def test_damping_too_stiff_for_a_step_is_refused_and_borne_by_a_shorter_one() -> None:
    for method in ["rk4", "euler"]:
        session = Session("panda")
        session.change("", drive="free", numerics=Numerics(method))
        setup = session.setup
        session.set_damping(30.0)
        assert "too stiff for steps of 1 ms" in session.message
        assert session.setup is setup
        session.change("", numerics=Numerics(method, 1e-4), damping=30.0)
        assert session.message == ""
        run = computed(session.run, 0.5)
        assert np.abs(run.solution_at(0.5).state.qd).max() < 1.5
        session.change("", numerics=Numerics("LSODA"))
        exact, close = computed(session.run, 0.5), 1e-3 if method == "euler" else 1e-7
        np.testing.assert_allclose(exact.solution_at(0.5).state.q, run.solution_at(0.5).state.q, atol=close)


def test_reset_brings_back_what_was_loaded() -> None:
    session = Session("puma560")
    mass = session.mass
    session.set_mass(3.0 * mass)
    session.set_torque(session.system.joint_names[0], 1.0)
    session.reset()
    assert (session.mass, set(session.torques.values()), session.cursor.time) == (mass, {0.0}, 0.0)
    assert session.playing
    session.playing = False
    session.reset()  # of a motion that stands still: its start, to be looked at
    assert not session.playing
    session.undo()


def test_the_search_ends_at_the_worst_of_a_bounded_number_of_instants_pushes_included() -> None:
    session = paused("puma560", 0.1)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[0, 3:] = 5.0, -3.0, 2.0
    session.intervene(ForceStep(0.1, wrench))
    session.run.accept(session.run.compute())
    search = AgreementSearch(session.run)
    while not search.done:
        search.accept(search.look())
    assert COARSE <= len(search.found) <= search.most == COARSE + 2 * ROUNDS
    instant, worst = search.worst
    times, values = search.curve
    assert (times, values[times.index(instant)], max(values)) == (sorted(times), worst, worst)
    for at, pushes in ((instant, session.run.wrench_at(instant)), (0.15, wrench)):
        solution, found = session.run.solution_at(at), agreement_at(session.run, at)
        assert found.worst == dyn.agreement(solution.system, solution.state, solution.tau, pushes).worst
        assert all(check.holds for check in dyn.identities(solution, pushes))


def test_any_body_of_any_machine() -> None:
    for preset in ("puma560", "free_flyer", "two_arms_and_box", "two_planar_arms"):
        session = Session(preset)
        loaded = session.loaded
        count = len(body_names(loaded))
        for k in (0, count // 2, count - 1):
            body = body_of(loaded, k)
            inertia = tuple(1.5 * i + 0.01 * (at < 3) for at, i in enumerate(body.inertia))
            wide = Body(1.5 * body.mass + 0.1, (0.01, -0.02, 0.03), inertia)
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
        session.set_mass(2.0 * session.setup.body(box).mass, box)
        assert session.setup.body(box).center == tuple(away.tolist())
        other = through_a_link(session)
        assert other.setup.bodies == session.setup.bodies
        session.set_body(box, None)
        assert session.drawn is loaded
        np.testing.assert_array_equal(session.run.solution_at(0.0).state.object_pose, light.state.object_pose)


def outline(system: dyn.System, state: dyn.State) -> np.ndarray:
    return scenes.object_points(system) @ state.object_pose[:3, :3].T + state.object_pose[:3, 3]
