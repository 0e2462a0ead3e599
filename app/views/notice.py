"""A short message over the page that disappears by itself and moves nothing: the result of the last action."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from typing import Literal

import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.binding import Binding
from app.messages import kind_of
from app.state import Session
from app.views.components import View

STAYS, STAYS_LONG = 6.0, 60.0  # Seconds that it stays; longer if it contains text to be copied by hand
OVER = {"width": "max-content", "max-width": "min(100%, 36rem)", "pointer-events": "auto"}
"""As wide as its words, within the page's area for messages; see ``app.screen.layout``."""
SMALL = {
    "padding": "2px 10px",
    "& .MuiAlert-icon": {"display": "none"},
    "& .MuiAlert-message": {"padding": "4px 0", "fontSize": "0.8125rem", "lineHeight": 1.3},
    "& .MuiAlertTitle-root": {"margin": 0, "fontSize": "0.8125rem", "lineHeight": 1.3, "fontWeight": 600},
    "& .MuiAlert-action": {"padding": "0 0 0 8px"},
}
SHORT = {"wordBreak": "break-word", "@media (max-width: 599px), (max-height: 640px)": SMALL}
"""Wraps where it must; on a small screen, most of the 3D view stays visible."""
BACKED = {"boxShadow": 6, "backgroundColor": "background.paper"}  # Keeps words readable on any background


class Notice(View):
    """An alert, which screen readers announce; a click on its cross closes it early."""

    def __init__(self, now: Callable[[], float] = time.monotonic, **params: object) -> None:
        super().__init__(**params)
        self._now, self._until = now, 0.0
        self.view = self._alert = pmui.Alert(
            "", severity="success", closeable=True, closed=True, margin=0, styles=OVER,
            sx={**SHORT, **BACKED},
        )  # fmt: skip

    def say(self, words: str, severity: Literal["success", "info"] = "success", stays: float = STAYS) -> None:
        """Shows or replaces the message; the caller escapes names in it."""
        self._until = self._now() + stays
        self._alert.param.update(object=words, severity=severity, closed=False)

    def leave(self) -> None:
        self._alert.param.update(closed=True, object="")  # if only hidden, it would still be read aloud

    def draw(self) -> None:
        """Hides it when its time is over; called by the clock."""
        if self._now() > self._until:
            self.leave()


class Notifier(param.Parameterized):
    """A part of the page that reports results in a notice; the page lays out its ``word``."""

    def __init__(self, **params: object) -> None:
        self._notice = Notice()
        super().__init__(**params)

    def draw(self) -> None:
        self._notice.draw()

    @property
    def word(self) -> Viewable:
        return self._notice.view


class Status(param.Parameterized):
    """An alert with the session's message; closing it clears the message."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self.alert = pmui.Alert(variant="filled", closeable=True, closed=True, margin=0, styles=OVER, sx=SHORT)
        self._closed = Binding(self.alert, lambda: not session.message, self._forget, name="closed")
        super().__init__(session=session, **params)

    @param.depends("session.message", watch=True, on_init=True)
    def _say(self) -> None:
        message = self.session.message
        if not message:
            self._closed.follow()
            self.alert.param.update(title="", object="")  # if only hidden, they would still be read aloud
            return
        severity, title = kind_of(message).value
        self._closed.follow(
            title=title,
            severity=severity,
            object=html.escape(message),  # it may come from a stranger's file
        )

    def _forget(self, closed: bool) -> None:
        if closed:
            self.session.message = ""
