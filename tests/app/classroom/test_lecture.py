"""Moments of a lecture: what is drawn at random comes back exactly; each change is made once and can be undone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.classroom.lecture import Lecture
from app.classroom.lecture import written as file_of
from app.classroom.lecture_panel import handout_html
from app.saved.read import written
from app.state import Session
from app.state.address import query_of
from scenes import CHOICES
from tests.app.arrival import computed
from tests.app.classroom.waiting import CAMERA, SEEN, gone, read
from tests.app.upload.test_upload import chain
from tests.conftest import run_apart

TABS = ("", "Walk", "Check", "Show")


def names(lecture: Lecture) -> list[str]:
    return [each.title for each in lecture.moments]


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
        wanted.append(written(session))
    theirs.replace(*read(file_of(lecture).encode(), other), "")
    assert file_of(theirs) == file_of(lecture)
    for page, moments in ((session, lecture), (other, theirs)):
        for at in (*range(len(shown)), 0):
            page.param.update(tab="", beside="")  # the list itself is closed
            await gone(moments, page, moments.moments[at].number)
            assert (page.message, written(page)) == ("", wanted[at])


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
    whole = json.loads(file_of(lecture))
    assert [file["name"] for file in whole["files"]] == ["mine.urdf"]
    theirs.replace(*read(file_of(lecture).encode(), other), "")
    sent: list[Any] = []
    other.opening.param.watch(lambda event: sent.append(event.new), "sent")
    await gone(theirs, other, theirs.moments[0].number)
    assert (other.title, other.message) == ("mine.urdf", "")
    assert sent[0] == (other.setup.machine.file, chain(3))  # for the browser, that a reload finds it
    theirs.drop(theirs.moments[0].number)
    assert json.loads(file_of(theirs))["files"] == []  # of no moment any more


def test_moments_are_named_moved_and_removed_and_each_change_is_taken_back() -> None:
    session = Session("planar_chain")
    lecture = Lecture(session)
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
    for part in (
        "1. A &lt;b&gt;first&lt;/b&gt; look",
        "Ask.\nThen &lt;show&gt;.",
        f'<img src="{SEEN}"',
        "is printed only if",
    ):
        assert part in text
    (link,) = (unescape(each) for each in re.findall('<a href="([^"]+)"', text))
    assert link.startswith(f"{HOME}?")
    query = dict(parse_qsl(urlsplit(link).query))
    assert (query["camera"], query["preset"]) == (CAMERA, "puma560")
