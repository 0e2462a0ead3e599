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
from app.state import Session, walk
from app.walker.step_sentence import did_html
from app.walker.step_sheet import step_html
from dynamics.reading import LineReading, Reading, stage_difference, textbook_lines
from tests.app.equations.places import places
from tests.app.state.test_walk import EXAMPLES, branching

SHEETS = ["puma560", "two_arms_and_box", "point_contact", "two_planar_arms", "free_flyer", "a tree that floats"]
"""One of each kind of machine: their sheets are written by the same code."""
TOLERANCE = 1e-9
TO_THE_FAST_FORM = 1e-8
"""Of the text and the fast form, relative to the array: what a contact's condition costs is in it."""


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


def test_the_numbers_satisfy_their_equations() -> None:
    for name in MOMENTS:
        for place, lines in walked(name):
            assert lines, (name, place)
            for line in lines:
                left, right = line.value, right_side(line)
                if not left.size or not line.terms:
                    assert np.abs(left).max(initial=0.0) == 0.0
                    continue
                factors = [f.value for term in line.terms for f in term.factors if not f.inverse]
                scale = max([1.0, *(np.abs(value).max(initial=0.0) for value in factors)])
                assert np.abs(left - right).max() <= TOLERANCE * scale, (name, place, line.latex)


def of_the_solution(line: LineReading, place: walk.Place, system: dyn.System, array: np.ndarray) -> np.ndarray | None:
    """What the fast form has of a line; None where it keeps the blocks of one contact alone."""
    if place.stage != "contact":
        return array[place.link]
    if line.rows:
        tip = next(contact.tip for contact in system.contacts if contact.link == place.link)
        return array[6 * tip : 6 * tip + 6] if array.shape[-1] == line.value.shape[-1] else array[tip]
    if line.contact >= 0:
        return None if "coupling" in line.key else array[system.contacts[line.contact].tip]
    return array


def test_what_the_lines_compute_is_the_fast_solution() -> None:
    unseen = ("contact", "indeterminate_directions")  # of which any basis will do
    for name in MOMENTS:
        solution, seen = MOMENTS[name](), {unseen}
        for place, lines in walked(name):
            for line in lines:
                array = solution.stages[place.stage].get(line.quantity_name)
                if array is None or (place.stage, line.quantity_name) == unseen:
                    continue
                seen.add((place.stage, line.quantity_name))
                expected = of_the_solution(line, place, solution.system, np.asarray(array))
                if expected is not None:
                    shown = line.value[list(line.rows)] if line.rows else line.value
                    within = TO_THE_FAST_FORM * max(np.abs(array).max(initial=0.0), 1e-300)
                    assert np.abs(shown.ravel() - expected.ravel()).max() <= within, (name, place, line.key)
        missing = {(stage, key) for stage, arrays in solution.stages.items() for key in arrays} - seen
        assert not missing, f"{name}: {missing} is computed but never shown"


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
            *before, left, start, falls, to, carried = figures.numbers
            gain = stage["kalman_gain"][place.link]
            assert carried == np.linalg.norm(gain[3:] if joint.kind == "revolute" else gain[:3])
            felt = falls + joint.rotor_inertia  # D = H P H' + the rotor's, of which the rotor's share is left
            np.testing.assert_allclose([before[0], to], [felt, falls * joint.rotor_inertia / felt], atol=1e-12)
            np.testing.assert_allclose(left, felt * start, atol=1e-12)
            assert before[1:] == [float(stage["joint_inertia"][place.link - 1])][: len(before) - 1]
            assert joint.name in told


def test_what_is_left_of_a_torque_that_only_holds_is_none() -> None:
    system, state = dyn.example("puma560")
    holding = dyn.inverse_dynamics(system, system.state(q=state.q), {})
    reading = dyn.read_textbook(system, system.state(q=state.q), holding)
    assert np.any(reading.solution.stages["filter"]["innovation"] != 0.0)  # rounding of some N m
    for place in walk.whole_walk(system):
        if place.stage == "filter" and place.half == 1:
            did_html(reading, place, figures := Figures.of(reading))
            assert figures.numbers[-5:-3].tolist() == [0.0, 0.0], place


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
