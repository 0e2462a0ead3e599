"""Breaking the algorithm changes nothing of the true run, shows its motion beside it, and is mended."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Released
from app.state import Session
from app.state.breakage import AS_PUBLISHED, DROPPED, TURNED, Breakage
from app.state.broken_run import apart, broken_run


def compute(run: object, until: float) -> None:
    while run.end < until - 1e-9 and not run.complete:
        run.accept(run.compute())


def test_a_choice_is_always_possible() -> None:
    session = Session("two_arms_and_box")
    breakage = Breakage(session)
    breakage.choose_stage("contact")
    breakage.choose_line("omega")
    breakage.choose_term("object")
    breakage.put(TURNED)
    assert breakage.alteration.factors == {("contact", "omega", "object"): -1.0}
    session.open_preset("puma560")
    breakage.follow()
    assert (breakage.stage, breakage.factor) == ("filter", AS_PUBLISHED)
    assert breakage.alteration is dyn.AS_PUBLISHED


def test_the_ghost_is_kept_and_dropped_with_the_breakage() -> None:
    session = Session("puma560")
    breakage, run = Breakage(session), session.run
    breakage.put(DROPPED)
    breakage.show_motion()
    assert session.run is run
    assert session.ghost.run is breakage.shown
    breakage.put(TURNED)
    assert session.ghost.run is breakage.shown
    breakage.put(AS_PUBLISHED)
    assert session.ghost is None
    assert breakage.shown is None
    breakage.put(DROPPED)
    breakage.show_motion()
    session.keep()  # somebody keeps a run of his own
    breakage.follow()
    assert breakage.shown is None
    breakage.hide_motion()
    assert session.kept is not None


def test_a_kept_ghost_waits_for_the_broken_one_and_comes_back() -> None:
    session = Session("puma560")
    session.keep()
    kept = session.kept
    breakage = Breakage(session)
    breakage.put(DROPPED)
    breakage.show_motion()
    assert session.ghost.run is breakage.shown
    assert session.kept is kept
    breakage.hide_motion()
    assert session.ghost is kept
    breakage.show_motion()
    session.keep_or_drop()  # takes away what is in sight, and A is seen again
    breakage.follow()
    assert breakage.shown is None
    assert session.ghost is kept
    session.keep_or_drop()
    assert session.ghost is None


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "point_contact", "free_flyer"])
def test_unbroken_it_is_the_true_motion(preset: str) -> None:
    session = Session(preset)
    other = broken_run(session.setup, dyn.AS_PUBLISHED, session.run.duration)
    compute(session.run, 0.5)
    compute(other, 0.5)
    gap = apart(session.run, other, 0.4)
    assert gap.by < 1e-5
    assert gap.joint in session.system.joint_names


def test_broken_it_leaves_the_true_motion_and_solves_by_the_altered_lines() -> None:
    session = Session("puma560_falling")
    alteration = dyn.Alteration({("filter", "bias_force", "weight"): 0.0})
    other = broken_run(session.setup, alteration, session.run.duration)
    compute(session.run, 0.5)
    compute(other, 0.5)
    gap = apart(session.run, other, 0.4)
    true = session.run.solution_at(0.4).state.q
    assert gap.by == pytest.approx(np.abs(true - other.solution_at(0.4).state.q).max())
    assert gap.by > 0.05
    solution = other.solution_at(0.4)
    again = dyn.altered_forward_dynamics(solution.system, solution.state, solution.tau, alteration)
    assert np.array_equal(solution.joint_acceleration, again.joint_acceleration)


def test_what_happens_to_the_true_run_happens_to_the_broken_one() -> None:
    session = Session("two_arms_and_box")
    compute(session.run, 0.25)
    session.seek(0.1)
    session.intervene(Released(0.1))
    other = broken_run(session.setup, dyn.AS_PUBLISHED, session.run.duration)
    compute(other, 0.25)
    assert other.system_at(0.05).is_held
    assert not other.system_at(0.2).is_held


def test_an_explosion_is_told() -> None:
    session = Session("long_chain")
    alteration = dyn.Alteration({("filter", "articulated_inertia", "own"): 0.0})
    other = broken_run(session.setup, alteration, session.run.duration)
    compute(other, 1.0)
    assert other.complete
    assert "divides by zero" in other.failure
    other.solution_at(1.0)
