"""The frame of the plots in the browser: tabs, tools, and one cell a panel with its title, readings and menu."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param
from panel.custom import Child, Children

from app.clipboard import COPYING, PICTURING
from app.component import Component
from app.number_text import beside_numbers
from app.views.elements import ELEMENTS
from scenes import palette


def board_colors(theme: palette.Theme) -> dict[str, str]:
    """CSS colors of the board and of the list beside it."""
    return {
        "ink": palette.INK[theme],
        "ground": palette.BACKGROUND[theme],
        "selected": palette.SELECTED[theme],
        "primary": palette.PRIMARY[theme],
    }


class PlotBoard(Component):
    """Shows cells around figures and says what the user does in them.

    The cells' contents travel as parameters when they change; what changes with the time travels by ``tell``.
    """

    figures = Children(doc="One figure a cell, in order; cells beyond the panels are hidden.")
    quantities = Child(doc="Where the list of quantities comes once it is opened.")
    cells = param.List(default=[], item_type=dict, doc="What each cell shows, as ``Plots`` describes it.")
    tabs = param.List(default=[], item_type=dict, doc="Name of each tab, and whether it can be opened.")
    active = param.String(default="", doc="Name of the open tab.")
    prepared = param.List(default=[], item_type=dict, doc="Name and title of each panel that a click opens.")
    most = param.Integer(default=6, doc="Most cells.")
    projected = param.Integer(default=0, doc="Number of the one cell that a projector shows.")
    boxes = param.Boolean(default=False, doc="Whether dragging zooms into a box; else it pans.")
    listing = param.Boolean(default=False, doc="Whether the list of quantities is open.")
    machine = param.String(default="", doc="Whose run it is, for pictures and names of files.")
    colors = param.Dict(default={}, doc="CSS colors: ink, ground, selected, primary.")
    alone = param.Boolean(
        default=False, doc="Whether nobody says the numbers at rest: then it reads its lines there too."
    )

    _esm = beside_numbers(
        *(ELEMENTS, COPYING, PICTURING),
        *(Path(__file__).with_name(name) for name in ("accents.js", "picture.js", "board.js")),
    )
    _stylesheets = ["board.css"]  # noqa: RUF012

    def __init__(self, act: Callable[[dict[str, Any]], None], **params: Any) -> None:
        super().__init__(**params)
        self._act = act
        self._told: dict[str, Any] = {}

    def tell(self, readings: dict[str, Any]) -> None:
        """Sends the readings at the cursor, if they are others than the last."""
        if readings != self._told:
            self._told = readings
            self._send_msg(readings)

    def save(self, name: str, text: str) -> None:
        """Has the browser download a text file."""
        self._send_msg({"save": name, "text": text})

    def copy(self, text: str) -> None:
        """Has the browser copy a text."""
        self._send_msg({"copy": text})

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, dict):
            return
        if data.get("do") == "ready":
            self._send_msg(self._told)
        else:
            self._act(data)
