"""*Methods*: every number of it is that of ``dynamics`` for the same moment, and every step can be reached."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import dynamics as dyn
from app.equations.meanings import letters, meanings
from app.equations.methods import METHODS
from app.formulations.grid import map_html
from app.formulations.methods import Methods
from app.formulations.words import STEPS, absent, key_of, walkable
from app.motion.presets import PRESETS
from app.state import Session
from app.state.address import asked, query_of

SOME = ["puma560", "planar_chain", "free_flyer", "two_arms_and_box"]


def opened(preset: str, time: float, formulation: str = "") -> tuple[Session, Methods]:
    session = Session(preset)
    while session.run.end < time:
        session.run.accept(session.run.compute())
    session.playing = False
    session.formulation = formulation
    session.seek(time)
    instrument = Methods(session)
    instrument.paint("light")
    instrument.draw()
    return session, instrument


def numbers(sheet: object) -> np.ndarray:
    return np.frombuffer(sheet.numbers, dtype="<f8")  # type: ignore[attr-defined]


def difference(instrument: Methods) -> float:
    """What the line says at which it arrives."""
    (at,) = re.findall(r"class='arrival'>.*?data-n='(\d+)'", instrument._map.html)
    return float(numbers(instrument._map)[int(at)])


def rows(instrument: Methods, heading: str) -> np.ndarray:
    """The numbers of the table under a heading, row by row."""
    (table,) = re.findall(rf"<h3>{heading}</h3>.*?<tbody>(.*?)</tbody>", instrument._answer.html)
    cells = re.findall(r"data-n='(\d+)'", table)
    count = table.count("<tr")
    return numbers(instrument._answer)[[int(n) for n in cells]].reshape(count, -1)


@pytest.mark.parametrize("preset", SOME)
def test_it_arrives_where_the_run_does(preset: str) -> None:
    session, instrument = opened(preset, 0.4)
    solution = session.solution()
    for name in dyn.readable_formulations(solution.system):
        instrument._choose(name)
        assert session.formulation == name
        assert difference(instrument) < 1e-9, name
        if name in ("inverse_dynamics", "group_inverse"):
            continue
        reading = dyn.read_formulation(
            solution.system, solution.state, name, solution.tau, solution.joint_acceleration, session.run.wrench_at(0.4)
        )
        found = rows(instrument, "Where it arrives")
        expected = solution.tau if reading.arrives == "torque" else solution.joint_acceleration
        raw = np.column_stack([reading.answer, expected])
        kept = found != 0.0  # the rest is rounding
        assert np.array_equal(found[kept], raw[kept])
        assert np.all(np.abs(raw[~kept]) < 1e-10)


@pytest.mark.parametrize("preset", ["four_arms_and_box", "planar_chain", "two_arm_flyer"])
def test_what_is_only_rounding_at_rest_is_no_difference(preset: str) -> None:
    """Motors that hold the weight leave accelerations of nothing: that is compared beside what cancels there."""
    _, instrument = opened(preset, 0.0)
    for name in dyn.readable_formulations(instrument._session.solution().system):
        instrument._choose(name)
        assert difference(instrument) < 1e-9, name


def test_links_of_several_arms_are_told_apart_on_the_map() -> None:
    text = opened("two_arms_and_box", 0.3, "constrained")[1]._map.html
    heads = re.findall(r"<th scope='colgroup' class='arm' colspan='(\d+)'>(arm \d)</th>", text)
    assert heads == [("7", "arm 1"), ("7", "arm 2")]
    assert "aria-label='Map of KKT: Lagrange multipliers, arm 1'" in text
    assert "class='arm'" not in opened("puma560", 0.3)[1]._map.html


@pytest.mark.parametrize("preset", ["two_arms_and_box", "point_contact", "two_arm_flyer", "iiwa14"])
def test_every_field_of_the_map_leads_to_another_step(preset: str) -> None:
    """Arms stand one over the other, what is of no link below them: nothing is left out or there twice."""
    solution = opened(preset, 0.3)[0].solution()
    system, n = solution.system, solution.system.n_joints
    for name in dyn.readable_formulations(system):
        reading = dyn.read_formulation(system, solution.state, name, solution.tau, np.zeros(n))
        fields = re.findall(r"data-go='at (\d+)'", map_html(reading, 0))
        rows = {(key_of(step), step.joint, step.link) for step in reading.steps}
        assert len(set(fields)) == len(fields) == len(rows), name


@pytest.mark.slow
@pytest.mark.parametrize("preset", SOME)
def test_every_step_shows_what_it_computed(preset: str) -> None:
    """From the first to the last by the buttons: each line's own value, its letters explained, its paper known."""
    session, instrument = opened(preset, 0.3)
    solution, words = session.solution(), letters()
    for name in dyn.readable_formulations(solution.system):
        instrument._choose(name)
        joints, thing = instrument._wanted.of(solution, name)
        wrench = session.run.wrench_at(session.time)
        reading = dyn.read_formulation(solution.system, solution.state, name, solution.tau, joints, wrench, thing)
        for at, step in enumerate(reading.steps):
            assert f"step {at + 1} of {len(reading.steps)}" in instrument._map.html
            assert f"<h3>{html.escape(STEPS[key_of(step)].title)}</h3>" in instrument._step.html
            if at < 12 or at == len(reading.steps) - 1:
                shown = numbers(instrument._step)
                for line in reading.lines(at):
                    assert f"id='{line.key}'" in instrument._step.html
                    assert np.isin(line.value, shown).all(), (name, line.key)
                    assert meanings(f"paper {line.stage} {line.quantity_name} {line.equation}") is not None, line.key
                    for letter in set(re.findall(r"\\class\{(\w+)\}", line.lettered)) - {"o", "base"}:
                        assert f"{line.stage} {letter}" in words or letter in words, (letter, line.key)
            instrument._go("on")
        assert instrument.at == len(reading.steps) - 1
        instrument._go("back")
        assert instrument.at == max(len(reading.steps) - 2, 0)


def test_a_click_on_the_map_goes_there_and_selects_the_link() -> None:
    session, instrument = opened("puma560", 0.2, "newton_euler")
    places = re.findall(r"data-go='at (\d+)'", instrument._map.html)
    assert sorted(map(int, places)) == list(range(18))
    instrument._go("at 7")
    assert session.formulation == "newton_euler:7"
    assert session.cursor.link == 0  # forces begin at the tip: balance and torque of link 1
    assert re.search(r"class='here'[^>]*data-go='at 7' aria-current='step'", instrument._map.html)
    for nonsense in ("at 99", "at -1", "at x", "nowhere", "at"):
        instrument._go(nonsense)
        assert session.formulation == "newton_euler:7"


def test_a_wanted_acceleration_is_what_its_torques_give() -> None:
    session, instrument = opened("puma560", 0.5, "inverse_dynamics")
    solution = session.solution()
    now = rows(instrument, "Torques")
    assert np.allclose(now[:, 0], solution.tau, rtol=1e-9, atol=1e-9 * np.abs(solution.tau).max())
    fields = instrument._wanted._fields
    fields[2]._read("1.5")
    fields[5]._read("-0,25")
    wanted = solution.joint_acceleration.copy()
    wanted[2], wanted[5] = 1.5, -0.25
    expected = dyn.inverse_dynamics(solution.system, solution.state, wanted)
    assert np.allclose(rows(instrument, "Torques")[:, 0], expected, rtol=1e-10)
    assert difference(instrument) < 1e-10
    fields[0]._read("much")
    assert "is no number" in session.whispered or "number" in session.whispered
    instrument._wanted._forget()
    assert np.array_equal(rows(instrument, "Torques"), now)


def test_a_wanted_acceleration_of_the_object_is_what_its_torques_give() -> None:
    session, instrument = opened("two_arms_and_box", 0.5, "group_inverse")
    solution = session.solution()
    instrument._wanted._fields[5]._read("2")
    wanted = np.array(solution.object_acceleration)
    wanted[5] = 2.0
    expected = dyn.group_inverse(solution.system, solution.state, wanted)
    found = rows(instrument, "Torques")[:, 0]
    assert np.allclose(found, expected.tau, rtol=1e-9, atol=1e-9 * np.abs(expected.tau).max())
    assert difference(instrument) < 1e-9


def test_an_acceleration_that_the_arms_cannot_give_is_told() -> None:
    """Arms of the plane do not turn what they hold out of it."""
    _, instrument = opened("two_planar_arms", 0.5, "group_inverse")
    assert "back: relative difference" in instrument._map.html
    instrument._wanted._fields[0]._read("3")
    assert difference(instrument) > 0.1
    assert "cannot give the object this acceleration" in instrument._map.html
    assert "back: relative difference" not in instrument._map.html
    instrument._wanted._fields[0]._read("0")
    instrument._wanted._fields[5]._read("0")
    instrument._wanted._fields[2]._read("3")
    assert "back: relative difference" in instrument._map.html


def test_where_nothing_accelerates_rounding_is_zero() -> None:
    """As in the walk: what the loads at a joint leave at rest has no neighbor that says so."""
    _, instrument = opened("talos", 0.0)
    for name in ("composite_bodies", "appel", "constrained", "as_printed"):
        instrument._choose(name)
        assert np.all(rows(instrument, "Where it arrives") == 0.0), name


@pytest.mark.parametrize("name", ["newton_euler", "newton_euler_modified", "lagrange", "inverse_dynamics"])
def test_a_step_of_what_rests_starts_from_no_rounding(name: str) -> None:
    """The accelerations that a formulation is read for are none there, and no step is made of their rounding.

    What a product of large numbers leaves may be rounding on one processor and 0 on another: the page shows 0 for both.
    """
    session, instrument = opened("stanford", 0.0, name)
    assert 0.0 < np.abs(session.solution().joint_acceleration).max() < 1e-12
    reading = instrument._read(session.solution(), name)
    lines = [line for k in range(len(reading.steps)) for line in reading.lines(k)]
    assert not [line.key for line in lines if multiplied(line) < np.abs(line.value).max(initial=0.0) < 1e-12]


def multiplied(line: dyn.LineReading) -> float:
    """What rounding of its products may leave."""
    sizes = [np.prod([np.linalg.norm(factor.value) for factor in term.factors]) for term in line.terms]
    return 4 * np.finfo(float).eps * float(max(sizes, default=0.0))


def test_the_printed_form_stands_beside_the_other() -> None:
    session, instrument = opened("puma560", 0.7, "as_printed")
    reading = session.reading()
    found = rows(instrument, "R87's printed form beside JR's")
    assert np.allclose(found[:, 0], reading.letter("e_minus").ravel(), rtol=1e-9, atol=1e-12)
    assert np.allclose(found[:, 2], session.solution().stages["filter"]["innovation"], rtol=1e-9, atol=1e-12)
    assert np.allclose(found[:, 0] - found[:, 1], found[:, 2], atol=1e-12)


def test_what_a_machine_is_none_for_is_said() -> None:
    flyer = dyn.example("free_flyer")[0]
    assert dyn.readable_formulations(flyer) == ("constrained", "as_printed")
    assert "Newton–Euler" in absent(flyer)
    assert "bolted down" in absent(flyer)
    session, instrument = opened("free_flyer", 0.1, "newton_euler:4")
    assert instrument.name_here == "constrained"
    assert instrument.at == 0
    assert html.escape(absent(flyer)) in instrument._answer.html
    assert "group" in absent(session.system_here)


def test_every_step_has_words() -> None:
    keys = set()
    for preset in PRESETS:
        session = Session(preset)
        solution = session.solution()
        for name in dyn.readable_formulations(solution.system):
            assert name in METHODS
            reading = dyn.read_formulation(solution.system, solution.state, name, solution.tau)
            keys |= {key_of(step) for step in reading.steps}
    assert keys <= set(STEPS)
    assert len(keys) > 0.8 * len(STEPS)


def test_a_link_says_which_step_it_is() -> None:
    session, instrument = opened("puma560", 0.3, "strobing:9")
    session.tab = "Methods"
    query = query_of(session)
    assert query["formulation"] == "strobing:9"
    other = Session("puma560")
    asked(query, other).tried().show(other)
    assert other.formulation == "strobing:9"
    assert "step 10 of" in instrument._map.html
    session.formulation = "strobing:99999"
    instrument.draw()
    last = re.search(r"step (\d+) of (\d+)", instrument._map.html)
    assert last[1] == last[2]  # type: ignore[index]


def test_it_follows_the_cursor_and_costs_nothing_while_nothing_changes() -> None:
    session, instrument = opened("puma560", 0.3, "composite_bodies")
    before = bytes(instrument._step.numbers)
    instrument.draw()
    assert instrument._step.numbers == before
    session.seek(0.8)
    while session.run.end < 0.8:
        session.run.accept(session.run.compute())
    instrument.draw()
    assert instrument._step.numbers != before


@pytest.mark.parametrize("n_links", [6, 12, 13, 17, 30])
def test_a_long_arm_is_walked_only_by_methods_whose_steps_do_not_outgrow_it(n_links: int) -> None:
    """The page is held up by none of them, whatever robot somebody brings."""
    system = dyn.single_arm(dyn.planar_chain(n_links))
    readable, there = dyn.readable_formulations(system), walkable(system)
    assert set(there) <= set(readable)
    assert ("lagrange" in there, "strobing" in there) == (n_links <= 12, n_links <= 16)
    for name in there:
        reading = dyn.read_formulation(system, system.state(), name, np.zeros(n_links))
        assert len(reading.steps) < 600
    if n_links > 12:
        assert "Lagrange" in absent(system)
        assert "shorter arms" in absent(system)
