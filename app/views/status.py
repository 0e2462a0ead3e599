"""What went wrong, in words, over the page; the page goes on working under it."""

from __future__ import annotations

import html

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.state import Session


class Status(Viewer):
    """An alert with the session's message; closing it clears the message."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._alert = pmui.Alert(
            variant="filled",
            closeable=True,
            closed=True,
            sizing_mode="stretch_width",
            margin=0,
        )
        super().__init__(session=session, **params)

    @param.depends("session.message", watch=True, on_init=True)
    def _say(self) -> None:
        message = self.session.message
        if not message:
            self._alert.closed = True
            return
        ended = message == self.session.run.failure
        self._alert.param.update(
            title="The run ends early" if ended else "That did not work; what was running goes on",
            severity="warning" if ended else "error",
            object=html.escape(message),  # it may come out of a file that somebody sent
            closed=False,
        )

    @param.depends("_alert.closed", watch=True)
    def _forget(self) -> None:
        if self._alert.closed:
            self.session.message = ""

    def __panel__(self) -> Viewable:
        return self._alert
