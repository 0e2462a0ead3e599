"""Whether server and browser hear each other; the browser tells what is late or lost, and comes back by itself."""

from __future__ import annotations

from app.component import Component

BEAT = "beat"


class Connection(Component):
    """Answers the browser, which asks now and then; shows nothing while all is well."""

    _esm = "connection.js"

    def __init__(self, **params: object) -> None:
        super().__init__(width=0, height=0, margin=0, **params)

    def _handle_msg(self, data: object) -> None:
        if data == BEAT:
            self._send_msg(BEAT)
