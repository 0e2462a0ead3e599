"""Addresses beside the page: ``/health`` for load balancers, ``/metrics`` for Prometheus, the built documentation."""

from __future__ import annotations

import asyncio
import math
import os
import reprlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bokeh.embed.bundle import extension_dirs
from bokeh.server.urls import toplevel_patterns
from jinja2 import Template
from prometheus_client import CONTENT_TYPE_LATEST
from tornado.web import RequestHandler

from app.service import counters
from app.service.limits import SettingError
from app.service.sessions import Refusal, sessions

DOCUMENTATION = "ARMSWEEP_DOCUMENTATION"
"""Environment variable with the folder built by ``python -m docs``, if it is not the checkout's own."""
BUILT = Path(__file__).resolve().parents[2] / "docs" / "_build"
NAME = "armsweep_documentation"
FIRST, QUANTITIES = "index.html", "reference/quantities.html"
WAITING = Template(Path(__file__).with_name("waiting.html").read_text(encoding="utf-8"), autoescape=True)


class Health(RequestHandler):
    """200 while visitors are accepted, else 503. A request opens no session."""

    def get(self) -> None:
        refusal = sessions().refusal()
        self.set_header("Cache-Control", "no-store")
        self.set_status(200 if refusal is None else 503)
        if refusal is not None:
            self.set_header("Retry-After", str(seconds_of(refusal)))
        self.finish({"status": refusal.reason if refusal else "ready", "sessions": len(sessions())})

    head = get


class Metrics(RequestHandler):
    """The counters, without data about visitors; docs/deployment.md lets nginx hide them from the internet."""

    def get(self) -> None:
        counters.tasks.set(len(asyncio.all_tasks()))
        self.set_header("Content-Type", CONTENT_TYPE_LATEST)
        self.finish(counters.as_text())


ROUTES = (r"/health", Health), (r"/metrics", Metrics)


def add_routes(routes: Sequence[tuple[Any, ...]]) -> None:
    """Add these addresses to every server that is created from now on, behind its prefix.

    ``panel serve`` takes further addresses from its command line only. Bokeh's table of them is a public list, but if
    a server came to copy it earlier, ``/health`` and the opening's motion would be 404: test_sessions would fail.
    """
    toplevel_patterns.extend(route for route in routes if route not in toplevel_patterns)


def protect(handler: RequestHandler) -> None:
    """Set headers against content sniffing, referrers and framing.

    Other sites may show the page in a frame if ``ARMSWEEP_FRAMES`` is ``anyone``.
    """
    handler.set_header("X-Content-Type-Options", "nosniff")
    handler.set_header("Referrer-Policy", "same-origin")
    if os.environ.get("ARMSWEEP_FRAMES") != "anyone":
        handler.set_header("Content-Security-Policy", "frame-ancestors 'self'")


def turn_away(handler: RequestHandler, refusal: Refusal, page: str = "") -> None:
    """Respond with an uncached page; the default one retries by itself."""
    handler.set_status(503)
    handler.set_header("Retry-After", str(seconds_of(refusal)))
    handler.set_header("Cache-Control", "no-store")
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.finish(page or WAITING.render(words=refusal.words, after=seconds_of(refusal)))


def seconds_of(refusal: Refusal) -> int:
    """Whole seconds after which another try may succeed."""
    return max(1, math.ceil(refusal.after))


def serve_documentation() -> None:
    """Let the server supply the built pages, if they are built.

    Raises:
        SettingError: if the environment names a folder without them.
    """
    named = os.environ.get(DOCUMENTATION)
    folder = Path(named or BUILT).resolve()
    if all((folder / page).is_file() for page in (FIRST, QUANTITIES)):
        extension_dirs[NAME] = folder
    elif named:
        raise SettingError(
            f"{DOCUMENTATION} is {reprlib.repr(named)}, in which there is no {FIRST} or no {QUANTITIES}; it must be "
            "the folder that python -m docs has written, or not set at all."
        )


def documentation_address(page: str) -> str:
    """A page of the documentation, relative to the app's own address; empty if it is not built."""
    folder = extension_dirs.get(NAME)
    return f"static/extensions/{NAME}/{page}" if folder is not None and (Path(folder) / page).is_file() else ""
