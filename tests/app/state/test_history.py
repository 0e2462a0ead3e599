"""Every change can be undone and redone; runs are kept, named, shown, hidden and opened again."""

import pytest

from app.state import Session, history
from app.state.kept_run import FULL, LETTERS
from tests.app.arrival import computed


@pytest.fixture
def session() -> Session:
    return Session("two_arms_and_box")


def test_every_change_is_taken_back_and_made_again(session: Session) -> None:
    joint, mass = session.system.joint_names[0], session.mass
    computed(session.run, 0.5)
    session.set_mass(2.0 * mass)
    session.set_torque(joint, 1.5)
    session.change(posture=tuple(session.setup.machine.state.q + 0.01))
    computed(session.run, 0.5)
    session.seek(0.25)
    session.release()
    session.open_preset("puma560")
    after = []
    while session.can_undo:
        after.append(session.setup)
        session.undo()
    assert (len(after), session.setup.machine.preset.name) == (5, "two_arms_and_box")
    assert (session.mass, session.torques[joint], session.setup.posture) == (mass, 0.0, None)
    for setup in reversed(after):
        session.redo()
        assert session.setup == setup
    assert not session.can_redo
    assert session.title == "PUMA 560, reaching"


def test_a_slider_on_its_way_is_one_step(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(history.time, "monotonic", lambda: now)
    joint, other = session.system.joint_names[:2]
    for value in (0.1, 0.2, 0.3):
        now += 0.5
        session.set_torque(joint, value)
    session.set_torque(other, 1.0)
    now += 2.0
    session.set_torque(other, 2.0)
    session.undo()
    assert (session.torques[joint], session.torques[other]) == (0.3, 1.0)
    session.undo()
    session.undo()
    assert (session.torques[joint], session.torques[other]) == (0.0, 0.0)
    assert not session.can_undo


def test_a_change_that_fails_is_no_step(session: Session) -> None:
    run = session.run
    session.undo()  # nothing to undo yet
    session.redo()
    assert session.run is run
    session.set_mass(-1.0)
    assert session.message
    assert session.run is run
    assert not session.can_undo


def test_runs_are_named_shown_hidden_and_dropped_by_their_letters() -> None:
    session = Session("planar_chain")
    for _ in range(3):
        session.keep()
    session.change_kept("B", title="  <b>heavy</b>\n")
    session.change_kept("C", title="\0\n")
    session.change_kept("A", shown=False)
    assert [each.letter for each in session.ghosts] == ["B", "C"]
    assert [each.title for each in session.kept[1:]] == ["<b>heavy</b>", f"{session.title} (3)"]
    session.drop_kept("B")
    session.keep()
    assert [each.letter for each in session.kept] == ["A", "B", "C"]
    assert session.kept[1].title == f"{session.title} (2)"
    for letter in ("Z", "", "AB", "\ud800"):
        session.change_kept(letter, title="x")
        session.drop_kept(letter)
        session.open_kept(letter)
    assert len(session.kept) == 3
    for _ in range(len(LETTERS)):
        session.keep()
    assert [each.letter for each in session.kept] == list(LETTERS)
    assert session.keep_once().startswith("This run is kept already, as A: ")
    session.set_mass(2.0 * session.mass)
    assert (session.keep_once(), session.keep()) == (FULL, None)


def test_a_kept_run_is_opened_again_and_undo_leads_back() -> None:
    session = Session("planar_chain")
    session.keep()
    (kept,) = session.kept
    session.set_mass(2.0 * session.mass)
    changed = session.setup
    session.open_kept("A")
    assert (session.run, session.setup) == (kept.run, kept.setup)
    session.undo()
    assert session.setup == changed
    session.redo()
    assert session.setup == kept.setup
    session.open_preset("two_arms_and_box")
    session.select_link(9)
    session.open_kept("A")  # of another machine: the cursor is within it
    assert session.run is kept.run
    assert session.cursor.link < session.system.n_links
    session.undo()
    assert session.preset.name == "two_arms_and_box"
