"""The file of a lecture: JSON, each moment as the file of a session has it, with its title, note and picture.

A robot's own text stands in ``files``, once, and is found by its fingerprint.
"""

from __future__ import annotations

import json

from app.lecture.lecture import Lecture
from app.saved.written import LARGEST, file_entry
from app.state.opening import RefusedError

FORMAT, VERSION = "armsweep lecture", 1


def written(lecture: Lecture) -> str:
    """The file of all moments.

    Raises:
        RefusedError: for one that would be too large to be opened again.
    """
    text = json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "moments": [
                {"title": each.title, "note": each.note, "picture": each.picture, "figure": each.figure, **each.shown}
                for each in lecture.moments
            ],
            "files": [file_entry(*file) for file in lecture.files],
        },
        ensure_ascii=False,
        indent=1,
    )
    if len(text.encode()) > LARGEST:
        raise RefusedError(
            f"the file would be larger than {LARGEST >> 20} MB. Remove moments of large robot files first."
        )
    return text
