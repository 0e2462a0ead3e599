"""What stands behind an equation: its letters and papers, numbers without rounding, and the triangle of its forces."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from app.equations.equation_html import equation_html
from app.equations.formula import formula
from app.equations.meanings import cards, letters, meanings
from app.equations.pictures import triangle
from app.equations.rounding import Loads, sizes_beside
from app.equations.sheet import Figures
from app.number_text import number_text
from dynamics.textbook.symbols import SYMBOLS
from tests.app.instruments.walk.test_step_sheet import MOMENTS, read, walked

PLAIN = re.compile(r"\\class\{(\w+)\}\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
CONSTANTS = {"I", "O", "Z", "o"}


def test_each_letter_and_number_of_each_equation_is_explained() -> None:
    """Whatever stands in a formula, in any stage: its letters have words, and its number leads to its paper."""
    words, seen = letters(), set[str]()
    for name in MOMENTS:
        reading = read(name)
        for _, lines in walked(name):
            for line in lines:
                if f"{line.stage} {line.lettered} {line.equation}" in seen:
                    continue
                seen.add(f"{line.stage} {line.lettered} {line.equation}")
                marked = [letter for letter, _ in PLAIN.findall(line.lettered)]
                assert PLAIN.sub(r"\2", line.lettered) == line.latex
                assert len(marked) >= 2 or line.latex.endswith("=0"), line.latex
                assert set(re.findall(r"class=\"(\w+)\"", formula(line.lettered))) == set(marked)
                assert not set(marked) - CONSTANTS - set(words), (name, line.latex)
                text = equation_html(line, "#000", "", Figures.of(reading))
                (which,) = re.findall(r"data-equation='(.*?)'", text)
                (number,) = re.findall(r"<summary class='source'>(.*?)</summary>", text)
                answer = meanings(f"paper {which} {number}")
                assert answer["paper"] == f"{which} {number}"
                assert f"<b>{number}</b>" in answer["card"]
    assert len(seen) > 60
    for asked in ("", "paper", "paper ", "paper filter", "letters ", "paper filter kalman_gain R88", "<b>"):
        assert meanings(asked) is None, asked


def test_cards_say_where_the_text_and_the_print_differ() -> None:
    """Λ is P + S in Jain's and Rodriguez's paper, and everywhere else here its inverse, their Υ; (9.1) has no ρ."""
    printed = {key: card for key, card in cards().items() if " JR " in key and "Λ" in card}
    assert {key.partition(" JR ")[2] for key in printed} == {"(4.8)", "(4.11)"}
    for key, card in printed.items():
        assert "own letter Λ is P + S itself" in card, key
    assert (SYMBOLS["Y"].latex, SYMBOLS["Y"].mark) == (SYMBOLS["Lam"].latex, "-1")
    assert "ρ" in cards()["contact corrected_contact_force R88 (9.1)"]


@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-9, 1.0, 1e9]))
def test_the_triangle_of_forces_has_the_lengths_and_angles_of_space(seed: int, scale: float) -> None:
    for predicted, applied in np.random.default_rng(seed).normal(size=(20, 2, 3)) * scale:
        flat = triangle(predicted, applied)
        space, plane = np.array([predicted, applied, applied - predicted]), np.array([*flat, flat[1] - flat[0]])
        np.testing.assert_allclose(plane @ plane.T, space @ space.T, rtol=1e-9, atol=1e-9 * scale**2)
        up, normal = flat[1][1], np.cross(predicted, applied) / np.linalg.norm(np.cross(predicted, applied))
        inside = np.array([0.0, 0.0, 1.0]) - normal[2] * normal  # up is the world's, as far as the plane has any
        assert up == pytest.approx(applied @ inside / np.linalg.norm(inside), rel=1e-6, abs=1e-7 * scale)


Array = np.ndarray


def cells(value: Array, sizes: Array) -> Array:
    down, across = sizes.shape
    rows = np.arange(value.shape[0]) // 3 % down
    columns = np.arange(value.shape[1]) // 3 % across
    return sizes[np.ix_(rows, columns)]


def shown(value: Array, sizes: Array) -> list[str]:
    return [number_text(x, size) for x, size in zip(value.ravel(), cells(value, sizes).ravel(), strict=True)]


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
    assert left
    turned = dyn.forward_dynamics(system, system.state(q=[0.0, 0.0, 0.5 * np.pi + 1e-6]))
    for name in ("innovation", "residual"):
        values = turned.stages["filter"][name]
        assert np.array_equal(Loads.of(system, turned.stages).without_rounding(name, values), values)
