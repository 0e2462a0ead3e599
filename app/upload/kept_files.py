"""Files sent by a browser, within limits, and its own storage of robot files, which is equally untrusted."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

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
        """Lets the browser discard all files."""
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
