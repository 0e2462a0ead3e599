"""Keys that work anywhere on the page, except while typing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from panel.custom import JSComponent


class Keyboard(JSComponent):
    """Sends each key of ``actions`` that is pressed outside of a field; shows nothing."""

    _esm = "keyboard.js"

    def __init__(self, actions: Mapping[str, Callable[[], None]], **params: object) -> None:
        super().__init__(width=0, height=0, margin=0, **params)
        self._actions = dict(actions)

    def _handle_msg(self, data: object) -> None:
        action = self._actions.get(str(data))
        if action is not None:
            action()
