"""A broken line leaves the true run alone, shows its own motion beside it, asks what fails, and is mended."""

import numpy as np
import pytest

import dynamics as dyn
from app.state import Session
from app.state.address import query_of
from app.state.arrangement import Line
from app.state.breakage import NONE, OFFERED, Breakage, question_of
from app.state.outcome import apart, broken_at, broken_run
from app.views.outcome_html import answer_html
from dynamics.reading import stage_difference, textbook_lines
from tests.app.arrival import computed, paused, restore

P_LINE, TERM = "inward_filter.prediction.P", "phi-P_plus-phi"
DROPPED, TURNED = f"{P_LINE}~{TERM}~drop", f"{P_LINE}~{TERM}~negate"
UNBROKEN: frozenset[str] = frozenset()


def a_break(system: dyn.System, line: str, kind: str = "drop", part: str = "") -> str:
    found = next(each for each in textbook_lines(system) if each.key == line)
    return next(each.key for each in found.breaks if each.kind == kind and part in ("", each.part))


def test_a_break_is_a_step_back_like_any_change() -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    run = session.run
    breakage.toggle(DROPPED)
    session.set_mass(2.0)
    breakage.toggle(TURNED)
    session.break_texts(frozenset())
    session.break_texts(frozenset())
    seen = []
    while session.can_undo:
        session.undo()
        seen.append((set(session.breaks), session.mass == 2.0))
    assert seen == [({TURNED}, True), ({DROPPED}, True), ({DROPPED}, False), (set(), False)]
    assert session.run is not run
    session.redo()
    assert session.breaks == {DROPPED}
    run = session.run
    session.undo()
    assert session.run is run  # the true run never knew of it


def test_what_the_text_does_not_have_is_refused_in_words() -> None:
    for key in ["", "nothing", "inward_filter.prediction.P~M~explode", "x" * 5000]:
        session = Session("puma560")
        breakage = Breakage(session)
        breakage.toggle(key)
        assert session.breaks == UNBROKEN
        assert session.message.startswith("There is nothing to break that is called")
        assert len(session.message) < 200


def test_the_reading_is_the_broken_text_and_the_solution_the_true_one() -> None:
    session = Session("puma560")
    computed(session.run, 0.25)
    session.seek(0.2)
    true, whole = session.solution(), session.reading()
    assert stage_difference(whole.solution, true).relative < 1e-10
    assert session.reading() is whole
    session.breaks = frozenset({DROPPED})
    assert session.solution() is true
    assert stage_difference(session.reading().solution, true).relative > 1e-3


def test_the_ghost_is_kept_and_dropped_with_the_breakage() -> None:
    session = Session("puma560")
    breakage, run = Breakage(session), session.run
    computed(run, 1.75)
    breakage.toggle(DROPPED)
    breakage.show_motion()
    assert session.run is run
    assert session.broken.run is breakage.shown
    breakage.toggle(TURNED)
    assert session.broken.run is breakage.shown
    session.break_texts(frozenset())
    assert (session.broken, breakage.shown) == (None, None)
    breakage.toggle(DROPPED)
    breakage.show_motion()
    session.keep()  # the user keeps a run of their own
    breakage.draw()
    assert (breakage.shown, session.motion) == (None, None)
    assert session.kept


def test_unbroken_it_is_the_true_motion() -> None:
    for preset in ["point_contact", "free_flyer"]:
        session = Session(preset)
        computed(session.run, 0.25)
        other = broken_run(session.run, UNBROKEN, 0.0, session.setup.interventions)
        computed(other, 0.25)
        gap = apart(session.run, other, 0.25)
        assert gap.by < 1e-5
        assert gap.joint in session.system.joint_names


def test_broken_it_leaves_the_true_motion_and_solves_by_the_broken_lines() -> None:
    session = Session("puma560_falling")
    breaks = frozenset({a_break(session.system, "bias.prediction.b", part="w")})
    computed(session.run, 0.25)
    other = broken_run(session.run, breaks, 0.0)
    computed(other, 0.25)
    gap = apart(session.run, other, 0.25)
    true = session.run.solution_at(0.25).state.q
    assert gap.by == pytest.approx(np.abs(true - other.solution_at(0.25).state.q).max())
    assert gap.by > 0.05
    solution = other.solution_at(0.25)
    again = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks).solution
    assert np.array_equal(solution.joint_acceleration, again.joint_acceleration)


def test_a_broken_motion_that_explodes_says_why() -> None:
    session = Session("long_chain")
    breaks = frozenset({a_break(session.system, P_LINE, part="M")})
    other = broken_run(session.run, breaks, 0.0)
    computed(other, 1.0)
    assert other.complete
    assert "divides by zero" in other.failure
    other.solution_at(1.0)


def test_the_line_that_is_looked_at_and_the_motion_are_part_of_a_link() -> None:
    session = Session("puma560")
    computed(session.run, 2.25)
    breakage = Breakage(session)
    breakage.choose_line("smoother")
    session.choose("line", piece=1)
    breakage.toggle(breakage.line.breaks[0].key)
    session.seek(0.5)
    breakage.show_motion()
    other = Session("free_flyer")
    looking = Breakage(other)
    restore(other, query_of(session))
    assert other.line == session.line != Line(session.line.stage, session.line.key)
    assert (other.motion, looking.asks) == (0.5, False)
    computed(other.run, 2.25)
    looking.draw()
    assert other.broken.run is looking.shown
    assert query_of(other)["line"] == query_of(session)["line"]
    restore(other, {"preset": "puma560"})
    assert (other.line, other.broken) == (Line(), None)


def test_what_fails_is_the_right_guess() -> None:
    for preset, key in (
        ("puma560", DROPPED), ("two_arms_and_box", "inward_filter.correction.eps~H-z~drop"),
        ("free_flyer", "outward_smoother.correction.theta_dd~nu~drop"),
    ):  # fmt: skip
        session = paused(preset, 0.2)
        system = session.system
        checks = broken_at(session.solution(), None, frozenset({key})).checks
        question = question_of(checks, system)
        fails = {check.identity.key for check in checks if not check.holds}
        offered = [check.identity.key for check in question.choices]
        assert len(set(offered)) == OFFERED
        assert {each for each in offered if question.is_right(each)} == fails & set(offered) != set()
        assert not fails >= set(offered)  # one has to think
        assert not question.is_right(NONE)
        for guess in (*offered, NONE):
            assert ("Right." in answer_html(question, guess, system)) is (guess in fails)
