"""One who follows: a connection on which the server speaks, and nobody else."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

from tornado.concurrent import Future
from tornado.iostream import IOStream

PATIENCE = 30.0
"""Seconds for which one may take nothing of what was sent to it."""
HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-store\r\n"
    b"X-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nretry: 1000\n\n"
)
"""Server-sent events: the browser connects again by itself, and proxies pass them as they pass any answer."""


class Follower:
    """Gets messages; one that is slow gets the newest whole state instead of all that it has missed.

    Attributes:
        who: the random name of its browser, under which it may answer; empty for one that has told none.
        address: where it is.
        is_behind: whether it has missed a message.
    """

    def __init__(self, stream: IOStream, gone: Callable[[Follower], None], who: str = "", address: str = "") -> None:
        self._stream = stream
        self.who, self.address = who, address
        self.is_behind = False
        self._stuck_since = 0.0
        stream.set_nodelay(True)
        stream.set_close_callback(lambda: gone(self))
        stream.write(HEAD)
        # It has asked all that it may ask; nor would anybody read what it sends.
        cast("Future[bytes]", stream.read_bytes(1)).add_done_callback(self._spoken)

    def _spoken(self, done: Future[bytes]) -> None:
        done.exception()
        self.close()

    @property
    def is_waiting(self) -> bool:
        """Whether it has not taken yet what was sent before."""
        return self._stream.writing()

    def send(self, message: bytes) -> None:
        """At most one message is on its way."""
        if self._stream.closed():
            return
        if self._stream.writing():
            self._stuck_since = self._stuck_since or time.monotonic()
            self.is_behind = True
            if time.monotonic() - self._stuck_since > PATIENCE:
                self.close()
            return
        self._stuck_since, self.is_behind = 0.0, False
        self._stream.write(message)

    def finish(self, message: bytes) -> None:
        """Sends a last message."""
        if not self._stream.closed():
            self._stream.write(message).add_done_callback(lambda _: self.close())

    def close(self) -> None:
        """Ends the connection."""
        self._stream.close()
