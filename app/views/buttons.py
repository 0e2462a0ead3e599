"""A row of buttons as one component: a page of many single ones would be slow to open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import param

from app.component import Component


class Button:
    """One button of a row.

    Args:
        words: its name for readers of the screen, and its tip.
        press: what it does; None where the browser alone answers.
        icon: of Google's Material Icons, or else
        label: a short word that stands on it.
        event: of the document, in place of a message to the server; a number after a blank is its detail.
        look: ``round``, for the main one of a row, ``outlined`` or nothing.
        pressed: whether it is held down, of one that is on or off.
    """

    def __init__(
        self,
        words: str,
        press: Callable[[], object] | None = None,
        *,
        icon: str = "",
        label: str = "",
        event: str = "",
        look: str = "",
        pressed: bool | None = None,
    ) -> None:
        self._press = press
        self._row: Buttons | None = None
        self.said: dict[str, Any] = {
            "words": words, "icon": icon, "label": label, "event": event, "look": look, "pressed": pressed,
            "disabled": False, "hidden": False,
        }  # fmt: skip

    def stand_in(self, row: Buttons) -> None:
        """Tells a row of its changes."""
        self._row = row

    def update(self, **changes: Any) -> None:
        """Changes what is said of it: ``words``, ``icon``, ``label``, ``pressed``, ``disabled`` or ``hidden``."""
        said = {**self.said, **changes}
        if said != self.said:
            self.said = said
            if self._row is not None:
                self._row.follow()

    def press(self) -> None:
        """As a click does."""
        if self._press is not None and not (self.said["disabled"] or self.said["hidden"]):
            self._press()


class Buttons(Component):
    """Buttons side by side, each of which tells the server or the document when it is pressed."""

    items = param.List(default=[], item_type=dict, doc="What each says; see ``Button``.")
    primary = param.String(default="", doc="CSS color of what is round or pressed.")

    _esm = "buttons.js"

    def __init__(self, buttons: Sequence[Button], **params: Any) -> None:
        self._buttons = tuple(buttons)
        super().__init__(items=[each.said for each in self._buttons], **{"margin": 0, "align": "center", **params})
        for each in self._buttons:
            each.stand_in(self)

    def follow(self) -> None:
        """Shows what its buttons say now."""
        self.items = [each.said for each in self._buttons]

    def _handle_msg(self, data: object) -> None:
        """The number of what was pressed."""
        if isinstance(data, int) and not isinstance(data, bool) and 0 <= data < len(self._buttons):
            self._buttons[data].press()
