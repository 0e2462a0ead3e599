"""The card in the browser: it shows what it is given, and tells what was clicked and drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import param

from app.component import Component
from app.number_text import beside_numbers
from app.views.drawn_curve import PAD


class WelcomeCard(Component):
    """``data-go`` marks what can be clicked; with *Let go* comes the drawing.

    Args:
        go: hears what was clicked.
        let_go: hears the drawing, which may be anything.
    """

    html = param.String(default="", doc="What stands there; names in it are escaped.")
    css = param.String(default="")
    state = param.String(default="", doc="How far the challenge has come; with another the card begins at its top.")
    called = param.Boolean(default=False, doc="Whether somebody has asked for it, and the focus goes there.")

    _esm = beside_numbers(PAD, Path(__file__).with_name("card.js"))

    def __init__(self, go: Callable[[str], None], let_go: Callable[[object], None], **params: object) -> None:
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._go, self._let_go = go, let_go

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, str) and len(data) < 20:
            self._go(data)
        elif isinstance(data, dict) and "drawn" in data:
            self._let_go(data["drawn"])
