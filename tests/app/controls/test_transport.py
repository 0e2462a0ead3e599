"""The timeline: the words at its marks, and whose hand its scrubber hears."""

from __future__ import annotations

import pytest

from app.controls.transport import OFF_STEP, SCRUB_STEP, Transport, beside_step, is_on_step, marks_of
from app.state import Session
from app.state.manipulation import Manipulation


def test_words_at_marks_do_not_overlap() -> None:
    events = [(1.0, "released"), (1.2, "grasped"), (2.5, "joint_2 met its lower limit"), (2.6, "released")]
    marks = marks_of(events, room=0.9)
    assert [mark["value"] for mark in marks] == [1.0, 1.2, 2.5, 2.6]
    assert [mark["label"] for mark in marks] == ["released", "", "limit", ""]


@pytest.mark.parametrize("time", [0.0, 1.0, 2.614, 5.92, 9.995, 10.0])
def test_the_clock_puts_the_scrubber_where_no_hand_can(time: float) -> None:
    place = beside_step(time, 10.0)
    assert 0.0 <= place <= 10.0
    assert place == pytest.approx(time, abs=1.01 * OFF_STEP)
    assert not is_on_step(place)
    assert is_on_step(round(time / SCRUB_STEP) * SCRUB_STEP)


def test_a_browser_that_repeats_late_where_the_scrubber_was_does_not_hold_the_motion() -> None:
    session = Session("puma560")
    while session.run.end < 4.0:
        session.run.accept(session.run.compute())
    transport = Transport(session, Manipulation(session))
    places = []
    for tenth in range(40):
        session.cursor.time = tenth / 10.0
        transport.draw()
        places.append(transport._timeline.value)
    for late in places:
        transport._timeline.value = late
        assert not session.scrubbing
        assert session.time == 3.9
    transport.draw()
    assert transport._timeline.value == pytest.approx(3.9, abs=1.01 * OFF_STEP)
    transport._timeline.value = 0.57
    assert session.scrubbing
    assert session.time == pytest.approx(0.57)
    transport._timeline.param.update(value_throttled=0.57)
    assert not session.scrubbing
    assert transport._timeline.value_throttled is None  # the same place can be let go at again
    transport._timeline.value = 0.57
    assert session.time == pytest.approx(0.57)
    assert not session.scrubbing  # late: the user has let go there
    transport._timeline.value = 0.58
    assert session.scrubbing
