"""Breaking the text changes nothing of the true run, shows its motion beside it, and is mended."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Released
from app.motion.run import Run
from app.state import Session
from app.state.address import query_of, restore
from app.state.breakage import FIRST, Breakage
from app.state.broken_run import Apart, apart, broken_run
from app.state.outcome import broken_at

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


def test_a_break_is_a_step_back_like_any_change() -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    run = session.run
    breakage.toggle(DROPPED)
    session.set_mass(2.0)
    breakage.toggle(TURNED)
    breakage.mend_all()
    breakage.mend_all()
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
    compute(run, 1.75)
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
    breakage.draw()
    assert breakage.shown is None
    assert session.motion is None
    breakage.hide_motion()
    assert session.kept


def test_breaking_it_gives_a_kept_run_back() -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    compute(session.run, 1.75)
    session.keep()
    (kept,) = session.kept
    breakage.toggle(DROPPED)
    breakage.show_motion()
    assert session.ghost.run is breakage.shown
    breakage.mend_all()
    assert session.ghost is kept


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "point_contact", "free_flyer"])
def test_unbroken_it_is_the_true_motion(preset: str) -> None:
    session = Session(preset)
    compute(session.run, 0.5)
    other = broken_run(session.run, NONE, 0.0, session.setup.interventions)
    compute(other, 0.5)
    gap = apart(session.run, other, 0.4)
    assert gap is not None
    assert gap.by < 1e-5
    assert gap.joint in session.system.joint_names


@pytest.mark.slow
def test_unbroken_it_meets_the_stops_that_the_true_arm_meets() -> None:
    session = Session("puma560")
    session.set_drive("free")
    compute(session.run, 1.25)
    assert any("limit" in word for _, word in session.run.events)
    other = broken_run(session.run, NONE, 0.0)
    compute(other, 1.25)
    gap = apart(session.run, other, 1.2)
    assert gap is not None
    assert gap.tip < 5e-3


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["puma560", "iiwa14", "two_arms_and_box", "free_flyer"])
@pytest.mark.parametrize("start", [0.0, 1.0])
def test_motors_do_not_hide_a_break(preset: str, start: float) -> None:
    """Springs would lead the broken arm back; the same torques do not."""
    session = Session(preset)
    compute(session.run, start + 1.75)
    session.playing = False
    session.seek(start)
    breakage = Breakage(session)
    breakage.toggle(a_break(session.system, "inward_filter.prediction.P", part=TERM))
    breakage.show_motion()
    assert (session.time, session.motion) == (start, start)
    other = breakage.shown
    compute(other, start + 1.5)
    breakage.draw()
    assert session.playing
    assert apart(session.run, other, start).by < 1e-9  # until then it is the true one
    end = min(other.end, start + 1.5)
    gap = apart(session.run, other, end)
    assert other.failure or gap.tip > 0.05 or np.degrees(gap.by) > 2.0, gap
    assert apart(session.run, broken_run(session.run, NONE, start), start).tip < 1e-9


def test_a_deviation_is_said_with_its_units() -> None:
    assert Apart("elbow", np.pi / 18.0, False, 0.123, None).words == "its tip is off by 12 cm, elbow by 10°"
    assert Apart("slide", 0.0042, True, 1.5, 0.02).words == (
        "its tip is off by 1.50 m, slide by 4.2 mm, the object by 2 cm"
    )


@pytest.mark.slow
def test_broken_it_leaves_the_true_motion_and_solves_by_the_broken_lines() -> None:
    session = Session("puma560_falling")
    breaks = frozenset({a_break(session.system, "bias.prediction.b", part="w")})
    compute(session.run, 0.5)
    other = broken_run(session.run, breaks, 0.0)
    compute(other, 0.5)
    gap = apart(session.run, other, 0.4)
    true = session.run.solution_at(0.4).state.q
    assert gap is not None
    assert gap.by == pytest.approx(np.abs(true - other.solution_at(0.4).state.q).max())
    assert gap.by > 0.05
    solution = other.solution_at(0.4)
    again = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks).solution
    assert np.array_equal(solution.joint_acceleration, again.joint_acceleration)


@pytest.mark.slow
def test_what_happens_to_the_true_run_happens_to_the_broken_one() -> None:
    session = Session("two_arms_and_box")
    compute(session.run, 0.25)
    session.seek(0.1)
    session.intervene(Released(0.1))
    other = broken_run(session.run, NONE, 0.0, session.setup.interventions)
    compute(other, 0.25)
    assert other.system_at(0.05).is_held
    assert not other.system_at(0.2).is_held


def test_an_explosion_is_told() -> None:
    session = Session("long_chain")
    breaks = frozenset({a_break(session.system, P_LINE, part="M")})
    other = broken_run(session.run, breaks, 0.0)
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


def test_the_line_that_is_looked_at_and_the_motion_are_part_of_a_link() -> None:
    session = Session("puma560")
    compute(session.run, 2.25)
    breakage = Breakage(session)
    breakage.choose_stage("smoother")
    breakage.piece = 1
    breakage.toggle(breakage.line.breaks[0].key)
    session.seek(0.5)
    breakage.show_motion()
    other = Session("free_flyer")
    looking = Breakage(other)
    restore(other, query_of(session))
    assert (looking.stage, looking.key, looking.piece) == (breakage.stage, breakage.key, 1)
    assert (other.motion, looking.asks) == (0.5, False)
    compute(other.run, 2.25)
    looking.draw()
    assert other.broken.run is looking.shown
    assert query_of(other)["line"] == query_of(session)["line"]
    restore(other, {"preset": "puma560"})
    assert (looking.stage, looking.key, looking.piece) == (*FIRST, 0)
    assert other.broken is None


def test_a_link_that_only_breaks_shows_the_line_that_is_broken() -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    key = a_break(session.system, "outward_smoother.correction.theta_dd")
    restore(session, {"preset": "puma560", "breaks": key})
    assert breakage.key == "outward_smoother.correction.theta_dd"


@pytest.mark.slow
@pytest.mark.parametrize("does", ["waits", "plays", "goes elsewhere", "hides it"])
def test_both_stand_until_the_broken_motion_is_known_and_then_play(does: str) -> None:
    """Unless somebody plays, or goes elsewhere, meanwhile."""
    session = Session("planar_chain")
    compute(session.run, session.run.duration)
    breakage = Breakage(session)
    breakage.toggle(DROPPED)
    session.seek(session.run.duration)  # the broken motion ends with the run
    session.playing = True
    breakage.show_motion()
    begins = session.run.duration - 1.5
    shown = breakage.shown
    assert (session.time, session.playing, breakage.is_awaited) == (pytest.approx(begins), False, True)
    compute(shown, begins + 0.3)
    breakage.draw()
    assert (session.time, session.playing) == (pytest.approx(begins), False)
    at = begins
    if does == "plays":
        session.playing = True
        session.seek(at := begins + 0.2)
    elif does == "goes elsewhere":
        session.seek(at := 0.5)
    elif does == "hides it":
        breakage.hide_motion()
    breakage.draw()
    compute(shown, begins + 1.5)
    assert shown.complete
    breakage.draw()
    assert (session.time, session.playing) == (pytest.approx(at), does in ("waits", "plays"))
    assert not breakage.is_awaited
    session.playing = False
    session.seek(begins)
    breakage.draw()
    assert not session.playing  # once


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["planar_chain", "two_arms_and_box", "free_flyer"])
def test_both_stand_at_the_end_of_the_broken_motion(preset: str) -> None:
    """Where one sees how far they have come apart; whoever goes elsewhere, or plays on from there, plays on."""
    session = Session(preset)
    compute(session.run, 4.0)
    breakage = Breakage(session)
    breakage.toggle(DROPPED)
    session.seek(0.97)
    breakage.show_motion()
    compute(breakage.shown, 4.0)
    breakage.draw()
    last = breakage.shown.last
    session.seek(last - 0.001)
    breakage.draw()
    assert session.playing
    session.seek(last + 0.4 * session.speed)  # the browser's clock is farther when it is heard of
    breakage.draw()
    assert (session.playing, session.time) == (False, pytest.approx(last, abs=1e-9))
    assert apart(session.run, breakage.shown, session.time) is not None
    session.playing = True
    session.seek(last + 0.2)
    breakage.draw()
    assert session.playing
    breakage.show_again()
    assert session.time == pytest.approx(session.motion)
    session.seek(last + 3.0 * session.speed)
    breakage.draw()
    assert session.playing  # somebody has gone elsewhere


def test_sizes_are_read_at_a_glance() -> None:
    """However large or small they are: 170 degrees, not 1.7e+02."""
    for radians, told in ((2.97, "170°"), (0.0123, "0.7°"), (30.0, "1700°")):
        assert f"joint by {told}" in Apart("joint", radians, False, 0.5, None).words
    assert "tip is off by 23 cm" in Apart("joint", 0.1, False, 0.2345, None).words


def test_a_motion_that_is_over_at_once_is_played_slower_until_it_is_hidden() -> None:
    session = Session("two_arms_and_box")
    compute(session.run, 3.0)
    breakage = Breakage(session)
    breakage.toggle(TURNED)
    session.seek(0.97)
    breakage.show_motion()
    compute(breakage.shown, 3.0)
    span = breakage.shown.end - session.motion
    assert breakage.shown.complete
    assert span < 0.5  # or there is nothing to see slower
    breakage.draw()
    assert session.speed < 0.5
    assert span / session.speed >= 3.0
    assert session.time == pytest.approx(session.motion)
    assert session.playing
    breakage.hide_motion()
    assert session.speed == 1.0
    breakage.show_motion()
    compute(breakage.shown, 3.0)
    breakage.draw()
    session.speed = 0.25  # by its user
    breakage.hide_motion()
    assert session.speed == 0.25


@pytest.mark.slow
def test_a_motion_that_lasts_is_slowed_no_more_than_it_needs() -> None:
    session = Session("planar_chain")
    compute(session.run, 4.0)
    breakage = Breakage(session)
    breakage.toggle(DROPPED)
    breakage.show_motion()
    compute(breakage.shown, 2.0)
    breakage.draw()
    span = breakage.shown.end - session.motion
    assert span > 0.7  # longer than what is over at once
    assert span / session.speed >= 3.0 > span / (2.0 * session.speed)
