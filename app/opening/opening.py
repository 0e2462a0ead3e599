"""The first motion of a packaged machine, for everybody who opens it: the pictures of its run, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Template

from app.equations.font import served_face
from app.motion.presets import FIRST, PRESETS
from app.number_text import read_number
from app.replay import Parcel, Pictures, instants
from app.state import Session
from app.state.setup_text import BUILT, CHANGING, FILE

INTERVAL = 0.05
"""Seconds between two pictures; the browser goes from one to the next."""
GRAIN = 2.0**-14
"""m: a twentieth of a millimetre, which nobody sees move; the rest of each number would be most of what is sent."""
PLACE, STYLE, SCRIPT = "{{ place }}", "{{ style }}", "{{ script }}"
FOLDER = Path(__file__).parent


def packed_opening(preset: str) -> bytes:
    """A machine's motion as the page opens it, by gzip: what its file holds.

    Raises:
        KeyError: for no preset.
    """
    session = Session(PRESETS[preset].name)
    run = session.run
    while not run.complete:
        run.accept(run.compute())
    pictures = Pictures(session, instants(run.end, INTERVAL), session.layers, GRAIN)
    for _ in pictures.draw():
        pass
    parcel = Parcel()
    layers, seen = list(session.layers), pictures.data(parcel)
    data = {"duration": run.end, "interval": INTERVAL, "layers": layers, "pictures": seen}
    return parcel.compressed(data)


def begins_with(query: Mapping[str, str], session: Session) -> dict[str, Any] | None:
    """What is seen before the page of an address has come; None where that is a motion of its own."""
    preset = session.setup.machine.preset.name
    if (
        preset not in PRESETS
        or query.get("preset") in (FILE, BUILT)
        or any(name in query for name in (*CHANGING, "breaks"))
    ):
        return None
    is_named = bool(query.get("preset"))
    time = read_number(query.get("t", "")) or 0.0
    speed = read_number(query.get("speed", "")) or 1.0
    return {
        "preset": preset,
        "time": min(max(time, 0.0), session.run.duration) if is_named else 0.0,
        "playing": query.get("play") == "1" if is_named else query.get("play") != "0",
        "speed": min(max(speed, 0.01), 10.0) if is_named else 1.0,
        "layers": query["layers"].split(",") if is_named and "layers" in query else list(session.layers),
    }


def template() -> str:
    """The document that holds a page, with the variable ``opening``: what ``begins_with`` answers, as JSON."""
    return _whole("page.html")


def starting(preset: str, home: str) -> str:
    """The document for whoever comes while the server starts: a machine's motion, until the page can be opened.

    Args:
        preset: the machine that is asked for; the first one's motion is seen for one that there is not.
        home: where Panel's own files are, from the document's address.
    """
    begin = {"preset": preset if preset in PRESETS else FIRST, "time": 0.0, "playing": True, "speed": 1.0}
    return Template(_whole("starting.html")).render(opening=json.dumps(begin), dist_url=home, starting=True)


@cache
def _whole(document: str) -> str:
    text, place, style, script = (
        FOLDER.joinpath(name).read_text("utf-8") for name in (document, "place.html", "opening.css", "opening.js")
    )
    for slot, part in ((PLACE, place), (STYLE, served_face() + style), (SCRIPT, script)):
        text = text.replace(slot, part)
    return text


def variable(query: Mapping[str, str], session: Session) -> str:
    """What a template says between tags of a script."""
    return json.dumps(begins_with(query, session)).replace("<", "\\u003c")
