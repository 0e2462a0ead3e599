"""The addresses of the machines' opening motions, and the response while the server starts."""

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
"""One file per preset, written by ``python -m app.opening``: a machine moves before any kernel is compiled."""


@cache
def opening_file(preset: str) -> bytes:
    """A machine's motion, gzipped.

    Raises:
        KeyError: if there is no such preset.
    """
    return (FILES / f"{PRESETS[preset].name}.gz").read_bytes()


class OpeningHandler(RequestHandler):
    """Serves the same file to everyone; browsers cache it and revalidate it."""

    def get(self, preset: str) -> None:
        if preset not in PRESETS:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish(opening_file(preset))


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
