"""What ties a page to the server that holds it."""

from __future__ import annotations

from bokeh.document import Document
from bokeh.events import ConnectionLost

from app.service import counters
from app.service.sessions import sessions
from app.state import Session


def hosted(session: Session, document: Document | None) -> None:
    """Gives a page the allowance of its session, and counts its lost connections."""
    context = document.session_context if document is not None else None
    own = sessions().get(context.id) if context is not None else None
    if own is None:
        return
    session.jobs.allowance = own.allowance
    document.on_event(ConnectionLost, lambda _: counters.connections_lost.inc())
