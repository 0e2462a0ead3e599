"""The websocket of a page: its messages are packed, and take no more of the server than a person has reason to ask."""

from __future__ import annotations

import asyncio
import time
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from bokeh.server.urls import per_app_patterns
from bokeh.server.views.ws import WSHandler

from app.service.allowance import Bucket

PACKED = {"compression_level": 1, "mem_level": 6}
"""How: little time for each message, and some 100 KiB of memory for a page."""
BURST, PERIOD = 4.0, 12.0
"""Seconds of the server's only event loop that one page's messages may take in so many seconds; they may take them at
once. A mouse that drags takes a tenth of that."""
LEAST = 5e-4
"""Seconds that a frame counts beside what it takes; a message has three: 200 in a second that ask for nothing."""
BROKEN = 1002
"""Code of the websocket protocol: what came is no message."""


class PageSocket(WSHandler):
    """A websocket that gives others their turn after each frame, and reads on only when its page may ask for more.

    What is not read yet waits in the browser: no message is lost.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seconds = Bucket(BURST, period=PERIOD)

    def get_compression_options(self) -> dict[str, Any]:
        """As the server was told, or as above."""
        return super().get_compression_options() or PACKED

    async def on_message(self, fragment: str | bytes) -> None:
        """Handles a frame when its turn has come; after the connection was closed it is dropped."""
        await asyncio.sleep(self._delay())
        if self.ws_connection is None:
            return
        if self.connection is None:
            self.close(BROKEN, "a message came before the page was acknowledged")
            return
        await timed(super().on_message(fragment), self._seconds.take)

    def _delay(self) -> float:
        """Seconds until one more frame may be handled."""
        self._seconds.take(LEAST)
        return max(0.0, -self._seconds.left * PERIOD / BURST)


@types.coroutine
def timed(work: Coroutine[Any, Any, None], note: Callable[[float], None]) -> Generator[Any, None, None]:
    """Awaits some work, and notes the seconds that each of its turns takes; those of others do not count."""
    while True:
        begun = time.monotonic()
        try:
            awaited = work.send(None)
        except StopIteration:
            return
        finally:
            note(time.monotonic() - begun)
        yield awaited


def bound_messages() -> None:
    """Has every server that is made from now on bound what a page's messages may take; before there is a server."""
    for k, (route, handler, *more) in enumerate(per_app_patterns):
        if issubclass(handler, WSHandler) and not issubclass(handler, PageSocket):
            per_app_patterns[k] = (route, type("BoundSocket", (PageSocket, handler), {}), *more)
