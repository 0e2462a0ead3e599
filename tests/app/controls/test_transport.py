"""The timeline: how long it is, and the words at its marks."""

from __future__ import annotations

from app.controls.transport import Transport, marks_of
from app.motion.interventions import Released
from app.motion.landing import LANDS
from app.motion.run import DOUBT
from app.state import Session
from app.state.manipulation import Manipulation


def test_the_timeline_is_as_long_as_the_run_and_marks_what_happened() -> None:
    session = Session("two_arms_and_box")
    transport = Transport(session, Manipulation(session))
    transport.draw()
    assert (transport._timeline.duration, transport._timeline.marks) == (session.run.duration, [])
    while session.run.end < 0.5:
        session.run.accept(session.run.compute())
    session.intervene(Released(0.3))
    session.run.accept(session.run.compute())
    transport.draw()
    first, second = transport._timeline.marks
    assert first == {"value": 0.3, "label": "released", "word": "released"}
    assert second["word"].startswith(LANDS)
    session.open_preset("planar_chain")
    transport.draw()
    assert (transport._timeline.duration, transport._timeline.marks) == (10.0, [])


def test_a_mark_says_whose_limit_it_is() -> None:
    marks = marks_of([(2.0, "push"), (1.0, "joint_2 met its lower limit"), (3.0, DOUBT)])
    assert [mark["value"] for mark in marks] == [1.0, 2.0, 3.0]
    assert [mark["label"] for mark in marks] == ["joint_2 limit", "push", "doubtful"]
