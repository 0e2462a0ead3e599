"""What stands behind an equation: each letter that is shown has its words, each number its paper."""

from __future__ import annotations

import re

import pytest

import dynamics as dyn
from app.equations import meanings as told
from app.equations.formula import formula
from app.equations.meanings import bibliography_html, cards, letters, meanings
from app.equations.sheet import Figures
from app.state import walk
from app.walker.step_sheet import step_html
from tests.app.walker.test_step_sheet import MOMENTS, reading_of

PLAIN = re.compile(r"\\class\{(\w+)\}\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
CONSTANTS = {"I", "O", "Z", "o"}


@pytest.mark.parametrize("name", MOMENTS)
def test_each_letter_of_each_equation_is_explained(name: str) -> None:
    """Whatever stands in a formula, in any stage: its letters are marked, and what marks them is told."""
    reading, words = reading_of(MOMENTS[name]()), letters()
    for place in walk.whole_walk(reading.system):
        for line in reading.lines(place.stage, place.link, place.half):
            marked = [letter for letter, _ in PLAIN.findall(line.lettered)]
            assert PLAIN.sub(r"\2", line.lettered) == line.latex
            assert len(marked) >= 2 or line.latex.endswith("=0"), line.latex
            assert set(re.findall(r"class=\"(\w+)\"", formula(line.lettered))) == set(marked)
            for letter in set(marked) - CONSTANTS:
                assert letter in words, (letter, line.stage)


def test_an_index_in_a_meaning_stands_as_one() -> None:
    row = letters()["phi"]
    assert "from O<sub>j</sub> to O<sub>k</sub>;" in row
    shown = [re.sub(r".*<dd>|<[^>]*>", "", row) for row in letters().values()]
    assert [each for each in shown if "_" in each] == []


@pytest.mark.parametrize("name", MOMENTS)
def test_each_number_of_each_equation_leads_to_its_paper(name: str) -> None:
    reading = reading_of(MOMENTS[name]())
    difference = dyn.stage_difference(reading.solution, MOMENTS[name]())
    for place in walk.whole_walk(reading.system):
        text = step_html(reading, difference, place, "light", Figures())
        for section in re.findall(r"<section class='equation.*?</header>", text):
            (which,) = re.findall(r"data-equation='(.*?)'", section)
            (number,) = re.findall(r"<summary class='source'>(.*?)</summary>", section)
            answer = meanings(f"paper {which} {number}")
            assert answer is not None, (which, number)
            assert answer["paper"] == f"{which} {number}"
            assert f"<b>{number}</b>" in answer["card"]
            assert "Rodriguez" in answer["card"]


def test_a_symbol_of_two_stages_says_which_motion_it_is() -> None:
    words = letters()
    assert "object not held" in words["alpha"]  # the contact stage reads this one
    assert "object held" in words["smoother_final alpha"]
    assert "each link on its own" in words["dual_filter alpha_k"]
    assert "<i>predicted state covariance</i>" in words["P"]
    assert "measurement" in words["tau"]


def test_every_printed_equation_belongs_to_one_that_is_shown() -> None:
    """None has been left behind by a name that has changed."""
    names = {each.quantity_name for each in dyn.textbook_letters()}
    for key in told.papers()["printed"]:
        assert key.rpartition(".")[2] in names, key
    for key in told.papers()["printed"]:
        first, dot, _ = key.rpartition(".")
        assert not dot or any(each.startswith(f"{first} ") or each.endswith(f" {first}") for each in cards()), key


def test_what_a_paper_calls_otherwise_is_said_to_be_of_the_paper() -> None:
    """Of all of it: few of its letters stand in the one equation above."""
    assert "<p class='note'>In R87: P⁻ and z⁻ are" in cards()["filter kalman_gain R87 (39)"]


@pytest.mark.parametrize(
    "asked", ["", "paper", "paper ", "paper filter", "letters ", "paper filter kalman_gain R88", "<b>"]
)
def test_what_is_no_question_has_no_answer(asked: str) -> None:
    assert meanings(asked) is None


def test_the_bibliography_names_every_paper() -> None:
    text = bibliography_html()
    assert [short in text for short in ("R87", "R88", "JR", "TML", "JZ")] == [True] * 5
    papers = told.papers()["paper"]
    cited = {quantity.equation.rpartition(", ")[2].split()[0] for quantity in dyn.registry.values()}
    assert cited <= set(papers)
