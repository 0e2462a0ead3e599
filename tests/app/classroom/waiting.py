"""What tests of a lecture share: waiting for what is done in a thread, and a picture as a browser writes it."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from typing import Any

from app.classroom.lecture import JPEG, PICTURE, Lecture, read_lecture
from app.state import Session

CAMERA = "1.5000 -2.0000 0.7500 0.0000 -0.0000 0.4000"
SEEN = PICTURE + base64.b64encode(JPEG + b"a world").decode()


async def settled(session: Session, done: Callable[[], bool]) -> None:
    for _ in range(20_000):
        session.jobs.attend()
        if done():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it is not done")


def gone(lecture: Lecture, session: Session, number: int) -> Awaitable[None]:
    """Goes to a moment, and waits until it is shown or said why not."""
    shown: list[object] = []
    watcher = lecture.param.watch(lambda _: shown.append(1), "shown")
    lecture.go(number)

    async def wait() -> None:
        await settled(session, lambda: bool(shown) or "is not shown" in lecture.word)
        lecture.param.unwatch(watcher)

    return wait()


def read(data: bytes, session: Session) -> Any:
    """The moments and the robot files of a lecture's file."""
    *_, whole = read_lecture(data, session)
    return whole
