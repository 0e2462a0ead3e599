"""A file button that receives a browser's data in pieces, within limits."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

import panel_material_ui as pmui
import param

from app.service import counters
from app.upload.kept_files import LARGEST, TOO_LARGE

MOST_FILES, MOST_CHUNKS, LONGEST_PATH = 64, 1000, 4096
"""Concurrent files, pieces of one file, and characters of a name."""
ROBOTS = ".urdf", ".xml"
EMPTY = "This file is empty; a robot description is expected."
SHOWN_BY = "disableHoverListener", "disableFocusListener", "disableTouchListener"
NAMED = {"components": {"MuiTooltip": {"defaultProps": {"describeChild": True, **dict.fromkeys(SHOWN_BY, True)}}}}
"""Keeps a button's label after an upload: otherwise the file's name covers it, also for screen readers."""


class FileButton(pmui.FileInput):
    """A file button that holds at most ``largest`` bytes, whatever a browser sends, and reports refusals.

    Args:
        too_large, empty: message about such a file.
        params: with ``multiple`` several files may be sent at once: they are taken as an archive.
    """

    def __init__(
        self, refuse: Callable[[str], None], largest: int = LARGEST, too_large: str = TOO_LARGE, empty: str = EMPTY,
        **params: Any,
    ) -> None:  # fmt: skip
        super().__init__(max_file_size=largest, theme_config=NAMED, **params)
        self._largest, self._too_large, self._empty = largest, too_large, empty
        self._on_refusal, self._pushes, self._came = refuse, 0, False

    def hear(self, take: Callable[[object, str], None]) -> None:
        """Registers a receiver of each file and its name; the same file may be sent again after any result."""

        def came(event: param.parameterized.Event) -> None:
            if event.new:
                names, contents = (self.filename, event.new) if self.multiple else ([self.filename], [event.new])
                self.clear()
                take(*together(dict(zip((str(name or "") for name in names), contents, strict=True))))

        self.param.watch(came, "value")

    def _refuse(self, words: str) -> None:
        counters.uploads_refused.labels("file").inc()
        self._on_refusal(words)

    def _handle_msg(self, msg: Any) -> None:
        status = msg.get("status") if isinstance(msg, Mapping) else None
        if status == "upload_event" and self._fits(msg):
            self._process_chunk(msg)
            return
        if status == "error":  # the browser's own check of the size
            self._refuse(self._too_large)
            return
        if status not in ("initializing", "finished"):
            return
        if status == "initializing":
            self._pushes = min(self._pushes + 1, MOST_FILES)
        if status == "finished":
            if not self._came:  # no piece has arrived, so nothing else would report it
                self._refuse(self._empty)
            self._pushes = max(self._pushes - 1, 0)
            self._came = self._came and self._pushes > 0  # files sent in parallel are complete when the first one ends
        super()._handle_msg(msg)

    def _fits(self, msg: Mapping[str, Any]) -> bool:
        """Whether this is a valid piece, as cut by the browser's own script, that continues the received ones."""
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
        held += sum(len(file["value"]) for file in self._buffer) if self.multiple else 0
        if held + len(msg["data"]) <= self._largest:
            super()._process_chunk(msg)
            # Otherwise one file is opened at a time: the newest, whatever else arrives.
            del self._buffer[: -MOST_FILES if self.multiple else -1]
        else:
            self._file_buffer.clear()
            self._buffer.clear()
            self._refuse(self._too_large)


def together(files: Mapping[str, bytes]) -> tuple[bytes, str]:
    """Files sent at once, as an archive; only the newest if each is a robot of its own."""
    robots = [name for name in files if PurePath(name).suffix.lower() in ROBOTS]
    includes = any(b"<include" in files[name] for name in robots)
    if len(files) == 1 or (len(robots) == len(files) and not includes):
        name, content = list(files.items())[-1]
        return content, name
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(PurePath(name.replace("\\", "/")).name or "file", content)
    return data.getvalue(), (robots or list(files))[0]
