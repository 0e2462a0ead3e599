"""The walk that goes on by itself, on a clock of the test's own."""

from __future__ import annotations

import pytest

from app.state import Session
from app.state.auto_walk import PACES, AutoWalk


class Time:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def session() -> Session:
    session = Session("two_planar_arms")
    session.run.accept(session.run.compute())
    return session


def test_it_pauses_the_motion_and_takes_a_half_step_when_it_is_due(session: Session) -> None:
    time = Time()
    auto_walk = AutoWalk(session, time)
    session.walk_to_start()
    first = session.place
    auto_walk.toggle()
    assert auto_walk.active
    assert not session.playing
    auto_walk.draw()
    assert session.place == first
    time.now += PACES["Normal"]
    auto_walk.draw()
    assert session.place.half == 1
    assert session.place.link == first.link
    auto_walk.pace = "Fast"
    time.now += PACES["Fast"]
    auto_walk.draw()
    assert session.place.half == 0
    assert session.place.link != first.link


def test_it_goes_through_all_stages_and_stops_at_the_end(session: Session) -> None:
    time = Time()
    auto_walk = AutoWalk(session, time, pace="Fast")
    session.walk_to_start()
    auto_walk.toggle()
    seen = []
    while auto_walk.active:
        seen.append(session.place.stage)
        time.now += 1.0
        auto_walk.draw()
    assert list(dict.fromkeys(seen)) == ["filter", "smoother", "contact", "filter_correction", "smoother_final"]
    assert session.at_end_of_walk
    auto_walk.toggle()
    assert session.place.stage == "filter"


def test_playing_the_motion_ends_the_walk(session: Session) -> None:
    auto_walk = AutoWalk(session)
    auto_walk.toggle()
    session.playing = True
    auto_walk.draw()
    assert not auto_walk.active


def test_the_cursor_walks_in_the_system_of_its_instant(session: Session) -> None:
    session.seek(0.2)
    session.select_stage("contact")
    assert session.place.stage == "contact"
    session.release()
    assert session.place.stage == "filter"
    session.walk_stage(1)
    assert session.cursor.stage == "smoother"
    session.walk_stage(1)
    assert session.cursor.stage == "smoother"
