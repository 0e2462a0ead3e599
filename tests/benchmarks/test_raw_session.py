"""A page without a browser knows that its server has gone, whichever way it hears of it."""

from __future__ import annotations

import asyncio
import json

import pytest
from tornado.httpclient import HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler

from benchmarks.raw_session import RawSession
from tests.conftest import run_apart


class Leaving(WebSocketHandler):
    """Acknowledges a client, and closes."""

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        return subprotocols[0]

    def open(self, *_: str) -> None:
        for part in ({"msgtype": "ACK"}, {}, {}):
            self.write_message(json.dumps(part))
        self.close()


def test_a_page_that_writes_to_a_server_that_has_gone_is_closed() -> None:
    """It reads what had come before and answers; this answer is the first that finds the server gone."""

    async def live() -> None:
        listening, port = bind_unused_port()
        server = HTTPServer(Application([("/ws", Leaving)]))
        server.add_socket(listening)
        session = RawSession(HTTPRequest(f"ws://127.0.0.1:{port}/ws"), "token")
        await session.join()
        assert not session.closed
        await asyncio.sleep(0.3)
        with pytest.raises(ConnectionError, match="closed the websocket"):
            await session.begin()
        assert session.closed
        server.stop()

    run_apart(live())
