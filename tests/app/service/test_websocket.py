"""What a websocket sends that is no message is one line in the log."""

import json
import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.app.service.conftest import Serve

INFO = ({"msgid": "1", "msgtype": "SERVER-INFO-REQ"}, {}, {})


@asynccontextmanager
async def page_of(address: str) -> AsyncIterator[WebSocketClientConnection]:
    """A page's websocket, acknowledged."""
    answer = await AsyncHTTPClient().fetch(f"{address}/app")
    token = re.findall(r'"token":"([^"]+)"', answer.body.decode())[0]
    cookie = "; ".join(one.partition(";")[0] for one in answer.headers.get_list("Set-Cookie"))
    request = HTTPRequest(f"{address.replace('http', 'ws', 1)}/app/ws", headers={"Cookie": cookie})
    socket = await websocket_connect(request, subprotocols=["bokeh", token])
    await heard(socket)
    yield socket
    socket.close()


async def heard(socket: WebSocketClientConnection) -> bool:
    """Takes an answer, and says whether there was one."""
    for _ in range(3):
        if await socket.read_message() is None:
            return False
    return True


def say(socket: WebSocketClientConnection, parts: Sequence[object] = INFO) -> None:
    for part in parts:
        socket.write_message(part if isinstance(part, str | bytes) else json.dumps(part), isinstance(part, bytes))


PATCH = {"msgid": "1", "msgtype": "PATCH-DOC"}
MALFORMED: dict[str, Sequence[object]] = {
    "no JSON": ("{", "{}", "{}"),
    "a header that is a list": ([], {}, {}),
    "a header without a type": ({"msgid": "1"}, {}, {}),
    "an unknown type": ({"msgid": "1", "msgtype": "NOTHING"}, {}, {}),
    "a type that is none": ({"msgid": "1", "msgtype": ["PATCH-DOC"]}, {}, {}),
    "bytes for a header": (b"{}",),
    "a reply": ({"msgid": "1", "msgtype": "PULL-DOC-REPLY"}, {}, {}),
    "no id": ({"msgtype": "PULL-DOC-REQ"}, {}, {}),
    "no events": (PATCH, {}, {}),
    "events that are none": (PATCH, {}, {"events": [1]}),
    "an unknown model": (PATCH, {}, {"events": [
        {"kind": "ModelChanged", "model": {"id": "nobody"}, "attr": "x", "new": 1}]}),
    "an unknown kind": (PATCH, {}, {"events": [{"kind": "Nothing"}]}),
    "content that is a list": (PATCH, {}, []),
    "buffers that are no number": ({**PATCH, "num_buffers": "x"}, {}, {"events": []}),
    "a buffer without an id": ({**PATCH, "num_buffers": 1}, {}, {"events": []}, {}, b""),
    "a buffer that is no object": ({**PATCH, "num_buffers": 1}, {}, {"events": []}, 3, b""),
    "a document": ({"msgid": "1", "msgtype": "PUSH-DOC"}, {}, {"doc": {}}),
}  # fmt: skip


async def test_malformed_messages_leave_no_traceback(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    """Each to a page of its own, which goes on or whose connection is closed; other pages go on."""
    async with serve() as address, page_of(address) as other:
        for case, parts in MALFORMED.items():
            caplog.clear()
            async with page_of(address) as page:
                say(page, parts)
                say(page)
                goes_on = await heard(page)
            told = [record for record in caplog.records if record.levelno >= logging.WARNING]
            assert 1 <= len(told) <= 2 * len([*parts, *INFO]) if case != "a reply" else not told, case
            assert not any(record.exc_info for record in told), case
            assert all(record.getMessage().startswith("what a browser asked for") for record in told), case
            assert goes_on or page.close_code, case
            say(other)
            assert await heard(other)
