"""Write it: a typed line is answered at once, tried in its text, and never becomes markup."""

import re

import pytest

from app.instruments.write_it.write_it import WriteIt
from app.state import Session
from app.state.breakage import Breakage
from app.state.writing import SWEEPS
from dynamics.reading import exercises
from tests.app.arrival import arrival, paused

pytestmark = pytest.mark.compiled_only


@pytest.fixture
def made() -> tuple[Session, WriteIt]:
    session = paused("puma560", 0.2)
    return session, WriteIt(session, Breakage(session))


def typed(instrument: WriteIt, text: str) -> str:
    instrument._editor._handle_msg({"typed": text})
    return str(instrument._said.html)


def test_it_answers_at_once(made: tuple[Session, WriteIt]) -> None:
    _, instrument = made
    assert "Right." in typed(instrument, "H @ P @ H.T + I_r")
    assert not instrument._editor.is_wrong
    assert "1 of 13" in instrument._ladder.html
    wrong = typed(instrument, "H @ P @ H.T - I_r")
    for part in ("Not yet.", "the sign of a term is reversed", "yours"):
        assert part in wrong
    assert instrument._editor.is_wrong
    assert "<mark>P</mark>" in typed(instrument, "P")
    assert "none begins with _" in typed(instrument, "__import__")
    assert instrument._editor.heard == 4


def test_what_is_typed_is_escaped(made: tuple[Session, WriteIt]) -> None:
    _, instrument = made
    for attack in ("<img src=x onerror=alert(1)>", "P<script>", "'><b>", "P @ <b>", "\"'`<i>", "<" * 300):
        said = typed(instrument, attack)
        assert "<img" not in said
        assert not re.search(r"<(script|b>\s*$|i>)", said)
        instrument._typed_at = -10.0
        assert "<img" not in instrument._with_spoken()
        for sheet in (instrument._ladder, instrument._text, instrument._outcome):
            assert "<img" not in sheet.html


async def test_identities_follow_and_the_verdict_is_spoken(made: tuple[Session, WriteIt]) -> None:
    session, instrument = made
    typed(instrument, "2 * H @ P @ H.T + I_r")
    await arrival(session, lambda: "identities fail" in instrument._outcome.html, instrument.draw)
    assert "link_6" in instrument._outcome.html
    instrument._typed_at = -10.0
    await arrival(session, lambda: "data-spoken" in instrument._said.html, instrument.draw)
    assert "There is a factor too many." in instrument._said.html
    typed(instrument, "H @ P @ H.T + I_r")
    await arrival(session, lambda: "all 21 identities hold" in instrument._outcome.html, instrument.draw)


async def test_what_is_right_is_said_after_three_wrong_lines_or_all_hints(made: tuple[Session, WriteIt]) -> None:
    """Not at the first mistake; what is typed on the way to a line is no try."""

    def stands(text: str) -> str:
        typed(instrument, text)
        instrument._typed_at = -10.0
        instrument.draw()
        return str(instrument._said.html)

    _, instrument = made
    for text in ("H @ P @ H.T", "H @ P @ H", "H @ P @ H.T - I_r", "H"):
        assert "I_r[k]" not in typed(instrument, text).partition("data-tried")[2].partition(">")[2], text
    missing = "left out: the rotor&#39;s inertia: I_r[k]"
    said = [stands(text) for text in ("H @ P @ H.T", "P @ H.T", "H @ P @ H.T", "H @ P @ H.T - I_r", "H @ P @ H.T")]
    assert [missing in each for each in said] == [False, False, False, False, True]
    instrument._forget_all()
    assert missing not in stands("H @ P @ H.T")
    for _ in range(3):
        instrument._give_hint()
    assert missing in instrument._said.html


async def test_a_line_that_is_right_here_and_not_in_general_is_not_called_wrong() -> None:
    """It is no wrong try, either: without rotors nothing on this machine shows what is left out."""
    session = paused("iiwa14", 0.2)
    instrument = WriteIt(session, Breakage(session))
    for text in ("H @ P @ H.T", "H @ P @ H.T - I_r", "H @ (P @ H.T)"):
        said = typed(instrument, text)
        instrument._typed_at = -10.0
        instrument.draw()
        assert 'class="partly">~ Right here, not in general.' in said
        assert 'class="bad"' not in said
        assert not instrument._editor.is_wrong
    assert not instrument._says_all


async def test_a_sweep_is_finished_when_its_own_lines_run_together(made: tuple[Session, WriteIt]) -> None:
    session, instrument = made
    instrument._go("sweep costate_covariance")
    for exercise in instrument.writing.own:
        instrument.writing.choose(exercise.key)
        typed(instrument, exercise.right)
    await arrival(session, lambda: "lines blank</i> runs yours together" in instrument._outcome.html, instrument.draw)
    instrument._go("all")
    await arrival(session, lambda: "This sweep is yours" in instrument._outcome.html, instrument.draw)
    assert "all stages agree exactly" in instrument._outcome.html


def test_every_kind_of_machine_offers_its_sweeps() -> None:
    for preset in ["free_flyer", "two_arm_flyer", "two_arms_and_box", "point_contact"]:
        session = paused(preset, 0.2)
        instrument = WriteIt(session, Breakage(session))
        own = {each.sweep for each in exercises(session.system_here)}
        for sweep, title in SWEEPS.items():
            assert (title in instrument._ladder.html) == (sweep in own), sweep
            if sweep in own:
                instrument._go(f"sweep {sweep}")
                assert instrument.writing.exercise.sweep == sweep
                instrument._show_line()
                assert "Right." in instrument._said.html, sweep
                assert instrument.writing.exercise.key not in instrument.writing.right, (
                    "a line that is shown is not written"
                )
