"""Files sent by a browser, within limits, and its own storage of robot files, which is equally untrusted."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

import panel_material_ui as pmui
import param

import scenes
from app.component import Component
from app.motion.robot_file import LONGEST_NAME, OwnFile
from app.service import counters
from app.state import Session
from app.state.machine_loader import FileText

LARGEST, LARGEST_ARCHIVE = 5 * 1024 * 1024, 20 * 1024 * 1024
MOST_KEPT = 50  # most fingerprints that a browser may report to have kept
TOO_LARGE = "This file is larger than the 5 MB that a robot description may have here."
ARCHIVE_TOO_LARGE = "This file is larger than the 20 MB that a robot with its meshes may have here."


def take(session: Session, data: object, name: object) -> None:
    """Opens a file sent by a browser, as an upload or from its storage, within all limits; or says why not."""
    is_archive = isinstance(data, bytes) and data.startswith(scenes.ARCHIVE)
    limits = (LARGEST_ARCHIVE, ARCHIVE_TOO_LARGE) if is_archive else (LARGEST, TOO_LARGE)
    sent = received(session, data, *limits, session.opening.refuse)
    if sent is None:
        return
    last = PurePath(str(name or "robot.urdf").replace("\\", "/")).name
    session.opening.file(sent, last[:LONGEST_NAME] or "robot.urdf", unpacked if is_archive else FileText)


def unpacked(sent: bytes, name: str) -> FileText:
    """The robot in an archive, with its meshes included in its text."""
    found = scenes.packed_robot(sent, name)
    return FileText(found.text, found.name[:LONGEST_NAME], found.remarks)


class KeptFiles(Component):
    """Requests from the browser the file that a link needs, and sends it the files that were opened."""

    wanted: param.String = param.String(default="", doc="Fingerprint of the requested file; empty for none.")

    _esm = "kept_files.js"

    def __init__(self, session: Session, **params: object) -> None:
        self._session, self._edited = session, ""
        super().__init__(width=0, height=0, margin=0, **params)
        session.opening.param.watch(self._keep, "sent")
        session.param.watch(self._keep_edited, "setup")

    def begin(self) -> None:
        """Called when the browser has loaded the page and can take changes caused by its answers."""
        self._session.opening.param.watch(self._ask, "wanted")
        self._ask()

    def _ask(self, _: object = None) -> None:
        wanted = self._session.opening.wanted
        self.wanted = "" if wanted is None else wanted.file.digest

    def _keep(self, _: object) -> None:
        sent, self._session.opening.sent = self._session.opening.sent, None
        if sent is not None:
            file, text = sent
            self._send_msg({"keep": {"digest": file.digest, "name": file.name, "data": text}})

    def _keep_edited(self, _: object) -> None:
        """Keeps the current form of an edited robot in the browser, replacing the previous one."""
        machine = self._session.setup.machine
        if machine.origin is None or machine.file is None or machine.file.digest == self._edited:
            return
        before, self._edited = self._edited, machine.file.digest
        text = zlib.decompress(machine.source)
        self._send_msg({"keep": {"digest": self._edited, "name": machine.file.name, "data": text, "instead": before}})

    def forget(self) -> None:
        self._send_msg({"forget": True})

    def _handle_msg(self, msg: Any) -> None:
        if not isinstance(msg, Mapping):
            return
        opening, kind = self._session.opening, msg.get("kind")
        if kind == "kept" and isinstance(msg.get("digests"), list):
            files = (OwnFile.named("", digest) for digest in msg["digests"][:MOST_KEPT] if isinstance(digest, str))
            opening.kept = frozenset(file.digest for file in files if file is not None)
        elif opening.wanted is None or msg.get("digest") != opening.wanted.file.digest:
            return  # it was not requested
        elif kind == "file":
            opening.kept |= {opening.wanted.file.digest}
            take(self._session, msg.get("data"), opening.wanted.file.name)
        elif kind == "missing":
            opening.miss()


TOO_MANY = "More files than one page may open in a minute were sent here. Wait a little, and open it again."


def received(
    session: Session, data: object, largest: int, too_large: str, refuse: Callable[[str], None]
) -> bytes | None:
    """The uploaded data, counted against the limit; or None, after ``refuse`` was called with the reason."""
    words, reason = too_large, "file"
    if isinstance(data, bytes) and len(data) <= largest:  # otherwise it was not set by our script
        if session.jobs.allowance.takes_upload():
            counters.uploads_taken.inc()
            return data
        words, reason = TOO_MANY, "page"
    counters.uploads_refused.labels(reason).inc()
    refuse(words)
    return None


MOST_FILES, MOST_CHUNKS, LONGEST_PATH = 64, 1000, 4096  # Concurrent files, pieces of one file, and characters of a name
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
