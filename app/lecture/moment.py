"""A moment that is kept: what the page showed, a title and a note, and how it looked."""

from __future__ import annotations

import base64
import binascii
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.kept.kept_run import name_of
from app.saved.read import camera_of

MOST = 60
"""Moments of a lecture."""
LONGEST_NOTE = 2000
"""Characters of a note."""
PICTURE = "data:image/jpeg;base64,"
LARGEST_PICTURE = 80_000
"""Characters of a picture: the browser's own are a third of that."""
JPEG = b"\xff\xd8\xff"
FULL = f"{MOST} moments are kept, which is the most. Remove one of them, or save this lecture and begin another."


@dataclass(frozen=True)
class Moment:
    """What one comes back to.

    Attributes:
        number: by which it is told from others, whatever its place is.
        shown: ``moment`` and ``kept`` as the file of a session has them, the camera in ``moment``.
        picture: of the world as it was seen, a JPEG as a browser writes it; empty where none could be taken.
        figure: the same of the largest plot of the instrument that was open; empty where it had none.
    """

    number: int
    title: str
    shown: Mapping[str, Any] = field(repr=False)
    note: str = ""
    picture: str = field(default="", repr=False)
    figure: str = field(default="", repr=False)

    @property
    def query(self) -> dict[str, str]:
        """What a link says."""
        return dict(self.shown["moment"])

    @property
    def camera(self) -> str:
        """How the world was seen; empty for the page's own view."""
        return camera_of(self.shown["moment"])

    def is_shown(self, query: Mapping[str, str]) -> bool:
        """Whether a page that says this of itself shows it, whatever its camera is and what stands beside it."""
        return all(self.query.get(name) == query.get(name) for name in {*self.query, *query} - {"camera", "beside"})

    def seen(self, camera: str, picture: str, figure: str) -> Moment:
        """The same with what only a browser knows; what no browser of ours writes is left out."""
        moment = {**self.query, "camera": camera}
        if not camera_of(moment):
            del moment["camera"]
        shown = {**self.shown, "moment": moment}
        return dataclasses.replace(self, shown=shown, picture=picture_of(picture), figure=picture_of(figure))


def picture_of(text: object) -> str:
    """A picture as the page's own script writes it; nothing for anything else."""
    if not isinstance(text, str) or len(text) > LARGEST_PICTURE or not text.startswith(PICTURE):
        return ""
    try:
        data = base64.b64decode(text.removeprefix(PICTURE), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return text if data.startswith(JPEG) else ""


def title_of(text: object) -> str:
    """A title: one line that can be printed; possibly nothing."""
    return name_of(text) if isinstance(text, str) else ""


def note_of(text: object) -> str:
    """A note: lines that can be printed; possibly nothing."""
    if not isinstance(text, str):
        return ""
    lines = text[: 2 * LONGEST_NOTE].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(c for c in line if c.isprintable()).rstrip() for line in lines)[:LONGEST_NOTE].strip()
