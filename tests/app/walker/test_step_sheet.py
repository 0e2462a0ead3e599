"""The sheet of a half-step: line = equation = value, the solution's own, wherever the walk goes."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable
from importlib.resources import files

import numpy as np
import pytest

import dynamics as dyn
from app.equations.rounding import sizes_by_unit, sizes_of_parts
from app.equations.sheet import Figures
from app.equations.words import words_of
from app.state import walk
from app.walker.step_sheet import step_html
from dynamics.reading import LineReading
from tests.app.state.test_walk import EXAMPLES, branching

TOLERANCE = 1e-9
TO_THE_FAST_FORM = 1e-8
"""Of the text and the fast form, relative to the array: what a contact's condition costs is in it."""


def in_motion(system: dyn.System, state: dyn.State) -> dyn.Solution:
    """A solution a while later, with torques, so that no term is zero by chance."""
    tau = np.linspace(-0.4, 0.5, system.n_joints)
    recording = dyn.simulate(system, state, controller=dyn.ConstantTorque(tau), duration=0.1, dt=1e-3)
    return recording.solution_at(0.1)


def branching_solution() -> dyn.Solution:
    system = branching()
    return in_motion(system, system.state(q=np.array([0.3, -0.4, 0.5, 0.2]), qd=np.array([1.0, -2.0, 0.5, 1.5])))


def branching_flyer() -> dyn.Solution:
    system = dyn.free_flyer(branching().robots[0])
    return in_motion(system, system.state(q=np.array([0.3, -0.4, 0.5, 0.2]), qd=np.array([1.0, -2.0, 0.5, 1.5])))


MOMENTS: dict[str, Callable[[], dyn.Solution]] = {
    name: functools.cache(functools.partial(lambda name: in_motion(*dyn.example(name)), name)) for name in EXAMPLES
} | {"a tree": functools.cache(branching_solution), "a tree that floats": functools.cache(branching_flyer)}


def reading_of(solution: dyn.Solution, breaks: tuple[str, ...] = ()) -> dyn.Reading:
    return dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks)


def in_own_units(matrix: np.ndarray) -> np.ndarray:
    """The inverse, of what is singular the least when each direction is measured by its own element."""
    own = np.abs(np.diag(matrix))
    unit = np.sqrt(np.where(own > 1e-12 * own.max(), own, 1.0))
    return np.linalg.pinv(matrix / np.outer(unit, unit), rcond=1e-10) / np.outer(unit, unit)


def right_side(line: LineReading) -> np.ndarray:
    """What the shown terms give: the sum of the products, multiplied out one by one."""
    total = np.zeros((1, 1))
    for term in line.terms:
        value = np.eye(1) * term.sign
        for factor in term.factors:
            inverted = in_own_units(factor.value) if factor.inverse else factor.value
            value = value * inverted if 1 in (value.size, inverted.size) else value @ inverted
        total = total + value
    return total


@pytest.mark.parametrize("name", MOMENTS)
def test_the_numbers_satisfy_their_equations(name: str) -> None:
    reading = reading_of(MOMENTS[name]())
    for place in walk.whole_walk(reading.system):
        lines = reading.lines(place.stage, place.link, place.half)
        assert lines, place
        for line in lines:
            left, right = line.value, right_side(line)
            if not left.size or not line.terms:
                assert np.abs(left).max(initial=0.0) == 0.0
                continue
            factors = [f.value for term in line.terms for f in term.factors if not f.inverse]
            scale = max([1.0, *(np.abs(value).max(initial=0.0) for value in factors)])
            assert np.abs(left - right).max() <= TOLERANCE * scale, (place, line.latex)


@pytest.mark.parametrize("name", MOMENTS)
def test_what_the_lines_compute_is_the_fast_solution(name: str) -> None:
    solution = MOMENTS[name]()
    reading, tip_of = reading_of(solution), {contact.link: contact.tip for contact in solution.system.contacts}
    seen = set()
    for place in walk.whole_walk(reading.system):
        for line in reading.lines(place.stage, place.link, place.half):
            array = solution.stages[place.stage].get(line.quantity_name)
            if array is None or line.quantity_name == "indeterminate_directions":
                continue
            seen.add((place.stage, line.quantity_name))
            shown, expected = line.value, np.asarray(array)
            scale = max(np.abs(expected).max(initial=0.0), 1e-300)
            if place.stage != "contact":
                expected = expected[place.link]
            elif line.rows:
                shown, tip = line.value[list(line.rows)], tip_of[place.link]
                expected = expected[6 * tip : 6 * tip + 6] if expected.shape[-1] == shown.shape[-1] else expected[tip]
            elif line.contact >= 0:
                tip = solution.system.contacts[line.contact].tip
                if "coupling" in line.key:
                    continue  # the solution keeps the blocks of one contact alone
                expected = expected[tip]
            assert np.abs(shown.ravel() - expected.ravel()).max() <= TO_THE_FAST_FORM * scale, (place, line.key)
    for stage, arrays in solution.stages.items():
        missing = {(stage, name) for name in arrays} - seen - {("contact", "indeterminate_directions")}
        assert not missing, f"{missing} is computed but never shown"


@pytest.mark.parametrize("name", MOMENTS)
def test_the_sheet_says_line_equation_and_value(name: str) -> None:
    solution = MOMENTS[name]()
    reading = reading_of(solution)
    difference = dyn.stage_difference(reading.solution, solution)
    for place in walk.whole_walk(reading.system):
        figures = Figures()
        text = step_html(reading, difference, place, "light", figures)
        numbers = figures.numbers
        assert figures.count == len(numbers)
        assert all(int(n) < len(numbers) for n in re.findall(r"data-n='(\d+)'", text))
        (apart,) = re.findall(r"<span class='apart'.*?data-n='(\d+)'", text)
        assert numbers[int(apart)] == difference.relative
        # Where the filter begins a formula has a term of the links outboard, and its numbers have none.
        inertia = [
            line
            for line in reading.lines(place.stage, place.link, place.half)
            if line.quantity_name == "articulated_inertia"
        ]
        begins = place.stage == "filter" and any(len(line.terms) == 1 for line in inertia)
        assert ("Nothing is outboard" in text) == begins, place
        lines = reading.lines(place.stage, place.link, place.half)
        rows = re.findall(r"<li value='(\d+)'.*?<code [^>]*>(.*?)</code>(.*?)</li>", text)
        sections = re.findall(r"<section class='equation.*?</section>", text)
        assert len(rows) == len({line.key for line in lines})
        assert len(sections) == len(lines)
        for number, code, _ in rows:
            line = next(line for line in lines if str(line.number) == number and line.source == html.unescape(code))
            source = (files("dynamics.textbook") / line.file).read_text(encoding="utf-8").splitlines()
            written, _, equation = source[line.number - 1].strip().partition("  # ")
            assert written == line.source
            # A sweep that runs twice is found in two papers, and a base has an equation of its own.
            assert line.equation.endswith(equation)
        values = [numbers_in(value, numbers) for _, _, row in rows for value in row.split("<span class='own'>")[1:]]
        by_key = sorted(range(len(lines)), key=lambda at: lines[at].number)
        for value, at in zip(values, by_key, strict=True):
            assert np.array_equal(value, lines[at].value.ravel())
        computes = words_of(place.stage, place.half, place.link >= reading.system.n_joints).computes
        assert text.index("<section class='equation") < text.index("<ol class='text'")
        in_order = sorted(lines, key=lambda line: line.quantity_name != computes)
        assert in_order[0].quantity_name == computes
        for line, section in zip(in_order, sections, strict=True):
            left = section.split("<span class='sign'>=</span>")[0]
            assert np.array_equal(numbers_in(left, numbers), line.value.ravel())
            shown = [f.value.ravel() for term in line.terms for f in term.factors]
            right = numbers_in(section.split("<span class='sign'>=</span>")[1], numbers)
            assert np.array_equal(right, np.concatenate(shown) if shown else right)


def numbers_in(text: str, numbers: np.ndarray) -> np.ndarray:
    return numbers[[int(n) for n in re.findall(r"data-n='(\d+)'", text)]]


def test_what_has_canceled_is_measured_by_what_it_was_made_of() -> None:
    solution = MOMENTS["two_arms_and_box"]()
    link = solution.system.contacts[0].link
    lines = {line.key: line for line in reading_of(solution).lines("contact", link, 1)}
    rest, force = lines["contact_forces.rho"], lines["contact_forces.F"]
    assert np.abs(rest.value).max() < 1e-9 < 1e-3 < np.abs(force.value).max()
    assert np.all(sizes_of_parts(rest) > 1e6 * sizes_by_unit(rest.value))
    assert np.all(sizes_of_parts(force) < 1e3 * sizes_by_unit(force.value))


def test_a_broken_text_is_said_to_be_broken_and_marks_its_line() -> None:
    solution = MOMENTS["puma560"]()
    key = next(each.key for each in dyn.textbook_lines(solution.system)[3].breaks if each.kind == "drop")
    reading = reading_of(solution, (key,))
    line_key = key.partition("~")[0]
    place = walk.Place("filter", 0, 2, 0)
    figures = Figures()
    text = step_html(reading, dyn.stage_difference(reading.solution, solution), place, "light", figures)
    assert "Broken in one place" in text
    assert text.index("<b>The text is broken</b>") < text.index("Stage 1 of")  # before its first number
    assert "data-go='mend'" in text
    (apart,) = re.findall(r"<span class='apart'.*?data-n='(\d+)'", text)
    assert figures.numbers[int(apart)] > 1e-3
    row = re.search(rf"<li [^>]*data-line='{re.escape(line_key)}'.*?</li>", text)
    assert row is not None
    assert "broken" in row.group(0)
    assert "<del>" in row.group(0)
    assert "As published" in text


def test_a_text_that_divides_by_zero_can_be_shown() -> None:
    solution = MOMENTS["puma560"]()
    lines = {line.key: line for line in dyn.textbook_lines(solution.system)}
    keys = tuple(
        each.key
        for line in ("inward_filter.prediction.P", "inward_filter.correction.D")
        for each in lines[line].breaks
        if each.kind == "drop"
    )
    reading = reading_of(solution, keys)
    for place in walk.whole_walk(reading.system):
        text = step_html(reading, dyn.stage_difference(reading.solution, solution), place, "light", Figures())
        assert "has no number" in text


def test_a_links_number_says_once_where_its_counting_begins() -> None:
    reading = reading_of(MOMENTS["planar_chain" if "planar_chain" in MOMENTS else next(iter(MOMENTS))]())
    place = walk.Place("filter", 0, 2, 0)
    text = step_html(reading, dyn.stage_difference(reading.solution, reading.solution), place, "light", Figures())
    plain = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    assert plain.count("from the tip") == 1
    assert f"= 3, counted from the tip: {reading.system.link_names[2]}" in plain
