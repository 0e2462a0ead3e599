"""Break it: what is asked and said of a broken text, its ghost, and that nothing is red where nothing is broken."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import Session
from app.state.breakage import Breakage
from app.state.outcome import ROUNDING, Outcome, broken_at, first_of
from app.state.walk import number
from app.views.badge import GOOD
from app.views.break_it import BreakIt
from app.views.check_tables import compare, rows_of
from app.views.outcome_html import said
from app.views.student_curve import apart
from tests.app.arrival import arrival, paused

pytestmark = pytest.mark.compiled_only
P = "inward_filter.prediction.P~phi-P_plus-phi"
DROPPED = f"{P}~drop"


def attended(session: Session, instrument: BreakIt, run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    run_async(arrival(session, lambda: getattr(instrument._outcome, "breaks", None) == session.breaks, instrument.draw))


def test_it_asks_before_it_tells(run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    session = paused("puma560", 0.2)
    instrument = BreakIt(session, Breakage(session))
    breakage = instrument.breakage
    attended(session, instrument, run_async)
    assert instrument._table.visible
    assert instrument._motion.disabled
    breakage.toggle(DROPPED)
    assert not instrument._motion.disabled
    attended(session, instrument, run_async)
    assert not instrument._table.visible
    assert not instrument._said.visible
    assert "which of these fails" in instrument._guess.html
    instrument._go("guess nonsense")
    assert breakage.asks
    instrument._go("guess articulated")
    assert "Right." in instrument._guess.html
    assert instrument._table.visible
    tones = [row["tone"] for row in instrument._table.rows if row["tone"] != "stage"]
    assert tones == sorted(tones)  # bad before good
    assert {"bad", "good"} == set(tones)
    session.break_texts(frozenset())
    attended(session, instrument, run_async)
    assert instrument._guess.html == ""


def told(preset: str, key: str) -> tuple[str, Outcome, Breakage]:
    session = paused(preset, 0.2)
    breakage = Breakage(session)
    session.breaks = frozenset({key})
    found = broken_at(session.run.solution_at(0.2), None, session.breaks)
    return said(breakage, found), found, breakage


def test_what_first_shows_is_the_link_that_the_sweep_reaches_first() -> None:
    for key, inward in ((DROPPED, True), ("outward_smoother.correction.alpha~alpha_plus~drop", False)):
        _, found, _ = told("iiwa14", key)
        system = found.reading.system
        first = first_of(found.checks, system)
        assert first.stage == ("filter" if inward else "smoother")
        rivals = [each.first_link for each in found.checks if not each.holds and each.stage == first.stage]
        numbers = [number(system, link) for link in rivals if link >= 0]
        assert number(system, first.first_link) == (min(numbers) if inward else max(numbers))


def reds(solution: dyn.Solution, wrench: np.ndarray | None = None) -> list[str]:
    """All that *Check*, the badge, *Break it* and *Walk* would complain of."""
    found = compare(solution, wrench, None, True)
    whole = broken_at(solution, wrench, frozenset())
    rows = rows_of(found.checks, solution.system) + rows_of(whole.checks, solution.system)
    complaints = [f"{row['key']} {row['cells'][3]}" for row in rows if row["tone"] not in ("good", "stage")]
    assert len(rows) > 10
    if found.agreement is not None and found.agreement.worst > GOOD:
        complaints.append(f"methods {found.agreement.worst:.0e}")
    if whole.difference.relative > ROUNDING:
        complaints.append(f"text {whole.difference}")
    return complaints


def weightless(system: dyn.System, state: dyn.State) -> dyn.System:
    if system.is_floating:
        return dyn.free_flyer(system.robots[0])
    if not system.is_held:
        return dyn.single_arm(system.robots[0], gravity=(0.0, 0.0, 0.0), base_pose=system.base_poses[0])
    free = dyn.multi_arm(system.robots, system.base_poses, system.task_object, gravity=(0.0, 0.0, 0.0))
    at = free.state(q=state.q, object_pose=state.object_pose)
    return dyn.grasp(free, at, [contact.selection for contact in system.contacts])


def at_rest(system: dyn.System, state: dyn.State) -> dyn.State:
    return system.state(q=state.q, base_pose=state.base_pose, object_pose=state.object_pose)


def test_nothing_is_red_in_any_preset_in_motion_at_rest_or_weightless() -> None:
    for preset in {each.example: name for name, each in PRESETS.items()}.values():  # each machine once
        run = Session(preset).run
        run.accept(run.compute())
        assert reds(run.solution_at(run.end), run.wrench_at(run.end)) == [], preset
        solution = run.solution_at(0.0)
        system, state = solution.system, at_rest(solution.system, solution.state)
        assert reds(dyn.forward_dynamics(system, state)) == [], preset
        light = weightless(system, state)
        assert reds(dyn.forward_dynamics(light, at_rest(light, state))) == [], preset


TIMES = np.linspace(0.0, 1.0, 41)
HILL = np.sin(np.pi * TIMES)


def test_a_drawing_is_compared_in_words() -> None:
    for drawn, words, least, most in (
        (HILL, ("starts where the true one does", "Both rise first"), 0.0, 1e-12),
        (-HILL, ("falls first, the true one rises first",), 1.0, 1.5),
        (0.0 * HILL, ("stays level, the true one rises first", "never turns, the true one turns once"), 0.6, 0.7),
        (HILL + 0.5, ("starts at 0.5 m, the true one at 0 m", "0.5 m above"), 0.49, 0.51),
        (np.sin(3.0 * np.pi * TIMES), ("turns 3 times, the true one turns once",), 0.4, 1.0),
        (HILL - 2.5, ("2.5 m below", "off by 250 %"), 2.4, 2.6),
        (np.sin(np.pi * TIMES**2), ("highest at 0.7 s, the true one at 0.5 s",), 0.1, 0.5),
    ):  # fmt: skip
        told = apart(drawn, TIMES, HILL, "m")
        assert least <= told.mean <= most
        for each in words:
            assert each in told.words, told.words
