"""The list of everything that can be plotted: searched in either vocabulary, dragged or put into a panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import param

import dynamics as dyn
from app.component import Component
from app.equations.reference import anchor
from app.equations.words import STAGE_TITLES
from app.sampling.quantities import Plotted
from app.service.routes import QUANTITIES, documentation_address
from app.views.elements import ELEMENTS
from app.views.plots.symbols import plain, spelled

HERE = Path(__file__).parent


class QuantityList(Component):
    """A search field over a list box; says which quantity goes into which panel."""

    items = param.List(default=[], item_type=dict, doc="Key, symbol, both names, stage and the text to search in.")
    panels = param.Integer(default=0, doc="How many panels there are.")
    most = param.Integer(default=6, doc="Most panels.")
    reference = param.String(default="", doc="The page that tells of every quantity; empty where there is none.")
    colors = param.Dict(default={}, doc="CSS colors: ink, ground, selected, primary.")

    _esm = "".join(file.read_text("utf-8") for file in (ELEMENTS, HERE / "accents.js", HERE / "quantity_list.js"))
    _stylesheets = ["quantity_list.css"]  # noqa: RUF012

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
"""Other words under which one looks for some."""


def items_of(catalogue: Mapping[str, Plotted]) -> list[dict[str, Any]]:
    """What the list says of each quantity."""
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
