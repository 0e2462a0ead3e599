"""Nobody chooses a session: its id is this server's to give, by chance and to one page alone."""

from __future__ import annotations

from bokeh.settings import settings
from bokeh.util.token import generate_secret_key
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError

CHOOSING = "bokeh-session-id", "bokeh-token"
"""What an address, or the first of them as a header, would choose a session with."""


def sign_sessions() -> None:
    """Has the server sign what it gives, and take nothing else, by websocket neither; before there is a server.

    Processes that are forked later share the key. Several machines behind one address need ``BOKEH_SECRET_KEY``.
    """
    settings.secret_key = settings.secret_key() or generate_secret_key()
    # Bokeh keeps what it found when there was no key; with that no server starts.
    vars(settings).pop("_secret_key_bytes", None)
    settings.sign_sessions = settings.secret_key_bytes() is not None


def refuse_chosen_session(request: HTTPServerRequest) -> None:
    """Whoever follows a link with an id in it would share the page of whoever sent it: uploads, and every click.

    Raises:
        HTTPError: for a request that names a session.
    """
    if CHOOSING[0] in request.headers or any(name in request.arguments for name in CHOOSING):
        raise HTTPError(403, reason="This address names a session. Leave that out: each page has its own")
