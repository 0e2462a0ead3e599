"""The instrument, as far as no browser is needed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import dynamics as dyn
from app.service.allowance import Allowance, Bucket, unlimited
from app.state import Session
from app.state.breakage import Breakage
from app.state.writing import FIRST, MOST_KEPT, SWEEPS
from app.writing.feedback_html import hints_of, letters_in
from app.writing.write_it import WriteIt
from tests.app.arrival import arrival
from tests.app.state.test_writing import GAIN, Running, paused

pytestmark = pytest.mark.compiled_only


@pytest.fixture
def made() -> tuple[Session, WriteIt]:
    session = paused()
    return session, WriteIt(session, Breakage(session))


def typed(instrument: WriteIt, text: str) -> str:
    """What is said of a text at once."""
    instrument._editor._handle_msg({"typed": text})
    return str(instrument._said.html)


def test_it_answers_at_once(made: tuple[Session, WriteIt]) -> None:
    _, instrument = made
    assert "Right." in typed(instrument, "H @ P @ H.T + I_r")
    assert not instrument._editor.is_wrong
    assert "1 of 13" in instrument._ladder.html
    wrong = typed(instrument, "H @ P @ H.T - I_r")
    assert "Not yet." in wrong
    assert "the sign of I_r[k] is turned" in wrong
    assert "yours" in wrong
    assert instrument._editor.is_wrong
    assert "<mark>P</mark>" in typed(instrument, "P")
    assert "none begins with _" in typed(instrument, "__import__")
    assert instrument._editor.heard == 4


def test_how_far_it_is_off_is_said_of_the_published_value(made: tuple[Session, WriteIt]) -> None:
    _, instrument = made
    assert "It is off by 100 % of the largest number." in typed(instrument, "2 * (H @ P @ H.T + I_r)")
    assert "It is off by 10 % of the largest number." in typed(instrument, "1.1 * (H @ P @ H.T + I_r)")
    assert "It is off by more than 1000 times the largest number." in typed(instrument, "1e6 * (H @ P @ H.T + I_r)")
    assert "something is divided by zero" in typed(instrument, "1 / (I_r - I_r)")


def test_directions_may_be_more_than_there_are() -> None:
    session = paused("two_arms_and_box")
    instrument = WriteIt(session, Breakage(session))
    instrument.writing.choose("contact_forces.N")
    assert "It spans other directions" in typed(instrument, "C.T")
    assert "Right." in typed(instrument, "C.T @ null(Omega)")


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


@pytest.mark.parametrize(
    "message",
    [
        None, 3, "typed", [], {}, {"typed": None}, {"typed": 3}, {"typed": ["P"]}, {"kept": 3}, {"kept": [1]},
        {"kept": {1: 2}}, {"kept": {"a": None, "b" * 5000: "P"}}, {"kept": {str(k): "P" for k in range(MOST_KEPT + 1)}},
        {"typed": "P" * 10_000_000}, {"typed": "\x00\ud800"}, {"kept": {FIRST: "P" * 100_000}}, {"other": 1},
    ],
    ids=lambda message: repr(message)[:30],
)  # fmt: skip
def test_what_no_browser_of_ours_sends_does_no_harm(made: tuple[Session, WriteIt], message: object) -> None:
    session, instrument = made
    instrument._editor._handle_msg(message)
    for where in ("", "sweep", "sweep nothing", "line", "line nothing", "one two", "all", "break P", "\x00"):
        instrument._go(where)
    assert instrument.writing.right == frozenset()
    assert len(instrument.writing.text) <= 2000
    assert session.breaks == frozenset()


def test_hints_come_one_at_a_time_and_the_line_at_the_end(made: tuple[Session, WriteIt]) -> None:
    _, instrument = made
    instrument.writing.choose(GAIN)
    assert instrument._hints.html == ""
    count = len(hints_of(instrument.writing.exercise))
    for given in range(1, count + 1):
        instrument._give_hint()
        assert instrument._hints.html.count("<li>") == given
    assert instrument._hint.disabled
    instrument._give_hint()
    assert instrument._hints.html.count("<li>") == count
    instrument._show_line()
    assert instrument._editor.text == "P[k] @ H[k].T / D[k]"
    assert "Right." in instrument._said.html
    instrument.writing.go_on()
    assert instrument._hints.html == ""
    assert instrument._editor.text == ""
    assert "Right." not in instrument._said.html


def test_hints_name_the_letters_of_the_line() -> None:
    system, _ = dyn.example("puma560")
    line = next(each for each in dyn.exercises(system) if each.key == FIRST)
    assert letters_in(line) == ["H", "I_r", "P"]
    for preset in ("puma560", "two_arms_and_box", "free_flyer"):
        for each in dyn.exercises(dyn.example(preset)[0]):
            assert letters_in(each) or each.right in ("O", "Z"), each.key
            assert all(hints_of(each))


def test_the_other_lines_are_published_or_blank(made: tuple[Session, WriteIt]) -> None:
    _, instrument = made
    assert instrument._text.html.count("class='blank'") == 1
    assert "P[k] @ H[k].T / D[k]" in instrument._text.html
    instrument._go("all")
    assert instrument._text.html.count("class='blank'") == 13
    assert "P[k] @ H[k].T / D[k]" not in instrument._text.html
    typed(instrument, "D[k] = I_r + H @ P @ H.T")
    instrument._go(f"line {GAIN}")
    assert instrument._text.html.count("class='blank'") == 12
    assert "D[k] = I_r + H @ P @ H.T" in instrument._text.html
    assert "1 of 13" in instrument._ladder.html
    assert instrument._editor.right == {FIRST: "D[k] = I_r + H @ P @ H.T"}
    assert instrument._editor.left == "G[k]"


def drawn(session: Session, instrument: WriteIt, until: Callable[[], bool], run_async: Running) -> None:
    """Draws until something is so."""
    run_async(arrival(session, until, instrument.draw))


def test_identities_follow_and_the_verdict_is_spoken(made: tuple[Session, WriteIt], run_async: Running) -> None:
    session, instrument = made
    typed(instrument, "2 * H @ P @ H.T + I_r")
    drawn(session, instrument, lambda: "identities fail" in instrument._outcome.html, run_async)
    assert "link 1" in instrument._outcome.html
    instrument._typed_at = -10.0
    drawn(session, instrument, lambda: "data-spoken" in instrument._said.html, run_async)
    assert "A factor too many: 2." in instrument._said.html
    typed(instrument, "H @ P @ H.T + I_r")
    drawn(session, instrument, lambda: "all 21 identities hold" in instrument._outcome.html, run_async)


def test_a_line_that_no_identity_sees_is_not_praised(made: tuple[Session, WriteIt], run_async: Running) -> None:
    session, instrument = made
    instrument.writing.choose("inward_filter.correction.tau_bar")
    typed(instrument, "G @ H - I")  # it stands on both sides of what it is used for
    drawn(session, instrument, lambda: "all 21 identities hold" in instrument._outcome.html, run_async)
    assert "None of them sees what is wrong." in instrument._outcome.html
    typed(instrument, "I - G @ H")
    drawn(session, instrument, lambda: "None of them" not in instrument._outcome.html, run_async)


def test_a_sweep_is_finished_when_its_own_lines_run_together(made: tuple[Session, WriteIt], run_async: Running) -> None:
    session, instrument = made
    instrument._go("sweep costate_covariance")
    for exercise in instrument.writing.own:
        instrument.writing.choose(exercise.key)
        typed(instrument, exercise.right)
    drawn(session, instrument, lambda: "lines blank</i> runs yours together" in instrument._outcome.html, run_async)
    instrument._go("all")
    drawn(session, instrument, lambda: "This sweep is yours" in instrument._outcome.html, run_async)
    assert "all stages agree exactly" in instrument._outcome.html


def test_identities_follow_while_pictures_come_more_slowly_than_verdicts(
    made: tuple[Session, WriteIt], run_async: Running
) -> None:
    session, instrument = made
    typed(instrument, "2 * H @ P @ H.T + I_r")

    def draw() -> None:
        session.seek(0.3 - session.time)
        session.playing = True
        instrument._typed_at = instrument._judged_at = -10.0  # of a busy server, each picture is late
        instrument.draw()

    run_async(arrival(session, lambda: "identities fail" in instrument._outcome.html, draw))
    assert "identities fail" in instrument._outcome.html


def test_who_has_taken_more_than_a_share_waits(made: tuple[Session, WriteIt], run_async: Running) -> None:
    session, instrument = made
    session.jobs.allowance = Allowance(0.0, 0.0, Bucket(0.0), lambda: False)
    for text in ("P", "P @ P", "2 * H @ P @ H.T + I_r"):
        assert "data-tried" not in typed(instrument, text)
    assert instrument.writing.text == "2 * H @ P @ H.T + I_r"
    session.jobs.allowance = unlimited()
    drawn(session, instrument, lambda: "A factor too many" in instrument._said.html, run_async)


def test_it_follows_the_cursor(made: tuple[Session, WriteIt], run_async: Running) -> None:
    session, instrument = made
    first = typed(instrument, "2 * H @ P @ H.T + I_r")
    numbers = instrument._said.numbers
    session.seek(0.6)
    drawn(session, instrument, lambda: instrument._said.numbers != numbers, run_async)
    assert first


@pytest.mark.parametrize("preset", ["free_flyer", "two_arm_flyer", "two_arms_and_box", "point_contact"])
def test_every_kind_of_machine_offers_its_sweeps(preset: str) -> None:
    session = paused(preset)
    instrument = WriteIt(session, Breakage(session))
    own = {each.sweep for each in dyn.exercises(session.system_here)}
    for sweep, title in SWEEPS.items():
        assert (title in instrument._ladder.html) == (sweep in own)
        if sweep in own:
            instrument._go(f"sweep {sweep}")
            assert instrument.writing.exercise.sweep == sweep
            instrument._show_line()
            assert "Right." in instrument._said.html


def test_a_machine_without_the_line_begins_anew(run_async: Running) -> None:
    session = paused("free_flyer")
    instrument = WriteIt(session, Breakage(session))
    instrument._go("sweep dual_filter")
    session.open_preset("puma560")
    session.run.accept(session.run.compute())
    session.playing = False
    drawn(session, instrument, lambda: instrument._editor.left == "D[k]", run_async)
    assert "Dual filter" not in instrument._ladder.html
