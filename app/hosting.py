"""What a page and the server that holds it have to do with each other."""

from __future__ import annotations

from bokeh.document import Document
from bokeh.events import ConnectionLost

from app.service import counters
from app.service.gate import gate
from app.state import Session


def hosted(session: Session, document: Document | None) -> None:
    """Gives a page the allowance of the visitor who was let in for it, and counts its connections that are lost."""
    context = document.session_context if document is not None else None
    guest = gate().guest(context.id) if context is not None else None
    if guest is None:
        return
    session.jobs.allowance = guest.allowance
    document.on_event(ConnectionLost, lambda _: counters.connections_lost.inc())
