"""Nobody chooses a session: its id is this server's to give, by chance and to one page alone."""

from __future__ import annotations

from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError

CHOOSING = "bokeh-session-id", "bokeh-token"
"""What an address, or the first of them as a header, would choose a session with."""


def refuse_chosen_session(request: HTTPServerRequest) -> None:
    """Whoever follows a link with an id in it would share the page of whoever sent it: uploads, and every click.

    Raises:
        HTTPError: for a request that names a session.
    """
    if CHOOSING[0] in request.headers or any(name in request.arguments for name in CHOOSING):
        raise HTTPError(403, reason="This address names a session. Leave that out: each page has its own")
