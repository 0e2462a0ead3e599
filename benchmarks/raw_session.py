"""A page without a browser: the websocket of one session, which opens, plays, changes and closes as a browser does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import struct
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

TOKEN = re.compile(r'"token":"([^"]+)"')
CLOSING = 6.0
"""Seconds after which a connection is closed if the server has not closed it."""
CLOSED = "the server has closed the websocket"
MOST_REFUSALS = 30
PIECE = 2**32 - 1
HEAD = struct.Struct("<4I")
"""Header of a piece of a run: its type, its scene, its track, its number."""


class RawSession:
    """One open page.

    Attributes:
        pieces: number of received pieces of runs.
        closed: whether the server has closed it.
        refused: how often it had to wait before it was opened.
    """

    def __init__(self, request: HTTPRequest, token: str) -> None:
        self._request, self._token = request, token
        self._socket: WebSocketClientConnection
        self._writing = asyncio.Lock()  # the parts of a message are sent together
        self._models: dict[str, dict[str, Any]] = {}
        self._listening: asyncio.Task[None] | None = None
        self.pieces, self.closed, self.bytes, self.refused = 0, False, 0, 0
        self.track = 0

    async def join(self) -> None:
        """Sends the page's token to the server."""
        protocols = ["bokeh", self._token]
        self._socket = await websocket_connect(
            self._request, subprotocols=protocols, max_message_size=2**27, compression_options={}
        )
        await self._read()  # the acknowledgement

    async def join_again(self) -> None:
        """Reconnects, as a browser does after its connection was lost."""
        await self.close()
        self.closed = False
        await self.join()

    async def begin(self) -> None:
        """Receives the document, and reports that it is shown."""
        await self._write("PULL-DOC-REQ", {})
        document = await self._read()
        for one in objects(document):
            name = one.get("attributes", {}).get("class_name")
            if isinstance(name, str):
                self._models.setdefault(name, one)
        self._listening = asyncio.create_task(self._listen())
        await self._patch({"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": {
            "type": "event", "name": "document_ready", "values": {"type": "map"}}})  # fmt: skip
        data = self._models["Viewer"]["attributes"]["data"]["id"]
        await self._patch({"kind": "ModelChanged", "model": {"id": data}, "attr": "webgl", "new": True})
        await self.say("Viewer", "ready")

    async def say(self, component: str, data: object) -> None:
        """Sends a message as a component's script in the browser does."""
        if isinstance(data, dict):
            data = {"type": "map", "entries": [[key, value] for key, value in data.items()]}
        values = {"type": "map", "entries": [["model", {"id": self._models[component]["id"]}], ["data", data]]}
        event = {"type": "event", "name": "data_event", "values": values}
        await self._patch({"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event})

    async def close(self) -> None:
        """Closes it as a closed tab does, even if messages are still under way."""
        if self._listening is not None:
            self._listening.cancel()
        self._socket.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                while await self._socket.read_message() is not None:
                    pass

    async def _patch(self, event: dict[str, Any]) -> None:
        await self._write("PATCH-DOC", {"events": [event]})

    async def _write(self, kind: str, content: dict[str, Any]) -> None:
        async with self._writing:
            for part in ({"msgid": uuid.uuid4().hex, "msgtype": kind}, {}, content):
                try:
                    await self._socket.write_message(json.dumps(part))
                except WebSocketClosedError as error:  # while an earlier message was answered
                    self.closed = True
                    raise ConnectionError(CLOSED) from error

    async def _read(self) -> Any:
        """The content of the next message; its binary buffers are inspected and acknowledged."""
        header = json.loads(await self._part())
        await self._part()
        content = json.loads(await self._part())
        for _ in range(header.get("num_buffers", 0)):
            await self._part()
            buffer = await self._part()
            if isinstance(buffer, bytes) and len(buffer) >= HEAD.size:
                kind, _, track, number = HEAD.unpack_from(buffer)
                if kind == PIECE:
                    self.pieces, self.track = self.pieces + 1, track
                    if self._listening is not None:
                        await self.say("Viewer", {"taken": track, "number": number})
        return content

    async def _part(self) -> str | bytes:
        part = await self._socket.read_message()
        if part is None:
            self.closed = True
            raise ConnectionError(CLOSED)
        self.bytes += len(part)
        return part

    async def _listen(self) -> None:
        while not self.closed:
            try:
                await self._read()
            except ConnectionError:
                return


@asynccontextmanager
async def opened(address: str, query: str = "play=1") -> AsyncIterator[RawSession]:
    """An open page at an address, closed afterwards; if it has to wait, it tries again later."""
    refused = 0
    while True:
        asked = HTTPRequest(f"{address}?{query}", request_timeout=60.0)
        answer = await AsyncHTTPClient().fetch(asked, raise_error=False)
        if answer.code != 503 or refused == MOST_REFUSALS:
            break
        refused += 1
        await asyncio.sleep(float(answer.headers.get("Retry-After", 1)) * random.uniform(0.5, 1.5))
    answer.rethrow()
    token = TOKEN.findall(answer.body.decode())[0]
    cookie = "; ".join(one.partition(";")[0] for one in answer.headers.get_list("Set-Cookie"))
    request = HTTPRequest(f"{address.replace('http', 'ws', 1)}/ws", headers={"Cookie": cookie}, request_timeout=60.0)
    session = RawSession(request, token)
    session.refused = refused
    await session.join()
    try:
        await session.begin()
        yield session
    finally:
        await session.close()


def objects(document: Any) -> Iterator[dict[str, Any]]:
    """Every model in a document."""
    waiting = [document]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if one.get("type") == "object" and "id" in one:
                yield one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


async def use(session: RawSession, seconds: float) -> None:
    """Plays for a while, then pushes an arm, undoes that, steps, and plays again."""
    begun, jump = time.monotonic(), 0
    changes = iter((
        ("Keyboard", "a"),
        ("Viewer", {"phase": "start", "mesh": 6, "place": [0.0, 0.0, 0.1], "target": [0.3, 0.2, 0.6]}),
        ("Viewer", {"phase": "move", "mesh": 6, "place": [0.0, 0.0, 0.1], "target": [0.5, 0.1, 0.7]}),
        ("Viewer", {"phase": "end", "mesh": 6, "place": [0.0, 0.0, 0.1], "target": [0.5, 0.1, 0.7]}),
        ("Keyboard", "ctrl+z"), ("Keyboard", "."), ("Keyboard", "r"), ("Keyboard", " "), ("Keyboard", " "),
    ))  # fmt: skip
    while (played := time.monotonic() - begun) < seconds and not session.closed:
        await asyncio.sleep(seconds / 12)
        await session.say("Viewer", {"moment": played, "jump": jump, "held": False})
        if (change := next(changes, None)) is not None:
            await session.say(*change)
