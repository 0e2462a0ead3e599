"""What a student reads and answers, in the browser; and the progress and the drafts that the browser keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from app.component import Component
from app.copying import COPYING
from app.number_text import beside_numbers
from app.views.drawn import PAD
from app.views.elements import PROGRESS
from app.views.printed import PRINTING

HERE = Path(__file__).parent
LONGEST = 80_000
"""Characters of a message; a drawing has some hundreds."""


class LessonSheet(Component):
    """``data-go`` marks what can be clicked; a form's answer comes when it is sent.

    Args:
        go: hears what was clicked.
        answer: hears an answer, which may be anything.
        kept: hears what the browser has kept.
        hand_in: hears how results are wanted, and the name for them.
    """

    html = param.String(default="", doc="What stands there; names in it are escaped, texts cleaned.")
    css = param.String(default="")
    step = param.String(default="", doc="Which step it is; with another the sheet begins at its top.")

    _esm = beside_numbers(COPYING, PRINTING, PAD, PROGRESS, *(HERE / name for name in ("drafts.js", "lesson_sheet.js")))

    def __init__(
        self, go: Callable[[str], None], answer: Callable[[Any], None], kept: Callable[[object], None],
        hand_in: Callable[[object, object], None], **params: Any,
    ) -> None:  # fmt: skip
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._go, self._answer, self._kept, self._hand_in = go, answer, kept, hand_in

    def keep(self, text: str) -> None:
        """Has the browser keep the progress."""
        self._send_msg({"keep": text})

    def point(self, link: int) -> None:
        """A link was pointed at in the world: it is chosen where one is asked for."""
        self._send_msg({"pointed": link})

    def save(self, name: str, text: str) -> None:
        """Has the browser save a file."""
        self._send_msg({"save": name, "text": text})

    def print(self, page: str) -> None:
        """Has the browser print a page."""
        self._send_msg({"show": page})

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, str) and len(data) < 100:
            self._go(data)
        elif isinstance(data, dict) and "answer" in data:
            self._answer(data["answer"])
        elif isinstance(data, dict) and "kept" in data:
            self._kept(data["kept"])
        elif isinstance(data, dict) and "results" in data:
            self._hand_in(data["results"], data.get("name"))
