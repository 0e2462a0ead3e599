"""The first document: the packed motion of an address, shown while the page loads."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Template

from app.equations.sheet_style import served_face
from app.motion.presets import BUILT, CHANGING, FILE, FIRST, PRESETS
from app.number_text import read_number

STYLE, SCRIPT = "{{ style }}", "{{ script }}"
FOLDER = Path(__file__).parent
PAGE = FOLDER / "page.html"
"""The template of the page itself."""


def begins_with(query: Mapping[str, str]) -> dict[str, Any] | None:
    """What is shown until the page of an address arrives; None if that has a motion of its own."""
    asked = query.get("preset", "")
    if asked in (FILE, BUILT) or any(name in query for name in (*CHANGING, "breaks")):
        return None
    time = read_number(query.get("t", "")) or 0.0
    speed = read_number(query.get("speed", "")) or 1.0
    begin = {
        "preset": asked if asked in PRESETS else FIRST,
        "time": max(time, 0.0) if asked and math.isfinite(time) else 0.0,
        "playing": query.get("play") == "1" if asked else query.get("play") != "0",
        "speed": min(max(speed, 0.01), 10.0) if asked else 1.0,
    }
    if asked and "layers" in query:  # otherwise the layers that the motion was packed with
        begin["layers"] = query["layers"].split(",")
    return begin


def first_page(query: Mapping[str, str], home: str, starting: bool = False, embedded: bool = False) -> str:
    """The document sent at once: the opening motion of an address, until the page itself arrives.

    Args:
        home: path from the document's address to Panel's own files.
        starting: whether the server is still starting and serves no pages yet.
        embedded: whether it is embedded in a page of another site.
    """
    begin = json.dumps(begins_with(query)).replace("<", "\\u003c")
    return _first().render(opening=begin, dist_url=home, starting=starting, embedded=embedded)


@cache
def _first() -> Template:
    text, style, script = (
        FOLDER.joinpath(name).read_text("utf-8") for name in ("first.html", "opening.css", "opening.js")
    )
    return Template(text.replace(STYLE, served_face() + style).replace(SCRIPT, script))
