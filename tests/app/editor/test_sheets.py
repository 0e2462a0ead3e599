"""Every cell of every sheet: what it shows, and what a number typed into it makes of the robot."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dynamics as dyn
from app.editor.parts import with_rod
from app.editor.sheets import SAID, SHEETS, name_of, rows_of

TABLES = {"D–H": "standard", "D–H, Craig's": "modified"}


@pytest.mark.parametrize("sheet", TABLES)
def test_a_cell_of_a_table_leads_to_where_that_table_leads(sheet: str) -> None:
    """Of parallel axes the same offset may stand in another row: what counts is where the tool is."""
    robot = dyn.load("puma560")
    table = dyn.denavit_hartenberg(robot, TABLES[sheet])  # type: ignore[arg-type]
    for at, column in enumerate(SHEETS[sheet]):
        for row, k in enumerate(rows_of(robot, sheet, False)):
            typed = column.shown(robot, k) + 0.25
            rows = table.rows.copy()
            rows[row, at] = typed * (math.pi / 180.0 if column.unit == "°" else 1.0)
            wanted = dyn.from_denavit_hartenberg(
                rows, table.masses, table.centers, table.inertias, convention=table.convention, base=table.base,
                tool=table.tool,
            )  # fmt: skip
            tips = [
                dyn.tip_poses(system := dyn.single_arm(each), system.state(q=0.1 * np.arange(6.0)))
                for each in (wanted, column.with_shown(robot, k, typed))
            ]
            np.testing.assert_allclose(*tips, rtol=0, atol=1e-12)


@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet not in TABLES])
def test_a_cell_shows_what_was_typed_into_it_and_others_stay(sheet: str) -> None:
    robot = dyn.load("puma560")
    for column in SHEETS[sheet]:
        for k in rows_of(robot, sheet, False):
            before = column.shown(robot, k)
            if column.title.startswith("axis"):
                continue  # whose length is taken for one
            wanted = before * 1.03125 if before and math.isfinite(before) else 0.03125
            if sheet == "Inertias":
                wanted = before * (1.0 + 2.0**-10) if before else 0.0  # so little that it stays an inertia
            made = column.with_shown(robot, k, wanted)
            assert column.shown(made, k) == pytest.approx(wanted, rel=1e-12, abs=1e-14), (column.title, k)
            others = [
                (other.shown(robot, row), other.shown(made, row))
                for other in SHEETS[sheet]
                for row in rows_of(robot, sheet, False)
                if (row, other) != (k, column) and not (column.title == "mass" and row == k)
            ]
            np.testing.assert_allclose(*zip(*others, strict=True), rtol=0, atol=1e-9)


def test_right_angles_in_degrees_are_exact() -> None:
    robot = dyn.load("puma560")
    alpha = SHEETS["D–H"][1]
    assert [alpha.shown(robot, k) for k in rows_of(robot, "D–H", False)] == [90.0, 0.0, -90.0, 90.0, -90.0, 0.0]
    pitch = SHEETS["Frames"][4]
    turned = pitch.with_shown(dyn.planar_chain(2), 0, 90.0)
    np.testing.assert_array_equal(turned.joints[0].origin[:3, :3], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])


def test_units_of_a_joint_that_slides() -> None:
    robot = dyn.with_joint(dyn.planar_chain(2), "joint_1", kind="prismatic", lower=-0.5)
    low = SHEETS["Limits"][0]
    assert (low.unit_of(robot, 0), low.shown(robot, 0)) == ("m", -0.5)
    assert (low.unit_of(robot, 1), low.shown(robot, 1)) == ("°", -math.inf)


def test_a_new_mass_is_the_same_body_of_other_stuff() -> None:
    robot = dyn.planar_chain(2)
    made = SHEETS["Masses"][0].with_shown(robot, 0, 3.0)
    np.testing.assert_allclose(made.links[0].inertia, 3.0 * robot.links[0].inertia)


def test_rows_go_from_base_to_tip_and_a_floating_root_has_one() -> None:
    robot = dyn.load("free_flyer")
    n = len(robot.links)
    assert rows_of(robot, "Masses", True) == [n, *range(n)[::-1]]
    assert rows_of(robot, "Limits", True) == [*range(n)[::-1]]
    assert name_of(robot, "Masses", n) == robot.root.name
    assert set(SAID) == set(SHEETS)


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_a_rod_stands_at_the_tool_point_and_weighs_what_it_is(kind: str) -> None:
    robot = dyn.load("puma560")
    longer = with_rod(robot, robot.links[0].name, kind, (1.0, 0.0, 0.0), 0.4, 0.02, 2700.0)
    rod = longer.links[0]
    assert rod.mass == pytest.approx(2700.0 * math.pi * 0.02**2 * 0.4)
    np.testing.assert_array_equal(longer.joints[0].origin, robot.tips[0].pose)
    assert (longer.tips[0].name, longer.tips[0].pose[2, 3]) == ("rod_1_tip", 0.4)
    again = with_rod(longer, rod.name, kind, (0.0, 1.0, 0.0), 0.4, 0.02, 2700.0)
    assert again.links[0].name == "rod_2"
    assert len(again.tips) == 1
