"""The menus of drives and starts follow the session, and say what is and what cannot be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.controls.drive import OWN_START, Drive, in_words
from app.motion.drives import DRIVES
from app.state import Session
from tests.app.upload.test_upload import chain

Open = Callable[[Session, bytes, str], None]


@pytest.fixture
def session() -> Session:
    return Session("iiwa14")


def test_a_drive_is_chosen_undone_and_made_again(session: Session) -> None:
    view, before = Drive(session), session.run
    assert view._drive.value == "reach"
    view._drive.value = "circle"
    assert (session.setup.drive, session.title) == ("circle", "KUKA iiwa 14, reaching, a circle with the tip")
    assert "across" in view._words.object
    session.undo()
    assert (session.setup.drive, view._drive.value) == ("", "reach")
    assert "another posture and back" in view._words.object
    session.redo()
    assert view._drive.value == "circle"
    session.reset()
    assert (session.setup.drive, view._drive.value) == ("", "reach")
    assert session.run is not before


def test_what_does_not_fit_is_not_offered_and_why_is_said() -> None:
    session = Session("two_arms_and_box")
    view = Drive(session)
    assert list(view._drive.options.values()) == ["free", "hand", "carry"]
    assert "A circle with the tip (the tips hold an object)" in view._words.object
    session.open_preset("free_flyer")
    assert list(view._drive.options.values()) == ["free", "reach", "hand"]
    run = session.run
    session.set_drive("circle")
    assert "does not fit, for its base floats" in session.message
    assert (session.run, view._drive.value) == (run, "reach")


def test_a_start_is_chosen_and_what_posture_sets_is_shown(session: Session) -> None:
    view = Drive(session)
    view._start.value = "Every joint at zero"
    assert session.setup.posture == (0.0,) * 7
    session.change("posture", posture=(0.1,) * 7)
    assert (view._start.value, view._start.options[-1]) == (OWN_START, OWN_START)
    view._start.value = "Bent this way and that"
    assert session.setup.posture not in (None, (0.1,) * 7)
    assert OWN_START not in view._start.options
    session.undo()
    assert (session.setup.posture, view._start.value) == ((0.1,) * 7, OWN_START)


def test_names_in_what_is_said_are_escaped(session: Session, open_file: Open) -> None:
    limit = b"type='revolute'><limit effort='0' velocity='1' lower='-1' upper='1'/>"
    open_file(session, chain(2).replace(b"type='continuous'>", limit).replace(b"'j2'", b"'&lt;b&gt;'"), "weak.urdf")
    assert session.message == ""
    assert "&lt;b&gt;" in in_words(session)
    assert "<b>" not in in_words(session)


def test_a_file_with_one_joint_has_no_circle(session: Session, open_file: Open) -> None:
    view = Drive(session)
    open_file(session, chain(1), "one.urdf")
    assert DRIVES["circle"].title not in view._drive.options
    assert "hangs on one joint alone" in view._words.object
    assert view._drive.value == "reach"


HANGING = b"xyz='.1 0 0'", b"xyz='0 0 -.1'"
TURNING = b"axis xyz='0 1 0'", b"axis xyz='0 0 1'"


def test_what_hangs_in_balance_is_bent_first(session: Session, open_file: Open) -> None:
    view = Drive(session)
    open_file(session, chain(3).replace(*HANGING), "hanging.urdf")
    assert not view._rest.visible  # its springs move it
    session.set_drive("free")
    session.change("posture", posture=(0.0,) * 3)
    assert view._rest.visible
    view._bend()
    assert not view._rest.visible
    assert session.playing
    assert np.abs(session.run.solution_at(0.0).joint_acceleration).max() > 1.0
    session.undo()
    assert view._rest.visible


@pytest.mark.parametrize("file", [chain(3), chain(3).replace(*HANGING).replace(*TURNING)], ids=["falls", "turns"])
def test_what_falls_is_not_and_neither_is_what_no_bending_helps(session: Session, open_file: Open, file: bytes) -> None:
    view = Drive(session)
    open_file(session, file, "other.urdf")
    session.set_drive("free")
    session.change("posture", posture=(0.0,) * 3)
    assert not view._rest.visible


def test_without_gravity_bending_helps_nothing(session: Session, open_file: Open) -> None:
    view = Drive(session)
    open_file(session, chain(3).replace(*HANGING), "hanging.urdf")
    session.set_drive("free")
    session.set_gravity((0.0, 0.0, 0.0))
    session.change("posture", posture=(0.0,) * 3)
    assert not view._rest.visible
