"""Edit: each cell of each sheet, and what a number typed into it makes of the robot."""

import math

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.edit import Edit
from app.instruments.edit.sheets import SHEETS, rows_of
from app.state import Session
from dynamics.robot import denavit_hartenberg, from_denavit_hartenberg

TABLES = {"D–H": "standard", "D–H, Craig's": "modified"}


def test_a_cell_of_a_table_leads_to_where_that_table_leads() -> None:
    """The same offset along parallel axes may stand in another row: what counts is where the tool is."""
    for sheet in TABLES:
        robot = dyn.load("puma560")
        table = denavit_hartenberg(robot, TABLES[sheet])  # type: ignore[arg-type]
        for at, column in enumerate(SHEETS[sheet]):
            for row, k in enumerate(rows_of(robot, sheet, False)):
                typed, rows = column.shown(robot, k) + 0.25, table.rows.copy()
                rows[row, at] = typed * (math.pi / 180.0 if column.unit == "°" else 1.0)
                wanted = from_denavit_hartenberg(
                    rows, table.masses, table.centers, table.inertias, convention=table.convention, base=table.base,
                    tool=table.tool,
                )  # fmt: skip
                tips = [
                    dyn.forward_kinematics(
                        system := dyn.single_arm(each), system.state(q=0.1 * np.arange(6.0))
                    ).tip_pose
                    for each in (wanted, column.with_shown(robot, k, typed))
                ]
                np.testing.assert_allclose(*tips, rtol=0, atol=1e-12, err_msg=column.title)


def test_a_cell_shows_what_was_typed_into_it_and_others_stay() -> None:
    for sheet in [sheet for sheet in SHEETS if sheet not in TABLES]:
        robot = dyn.load("puma560")
        cells = [(column, k) for column in SHEETS[sheet] for k in rows_of(robot, sheet, False)]
        for column, k in cells:
            before = column.shown(robot, k)
            if column.title.startswith("axis"):
                continue  # whose length is taken for one
            wanted = before * 1.03125 if before and math.isfinite(before) else 0.03125
            if sheet == "Inertias":
                wanted = before * (1.0 + 2.0**-10) if before else 0.0  # so little that it stays an inertia
            made = column.with_shown(robot, k, wanted)
            assert column.shown(made, k) == pytest.approx(wanted, rel=1e-12, abs=1e-14), (column.title, k)
            others = [each for each in cells if each != (column, k) and not (column.title == "mass" and each[1] == k)]
            for other, row in others:
                np.testing.assert_allclose(other.shown(made, row), other.shown(robot, row), rtol=0, atol=1e-9)


def opened(preset: str, sheet: str = "Masses") -> tuple[Session, Edit]:
    session = Session(preset)
    session.playing = False
    edit = Edit(session)
    edit._sheet.value = sheet
    edit.draw()
    return session, edit


def test_a_number_is_taken_refused_and_left_out() -> None:
    session, edit = opened("puma560")
    edit._table._handle_msg({"row": 1, "column": 0, "text": "20,5"})
    assert edit._table.rows[1]["cells"][0][:2] == ["20.5", "20.5"]
    edit._table._handle_msg({"row": 1, "column": 0, "text": "-1"})
    assert "mass is -1" in session.message
    edit._table._handle_msg({"row": 1, "column": 0, "text": "1e12"})
    assert "expected a number" in session.message
    assert (edit._table.rows[1]["cells"][0][0], edit._table.heard) == ("20.5", 3)
    session, edit = opened("puma560", "Limits")
    edit._table._handle_msg({"row": 0, "column": 0, "text": ""})
    edit._table._handle_msg({"row": 0, "column": 1, "text": "90"})
    assert [cell[0] for cell in edit._table.rows[0]["cells"][:2]] == ["–", "90"]
    assert session.loaded.robots[0].joints[-1].upper == pytest.approx(math.pi / 2.0)
