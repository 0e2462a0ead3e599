"""Every link a row: its numbers are the solution's, and what is only rounding beside the other links is 0."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dynamics as dyn
from app.equations.words import STAGE_TITLES
from app.state import Session, walk
from app.state.walk import Place
from app.walker.links_sheet import COLUMNS, LinksSheet
from tests.app.state.test_walk import EXAMPLES

LENGTH = 0.02
"""m, less than any body's radius here."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_numbers_are_the_solutions_and_rounding_is_none(name: str) -> None:
    system, state = dyn.example(name)
    solution = dyn.forward_dynamics(system, state, np.linspace(-0.4, 0.5, system.n_joints))
    for stage in walk.stages(system):
        _, link = next(iter(walk.visits(system, stage)))
        sheet = LinksSheet(system, Place(stage, 0, link, 0))
        table = sheet.numbers(solution).reshape(-1, len(COLUMNS[stage]))
        assert len(re.findall("<tr [^>]*data-go", sheet.html)) == len(table)
        for column, values in zip(COLUMNS[stage], table.T, strict=True):
            sizes = np.abs(values[np.isfinite(values)])
            assert not ((sizes > 0) & (sizes <= 1e-12 * sizes.max(initial=0.0))).any(), (stage, column.latex)
            array = solution.stages[stage][column.name]
            whole = array if column.part is None else np.linalg.norm(array[:, column.part], axis=1)
            size = np.abs(array).max()  # of both parts: one is rounding beside the other, over a length
            for value in values[np.isfinite(values)]:
                assert np.abs(whole - value).min() <= 1e-12 * size / LENGTH, (stage, column.latex)


def test_moments_that_are_rounding_beside_the_forces_are_none() -> None:
    """Two arms at their start press with forces alone; what is left of moments is 1e-14 N m beside 20 N."""
    session = Session("two_arms_and_box")
    solution = session.run.solution_at(0.0)
    force = solution.stages["contact"]["contact_force"]
    assert 0.0 < np.abs(force[:, :3]).max() < 1e-12 < np.abs(force[:, 3:]).max()
    sheet = LinksSheet(solution.system, Place("contact", 0, 0, 0))
    table = sheet.numbers(solution).reshape(-1, 4)
    assert (table[:, [0, 2]] == 0.0).all()
    assert (table[:, [1, 3]] > 1.0).all()


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_sheet_says_the_step_to_who_hears_the_page(name: str) -> None:
    system, _ = dyn.example(name)
    for stage in walk.stages(system):
        for arm, link in walk.visits(system, stage):
            place = Place(stage, arm, link, walk.halves(system, stage, link)[-1])
            said = re.search("data-spoken='([^']*)'", LinksSheet(system, place).html)
            assert said is not None
            assert said[1].startswith(STAGE_TITLES[stage])
            assert walk.called(system, link) in said[1]


def test_rounding_of_a_puma_is_there_to_be_left_out() -> None:
    """The wrist's last joint carries no force past itself: 1e-18 where others carry a newton for a newton-metre."""
    system, state = dyn.example("puma560")
    gain = dyn.forward_dynamics(system, state, np.ones(6)).stages["filter"]["kalman_gain"]
    force = np.linalg.norm(gain[:, 3:], axis=1)
    assert 0.0 < force.min() < 1e-12 * force.max()
    sheet = LinksSheet(system, Place("filter", 0, 0, 0))
    table = sheet.numbers(dyn.forward_dynamics(system, state, np.ones(6))).reshape(-1, 5)
    assert table[:, 2].min() == 0.0
