"""Contact: each number is that of ``dynamics`` for the same moment, object and world; both limits are reached."""

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.instruments.contact import ContactStage
from app.instruments.contact_html import squeeze_html, uncorrected_html
from app.number_text import number_text
from app.state import Session
from dynamics.papers import contraction_radius, staggered_sweeps
from dynamics.solve import contact_gain
from dynamics.solve.influence import influence
from dynamics.system import with_parts
from tests.app.arrival import computed, paused

pytestmark = pytest.mark.compiled_only
HELD = ["two_arms_and_box", "two_planar_arms"]


def opened(preset: str, time: float) -> tuple[Session, ContactStage]:
    session = paused(preset, time)
    instrument = ContactStage(session)
    for job in (instrument._job, instrument._steps):
        job.start = lambda work, take: take(work())  # at once: there is no page's clock here
    instrument.paint("dark")
    instrument.draw()
    return session, instrument


def expected(solution: dyn.Solution, decade: float, gravity: bool) -> dyn.Solution:
    """Directly, by nothing of the page."""
    system, payload, times = solution.system, solution.system.task_object, 10.0**decade
    other = dyn.TaskObject(payload.mass * times, payload.inertia * times, payload.geometry, payload.name)
    system = dyn.with_task_object(system, other)
    if not gravity:
        system = with_parts(system, system.robots, (0.0, 0.0, 0.0))
    return dyn.forward_dynamics(system, solution.state, solution.tau)


def contains(found: np.ndarray, wanted: np.ndarray) -> bool:
    wanted = np.ravel(wanted)
    windows = np.lib.stride_tricks.sliding_window_view(found, wanted.size)
    return bool(np.isclose(windows, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max()).all(axis=1).any())


def test_the_world_shows_the_object_that_is_tried_while_contact_is_open_and_the_motion_stands_still() -> None:
    session, instrument = opened("two_arms_and_box", 0.6)
    assert session.pictured() is session.solution()
    session.tab = "Contact"
    session.playing = True
    instrument._decade.value = 30  # which stops it
    assert not session.playing
    assert np.allclose(session.pictured().contact_force, expected(session.solution(), 1.5, True).contact_force)
    session.tab = ""
    assert session.pictured() is session.solution()
    session.tab = "Contact"
    session.seek(0.7)
    assert session.pictured() is session.solution()  # until it is tried there, too


def test_what_is_not_corrected_says_why() -> None:
    system, state = dyn.example("two_arms_and_box")
    still = np.zeros(system.n_joints)
    assert uncorrected_html(dyn.forward_dynamics(system, state, still)) == ""
    # Without weight, speed and torque nothing is wanted of anybody.
    system = with_parts(system, system.robots, (0.0, 0.0, 0.0))
    assert "there is no error" in uncorrected_html(dyn.forward_dynamics(system, state, still))
    # Two point contacts give no hold against a moment about the line between them; two rigid grips do.
    ends = [contact.object_pose[:3, 3] for contact in system.contacts]
    line = np.r_[state.object_pose[:3, :3] @ (ends[1] - ends[0]), 0.0, 0.0, 0.0]
    for kinds, words in ((["point", "point"], "no hold on the object in the error's direction"), (["rigid"] * 2, "")):
        held = dyn.grasp(system, state, kinds)
        said = uncorrected_html(dyn.forward_dynamics(held, state, still, external_forces={"object": line}))
        assert (words in said, bool(said)) == (True, bool(words)), said


def test_every_number_is_that_of_the_dynamics() -> None:
    for preset in HELD:
        session, instrument = opened(preset, 0.6)
        for decade, gravity, times in ((0.0, True, "1"), (2.5, True, "316"), (-3.0, False, "0.001")):
            instrument._decade.value, instrument._gravity.value = round(20 * decade), gravity
            found = expected(session.solution(), decade, gravity)
            stage, gain = found.stages["contact"], contact_gain(found.system, found.state)
            tips = [contact.tip for contact in found.system.contacts]
            error = stage["measured_object_force"] - stage["predicted_object_force"]
            correction = (stage["contact_force"] - stage["predicted_contact_force"])[tips]
            shown = np.frombuffer(instrument._sheet.numbers, dtype="<f8")
            for name in ("contact_force", "predicted_contact_force"):
                assert contains(shown, stage[name][tips]), (name, decade, gravity)
            for name in ("measured_object_force", "predicted_object_force"):
                assert contains(shown, stage[name]), (name, decade, gravity)
            for wanted in (gain.by_mobility, error, correction):
                assert contains(shown, wanted), (decade, gravity)
            # The dual problem is on the sheet by itself: the object is the prior, and what the arms do is measured.
            assert "(9.2)" not in instrument._sheet.html
            instrument._go("dual 1")
            dual = np.frombuffer(instrument._sheet.numbers, dtype="<f8")
            for wanted in (stage["object_acceleration"], gain.by_mobility.T):
                assert contains(dual, wanted), (decade, gravity)
            assert not contains(dual, stage["measured_object_force"])
            assert "(9.1)" not in instrument._sheet.html
            instrument._go("dual 0")
            assert contains(np.frombuffer(instrument._omega.numbers, dtype="<f8"), gain.omega)
            assert f"<b>{number_text(np.linalg.norm(error[3:]))} N</b>" in instrument._sheet.html
            assert f"<b>{number_text(np.linalg.norm(correction[:, 3:]))} N</b>" in instrument._sheet.html
            weight = f"{found.system.task_object.mass:.4g} kg"  # type: ignore[union-attr]
            assert weight in instrument._sheet.html
            assert instrument._decade.label == f"Object's mass: {weight}, × {times}"
            assert instrument._decade.value_label == weight, "what a reader of the screen hears"


def test_what_carries_and_what_squeezes() -> None:
    """By the definition: of all forces with the same effect those that would move free arms least."""
    solution = opened("four_arms_and_box", 0.6)[0].solution()
    gain, figures, contacts = contact_gain(solution.system, solution.state), Figures(), solution.system.contacts
    text = squeeze_html(solution, gain, figures)
    x = solution.contact_force[[contact.tip for contact in contacts]].ravel()
    tips = np.concatenate([np.arange(6 * c.tip, 6 * c.tip + 6) for c in contacts])
    swept = influence(solution.system, solution.state).sweeps["outward_covariance"]
    spread = np.linalg.solve(swept["tip_costate_covariance"][np.ix_(tips, tips)], gain.grasp_map.T)
    carry = spread @ np.linalg.lstsq(gain.grasp_map @ spread, gain.grasp_map @ x, rcond=None)[0]
    found = figures.numbers.reshape(-1, 4)
    assert text.count("</tr>") == 2 + len(found)
    for k, row in enumerate(found):
        parts = carry.reshape(-1, 6)[k], (x - carry).reshape(-1, 6)[k]
        wanted = [np.linalg.norm(part[half]) for half in (slice(3, 6), slice(3)) for part in parts]
        np.testing.assert_allclose(row, wanted, rtol=1e-5, atol=1e-6 * np.abs(x).max())


def test_a_slider_carries_the_staggered_step_through_its_edge() -> None:
    """What the words say of the edge is where it is: a little heavier converges, a little lighter diverges."""
    for preset in HELD:
        session, instrument = opened(preset, 0.6)
        solution = session.solution()
        edge = float(np.log10(contraction_radius(solution.system, solution.state)))
        for decade, word in ((edge + 0.05, "it converges"), (edge - 0.05, "it <b>diverges</b>")):
            instrument._try(decades=decade)
            found = expected(solution, decade, True)
            said = instrument._staggered._words.object
            assert word in said
            assert f"<b>{number_text(contraction_radius(found.system, found.state), digits=3)}</b>" in said
            assert f"10<sup>{number_text(edge, digits=3)}</sup>" in said
            true = found.stages["contact"]["object_acceleration"]
            accelerations = staggered_sweeps(found.system, found.state, found.tau, 12).object_acceleration
            root = np.linalg.cholesky(contact_gain(found.system, found.state).object_inertia)
            wanted = np.linalg.norm((accelerations - true) @ root, axis=1) / np.linalg.norm(true @ root)
            np.testing.assert_allclose(instrument._staggered._source.data["error"], wanted, rtol=1e-6)


def test_while_it_plays_nothing_but_the_chain_is_computed() -> None:
    session = paused("two_arms_and_box", 0.3)
    instrument, begun = ContactStage(session), list[object]()
    for job in (instrument._job, instrument._steps):
        job.start = lambda work, take: begun.append(work)
    session.playing = True
    for time in (0.3, 0.5, 0.7):
        computed(session.run, time)
        session.cursor.time = time
        instrument._drawn_at = 0.0
        instrument.draw()
    assert "computed when the motion is paused" in instrument._title.object
    assert not begun
    session.playing = False
    instrument._alone = True  # a while later
    instrument.draw()
    assert len(begun) == 2
    assert "at this moment" in instrument._title.object


def test_any_selection_of_directions_passes_from_here_on() -> None:
    session, instrument = opened("two_planar_arms", 0.6)
    instrument._go("pass 1 1")
    solution = computed(session.run, 1.0).solution_at(1.0)
    contact = solution.system.contacts[1]
    np.testing.assert_array_equal(contact.selection, np.eye(6)[[0, 2, 3, 4, 5]])
    assert solution.system.contacts[0].kind == "rigid"
    moment, force = solution.contact_force[1, :3], solution.contact_force[1, 3:]
    axes = solution.state.object_pose[:3, :3] @ contact.object_pose[:3, :3]
    assert abs(axes[:, 1] @ moment) <= 1e-9 * np.abs(force).max()
    session.playing = False
    session.seek(1.0)
    instrument.draw()
    assert "aria-label='arm 2: My passes' aria-pressed='false'" in instrument._grips.html
    assert "passes 5, leaves 1 free" in instrument._grips.html
    instrument._go("pass 1 1")  # and all of them again: a grip that has a name
    assert computed(session.run, 1.2).solution_at(1.2).system.contacts[1].kind == "rigid"


def test_a_grip_that_makes_no_sense_changes_nothing_and_one_that_passes_nothing_is_refused() -> None:
    session, instrument = opened("two_arms_and_box", 0.3)
    setup = session.setup
    for said in (
        "grip", "grip 1", "grip 1 glue", "grip 9 point", "grip -1 point", "grip x point", "pass", "pass 1",
        "pass 1 6", "pass 9 1", "pass 1 -1", "pass 1 x", "grip 1 rigid",  # as it holds already
    ):  # fmt: skip
        instrument._go(said)
        assert session.setup is setup, said
    for k in range(5):
        instrument._go(f"pass 1 {k}")
    assert session.system_here.contacts[1].selection.tolist() == [[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]
    assert session.message == ""
    setup = session.setup
    instrument._go("pass 1 5")
    assert "has to pass some force or moment" in session.message
    assert session.setup is setup
