"""What a projector says of the moment that is shown: which of how many it is, its title, and two lines of its note."""

from __future__ import annotations

import html

import panel as pn

from app.lecture.lecture import Lecture
from app.state import Session

LOOK = """
:host {
  box-sizing: border-box; width: fit-content; max-width: 100%; padding: 0.3rem 0.7rem; border-radius: 8px;
  background: color-mix(in srgb, var(--page, #fff) 92%, transparent);
  font: 1rem/1.3 Roboto, "Helvetica Neue", Arial, sans-serif;
}
p { margin: 0; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.title { font-weight: 600; -webkit-line-clamp: 1; }
"""


class Caption:
    """Over the edge of the projected world, which stays as it is.

    Attributes:
        view: where the page says such things.
    """

    def __init__(self, session: Session, lecture: Lecture) -> None:
        self._session, self._lecture = session, lecture
        self.view = pn.pane.HTML("", stylesheets=[LOOK], visible=False, margin=0)
        lecture.param.watch(self._show, ["seen", "moments"])
        session.param.watch(self._show, "projector")

    def _show(self, *_: object) -> None:
        title, note = self._lecture.caption
        words = html.escape(note).replace("\n", "<br>")
        self.view.param.update(
            object=f"<p class='title'>{html.escape(title)}</p>{words and f'<p>{words}</p>'}",
            visible=self._session.projector and bool(title),
        )
