"""What followers answer, over real connections: only those who follow, only what is asked, and never more than that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from app.asking import Asking, Chosen
from app.asking.asked import Said
from app.present.handlers import LARGEST_ANSWER
from app.present.presentation import PRESENTATIONS, nobody
from app.state import Session
from tests.app.present.test_followers import CODE, Follow, Served, served, until

CHOICE = Chosen("Which?", ("elbow", "wrist"), frozenset({1}))


def name(number: int) -> str:
    return f"{number:022d}"


class Taught:
    """A lecturer's side behind a real server."""

    def __init__(self, lecture: Served) -> None:
        self.lecture = lecture
        self.session = Session("planar_chain")
        self.asking = Asking(self.session, lecture.presentation.stir)
        self.asking.begin(CODE)

        async def take(said: Said) -> None:
            self.asking.take(said)

        lecture.presentation.take = take
        lecture.presentation._now = lambda: {**lecture.state, "question": self.asking.told}

    async def follow(self, who: int) -> Follow:
        return await self.lecture.follow(f"?who={name(who)}")

    async def send(self, body: bytes, kind: str = "application/json", code: str = CODE) -> int:
        return await sent(self.lecture.port, body, kind, code)

    async def answer(self, who: int, answer: Any) -> int:
        number = "0" * 8 if self.asking.told is None else self.asking.told["number"]
        return await self.send(json.dumps({"who": name(who), "number": number, "answer": answer}).encode())


async def sent(port: int, body: bytes, kind: str = "application/json", code: str = CODE) -> int:
    """The status with which an answer is taken, or 0 where the connection was cut off."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST /follow/{code}/answer HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: {kind}\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    try:
        text = await asyncio.wait_for(reader.read(), 5)
    except ConnectionResetError:
        return 0
    finally:
        writer.close()
    return int(text.split()[1]) if text else 0


def live(run_async: Callable[..., Any], act: Callable[[Taught], Any]) -> None:
    async def whole() -> None:
        async with served() as lecture:
            taught = Taught(lecture)
            await act(taught)
            taught.session.jobs.stop()

    run_async(whole())


def test_a_class_answers_and_sees_what_all_have_answered(run_async: Callable[..., Any]) -> None:
    async def act(taught: Taught) -> None:
        asking, presentation = taught.asking, taught.lecture.presentation
        class_ = [await taught.follow(who) for who in range(20)]
        twice = await taught.follow(3)  # another tab of the same browser
        await until(lambda: presentation.followers == 21)
        assert len(presentation.names) == 20
        assert (await class_[0].hear())["question"] is None
        assert await taught.answer(0, 1) == 409  # nothing is asked
        asking.ask(CHOICE)
        question = (await class_[0].hear())["question"]
        assert (question["phase"], question["options"], "right" in question) == ("open", ["elbow", "wrist"], False)
        statuses = await asyncio.gather(*(taught.answer(who, who % 2) for who in range(20)))
        assert set(statuses) == {204}
        assert await taught.answer(3, 0) == 204  # has changed his mind
        assert await taught.answer(99, 0) == 403  # does not follow
        late = await taught.follow(50)
        assert (await late.hear())["question"] == question
        class_[5].writer.close()  # leaves; his answer counts, and he may not answer again
        await until(lambda: name(5) not in presentation.names)
        assert await taught.answer(5, 0) == 403
        asking.draw(presentation.names)
        assert asking._board.answered == "20 of 21 have answered"
        asking._do({"do": "close"})
        heard = await late.hear()
        while heard.get("question", question)["phase"] == "open":
            heard = await late.hear()
        assert [row["count"] for row in heard["question"]["tally"]["rows"]] == [11, 9]
        assert await taught.answer(50, 0) == 409  # too late
        asking._do({"do": "reveal"})
        assert (await late.hear())["question"]["right"]["rows"] == [1]
        asking.end(is_over=True)
        assert (await late.hear())["question"] is None
        twice.writer.close()

    live(run_async, act)


def hostile(number: str) -> list[bytes]:
    """Bodies that are no answer."""
    good = {"who": name(0), "number": number, "answer": 0}
    said: list[Any] = [
        None, [], 7, "x", {}, {**good, "more": 1}, {**good, "who": "<script>"}, {**good, "who": name(0) + "\n"},
        {**good, "who": 7}, {**good, "number": "zzzzzzzz"}, {**good, "number": 3}, {**good, "answer": "<b>"},
        {**good, "answer": -1}, {**good, "answer": {"a": [1]}},
    ]  # fmt: skip
    raw = [b"", b"{", b"\xff\xfe", b"[" * LARGEST_ANSWER, b'{"who": NaN}', b"\0" * 100]
    return [*(json.dumps(each).encode() for each in said), *raw]


@pytest.mark.slow
def test_what_is_hostile_is_refused_before_it_is_read(run_async: Callable[..., Any]) -> None:
    async def act(taught: Taught) -> None:
        follower = await taught.follow(0)
        await follower.hear()
        taught.asking.ask(CHOICE)
        assert taught.asking.told is not None
        good = json.dumps({"who": name(0), "number": taught.asking.told["number"], "answer": 1}).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            assert await taught.send(good, kind) == 415  # as another site's form would send it
        for body in hostile(taught.asking.told["number"]):
            assert await taught.send(body) in (400, 429)
        assert await taught.send(b" " * 50_000_000) in (0, 400, 413)
        assert await taught.send(good, code="k" * 10) == 404
        assert taught.asking._ballot is not None
        assert taught.asking._ballot.answered == frozenset()
        for method in ("GET", "PUT", "DELETE"):
            assert (await taught.lecture.get(f"{CODE}/answer", method))[0] == 405
        await asyncio.sleep(0.6)
        assert await taught.send(good) == 204

    live(run_async, act)


@pytest.mark.parametrize("who", ["", "x", "%00" * 22, "a" * 23, "<script>alert(1)</script"])
def test_a_name_that_is_none_follows_and_does_not_answer(run_async: Callable[..., Any], who: str) -> None:
    async def act(taught: Taught) -> None:
        found = await taught.lecture.follow(f"?who={who}")
        await found.hear()
        assert taught.lecture.presentation.names == frozenset()
        found.writer.close()

    live(run_async, act)


def test_nothing_is_left_when_the_presentation_ends(run_async: Callable[..., Any]) -> None:
    async def act(taught: Taught) -> None:
        follower = await taught.follow(1)
        await follower.hear()
        taught.asking.ask(CHOICE)
        assert await taught.answer(1, 0) == 204
        presentation = taught.lecture.presentation
        PRESENTATIONS.close(presentation, "over")
        taught.asking.end(is_over=True)
        assert taught.asking._ballot is None
        assert presentation.take is nobody
        assert await taught.answer(1, 0) == 404

    live(run_async, act)
