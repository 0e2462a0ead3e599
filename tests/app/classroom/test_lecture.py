"""Moments of a lecture come back exactly, each change can be undone, and a file is read whole or not at all."""

import base64
import json
import re
from collections.abc import Callable
from html import unescape
from threading import Event
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import panel as pn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.classroom.browser import LecturerBrowser
from app.classroom.lecture import JPEG, LONGEST_NOTE, PICTURE, VERSION, Lecture, read_lecture, written
from app.classroom.lecture_panel import LectureControl, handout_html
from app.files.session_file import LARGEST
from app.files.session_file import written as session_file
from app.motion.errors import ERRORS
from app.state import Session
from app.state.address import query_of
from app.state.machine_loader import RefusedError
from scenes import CHOICES
from tests.app.arrival import arrival, computed
from tests.app.files.test_upload import chain
from tests.conftest import run_apart

CAMERA = "1.5000 -2.0000 0.7500 0.0000 -0.0000 0.4000"
SEEN = PICTURE + base64.b64encode(JPEG + b"a world").decode()


async def gone(lecture: Lecture, session: Session, number: int) -> None:
    """Goes to a moment, and waits until it is shown or said why not."""
    shown: list[object] = []
    watcher = lecture.param.watch(lambda _: shown.append(1), "shown")
    lecture.go(number)
    await arrival(session, lambda: bool(shown) or "is not shown" in lecture.word)
    lecture.param.unwatch(watcher)


def read(data: bytes, session: Session) -> Any:
    """The moments and the robot files of a lecture's file."""
    *_, whole = read_lecture(data, session)
    return whole


TABS = ("", "Walk", "Check", "Show")


@st.composite
def views(draw: st.DrawFn) -> Callable[[Session], None]:
    """Much of what a page may show, as something that is done in a session."""
    preset = draw(st.sampled_from(("puma560", "two_planar_arms", "free_flyer")))
    time, speed = draw(st.integers(0, 150)) / 100.0, draw(st.sampled_from((0.1, 1.0, 2.0)))
    stage, link, half = draw(st.sampled_from(("filter", "smoother"))), draw(st.integers(0, 2)), draw(st.integers(0, 1))
    layers = draw(st.lists(st.sampled_from(sorted(CHOICES)), unique=True, max_size=4))
    tab, beside = draw(st.sampled_from(TABS)), draw(st.sampled_from(TABS))
    sheet = draw(st.sampled_from(("", "Links", "Matrices")))
    heavier, torque = draw(st.sampled_from((1.0, 1.37))), draw(st.sampled_from((0.0, 1.0 / 3.0)))
    walked, follows, keeps = draw(st.booleans()), draw(st.booleans()), draw(st.integers(0, 2))

    def do(session: Session) -> None:
        session.open_preset(preset)
        for _ in range(keeps):
            session.keep()
        if heavier != 1.0:
            session.set_mass(heavier * session.mass)
        if torque:
            session.set_torque(session.system.joint_names[0], torque)
        computed(session.run)
        session.playing = False
        session.seek(time)
        session.select_stage(stage)
        session.select_link(link)
        session.cursor.half = half
        session.param.update(
            layers=layers, tab=tab, beside=beside, sheet=sheet, walked=walked, follows_walk=follows, speed=speed
        )

    return do


@pytest.mark.compiled_only
@settings(max_examples=3)  # each computes up to three runs twice
@given(st.lists(views(), min_size=2, max_size=3))
def test_drawn_moments_come_back_exactly_here_and_in_another_page(shown: list[Callable[[Session], None]]) -> None:
    run_apart(come_back(shown))


async def come_back(shown: list[Callable[[Session], None]]) -> None:
    session, other = Session("planar_chain"), Session("two_arms_and_box")
    lecture, theirs = Lecture(session), Lecture(other)
    wanted = []
    for do in shown:
        session.kept = ()
        do(session)
        lecture.keep()
        wanted.append(session_file(session))
    theirs.replace(*read(written(lecture).encode(), other), "")
    assert written(theirs) == written(lecture)
    for page, moments in ((session, lecture), (other, theirs)):
        for at in (*range(len(shown)), 0):
            page.param.update(tab="", beside="")  # the list itself is closed
            await gone(moments, page, moments.moments[at].number)
            assert (page.message, session_file(page)) == ("", wanted[at])


def test_a_moment_that_is_kept_from_the_list_shows_the_instrument_that_was_open_before() -> None:
    session = Session("two_arms_and_box")
    lecture = Lecture(session)
    for tab, beside, told in (("Contact", "", "Contact"), ("Lecture", "", "Contact"), ("Lecture", "Check", "Check")):
        session.param.update(tab=tab, beside=beside)
        moment = lecture.keep()
        assert moment is not None
        assert moment.query["tab"] == told
        assert moment.is_shown(query_of(session))


async def test_a_robot_file_travels_with_the_lecture(open_file: Callable[..., None]) -> None:
    session, other = Session("puma560"), Session("puma560")
    open_file(session, chain(3), "mine.urdf")
    session.playing = False
    lecture, theirs = Lecture(session), Lecture(other)
    lecture.keep()
    whole = json.loads(written(lecture))
    assert [file["name"] for file in whole["files"]] == ["mine.urdf"]
    theirs.replace(*read(written(lecture).encode(), other), "")
    sent: list[Any] = []
    other.opening.param.watch(lambda event: sent.append(event.new), "sent")
    await gone(theirs, other, theirs.moments[0].number)
    assert (other.title, other.message) == ("mine.urdf", "")
    assert sent[0] == (other.setup.machine.file, chain(3))  # for the browser, that a reload finds it
    theirs.drop(theirs.moments[0].number)
    assert json.loads(written(theirs))["files"] == []  # of no moment any more


def test_moments_are_named_moved_and_removed_and_each_change_is_taken_back() -> None:
    session = Session("planar_chain")
    lecture = Lecture(session)

    def names(lecture: Lecture) -> list[str]:
        return [each.title for each in lecture.moments]

    assert lecture.undone == ""
    lecture.undo()  # nothing
    for _ in range(3):
        lecture.keep()
    one, two, three = (each.number for each in lecture.moments)
    for number, title in ((one, "one"), (two, "two"), (three, "three")):
        lecture.change(number, title=title)
    lecture.change(two, note="say\n this ")
    before = lecture.moments
    lecture.change(two, title="  ")  # no title is none
    lecture.change(two, title="two", note="say\n this")
    assert lecture.moments is before
    lecture.move(three, -1)
    assert (names(lecture), lecture.word) == (["one", "three", "two"], "“three” is now moment 2 of 3.")
    lecture.move(one, -1)  # there is no place before the first
    assert (names(lecture), lecture.undone) == (["one", "three", "two"], "moving “three”")
    lecture.drop(one)
    lecture.drop(one)  # it is gone
    assert (names(lecture), lecture.undone) == (["three", "two"], "removing “one”")
    lecture.undo()
    assert (names(lecture), lecture.word) == (["one", "three", "two"], "Taken back: removing “one”.")
    lecture.undo()
    assert lecture.moments == before
    lecture.undo()
    assert lecture.of(two).note == ""
    for _ in range(6):
        lecture.undo()
    assert (lecture.moments, lecture.undone) == ((), "")


HOME = "https://example.org/app"


def test_what_a_lecturer_has_written_is_words_and_a_link_leads_back() -> None:
    session = Session("puma560")
    lecture = Lecture(session)
    moment = lecture.keep()
    lecture.change(moment.number, title="A <b>first</b> look", note="Ask.\nThen <show>.")
    lecture.picture(moment.number, CAMERA, SEEN)
    text = handout_html(lecture, HOME, {})
    for part in ("1. A &lt;b&gt;first&lt;/b&gt; look", "Ask.\nThen &lt;show&gt;.", f'<img src="{SEEN}"'):
        assert part in text
    (link,) = (unescape(each) for each in re.findall('<a href="([^"]+)"', text))
    assert link.startswith(f"{HOME}?")
    query = dict(parse_qsl(urlsplit(link).query))
    assert (query["camera"], query["preset"]) == (CAMERA, "puma560")


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
    "half a character":
        (moments(moment={"preset": "puma560", "x": "\ud800"}), "of moment 2, it contains half a character"),
    "a robot that is not in it": (moments(moment={"preset": "file", "file": "0" * 32, "name": "a.urdf"}),
        "of moment 2, the robot file 'a.urdf' is not in it"),
    "a robot file that is no text": (variant(files=[{"name": "a.urdf", "base64": "!"}]), "cannot be read"),
}  # fmt: skip


def test_a_bad_file_is_refused_in_words() -> None:
    for name, (data, word) in BAD.items():
        with pytest.raises((RefusedError, *ERRORS)) as refused:
            read(data, Session("planar_chain"))
        assert word in str(refused.value), name
        assert len(str(refused.value)) < 400


class Page:
    """A page with a lecture, and what its browser is told."""

    def __init__(self, preset: str = "planar_chain") -> None:
        self.session, self.told = Session(preset), list[dict[str, Any]]()
        self.lecture, browser = Lecture(self.session), LecturerBrowser()
        browser.send = lambda **words: self.told.append(words)  # type: ignore[method-assign]
        self.hear = browser._handle_msg
        self.pane = pn.pane.HTML("")
        panes = {"Lecture": pn.pane.HTML("the list")}
        self.control = LectureControl(self.session, self.lecture, browser, lambda name: panes.get(name, self.pane))


async def test_the_list_of_moments_is_not_printed_for_an_instrument(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page()
    monkeypatch.setattr("app.classroom.lecture_panel.PERIOD", 0.0)
    page.session.param.update(playing=False, tab="Check")
    page.pane.object = "the instrument"
    page.lecture.keep()
    page.lecture.keep()
    await arrival(page.session, lambda: not page.session.jobs.running)
    page.control.draw()
    page.lecture.step(-1)
    await arrival(page.session, lambda: page.lecture.shown is not None and not page.session.jobs.running)
    page.session.tab = "Lecture"
    page.control.draw()
    page.control.print()
    handout = page.told[-1]["show"]
    assert ("the instrument" in handout, "the list" in handout) == (True, False)


async def test_a_handout_waits_for_what_its_last_moment_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page()
    monkeypatch.setattr("app.classroom.lecture_panel.PERIOD", 0.0)
    page.session.param.update(playing=False, tab="Cost")
    await arrival(page.session, lambda: not page.session.jobs.running)
    counted = Event()
    page.session.jobs.new("counts").start(counted.wait, lambda _: page.pane.param.update(object="its numbers"))
    page.lecture.keep()
    page.control.draw()
    page.session.tab = "Lecture"
    page.control.print()
    page.control.draw()
    assert not any("show" in words for words in page.told)
    counted.set()
    await arrival(page.session, lambda: not page.session.jobs.running)
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
    await arrival(back.session, lambda: bool(theirs.moments))
    assert "1 of 2 · " in back.control.caption.object
    assert (written(theirs), theirs.place(theirs.at), theirs.undone) == (kept["text"], 1, "")
    for hostile in ({"step": "1"}, {"shot": "x"}, {"home": 3}, {"text": 4}, {"shot": 1, "camera": 3}, {}, None, 3):
        back.hear(hostile)
    assert written(theirs) == kept["text"]
