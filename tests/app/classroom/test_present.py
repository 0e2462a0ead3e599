"""The button *Present* and its card: a presentation begins and ends with it, and comes back by its token alone."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.classroom import lecturer_state as leading
from app.classroom.browser import LecturerBrowser
from app.classroom.lecture import Lecture
from app.classroom.lecturer_state import SessionObserver
from app.classroom.present import Presenter
from app.classroom.presentation import CODE, PRESENTATIONS, code_of, new_token
from app.state import Session
from tests.app.arrival import computed


class PresentPage:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session = Session("planar_chain")
        browser, self.kept = LecturerBrowser(), list[object]()
        monkeypatch.setattr(browser, "send", lambda token: self.kept.append(token))
        self.present = Presenter(self.session, dict, Lecture(self.session), browser)
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
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], PresentPage]]:
    made: list[PresentPage] = []

    def one() -> PresentPage:
        made.append(PresentPage(monkeypatch))
        return made[-1]

    yield one
    for each in made:
        each.present.stop()
        each.session.jobs.stop()


async def test_a_second_click_ends_it(make: Callable[[], PresentPage]) -> None:
    sent = make()
    sent.present.toggle()
    assert re.fullmatch(f"http://school.example/x/follow/{CODE}", sent.present.address)
    (token,) = sent.kept
    assert sent.code == code_of(token)
    assert token not in str(sent.state)
    sent.present.toggle()
    assert (sent.present.address, sent.kept[-1]) == ("", "")
    assert PRESENTATIONS.find(code_of(token)) is None


async def test_it_ends_with_the_session_and_comes_back_with_its_token(make: Callable[[], PresentPage]) -> None:
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


async def test_an_address_is_words_and_scrubbing_and_camera_are_sent(make: Callable[[], PresentPage]) -> None:
    sent = make()
    sent.session.playing = False
    sent.hear({"home": "http://x/<i>\"'&/app", "token": new_token()})
    sent.present.draw()
    assert "<i>" not in sent.present._sheet.object + sent.present._followers.object
    sent.hear({"moment": 1.25, "camera": "1.0000 2.0000 3.0000 0.0000 0.0000 0.0000"})
    sent.hear({"moment": float("nan"), "camera": "x"})
    assert (sent.state["time"], sent.state["camera"][:6]) == (1.25, "1.0000")


class LeadClock:
    """A lead of a session that stands still, the clock it goes by, and how often it has called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.calls = 100.0, 0
        monkeypatch.setattr(leading.time, "monotonic", lambda: self.now)
        self.session = Session("planar_chain")
        computed(self.session.run)
        self.session.playing = False
        self.lecture = Lecture(self.session)
        self.lead = SessionObserver(self.session, self.count, self.lecture)

    def count(self) -> None:
        self.calls += 1

    def changed(self) -> dict[str, object]:
        before, self._before = getattr(self, "_before", {}), self.lead.state()
        return {name: value for name, value in self._before.items() if before.get(name, self) != value}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[LeadClock]:
    found = LeadClock(monkeypatch)
    found.changed()
    yield found
    found.lead.stop()


def test_what_changes_is_sent_alone(told: LeadClock) -> None:
    told.session.seek(1.234567)
    changed = told.changed()
    assert (changed.pop("time"), list(changed)) == (1.2346, ["jump"])
    told.session.seek(1.234567)
    assert told.changed() == {}
    told.session.cursor.param.update(stage="smoother", link=1, half=1)
    assert told.changed() == {"step": ["smoother", 1, 1]}
    told.session.layers = ["articulated_inertia"]
    assert told.changed() == {"layers": ["articulated_inertia"]}
    moment, before = told.lecture.keep(), told.calls
    told.lecture.change(moment.number, title="Look", note="Ask first.")
    assert told.calls > before
    assert told.changed() == {"caption": ["1 of 1 · Look", "Ask first."]}
    told.lead.stop()
    before = told.calls
    told.session.seek(1.0)
    assert told.calls == before


def test_while_playing_time_goes_on_without_messages(told: LeadClock) -> None:
    told.session.seek(1.0)
    told.session.param.update(playing=True, speed=0.5)
    told.changed()
    told.now += 2.0
    assert told.changed() == {"time": 2.0}
    told.session.seek(2.1)  # the browser's report, a little ahead
    assert "jump" not in told.changed()
    told.session.seek(3.0)
    assert told.changed().keys() == {"jump", "time"}
    told.now += 16.0  # past the end, at 10 s
    assert told.lead.time == pytest.approx(1.0)
    told.session.seek(0.95)  # of the next round
    assert "jump" not in told.changed()
    told.session.playing = False
    assert told.changed() == {"jump": told.lead.state()["jump"], "time": 0.95, "playing": False}
