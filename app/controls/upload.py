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

MOST_FILES, MOST_CHUNKS, LONGEST_PATH = 32, 1000, 4096
"""Files on their way at once, pieces of one of them, and characters of a name."""

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

    def _handle_msg(self, msg: Any) -> None:
        status = msg.get("status") if isinstance(msg, Mapping) else None
        if status == "upload_event" and self._fits(msg):
            self._process_chunk(msg)
            return
        if status == "error":  # the browser's own check of the size
            self._refuse(TOO_LARGE)
            return
        if status not in ("initializing", "finished"):
            return
        if status == "initializing":
            self._pushes = min(self._pushes + 1, MOST_FILES)
        if status == "finished":
            if not self._came:  # no piece, and nobody would hear of it
                self._refuse(EMPTY)
            self._pushes = max(self._pushes - 1, 0)
            self._came = self._came and self._pushes > 0  # of files that are sent side by side, all at the first's end
        super()._handle_msg(msg)

    def _fits(self, msg: Mapping[str, Any]) -> bool:
        """Whether this is a piece of a file as the browser's own script cuts it, and goes with those that came."""
        name, chunk, total, data = (msg.get(key) for key in ("name", "chunk", "total_chunks", "data"))
        if not isinstance(name, str) or len(name) > LONGEST_PATH or not isinstance(data, bytes):
            return False
        if type(chunk) is not int or type(total) is not int or not 1 <= chunk <= total <= MOST_CHUNKS:
            return False
        if not isinstance(msg.get("mime_type"), str) or len(msg["mime_type"]) > LONGEST_PATH:
            return False
        begun = self._file_buffer.get(name)
        return len(self._file_buffer) < MOST_FILES if begun is None else begun["total_chunks"] == total

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
        if not isinstance(event.new, bytes) or len(event.new) > LARGEST:  # set by no script of ours
            self._refuse(TOO_LARGE)
            return
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
