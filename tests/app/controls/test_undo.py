"""The button that keeps runs says what it has kept, and takes none away."""

from __future__ import annotations

from app.controls.undo import Undo
from app.state import Session


def test_what_is_kept_is_told_and_a_name_is_no_markup() -> None:
    session = Session("planar_chain")
    undo = Undo(session)
    before = undo._keep.description
    undo.keep()
    assert undo._told.words.startswith(f"Kept as A: {session.title}.")
    session.change_kept("A", title="<b>light</b>")
    undo.keep()
    assert undo._told.words.startswith("This run is kept already, as A: &lt;b&gt;light&lt;/b&gt;.")
    session.set_mass(2.0 * session.mass)
    undo._keep.clicks += 1
    assert undo._told.words.startswith("Kept as B: ")
    assert [each.letter for each in session.kept] == ["A", "B"]
    assert undo._keep.description == before


def test_no_room_is_told_there_and_leaves_by_itself() -> None:
    """Not as a failure over the world, which stays until somebody has found its cross."""
    session = Session("duaro_scara")
    undo = Undo(session)
    for factor in (1.5, 2.0, 3.0, 4.0, 5.0, 6.0):
        undo.keep()
        session.set_mass(factor * session.mass)
    undo.keep()
    assert undo._told.words == (
        "6 runs are kept, which is the most. Remove one of them first. <i>Show</i> lists what is kept."
    )
    assert session.message == ""
