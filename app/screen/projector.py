"""Projector mode: the world on the whole screen, one equation, one plot, large type, and controls that go away."""

from __future__ import annotations

from collections.abc import Sequence

import param
from panel.viewable import Viewable, Viewer

from app.state import Session
from app.views.icon_button import changing_icon_button

EVENT = "armsweep:projector"
"""Of the document: ``screen.js`` fills the screen with the page, which a browser grants to a click or a key alone."""


class Projector(Viewer):
    """A button; ``few`` are out of sight while the mode is on."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, few: Sequence[Viewable], **params: object) -> None:
        self._few = tuple(few)
        self._button = changing_icon_button("small", "#FFFFFF", margin=(10, 4))
        super().__init__(session=session, **params)
        self._button.js_on_click(code=f"document.dispatchEvent(new Event('{EVENT}'))")

    def toggle(self) -> None:
        self.session.projector = not self.session.projector

    @param.depends("session.projector", watch=True, on_init=True)
    def _follow(self) -> None:
        on = self.session.projector
        self._button.param.update(
            icon="close_fullscreen" if on else "co_present",
            description="Leave projector mode (P)" if on else "Projector mode (P)",
        )
        for part in self._few:
            part.visible = not on

    def __panel__(self) -> Viewable:
        return self._button
