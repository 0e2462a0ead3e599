"""A sheet of numbers that can be typed, row by row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeGuard

import param

from app.component import Component
from app.number_text import beside_numbers
from app.views.elements import ELEMENTS

LONGEST = 60
"""Characters of a number that is typed."""


class SheetTable(Component):
    """Rows of numbers; says which cell was typed into, and which row is looked at.

    Args:
        typed: hears row, column and text.
        chosen_by_user: hears a row.
    """

    columns: param.List = param.List(default=[], item_type=str, doc="Titles, the rows' own first.")
    rows: param.List = param.List(
        default=[], item_type=dict, doc="Dicts of name and cells: short text, every digit, and what it is called."
    )
    caption = param.String(default="", doc="What the sheet is about.")
    chosen = param.Integer(default=-1, doc="The row that the cursor is at; -1 for none.")
    heard = param.Integer(default=0, doc="How many texts were judged: a cell that was refused shows its own again.")

    _esm = beside_numbers(ELEMENTS, Path(__file__).with_name("sheet_table.js"))
    _stylesheets = ["sheet_table.css"]  # noqa: RUF012

    def __init__(
        self, typed: Callable[[int, int, str], None], chosen_by_user: Callable[[int], None], **params: Any
    ) -> None:
        super().__init__(sizing_mode="stretch_width", margin=(4, 12), **params)
        self._typed, self._chosen_by_user = typed, chosen_by_user

    def show(self, **wanted: Any) -> None:
        """Sends what differs from what is shown."""
        changed = {name: value for name, value in wanted.items() if getattr(self, name) != value}
        if changed:
            self.param.update(**changed)

    def _handle_msg(self, data: object) -> None:
        """A row with a column and a text, or a row alone; whatever else comes is no message of ours."""
        if not isinstance(data, dict):
            return
        row, column, text, chosen = (data.get(key) for key in ("row", "column", "text", "chosen"))
        n, width = len(self.rows), len(self.columns) - 1
        if _is_index(chosen, n):
            self._chosen_by_user(chosen)
        elif isinstance(text, str) and _is_index(row, n) and _is_index(column, width):
            self._typed(row, column, text[:LONGEST])
            self.heard += 1


def _is_index(value: object, count: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < count
