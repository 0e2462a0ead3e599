"""The server's addresses for followers: a page, its scripts, the run's parts, the stream of states, and answers."""

from __future__ import annotations

import asyncio
import ipaddress
import json

from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler, stream_request_body

from app.classroom.broker import broker
from app.classroom.presentation import CODE, PRESENTATIONS, Follower, Presentation, event
from app.classroom.question import FOLLOWER, POLL, Refusal, Reply
from app.service.routes import add_routes

LARGEST_ANSWER = 2000  # bytes


class GetHandler(RequestHandler):
    """Answers GET, and accepts no body."""

    def set_default_headers(self) -> None:
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")


class Page(GetHandler):
    """The page, the same for every code, whether or not there is a presentation; it looks for one itself."""

    async def get(self, code: str) -> None:
        del code
        name, _ = await views()
        from app.classroom.present import page_text

        self.set_header("Cache-Control", "no-cache")
        self.finish(page_text(name))


class ContentHandler(GetHandler):
    """Content named by its own digest: the scripts of the page's views, or a part of the presented run."""

    def compute_etag(self) -> None:
        """None: its name is a digest already."""

    async def get(self, code: str, name: str) -> None:
        presentation, others = PRESENTATIONS.find(code), broker()
        packed: bytes | None = None
        if code == "views":
            known, scripts = await views()
            packed = scripts if name == known else None
        elif presentation is not None:
            packed = presentation.part(name)
        elif others is not None:
            packed = await others.part(code, name)
        if packed is None:
            raise HTTPError(404)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", "public, max-age=31536000, immutable")
        self.finish(packed)


def address_of(request: HTTPServerRequest) -> str:
    """The address of a visitor; for IPv6, the 64-bit network of one customer.

    Behind a proxy it is the proxy's, unless the server is started with ``--use-xheaders``.
    """
    try:
        address = ipaddress.ip_address(request.remote_ip or "")
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class Stream(GetHandler):
    """The lecturer's actions, as they happen."""

    async def get(self, code: str) -> None:
        presentation, others = await found(code), broker()
        address = address_of(self.request)
        if PRESENTATIONS.is_full(address):
            self.set_header("Content-Type", "text/event-stream")
            self.set_header("Cache-Control", "no-store")
            self.finish(event("full", "end"))
            return
        name = self.get_query_argument("who", "")
        if not FOLLOWER.fullmatch(name):
            name = ""
        if name and others is not None:
            await others.remember(code, name)
        if presentation.ended:
            raise HTTPError(404)
        stream = self.detach()
        if not stream.closed():  # it may have closed while the broker was queried
            presentation.join(Follower(stream, name, address))


@stream_request_body
class AnswerBox(GetHandler):
    """Accepts a follower's answer. Other sites' pages cannot send one: it must be JSON."""

    def prepare(self) -> None:
        self._body = b""
        self.request.connection.set_max_body_size(LARGEST_ANSWER)  # type: ignore[union-attr]

    def data_received(self, chunk: bytes) -> None:
        self._body += chunk

    async def post(self, code: str) -> None:
        self.set_header("Cache-Control", "no-store")
        try:
            if self.request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
                raise Refusal(415, "An answer is JSON.")
            reply = reply_in(self._body)
            presentation, others = await found(code), broker()
            follows = reply.follower in presentation.names
            if not follows and (others is None or not await others.knows(code, reply.follower)):
                raise Refusal(403, "Only those who follow may answer.")
            await presentation.take(reply)
            self.set_status(204)
        except Refusal as refusal:
            self.set_status(refusal.status)
            self.finish({"words": str(refusal)})


async def found(code: str) -> Presentation:
    """The presentation of a code, here or in another process; raises HTTPError if there is none."""
    presentation, others = PRESENTATIONS.find(code), broker()
    if presentation is None and others is not None:
        presentation = await others.find(code)
    if presentation is None:
        raise HTTPError(404)
    return presentation


def reply_in(body: bytes) -> Reply:
    """The reply in a request's body, its answer not checked yet; raises Refusal for anything else."""
    try:
        sent = json.loads(body, parse_constant=lambda _: None)
        reply = Reply(sent.pop("who"), sent.pop("number"), sent.pop("answer"))
        if not sent and FOLLOWER.fullmatch(reply.follower) and POLL.fullmatch(reply.question):
            return reply
    except (ValueError, RecursionError, KeyError, AttributeError, TypeError):  # not JSON, no object, or a missing name
        pass
    raise Refusal(400, "This is not an answer.")


async def views() -> tuple[str, bytes]:
    """The same as ``packed_views``, which once takes some tenths of a second."""
    from app.classroom.present import packed_views  # imports modules that the server loads after opening its port

    return await asyncio.get_running_loop().run_in_executor(None, packed_views)


DIGEST = "[0-9a-f]{16}"
ROUTES = [
    (rf"/follow/({CODE})", Page),
    (rf"/follow/({CODE})/led", Stream),
    (rf"/follow/({CODE})/answer", AnswerBox),
    (rf"/follow/(views|{CODE})/({DIGEST})", ContentHandler),
]


def serve_followers() -> None:
    """Registers the addresses with those of the page, under the server's prefix, before the server is created."""
    add_routes(ROUTES)
