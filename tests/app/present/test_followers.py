"""The server's addresses for followers, over real connections: what they get, and what becomes of what they send."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from bokeh.server.urls import toplevel_patterns
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from app.present import follower, presentation, serve_followers
from app.present.handlers import ROUTES
from app.present.presentation import MOST, MOST_PARTS, PRESENTATIONS, Presentation, Presentations

CODE = "abcdefghjk"


class Served:
    """A presentation behind a real server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.state: dict[str, Any] = {"jump": 1, "time": 1.0, "playing": False}
        self.presentation = self.open()

    def open(self) -> Presentation:
        found = PRESENTATIONS.open(CODE, lambda: dict(self.state))
        assert found is not None
        return found

    def change(self, **changes: Any) -> None:
        self.state.update(changes)
        self.presentation.stir()

    async def get(self, path: str, method: str = "GET", body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = (
            f"{method} /follow/{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        text, _, body = (await asyncio.wait_for(reader.read(), 5)).partition(b"\r\n\r\n")
        writer.close()
        first, *lines = text.decode().split("\r\n")
        return int(first.split()[1]), dict(line.lower().split(": ", 1) for line in lines), body

    async def follow(self, query: str = "") -> Follow:
        found = Follow(*await asyncio.open_connection("127.0.0.1", self.port))
        found.writer.write(f"GET /follow/{CODE}/led{query} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await found.reader.readuntil(b"\r\n\r\n")
        return found


class Follow:
    """One who follows."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def hear(self) -> Any:
        """The next message; that of an ending is what it says."""
        while True:
            block = (await asyncio.wait_for(self.reader.readuntil(b"\n\n"), 5)).decode()
            data = [line[6:] for line in block.splitlines() if line.startswith("data: ")]
            if data:
                return json.loads(data[0])

    async def is_cut_off(self) -> bool:
        with contextlib.suppress(ConnectionResetError):
            await asyncio.wait_for(self.reader.read(), 5)
        return True


@asynccontextmanager
async def served() -> AsyncIterator[Served]:
    (socket,) = bind_sockets(0, "127.0.0.1")
    server = HTTPServer(Application(ROUTES))
    server.add_socket(socket)
    found = Served(socket.getsockname()[1])
    try:
        yield found
    finally:
        PRESENTATIONS.close(found.presentation, "over")
        server.stop()
        await server.close_all_connections()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not true():
            await asyncio.sleep(0.01)


def test_one_hears_all_at_first_and_then_what_changes(run_async: Callable[..., Any]) -> None:
    async def live() -> None:
        async with served() as lecture:
            one = await lecture.follow()
            first = await one.hear()
            assert first == {**lecture.state, "parts": {"run": 0, "machine": 0, "all": []}}
            lecture.change()
            assert await one.hear() == first  # the first that is told to all
            lecture.change(time=1.5)  # of a clock that runs
            lecture.change(jump=2, time=2.0)
            assert await one.hear() == {"jump": 2, "time": 2.0}
            other = await lecture.follow()
            assert (await other.hear())["time"] == 2.0
            for time in (3.0, 4.0, 5.0):  # what is overtaken is not told
                lecture.change(jump=time, time=time)
            assert await one.hear() == await other.hear() == {"jump": 5.0, "time": 5.0}
            assert lecture.presentation.followers == 2
            one.writer.close()
            other.writer.close()
            await until(lambda: lecture.presentation.followers == 0)

    run_async(live())


def test_what_a_follower_says_ends_its_connection_and_changes_nothing(run_async: Callable[..., Any]) -> None:
    async def live() -> None:
        async with served() as lecture:
            before = dict(lecture.state)
            for said in (b'{"time": 9}', b"x" * 200_000, b"GET /follow/x HTTP/1.1\r\n\r\n", b"\0"):
                one = await lecture.follow()
                await one.hear()
                one.writer.write(said)
                assert await one.is_cut_off()
            await until(lambda: lecture.presentation.followers == 0)
            for method in ("POST", "PUT", "DELETE", "PATCH"):
                for path in (CODE, f"{CODE}/led", f"{CODE}/{'0' * 16}"):
                    status, *_ = await lecture.get(path, method, b'{"time": 9}')
                    assert status == 405
            assert lecture.state == before

    run_async(live())


def test_parts_are_named_by_what_they_are_and_kept_by_browsers(run_async: Callable[..., Any]) -> None:
    async def live() -> None:
        async with served() as lecture:
            part = gzip.compress(b"pictures", mtime=0)
            lecture.presentation.begin(7, 3, part)
            one = await lecture.follow()
            parts = (await one.hear())["parts"]
            assert (parts["run"], parts["machine"], len(parts["all"])) == (7, 3, 1)
            status, head, body = await lecture.get(f"{CODE}/{parts['all'][0]}")
            assert (status, head["content-encoding"], body) == (200, "gzip", part)
            assert "immutable" in head["cache-control"]
            lecture.presentation.begin(8, 3, gzip.compress(b"others", mtime=0))
            assert (await lecture.get(f"{CODE}/{parts['all'][0]}"))[0] == 404  # nothing of it is left
            for number in range(3 * MOST_PARTS):
                lecture.presentation.add(b"walk %d" % number, is_lasting=number % MOST_PARTS == 0)
            assert len((await (await lecture.follow()).hear())["parts"]["all"]) <= MOST_PARTS

    run_async(live())


def test_unknown_addresses(run_async: Callable[..., Any]) -> None:
    async def live() -> None:
        async with served() as lecture:
            other = "k" * 10
            status, _, page = await lecture.get(other)  # it waits for somebody to present
            assert (status, b"follow" in page) == (200, True)
            assert page == (await lecture.get(CODE))[2]
            for path in (
                f"{other}/led",
                f"{other}/{'0' * 16}",
                f"{CODE}/{'0' * 16}",
                "views/" + "0" * 16,
                "ABC",
                "../app",
            ):
                assert (await lecture.get(path))[0] == 404

    run_async(live())


def test_scripts_are_fetched_once_by_their_digest(run_async: Callable[..., Any]) -> None:
    async def live() -> None:
        async with served() as lecture:
            page = (await lecture.get(CODE))[2].decode()
            name = page.partition('data-views="')[2].partition('"')[0]
            status, head, body = await lecture.get(f"views/{name}")
            assert (status, "immutable" in head["cache-control"]) == (200, True)
            assert "replay" in json.loads(gzip.decompress(body))

    run_async(live())


def test_the_end_is_told_and_its_code_is_free(run_async: Callable[..., Any]) -> None:
    async def live() -> None:
        async with served() as lecture:
            one = await lecture.follow()
            await one.hear()
            lecture.open()  # the lecturer's page has come back: this one takes its place
            assert await one.hear() == "away"
            assert await one.is_cut_off()
            assert lecture.presentation.ended
            PRESENTATIONS.close(lecture.presentation, "over")  # of the old page: the new one stays
            newer = PRESENTATIONS.find(CODE)
            assert newer is not None
            two = await lecture.follow()
            await two.hear()
            PRESENTATIONS.close(newer, "over")
            assert await two.hear() == "over"
            assert (await lecture.get(f"{CODE}/led"))[0] == 404

    run_async(live())


def test_whoever_is_slow_gets_the_newest_and_nothing_heaps_up(
    run_async: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def live() -> None:
        async with served() as lecture:
            one = await lecture.follow()
            await until(lambda: lecture.presentation.followers == 1)
            (slow,) = lecture.presentation._followers
            stream = slow._stream
            monkeypatch.setattr(stream, "writing", lambda: True)
            written: list[bytes] = []
            write = stream.write
            monkeypatch.setattr(stream, "write", lambda data: (written.append(data), write(data))[1])
            for number in range(2, 5):
                lecture.change(jump=number, time=float(number))
                await asyncio.sleep(2 * presentation.PERIOD)
            assert written == []
            monkeypatch.setattr(stream, "writing", lambda: False)
            await until(lambda: bool(written))
            assert len(written) == 1
            assert json.loads(written[0][6:])["time"] == 4.0  # all of it
            monkeypatch.setattr(stream, "writing", lambda: True)
            monkeypatch.setattr(follower, "PATIENCE", 0.0)
            lecture.change(jump=9)
            await until(lambda: lecture.presentation.followers == 0)
            del one

    run_async(live())


def test_there_are_no_more_than_the_server_can_take(
    run_async: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def live() -> None:
        async with served() as lecture:
            monkeypatch.setattr(Presentations, "is_full", property(lambda _: True))
            one = await lecture.follow()
            assert await one.hear() == "full"
            assert lecture.presentation.followers == 0
        many = Presentations()
        found = [many.open("abcdefghj" + letter, dict) for letter in "abcdefghjkmnpqrstuvwxyz"]
        assert found[MOST - 1] is not None
        assert found[MOST:] == [None] * (len(found) - MOST)
        for each in found[:MOST]:
            assert each is not None
            many.close(each, "over")
        assert many.open(CODE, dict) is not None

    run_async(live())


def test_the_addresses_stand_beside_the_page_once() -> None:
    before = list(toplevel_patterns)
    try:
        serve_followers()
        serve_followers()
        assert [route for route in toplevel_patterns if route in ROUTES] == ROUTES
    finally:
        toplevel_patterns[:] = before
