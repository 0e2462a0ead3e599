"""The sheet of a half-step: line = equation = value, the solution's own, wherever the walk goes."""

import functools
import html
import re
from collections.abc import Callable, Sequence
from importlib.resources import files

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.equations.words import words_of
from app.instruments.walk.step_sentence import did_html
from app.instruments.walk.step_sheet import step_html
from app.state import Session, walk
from dynamics.reading import LineReading, Reading, stage_difference, textbook_lines
from tests.app.state.test_walk import EXAMPLES, branching

SHEETS = ["puma560", "two_arms_and_box", "point_contact", "two_planar_arms", "free_flyer", "a tree that floats"]
"""One of each kind of machine: their sheets are written by the same code."""


PLACE = re.compile(r"data-n='(\d+)'|data-first='(\d+)' data-cells='(\d+) (\d+)'")


def places(html: str) -> list[int]:
    """The places of all numbers in a text, in its order: one by one, and the cells of matrices."""
    found: list[int] = []
    for one, first, rows, columns in PLACE.findall(html):
        found += [int(one)] if one else range(int(first), int(first) + int(rows) * int(columns))
    return found


def in_motion(system: dyn.System, state: dyn.State) -> dyn.Solution:
    """A solution a while later, with torques, so that no term is zero by chance."""
    tau = np.linspace(-0.4, 0.5, system.n_joints)
    recording = dyn.simulate(system, state, controller=dyn.ConstantTorque(tau), duration=0.1, dt=1e-3)
    return recording.solution_at(0.1)


def branching_solution(floats: bool = False) -> dyn.Solution:
    system = dyn.free_flyer(branching().robots[0]) if floats else branching()
    return in_motion(system, system.state(q=np.array([0.3, -0.4, 0.5, 0.2]), qd=np.array([1.0, -2.0, 0.5, 1.5])))


MOMENTS: dict[str, Callable[[], dyn.Solution]] = {
    name: functools.cache(functools.partial(lambda name: in_motion(*dyn.example(name)), name)) for name in EXAMPLES
} | {
    "a tree": functools.cache(branching_solution),
    "a tree that floats": functools.cache(lambda: branching_solution(floats=True)),
}


def reading_of(solution: dyn.Solution, breaks: tuple[str, ...] = ()) -> Reading:
    return dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks)


@functools.cache
def read(name: str) -> Reading:
    return reading_of(MOMENTS[name]())


@functools.cache
def walked(name: str) -> tuple[tuple[walk.Place, Sequence[LineReading]], ...]:
    reading = read(name)
    places = walk.whole_walk(reading.system)
    return tuple((place, reading.lines(place.stage, place.link, place.half)) for place in places)


def test_all_that_the_stages_hold_is_shown_somewhere() -> None:
    unseen = {("contact", "indeterminate_directions")}
    for name in MOMENTS:
        seen = unseen | {(place.stage, line.quantity_name) for place, lines in walked(name) for line in lines}
        held = {(stage, key) for stage, arrays in MOMENTS[name]().stages.items() for key in arrays}
        assert not held - seen, f"{name}: {held - seen} is computed but never shown"


def numbers_in(text: str, numbers: np.ndarray) -> np.ndarray:
    return numbers[places(text)]


def test_the_sheet_says_line_equation_and_value() -> None:
    for name in SHEETS:
        solution, reading = MOMENTS[name](), read(name)
        difference = stage_difference(reading.solution, solution)
        for place, lines in walked(name):
            figures = Figures()
            text = step_html(reading, difference, place, "light", figures)
            numbers, about = figures.numbers, (name, place)
            (apart,) = re.findall(r"<span class='apart'.*?data-n='(\d+)'", text)
            assert numbers[int(apart)] == difference.relative, about
            rows = re.findall(r"<li value='(\d+)'.*?<code [^>]*>(.*?)</code>(.*?)</li>", text)
            sections = re.findall(r"<section class='equation.*?</section>", text)
            assert (len(rows), len(sections)) == (len({line.key for line in lines}), len(lines)), about
            for number, code, _ in rows:
                code = html.unescape(code)
                line = next(line for line in lines if (str(line.number), line.source) == (number, code))
                source = (files("dynamics.textbook") / line.file).read_text(encoding="utf-8").splitlines()
                written, _, equation = source[line.number - 1].strip().partition("  # ")
                assert written == line.source
                # A sweep that runs twice is found in two papers, and a base has an equation of its own.
                assert line.equation.endswith(equation), about
            values = [numbers_in(value, numbers) for *_, row in rows for value in row.split("<span class='own'>")[1:]]
            for value, line in zip(values, sorted(lines, key=lambda line: line.number), strict=True):
                assert np.array_equal(value, line.value.ravel()), about
            computes = words_of(place.stage, place.half, place.link >= reading.system.n_joints).computes
            in_order = sorted(lines, key=lambda line: line.quantity_name != computes)
            assert in_order[0].quantity_name == computes
            for line, section in zip(in_order, sections, strict=True):
                left, right, *_ = section.split("<span class='sign'>=</span>")
                assert np.array_equal(numbers_in(left, numbers), line.value.ravel()), about
                factors = [f.value.ravel() for term in line.terms for f in term.factors]
                shown = numbers_in(right, numbers)
                assert np.array_equal(shown, np.concatenate(factors) if factors else shown), about


def test_a_broken_text_is_said_to_be_broken_and_marks_its_line() -> None:
    solution = MOMENTS["puma560"]()
    key = next(each.key for each in textbook_lines(solution.system)[3].breaks if each.kind == "drop")
    reading, figures = reading_of(solution, (key,)), Figures()
    difference = stage_difference(reading.solution, solution)
    text = step_html(reading, difference, walk.Place("filter", 0, 2, 0), "light", figures)
    assert text.index("<b>The text is broken</b>") < text.index("Stage 1 of")  # before its first number
    assert "data-go='mend'" in text
    (apart,) = re.findall(r"<span class='apart'.*?data-n='(\d+)'", text)
    assert figures.numbers[int(apart)] > 1e-3
    row = re.search(rf"<li [^>]*data-line='{re.escape(key.partition('~')[0])}'.*?</li>", text)
    assert "<del>" in row.group(0)


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer", "stanford"])
def test_each_half_step_says_what_it_did_with_its_own_numbers(preset: str) -> None:
    session = Session(preset)
    reading = session.reading()
    system, stage = reading.system, reading.solution.stages["filter"]
    for place in walk.whole_walk(system):
        figures = Figures.of(reading)
        told = did_html(reading, place, figures)
        assert told.count("data-n=") == len(figures.numbers) > 0, place
        assert np.isfinite(figures.numbers).all(), place
        if (place.stage, place.half) == ("filter", 1) and place.link < system.n_joints:
            joint = system.joint_models[place.link]
            felt, *before, left, start = figures.numbers
            assert felt == stage["joint_inertia"][place.link]
            np.testing.assert_allclose(left, felt * start, atol=1e-12)
            assert before == [float(stage["joint_inertia"][place.link - 1])][: len(before)]
            assert joint.name in told


def test_what_is_left_of_a_torque_that_only_holds_is_none() -> None:
    system, state = dyn.example("puma560")
    holding = dyn.inverse_dynamics(system, system.state(q=state.q), {})
    reading = dyn.read_textbook(system, system.state(q=state.q), holding)
    assert np.any(reading.solution.stages["filter"]["innovation"] != 0.0)  # rounding of some N m
    for place in walk.whole_walk(system):
        if place.stage == "filter" and place.half == 1:
            did_html(reading, place, figures := Figures.of(reading))
            assert figures.numbers[-2:].tolist() == [0.0, 0.0], place


def test_each_finger_of_a_hand_says_its_own_force() -> None:
    hand = dyn.multi_arm([branching().robots[0]], [np.eye(4)], dyn.TaskObject.box((0.1, 0.1, 0.1), 1.0))
    state = hand.state(q=np.array([0.2, 0.1, 0.3, 0.1]), object_pose=np.eye(4))
    reading = dyn.read_textbook(system := dyn.grasp(hand, state, ["point", "point"]), state, np.zeros(4))
    forces = np.linalg.norm(reading.solution.stages["contact"]["predicted_contact_force"][:, 3:], axis=1)
    for tip, force in zip(system.tips, forces, strict=True):
        figures = Figures.of(reading)
        told = did_html(reading, walk.Place("contact", tip.arm, tip.link, 1), figures)
        assert (figures.numbers[0], system.link_names[tip.link] in told) == (force, True)
    assert forces[0] != forces[1]
