"""Several runs are kept, named, shown and hidden, and one of them is opened again."""

from __future__ import annotations

from app.kept.kept_run import LETTERS
from app.state import Session


def letters(session: Session) -> str:
    return "".join(each.letter for each in session.ghosts)


def test_a_second_press_keeps_the_changed_run_too() -> None:
    session = Session("planar_chain")
    assert session.keep_once().startswith("Kept as A: ")
    assert (letters(session), session.kept[0].run) == ("A", session.run)
    session.set_mass(2.0 * session.mass)
    assert session.keep_once().startswith("Kept as B: ")
    assert (letters(session), session.kept[1].run) == ("AB", session.run)
    assert session.kept[0].title != session.kept[1].title
    assert session.message == ""


def test_what_is_kept_already_is_said_and_seen_again() -> None:
    session = Session("planar_chain")
    session.keep_once()
    (kept,) = session.kept
    session.change_kept("A", shown=False, title="the first")
    assert session.keep_once() == "This run is kept already, as A: the first."
    assert letters(session) == "A"
    session.set_mass(2.0 * session.mass)
    session.undo()  # computed again, but the same
    assert session.keep_once() == "This run is kept already, as A: the first."
    assert [each.run for each in session.kept] == [kept.run]


def test_runs_are_named_shown_hidden_and_dropped_by_their_letters() -> None:
    session = Session("planar_chain")
    for _ in range(3):
        session.keep()
    session.change_kept("B", title="  <b>heavy</b>\n")
    session.change_kept("C", title="\0\n")
    session.change_kept("A", shown=False)
    assert letters(session) == "BC"
    assert [each.title for each in session.kept[1:]] == ["<b>heavy</b>", f"{session.title} (3)"]
    session.drop_kept("B")
    session.keep()
    assert [each.letter for each in session.kept] == ["A", "B", "C"]
    for letter in ("Z", "", "AB", "\ud800"):
        session.change_kept(letter, title="x")
        session.drop_kept(letter)
        session.open_kept(letter)
    assert len(session.kept) == 3


def test_there_is_room_for_six_and_that_is_said() -> None:
    session = Session("planar_chain")
    for _ in LETTERS:
        assert session.keep()
    before = session.kept
    assert not session.keep()
    session.set_mass(2.0 * session.mass)
    assert session.keep_once() == "6 runs are kept, which is the most. Remove one of them first."
    assert session.message == "", "it is said where it was asked for"
    assert session.kept is before


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


def test_a_broken_run_is_alone_as_long_as_it_is_shown() -> None:
    from app.kept import Ghost

    session = Session("planar_chain")
    session.keep()
    session.broken = Ghost(session.run, "broken")
    assert session.ghosts == (session.broken,)
    assert "already, as A" in session.keep_once()
    assert letters(session) == "A"
