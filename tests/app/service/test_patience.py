"""A browser that reads nothing is given up, with all that waits for it."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from tornado.httpserver import HTTPServer
from tornado.web import Application
from tornado.websocket import WebSocketHandler

from app.service import patience

Run = Callable[[Coroutine[Any, Any, Any]], Any]

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system does not bound how long what was sent may stay unread"
)


class Flood(WebSocketHandler):
    """Sends more than any buffer holds, and notes when its connection has gone."""

    given_up: asyncio.Future[float]

    def check_origin(self, origin: str) -> bool:
        return True

    def prepare(self) -> None:
        patience.bound(self.request, 0.5)

    def open(self, *_: str) -> None:
        for _ in range(64):
            self.write_message(b"x" * 2**20, binary=True)

    def on_close(self) -> None:
        Flood.given_up.set_result(time.monotonic())


@pytest.mark.slow
def test_what_nobody_reads_is_not_kept(run_async: Run) -> None:
    async def live() -> float:
        Flood.given_up = asyncio.get_running_loop().create_future()
        server = HTTPServer(Application([("/", Flood)]))
        own = socket.create_server(("127.0.0.1", 0))
        own.setblocking(False)
        server.add_socket(own)
        reader, writer = await asyncio.open_connection(*own.getsockname(), limit=1024)
        lines = ("GET / HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                 "Sec-WebSocket-Key: eHh4eHh4eHh4eHh4eHh4eA==", "", "")  # fmt: skip
        writer.write("\r\n".join(lines).encode())
        begun = time.monotonic()
        gone = await asyncio.wait_for(Flood.given_up, 20.0)
        del reader
        writer.transport.abort()
        server.stop()
        return gone - begun

    assert 0.3 < run_async(live()) < 15.0


def test_a_connection_of_another_kind_is_left_alone() -> None:
    assert not patience.bound(SimpleNamespace(connection=None))  # type: ignore[arg-type]
