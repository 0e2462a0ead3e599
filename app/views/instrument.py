"""The base class of instruments beside the 3D view: made when first opened, and drawn while open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import panel as pn
from panel.viewable import Viewable, Viewer

from scenes import palette


class Painted(Protocol):
    """A part with colors of its own."""

    def paint(self, theme: palette.Theme) -> None: ...


class Instrument(Viewer):
    """The content of one entry of the rail.

    Attributes:
        painted: its parts that have colors of their own.
    """

    theme: palette.Theme = "light"
    painted: Sequence[Painted] = ()

    @property
    def follows(self) -> bool:
        """Whether it shows the cursor's instant."""
        return True

    def draw(self) -> None:
        """Updates it; the clock calls this while it is open."""

    def forget(self) -> None:
        """Discards its content after a change of machine while it was closed."""

    def paint(self, theme: palette.Theme) -> None:
        """Shows the colors of a theme."""
        self.theme = theme
        for part in self.painted:
            part.paint(theme)


def scrolled(*parts: Viewable | Viewer) -> pn.Column:
    """The parts of an instrument below each other."""
    return pn.Column(*parts, sizing_mode="stretch_both", scroll="y", margin=0)
