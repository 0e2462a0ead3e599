"""A page without a browser: a websocket session that receives the run in pieces, plays and reports as a player does."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from app.viewer.playing import PIECE

MOST_BYTES = 1 << 26
TICK = 1.0 / 30.0
"""Seconds between two updates of its clock."""
NEAR = 5
"""Most intervals between two instants that are interpolated, as in ``track.js``."""
TOKEN = re.compile(r'"token":"([^"]+)"')


@dataclass
class Track:
    """The received instants of one look of a run, by index."""

    indices: set[int] = field(default_factory=set)

    def covers(self, index: int) -> bool:
        return not self.indices.isdisjoint(range(index, index - NEAR, -1)) and (
            not self.indices.isdisjoint(range(index + 1, index + 1 + NEAR)) or index in self.indices
        )


class RawPage:
    """One session.

    Attributes:
        asked, answered, moved: s of `time.monotonic` at which the page was requested, its document arrived, and its
            picture first moved.
        bytes, messages: received by the websocket.
        answers: s from each change of a slider to the first picture of the resulting run.
        waiting: s for which the clock stood during playback because an instant was missing.
        refused: how often it had to wait.
        closed: whether the server has closed the connection.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked = self.answered = self.moved = math.nan
        self.bytes = self.messages = 0
        self.answers: list[float] = []
        self.waiting = 0.0
        self.refused = 0
        self.closed = False
        self._ids: dict[str, str] = {}
        self._scene: dict[str, Any] = {}
        self._state: dict[str, Any] = {}
        self._track, self._shown = Track(), 0
        self._time = 0.0
        self._since = math.nan
        self._names = itertools.count(1)
        self._tasks: list[asyncio.Task[None]] = []
        self._socket: WebSocketClientConnection | None = None

    async def open(self) -> None:
        """Requests the page, then its document, and starts playing."""
        self.asked = time.monotonic()
        while (
            page := await AsyncHTTPClient(max_clients=200).fetch(
                HTTPRequest(self.url, request_timeout=300.0), raise_error=False
            )
        ).code == 503:
            self.refused += 1
            await asyncio.sleep(float(page.headers["Retry-After"]))
        page.rethrow()
        token = TOKEN.search(page.body.decode())
        assert token is not None
        head, _, query = self.url.partition("?")
        request = HTTPRequest(
            f"ws{head.removeprefix('http')}/ws?{query}",
            headers={"Cookie": page.headers["Set-Cookie"].partition(";")[0]},
        )
        self._socket = await websocket_connect(
            request,
            subprotocols=["bokeh", token[1]],
            max_message_size=MOST_BYTES,
            ping_interval=None,
            compression_options={},  # as browsers do
        )
        await self._message()  # the acknowledgement
        self._send("PULL-DOC-REQ", {})
        while not self._ids:
            await self._message()
        self.answered = time.monotonic()
        self._tasks = [asyncio.create_task(work) for work in (self._listen(), self._play())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._socket is not None:
            self._socket.close()

    def open_instrument(self, name: str) -> None:
        """Clicks on the instrument's name in the rail."""
        self._set("Rail", "active", name)

    @property
    def has_slider(self) -> bool:
        """Whether *Change* has arrived."""
        return "slider" in self._ids

    def move_slider(self, value: float) -> None:
        """Changes the torque of a joint; starts waiting for the answer."""
        self._since = time.monotonic()
        self._set("slider", "value", value)

    def every_answer(self, patience: float) -> list[float]:
        """The answers, and the waiting time so far of a missing one, unless it was requested just now."""
        awaited = time.monotonic() - self._since
        return [*self.answers, *([min(awaited, patience)] if awaited > 1.0 else [])]

    async def _listen(self) -> None:
        while not self.closed:
            await self._message()

    async def _read(self) -> Any:
        assert self._socket is not None
        found = await self._socket.read_message()
        if found is None:
            self.closed = True
            raise asyncio.CancelledError
        self.bytes += len(found)
        return found

    async def _message(self) -> None:
        head = json.loads(await self._read())
        await self._read()
        content = json.loads(await self._read())
        self.messages += 1
        buffers: dict[str, bytes] = {}
        for _ in range(head.get("num_buffers", 0)):
            reference = json.loads(await self._read())
            buffers[reference["id"]] = await self._read()
        if head["msgtype"] == "PULL-DOC-REPLY":
            self._begin(content, buffers)
        elif head["msgtype"] == "PATCH-DOC":
            for event in content["events"]:
                self._hear(event, buffers)

    def _begin(self, content: Any, buffers: dict[str, bytes]) -> None:
        for model in objects(content):
            self._know(model)
        scene = plain(self._scene, buffers)
        self._set("Viewer data", "webgl", True)
        self._follow(scene["play"])
        for piece in scene["pieces"]:
            self._take(piece.tobytes())
        self._tell("ready")
        self._event("document_ready", {"type": "map"})  # the session's clock waits for it

    def _know(self, model: dict[str, Any]) -> None:
        attributes = model.get("attributes", {})
        kind, data = attributes.get("class_name"), attributes.get("data", {})
        if kind == "Viewer":
            self._ids |= {"Viewer": model["id"], "Viewer data": data["id"]}
            self._scene = data["attributes"]["scene"]
        elif kind == "Rail":
            self._ids["Rail"] = data["id"]
        elif kind and kind.endswith("Slider") and data["attributes"].get("label", "").endswith("(N m)"):
            self._ids.setdefault("slider", data["id"])

    def _hear(self, event: dict[str, Any], buffers: dict[str, bytes]) -> None:
        if event["kind"] == "ModelChanged":
            for model in objects(event["new"]):
                self._know(model)
            return
        values = plain(event.get("msg_data", {}).get("values", {}), buffers)
        if not isinstance(values, dict) or values.get("model") != {"id": self._ids["Viewer"]}:
            return
        data = values["data"]
        if isinstance(data, dict):
            if "play" in data:
                self._follow(data["play"])
        elif np.frombuffer(data, np.uint32, 1)[0] == PIECE:
            self._take(data)

    def _follow(self, state: dict[str, Any]) -> None:
        moved = not self._state or state["live"] or state["jump"] != self._state["jump"]
        if state["track"] != self._state.get("track"):
            self._coming = Track()
        self._state = state
        if moved:
            self._time = state["time"]

    def _take(self, piece: bytes) -> None:
        _, _, track, number, first, stride, count, _ = np.frombuffer(piece, np.uint32, 8).tolist()
        if track != self._state["track"]:
            return
        self._coming.indices.update(range(first, first + stride * count, stride))
        self._tell({"taken": track, "number": number})
        self._look()

    def _look(self) -> None:
        """Checks whether there is a picture of the current instant, of the newest track."""
        state = self._state
        if self._shown != state["track"] and self._coming.covers(self._index):
            self._shown, self._track = state["track"], self._coming
            if not math.isnan(self._since):
                self.answers.append(time.monotonic() - self._since)
                self._since = math.nan

    @property
    def _index(self) -> int:
        return math.floor(self._time / self._state["interval"] + 1e-6)

    async def _play(self) -> None:
        last = reported = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            if self._state["playing"]:
                self._advance((now - last) * self._state["speed"])
                if now - reported > self._state["report"]:
                    reported = now
                    self._tell({"moment": self._time, "jump": self._state["jump"], "held": False})
            last = now

    def _advance(self, by: float) -> None:
        state, before = self._state, self._time
        end = min(state["known"], state["duration"]) if state["complete"] else state["known"]
        self._time = before + by if before + by <= end else 0.0 if state["complete"] else max(before, end)
        self._look()
        if not self._track.covers(self._index) and self._time:
            self._time, self.waiting = before, self.waiting + by
        elif math.isnan(self.moved) and self._time > 0.0:
            self.moved = time.monotonic()

    def _tell(self, data: Any) -> None:
        """Sends a message as the 3D view's component does."""
        entries = {"type": "map", "entries": list(map(list, data.items()))} if isinstance(data, dict) else data
        own = [["model", {"id": self._ids["Viewer"]}], ["data", entries]]
        self._event("data_event", {"type": "map", "entries": own})

    def _event(self, name: str, values: dict[str, Any]) -> None:
        event = {"type": "event", "name": name, "values": values}
        self._patch(kind="MessageSent", msg_type="bokeh_event", msg_data=event)

    def _set(self, whose: str, attribute: str, value: object) -> None:
        self._patch(kind="ModelChanged", model={"id": self._ids[whose]}, attr=attribute, new=value)

    def _patch(self, **event: Any) -> None:
        self._send("PATCH-DOC", {"events": [event]})

    def _send(self, kind: str, content: dict[str, Any]) -> None:
        assert self._socket is not None
        for part in ({"msgid": f"raw{next(self._names)}", "msgtype": kind}, {}, content):
            self._socket.write_message(json.dumps(part))


def objects(found: Any) -> Iterator[dict[str, Any]]:
    """Every model in a message, outer ones before inner ones."""
    if isinstance(found, dict):
        if found.get("type") == "object" and "id" in found:
            yield found
        for inner in found.values():
            yield from objects(inner)
    elif isinstance(found, list):
        for inner in found:
            yield from objects(inner)


def plain(found: Any, buffers: dict[str, bytes]) -> Any:
    """The content of a Bokeh message."""
    if isinstance(found, list):
        return [plain(inner, buffers) for inner in found]
    if not isinstance(found, dict):
        return found
    match found.get("type"):
        case "map":
            return {key: plain(inner, buffers) for key, inner in found.get("entries", ())}
        case "bytes":
            return buffers[found["data"]["id"]]
        case "ndarray":
            return np.frombuffer(plain(found["array"], buffers), found["dtype"])
        case _:
            return found
