"""Addresses beside the page: ``/health`` for load balancers, ``/metrics`` for Prometheus, and the page that waits."""

from __future__ import annotations

import asyncio
import html
import ipaddress
import math
import os
import threading
from functools import cache
from pathlib import Path

from bokeh.server.urls import toplevel_patterns
from prometheus_client import CONTENT_TYPE_LATEST
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

from app.service import counters
from app.service.limits import FRAMES, METRICS, OF_FRAMES, OF_METRICS, choice
from app.service.sessions import Refusal, sessions

FORWARDED = "Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"
"""What a proxy adds: a request with one of them comes from elsewhere."""


class Health(RequestHandler):
    """200 while visitors are welcome; 503 while none should be sent here. No session is made by it."""

    def get(self) -> None:
        own = sessions()
        refusal = own.refusal("")
        self.set_header("Cache-Control", "no-store")
        self.set_status(200 if refusal is None else 503)
        if refusal is not None:
            self.set_header("Retry-After", str(seconds_of(refusal)))
        self.finish({"status": refusal.reason if refusal else "ready", "sessions": len(own)})

    head = get


class Metrics(RequestHandler):
    """The counters; for whoever asks on this machine, or for anyone where the environment says so."""

    def get(self) -> None:
        if choice(os.environ, METRICS, OF_METRICS) != "anyone" and not is_of_this_machine(self.request):
            self.set_status(403)
            self.finish(f"Counters are read on the machine itself, or where {METRICS} is anyone.\n")
            return
        counters.tasks.set(len(asyncio.all_tasks()))
        counters.threads.set(threading.active_count())
        self.set_header("Content-Type", CONTENT_TYPE_LATEST)
        self.finish(counters.as_text())


def is_of_this_machine(request: HTTPServerRequest) -> bool:
    """Whether a request comes from this machine, and through no proxy."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.remote_ip or "").is_loopback
    except ValueError:
        return False


def address_of(request: HTTPServerRequest) -> str:
    """Where a request comes from: one place for all of a network of the sixth protocol, which its owner counts alone.

    Behind a proxy that is the proxy's, unless the server was told to believe it: ``--use-xheaders``.
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


PATTERNS = (r"/health", Health), (r"/metrics", Metrics)


def mount() -> None:
    """Has every server that is made from now on answer at these addresses, behind its prefix."""
    known = {pattern[0] for pattern in toplevel_patterns}
    toplevel_patterns.extend(pattern for pattern in PATTERNS if pattern[0] not in known)


def protect(handler: RequestHandler) -> None:
    """Has browsers take a page for nothing but a page, tell other sites nothing of its address, and frame it nowhere.

    Unless the environment says that it may be framed.
    """
    handler.set_header("X-Content-Type-Options", "nosniff")
    handler.set_header("Referrer-Policy", "same-origin")
    if choice(os.environ, FRAMES, OF_FRAMES) == "self":
        handler.set_header("Content-Security-Policy", "frame-ancestors 'self'")


def have_wait(handler: RequestHandler, refusal: Refusal) -> None:
    """Answers a visitor by a page that tries again by itself."""
    after = str(seconds_of(refusal))
    turn_away(handler, refusal, _waiting().replace("{words}", html.escape(refusal.words)).replace("{after}", after))


def turn_away(handler: RequestHandler, refusal: Refusal, page: str) -> None:
    """Answers for now, by a page that nobody keeps."""
    handler.set_status(503)
    handler.set_header("Retry-After", str(seconds_of(refusal)))
    handler.set_header("Cache-Control", "no-store")
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.finish(page)


def seconds_of(refusal: Refusal) -> int:
    """Whole seconds after which it is worth another try."""
    return max(1, math.ceil(refusal.after))


@cache
def _waiting() -> str:
    return Path(__file__).with_name("waiting.html").read_text(encoding="utf-8")
