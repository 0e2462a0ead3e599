"""A table whose rows can be clicked, or reached by the tab key and pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param

from app.component import Component

LOOK = """
:host { font: 0.8125rem/1.4 Roboto, "Helvetica Neue", Arial, sans-serif; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
caption { text-align: left; padding: 0 0 4px; }
caption:empty { display: none; }
thead th { text-align: left; font-weight: 500; opacity: 0.8; padding: 4px 6px 2px 0; }
tbody th, tbody td { border-top: 1px solid rgba(128, 128, 128, 0.3); padding: 3px 6px 3px 0; vertical-align: top; }
thead th.mark { width: 4.4rem; } thead th.number { width: 4rem; }
thead th:not(:first-child).text { width: 24%; }
.formula { overflow-x: auto; overflow-y: hidden; scrollbar-width: none; }
tbody td.text { overflow-wrap: break-word; }
tbody th { text-align: left; font-weight: 400; padding-left: 6px; border-left: 3px solid transparent; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.mark { white-space: nowrap; }
.formula { padding: 1px 0 2px; }
math { font-family: "Armsweep Math", math; font-size: 0.9375rem; }
button { all: unset; cursor: pointer; }
:is(button, .formula):focus-visible { outline: 2px solid currentColor; outline-offset: 2px; border-radius: 2px; }
tr[data-key]:not([data-key=""]) { cursor: pointer; }
tr[data-key]:not([data-key=""]):hover { background: rgba(128, 128, 128, 0.14); }
tr[aria-current] th { border-left-color: currentColor; }
tr[aria-current] { background: rgba(128, 128, 128, 0.2); }
tr.bad td, tr.bad th { font-weight: 600; }
tr.stage th { font-weight: 500; padding: 8px 0 3px; border-left-width: 0; opacity: 0.8; }
@media (max-width: 599px), (max-height: 560px) { button { min-height: 24px; } } /* fingers */
tr.bad td.mark { color: var(--bad); }
tr.good td.mark { color: var(--good); }
"""
TONES = {"light": ":host { --bad: #B3261E; --good: #1B6E3C; }", "dark": ":host { --bad: #FF8A80; --good: #7BD79B; }"}


class RowTable(Component):
    """Rows of text; a row with an ``action`` calls back with its key.

    Sends what changed only: equal rows cost nothing.
    """

    columns: param.List = param.List(default=[], item_type=dict, doc="Dicts of title and kind (text, number, mark).")
    rows: param.List = param.List(
        default=[],
        item_type=dict,
        doc="Dicts of key, cells (a text each), formula (MathML under the first), tone, and action: what a click does.",
    )
    caption = param.String(default="", doc="What the table is about.")
    chosen = param.String(default="", doc="Key of the row that the cursor is at.")

    _esm = "row_table.js"

    def __init__(self, on_click: Callable[[str], None], **params: Any) -> None:
        params.setdefault("sizing_mode", "stretch_width")
        super().__init__(stylesheets=[LOOK, TONES["light"]], **params)
        self._on_click = on_click

    def paint(self, theme: str) -> None:
        """Colors for a theme."""
        self.stylesheets = [LOOK, TONES[theme]]

    def show(self, rows: list[dict[str, Any]], **params: Any) -> None:
        """Sends what differs from what is shown."""
        wanted = {"rows": rows, **params}
        changed = {name: value for name, value in wanted.items() if getattr(self, name) != value}
        if changed:
            self.param.update(**changed)

    def _handle_msg(self, data: object) -> None:
        if any(row["key"] == data and row.get("action") for row in self.rows):
            self._on_click(str(data))
