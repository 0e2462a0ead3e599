"""Five hundred followers of one lecturer who moves the cursor ten times a second: the server's CPU, and the delay.

The lecturer is a websocket session without a browser, the followers plain connections in a process of their own. The
delay is from the lecturer's message to the line that a follower reads; ``rounds`` is not used.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import psutil

from app.classroom.presentation import code_of, new_token
from benchmarks.contest import Result
from benchmarks.page import cpu, served_app
from benchmarks.raw_page import RawPage

SLOW = True
FOLLOWERS = 500
MOVES, PER_SECOND = 150, 10
QUERY = "?preset=two_arms_and_box&play=0"
LIMITS = "CPU under 50 % of a core; 95 % of the moves within 150 ms"
MOVED = re.compile(rb'"time":([0-9.]+)')
LEAST = 0.97
"""Share of the messages that must arrive: two moves sent as one message count as one."""


class Lecturer(RawPage):
    """A page that presents."""

    def _know(self, model: dict[str, Any]) -> None:
        super()._know(model)
        if model.get("attributes", {}).get("class_name") == "LecturerBrowser":
            self._ids["Lecturer"] = model["id"]

    def present(self, token: str) -> None:
        """Presents, as a page that returns with its token."""
        entries = {"type": "map", "entries": [["home", "http://127.0.0.1/app"], ["token", token]]}
        data = {"type": "map", "entries": [["model", {"id": self._ids["Lecturer"]}], ["data", entries]]}
        self._event("data_event", data)

    def stand(self, moment: float) -> None:
        """Moves the cursor."""
        self._tell({"moment": moment, "jump": self._state["jump"], "held": False})


class FollowerProtocol(asyncio.Protocol):
    """One follower: records when each of the lecturer's times arrives."""

    def __init__(self, address: str, heard: dict[float, list[float]]) -> None:
        self._address, self._heard = address, heard
        self._last = b""
        self.is_led = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        transport.write(f"GET {self._address} HTTP/1.1\r\nHost: followers\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        for found in MOVED.findall(data):
            if found != self._last:  # a time that is repeated for others does not count
                self._last = found
                self._heard.setdefault(float(found), []).append(now)
        if not self.is_led.done() and b"data:" in data:
            self.is_led.set_result(None)


def crowd(port: int, address: str, pipe: Connection) -> None:
    """All followers, until they receive the command to end."""

    async def follow() -> None:
        loop = asyncio.get_running_loop()
        heard: dict[float, list[float]] = {}
        ears = [FollowerProtocol(f"{address}/led", heard) for _ in range(FOLLOWERS)]
        for ear in ears:
            await loop.create_connection(lambda ear=ear: ear, "127.0.0.1", port)
        await asyncio.wait_for(asyncio.gather(*(ear.is_led for ear in ears)), 30)
        pipe.send("ready")
        while not pipe.poll():
            await asyncio.sleep(0.1)
        pipe.send(heard)

    asyncio.run(follow())


async def presented(
    url: str, server: psutil.Process, lecturer: Lecturer, crowd: Callable[[int, str, Connection], None]
) -> tuple[MoveTimes, Connection, BaseProcess]:
    """A lecturer with a crowd of followers: the results of moving alone, the crowd's pipe, and its process.

    Args:
        crowd: receives the server's port, the address of the presentation, and its end of the pipe.
    """
    token = new_token()
    await lecturer.open()
    await asyncio.sleep(3.0)
    alone = await moves(lecturer, server)
    lecturer.present(token)
    await asyncio.sleep(15.0)  # the run has been prepared for followers
    parts = urlsplit(url)
    address = f"{os.path.dirname(parts.path).rstrip('/')}/follow/{code_of(token)}"
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=crowd, args=(parts.port, address, there), daemon=True)
    process.start()
    await asyncio.to_thread(here.recv)
    return alone, here, process


async def lecture(url: str, server: psutil.Process) -> dict[str, float]:
    lecturer = Lecturer(url + QUERY)
    alone, here, process = await presented(url, server, lecturer, crowd)
    led = await moves(lecturer, server)
    await asyncio.sleep(1.0)
    here.send("end")
    heard: dict[float, list[float]] = await asyncio.to_thread(here.recv)
    process.join(5)
    await lecturer.close()
    late = [when - led.sent[moment] for moment, all_times in heard.items() if moment in led.sent for when in all_times]
    share = len(late) / (FOLLOWERS * MOVES)
    assert share > LEAST, f"only {share:.1%} of the moves have come"
    return {
        "followers": float(FOLLOWERS),
        "moves that came, %": 100.0 * share,
        "server CPU while the lecturer moves alone, % of a core": alone.cpu,
        "server CPU with all followers, % of a core (limit 50)": led.cpu,
        "of that for followers": led.cpu - alone.cpu,
        "delay, median, ms": 1e3 * float(np.percentile(late, 50)),
        "delay, 95 %, ms (limit 150)": 1e3 * float(np.percentile(late, 95)),
        "delay, longest, ms": 1e3 * max(late),
    }


class MoveTimes:
    """Measured data: s of `time.monotonic` at which each moment was sent, and the server's % of a core."""

    def __init__(self) -> None:
        self.sent: dict[float, float] = {}
        self.cpu = 0.0


async def moves(lecturer: Lecturer, server: psutil.Process) -> MoveTimes:
    """Moves to another place ten times a second."""
    found, used, begun = MoveTimes(), cpu(server), time.monotonic()
    for number in range(MOVES):
        await asyncio.sleep(max(begun + number / PER_SECOND - time.monotonic(), 0.0))
        moment = round(0.5 + 0.05 * number + 0.001, 4)
        found.sent[moment] = time.monotonic()
        lecturer.stand(moment)
    found.cpu = 100.0 * (cpu(server) - used) / (time.monotonic() - begun)
    return found


def contest(rounds: int) -> Result:
    del rounds
    with served_app() as (url, server):
        facts = asyncio.run(lecture(url, server))
    return Result("five hundred follow one lecturer", "s", 1.0, (), LIMITS, 1, facts)
