"""The list of kept runs says what the session has, and what is done in it is done to the session."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.beside import KeptRuns
from app.kept.differences import difference
from app.state import Session
from app.state.worker import Worker

MARKUP = "<img src=x onerror=alert(1)>"


def rows(view: KeptRuns) -> list[dict[str, Any]]:
    view.draw()
    found: list[dict[str, Any]] = view._list.rows
    return found


def test_the_list_follows_and_acts(run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        view = KeptRuns(session)
        assert view._list.rows == []
        view._list._handle_msg({"do": "keep"})
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


NONSENSE = (
    *(None, 3, "keep", {"do": "open"}, {"do": "open", "letter": 3}),
    *({"do": "name", "letter": "A", "value": 7}, {"do": "drop", "letter": ["A"]}),
)


@pytest.mark.parametrize("message", NONSENSE)
def test_what_makes_no_sense_changes_nothing(message: object) -> None:
    session = Session("planar_chain")
    view = KeptRuns(session)
    session.keep()
    before = session.kept
    view._list._handle_msg(message)
    assert session.kept == before


def test_each_shown_run_is_compared_beside_the_page(run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
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
        while not all(each.run.complete for each in session.kept) or not session.run.complete:
            worker.attend()
            rows(view)
            await asyncio.sleep(0.0)
            session.jobs.attend()
        expected = difference(session.run, session.kept[0].run)
        while view._comparing.known(session.kept[0].run) != expected:
            rows(view)
            await asyncio.sleep(0.0)
            session.jobs.attend()
        first, second = rows(view)
        assert [each["of"] for each in first["far"]] == ["tips", "joints"]
        assert expected.tips.largest > 0.01
        assert second["far"] == []
        view._list._handle_msg({"do": "copy"})
        head, *lines = csv.reader(io.StringIO(copied[0]))
        assert head[4:6] == ["largest", "RMS"]
        assert [(line[0], line[2], float(line[4])) for line in lines] == [
            ("A", "tips", expected.tips.largest),
            ("A", "joints", expected.turning.largest),
        ]
        session.jobs.stop()

    run_async(live())
