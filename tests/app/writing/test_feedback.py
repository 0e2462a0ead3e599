"""What is said of a line: its numbers are rounding where the walk's are."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dynamics as dyn
from app.equations.numbered import beside_html
from app.equations.sheet import Figures
from app.number_text import ROUNDING
from app.writing.feedback_html import values_html
from tests.dynamics.exercise.test_mistakes import reading_of


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_a_published_value_stands_beside_the_same_sizes_as_in_the_walk(preset: str) -> None:
    reading = reading_of(preset)
    for each in dyn.exercises(reading.system):
        tried = dyn.attempt(reading, each.key, f"2 * ({each.right})")
        own, walk = Figures.of(reading), Figures.of(reading)
        values_html(tried, each.stage, reading, own)
        held = [link for link in range(reading.system.n_links) if tried.link in (link, -1)]
        there = [line for link in held for half in (0, 1) for line in reading.lines(each.stage, link, half)]
        line = next(one for one in there if one.key == each.key and tried.contact in (one.contact, -1))
        beside_html(line, walk)
        assert np.array_equal(own.numbers[-len(walk.numbers) :], walk.numbers), each.key


def test_an_innovation_that_balanced_loads_leave_is_rounding() -> None:
    """A chain that hangs at rest: beside itself, what is left of its weight would be a number."""
    system = dyn.single_arm(dyn.planar_chain(3))
    reading = dyn.read_textbook(system, system.state(q=[0.0, 0.0, 0.5 * np.pi]))
    tried = dyn.attempt(reading, "inward_filter.correction.eps", "tau - tau_loss - H @ z + I_r + 0.001")
    figures = Figures.of(reading)
    said = values_html(tried, "filter", reading, figures)
    (_, yours), (_, published) = (
        (each, figures.numbers[int(each)]) for each in re.findall(r"data-beside='(\d+)'", said)
    )
    assert tried.expected is not None
    assert 0.0 < abs(tried.expected.item()) <= ROUNDING * published
    assert ROUNDING * yours < 0.001
