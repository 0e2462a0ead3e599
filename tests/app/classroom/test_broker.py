"""A presentation of one process followed at another, by way of a real Redis."""

import asyncio
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from app.classroom import broker as brokering
from app.classroom.broker import VARIABLE, Broker, Relay, broker
from app.classroom.presentation import PRESENTATIONS, Presentation
from app.classroom.question import Refusal, Reply
from tests.app.classroom.test_followers import CODE, served, until


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a broker of the test's own."""
    pytest.importorskip("redis", reason="the Python package redis is not installed")
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed: apt-get install redis-server")
    with TemporaryDirectory() as folder:
        socket = Path(folder, "redis")
        options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", folder]
        process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
        try:
            due = time.monotonic() + 30.0
            while not socket.exists():
                assert process.poll() is None, "redis-server has ended"
                assert time.monotonic() < due, "redis-server does not answer"
                time.sleep(0.02)
            monkeypatch.setenv(VARIABLE, f"unix://{socket}")
            monkeypatch.setattr(brokering, "RETRY", 0.05)
            yield f"unix://{socket}"
        finally:
            process.kill()
            process.wait()


STATE = {"jump": 1, "time": 1.0, "playing": False, "speed": 1.0, "run": 1}


class LecturerProcess:
    """The lecturer's process: what it holds is not known to this one but by the broker."""

    def __init__(self, redis: str) -> None:
        self.state: dict[str, Any] = dict(STATE)
        self.broker = Broker(redis)
        self.presentation = Presentation(CODE, lambda: dict(self.state))
        self.presentation.relay = Relay(self.broker, self.presentation)
        self.presentation.begin(1, 1, b"pictures")

    def change(self, **changes: Any) -> None:
        self.state.update(changes)
        self.presentation.stir()

    async def is_known(self) -> None:
        async with asyncio.timeout(30):
            while not await self.broker.redis.exists(brokering.key_of("state", CODE)):
                await asyncio.sleep(0.02)


async def test_followers_of_another_process_see_the_same(redis: str) -> None:
    elsewhere = LecturerProcess(redis)
    await elsewhere.is_known()
    async with served() as here:
        PRESENTATIONS.close(here.presentation, "over")  # no presentation runs here
        one, two = await here.follow(), await here.follow()
        seen = await one.hear()
        assert {name: seen[name] for name in STATE} == STATE
        (name,) = seen["parts"]["all"]
        status, _, body = await here.get(f"{CODE}/{name}")
        assert ((status, body), (await here.get(f"{CODE}/{'0' * 16}"))[0]) == ((200, b"pictures"), 404)
        assert (await here.get(f"{'k' * 10}/led"))[0] == 404
        elsewhere.change(jump=2, time=2.5)
        while "time" not in seen or seen["time"] != 2.5:
            seen = await one.hear()
        assert len(PRESENTATIONS.mirrored) == 1  # one for all of them
        elsewhere.presentation.end("over")
        while seen != "over":
            seen = await one.hear()
        await until(lambda: not PRESENTATIONS.mirrored)
        async with asyncio.timeout(30):
            while (await here.get(f"{CODE}/led"))[0] != 404:
                await asyncio.sleep(0.05)
        two.writer.close()


async def test_answers_of_other_processes_come_back(redis: str) -> None:
    elsewhere = LecturerProcess(redis)
    taken: list[Reply] = []

    async def take(reply: Reply) -> None:
        if reply.answer == 0:
            raise Refusal(429, "That is too fast.")
        taken.append(reply)

    elsewhere.presentation.take = take  # type: ignore[method-assign]
    question = {"number": "0123abcd", "phase": "open", "kind": "choice", "options": 2}
    elsewhere.change(question=question)
    await elsewhere.is_known()
    async with served() as here:
        PRESENTATIONS.close(here.presentation, "over")  # no presentation runs here
        one = await here.follow("?who=" + "1" * 22)
        seen = await one.hear()
        while seen.get("question") != question:
            seen = await one.hear()

        async def answer(who: str, answer: Any, number: str = "0123abcd") -> int:
            return await here.post(json.dumps({"who": who, "number": number, "answer": answer}).encode())

        assert await answer("1" * 22, 1) == 204
        assert await answer("2" * 22, 1) == 403  # follows nowhere
        await broker().remember(CODE, "3" * 22)  # follows in a third process
        assert (await answer("3" * 22, 1), await answer("1" * 22, 7)) == (204, 400)
        assert await answer("1" * 22, 1, "f" * 8) == 409
        assert await answer("1" * 22, 0) == 204  # which the lecturer's process does not count
        assert await answer("1" * 22, 1) == 204
        await until(lambda: len(taken) == 3)
        assert taken[0] == Reply("1" * 22, "0123abcd", 1)
        elsewhere.change(question={**question, "phase": "shown"})
        while seen.get("question", question)["phase"] == "open":
            seen = await one.hear()
        assert await answer("1" * 22, 1) == 409
        elsewhere.presentation.end("over")
        one.writer.close()
