"""The robot editor: sheets of its numbers, added and removed links, undo as for any change, and saving as URDF."""

from __future__ import annotations

import html
import io
import math

import numpy as np
import panel_material_ui as pmui

import dynamics as dyn
from app.controls.number_field import plain
from app.instruments.edit.sheets import NONE, OF_LINKS, SAID, SHEETS, Column, Parts, SheetTable, name_of, rows_of
from app.state import Session
from app.state.address import bounded_float
from app.state.machine_loader import RefusedError
from app.state.robot_editing import RobotEditing
from app.views.components import Instrument, scrolled, text_pane

LARGEST = 1e9  # of a typed number, in magnitude
NO_LIMIT = ("", NONE, "none", "inf", "∞", "-inf", "-∞")


class Edit(Instrument):
    """One sheet at a time; the row of the cursor's link is marked, and clicking a row moves the cursor there."""

    follows = False

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session, self._editing = session, RobotEditing(session)
        self._shown: object = None
        self._robot: dyn.Robot | None = None
        self._sheet = pmui.Select(
            label="Table", options=list(SHEETS), value=next(iter(SHEETS)), size="small", sizing_mode="stretch_width",
            margin=(12, 12, 4, 12),
        )  # fmt: skip
        self._table = SheetTable(self._typed, self._choose)
        self._said = text_pane("", (2, 12))
        self._undo, self._redo, self._reset = (
            pmui.Button(label=label, icon=icon, variant="outlined", size="small", margin=4)
            for label, icon in (("Undo", "undo"), ("Redo", "redo"), ("As it was", "restart_alt"))
        )
        self._save = pmui.FileDownload(
            callback=lambda: io.StringIO(self._editing.urdf()), filename="robot.urdf", label="Save as URDF",
            icon="download", size="small", margin=4,
        )  # fmt: skip
        self._save.variant = "outlined"  # as an argument above, it would conflict with a default of the older widget
        self._parts = Parts(session, self._editing, self._select)
        self._sheet.param.watch(lambda _: self._draw_now(), "value")
        self._undo.on_click(lambda _: session.undo())
        self._redo.on_click(lambda _: session.redo())
        self._reset.on_click(lambda _: self._editing.reset())
        buttons = pmui.FlexBox(self._undo, self._redo, self._reset, self._save, margin=(2, 8))
        self.view = scrolled(self._sheet, self._table, self._said, buttons, self._parts)

    @property
    def _columns(self) -> list[Column]:
        return list(SHEETS[self._sheet.value])

    def _rows(self) -> list[int]:
        floats = bool(self._session.loaded.floating[self._editing.arm])
        return rows_of(self._editing.robot, self._sheet.value, floats)

    def _typed(self, row: int, column: int, text: str) -> None:
        """Applies text typed into a cell completely; or refuses it in words."""
        robot, rows, wanted = self._editing.robot, self._rows(), self._columns[column]
        if row >= len(rows):
            return
        k = rows[row]
        try:
            value = _number(text, wanted, f"{wanted.title} of {name_of(robot, self._sheet.value, k)}")
        except RefusedError as refusal:
            self._session.message = str(refusal)
            return
        self._editing.apply(lambda present: wanted.with_shown(present, k, value))
        self._draw_now()

    def _choose(self, row: int) -> None:
        rows = self._rows()
        if row < len(rows):
            self._select(rows[row])

    def _select(self, at: int) -> None:
        """Moves the cursor to one of the robot's links; to its root if that floats."""
        links = self._links()
        if at < len(links):
            self._session.select_link(links[at])
            self._draw_now()

    def _links(self) -> list[int]:
        """Indices in the system of the robot's own links, and of its root if that floats."""
        system = self._session.loaded
        return np.flatnonzero(np.asarray(system.arm_of_link) == self._editing.arm).tolist()

    def _draw_now(self) -> None:
        self._shown = None
        self.draw()

    def draw(self) -> None:
        session, sheet = self._session, self._sheet.value
        shown = (session.setup.machine, session.setup.bodies, sheet, session.cursor.link, session.history)
        if shown == self._shown:
            return
        self._shown = shown
        robot, rows = self._editing.robot, self._rows()
        links = self._links()
        columns = self._columns
        titles = [f"{each.title}, {each.unit}" if each.unit else each.title for each in columns]
        refusal = ""
        try:
            cells = [{"name": name_of(robot, sheet, k), "cells": _cells(robot, sheet, columns, k)} for k in rows]
        except dyn.ModelError as error:
            cells, refusal = [], str(error)
        at = links.index(session.cursor.link) if session.cursor.link in links else -1
        self._table.param.update(
            columns=["link" if sheet in OF_LINKS else "joint", *titles],
            rows=cells,
            chosen=rows.index(at) if at in rows and cells else -1,
            caption="" if refusal else SAID[sheet],
        )
        self._table.visible = not refusal
        self._said.object = f"<p role='status'>{html.escape(refusal)}</p>" if refusal else self._others(robot)
        self._undo.disabled, self._redo.disabled = not session.can_undo, not session.can_redo
        self._reset.disabled = self._editing.origin is None
        self._save.filename = self._editing.file_name
        self._parts.show(robot, at)

    def _others(self, robot: dyn.Robot) -> str:
        """How many arms are this robot, in words; empty for one."""
        same = sum(one.name == robot.name for one in self._session.loaded.robots)
        return f"<p>{same} arms are this robot, and change together.</p>" if same > 1 else ""


def _cells(robot: dyn.Robot, sheet: str, columns: list[Column], k: int) -> list[list[str]]:
    """Short text, all digits, and the name of each number."""
    found = []
    for column in columns:
        value, unit = column.shown(robot, k), column.unit_of(robot, k)
        label = f"{column.title} of {name_of(robot, sheet, k)}{f', {unit}' if unit else ''}"
        short = f"{value:z.{5 if len(columns) < 5 else 4}g}".replace("-", "−")
        found.append([short, repr(float(value)), label] if math.isfinite(value) else [NONE, NONE, label])
    return found


def _number(text: str, column: Column, name: str) -> float:
    """A typed number; an empty text removes a limit, if it may be absent; any other text is refused in words."""
    if column.may_be_none and text.strip().lower() in NO_LIMIT:
        return -math.inf if column.title == "from" else math.inf
    return bounded_float(plain(text), name, -LARGEST, LARGEST)
