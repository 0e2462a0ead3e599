"""A button that acts for as long as it is held, by pointer or by key."""

from __future__ import annotations

from collections.abc import Callable

import param

from app.component import Component


class PressAndHold(Component):
    """Calls ``press`` when it goes down and ``release`` when it comes up, loses the focus, or is taken away."""

    name_shown = param.String(default="", doc="The words on it.")
    hint = param.String(default="", doc="Shown when the pointer rests on it.")

    _esm = "press_and_hold.js"

    def __init__(self, press: Callable[[], None], release: Callable[[], None], **params: object) -> None:
        super().__init__(**params)
        self._press, self._release = press, release

    def _handle_msg(self, data: object) -> None:
        if data == "press":
            self._press()
        elif data == "release":
            self._release()
