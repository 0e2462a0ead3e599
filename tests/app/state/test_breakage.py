"""Breaking the text changes nothing of the true run, shows its motion beside it, and is mended."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Released
from app.motion.run import Run
from app.state import Session
from app.state.breakage import Breakage
from app.state.broken_run import apart, broken_run
from app.views.break_it import broken_at

P_LINE, TERM = "inward_filter.prediction.P", "phi-P_plus-phi"
DROPPED, TURNED = f"{P_LINE}~{TERM}~drop", f"{P_LINE}~{TERM}~negate"
NONE: frozenset[str] = frozenset()


def compute(run: Run, until: float) -> None:
    while run.end < until - 1e-9 and not run.complete:
        run.accept(run.compute())


def a_break(system: dyn.System, line: str, kind: str = "drop", part: str = "") -> str:
    found = next(each for each in dyn.textbook_lines(system) if each.key == line)
    return next(each.key for each in found.breaks if each.kind == kind and part in ("", each.part))


def test_a_choice_is_always_possible() -> None:
    session = Session("two_arms_and_box")
    breakage = Breakage(session)
    breakage.choose_stage("contact")
    breakage.choose_line("contact", "contact_forces.Omega")
    breakage.choose_line("filter", "no such line")
    breakage.choose_stage("no such stage")
    assert breakage.key == "contact_forces.Omega"
    key = next(each.key for each in breakage.line.breaks)
    breakage.toggle(key)
    assert session.breaks == {key}
    assert [one.breakable.key for one in breakage.broken] == [key]
    session.open_preset("puma560")
    breakage.follow()
    assert (breakage.stage, breakage.broken) == ("filter", ())
    assert breakage.is_broken
    breakage.mend_all()
    assert not breakage.is_broken


def test_several_at_once_and_one_way_for_each_part() -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    _ = breakage.lines
    other = a_break(session.system, "inward_filter.correction.eps")
    breakage.toggle(DROPPED)
    breakage.toggle(other)
    assert session.breaks == {DROPPED, other}
    breakage.toggle(TURNED)
    assert session.breaks == {TURNED, other}
    assert len(breakage.broken) == 2
    breakage.toggle(other)
    assert session.breaks == {TURNED}


@pytest.mark.parametrize("key", ["", "nothing", "inward_filter.prediction.P~M~explode", "x" * 5000])
def test_what_the_text_does_not_have_is_refused_in_words(key: str) -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    breakage.toggle(key)
    assert session.breaks == NONE
    assert session.message.startswith("There is nothing to break that is called")
    assert len(session.message) < 200


def test_the_reading_is_the_broken_text_and_the_solution_the_true_one() -> None:
    session = Session("puma560")
    compute(session.run, 0.25)
    session.seek(0.2)
    true, whole = session.solution(), session.reading()
    assert dyn.stage_difference(whole.solution, true).relative < 1e-10
    assert session.reading() is whole
    session.breaks = frozenset({DROPPED})
    assert session.solution() is true
    assert dyn.stage_difference(session.reading().solution, true).relative > 1e-3


def test_the_ghost_is_kept_and_dropped_with_the_breakage() -> None:
    session = Session("puma560")
    breakage, run = Breakage(session), session.run
    breakage.toggle(DROPPED)
    breakage.show_motion()
    assert session.run is run
    assert session.broken.run is breakage.shown
    breakage.toggle(TURNED)
    assert session.broken.run is breakage.shown
    breakage.mend_all()
    assert session.broken is None
    assert breakage.shown is None
    breakage.toggle(DROPPED)
    breakage.show_motion()
    session.keep()  # somebody keeps a run of his own
    breakage.follow()
    assert breakage.shown is None
    breakage.hide_motion()
    assert session.kept is not None


def test_breaking_it_gives_a_kept_run_back() -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    session.keep()
    kept = session.kept
    breakage.toggle(DROPPED)
    breakage.show_motion()
    assert session.ghost.run is breakage.shown
    breakage.mend_all()
    assert session.ghost is kept


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "point_contact", "free_flyer"])
def test_unbroken_it_is_the_true_motion(preset: str) -> None:
    session = Session(preset)
    other = broken_run(session.setup, NONE, session.run.duration)
    compute(session.run, 0.5)
    compute(other, 0.5)
    gap = apart(session.run, other, 0.4)
    assert gap is not None
    assert gap.by < 1e-5
    assert gap.joint in session.system.joint_names


def test_broken_it_leaves_the_true_motion_and_solves_by_the_broken_lines() -> None:
    session = Session("puma560_falling")
    breaks = frozenset({a_break(session.system, "bias.prediction.b", part="w")})
    other = broken_run(session.setup, breaks, session.run.duration)
    compute(session.run, 0.5)
    compute(other, 0.5)
    gap = apart(session.run, other, 0.4)
    true = session.run.solution_at(0.4).state.q
    assert gap is not None
    assert gap.by == pytest.approx(np.abs(true - other.solution_at(0.4).state.q).max())
    assert gap.by > 0.05
    solution = other.solution_at(0.4)
    again = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks).solution
    assert np.array_equal(solution.joint_acceleration, again.joint_acceleration)


def test_what_happens_to_the_true_run_happens_to_the_broken_one() -> None:
    session = Session("two_arms_and_box")
    compute(session.run, 0.25)
    session.seek(0.1)
    session.intervene(Released(0.1))
    other = broken_run(session.setup, NONE, session.run.duration)
    compute(other, 0.25)
    assert other.system_at(0.05).is_held
    assert not other.system_at(0.2).is_held


def test_an_explosion_is_told() -> None:
    session = Session("long_chain")
    breaks = frozenset({a_break(session.system, P_LINE, part="M")})
    other = broken_run(session.setup, breaks, session.run.duration)
    compute(other, 1.0)
    assert other.complete
    assert "divides by zero" in other.failure
    other.solution_at(1.0)


def test_of_several_breaks_those_are_told_that_change_nothing_now() -> None:
    session = Session("puma560")
    compute(session.run, 0.25)
    solution = session.run.solution_at(0.2)
    at_rest = dyn.forward_dynamics(solution.system, solution.system.state(q=solution.state.q), solution.tau)
    gyroscopic = a_break(session.system, "bias.prediction.b", part="stack.upper.W-J-omega")
    outcome = broken_at(at_rest, None, frozenset({DROPPED, gyroscopic}))
    assert outcome.silent == {gyroscopic}
    assert not all(check.holds for check in outcome.checks)
    alone = broken_at(at_rest, None, frozenset({gyroscopic}))
    assert alone.silent == {gyroscopic}
    assert all(check.holds for check in alone.checks)
