"""The frame of the plots in the browser: tabs, tools, and one cell per panel with its title, readings and menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import param
from panel.custom import Child, Children

import dynamics as dyn
from app.clipboard import COPYING, PICTURING
from app.component import Component
from app.equations.meanings import anchor
from app.equations.words import STAGE_TITLES
from app.motion.quantities import PlotQuantity
from app.number_text import beside_numbers
from app.service.routes import QUANTITIES, documentation_address
from app.views.components import ELEMENTS
from app.views.plots.panels import plain, spelled
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
    """Shows cells around figures and reports the user's actions in them.

    The cells' contents are parameters, sent when they change; ``tell`` sends what changes with time.
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
        default=False, doc="Whether nothing sends the numbers at rest: then it reads its lines there too."
    )

    _esm = beside_numbers(
        *(ELEMENTS, COPYING, PICTURING),
        *(Path(__file__).with_name(name) for name in ("accents.js", "picture.js", "board.js")),
    )
    _stylesheets = ["board.css", "accents.css"]  # noqa: RUF012

    def __init__(self, act: Callable[[dict[str, Any]], None], **params: Any) -> None:
        super().__init__(**params)
        self._act = act
        self._sent: dict[str, Any] = {}

    def send(self, readings: dict[str, Any]) -> None:
        """Sends the readings at the cursor, if they have changed."""
        if readings != self._sent:
            self._sent = readings
            self._send_msg(readings)

    def save(self, name: str, text: str) -> None:
        self._send_msg({"save": name, "text": text})

    def copy(self, text: str) -> None:
        self._send_msg({"copy": text})

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, dict):
            return
        if data.get("do") == "ready":
            self._send_msg(self._sent)
        else:
            self._act(data)


HERE = Path(__file__).parent


class QuantityList(Component):
    """A search field over a list box; reports which quantity goes into which panel."""

    items = param.List(default=[], item_type=dict, doc="Key, symbol, both names, stage and the text to search in.")
    panels = param.Integer(default=0, doc="How many panels there are.")
    most = param.Integer(default=6, doc="Most panels.")
    reference = param.String(default="", doc="The page that describes every quantity; empty where there is none.")
    colors = param.Dict(default={}, doc="CSS colors: ink, ground, selected, primary.")

    _esm = "".join(file.read_text("utf-8") for file in (ELEMENTS, HERE / "accents.js", HERE / "quantity_list.js"))
    _stylesheets = ["quantity_list.css", "accents.css"]  # noqa: RUF012

    def __init__(self, act: Callable[[dict[str, Any]], None], **params: Any) -> None:
        super().__init__(**{"reference": documentation_address(QUANTITIES)} | params)
        self._act = act

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict):
            self._act(data)


ALSO = {
    "motion/q": "angle displacement coordinate",
    "motion/qd": "rate speed",
    "motion/tau": "moment motor force input control",
    "motion/energy": "kinetic potential total",
    "smoother/joint_acceleration": "qdd",
    "smoother_final/joint_acceleration": "qdd",
}
"""Additional search terms for some quantities."""


def items_of(catalogue: Mapping[str, PlotQuantity]) -> list[dict[str, Any]]:
    found = []
    for key, plotted in catalogue.items():
        stage = STAGE_TITLES.get(plotted.stage, plotted.stage).lower()
        words = (plotted.estimation_name, plotted.mechanics_name, stage, key.replace("_", " "))
        registered = tuple(key.split("/")[:2])
        symbols = (plain(plotted.symbol), spelled(plotted.symbol))
        found.append(
            {
                "key": key,
                "symbol": symbols[0],
                "mechanics": plotted.mechanics_name,
                "estimation": plotted.estimation_name,
                "stage": stage,
                "anchor": anchor(*registered) if registered in dyn.registry else "",
                "search": " ".join((*words, *symbols, ALSO.get(key, ""))).lower(),
                "spelled": [each.lower() for each in (symbols[0], symbols[0].removesuffix("(k)"), symbols[1])],
            }
        )
    return found
