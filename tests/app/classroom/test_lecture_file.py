"""The file of a lecture: read whole or not at all; a refusal names the moment and why."""

import json
from threading import Event
from typing import Any

import panel as pn
import pytest

from app.classroom.browser import LecturerBrowser
from app.classroom.lecture import LONGEST_NOTE, VERSION, Lecture, written
from app.classroom.lecture_panel import LectureControl
from app.motion.errors import ERRORS
from app.saved.read import LARGEST
from app.saved.read import written as session_file
from app.state import Session
from app.state.machine_loader import RefusedError
from tests.app.classroom.waiting import CAMERA, read, settled

FIRST_VERSION = """{
 "format": "armsweep lecture", "version": 1,
 "moments": [
  {"title": "One arm", "note": "Ask first.\\nThen show.", "picture": "",
   "moment": {"preset": "puma560", "t": "0.500", "stage": "smoother", "link": "2", "half": "1", "layers": "trails",
              "block": "rotational", "around": "arm", "speed": "0.5", "play": "0", "tab": "Check",
              "camera": "1.5000 -2.0000 0.7500 0.0000 -0.0000 0.4000"},
   "kept": [{"letter": "C", "name": "heavy", "shown": false, "setup": {"preset": "two_arms_and_box", "mass": "5.0"}}]},
  {"title": "Two arms", "note": "", "picture": "", "moment": {"preset": "two_arms_and_box"}, "kept": []}
 ],
 "files": []
}"""
MOMENT = {"title": "x", "note": "", "picture": "", "moment": {"preset": "puma560"}, "kept": []}


def test_a_file_of_the_first_version_is_read() -> None:
    """As it was written then; nothing of this text is to be changed."""
    (one, two), _ = read(FIRST_VERSION.encode(), Session("planar_chain"))
    assert (one.title, one.note, one.camera, one.query["t"]) == ("One arm", "Ask first.\nThen show.", CAMERA, "0.500")
    assert (two.title, two.camera, two.query) == ("Two arms", "", {"preset": "two_arms_and_box"})


def variant(**parts: Any) -> bytes:
    return json.dumps({**json.loads(FIRST_VERSION), **parts}).encode()


def moments(**parts: Any) -> bytes:
    """A second moment that is not well, behind one that is."""
    return variant(moments=[MOMENT, {**MOMENT, **parts}])


BAD = {
    "no JSON": (b"{", "it is not the file of a lecture, or it is damaged"),
    "a session": (session_file(Session("planar_chain")).encode(), "not the file of a lecture"),
    "large": (b" " * (LARGEST + 1), "larger"),
    "a number that is none": (variant().replace(b'"version": 1', b'"version": NaN'), "damaged"),
    "a later version": (variant(version=VERSION + 1), f"this page knows those up to {VERSION}"),
    "no moments": (variant(moments=[]), "holds no moment"),
    "no title": (moments(title=" = "), "of moment 2, the title is empty"),
    "a long note": (moments(note="x" * (LONGEST_NOTE + 1)), "of moment 2, the note has"),
    "a picture of markup": (moments(picture="<img src=x onerror=alert(1)>"), "of moment 2, the picture is not a JPEG"),
    "a plot of markup": (moments(figure="<img src=x onerror=alert(1)>"), "of moment 2, the picture is not a JPEG"),
    "no moment": (moments(moment=None), "of moment 2, moment is not a table"),
    "another machine's": (moments(moment={"preset": "puma560", "link": "40"}), "of moment 2, link is '40'"),
    "a kept run that cannot be": (moments(kept=[{"letter": "A", "setup": {"preset": "x"}}]), "of the kept run A"),
    "half a character": (
        moments(moment={"preset": "puma560", "x": "\ud800"}),
        "of moment 2, it contains half a character",
    ),
    "a robot that is not in it": (
        moments(moment={"preset": "file", "file": "0" * 32, "name": "a.urdf"}),
        "of moment 2, the robot file 'a.urdf' is not in it",
    ),
    "a robot file that is no text": (variant(files=[{"name": "a.urdf", "base64": "!"}]), "cannot be read"),
}


def test_a_bad_file_is_refused_in_words() -> None:
    for name, (data, word) in BAD.items():
        with pytest.raises((RefusedError, *ERRORS)) as refused:
            read(data, Session("planar_chain"))
        assert word in str(refused.value), name
        assert len(str(refused.value)) < 400


class Page:
    """A page with a lecture, and what its browser is told."""

    def __init__(self, preset: str = "planar_chain", *, is_open: bool = True) -> None:
        self.session, self.told = Session(preset), list[dict[str, Any]]()
        self.lecture, browser = Lecture(self.session), LecturerBrowser()
        browser.send = lambda **words: self.told.append(words)  # type: ignore[method-assign]
        self.hear = browser._handle_msg
        self.pane = pn.pane.HTML("")
        panes = {"Lecture": pn.pane.HTML("the list")}
        self.control = LectureControl(
            self.session, self.lecture, browser, lambda: is_open, lambda name: panes.get(name, self.pane)
        )

    @property
    def state(self) -> tuple[object, ...]:
        session, lecture = self.session, self.lecture
        return lecture.moments, lecture.at, lecture.undone, session.setup, session.run, session.cursor.time

    async def take(self, data: object, name: str) -> None:
        self.control.take(data, name)
        await settled(self.session, lambda: not self.control._opening.busy)


async def test_the_list_of_moments_is_not_printed_for_an_instrument(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page()
    monkeypatch.setattr("app.classroom.lecture_panel.PERIOD", 0.0)
    page.session.param.update(playing=False, tab="Check")
    page.pane.object = "the instrument"
    page.lecture.keep()
    page.lecture.keep()
    await settled(page.session, lambda: not page.session.jobs.running)
    page.control.draw()
    page.lecture.step(-1)
    await settled(page.session, lambda: page.lecture.shown is not None and not page.session.jobs.running)
    page.session.tab = "Lecture"
    page.control.draw()
    page.control.print()
    handout = page.told[-1]["show"]
    assert ("the instrument" in handout, "the list" in handout) == (True, False)


async def test_a_handout_waits_for_what_its_last_moment_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page()
    monkeypatch.setattr("app.classroom.lecture_panel.PERIOD", 0.0)
    page.session.param.update(playing=False, tab="Cost")
    await settled(page.session, lambda: not page.session.jobs.running)
    counted = Event()
    page.session.jobs.new("counts").start(counted.wait, lambda _: page.pane.param.update(object="its numbers"))
    page.lecture.keep()
    page.control.draw()
    page.session.tab = "Lecture"
    page.control.print()
    page.control.draw()
    assert not any("show" in words for words in page.told)
    counted.set()
    await settled(page.session, lambda: not page.session.jobs.running)
    page.control.draw()
    assert "its numbers" in page.told[-1]["show"]


async def test_a_page_that_comes_back_has_its_moments_and_its_place_again() -> None:
    page, back = Page(), Page("puma560")
    page.lecture.keep()
    page.control.draw()  # nothing is kept before the browser has said what it had
    assert [words for words in page.told if "keep" in words] == []
    page.hear({"home": "https://x.org/app", "text": "", "place": 0})
    page.lecture.keep()
    page.control.draw()
    page.control.draw()
    (kept,) = [words["keep"] for words in page.told if "keep" in words]
    assert kept == {"place": 2, "text": written(page.lecture)}
    page.lecture.at = page.lecture.moments[0].number
    page.control.draw()
    assert page.told[-1] == {"keep": {"place": 1}}  # no more than that is new
    back.hear({"home": "https://x.org/app", "text": kept["text"], "place": 1})
    back.hear({"home": "https://x.org/app", "text": FIRST_VERSION, "place": 1})  # once
    theirs = back.lecture
    await settled(back.session, lambda: bool(theirs.moments))
    assert "1 of 2 · " in back.control.caption.object
    assert (written(theirs), theirs.place(theirs.at), theirs.undone) == (kept["text"], 1, "")
    for hostile in ({"step": "1"}, {"shot": "x"}, {"home": 3}, {"text": 4}, {"shot": 1, "camera": 3}, {}, None, 3):
        back.hear(hostile)
    assert written(theirs) == kept["text"]
