"""A word over the page that leaves by itself, and moves nothing: what became of something that was just done."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from typing import Literal

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.messages import kind_of
from app.state import Session

STAYS, STAYS_LONG = 6.0, 60.0
"""Seconds for which it can be read; the same of what is to be copied by hand."""
OVER = {"width": "max-content", "max-width": "min(100%, 36rem)", "pointer-events": "auto"}
"""As wide as its words, in the room that the page has for what is told; see ``app.screen.layout``."""
SMALL = {
    "padding": "2px 10px",
    "& .MuiAlert-icon": {"display": "none"},
    "& .MuiAlert-message": {"padding": "4px 0", "fontSize": "0.8125rem", "lineHeight": 1.3},
    "& .MuiAlertTitle-root": {"margin": 0, "fontSize": "0.8125rem", "lineHeight": 1.3, "fontWeight": 600},
    "& .MuiAlert-action": {"padding": "0 0 0 8px"},
}
SHORT = {"wordBreak": "break-word", "@media (max-width: 599px), (max-height: 640px)": SMALL}
"""Broken where it has to be; where the world is small, it leaves most of it in sight."""
BACKED = {"boxShadow": 6, "backgroundColor": "background.paper"}
"""Whatever is behind it, words can be read."""


class Notice(Viewer):
    """An alert, which readers of the screen say when it comes; a click on its cross takes it away sooner."""

    def __init__(self, now: Callable[[], float] = time.monotonic, **params: object) -> None:
        super().__init__(**params)
        self._now, self._until = now, 0.0
        self._alert = pmui.Alert(
            "", severity="success", closeable=True, closed=True, margin=0, styles=OVER,
            sx={**SHORT, **BACKED},
        )  # fmt: skip

    @property
    def words(self) -> str:
        """What can be read now; empty when it has left."""
        return "" if self._alert.closed else str(self._alert.object)

    def say(self, words: str, severity: Literal["success", "info"] = "success", stays: float = STAYS) -> None:
        """Comes, or says something else; names in it are escaped."""
        self._until = self._now() + stays
        if self.words != words:
            self._alert.param.update(object=words, severity=severity, closed=False)

    def leave(self) -> None:
        """At once."""
        if not self._alert.closed:
            self._alert.param.update(closed=True, object="")  # hidden, it would still be read

    def draw(self) -> None:
        """Leaves when its time is over; the clock asks."""
        if self._now() > self._until:
            self.leave()

    def __panel__(self) -> Viewable:
        return self._alert


class Telling(param.Parameterized):
    """A part of the page that says over it what has become of something; its ``word`` is laid out by the page."""

    def __init__(self, **params: object) -> None:
        self._told = Notice()
        super().__init__(**params)

    def draw(self) -> None:
        """Its word leaves when it has been read."""
        self._told.draw()

    def stop(self) -> None:
        """Nothing of it outlives the session."""

    @property
    def word(self) -> Viewable:
        """What was said last."""
        return self._told.__panel__()


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
