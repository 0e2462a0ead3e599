"""What went wrong, in words, over the world; the page goes on working under it."""

from __future__ import annotations

import html

import panel_material_ui as pmui
import param

from app.binding import Binding
from app.messages import kind_of
from app.state import Session
from app.views.notice import OVER, SHORT


class Status(param.Parameterized):
    """An alert with the session's message; closing it clears the message."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self.alert = pmui.Alert(
            variant="filled",
            closeable=True,
            closed=True,
            margin=0,
            styles=OVER,
            sx=SHORT,
        )
        self._closed = Binding(self.alert, lambda: not session.message, self._forget, name="closed")
        super().__init__(session=session, **params)

    @param.depends("session.message", watch=True, on_init=True)
    def _say(self) -> None:
        message = self.session.message
        if not message:
            self._closed.follow()
            self.alert.param.update(title="", object="")  # hidden, they would still be read
            return
        severity, title = kind_of(message).value
        self._closed.follow(
            title=title,
            severity=severity,
            object=html.escape(message),  # it may come out of a file that somebody sent
        )

    def _forget(self, closed: bool) -> None:
        if closed:
            self.session.message = ""
