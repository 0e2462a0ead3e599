"""The websocket of a page takes no more of the server than a person has reason to ask."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from tornado.websocket import WebSocketHandler

BURST, PERIOD = 4.0, 12.0
"""Seconds of the server's event loop that the messages of one page may take in so many seconds, all at once if need be.
A mouse that drags takes a tenth of that."""
LEAST = 5e-4
"""Seconds that a frame counts besides what it takes. A message has three frames."""
UNREAD = 60.0
"""Seconds after which a connection is closed over which nothing gets through."""
PROTOCOL_ERROR = 1002


class TokenBucket:
    """Fills at a constant rate up to its capacity: short bursts are allowed, a steady flood is not."""

    def __init__(self, capacity: float, period: float, now: Callable[[], float] = time.monotonic) -> None:
        self._capacity, self._period, self._now = capacity, period, now
        self._left, self._at = capacity, now()

    @property
    def left(self) -> float:
        """What may be taken at once; negative if too much was taken."""
        now = self._now()
        self._left = min(self._capacity, self._left + (now - self._at) * self._capacity / self._period)
        self._at = now
        return self._left

    def take(self, amount: float) -> None:
        """Take some, even more than is left: the time that work takes is known only afterwards."""
        self._left = self.left - amount


def bound(handler: Any) -> None:
    """Have a websocket that opens handle each frame in its turn; what is not read yet waits in the browser."""
    seconds, handle = TokenBucket(BURST, PERIOD), handler.on_message
    close_unread(handler)

    async def on_message(frame: str | bytes) -> None:
        seconds.take(LEAST)
        await asyncio.sleep(max(0.0, -seconds.left * PERIOD / BURST))  # others have their turn, at least
        if handler.ws_connection is None:
            return
        if handler.connection is None:
            handler.close(PROTOCOL_ERROR, "a message came before the page was acknowledged")
            return
        await timed(handle(frame), seconds.take)

    handler.on_message = on_message


def close_unread(handler: WebSocketHandler) -> None:
    """Have the system close a connection whose machine sleeps or is gone; Linux itself waits a quarter of an hour."""
    stream: Any = getattr(handler.request.connection, "stream", None)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None and getattr(stream, "socket", None) is not None:
        with contextlib.suppress(OSError):  # a Unix socket has no such option
            stream.socket.setsockopt(socket.IPPROTO_TCP, option, round(1e3 * UNREAD))


@types.coroutine
def timed(work: Coroutine[Any, Any, None], note: Callable[[float], None]) -> Generator[Any, None, None]:
    """Await some work, and note the seconds of each of its turns; what others do between them does not count."""
    while True:
        begun = time.monotonic()
        try:
            awaited = work.send(None)
        except StopIteration:
            return
        finally:
            note(time.monotonic() - begun)
        yield awaited
