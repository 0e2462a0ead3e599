"""A recording as an interactive 3D view in a notebook cell."""

from __future__ import annotations

import html
import tempfile
from dataclasses import dataclass
from pathlib import Path

import dynamics as dyn

HEIGHT = 640
LEAST_HEIGHT, MOST_HEIGHT = 200, 4000


@dataclass(frozen=True)
class View:
    """The output of a cell: a page within the page, which needs no server and no network.

    Attributes:
        page: the complete HTML page.
        height: px.
    """

    page: str
    height: int

    def _repr_html_(self) -> str:
        """An iframe: the notebook's style and scripts do not reach in, nor the page's out."""
        return (
            f'<iframe title="A run, in 3D" srcdoc="{html.escape(self.page)}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:1px solid #8888"></iframe>'
        )

    def __repr__(self) -> str:
        return f"View({len(self.page):,} characters, height={self.height})"


def view(recording: dyn.Recording, height: int = HEIGHT, title: str = "", walked: float = 0.2) -> View:
    """The interactive 3D view of a run, with its timeline, plots and walk, for a notebook cell.

    It is ``Recording.to_html`` in a frame; as the last line of a cell it shows itself.

    Args:
        recording: of 0.1 s to 120 s.
        height: of the frame, 200 to 4000 px.
        title: what moves, in words; default: the kind of machine.
        walked: s between two instants at which the walk can be read.

    Returns:
        The view.

    Raises:
        StateError: as ``Recording.to_html``, and for a height out of range.

    Cost: as ``Recording.to_html``: some 15 s and 5 MB for ten seconds of two arms of seven joints.
    """
    if type(height) is not int or not LEAST_HEIGHT <= height <= MOST_HEIGHT:
        raise dyn.StateError(
            f"height is {height!r:.40}; expected a whole number of pixels, {LEAST_HEIGHT} to {MOST_HEIGHT}."
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.html"
        recording.to_html(path, title, walked)
        return View(path.read_text("utf-8"), height)
