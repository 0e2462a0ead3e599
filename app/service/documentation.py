"""The built documentation, given to anybody beside the page; a page has no link to it where there is none."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Mapping
from pathlib import Path

from bokeh.embed.bundle import extension_dirs

from app.service.limits import SettingError

VARIABLE = "ARMSWEEP_DOCUMENTATION"
"""Names the folder that ``python -m docs`` has built, where it is not the checkout's own."""
OWN = Path(__file__).resolve().parents[2] / "docs" / "_build"
NAME = "armsweep_documentation"
FIRST, QUANTITIES = "index.html", "reference/quantities.html"


def folder_of(environment: Mapping[str, str]) -> Path | None:
    """Where the built pages are; None where nobody has built them.

    Raises:
        SettingError: for a folder without them that somebody has named.
    """
    named = environment.get(VARIABLE)
    folder = Path(named).resolve() if named else OWN
    if all((folder / page).is_file() for page in (FIRST, QUANTITIES)):
        return folder
    if named:
        raise SettingError(
            f"{VARIABLE} is {reprlib.repr(named)}, in which there is no {FIRST} or no {QUANTITIES}; it is to be the "
            "folder that python -m docs has written, or not set at all."
        )
    return None


def serve_documentation() -> None:
    """Has every server that is made from now on give the pages; before there is a server.

    Raises:
        SettingError: as ``folder_of``.
    """
    folder = folder_of(os.environ)
    if folder is not None:
        extension_dirs[NAME] = folder


def address_of(page: str) -> str:
    """Of a page of the documentation, as seen from the app's own address; empty where none is given."""
    folder = extension_dirs.get(NAME)
    return f"static/extensions/{NAME}/{page}" if folder is not None and (Path(folder) / page).is_file() else ""
