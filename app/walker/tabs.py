"""The tabs of a walk's sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import param

from app.views.components import Panes, with_panes


class Tabs(Panes):
    """A row of names, and the sheet that is open below it. Arrows, *Home* and *End* move along the row."""

    names = param.List(default=[], item_type=str, doc="Of all, from left to right.")

    _esm = with_panes(Path(__file__).with_suffix(".js"))

    def __init__(self, names: list[str], **params: Any) -> None:
        super().__init__(names=names, sizing_mode="stretch_both", margin=0, **params)
