"""What stands over the world for as long as it is wanted: the machine keeps clear of it."""

from __future__ import annotations

from typing import Any

from panel.custom import Children, JSComponent


class Standing(JSComponent):
    """A column at the upper edge of the world, which leaves the machine the room below it (layout.css)."""

    parts = Children(doc="From top to bottom; those that are not there take no room.")

    _esm = "standing.js"
    _stylesheets = ["standing.css"]  # noqa: RUF012

    def __init__(self, **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
