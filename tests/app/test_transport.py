"""The words at the timeline's marks."""

from __future__ import annotations

from app.controls.transport import marks_of


def test_words_at_marks_do_not_overlap() -> None:
    events = [(1.0, "released"), (1.2, "grasped"), (2.5, "joint_2 met its lower limit"), (2.6, "released")]
    marks = marks_of(events, room=0.9)
    assert [mark["value"] for mark in marks] == [1.0, 1.2, 2.5, 2.6]
    assert [mark["label"] for mark in marks] == ["released", "", "limit", ""]
