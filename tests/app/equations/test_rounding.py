"""What is rounding beside its neighbors is told unit by unit, so that a small machine's numbers are not."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import ArrayLike

import dynamics as dyn
from app.equations.numbered import beside_html, equation_html, factor_html, value_html
from app.equations.rounding import Loads, shortest_radius, sizes_beside, sizes_by_unit, sizes_of_bracket
from app.equations.sheet import Figures
from app.number_text import ROUNDING, number_text
from app.walker.matrix_sheet import link_matrix_html, link_matrix_numbers

Array = np.ndarray
SCALES = [10.0, 1.0, 1e-3, 1e-6, 1e-9]


def arm(scale: float, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> dyn.System:
    """One arm at another scale, and gravity with it: lengths shrink, times and masses do not."""
    chain = dyn.planar_chain(3, length=0.3 * scale, radius=0.03 * scale)
    return dyn.single_arm(chain, gravity=scale * np.array(gravity))


def cells(value: Array, sizes: Array) -> Array:
    """The size beside which each number of a value stands."""
    down, across = sizes.shape
    rows = np.arange(value.shape[0]) // 3 % down
    columns = np.arange(value.shape[1]) // 3 % across
    return sizes[np.ix_(rows, columns)]


def shown(value: Array, sizes: Array) -> list[str]:
    return [number_text(x, size) for x, size in zip(value.ravel(), cells(value, sizes).ravel(), strict=True)]


def written(scale: float, *where: str) -> Iterator[tuple[str, Array, list[str]]]:
    """Every value and factor of the lines, as the page writes it."""
    system = arm(scale)
    reading = dyn.read_textbook(system, system.state(q=[0.1, 0.2, 0.3], qd=[1.0, -2.0, 0.5]), scale**2 * np.ones(3))
    length, loads = shortest_radius(system), Loads.of(system, reading.solution.stages)
    for stage in where:
        for link in range(system.n_links):
            for half in (0, 1):
                for line in reading.lines(stage, link, half):
                    sizes = sizes_beside(line.value, length, loads.parts(line))
                    yield f"{line.key} {link}", line.value, shown(line.value, sizes)
                    for term in line.terms:
                        for factor in term.factors:
                            parts = np.maximum(sizes_of_bracket(factor), loads.at(factor.letter, link))
                            text = shown(factor.value, sizes_beside(factor.value, length, parts))
                            yield f"{line.key} {link}: {factor.latex}", factor.value, text


@pytest.mark.parametrize("scale", SCALES)
def test_no_number_of_a_small_machine_is_taken_for_rounding(scale: float) -> None:
    """What is zero on the page is zero at every scale: the same arm says the same of itself, however small it is."""
    for (name, usual, _), (again, value, text) in zip(
        written(1.0, "filter", "smoother"), written(scale, "filter", "smoother"), strict=True
    ):
        assert name == again
        # Of the arm of the usual size, in which all units are of one size, this is far above rounding.
        there = np.abs(usual.ravel()) > 1e-9 * np.abs(usual).max(initial=0.0)
        assert all(each != "0" for each, is_there in zip(text, there, strict=True) if is_there), (name, value, text)


def test_an_arm_of_a_third_of_a_micrometer_shows_its_inertia() -> None:
    system = dyn.single_arm(dyn.planar_chain(3, length=3e-7, radius=3e-8))
    reading = dyn.read_textbook(system, system.state(q=[0.1, 0.2, 0.3]))
    line = next(line for line in reading.lines("filter", 1, 0) if line.key.endswith(".P"))
    figures = Figures(shortest_radius(system))
    beside_html(line, figures)
    sizes = figures.numbers[:4].reshape(2, 2)
    assert all(text != "0" for text in np.reshape(shown(line.value, sizes), (6, 6)).diagonal())


def test_rounding_beside_another_unit_is_zero() -> None:
    """A chain that hangs straight down needs no torque: what is left of the moments is rounding beside its weight."""
    q = [0.0, 0.0, 0.3]
    system = arm(1.0)
    points = dyn.read_textbook(system, system.state(q=q)).solution.link_pose[:, :3, 3]
    down = (points[0] - points[2]) / np.linalg.norm(points[0] - points[2])
    system = arm(1.0, gravity=9.81 * down)
    reading = dyn.read_textbook(system, system.state(q=q))
    length, rounded = shortest_radius(system), 0
    for link in range(3):
        for line in reading.lines("filter", link, 0):
            if not line.key.endswith(".z"):
                continue
            moment = line.value[:3, 0]
            assert np.abs(moment).max() < 1e-14
            rounded += int(np.count_nonzero(moment))
            sizes = sizes_beside(line.value, length)  # as a factor, too, whose parts nobody knows
            assert shown(line.value, sizes)[:3] == ["0", "0", "0"]
            assert any(text != "0" for text in shown(line.value, sizes)[3:])
    assert rounded


def test_what_balanced_loads_leave_is_zero_wherever_it_stands() -> None:
    """A chain that hangs at rest: no innovation and no acceleration has a neighbor beside which it is rounding."""
    system = dyn.single_arm(dyn.planar_chain(3))
    state = system.state(q=[0.0, 0.0, 0.5 * np.pi])
    reading = dyn.read_textbook(system, state)
    loads, left = Loads.of(system, reading.solution.stages), 0
    for stage, names in (("filter", ("innovation", "residual")), ("smoother", ("joint_acceleration", "acceleration"))):
        for name in names:
            values = reading.solution.stages[stage][name]
            assert np.abs(values).max() < 1e-12
            left += int(np.count_nonzero(values))
            assert not loads.without_rounding(name, values).any()
        for link in range(3):
            for line in reading.lines(stage, link, 1):
                if line.quantity_name in names:
                    assert set(shown(line.value, sizes_beside(line.value, loads.length, loads.parts(line)))) == {"0"}
                figures = Figures.of(reading)
                assert equation_html(line, "#000", "", figures).count(" data-first") > 0
                assert figures.count == len(figures.numbers)
    assert left
    turned = dyn.forward_dynamics(system, system.state(q=[0.0, 0.0, 0.5 * np.pi + 1e-6]))
    for name in ("innovation", "residual"):
        values = turned.stages["filter"][name]
        assert np.array_equal(Loads.of(system, turned.stages).without_rounding(name, values), values)


@pytest.mark.parametrize("name", ["two_arms_and_box", "four_arms_and_box"])
def test_an_objects_acceleration_is_held_to_the_forces_that_hold_it(name: str) -> None:
    """Where they are in balance, what they leave has no neighbor, either."""
    system, state = dyn.example(name)
    found = dyn.forward_dynamics(system, state)
    loads, stages = Loads.of(system, found.stages), found.stages
    force = np.abs(stages["contact"]["contact_force"][:, 3:]).max()
    assert system.task_object is not None
    assert loads.thing[1, 0] == pytest.approx(force / system.task_object.mass)
    assert loads.thing[0, 0] >= loads.length * force / np.linalg.eigvalsh(system.task_object.inertia)[0]
    left = 1e-13 * np.repeat(loads.thing[:, 0], 3)
    assert not loads.without_rounding("object_acceleration", left[None]).any()
    moves = 1e6 * left
    assert np.array_equal(loads.without_rounding("object_acceleration", moves[None])[0], moves)
    assert not Loads.of(dyn.release(system), found.stages).thing.any()


def test_a_factor_is_held_to_what_its_own_line_would_be() -> None:
    """An innovation that is rounding is so in every line that it stands in, not in its own alone."""
    system = dyn.single_arm(dyn.planar_chain(3))
    reading = dyn.read_textbook(system, system.state(q=[0.0, 0.0, 0.5 * np.pi]))
    line = next(line for line in reading.lines("filter", 0, 1) if line.quantity_name == "residual")
    innovation = next(f for term in line.terms for f in term.factors if f.letter == "eps")
    figures = Figures.of(reading)
    (beside,) = re.findall(r"data-bracketed data-beside='(\d+)'", factor_html(innovation, figures, 0))
    assert 0.0 < abs(innovation.value.item()) <= ROUNDING * figures.numbers[int(beside)]


def test_each_unit_has_its_own_size() -> None:
    value = np.ones((6, 6))
    value[:3, 3:], value[3:, :3], value[3:, 3:] = -2.0, 3.0, 4.0
    assert np.array_equal(sizes_by_unit(value), [[1.0, 2.0], [3.0, 4.0]])
    value[0, 0], value[5, 5] = np.nan, np.inf
    assert np.array_equal(sizes_by_unit(value), [[1.0, 2.0], [3.0, 4.0]])
    force = np.array([[1.0, -2.0, 0.5, 30.0, 0.0, -10.0]])
    assert np.array_equal(sizes_by_unit(force), [[2.0, 30.0]])
    assert np.array_equal(sizes_by_unit(force.T), [[2.0], [30.0]])
    assert np.array_equal(sizes_by_unit(np.concatenate([force, -2.0 * force], axis=1).T), [[4.0], [60.0]])
    assert np.array_equal(sizes_by_unit(np.full((3, 3), -5.0)), [[5.0]])
    assert np.array_equal(sizes_by_unit(np.zeros((6, 0))), [[0.0]])


@pytest.mark.parametrize("length", [0.1, 10.0])
def test_neighbors_of_another_unit_count_by_a_length(length: float) -> None:
    inertia = np.zeros((6, 6))
    inertia[3:, 3:] = 2.0 * np.eye(3)
    assert np.allclose(sizes_beside(inertia, length), [[0.02, 0.2], [0.2, 2.0]])
    assert np.array_equal(sizes_beside(inertia), [[0.0, 0.0], [0.0, 2.0]])
    assert np.allclose(sizes_beside(inertia, length, np.array([[5.0, 0.0], [0.0, 0.0]])), [[5.0, 0.5], [0.5, 2.0]])


def test_the_shortest_radius_is_that_of_the_smallest_body() -> None:
    chain = dyn.planar_chain(2, length=0.3, radius=0.03)
    assert shortest_radius(dyn.single_arm(chain)) == pytest.approx(0.3 / np.sqrt(3.0), rel=0.1)
    cube = dyn.TaskObject.box((0.01, 0.01, 0.01), 1.0)
    assert shortest_radius(dyn.multi_arm([chain], None, cube)) == pytest.approx(0.005)


def test_the_sizes_travel_with_their_numbers() -> None:
    system, state = dyn.example("two_arms_and_box")
    reading = dyn.read_textbook(system, state)
    link, length = system.contacts[0].link, shortest_radius(system)
    for line in (*reading.lines("filter", link, 0), *reading.lines("contact", link, 1)):
        figures = Figures(length)
        text = equation_html(line, "#000", "", figures) + value_html(line.value, figures) + beside_html(line, figures)
        assert figures.count == len(figures.numbers)
        for group in re.findall(r"<(?:table|span)[^>]*data-beside[^>]*>", text):
            first, beside, down, across, columns = (
                int(found)
                for name in ("first", "beside", "units")
                for found in re.search(rf"data-{name}='([\d ]+)'", group)[1].split()  # type: ignore[index]
            )
            assert beside + down * across <= first
            assert columns in (1, 6, line.value.shape[1], *(f.value.shape[1] for t in line.terms for f in t.factors))
            sizes = figures.numbers[beside : beside + down * across]
            assert np.all(sizes >= 0.0)


def test_a_matrix_of_a_link_comes_with_its_sizes() -> None:
    system = arm(1e-6)
    solution = dyn.forward_dynamics(system, system.state(q=[0.1, 0.2, 0.3]))
    value = solution.stages["filter"]["articulated_inertia"][0]
    numbers = link_matrix_numbers(value, system)
    text = link_matrix_html("P", "kg m^2, kg m; kg m, kg", "inertial", "")
    (beside,) = re.findall(r"data-beside='(\d+)' data-units='2 2 6'", text)
    sizes = numbers[int(beside) :].reshape(2, 2)
    assert np.array_equal(sizes, sizes_beside(value, shortest_radius(system)))
    assert all(each != "0" for each in np.reshape(shown(value, sizes), (6, 6)).diagonal())
