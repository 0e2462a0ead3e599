"""*Contact*: every number is that of ``dynamics`` for the same moment, object and world; both limits are reached."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.instruments.contact import ContactStage
from app.instruments.contact_chain import chain_html
from app.instruments.contact_html import INERTIA, MOBILITY, hidden_html, limits_html, squeeze_html, told_html
from app.instruments.contact_staggered import Sweeps, verdict_html
from app.instruments.contact_sweep import DECADES, Directions, directions, reached, sweep, what_if
from app.instruments.contact_tried import bounded
from app.motion.actuation import Actuation
from app.motion.interventions import Gripped
from app.motion.leg import Leg
from app.motion.presets import PRESETS
from app.number_text import number_text
from app.state import Session
from dynamics.operators.influence import influence
from scenes.contact_ways import hidden_forces

HELD = ["two_arms_and_box", "four_arms_and_box", "two_planar_arms"]


def opened(preset: str, time: float) -> tuple[Session, ContactStage]:
    session = Session(preset)
    while session.run.end < time:
        session.run.accept(session.run.compute())
    session.playing = False
    session.seek(time)
    instrument = ContactStage(session)
    for job in (instrument._job, instrument._steps):
        job.start = lambda work, take: take(work())  # at once: nobody waits for a page's clock here
    instrument.paint("dark")
    instrument.draw()
    return session, instrument


def expected(solution: dyn.Solution, decade: float, gravity: bool) -> dyn.Solution:
    """Directly, by nothing of the page."""
    system = solution.system
    thing = system.task_object
    other = dyn.TaskObject(thing.mass * 10.0**decade, thing.inertia * 10.0**decade, thing.geometry, thing.name)
    system = dyn.with_task_object(system, other)
    if not gravity:
        system = dyn.with_parts(system, system.robots, (0.0, 0.0, 0.0))
    return dyn.forward_dynamics(system, solution.state, solution.tau)


def numbers(instrument: ContactStage) -> np.ndarray:
    return np.frombuffer(instrument._sheet.numbers, dtype="<f8")


def contains(found: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether the numbers stand there one after the other."""
    wanted, size = np.ravel(wanted), np.size(wanted)
    windows = np.lib.stride_tricks.sliding_window_view(found, size)
    return bool(np.isclose(windows, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max()).all(axis=1).any())


@pytest.mark.parametrize("preset", HELD)
@pytest.mark.parametrize(("decade", "gravity"), [(0.0, True), (2.5, True), (-3.0, False), (0.0, False)])
def test_every_number_is_that_of_the_dynamics(preset: str, decade: float, gravity: bool) -> None:
    session, instrument = opened(preset, 0.6)
    instrument._decade.value, instrument._gravity.value = decade, gravity
    found = expected(session.solution(), decade, gravity)
    stage, gain = found.stages["contact"], dyn.contact_gain(found.system, found.state)
    tips = [contact.tip for contact in found.system.contacts]
    shown = numbers(instrument)
    for name in ("contact_force", "predicted_contact_force"):
        assert contains(shown, stage[name][tips]), name
    for name in ("measured_object_force", "predicted_object_force", "object_acceleration"):
        assert contains(shown, stage[name]), name
    assert contains(shown, gain.by_mobility)
    assert contains(shown, gain.by_mobility.T)
    assert contains(shown, stage["measured_object_force"] - stage["predicted_object_force"])
    assert contains(shown, (stage["contact_force"] - stage["predicted_contact_force"])[tips])
    assert contains(np.frombuffer(instrument._omega.numbers, dtype="<f8"), gain.omega)
    error = np.linalg.norm((stage["measured_object_force"] - stage["predicted_object_force"])[3:])
    added = np.linalg.norm((stage["contact_force"] - stage["predicted_contact_force"])[tips, 3:])
    assert f"<b>{number_text(error)} N</b>" in instrument._sheet.html
    assert f"<b>{number_text(added)} N</b>" in instrument._sheet.html
    weight = f"{found.system.task_object.mass:.4g} kg"
    assert weight in instrument._sheet.html
    times = {0.0: "1", 2.5: "316", -3.0: "0.001"}[decade]
    assert instrument._decade.label == f"Object's mass: {weight}, × {times}"  # a bare 0 would read as no mass
    heard = {decade: words for words, decade in instrument._decade.options.items()}
    assert heard[decade] == weight, "the slider's place is told as a mass"


@pytest.mark.parametrize("preset", HELD)
def test_what_stands_there_satisfies_its_equations(preset: str) -> None:
    """(9.1) and (9.2) by the numbers that are shown, whichever object."""
    session, _ = opened(preset, 0.4)
    for decade in (-2.0, 0.0, 3.0):
        found = what_if(session.solution(), None, decade, True)
        stage, gain = found.stages["contact"], dyn.contact_gain(found.system, found.state)
        tips = [contact.tip for contact in found.system.contacts]
        applied, free = (stage[name][tips].ravel() for name in ("contact_force", "predicted_contact_force"))
        error = stage["measured_object_force"] - stage["predicted_object_force"]
        corrected = free + gain.by_mobility @ error
        if gain.by_inertia is not None:  # else what an arm cannot answer goes to the object beside the gain
            assert np.allclose(corrected, applied, atol=1e-8 * (np.abs(applied).max() + np.abs(error).max()))


def test_the_gain_has_two_forms_where_all_is_transmitted() -> None:
    _, instrument = opened("two_arms_and_box", 0.5)
    assert "agree to" in instrument._sheet.html
    instrument._go(f"form {INERTIA}")
    assert f"data-go='form {INERTIA}' aria-pressed='true'" in instrument._sheet.html
    by_inertia = numbers(instrument)
    instrument._go(f"form {MOBILITY}")
    assert np.allclose(by_inertia, numbers(instrument), rtol=1e-6, atol=1e-9)
    for nonsense in ("form", "form x", "walks", "", "form <b>"):
        instrument._go(nonsense)
    assert instrument._form == MOBILITY


@pytest.mark.slow
@pytest.mark.parametrize("preset", HELD)
def test_both_limits_are_reached_and_said(preset: str) -> None:
    session, _ = opened(preset, 0.6)
    solution = session.solution()
    pulled, weightless = (sweep(solution, None, gravity) for gravity in (True, False))
    for found in (pulled, weightless):
        assert found.shares.shape == (len(DECADES), 6)
        assert np.all(np.diff(found.shares, axis=0) <= 1e-9)  # the heavier, the less the arms decide
        ways = directions(solution)
        assert ways == Directions(locked=3 if preset == "two_planar_arms" else 0, loose=0)
        assert np.allclose(found.shares[:, : ways.locked], 1.0)
        assert ways.shared(found.shares)[-1].max() < 0.02
        if not ways.locked:
            assert np.isclose(found.acceleration[-1], found.free_acceleration[-1], rtol=0.05, atol=0.02)
    assert np.allclose(weightless.free_acceleration, weightless.free_acceleration[0])
    k = int(np.flatnonzero(DECADES == 0.0)[0])
    assert np.isclose(pulled.acceleration[k], np.linalg.norm(solution.object_acceleration[3:]), rtol=1e-9)
    assert ("falls as if let go" in limits_html(pulled, True, ways)) == (ways.locked == 0)
    assert number_text(float(pulled.acceleration[-1]), digits=3) in limits_html(pulled, True, ways)
    assert ("cannot give way" in limits_html(pulled, True, ways)) == (ways.locked > 0)


@pytest.mark.slow
def test_an_object_that_stays_at_rest_has_no_acceleration_of_rounding() -> None:
    session, _ = opened("two_arms_and_box", 0.6)
    found = sweep(session.solution(), None, True)
    still = replace(found, acceleration=np.full(len(DECADES), 2e-15))
    assert "at 0 m/s²" in limits_html(still, True, Directions(0, 0))
    assert "e−15" not in limits_html(still, True, Directions(0, 0))


@pytest.mark.slow
def test_the_decades_of_a_limit_are_marked_where_it_is_reached() -> None:
    """As the first words say it of the object that is looked at: the arms decide all of what it does, or nothing."""
    session, instrument = opened("two_arms_and_box", 0.6)
    ways = directions(session.solution())
    light, heavy = reached(sweep(session.solution(), None, True), ways)
    for decade, most, least in ((light, 1.0, 0.9), (heavy, 0.1, 0.0)):
        found = expected(session.solution(), decade, True)
        shares = dyn.contact_gain(found.system, found.state).shares
        assert least <= shares.min() <= shares.max() <= most + 1e-9
    assert -4.0 < light < heavy < 4.0
    for first, second in instrument._plots._limits:
        assert (first.left, first.right, first.visible) == (-4.0, light, True)
        assert (second.left, second.right, second.visible) == (heavy, 4.0, True)
    heavier = dyn.with_task_object(session.system, session.system.task_object.with_mass(1e8))
    far = dyn.forward_dynamics(heavier, session.solution().state)
    instrument._plots.show(sweep(far, None, True), directions(far))
    assert not instrument._plots._limits[0][0].visible


def test_both_ends_say_what_the_object_weighs_there_and_what_the_arms_decide_as_above() -> None:
    session, _ = opened("two_arms_and_box", 0.6)
    found, ways = sweep(session.solution(), None, True), Directions(0, 0)
    light, heavy = limits_html(found, True, ways).split("</li>")[:2]
    assert "</b>, 0.0004 kg:" in light
    assert "</b>, 40,000 kg:" in heavy
    assert f"decide at most {100.0 * found.shares[-1, 0]:.3g} %" in heavy
    assert f"decide at least {100.0 * found.shares[0, -1]:.4g} %" in light


@pytest.mark.parametrize("decades", [8.0, -8.0])
def test_a_limit_that_the_decades_do_not_reach_is_not_claimed(decades: float) -> None:
    """Of an object so heavy that it is heavy still where it is lightest; and the other way round."""
    session, _ = opened("two_arms_and_box", 0.6)
    solution = what_if(session.solution(), None, decades, True)
    ways = Directions(locked=0, loose=0)
    light, heavy = limits_html(sweep(solution, None, True), True, ways).split("Heavy")
    assert ("as if it had no mass" in light) == (decades < 0.0)
    assert ("falls as if let go" in heavy) == (decades > 0.0)
    assert ("not there yet" in light, "not there yet" in heavy) == (decades > 0.0, decades < 0.0)


def test_the_words_follow_the_shares() -> None:
    session, _ = opened("two_arms_and_box", 0.6)
    said = {}
    for decade in (-4.0, 0.0, 4.0):
        found = what_if(session.solution(), None, decade, True)
        said[decade] = re.findall(
            r"<b>([^<:]+)", told_html(dyn.contact_gain(found.system, found.state), Directions(0, 0))
        )[0]
    assert said == {
        -4.0: "Weightless beside the arms", 0.0: "Object and arms decide together.", 4.0: "Too heavy for the arms",
    }  # fmt: skip


def test_the_weight_is_said_where_the_correction_is_seen() -> None:
    """The first words, beside the triangles, not only those below the plots; and the mass as one reads it."""
    _, instrument = opened("two_arms_and_box", 0.6)
    instrument._decade.value = 4.0
    assert "<b>40,000 kg</b>" in instrument._sheet.html
    assert "a correction stays" in instrument._sheet.html
    instrument._gravity.value = False
    assert "a correction stays" not in instrument._sheet.html


def test_what_is_said_of_the_error_is_so() -> None:
    """R88 Section 9: of a light object A x(0) is b(C) alone; of a heavy one x(0) is x_FREE, if nothing pulls at it."""
    session, _ = opened("two_arms_and_box", 0.6)

    def left(decade: float, gravity: bool) -> tuple[float, float, str]:
        """Of the error what stays, the correction in N, and what is said."""
        found = what_if(session.solution(), None, decade, gravity)
        stage, gain = found.stages["contact"], dyn.contact_gain(found.system, found.state)
        tips = [contact.tip for contact in found.system.contacts]
        applied, free = (stage[name][tips] for name in ("contact_force", "predicted_contact_force"))
        error = stage["measured_object_force"] - stage["predicted_object_force"]
        stays = stage["measured_object_force"] - gain.grasp_map @ applied.ravel()
        share = np.linalg.norm(stays[3:]) / np.linalg.norm(error[3:])
        told = told_html(gain, Directions(0, 0), gravity)
        return float(share), float(np.linalg.norm((applied - free)[:, 3:])), told

    share, _, told = left(-4.0, True)
    assert share < 0.01
    assert "push with just what its own forces ask for" in told
    assert "In all six directions" in told
    for gravity in (True, False):
        share, correction, told = left(4.0, gravity)
        assert share > 0.99
        assert (correction < 0.5) == (not gravity)
        assert "next to nothing is corrected" in told
        assert ("a correction stays" in told) == gravity
    found = sweep(session.solution(), None, True)
    assert "try it without gravity" in limits_html(found, True, Directions(0, 0))
    assert "as they predict" in limits_html(found, False, Directions(0, 0))


def test_planar_arms_hold_their_object_in_the_plane_whatever_it_weighs() -> None:
    session, instrument = opened("two_planar_arms", 0.6)
    assert "In 3 they cannot give way" in instrument._sheet.html
    gain = dyn.contact_gain(session.system_here, session.solution().state)
    assert "weight changes nothing" in told_html(gain, Directions(6, 0))


@pytest.mark.parametrize("preset", ["two_planar_arms", "jazidie_1"])
def test_a_gain_that_does_not_vanish_is_not_said_to(preset: str) -> None:
    """In what is locked the arms decide everything of the heaviest object."""
    session, _ = opened(preset, 0.6)
    found = what_if(session.solution(), None, 4.0, True)
    gain, ways = dyn.contact_gain(found.system, found.state), directions(session.solution())
    assert ways.locked
    assert np.abs(gain.by_mobility).max() > 0.1
    assert "Too heavy for the arms, where they can give way: there the gain is nearly 0" in told_html(gain, ways)
    assert "where the arms give way, " in limits_html(sweep(session.solution(), None, True), True, ways)


def test_where_nothing_has_weight_none_can_be_taken_away() -> None:
    _, instrument = opened("jazidie_1", 0.6)
    assert not instrument._gravity.visible
    instrument._gravity.value = False  # a browser may say anything
    instrument.draw()
    assert "no gravity" not in instrument._sheet.html
    assert "instead of the one that is carried" not in instrument._sheet.html


def test_what_is_rounding_beside_what_is_added_up_is_nothing() -> None:
    """Four arms that their motors balance: no force is wanted, none is corrected, and nothing moves."""
    session, instrument = opened("four_arms_and_box", 0.0)
    stage = session.solution().stages["contact"]
    noise = np.abs(stage["object_acceleration"]).max()
    assert 0.0 < noise < 1e-9
    assert "An error of <b>0 N</b> corrects the contact forces by <b>0 N</b>." in instrument._sheet.html
    first = numbers(instrument)
    at = int(np.flatnonzero(np.isclose(first, stage["object_acceleration"][5], rtol=1e-9, atol=0.0))[0])
    group = re.search(rf"data-first='{at - 5}' data-beside='(\d+)'", instrument._sheet.html)
    assert group is not None
    sizes = first[int(group[1]) : int(group[1]) + 2]
    assert noise < 1e-12 * sizes.min()


def test_a_gain_is_as_pale_as_it_is_small() -> None:
    _, instrument = opened("two_arms_and_box", 0.6)
    assert "data-strongest" not in instrument._sheet.html
    instrument._decade.value = 4.0
    instrument.draw()
    shades = [int(each) for each in re.findall(r"data-strongest='(\d+)'", instrument._sheet.html)]
    assert len(shades) == 2
    assert max(shades) < 10
    instrument._decade.value = -4.0
    instrument.draw()
    assert "data-strongest" not in instrument._sheet.html


def test_point_contacts_have_no_hold_on_a_turn_about_their_line() -> None:
    session, _ = opened("two_arms_and_box", 0.5)
    state, system = session.solution().state, session.solution().system
    pointed = dyn.grasp(dyn.release(system), state, ["point", "point"])
    solution = dyn.forward_dynamics(pointed, state, session.solution().tau)
    ways = directions(solution)
    assert ways == Directions(locked=0, loose=1)
    found = sweep(solution, None, True)
    assert np.allclose(found.shares[:, -1], 0.0, atol=1e-9)
    assert ways.shared(found.shares)[0, -1] > 0.99
    assert "In 1 they have no hold on it" in limits_html(found, True, ways)
    assert "In 5 of its six directions" in told_html(dyn.contact_gain(pointed, state), ways)


def test_where_nothing_is_held_it_says_so_and_nonsense_leaves_it() -> None:
    session, instrument = opened("two_arms_and_box", 0.3)
    for nonsense in (None, "x", float("nan"), 1e9, -1e9):
        assert -4.0 <= bounded(nonsense) <= 4.0
    assert bounded(1.25) == 1.25
    session.release()
    while not session.run.complete:
        session.run.accept(session.run.compute())
    session.playing = False  # it is drawn at once, however soon after
    session.seek(0.8)
    instrument.draw()
    assert "hold nothing" in instrument._sheet.html
    instrument._go("walk")
    assert not session.walked


@pytest.mark.parametrize("preset", HELD[:2])  # arms that can give way in every direction: then there is one least
def test_what_carries_and_what_squeezes(preset: str) -> None:
    """By the definition: of all forces with the same effect those that would move free arms least."""
    session, _ = opened(preset, 0.6)
    solution = session.solution()
    gain, figures = dyn.contact_gain(solution.system, solution.state), Figures()
    text = squeeze_html(solution, gain, figures)
    x = solution.contact_force[[contact.tip for contact in solution.system.contacts]].ravel()
    tips = np.concatenate([np.arange(6 * c.tip, 6 * c.tip + 6) for c in solution.system.contacts])
    swept = influence(solution.system, solution.state).sweeps["outward_covariance"]
    mobility = swept["tip_costate_covariance"][np.ix_(tips, tips)]
    spread = np.linalg.solve(mobility, gain.grasp_map.T)
    carry = spread @ np.linalg.lstsq(gain.grasp_map @ spread, gain.grasp_map @ x, rcond=None)[0]
    found = figures.numbers.reshape(-1, 4)
    assert text.count("</tr>") == 2 + len(found)
    for k, row in enumerate(found):
        parts = carry.reshape(-1, 6)[k], (x - carry).reshape(-1, 6)[k]
        expected = [np.linalg.norm(part[half]) for half in (slice(3, 6), slice(3)) for part in parts]
        np.testing.assert_allclose(row, expected, rtol=1e-5, atol=1e-6 * np.abs(x).max())


@pytest.mark.slow
@pytest.mark.parametrize("preset", HELD)
def test_a_slider_carries_the_staggered_step_through_its_edge(preset: str) -> None:
    """What the words say of the edge is where it is: a little heavier converges, a little lighter diverges."""
    session, instrument = opened(preset, 0.6)
    solution = session.solution()
    edge = float(np.log10(dyn.contraction_radius(solution.system, solution.state)))
    for decade, word in ((edge + 0.05, "it converges"), (edge - 0.05, "it <b>diverges</b>")):
        instrument._decade.value = decade
        instrument.draw()
        found = expected(solution, decade, True)
        radius = dyn.contraction_radius(found.system, found.state)
        said = instrument._staggered._verdict.object
        assert word in said
        assert f"<b>{number_text(radius, digits=3)}</b>" in said
        assert f"10<sup>{number_text(edge, digits=3)}</sup>" in said
        error = instrument._staggered._source.data["error"]
        true = found.stages["contact"]["object_acceleration"]
        accelerations = dyn.staggered_sweeps(found.system, found.state, found.tau, 12).object_acceleration
        root = np.linalg.cholesky(dyn.contact_gain(found.system, found.state).object_inertia)
        wanted = np.linalg.norm((accelerations - true) @ root, axis=1) / np.linalg.norm(true @ root)
        np.testing.assert_allclose(error, wanted, rtol=1e-6)
        assert error[0] == pytest.approx(1.0)


def test_what_rests_and_what_the_arms_cannot_share_has_words() -> None:
    still = Sweeps(np.full(13, np.nan), 0.4, 0.0)
    said = verdict_html(still, np.full(6, 0.2), Directions(0, 0))
    assert "converges" in said
    assert "does not reach" not in said
    light = Sweeps(np.full(13, np.nan), 2e5, 0.0)
    assert "does not reach" in verdict_html(light, np.ones(6), Directions(0, 0))
    assert "The first sweep is right" in verdict_html(Sweeps(np.zeros(13), 0.0, 0.0), np.ones(6), Directions(6, 0))


def test_what_the_cursor_left_while_it_played_is_caught_up_with_when_it_rests() -> None:
    """The plots are of the moment that is shown, not of the last that there was time for."""
    session, instrument = opened("two_arms_and_box", 0.2)
    session.playing = True
    session.seek(0.6)
    instrument._drawn_at = 0.0
    instrument.draw()
    session.playing = False
    instrument._moved_at = instrument._swept_at = instrument._stepped_at = 0.0  # a second later
    instrument.draw()
    solution = session.solution()
    shares = dyn.contact_gain(solution.system, solution.state).shares
    here = instrument._plots._source.data
    at = int(np.flatnonzero(here["decade"] == 0.0)[0])
    assert [here[f"share{i}"][at] for i in range(6)] == pytest.approx(list(shares))
    radius = dyn.contraction_radius(solution.system, solution.state)
    assert f"<b>{number_text(radius, digits=3)}</b>" in instrument._staggered._verdict.object


@pytest.mark.parametrize("preset", HELD)
def test_a_tip_holds_in_another_way_from_here_on(preset: str) -> None:
    """The motion up to there stays, what no longer passes is zero, and it is undone like anything else."""
    session, instrument = opened(preset, 0.6)
    before = session.solution()
    instrument._go("grip 1 point")
    while session.run.end < 1.2:
        session.run.accept(session.run.compute())
    held = session.run.solution_at(1.0)
    assert [contact.kind for contact in held.system.contacts][1] == "point"
    assert [c.kind for c in held.system.contacts if c.tip != 1] == [
        c.kind for c in before.system.contacts if c.tip != 1
    ]
    np.testing.assert_allclose(session.run.solution_at(0.6).state.q, before.state.q, atol=1e-9)
    moments = held.stages["contact"]["contact_force"][1, :3]
    assert np.abs(moments).max() <= 1e-9 * np.abs(held.contact_force[1, 3:]).max()
    assert "data-go='grip 1 point' aria-label='arm 2: point contact' aria-pressed='true'" in html_at(session, 1.0)
    session.undo()
    while session.run.end < 1.2:
        session.run.accept(session.run.compute())
    assert [contact.kind for contact in session.run.solution_at(1.0).system.contacts] == [
        contact.kind for contact in before.system.contacts
    ]


def html_at(session: Session, time: float) -> str:
    session.playing = False
    session.seek(time)
    instrument = ContactStage(session)
    instrument._job.start = instrument._steps.start = lambda work, take: None
    instrument.draw()
    return instrument._grips.html


@pytest.mark.parametrize("preset", ["two_arms_and_box", "two_planar_arms"])
def test_any_selection_of_directions_passes_from_here_on(preset: str) -> None:
    """What was pressed passes and nothing else does, in the forces, in the run's word, and in a link."""
    session, instrument = opened(preset, 0.6)
    held = session.solution().system.contacts[1]
    assert held.kind == "rigid"
    instrument._go("pass 1 1")
    while session.run.end < 1.2:
        session.run.accept(session.run.compute())
    solution = session.run.solution_at(1.0)
    contact = solution.system.contacts[1]
    np.testing.assert_array_equal(contact.selection, np.eye(6)[[0, 2, 3, 4, 5]])
    assert solution.system.contacts[0].kind == "rigid"
    moment, force = solution.contact_force[1, :3], solution.contact_force[1, 3:]
    assert solution.state.object_pose is not None
    axes = solution.state.object_pose[:3, :3] @ contact.object_pose[:3, :3]
    assert abs(axes[:, 1] @ moment) <= 1e-9 * np.abs(force).max()
    session.playing = False
    session.seek(1.0)
    session.cursor.time = 1.0
    text = html_at(session, 1.0)
    assert "aria-label='arm 2: My passes' aria-pressed='false'" in text
    assert text.count("aria-pressed='true'") == 5 + 6 + 1
    assert "passes 5, leaves 1 free" in text
    instrument._go("pass 1 1")  # and all of them again: a grip that has a name
    while session.run.end < 1.2:
        session.run.accept(session.run.compute())
    assert session.run.solution_at(1.2).system.contacts[1].kind == "rigid"


def test_a_contact_that_passes_nothing_is_refused_in_words() -> None:
    session, instrument = opened("two_arms_and_box", 0.3)
    for k in range(5):
        instrument._go(f"pass 1 {k}")
        assert session.message == ""
    assert session.system_here.contacts[1].selection.tolist() == [[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]
    setup = session.setup
    instrument._go("pass 1 5")
    assert "has to pass some force or moment" in session.message
    assert session.setup is setup


@pytest.mark.parametrize(
    "said",
    [
        *("grip", "grip 1", "grip 1 glue", "grip 9 point", "grip -1 point", "grip x point"),
        *("pass", "pass 1", "pass 1 6", "pass 9 1", "pass 1 -1", "pass 1 x"),
    ],
)
def test_a_grip_that_makes_no_sense_changes_nothing(said: str) -> None:
    session, instrument = opened("two_arms_and_box", 0.3)
    setup = session.setup
    instrument._go(said)
    assert session.setup is setup
    instrument._go("grip 1 rigid")  # as it holds already
    assert session.setup is setup


def test_what_is_held_by_listed_directions_stays_so_when_the_other_hand_changes() -> None:
    system, state = dyn.example("two_arms_and_box")
    rows = np.eye(6)[[1, 3, 4, 5]]
    held = dyn.grasp(dyn.release(system), state, [rows, "rigid"])
    actuation = Actuation(PRESETS["two_arms_and_box"], held, {})
    leg = Leg(0.0, held, state, actuation.law(held, state))
    found = Gripped(0.0, 1, "soft_finger").begin(leg, actuation)
    assert [contact.kind for contact in found.system.contacts] == ["selection", "soft_finger"]
    np.testing.assert_array_equal(found.system.contacts[0].selection, rows)
    assert found.word == "soft finger"
    with pytest.raises(dyn.ModelError, match="holds nothing"):
        Gripped(0.0, 1, "rigid").begin(replace(leg, system=dyn.release(held)), actuation)


@pytest.mark.slow
def test_what_no_motion_reveals_is_said_and_only_that() -> None:
    """Planar arms cannot give way out of their plane: there they may press at will, as the dynamics says."""
    session, instrument = opened("two_planar_arms", 0.4)
    solution = session.solution()
    assert solution.indeterminate.shape[-1] == 3
    text = instrument._sheet.html
    assert "In 3 directions the arms may press" in text
    rows = re.findall(r"<li>(.*?)</li>", hidden_html(solution))
    basis = solution.indeterminate.reshape(-1, 3)
    found = hidden_forces(solution)
    np.testing.assert_allclose(found.reshape(-1, 3) @ found.reshape(-1, 3).T, basis @ basis.T, atol=1e-9)
    for said, direction in zip(rows, np.moveaxis(found, -1, 0), strict=True):
        contact, axis = np.unravel_index(np.abs(direction).argmax(), direction.shape)
        sign = "+" if direction[contact, axis] > 0.0 else "−"
        assert f"{'moment' if axis < 3 else 'force'} {'xyz'[axis % 3]} {sign} at arm {contact + 1}" in said
    assert "no motion reveals" not in opened("two_arms_and_box", 0.4)[1]._sheet.html


def test_a_switch_shows_directions_at_the_contacts() -> None:
    session, instrument = opened("point_contact", 0.2)
    before = list(session.layers)
    assert not instrument._ways.value
    instrument._show_ways(True)
    instrument.draw()
    assert instrument._ways.value
    assert set(session.layers) - set(before) == {"transmitted_directions", "free_directions", "hidden_forces"}
    session.layers = [name for name in session.layers if name != "hidden_forces"]  # by a box of *Show*
    instrument.draw()
    assert not instrument._ways.value
    instrument._show_ways(True)
    instrument._show_ways(False)
    assert session.layers == before


def test_no_line_ends_within_a_bracket_of_the_chain() -> None:
    """(9.1) and (9.2) in a narrow column: what is subtracted stays beside what it is subtracted from."""
    solution = dyn.forward_dynamics(*dyn.example("two_arms_and_box"))
    text = chain_html(solution, dyn.contact_gain(solution.system, solution.state), MOBILITY, Figures())
    kept = [part.partition("]</span></span>")[0] for part in text.split("<span class='together'>")[1:]]
    assert len(kept) == 2
    for part in kept:
        assert part.startswith("<span class='sign'>[")
        assert part.count("<div class='term'>") == 2
        assert part.endswith("<span class='sign'>")
