"""Where browsers find a machine's opening motion, and what they get while the server starts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tornado.web import HTTPError, RequestHandler

from app.motion.presets import PRESETS
from app.opening.opening import first_page
from app.service.routes import add_routes, turn_away
from app.service.sessions import STARTING, sessions

FILES = Path(__file__).resolve().parents[2] / "assets" / "openings"
"""One for each preset, as ``python -m app.opening`` writes them: a machine moves before any kernel is compiled."""


@cache
def opening_file(preset: str) -> bytes:
    """A machine's motion, by gzip.

    Raises:
        KeyError: for no preset.
    """
    return (FILES / f"{PRESETS[preset].name}.gz").read_bytes()


class Opening(RequestHandler):
    """The same for everybody: a browser keeps it, and asks whether it is still that."""

    def get(self, preset: str) -> None:
        if preset not in PRESETS:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish(opening_file(preset))


class Start(RequestHandler):
    """How far the server's start is: the share of the mechanics that is compiled, and whether visitors are let in."""

    def get(self) -> None:
        self.set_header("Cache-Control", "no-store")
        self.finish({"compiled": sessions().compiled, "ready": sessions().is_ready})


ROUTES = (r"/opening/([a-z0-9_]{1,40})", Opening), (r"/opening", Start)


def serve_openings() -> None:
    """Has every server that is made from now on answer there, behind its prefix; before there is a server."""
    add_routes(ROUTES)


def show_first(handler: RequestHandler, query: Mapping[str, str], embedded: bool) -> None:
    """Answers an opened address at once and without a session; this document then asks for the page itself."""
    home = "../" * handler.request.path.endswith("/") + "static/extensions/panel/"
    if not sessions().is_ready:
        turn_away(handler, STARTING, first_page(query, home, starting=True, embedded=embedded))
        return
    handler.set_header("Cache-Control", "no-cache")
    handler.set_header("Vary", "Sec-Fetch-Dest")  # of the same address the page itself has it asked for
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.finish(first_page(query, home, embedded=embedded))
