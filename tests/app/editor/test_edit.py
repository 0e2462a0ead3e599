"""*Edit* as a browser hears and speaks to it."""

from __future__ import annotations

from typing import Any

import pytest

from app.editor import Edit
from app.state import Session


def opened(preset: str, sheet: str = "Masses") -> tuple[Session, Edit]:
    session = Session(preset)
    session.playing = False
    edit = Edit(session)
    edit._sheet.value = sheet
    edit.draw()
    return session, edit


def test_a_row_is_marked_where_the_cursor_is_and_leads_it() -> None:
    """A click in the 3D view moves the cursor, and with it the row."""
    session, edit = opened("puma560")
    assert edit._table.rows[edit._table.chosen]["name"] == "link_6"
    session.select_link(3)
    edit.draw()
    assert edit._table.rows[edit._table.chosen]["name"] == session.system.link_names[3]
    edit._table._handle_msg({"chosen": 0})
    assert session.system.link_names[session.cursor.link] == "link_1"


def test_a_number_is_taken_refused_and_left_out() -> None:
    session, edit = opened("puma560")
    edit._table._handle_msg({"row": 1, "column": 0, "text": "20,5"})
    assert edit._table.rows[1]["cells"][0][:2] == ["20.5", "20.5"]
    edit._table._handle_msg({"row": 1, "column": 0, "text": "-1"})
    assert "mass is -1" in session.message
    edit._table._handle_msg({"row": 1, "column": 0, "text": "1e12"})
    assert "expected a number" in session.message
    assert edit._table.rows[1]["cells"][0][0] == "20.5"
    assert edit._table.heard == 3
    _, edit = opened("puma560", "Limits")
    edit._table._handle_msg({"row": 0, "column": 0, "text": ""})
    edit._table._handle_msg({"row": 0, "column": 1, "text": "90"})
    assert [cell[0] for cell in edit._table.rows[0]["cells"][:2]] == ["–", "90"]


@pytest.mark.parametrize(
    "message",
    [
        *(None, [], {}, {"row": 0}, {"row": 99, "column": 0, "text": "1"}, {"row": 0, "column": 99, "text": "1"}),
        *({"row": True, "column": 0, "text": "1"}, {"row": 0, "column": 0, "text": 1}, {"chosen": -1}, {"chosen": "0"}),
    ],
)
def test_what_no_script_of_ours_sends_changes_nothing(message: Any) -> None:
    session, edit = opened("puma560")
    setup, link = session.setup, session.cursor.link
    edit._table._handle_msg(message)
    assert (session.setup, session.cursor.link, edit._table.heard) == (setup, link, 0)


def test_a_robot_without_a_table_says_so_and_several_that_are_one_too() -> None:
    _, edit = opened("two_arm_flyer", "D–H")
    assert not edit._table.visible
    assert "branches" in edit._said.object
    _, edit = opened("two_arms_and_box")
    assert "2 arms are this robot" in edit._said.object


def test_a_link_is_weighed_turned_into_a_slide_and_taken_away() -> None:
    session, edit = opened("planar_chain")
    session.select_link(1)
    edit.draw()
    parts = edit._parts
    parts.density.show(2700.0)
    parts._weigh()
    assert session.loaded.robots[0].links[1].mass == pytest.approx(1.31, rel=0.2)
    parts._set_kind("prismatic")
    assert session.loaded.robots[0].joints[1].kind == "prismatic"
    parts._remove()
    assert session.system.n_links == 4
    for _ in range(3):
        session.undo()
    assert session.setup.machine.origin is None
