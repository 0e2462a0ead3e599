"""Opens a robot description file from the user's own machine."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.motion.setup import LONGEST_NAME
from app.service import counters
from app.state import Session
from app.views.tabs import Instrument

LARGEST = 5 * 1024 * 1024
HINT = "A robot description of up to 5 MB. Its joints, masses and simple shapes are used; mesh files are not."

TOO_LARGE = "This file is larger than the 5 MB that a robot description may have here."
EMPTY = "This file is empty; a robot description is expected."


TOO_MANY = {
    "page": "More files than one page may open in a minute were sent here. Wait a little, and open it again.",
    "address": "More files than may be opened in a minute were sent from your network. Open it again in a while.",
}


class FileButton(pmui.FileInput):
    """A file button that holds no more than ``LARGEST`` bytes, whatever a browser sends, and says when it refuses."""

    def __init__(self, refuse: Callable[[str], None], **params: Any) -> None:
        super().__init__(max_file_size=LARGEST, **params)
        self._refuse, self._pushes, self._came = refuse, 0, False

    def _handle_msg(self, msg: Mapping[str, Any]) -> None:
        if msg["status"] == "error":  # the browser's own check of the size
            self._refuse(TOO_LARGE)
            return
        if msg["status"] == "initializing":
            self._pushes += 1
        if msg["status"] == "finished":
            if not self._came:  # no piece, and nobody would hear of it
                self._refuse(EMPTY)
            self._pushes = max(self._pushes - 1, 0)
            self._came = self._came and self._pushes > 0  # of files that are sent side by side, all at the first's end
        super()._handle_msg(msg)

    def _process_chunk(self, msg: Mapping[str, Any]) -> None:
        self._came = True
        held = sum(len(chunk) for file in self._file_buffer.values() for chunk in file["chunks"].values())
        if held + len(msg["data"]) <= LARGEST:
            super()._process_chunk(msg)
            del self._buffer[:-1]  # one file is opened at a time: the newest, whatever else comes with it
        else:
            self._file_buffer.clear()
            self._buffer.clear()
            self._refuse(TOO_LARGE)


class Upload(Instrument):
    """A file button; the file is read as text alone, so that it reaches no other file."""

    @property
    def follows(self) -> bool:
        return False

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._button = FileButton(
            self._refuse, label="Open a URDF file", accept=".urdf,.xml", sizing_mode="stretch_width"
        )
        self._word = pn.pane.HTML(HINT, sizing_mode="stretch_width")
        super().__init__(session=session, **params)
        self._button.param.watch(self._open, "value")

    def _open(self, event: param.parameterized.Event) -> None:
        if not event.new:
            return
        name = PurePath(str(self._button.filename or "robot.urdf").replace("\\", "/")).name[:LONGEST_NAME]
        self._button.clear()  # first: the same file may be sent again, whatever becomes of it now
        if refused := self.session.jobs.allowance.refuses_upload():
            self._refuse(TOO_MANY[refused], refused)
            return
        counters.uploads_taken.inc()
        self._word.object = f"Reading {html.escape(name)} …"
        self.session.opening.file(event.new, name, self._rest)

    def _rest(self) -> None:
        self._word.object = HINT

    def _refuse(self, words: str, reason: str = "file") -> None:
        counters.uploads_refused.labels(reason).inc()
        self.session.message = words

    def __panel__(self) -> Viewable:
        return pmui.Column(self._button, self._word, sizing_mode="stretch_width", margin=(8, 4))
