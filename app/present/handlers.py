"""The server's addresses for followers: a page, its scripts, the run's parts, the stream that leads it, and answers."""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
import json
import re
from pathlib import Path

from bokeh.server.urls import toplevel_patterns
from tornado.web import HTTPError, RequestHandler, stream_request_body

from app.asking.asked import Refusal, Said
from app.asking.asking import ANSWER, LOOK, QUESTION
from app.asking.ballot import NUMBER, WHO
from app.equations.font import served_face
from app.equations.look import variables
from app.equations.sheet import FIT
from app.number_text import beside_numbers
from app.present.broker import broker
from app.present.code import PATTERN
from app.present.follower import Follower
from app.present.presentation import PRESENTATIONS, Presentation, event
from app.replay.replay import own, scripts
from app.service.addresses import address_of

LARGEST_ANSWER = 2000
"""Bytes; a curve that is drawn has some hundreds."""
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

    async def get(self, code: str, name: str) -> None:
        presentation, others = PRESENTATIONS.find(code), broker()
        packed = None if presentation is None else presentation.part(name)
        if presentation is None and others is not None:
            packed = await others.part(code, name)
        if packed is None:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", FOREVER)
        self.finish(packed)


class Led(Quiet):
    """The stream of what the lecturer does."""

    async def get(self, code: str) -> None:
        presentation, others = await found(code), broker()
        if PRESENTATIONS.is_full(address_of(self.request)):
            self.set_header("Content-Type", "text/event-stream")
            self.set_header("Cache-Control", "no-store")
            self.finish(event("full", "end"))
            return
        who = self.get_query_argument("who", "")
        if not WHO.fullmatch(who):
            who = ""
        if who and others is not None:
            await others.know(code, who)
        if presentation.ended:
            raise HTTPError(404)
        stream = self.detach()
        if not stream.closed():  # it may have gone while the broker was asked
            presentation.join(Follower(stream, presentation.leave, who, address_of(self.request)))


async def found(code: str) -> Presentation:
    """The presentation of a code, here or in another process.

    Raises:
        HTTPError: where nobody presents under it.
    """
    presentation, others = PRESENTATIONS.find(code), broker()
    if presentation is None and others is not None:
        presentation = await others.find(code)
    if presentation is None:
        raise HTTPError(404)
    return presentation


@stream_request_body
class AnswerBox(Quiet):
    """Takes a follower's answer to what the lecturer asks. Other sites' pages cannot send one: it must be JSON."""

    def prepare(self) -> None:
        """Before anything of it is read."""
        self._body = b""
        self.request.connection.set_max_body_size(LARGEST_ANSWER)  # type: ignore[union-attr]

    def data_received(self, chunk: bytes) -> None:
        """A piece of at most that size."""
        self._body += chunk

    async def post(self, code: str) -> None:
        self.set_header("Cache-Control", "no-store")
        try:
            if self.request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
                raise Refusal(415, "An answer is JSON.")
            said = said_of(self._body)
            presentation, others = await found(code), broker()
            is_known = said.who in presentation.names or (others is not None and await others.knows(code, said.who))
            if not is_known:
                raise Refusal(403, "Only those who follow may answer.")
            await presentation.take(said)
            self.set_status(204)
        except Refusal as refusal:
            self.set_status(refusal.status)
            self.finish({"words": str(refusal)})


def said_of(body: bytes) -> Said:
    """What was sent, its answer not looked at yet.

    Raises:
        Refusal: for anything but one object with its three names.
    """
    try:
        said = json.loads(body, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or set(said) != {"who", "number", "answer"}:
        raise Refusal(400, "This is no answer.")
    who, number = said["who"], said["number"]
    if not (isinstance(who, str) and WHO.fullmatch(who) and isinstance(number, str) and NUMBER.fullmatch(number)):
        raise Refusal(400, "This is no answer.")
    return Said(who, number, said["answer"])


@functools.cache
def page_text() -> str:
    here = Path(__file__)
    parts = {
        "style": served_face("../")
        + own("replay.css")
        + here.with_name("follow.css").read_text("utf-8")
        + look()
        + LOOK,
        "script": beside_numbers(FIT, *QUESTION, *ANSWER, here.with_name("follow.js")),
    }
    text = here.with_name("follow.html").read_text("utf-8")
    return re.sub(r"{{(style|script)}}", lambda found: parts[found[1]], text)


def look() -> str:
    """The colors of a question, in both themes."""
    return f"#asked {{ {variables('light')} }} :root[data-theme='dark'] #asked {{ {variables('dark')} }}"


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
    (rf"/follow/({PATTERN})/answer", AnswerBox),
    (rf"/follow/({PATTERN})/({DIGEST})", Part),
]


def serve_followers() -> None:
    """Puts the addresses beside those of the page, under the server's prefix; before there is a server."""
    toplevel_patterns.extend(route for route in ROUTES if route not in toplevel_patterns)
