"""A word over the page that leaves by itself, and moves nothing: what became of something that was just done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

STAYS, STAYS_LONG = 6.0, 60.0
"""Seconds for which it can be read; the same of what is to be copied by hand."""
OVER = {
    "position": "fixed",
    "top": "calc(4.5rem + 8px)",
    "left": "50%",
    "transform": "translateX(-50%)",
    "z-index": "1300",
    "width": "max-content",
    "max-width": "min(92vw, 36rem)",
}
"""Below the bar, in the middle; out of the way of all else."""


class Notice(Viewer):
    """An alert, which readers of the screen say when it comes; a click on its cross takes it away sooner."""

    def __init__(self, now: Callable[[], float] = time.monotonic, **params: object) -> None:
        super().__init__(**params)
        self._now, self._until = now, 0.0
        self._alert = pmui.Alert(
            "", severity="success", closeable=True, closed=True, margin=0, styles=OVER, sx={"wordBreak": "break-word",
            "boxShadow": 6, "backgroundColor": "background.paper"},
        )  # fmt: skip

    @property
    def words(self) -> str:
        """What can be read now; empty when it has left."""
        return "" if self._alert.closed else str(self._alert.object)

    def say(self, words: str, severity: Literal["success", "info"] = "success", stays: float = STAYS) -> None:
        """Comes, or says something else; names in it are escaped."""
        self._until = self._now() + stays
        if self.words != words:
            self._alert.param.update(object=words, severity=severity, closed=False)

    def leave(self) -> None:
        """At once."""
        if not self._alert.closed:
            self._alert.closed = True

    def draw(self) -> None:
        """Leaves when its time is over; the clock asks."""
        if self._now() > self._until:
            self.leave()

    def __panel__(self) -> Viewable:
        return self._alert
