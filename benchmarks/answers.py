"""A hundred followers answer one question within ten seconds: the server's CPU, compared with following alone.

As in ``followers``, the lecturer moves the cursor ten times a second throughout; ``rounds`` is not used.
"""

from __future__ import annotations

import asyncio
import json
import re
from multiprocessing.connection import Connection
from typing import Any

import psutil

from benchmarks.contest import Result
from benchmarks.followers import QUERY, Lecturer, moves, presented
from benchmarks.page import served_app

SLOW = True
FOLLOWERS, WITHIN = 100, 10.0
"""Number of followers who answer, and their time in seconds."""
NUMBER = re.compile(rb'"number":"([0-9a-f]{8})"')
LIMITS = "every answer counts"


class Asker(Lecturer):
    """A page that presents and asks questions."""

    def _know(self, model: dict[str, Any]) -> None:
        super()._know(model)
        if model.get("attributes", {}).get("class_name") == "Board":
            self._ids["Board"] = model["id"]

    def ask(self) -> None:
        """Asks a question with four choices."""
        form = {"ask": "Which?", "kind": "choice", "right": "1", **{f"option{k}": "abcd"[k - 1] for k in range(1, 5)}}
        whole = {"type": "map", "entries": [list(entry) for entry in form.items()]}
        data = {"type": "map", "entries": [["do", "ask"], ["number", 0], ["form", whole]]}
        model = {"type": "map", "entries": [["model", {"id": self._ids["Board"]}], ["data", data]]}
        self._event("data_event", model)


def crowd(port: int, address: str, pipe: Connection) -> None:
    """All followers: reports when they follow, and, after the command to answer, the result of each answer."""

    async def follow(who: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        writer.write(f"GET {address}/led?who={who:022d} HTTP/1.1\r\nHost: followers\r\n\r\n".encode())
        await reader.readuntil(b"data:")
        return reader, writer

    async def answer(who: int, reader: asyncio.StreamReader) -> int:
        while not (found := NUMBER.search(await reader.readuntil(b"\n\n"))):
            pass
        await asyncio.sleep(WITHIN * who / FOLLOWERS)
        body = json.dumps({"who": f"{who:022d}", "number": found[1].decode(), "answer": who % 4}).encode()
        head = f"POST {address}/answer HTTP/1.1\r\nHost: followers\r\nConnection: close\r\n"
        head += "Content-Type: application/json\r\n"
        back, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        status = int((await back.read()).split()[1])
        writer.close()
        return status

    async def live() -> None:
        streams = [await follow(who) for who in range(FOLLOWERS)]
        pipe.send("ready")
        await asyncio.to_thread(pipe.recv)
        statuses = await asyncio.gather(*(answer(who, reader) for who, (reader, _) in enumerate(streams)))
        pipe.send(statuses)
        await asyncio.to_thread(pipe.recv)

    asyncio.run(live())


async def lecture(url: str, server: psutil.Process) -> dict[str, float]:
    lecturer = Asker(url + QUERY)
    alone, here, process = await presented(url, server, lecturer, crowd)
    followed = await moves(lecturer, server)
    here.send("answer")
    lecturer.ask()
    answered = await moves(lecturer, server)
    statuses: list[int] = await asyncio.to_thread(here.recv)
    here.send("end")
    process.join(5)
    await lecturer.close()
    assert statuses == [204] * FOLLOWERS, "not every answer counts"
    following = followed.cpu - alone.cpu
    return {
        "followers": float(FOLLOWERS),
        "server CPU while the lecturer moves alone, % of a core": alone.cpu,
        "of that more with followers": following,
        "of that more with their answers": answered.cpu - followed.cpu,
        "with answers / following alone": answered.cpu / followed.cpu,
        "the same, less the lecturer": (answered.cpu - alone.cpu) / following,
    }


def contest(rounds: int) -> Result:
    del rounds
    with served_app() as (url, server):
        facts = asyncio.run(lecture(url, server))
    return Result("a hundred who follow answer a question within ten seconds", "s", 1.0, (), LIMITS, 1, facts)
