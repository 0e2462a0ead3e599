"""The server's addresses for followers, over real connections: what they get, and what becomes of what they send."""

import asyncio
import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.simple_httpclient import HTTPStreamClosedError
from tornado.web import Application

from app.classroom.presentation import MOST_PARTS, PRESENTATIONS, Presentation
from app.classroom.question import Poll, Question
from app.classroom.server import LARGEST_ANSWER, ROUTES

CODE = "abcdefghjk"


class PresentationServer:
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

    async def get(
        self, path: str, method: str = "GET", body: bytes | None = None, kind: str = ""
    ) -> tuple[int, dict[str, str], bytes]:
        url, head = f"http://127.0.0.1:{self.port}/follow/{path}", {"Content-Type": kind}
        found = await AsyncHTTPClient().fetch(
            HTTPRequest(url, method, head, body, decompress_response=False, allow_nonstandard_methods=True),
            raise_error=False,
        )
        return found.code, {name.lower(): value for name, value in found.headers.items()}, found.body

    async def post(self, body: bytes, kind: str = "application/json", code: str = CODE) -> int:
        """The status with which an answer is taken."""
        return (await self.get(f"{code}/answer", "POST", body, kind))[0]

    async def follow(self, query: str = "") -> "FollowerStream":
        found = FollowerStream(*await asyncio.open_connection("127.0.0.1", self.port))
        found.writer.write(f"GET /follow/{CODE}/led{query} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await found.reader.readuntil(b"\r\n\r\n")
        return found


class FollowerStream:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def hear(self) -> Any:
        while True:
            block = (await asyncio.wait_for(self.reader.readuntil(b"\n\n"), 30)).decode()
            data = [line[6:] for line in block.splitlines() if line.startswith("data: ")]
            if data:
                return json.loads(data[0])

    async def is_cut_off(self) -> bool:
        with contextlib.suppress(ConnectionResetError):
            await asyncio.wait_for(self.reader.read(), 30)
        return True


@asynccontextmanager
async def served() -> AsyncIterator[PresentationServer]:
    (socket,) = bind_sockets(0, "127.0.0.1")
    server = HTTPServer(Application(ROUTES))
    server.add_socket(socket)
    found = PresentationServer(socket.getsockname()[1])
    try:
        yield found
    finally:
        PRESENTATIONS.close(found.presentation, "over")
        server.stop()
        await server.close_all_connections()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.01)


async def test_a_follower_gets_all_at_first_and_then_what_changes() -> None:
    async with served() as lecture:
        one = await lecture.follow()
        first = await one.hear()
        assert first == {**lecture.state, "question": None, "parts": {"run": 0, "machine": 0, "all": []}}
        lecture.change()
        assert await one.hear() == first  # the first message to all
        lecture.change(time=1.5)  # of a clock that runs
        lecture.change(jump=2, time=2.0)
        assert await one.hear() == {"jump": 2, "time": 2.0}
        other = await lecture.follow()
        assert (await other.hear())["time"] == 2.0
        for time in (3.0, 4.0, 5.0):  # what is overtaken is not sent
            lecture.change(jump=time, time=time)
        assert await one.hear() == await other.hear() == {"jump": 5.0, "time": 5.0}
        assert len(lecture.presentation.followers) == 2
        one.writer.close()
        other.writer.close()
        await until(lambda: len(lecture.presentation.followers) == 0)


async def test_one_address_takes_half_of_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PRESENTATIONS, "_most_followers", 6)
    async with served() as lecture:
        came = [await lecture.follow() for _ in range(3)]
        assert [(await one.hear())["jump"] for one in came] == [1, 1, 1]
        assert await (await lecture.follow()).hear() == "full"
        assert not PRESENTATIONS.is_full("192.0.2.7")  # where nobody follows yet
        came[0].writer.close()
        await until(lambda: len(lecture.presentation.followers) == 2)
        assert (await (await lecture.follow()).hear())["jump"] == 1


async def test_what_a_follower_says_ends_its_connection_and_changes_nothing() -> None:
    async with served() as lecture:
        before = dict(lecture.state)
        for said in (b'{"time": 9}', b"x" * 200_000, b"GET /follow/x HTTP/1.1\r\n\r\n", b"\0"):
            one = await lecture.follow()
            await one.hear()
            one.writer.write(said)
            assert await one.is_cut_off()
        await until(lambda: len(lecture.presentation.followers) == 0)
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            for path in (CODE, f"{CODE}/led", f"{CODE}/{'0' * 16}"):
                status, *_ = await lecture.get(path, method, b'{"time": 9}')
                assert status == 405
        assert lecture.state == before


async def test_parts_are_named_by_what_they_are_and_kept_by_browsers() -> None:
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


async def test_followers_hear_the_end_and_the_code_is_free_again() -> None:
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
        assert (await two.hear(), (await lecture.get(f"{CODE}/led"))[0]) == ("over", 404)


CHOICE = Question("Which?", ("elbow", "wrist"), frozenset({1}))


def name(number: int) -> str:
    return f"{number:022d}"


def ask(lecture: PresentationServer) -> Poll:
    lecture.presentation.poll = poll = Poll(CHOICE)
    lecture.presentation.stir()
    return poll


async def answer(lecture: PresentationServer, who: int, choice: Any) -> int:
    poll = lecture.presentation.poll
    body = {"who": name(who), "number": "0" * 8 if poll is None else poll.number, "answer": choice}
    return await lecture.post(json.dumps(body).encode())


async def test_a_class_answers_and_sees_what_all_have_answered() -> None:
    async with served() as lecture:
        presentation = lecture.presentation
        class_ = [await lecture.follow(f"?who={name(who)}") for who in range(20)]
        twice = await lecture.follow(f"?who={name(3)}")  # another tab of the same browser
        await until(lambda: len(presentation.followers) == 21)
        assert (len(presentation.names), (await class_[0].hear())["question"]) == (20, None)
        assert await answer(lecture, 0, 1) == 409  # nothing is asked
        poll = ask(lecture)
        assert (await class_[0].hear())["question"] == poll.state
        statuses = await asyncio.gather(*(answer(lecture, who, who % 2) for who in range(20)))
        assert set(statuses) == {204}
        assert await answer(lecture, 3, 0) == 204  # has changed his mind
        assert await answer(lecture, 99, 0) == 403  # does not follow
        late = await lecture.follow(f"?who={name(50)}")
        assert (await late.hear())["question"] == poll.state
        class_[5].writer.close()  # leaves; his answer counts, and he may not answer again
        await until(lambda: name(5) not in presentation.names)
        assert await answer(lecture, 5, 0) == 403
        poll.close()
        presentation.stir()
        while (heard := await late.hear()).get("question", {}).get("phase") != "shown":
            pass
        assert [bar.count for bar in poll.tally.bars] == [11, 9]
        assert "11 (55 %)" in heard["question"]["html"]
        assert await answer(lecture, 50, 0) == 409  # too late
        presentation.poll = None
        presentation.stir()
        assert (await late.hear())["question"] is None
        twice.writer.close()


def hostile(number: str) -> list[bytes]:
    good = {"who": name(0), "number": number, "answer": 0}
    said: list[Any] = [
        None, [], 7, "x", {}, {**good, "more": 1}, {**good, "who": "<script>"}, {**good, "who": name(0) + "\n"},
        {**good, "who": 7}, {**good, "number": "zzzzzzzz"}, {**good, "number": 3}, {**good, "answer": "<b>"},
        {**good, "answer": -1}, {**good, "answer": {"a": [1]}},
    ]  # fmt: skip
    raw = [b"", b"{", b"\xff\xfe", b"[" * LARGEST_ANSWER, b'{"who": NaN}', b"\0" * 100]
    return [*(json.dumps(each).encode() for each in said), *raw]


async def test_what_is_hostile_is_refused_before_it_is_read() -> None:
    async with served() as lecture:
        follower = await lecture.follow(f"?who={name(0)}")
        await follower.hear()
        poll = ask(lecture)
        good = json.dumps({"who": name(0), "number": poll.number, "answer": 1}).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            assert await lecture.post(good, kind) == 415  # as another site's form would send it
        for body in hostile(poll.number):
            assert await lecture.post(body) == 400
        with contextlib.suppress(HTTPStreamClosedError, OSError):  # cut off meanwhile
            assert await lecture.post(b" " * 5_000_000) in (400, 413)
        assert (await lecture.post(good, code="k" * 10), poll.answered) == (404, frozenset())
        for method in ("GET", "PUT", "DELETE"):
            assert (await lecture.get(f"{CODE}/answer", method))[0] == 405
        assert await lecture.post(good) == 204
        for who in ("", "x", "%00" * 22, "a" * 23, "<script>alert(1)</script"):  # follows, and does not answer
            found = await lecture.follow(f"?who={who}")
            await found.hear()
            assert lecture.presentation.names == {name(0)}, who
            found.writer.close()
