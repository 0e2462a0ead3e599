"""The button beside *Share*, and its dialog: saves the session as a file, and opens another one."""

from __future__ import annotations

import html
from functools import partial
from pathlib import Path

import panel as pn
import panel_material_ui as pmui

from app.clipboard import COPYING
from app.component import Component
from app.messages import file_stem
from app.number_text import beside_numbers
from app.saved.read import LARGEST, camera_in, found_in, written
from app.state import Session
from app.state.machine_loader import RefusedError
from app.upload.file_button import FileButton
from app.upload.kept_files import received
from app.views.components import STYLE, Button
from app.views.notice import Notifier

LABEL = "Open a session file"
TOO_LARGE = f"This file is larger than the {LARGEST >> 20} MB that a session may have."
EMPTY = "This file is empty; a session is expected."
ABOUT = (
    "<p>A session file holds what a link says, whatever happened in the run, the robot's own file, and the kept runs, "
    "which are computed again.</p>"
)


class Saver(Component):
    """Lets the browser save a text as a file."""

    _esm = beside_numbers(COPYING, Path(__file__).with_name("session_file.js"))

    def __init__(self) -> None:
        super().__init__(width=0, height=0, margin=0)

    def save(self, name: str, text: str) -> None:
        self._send_msg({"name": name, "text": text})

    def look(self, camera: str) -> None:
        """Sets the 3D view's camera as in a file; the page's own view if empty."""
        self._send_msg({"look": camera})


class SessionFile(Notifier):
    """Saves and opens session files through ``browser``, a component on the page, and reports the result."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session, self.browser = session, Saver()
        self.button = Button(
            "Session as a file: save or open", lambda: self.dialog.param.update(open=True), icon="save"
        )
        self._save = pmui.Button(label="Save this session", icon="download", sizing_mode="stretch_width", margin=(4, 0))
        self._open = FileButton(
            self._refuse, LARGEST, TOO_LARGE, EMPTY, label=LABEL, uploaded_label=LABEL, icon="upload_file",
            sizing_mode="stretch_width", margin=(4, 0),
        )  # fmt: skip
        self._word = pn.pane.HTML(
            "", stylesheets=[STYLE, ":host { overflow-wrap: anywhere; }"], sizing_mode="stretch_width", margin=(4, 0)
        )
        about = pn.pane.HTML(ABOUT, stylesheets=[STYLE], sizing_mode="stretch_width", margin=0)
        self.dialog = pmui.Dialog(
            pn.Column(about, self._save, self._open, self._word, width=270),
            title="Session as a file", close_on_click=True, show_close_button=True,
        )  # fmt: skip
        self._save.on_click(lambda _: self.save())
        self._open.hear(self.take)

    def save(self) -> None:
        try:
            text = written(self._session)
        except RefusedError as refusal:
            self._report(f"Not saved: {refusal}")
            return
        name = file_stem(self._session.title) or "session"
        self.browser.save(f"{name}.armsweep.json", text)
        self._report(f"Saved as {name}.armsweep.json.")

    def take(self, data: object, name: str) -> None:
        """Opens a file sent by a browser, with all limits of an upload; or says why not."""
        session = self._session
        sent = received(session, data, LARGEST, TOO_LARGE, self._refuse)
        if sent is None:
            return
        self._report("Reading …")
        session.opening.saved(partial(found_in, sent, session), partial(self._done, name, sent))

    def _done(self, name: str, data: bytes, words: str) -> None:
        """All of it is shown, or ``words`` say why it is not."""
        if words:
            self._report(words)
            return
        self.dialog.open = False
        self._report("")
        self.browser.look(camera_in(data))
        title = html.escape(name[-80:]) or "The session"
        self._notice.say(f"{title} is open. Undo leads back to what was shown before.")

    def _refuse(self, words: str) -> None:
        self._session.message = words
        self._report(words)

    def _report(self, words: str) -> None:
        self._word.object = f"<span role='status'>{html.escape(words)}</span>" if words else ""
