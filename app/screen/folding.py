"""What a small screen folds away, and how it is opened: the browser's own business, the server hears nothing of it."""

from __future__ import annotations

from app.component import Component


class SheetSwitch(Component):
    """Which one stands in the sheet of a small screen: the instruments, the plots, or nothing but the world."""

    _esm = "sheet_switch.js"

    def open(self, name: str) -> None:
        """Has ``Instruments``, ``Plots`` or the ``World`` alone in sight, where there is room for one of them."""
        self._send_msg(name)


class MoreButton(Component):
    """Opens and closes the row of what is seldom wanted."""

    _esm = "more.js"
