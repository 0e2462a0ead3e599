"""How far something is, in a line of an instrument that readers of the screen say when it changes."""

from __future__ import annotations

import panel as pn

from app.views.style import STYLE


class ProgressLine(pn.pane.HTML):
    """Empty until something is said; what is said twice is not drawn again.

    Args:
        beside: px to its left and right.
    """

    def __init__(self, beside: int = 12) -> None:
        super().__init__("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, beside))

    def say(self, words: str) -> None:
        """Says it, as HTML; nothing for no words."""
        self.object = f"<p role='status'>{words}</p>" if words else ""
