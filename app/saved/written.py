"""What the file of a session holds: JSON, with what a link says and what a link has no room for.

``moment`` is what a link says, and so is ``setup`` of each kept run: what a setup learns to say there comes along. A
robot's own text stands in ``files``, once, and is found by its fingerprint.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

from app.state import Session
from app.state.address import query_of
from app.state.machine_loader import RefusedError
from app.state.setup_text import query_of_setup

FORMAT, VERSION = "armsweep session", 1
LARGEST = 8 * 1024 * 1024
"""Bytes of a file."""


def written(session: Session) -> str:
    """The file of what a session shows now.

    Raises:
        RefusedError: for one that would be too large to be opened again.
    """
    files = [file_entry(*file) for file in files_of(session)]
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, **shown_by(session), "files": files}, ensure_ascii=False, indent=1
    )
    if len(text.encode()) > LARGEST:
        raise RefusedError(
            f"the file would be larger than {LARGEST >> 20} MB. Remove a kept run of another robot file first."
        )
    return text


def shown_by(session: Session) -> dict[str, Any]:
    """What a session shows now, and the runs that are kept beside it; robots' own texts are named, not held."""
    return {
        "moment": query_of(session, whole=True),
        "kept": [
            {"letter": each.letter, "name": each.title, "shown": each.shown, "setup": query_of_setup(each.setup)}
            for each in session.kept
        ],
    }


def files_of(session: Session) -> list[tuple[bytes, str]]:
    """The text and the name of each robot file of the user's own that is in it, each once."""
    machines = [session.setup.machine, *(each.setup.machine for each in session.kept)]
    found = {machine.file.digest: machine for machine in machines if machine.file is not None}
    return [(zlib.decompress(machine.source), machine.file.name) for machine in found.values() if machine.file]


def file_entry(data: bytes, name: str) -> Mapping[str, str]:
    """A robot's own text, as a file holds it."""
    try:
        return {"name": name, "text": data.decode()}
    except UnicodeDecodeError:
        return {"name": name, "base64": base64.b64encode(data).decode()}
