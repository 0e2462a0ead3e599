"""Every link a row: its numbers are the solution's, and what is only rounding beside the other links is 0."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dynamics as dyn
from app.state import walk
from app.state.walk import Place
from app.walker.links_sheet import COLUMNS, LinksSheet
from tests.app.state.test_walk import EXAMPLES


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
            for value in values[np.isfinite(values)]:
                assert np.abs(whole - value).min() <= 1e-12 * np.abs(whole).max(), (stage, column.latex)


def test_rounding_of_a_puma_is_there_to_be_left_out() -> None:
    """The wrist's last joint carries no force past itself: 1e-18 where others carry a newton for a newton-metre."""
    system, state = dyn.example("puma560")
    gain = dyn.forward_dynamics(system, state, np.ones(6)).stages["filter"]["kalman_gain"]
    force = np.linalg.norm(gain[:, 3:], axis=1)
    assert 0.0 < force.min() < 1e-12 * force.max()
    sheet = LinksSheet(system, Place("filter", 0, 0, 0))
    table = sheet.numbers(dyn.forward_dynamics(system, state, np.ones(6))).reshape(-1, 5)
    assert table[:, 2].min() == 0.0
