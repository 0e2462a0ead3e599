"""The rail of instruments at the right edge, and the panes beside it: one open instrument, or two side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import param

from app.views.panes import Panes, with_panes

EVENT = "armsweep:rail"
"""Of the document: the keys come to the rail."""


class Rail(Panes):
    """Named icons in groups, of which one is open, and another may stand beside it where the screen is wide.

    What is opened is the browser's to say: a pane that has been made is shown at once. ARIA's tabs, upright: arrows,
    *Home* and *End* move along the rail, *Enter* opens. To whom ``EVENT`` has led there, letters are the beginning of a
    name.
    """

    items = param.List(default=[], item_type=dict, doc="``name``, ``icon``, ``group`` and ``words`` of each.")
    there = param.List(default=[], item_type=str, doc="Names of those that suit the machine; the others are not seen.")
    beside = param.String(default="", doc="Name of the one that stands beside it; empty: none.")
    alone = param.String(default="", doc="Name of the one that is seen alone, without the rail; empty: none.")

    _esm = with_panes(Path(__file__).with_name("rail.js"))
    _stylesheets = ["rail.css"]  # noqa: RUF012

    def __init__(self, **params: Any) -> None:
        super().__init__(sizing_mode="stretch_both", margin=0, **params)
