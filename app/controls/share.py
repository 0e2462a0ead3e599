"""The page's address follows what it shows; Share copies it."""

from __future__ import annotations

import html
import time
from urllib.parse import urlencode

import param

from app.component import Component
from app.state import Session
from app.state.address import query_of
from app.views.components import Button
from app.views.notice import STAYS_LONG, Notifier

PERIOD = 0.5  # Shortest time in seconds between two changes of the address
PLAYED_PERIOD = 5.0  # The same while the browser plays, which itself keeps the time in the address up to date


class Browser(Component):
    """Browser features that a session needs: address bar and clipboard."""

    query: param.String = param.String(default="", doc="What the address says after its question mark.")
    answer: param.String = param.String(default="", doc="The result of copying: the link if it could not be copied.")

    _esm = "share.js"

    def __init__(self, **params: object) -> None:
        super().__init__(width=0, height=0, margin=0, **params)

    def copy(self) -> None:
        """Copies the whole address, including the camera."""
        self._send_msg("copy")

    def _handle_msg(self, data: object) -> None:
        self.answer = str(data)[:32_000]
        self.param.trigger("answer")


class Share(Notifier):
    """A button; ``draw`` keeps the address bar up to date.

    Attributes:
        browser: the component that the page must contain to reach them.
    """

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.browser = Browser()
        self._at, self._setup = 0.0, session.setup
        self.button = Button("Copy a link to this moment", self.copy, icon="share")
        self.browser.param.watch(self._report, "answer")

    def copy(self) -> None:
        self._write()
        self.browser.copy()

    def _report(self, event: param.parameterized.Event) -> None:
        words = html.escape(file_words(self._session))
        if event.new == "copied":
            self._notice.say(f"The link to this moment is copied. {words}".strip())
        else:
            self._notice.say(f"Copy this link: {html.escape(event.new)} {words}".strip(), "info", STAYS_LONG)

    def draw(self) -> None:
        super().draw()
        now, session = time.monotonic(), self._session
        if session.opening.awaits_link:
            return  # the address already requests more than is shown
        played = session.has_player and session.playing and session.setup is self._setup
        if now - self._at >= (PLAYED_PERIOD if played else PERIOD):
            self._at = now
            self._write()

    def _write(self) -> None:
        self._setup = self._session.setup
        query = urlencode(query_of(self._session), safe=",:")
        if query != self.browser.query:
            self.browser.query = query


def file_words(session: Session) -> str:
    """The files that the recipient of the link needs as well; empty for a packaged machine."""
    file = session.setup.machine.file
    if file is None:
        return ""
    if file.digest in session.opening.kept:
        return f"It opens in this browser, which keeps {file.name}; anyone else needs that file and is asked for it."
    return f"{file.name} is not part of it, nor kept in this browser: whoever opens the link is asked for the file."


KEEP = "Keep this run as a ghost beside the next (A)"


class Undo(Notifier):
    """Three buttons of the bar, and a message about what was kept."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._undo = Button("Undo (Ctrl+Z)", session.undo, icon="undo")
        self._redo = Button("Redo (Ctrl+Y)", session.redo, icon="redo")
        self.buttons = (self._undo, self._redo, Button(KEEP, self.keep, icon="compare"))
        super().__init__(session=session, **params)

    def keep(self) -> None:
        """Keeps the present run for comparison, and reports its letter, or why it could not be kept."""
        self._notice.say(f"{html.escape(self.session.keep_once())} <i>Show</i> lists what is kept.")

    @param.depends("session.history", watch=True, on_init=True)
    def _follow(self) -> None:
        self._undo.update(disabled=not self.session.can_undo)
        self._redo.update(disabled=not self.session.can_redo)
