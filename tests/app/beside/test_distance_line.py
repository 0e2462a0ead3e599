"""Whoever changes something reads there how far that takes the tip from what was kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.beside import Comparing, DistanceLine
from app.kept.differences import difference
from app.state import Session
from tests.app.arrival import arrival


def test_it_says_how_far_the_tip_goes_and_leads_to_the_numbers(
    run_async: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    async def live() -> None:
        session = Session("puma560")
        line = DistanceLine(session, Comparing(session))
        line.draw()
        assert not line._row.visible
        session.keep()
        assert line._row.visible  # before anything is changed: no control moves under the hand that changes it
        assert "This run is A." in line._words.object
        session.set_mass(2.0 * session.mass)
        assert "Comparing with A …" in line._words.object
        for run in (session.run, session.kept[0].run):
            while run.end < 0.5:
                run.accept(run.compute())
        wanted = difference(session.run, session.kept[0].run).tips
        assert wanted is not None
        await arrival(session, lambda: "Tip up to" in line._words.object, line.draw)
        found = re.search(r"Tip up to (.+) from A, at (.+) s\.", line._words.object)
        assert found
        size, unit = found[1].split()
        assert float(size) * {"mm": 1e-3, "cm": 1e-2, "m": 1.0}[unit] == pytest.approx(wanted.largest, rel=0.05)
        assert float(found[2]) == pytest.approx(wanted.at, abs=0.006)
        line._more.clicks += 1
        assert session.tab == "Show"
        session.change_kept("A", shown=False)
        assert not line._row.visible
        session.jobs.stop()

    run_async(live())


def test_it_says_of_another_machine_that_nothing_is_shared(
    run_async: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        line = DistanceLine(session, Comparing(session))
        session.keep()
        kept = session.kept[0].run
        session.open_preset("puma560")
        for run in (session.run, kept):
            run.accept(run.compute())
        await arrival(session, lambda: "A:" in line._words.object, line.draw)
        assert "A: another machine" in line._words.object
        session.jobs.stop()

    run_async(live())
