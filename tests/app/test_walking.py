"""The walk that goes on by itself, on a clock of the test's own."""

from __future__ import annotations

import pytest

from app.state import Session
from app.state.walking import PACES, Walking


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
    walking = Walking(session, time)
    session.walk_to_start()
    first = session.place
    walking.toggle()
    assert walking.active
    assert not session.playing
    walking.draw()
    assert session.place == first
    time.now += PACES["Normal"]
    walking.draw()
    assert session.place.half == 1
    assert session.place.link == first.link
    walking.pace = "Fast"
    time.now += PACES["Fast"]
    walking.draw()
    assert session.place.half == 0
    assert session.place.link != first.link


def test_it_goes_through_all_stages_and_stops_at_the_end(session: Session) -> None:
    time = Time()
    walking = Walking(session, time, pace="Fast")
    session.walk_to_start()
    walking.toggle()
    seen = []
    while walking.active:
        seen.append(session.place.stage)
        time.now += 1.0
        walking.draw()
    assert list(dict.fromkeys(seen)) == ["filter", "smoother", "contact", "filter_correction", "smoother_final"]
    assert session.at_end_of_walk
    walking.toggle()
    assert session.place.stage == "filter"


def test_playing_the_motion_ends_the_walk(session: Session) -> None:
    walking = Walking(session)
    walking.toggle()
    session.playing = True
    walking.draw()
    assert not walking.active


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
