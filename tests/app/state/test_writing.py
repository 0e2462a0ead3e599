"""What a session knows of the lines that its user writes."""

import numpy as np
import pytest

import dynamics as dyn
from app.state import Session
from app.state.address import asked, query_of
from app.state.breakage import Breakage
from app.state.machine_loader import RefusedError
from app.state.writing import FIRST, Writing, written_at
from dynamics.reading import attempt
from tests.app.arrival import computed, paused

GAIN = "inward_filter.correction.G"


def test_what_is_right_once_stays_written() -> None:
    writing = Writing(paused("puma560", 0.2))
    assert writing.write("H @ P @ H.T").verdict == "wrong"
    assert not writing.right
    assert (writing.write("H @ P @ H.T + I_r").verdict, writing.right) == ("right", {FIRST})
    writing.write("H @ P")
    assert writing.done == {FIRST: "H @ P @ H.T + I_r"}
    writing.forget()
    assert (writing.right, writing.text, writing.done) == (frozenset(), "", {})


def test_a_link_says_which_line_is_open() -> None:
    session = paused("puma560", 0.2)
    writing = Writing(session)
    assert "write" not in query_of(session)
    writing.choose(GAIN)
    writing.choose_whole(True)
    query = query_of(session)
    assert query["write"] == f"{GAIN}/all"
    other = paused("puma560", 0.2)
    own = Writing(other)
    found = asked(query, other)
    found.show(other)
    assert (own.key, own.whole) == (GAIN, True)
    for wrong in ("P", "a.b/c", "<b>.x", "inward_filter.correction.D/all/all", "x" * 200):
        with pytest.raises(RefusedError, match="write"):
            asked({**query, "write": wrong}, other)
    other.write = "inward_filter.correction.nothing"
    assert own.exercise.key == FIRST


def shown_elsewhere(query: dict[str, str]) -> Writing:
    """What another page shows of a link."""
    session = paused("two_arms_and_box", 0.2)
    asked(query, session).show(session)
    return Writing(session)


def test_a_link_says_what_is_typed_in_the_lines_that_are_blank() -> None:
    session = paused("puma560", 0.2)
    writing = Writing(session)
    writing.put("H @ P @ ")
    assert (query_of(session)["typed"], shown_elsewhere(query_of(session)).text) == (f"{FIRST}=H @ P @ ", "H @ P @ ")
    writing.choose(GAIN)
    assert "typed" not in query_of(session)
    writing.put("(P = <b> & φ) # “\U0001f916”")
    writing.choose_whole(True)
    query = query_of(session)
    other = shown_elsewhere(query)
    assert ((other.key, other.whole, other.text), other.lines) == ((GAIN, True, writing.text), writing.lines)
    assert query_of(other._session)["typed"] == query["typed"]
    writing.put("")
    assert shown_elsewhere(query_of(session)).lines == ((FIRST, "H @ P @ "),)


async def test_the_arm_moves_by_what_is_typed() -> None:
    session = paused("puma560", 0.2)
    computed(session.run, 2.0)
    breakage, writing = Breakage(session), Writing(session)
    writing.write("2 * H @ P @ H.T + I_r")
    writing.show_motion()
    breakage.show_motion()
    assert breakage.shown is not None
    assert "as you have written it" in session.broken.title
    shown = breakage.shown
    shown.accept(shown.compute())
    start = session.motion
    assert start is not None
    found = shown.solution_at(start + 0.01)
    given = (found.system, found.state, found.tau, shown.wrench_at(start + 0.01))
    typed, published = (
        dyn.read_textbook(*given, typed=lines).solution.joint_acceleration for lines in (dict(writing.lines), None)
    )
    assert np.array_equal(found.joint_acceleration, typed)
    assert np.abs(found.joint_acceleration - published).max() > 1e-3 * np.abs(published).max()
    session.breaks = frozenset({"inward_filter.prediction.P~M~drop"})  # what is typed is judged alone
    assert breakage.shown is not None
    assert "broken" not in session.broken.title
    writing.write("H @ P")  # another line is another motion
    assert (session.motion, session.written, session.broken) == (None, (), None)


SPELLED = {"D": "H @ (P @ H.T) + I_r", "G": "(H @ P).T / D", "P_plus": "(I - G @ H) @ P", "nu": "inv(D) @ eps"}
"""Right lines of the inward filter that round otherwise than the published ones."""


def test_a_sweep_is_finished_however_its_lines_are_spelled() -> None:
    for preset in ["point_contact", "puma560"]:
        for letter in SPELLED:
            session = Session(preset)
            session.playing = False
            session.run.accept(session.run.compute())
            session.seek(min(0.2, session.run.end))
            whole = session.whole_reading()
            key = f"inward_filter.correction.{letter}"
            assert attempt(whole, key, SPELLED[letter]).verdict == "right"
            assert written_at(whole, ((key, SPELLED[letter]),)).difference <= 1e-12
            wrong = SPELLED[letter].replace("P", "(P + 1e-9 * P)").replace("inv(D)", "1.000000001 * inv(D)")
            assert written_at(whole, ((key, wrong),)).difference > 1e-12
