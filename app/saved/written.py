"""What the file of a session holds: JSON, with what a link says and what a link has no room for.

``moment`` is what a link says, and so is ``setup`` of each kept run: what a setup learns to say there comes along. A
robot's own text stands in ``files``, once, and is found by its fingerprint.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping

from app.motion.setup import Machine
from app.state import Session
from app.state.address import query_of
from app.state.opening import RefusedError
from app.state.setup_text import query_of_setup

FORMAT, VERSION = "armsweep session", 1
LARGEST = 8 * 1024 * 1024
"""Bytes of a file."""


def written(session: Session) -> str:
    """The file of what a session shows now.

    Raises:
        RefusedError: for one that would be too large to be opened again.
    """
    kept = session.kept
    text = json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "moment": query_of(session, whole=True),
            "kept": [
                {"letter": each.letter, "name": each.title, "shown": each.shown, "setup": query_of_setup(each.setup)}
                for each in kept
            ],
            "files": _files([session.setup.machine, *(each.setup.machine for each in kept)]),
        },
        ensure_ascii=False,
        indent=1,
    )
    if len(text.encode()) > LARGEST:
        raise RefusedError(
            f"the file would be larger than {LARGEST >> 20} MB. Remove a kept run of another robot file first."
        )
    return text


def _files(machines: Iterable[Machine]) -> list[Mapping[str, str]]:
    """The robot files of the user's own, each once."""
    found = {machine.file.digest: machine for machine in machines if machine.file is not None}
    return [_file(machine) for machine in found.values()]


def _file(machine: Machine) -> Mapping[str, str]:
    assert machine.file is not None
    data = zlib.decompress(machine.source)
    try:
        return {"name": machine.file.name, "text": data.decode()}
    except UnicodeDecodeError:
        return {"name": machine.file.name, "base64": base64.b64encode(data).decode()}
