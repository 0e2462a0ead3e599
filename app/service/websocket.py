"""Limits the server time that the websocket of a page can use."""

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
"""Seconds of the server's event loop that one page's messages may use, possibly at once, and the period in seconds.
Dragging with a mouse takes a tenth of that."""
LEAST = 5e-4
"""Seconds added to the time of each frame. A message has three frames."""
UNREAD = 60.0
"""Seconds after which a connection without acknowledged data is closed."""
PROTOCOL_ERROR = 1002


class TokenBucket:
    """Fills at a constant rate up to its capacity: short bursts are allowed, a steady flood is not."""

    def __init__(self, capacity: float, period: float, now: Callable[[], float] = time.monotonic) -> None:
        self._capacity, self._period, self._now = capacity, period, now
        self._left, self._at = capacity, now()

    @property
    def left(self) -> float:
        """The amount available at once; negative if too much was taken."""
        now = self._now()
        self._left = min(self._capacity, self._left + (now - self._at) * self._capacity / self._period)
        self._at = now
        return self._left

    def take(self, amount: float) -> None:
        """Take an amount, even more than is left: the time of a task is known only afterwards."""
        self._left = self.left - amount


def bound(handler: Any) -> None:
    """Make a websocket that opens handle its frames one by one; further frames wait in the browser."""
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
    """Let the system close a connection whose peer sleeps or is gone; by default Linux waits a quarter of an hour."""
    stream: Any = getattr(handler.request.connection, "stream", None)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None and getattr(stream, "socket", None) is not None:
        with contextlib.suppress(OSError):  # a Unix socket has no such option
            stream.socket.setsockopt(socket.IPPROTO_TCP, option, round(1e3 * UNREAD))


@types.coroutine
def timed(work: Coroutine[Any, Any, None], note: Callable[[float], None]) -> Generator[Any, None, None]:
    """Await a coroutine, and note the seconds of each of its steps, without what runs between them."""
    while True:
        begun = time.monotonic()
        try:
            awaited = work.send(None)
        except StopIteration:
            return
        finally:
            note(time.monotonic() - begun)
        yield awaited
