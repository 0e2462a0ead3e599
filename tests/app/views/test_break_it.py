"""The tab that breaks the text, as far as no browser is needed."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import panel_material_ui as pmui
import pytest

import dynamics as dyn
from app.equations.numbered import beside_html
from app.equations.sheet import Figures
from app.state import Session
from app.state.breakage import Breakage
from app.views.break_it import WORKING, BreakIt
from tests.app.arrival import arrival

pytestmark = pytest.mark.compiled_only
DROPPED = "inward_filter.prediction.P~phi-P_plus-phi~drop"


def test_the_motion_is_offered_as_soon_as_something_is_broken() -> None:
    """Drawn or not: a button that is sent its state while a browser opens the tab may miss it."""
    session = Session("puma560")
    button, _again = BreakIt(session, Breakage(session)).__panel__().select(pmui.Button)
    assert button.disabled
    session.breaks = frozenset({"inward_filter.prediction.P~M~drop"})
    assert not button.disabled
    session.breaks = frozenset()
    assert button.disabled


def attended(session: Session, instrument: BreakIt, run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    """Draws the tab until it has looked at the text as it is broken now."""

    def is_told() -> bool:
        return instrument._outcome is not None and instrument._outcome.breaks == session.breaks

    run_async(arrival(session, is_told, instrument.draw))


def test_it_asks_before_it_tells(run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.playing = False
    session.seek(0.2)
    instrument = BreakIt(session, Breakage(session))
    attended(session, instrument, run_async)
    assert instrument._table.visible
    assert instrument._guess.html == ""
    breakage = instrument.breakage
    breakage.toggle(DROPPED)
    attended(session, instrument, run_async)
    assert not instrument._table.visible
    assert not instrument._said.visible
    assert "which of these fails" in instrument._guess.html
    instrument._go("guess nonsense")
    assert breakage.asks
    instrument._go("guess articulated")
    assert not breakage.asks
    assert "Right." in instrument._guess.html
    assert instrument._table.visible
    tones = [row["tone"] for row in instrument._table.rows if row["tone"] != "stage"]
    assert tones == sorted(tones)  # bad before good
    assert {"bad", "good"} == set(tones)
    breakage.mend_all()
    attended(session, instrument, run_async)
    assert instrument._guess.html == ""
    breakage.toggle(DROPPED)
    attended(session, instrument, run_async)
    instrument._go("tell")
    assert instrument._guess.html == ""
    assert instrument._table.visible


def test_it_says_at_once_that_it_works(run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    """Before a busy machine has an answer; what is known already is not worked out."""
    session = Session("solo12")
    session.run.accept(session.run.compute())
    session.param.update(playing=False)
    instrument = BreakIt(session, Breakage(session))
    attended(session, instrument, run_async)
    known = instrument._said.object
    instrument.breakage.toggle(DROPPED)
    assert instrument._said.visible
    assert instrument._said.object == WORKING
    instrument.breakage.toggle(DROPPED)
    assert instrument._said.object == known
    instrument.breakage.toggle(DROPPED)
    attended(session, instrument, run_async)
    instrument._go("tell")
    assert "identities fail" in instrument._said.object


def test_who_follows_a_link_to_a_break_is_told_at_once(run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.param.update(playing=False, breaks=frozenset({DROPPED}))
    instrument = BreakIt(session, Breakage(session))
    attended(session, instrument, run_async)
    assert instrument._table.visible
    assert "identities fail" in instrument._said.object


GYRO = "newton_euler.forces.balance.N~tilde-I_c-omega~drop"


def test_another_formulation_is_broken_beside_the_filter(
    run_async: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    """It arrives elsewhere, by as much as its own text says; the filter, its motion and its identities are whole."""
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.playing = False
    session.seek(0.2)
    instrument = BreakIt(session, Breakage(session))
    breakage = instrument.breakage
    breakage.choose_line("newton_euler", "newton_euler.forces.balance.N")
    breakage.toggle(GYRO)
    attended(session, instrument, run_async)
    assert not breakage.asks
    assert instrument._motion.disabled
    solution = session.solution()
    torque = dyn.read_formulation(
        solution.system, solution.state, "newton_euler", solution.tau, solution.joint_acceleration, breaks=[GYRO]
    ).answer
    gap = np.abs(torque - solution.tau).max() / np.abs(solution.tau).max()
    said = str(instrument._said.object)
    assert "Newton–Euler no longer agrees" in said
    assert f"is off by {float(f'{100.0 * gap:.2g}'):g} %" in said
    assert {row["tone"] for row in instrument._table.rows} == {"stage", "good"}
    assert session.reading().breaks == frozenset()
    instrument.draw()
    assert "dynamics/formulations/newton_euler.py" in instrument._text.html
    assert "<del>" in instrument._text.html
    breakage.toggle(DROPPED)  # and now the filter, too
    assert not instrument._motion.disabled
    breakage.tell()
    attended(session, instrument, run_async)
    assert "no longer agrees" in str(instrument._said.object)
    assert "identities fail" in str(instrument._said.object)


def test_every_line_of_every_formulation_can_be_chosen() -> None:
    session = Session("puma560")
    breakage = Breakage(session)
    instrument = BreakIt(session, breakage)
    assert set(instrument._stage.options.values()) == {
        *("filter", "smoother"), *dyn.readable_formulations(session.system)
    }  # fmt: skip
    for line in breakage.lines:
        breakage.choose_line(line.stage, line.key)
        instrument._write()
        assert f"{line.stage}/{line.key}" in instrument._line.options.values()
        assert "data-go='piece 0'" in instrument._sheet.html
        assert session.line in ("", f"{line.stage}/{line.key}/0")


@pytest.mark.parametrize("key", ["correction.eps", "correction.nu", "correction.G"])
def test_a_value_is_rounding_where_the_walks_is(key: str) -> None:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.playing = False
    session.seek(0.2)
    instrument = BreakIt(session, Breakage(session))
    instrument.breakage.param.update(stage="filter", key=f"inward_filter.{key}")
    instrument._write()
    reading = session.reading()
    lines = reading.lines("filter", session.place_in("filter").link, 1)
    figures = Figures.of(reading)
    beside_html(next(each for each in lines if each.key == instrument.breakage.key), figures)
    assert instrument._text.numbers == figures.numbers.tobytes()
