"""Session ids are random, signed by this server, and valid only in the browser that received them.

Bokeh loads this file as its authentication module and calls it for every request, so it also decides here whether a
visitor is admitted or has to wait.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import Any

from bokeh.server.views.autoload_js_handler import AutoloadJsHandler
from bokeh.server.views.doc_handler import DocHandler
from bokeh.settings import settings
from bokeh.util.token import check_token_signature, generate_secret_key, get_session_id, get_token_payload
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketHandler

from app.opening import show_first
from app.service import websocket
from app.service.routes import protect, turn_away
from app.service.sessions import sessions

CHOOSING = "bokeh-session-id", "bokeh-token"  # query arguments and header that could choose a session
BROWSER = "armsweep-browser"
"""Prefix of the cookies that identify a browser, and key of a cookie's digest in the signed token of a page.

Tabs opened at the same time, before there is a cookie, each get their own, so that none loses its cookie to another.
"""
EMBEDS = "iframe", "frame", "embed", "object"
WINDOWS = "document", *EMBEDS  # values of Sec-Fetch-Dest for an address that is opened in a window or a frame
EMBEDDED = "Armsweep-Embedded"
"""Header that the first document sends when it requests the page itself while embedded in a page of another site."""
login_url = "/"  # bokeh requires it for a visitor without access; here every visitor has access


def guard_sessions() -> None:
    """Have the server sign session ids, and call this module for every request. Call before the server is created.

    Processes forked later share the key. Several machines behind one address need ``BOKEH_SECRET_KEY``.
    """
    settings.secret_key = settings.secret_key() or generate_secret_key()
    # Bokeh cached at import that there is no key, and has no public way to clear that. If it cached it under another
    # name, no server would start, and test_admission would fail.
    vars(settings).pop("_secret_key_bytes", None)
    settings.sign_sessions = settings.secret_key_bytes() is not None
    settings.auth_module = settings.auth_module() or __file__  # an operator's own module calls this one


def process_request(request: HTTPServerRequest) -> dict[str, Any]:
    """The payload signed with a session's id and placed in its page: its browser, but no cookie and no header.

    Bokeh calls this before it creates a session. A link that contains a session id is refused: anyone who followed it
    would share the author's page, uploads and all.

    Raises:
        HTTPError: for a request that names a session.
    """
    if names_session(request):
        raise HTTPError(403, reason="This address names a session. Leave that out: each page has its own")
    known = _digests(request)
    return {BROWSER: known[0], "cookies": {}, "headers": {}} if known else {}


def names_session(request: HTTPServerRequest) -> bool:
    """Whether a request says which session it is for."""
    return CHOOSING[0] in request.headers or any(name in request.arguments for name in CHOOSING)


async def get_user_async(handler: RequestHandler) -> str | None:
    """Admit a visitor; over a websocket, only the browser that received the session's page.

    A page embedded in another site's page has no cookie, because browsers send none there.
    """
    request = handler.request
    if isinstance(handler, WebSocketHandler):
        websocket.bound(handler)
        return "anybody" if _is_its_own(handler) and _has_session(handler) else None
    is_page = isinstance(handler, DocHandler)
    opens = (
        request.method == "GET" and (is_page or isinstance(handler, AutoloadJsHandler)) and not names_session(request)
    )
    dest, other = (request.headers.get(f"Sec-Fetch-{name}") for name in ("Dest", "Site"))
    is_embedded = (dest in EMBEDS and other == "cross-site") or EMBEDDED in request.headers
    if is_page:
        protect(handler)
    if opens and is_page and (dest in WINDOWS or not sessions().is_ready):
        show_first(handler, _query(request), is_embedded)
        return None
    if opens and (refusal := sessions().admit()) is not None:
        turn_away(handler, refusal)
        return None
    if is_page and not _digests(request) and not is_embedded:
        name, value = f"{BROWSER}-{secrets.token_hex(4)}", secrets.token_urlsafe()
        handler.set_cookie(name, value, httponly=True, samesite="Lax", secure=request.protocol == "https")
        request.cookies.update(SimpleCookie({name: value}))
    return "anybody"


def _query(request: HTTPServerRequest) -> Mapping[str, str]:
    """The arguments of an address. For a step of a lesson: those of what it shows, once lessons are loaded."""
    query = {name: values[0].decode(errors="replace") for name, values in request.arguments.items()}
    if not sessions().is_ready:
        return query
    from app.lessons.lessons import NAME  # after the port is open
    from app.lessons.library import linked

    return linked(query, NAME)


def _is_its_own(handler: WebSocketHandler) -> bool:
    """Whether a websocket has a token of this server and comes from the browser that received it."""
    application: Any = handler.application
    token = _token_of(handler)
    try:
        if not check_token_signature(token, secret_key=application.secret_key, signed=application.sign_sessions):
            return False
        owner = get_token_payload(token).get(BROWSER)
    except (ValueError, KeyError, TypeError):  # no token at all
        return False
    return owner is None or any(secrets.compare_digest(str(owner), known) for known in _digests(handler.request))


def _has_session(handler: Any) -> bool:
    """Whether a websocket's session is open here, or may be opened again after another process has sent its page."""
    session = get_session_id(_token_of(handler))
    return any(one.id == session for one in handler.application_context.sessions) or sessions().admit() is None


def _token_of(handler: WebSocketHandler) -> str:
    return handler.request.headers.get("Sec-WebSocket-Protocol", "").rpartition(",")[2].strip()


def _digests(request: HTTPServerRequest) -> list[str]:
    """Digests of the cookies that identify a browser; empty on its first visit."""
    known = (cookie.value for name, cookie in request.cookies.items() if name.startswith(BROWSER))
    return [hashlib.sha256(value.encode()).hexdigest() for value in known]
