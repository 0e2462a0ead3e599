"""What a student reads and answers, in the browser; and the progress and the drafts that the browser keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from app.clipboard import COPYING
from app.component import Component
from app.number_text import beside_numbers
from app.views.components import PROGRESS
from app.views.drawn_curve import PAD
from app.views.print_page import PRINTING


class LessonSheet(Component):
    """Shows HTML: ``data-go`` marks what can be clicked, and the answer of a form comes when it is sent.

    Args:
        go, answer, kept: hear what was clicked, answered, and kept by the browser.
        hand_in: hears how results are wanted, and the name for them.
    """

    html = param.String(default="", doc="What stands there; names in it are escaped, texts cleaned.")
    css = param.String(default="")
    step = param.String(default="", doc="Which step it is; with another the sheet begins at its top.")

    _esm = beside_numbers(COPYING, PRINTING, PAD, PROGRESS, Path(__file__).with_suffix(".js"))

    def __init__(
        self, go: Callable[[str], None], answer: Callable[[Any], None], kept: Callable[[object], None],
        hand_in: Callable[[object, object], None], **params: Any,
    ) -> None:  # fmt: skip
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._go, self._answer, self._kept, self._hand_in = go, answer, kept, hand_in

    def do(self, **what: object) -> None:
        """Has the browser ``keep`` a progress, ``save`` a ``text``, ``show`` a page to print, or choose a link."""
        self._send_msg(what)

    def _handle_msg(self, data: object) -> None:
        match data:
            case str() if len(data) < 100:
                self._go(data)
            case {"answer": answer}:
                self._answer(answer)
            case {"kept": kept}:
                self._kept(kept)
            case {"results": how, "name": name}:
                self._hand_in(how, name)
