"""The base class of instruments beside the 3D view: made when first opened, and drawn while open."""

from __future__ import annotations

from panel.viewable import Viewer

from scenes import palette


class Instrument(Viewer):
    """The content of one entry of the rail."""

    @property
    def follows(self) -> bool:
        """Whether it shows the cursor's instant."""
        return True

    def draw(self) -> None:
        """Updates it; the clock calls this while it is open."""

    def forget(self) -> None:
        """Discards its content after a change of machine while it was closed."""

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
