"""Kept runs beside the present one: their list, how far they are apart, and what a change costs the tip."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.beside import Comparing, DistanceLine, KeptRuns
from app.kept.differences import difference
from app.state import Session
from app.state.worker import Worker
from app.views.plots import Plots
from tests.app.arrival import arrival

Run = Callable[[Coroutine[Any, Any, None]], None]
MARKUP = "<img src=x onerror=alert(1)>"


def rows(view: KeptRuns) -> list[dict[str, Any]]:
    view.draw()
    found: list[dict[str, Any]] = view._list.rows
    return found


def test_the_list_follows_and_acts(run_async: Run) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        view = KeptRuns(session)
        assert view._list.rows == []
        view._list._handle_msg({"do": "keep"})
        view._list._handle_msg({"do": "keep"})  # once more: it is kept already
        (row,) = view._list.rows
        assert (row["letter"], row["present"], row["far"]) == ("A", True, [])
        view._list._handle_msg({"do": "name", "letter": "A", "value": MARKUP})
        assert session.kept[0].title == view._list.rows[0]["name"] == MARKUP  # text, wherever it is shown
        session.set_mass(2.0 * session.mass)
        assert not view._list.rows[0]["present"]
        view._list._handle_msg({"do": "shown", "letter": "A", "value": False})
        assert not session.ghosts
        view._list._handle_msg({"do": "open", "letter": "A"})
        assert session.run is session.kept[0].run
        view._list._handle_msg({"do": "drop", "letter": "A"})
        assert view._list.rows == []
        session.jobs.stop()

    run_async(live())


def test_differences_are_from_the_run_that_was_chosen() -> None:
    session = Session("puma560")
    view = KeptRuns(session)
    for factor in (2.0, 3.0, 0.5):
        session.keep()
        session.set_mass(factor * session.mass)
    plots = Plots(session)
    for run in (session.run, *(each.run for each in session.kept)):
        while run.end < 0.5:
            run.accept(run.compute())
    session.param.update(playing=False)
    session.seek(0.4)

    def shown() -> tuple[str, float]:
        plots._act({"do": "set", "panel": 0, "field": "difference", "value": True})
        plots.sampler.catch_up()
        plots.draw()
        return plots._board.cells[0]["subject"], float(plots._board._told["panels"][0]["raw"][0].replace("−", "-"))

    here, there = session.solution(), [each.run.solution_at(0.4) for each in session.kept]
    link = session.cursor.link
    apart = [
        here.stages["filter"]["kalman_gain"][link, 0] - each.stages["filter"]["kalman_gain"][link, 0] for each in there
    ]
    subject, value = shown()
    assert "less A (faint: B, C)" in subject
    assert value == pytest.approx(apart[0], rel=1e-6)
    assert [row["compared"] for row in view._list.rows] == [True, False, False]
    view._list._handle_msg({"do": "compare", "letter": "C"})
    subject, value = shown()
    assert "less C (faint: A, B)" in subject
    assert value == pytest.approx(apart[2], rel=1e-6)
    assert abs(apart[2] - apart[0]) > 1e-3 * abs(apart[0])
    assert [row["compared"] for row in view._list.rows] == [False, False, True]
    for nonsense in ("Z", "<b>", 3):
        view._list._handle_msg({"do": "compare", "letter": nonsense})
    assert session.compared == "C"
    session.drop_kept("C")
    assert [row["compared"] for row in view._list.rows] == [True, False]


def test_what_makes_no_sense_changes_nothing() -> None:
    session = Session("planar_chain")
    view = KeptRuns(session)
    session.keep()
    before = session.kept
    for message in (
        None, 3, "keep", {"do": "open"}, {"do": "open", "letter": 3}, {"do": "name", "letter": "A", "value": 7},
        {"do": "drop", "letter": ["A"]},
    ):  # fmt: skip
        view._list._handle_msg(message)
        assert session.kept == before, message


def test_each_shown_run_is_compared_beside_the_page(run_async: Run) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        session.keep()
        session.set_mass(2.0 * session.mass)
        session.keep()
        session.set_mass(2.0 * session.mass)
        session.change_kept("B", shown=False)
        view, worker = KeptRuns(session), Worker(session)
        copied: list[str] = []
        view._list.copy = copied.append  # type: ignore[method-assign]
        while not all(run.complete for run in (session.run, *(each.run for each in session.kept))):
            worker.attend()
            await asyncio.sleep(0.0)
            session.jobs.attend()
        expected = difference(session.run, session.kept[0].run)
        while view._comparing.known(session.kept[0].run) != expected:
            rows(view)
            await asyncio.sleep(0.0)
            session.jobs.attend()
        first, second = rows(view)
        assert [each["of"] for each in first["far"]] == ["tip", "joints"]
        assert expected.tips.largest > 0.01
        assert second["far"] == []
        view._list._handle_msg({"do": "copy"})
        head, *lines = csv.reader(io.StringIO(copied[0]))
        assert head[4:6] == ["largest", "RMS"]
        assert [(line[0], line[2], float(line[4])) for line in lines] == [
            ("A", "tip", expected.tips.largest),
            ("A", "joints", expected.turning.largest),
        ]
        session.jobs.stop()

    run_async(live())


def test_it_says_how_far_the_tip_goes_and_leads_to_the_numbers(run_async: Run) -> None:
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
