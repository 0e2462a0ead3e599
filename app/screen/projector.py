"""Projector mode: the world on the whole screen, one equation and plot or the instrument that is open, large type."""

from __future__ import annotations

from collections.abc import Sequence

import param

from app.state import Session
from app.views.buttons import Button

EVENT = "armsweep:projector"
"""Of the document: ``screen.js`` fills the screen with the page, which a browser grants to a click or a key alone."""


class Projector(param.Parameterized):
    """A button; ``few`` are out of sight while the mode is on."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, few: Sequence[Button], **params: object) -> None:
        self._few = tuple(few)
        self.button = Button("Projector mode (P)", icon="co_present", event=EVENT)
        super().__init__(session=session, **params)

    def toggle(self) -> None:
        self.session.projector = not self.session.projector

    @param.depends("session.projector", watch=True, on_init=True)
    def _follow(self) -> None:
        on = self.session.projector
        self.button.update(
            icon="close_fullscreen" if on else "co_present",
            words="Leave projector mode (P)" if on else "Projector mode (P)",
        )
        for button in self._few:
            button.update(hidden=on)
