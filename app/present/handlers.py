"""The server's addresses for followers: a page, its scripts, the run's parts, and the stream that leads it."""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
import json
import re
from pathlib import Path

from bokeh.server.urls import toplevel_patterns
from tornado.web import HTTPError, RequestHandler

from app.present.code import PATTERN
from app.present.follower import Follower
from app.present.presentation import PRESENTATIONS, event
from app.replay.replay import own, scripts

FOREVER = "public, max-age=31536000, immutable"
"""Of what is named by its own digest."""


class Quiet(RequestHandler):
    """Answers GET, and takes nothing."""

    def set_default_headers(self) -> None:
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")

    def compute_etag(self) -> None:
        """What is named by its digest needs none, and the page is short."""


class FollowPage(Quiet):
    """The page: the same for every code, whether somebody presents under it or not; it looks for itself."""

    async def get(self, code: str) -> None:
        del code
        name = (await views())[0]
        self.set_header("Cache-Control", "no-cache")
        self.finish(page_text().replace("{{views}}", name))


class Views(Quiet):
    """The scripts of the page's views."""

    async def get(self, name: str) -> None:
        known, packed = await views()
        if name != known:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/json")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", FOREVER)
        self.finish(packed)


class Part(Quiet):
    """A part of the run that is presented."""

    def get(self, code: str, name: str) -> None:
        presentation = PRESENTATIONS.find(code)
        packed = None if presentation is None else presentation.part(name)
        if packed is None:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", FOREVER)
        self.finish(packed)


class Led(Quiet):
    """The stream of what the lecturer does."""

    def get(self, code: str) -> None:
        presentation = PRESENTATIONS.find(code)
        if presentation is None:
            raise HTTPError(404)
        if PRESENTATIONS.is_full:
            self.set_header("Content-Type", "text/event-stream")
            self.set_header("Cache-Control", "no-store")
            self.finish(event("full", "end"))
            return
        presentation.join(Follower(self.detach(), presentation.leave))


@functools.cache
def page_text() -> str:
    here = Path(__file__)
    parts = {
        "style": own("replay.css") + here.with_name("follow.css").read_text("utf-8"),
        "script": here.with_name("follow.js").read_text("utf-8"),
    }
    text = here.with_name("follow.html").read_text("utf-8")
    return re.sub(r"{{(style|script)}}", lambda found: parts[found[1]], text)


@functools.cache
def packed_views() -> tuple[str, bytes]:
    """The scripts' name and all of them, by gzip."""
    packed = gzip.compress(json.dumps(scripts()).encode(), 9, mtime=0)
    return hashlib.sha256(packed).hexdigest()[:16], packed


async def views() -> tuple[str, bytes]:
    """As ``packed_views``, which takes some tenths of a second once."""
    return await asyncio.get_running_loop().run_in_executor(None, packed_views)


DIGEST = "[0-9a-f]{16}"
ROUTES = [
    (rf"/follow/({PATTERN})", FollowPage),
    (rf"/follow/views/({DIGEST})", Views),
    (rf"/follow/({PATTERN})/led", Led),
    (rf"/follow/({PATTERN})/({DIGEST})", Part),
]


def serve_followers() -> None:
    """Puts the addresses beside those of the page, under the server's prefix; before there is a server."""
    toplevel_patterns.extend(route for route in ROUTES if route not in toplevel_patterns)
