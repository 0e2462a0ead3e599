"""The first document, shown while the page loads, the address of each machine's packed motion, and of the start."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Template
from tornado.web import HTTPError, RequestHandler

from app.equations.font import served_face
from app.motion.presets import BUILT, CHANGING, FILE, FIRST, PRESETS
from app.number_text import read_number
from app.service.routes import add_routes, turn_away
from app.service.sessions import STARTING, sessions

STYLE, SCRIPT = "{{ style }}", "{{ script }}"
FOLDER = Path(__file__).parent
PAGE = FOLDER / "page.html"
"""The template of the page itself."""
FILES = Path(__file__).resolve().parents[2] / "assets" / "openings"
"""One file per preset, written by ``python -m app.opening``: a machine moves before any kernel is compiled."""


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


class OpeningHandler(RequestHandler):
    """Serves the same file to everyone; browsers cache it and revalidate it."""

    def get(self, preset: str) -> None:
        if preset not in PRESETS:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish((FILES / f"{preset}.gz").read_bytes())


class Start(RequestHandler):
    """The progress of the server's start: the compiled share of the mechanics, and whether visitors are admitted."""

    def get(self) -> None:
        self.set_header("Cache-Control", "no-store")
        self.finish({"compiled": sessions().compiled, "ready": sessions().is_ready})


ROUTES = (r"/opening/([a-z0-9_]{1,40})", OpeningHandler), (r"/opening", Start)


def serve_openings() -> None:
    """Makes every server created afterwards serve these addresses, below its prefix; call before creating a server."""
    add_routes(ROUTES)


def show_first(handler: RequestHandler, query: Mapping[str, str], embedded: bool) -> None:
    """Answers a first request at once and without a session; the document then requests the page itself."""
    home = "../" * handler.request.path.endswith("/") + "static/extensions/panel/"
    if not sessions().is_ready:
        turn_away(handler, STARTING, first_page(query, home, starting=True, embedded=embedded))
        return
    handler.set_header("Cache-Control", "no-cache")
    handler.set_header("Vary", "Sec-Fetch-Dest")  # the page itself is requested from the same address
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.finish(first_page(query, home, embedded=embedded))
