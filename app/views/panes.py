"""Panes of which one is seen: what is in one is made when it is first opened, and stays there from then on."""

from __future__ import annotations

from pathlib import Path

import param
from panel.custom import Children
from panel.viewable import Viewable, Viewer

from app.component import Component
from app.views.elements import with_elements

PANES = Path(__file__).with_suffix(".js")


class Panes(Component):
    """Panes by name; one that has nothing in it says that it is being opened."""

    panes = Children(doc="What has been made, in the order in which it came.")
    made = param.List(default=[], item_type=str, doc="The name of each.")
    active = param.String(default="", doc="Name of the open pane.")
    primary = param.String(default="", doc="CSS color of what is open.")

    _render_policy = "manual"  # what is there already is not drawn anew when more comes

    def add(self, name: str, view: Viewable | Viewer) -> None:
        """Fills a pane."""
        self.param.update(made=[*self.made, name], panes=[*self.panes, view])


def with_panes(file: Path) -> str:
    """The text of a component's JavaScript, which may use ``filledPanes`` and ``ledTo``, ``make`` and ``plain``."""
    return with_elements(PANES) + file.read_text("utf-8")
