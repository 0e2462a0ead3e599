"""The button *Present* and its card: a presentation begins and ends with it, and comes back by its token alone."""

import asyncio
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.classroom import present as presenting
from app.classroom.browser import LecturerBrowser
from app.classroom.lecture import Lecture
from app.classroom.present import Present
from app.classroom.presentation import CODE, LENGTH, LETTERS, PRESENTATIONS, code_of, is_token, new_token
from app.state import Session
from tests.app.arrival import computed


class Sent:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session = Session("planar_chain")
        browser, self.kept = LecturerBrowser(), list[object]()
        monkeypatch.setattr(browser, "tell", lambda token: self.kept.append(token))
        self.present = Present(self.session, dict, Lecture(self.session), browser)
        self.hear = browser._handle_msg
        self.hear({"home": "http://school.example/x/app", "token": None})

    @property
    def code(self) -> str:
        return self.present.address.rpartition("/")[2]

    @property
    def state(self) -> dict[str, Any]:
        presentation = PRESENTATIONS.find(self.code)
        return presentation.state


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Sent]]:
    made: list[Sent] = []

    def one() -> Sent:
        made.append(Sent(monkeypatch))
        return made[-1]

    yield one
    for each in made:
        each.present.stop()
        each.session.jobs.stop()


async def test_a_second_click_ends_it(make: Callable[[], Sent]) -> None:
    sent = make()
    sent.present.toggle()
    assert re.fullmatch(f"http://school.example/x/follow/{CODE}", sent.present.address)
    assert sent.present.dialog.open
    assert "<svg" in sent.present._sheet.object
    assert sent.present.address in sent.present._sheet.object
    (token,) = sent.kept
    assert sent.code == code_of(token)
    assert token not in str(sent.state)
    sent.present.toggle()
    assert (sent.present.address, sent.present.dialog.open, sent.kept[-1]) == ("", False, "")
    assert PRESENTATIONS.find(code_of(token)) is None


async def test_it_ends_with_the_session_and_comes_back_with_its_token(make: Callable[[], Sent]) -> None:
    first, token = make(), new_token()
    first.hear({"token": token})
    first.present.draw()
    code = first.code
    second = make()
    second.hear({"token": token})  # the page that came back, before the old session is over
    second.present.draw()
    assert second.code == code == code_of(token)
    first.present.draw()
    assert first.present.address == ""
    assert PRESENTATIONS.find(code) is not None
    second.present.stop()
    assert PRESENTATIONS.find(code) is None
    assert second.kept == [token]  # kept for the next page


async def test_an_address_is_words_and_scrubbing_and_camera_are_sent(make: Callable[[], Sent]) -> None:
    sent = make()
    sent.session.playing = False
    sent.hear({"home": "http://x/<i>\"'&/app", "token": new_token()})
    sent.present.draw()
    assert "<i>" not in sent.present._sheet.object + sent.present._followers.object
    sent.hear({"moment": 1.25, "camera": "1.0000 2.0000 3.0000 0.0000 0.0000 0.0000"})
    sent.hear({"moment": float("nan"), "camera": "x"})
    assert (sent.state["time"], sent.state["camera"][:6]) == (1.25, "1.0000")


@pytest.mark.full
@pytest.mark.compiled_only
async def test_a_run_is_made_for_followers_and_another_takes_its_place(
    make: Callable[[], Sent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presenting, "REST", 0.0)
    sent = make()
    session = sent.session

    async def until(true: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not true():
                computed(session.run)
                session.jobs.attend()
                sent.present.draw()
                await asyncio.sleep(0.01)

    sent.present.toggle()
    await until(lambda: sent.state["parts"]["run"] == 1)
    session.set_torque(session.system.joint_names[0], 0.1)
    assert sent.state["run"] == 2
    assert sent.state["parts"]["run"] == 1  # which stays until the next is there
    await until(lambda: sent.state["parts"]["run"] == 2)
    assert len(sent.state["parts"]["all"]) < 3
    sent.present.toggle()
    assert Present._making == set()


def test_a_token_makes_one_code_that_can_be_read_aloud_and_nothing_else_is_one() -> None:
    token = new_token()
    assert is_token(token)
    assert re.fullmatch(CODE, code_of(token))
    assert len(LETTERS) ** LENGTH > 2**49
    assert not set(LETTERS) & set("ilo01")
    for given in (None, 3, "", "a" * 31, "a" * 33, "a" * 31 + "\n", "ä" * 32, "a" * 31 + "/", b"a" * 32):
        assert not is_token(given), given
