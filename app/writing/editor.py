"""Where a line is typed: one field of text with a list of the letters that are in scope.

A code editor would bring half a megabyte of script, keys of its own for Tab and Escape, and a page of text where one
line is asked for. A plain field with ARIA's list box of completions is at home with every screen reader and every
phone's keyboard, and costs nothing until it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import param

from app.component import Component
from app.state.writing import MOST_KEPT, MOST_TYPED
from app.views.elements import with_elements


class Editor(Component):
    """Says what is typed while it is typed, and keeps in the browser's own storage which lines are right.

    Args:
        typed: hears the text.
        kept: hears what this browser has kept: texts of lines by their keys.
    """

    left = param.String(default="", doc="The left side, as it is typed.")
    spoken = param.String(default="", doc="What the field is called.")
    text = param.String(default="", doc="What stands in it when another line is chosen, or when it is shown.")
    turn = param.Integer(default=0, doc="Grows with each such occasion.")
    letters = param.List(default=[], item_type=dict, doc="``name``, ``shape`` and ``meaning`` of each completion.")
    right = param.Dict(default={}, doc="Texts of lines that are right, by their keys: what is kept.")
    forgets = param.Integer(default=0, doc="Grows whenever all that is kept is to be forgotten.")
    calls = param.Integer(default=0, doc="Grows whenever the field is to have the focus.")
    heard = param.Integer(default=0, doc="How many texts have been judged: the next may be sent.")
    is_wrong = param.Boolean(default=False, doc="Whether what stands there cannot be right.")
    look = param.String(default="", doc="Colors of the theme.")

    _esm = with_elements(Path(__file__).with_name("editor.js"))
    _stylesheets = ["editor.css"]  # noqa: RUF012

    def __init__(self, typed: Callable[[str], None], kept: Callable[[Mapping[str, str]], None], **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", margin=(2, 12), **params)
        self._typed, self._kept = typed, kept

    def _handle_msg(self, data: object) -> None:
        """``typed`` and a text, or ``kept`` and texts by keys; whatever else comes is no message of ours."""
        if not isinstance(data, dict):
            return
        if isinstance(text := data.get("typed"), str):
            self._typed(text[:MOST_TYPED].encode(errors="replace").decode())  # half a character cannot be sent back
            self.heard += 1
        elif isinstance(lines := data.get("kept"), dict) and len(lines) <= MOST_KEPT:
            fit = {key: text for key, text in lines.items() if isinstance(key, str) and isinstance(text, str)}
            self._kept({key: text for key, text in fit.items() if len(key) < MOST_TYPED and len(text) < MOST_TYPED})
