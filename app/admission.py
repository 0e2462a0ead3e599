"""Nobody chooses a session: its id is this server's to give, by chance, to one page alone of one browser alone.

Bokeh takes this file for its module of authentication, which it asks about every request before it answers; so it is
here that a visitor is admitted or told to wait.
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
from app.service import patience
from app.service.addresses import address_of, have_wait, protect
from app.service.sessions import sessions

CHOOSING = "bokeh-session-id", "bokeh-token"
"""What an address, or the first of them as a header, would choose a session with."""
BROWSER = "armsweep-browser"
"""How cookies begin by which a browser is known again, and the name of a digest in what a page is signed with.

Tabs that are opened together, before there is one, are given one each: none of them is lost to another.
"""
EMBEDS = "iframe", "frame", "embed", "object"
WINDOWS = "document", *EMBEDS
"""Values of Sec-Fetch-Dest for an address that is opened in a window or a frame."""
EMBEDDED = "Armsweep-Embedded"
"""A header: what asks for the page itself stands in a page of another site."""
login_url = "/"
"""Bokeh asks for one where somebody is refused; nobody who asks for a page is."""


def guard_sessions() -> None:
    """Has the server sign what it gives, and take nothing else, nor from another browser; before there is a server.

    Processes that are forked later share the key. Several machines behind one address need ``BOKEH_SECRET_KEY``.
    """
    settings.secret_key = settings.secret_key() or generate_secret_key()
    # Bokeh keeps what it found when there was no key; with that no server starts.
    vars(settings).pop("_secret_key_bytes", None)
    settings.sign_sessions = settings.secret_key_bytes() is not None
    settings.auth_module = settings.auth_module() or __file__  # whoever has his own sees to who may enter


def refuse_chosen_session(request: HTTPServerRequest) -> None:
    """Whoever follows a link with an id in it would share the page of whoever sent it: uploads, and every click.

    Raises:
        HTTPError: for a request that names a session.
    """
    if names_session(request):
        raise HTTPError(403, reason="This address names a session. Leave that out: each page has its own")


def names_session(request: HTTPServerRequest) -> bool:
    """Whether a request says which session it is for."""
    return CHOOSING[0] in request.headers or any(name in request.arguments for name in CHOOSING)


def signed_along(request: HTTPServerRequest) -> dict[str, Any]:
    """What is signed with a session's id, and stands in its page: whose it is, but no cookie and no header."""
    known = _digests(request)
    return {BROWSER: known[0], "cookies": {}, "headers": {}} if known else {}


async def get_user_async(handler: RequestHandler) -> str | None:
    """Anybody for whom there is room, but by a websocket only the browser that the session's page was given to.

    A page that stands in one of another site is anybody's: browsers lend cookies to none of these.
    """
    request = handler.request
    if isinstance(handler, WebSocketHandler):
        return "anybody" if _is_its_own(handler) and _is_let_in(handler) else None
    is_page = isinstance(handler, DocHandler)
    asks = request.method == "GET" and (is_page or isinstance(handler, AutoloadJsHandler))
    dest, other = (request.headers.get(f"Sec-Fetch-{name}") for name in ("Dest", "Site"))
    is_embedded = (dest in EMBEDS and other == "cross-site") or EMBEDDED in request.headers
    if is_page:
        protect(handler)
    if asks and is_page and not names_session(request) and (dest in WINDOWS or not sessions().is_ready):
        show_first(handler, _asked(request), is_embedded)
        return None
    if asks and not names_session(request):
        refusal = sessions().admit(address_of(request))
        if refusal is not None:
            have_wait(handler, refusal)
            return None
    if is_page and not _digests(request) and not is_embedded:
        name, value = f"{BROWSER}-{secrets.token_hex(4)}", secrets.token_urlsafe()
        handler.set_cookie(name, value, httponly=True, samesite="Lax", secure=request.protocol == "https")
        request.cookies.update(SimpleCookie({name: value}))
    return "anybody"


def _asked(request: HTTPServerRequest) -> Mapping[str, str]:
    """What an address says; of a lesson's step, what that shows, once that is known."""
    query = {name: values[0].decode(errors="replace") for name, values in request.arguments.items()}
    if not sessions().is_ready:
        return query
    from app.lessons.lessons import NAME  # which are loaded by now; the port opens before they are
    from app.lessons.library import linked

    return linked(query, NAME)


def _is_its_own(handler: WebSocketHandler) -> bool:
    """Whether a websocket brings a token of this server's, from the browser that it was given to."""
    application: Any = handler.application
    token = _token_of(handler)
    try:
        if not check_token_signature(token, secret_key=application.secret_key, signed=application.sign_sessions):
            return False
        owner = get_token_payload(token).get(BROWSER)
    except (ValueError, KeyError, TypeError):  # no token at all
        return False
    return owner is None or any(secrets.compare_digest(str(owner), known) for known in _digests(handler.request))


def _is_let_in(handler: Any) -> bool:
    """Whether the session of a websocket is here, or may be made anew, of a page that another process has sent."""
    patience.bound(handler.request)
    token = _token_of(handler)
    if any(session.id == get_session_id(token) for session in handler.application_context.sessions):
        return True
    return sessions().admit(address_of(handler.request)) is None


def _token_of(handler: WebSocketHandler) -> str:
    return handler.request.headers.get("Sec-WebSocket-Protocol", "").rpartition(",")[2].strip()


def _digests(request: HTTPServerRequest) -> list[str]:
    """Of the cookies by which a browser is known; empty for one that was not here."""
    known = (cookie.value for name, cookie in request.cookies.items() if name.startswith(BROWSER))
    return [hashlib.sha256(value.encode()).hexdigest() for value in known]
