"""What stands beside the world: made when it is first opened, and drawn while it is open."""

from __future__ import annotations

from panel.viewable import Viewer

from scenes import palette


class Instrument(Viewer):
    """What one name of the rail opens."""

    @property
    def follows(self) -> bool:
        """Whether it shows the cursor's instant."""
        return True

    def draw(self) -> None:
        """Brings it up to date; the clock asks for it while it is open."""

    def forget(self) -> None:
        """Another machine has come while it was out of sight: nothing in it is of that one."""

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
