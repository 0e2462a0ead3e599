"""Parts of the page that are made when they are first seen: dialogs, messages, cards."""

from __future__ import annotations

from typing import Any

import param
from panel.custom import Children
from panel.viewable import Viewable

from app.component import Component

SEEN = {"open": True, "closed": False, "visible": True}
"""What says of a dialog, an alert or anything else that it is seen."""


class Later(Component):
    """An empty column; each part is added when it is first shown.

    What stands in it already is left where it is: the styles of an element are lost where it leaves the document.

    Args:
        parts: with the parameter that says whether each is seen; see ``SEEN``.
    """

    parts = Children(doc="What has been seen, in the order in which it came.")

    _esm = "later.js"
    _render_policy = "manual"

    def __init__(self, *parts: tuple[Viewable, str], **params: Any) -> None:
        super().__init__(margin=0, **params)
        for part, name in parts:
            if getattr(part, name) == SEEN[name]:
                self.parts = [*self.parts, part]
            else:
                part.param.watch(self._look, name)

    def _look(self, event: param.parameterized.Event) -> None:
        if event.new == SEEN[event.name] and event.obj not in self.parts:
            self.parts = [*self.parts, event.obj]
