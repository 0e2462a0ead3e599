"""The table of equations: what a row says of the page is what its address opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from app.page import assembled
from app.screen import Instruments
from app.state.address import asked

Run = Callable[[Coroutine[Any, Any, Any]], Any]
TABLE = (Path(__file__).resolve().parents[3] / "docs" / "equations.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TABLE.splitlines() if line.startswith("| ") and not line.startswith("| equation")]
SAID = re.compile(r"([A-Z][A-Za-z ]+) `\?([^`]+)`")


def test_a_row_says_where_it_is_or_that_it_is_nowhere() -> None:
    assert all(len(row) == 5 for row in ROWS)
    said = [row[3] for row in ROWS]
    assert all(text == "–" or SAID.fullmatch(text) for text in said)
    rows, none = (int(number) for number in re.search(r"Of (\d+) rows (\d+) have none", TABLE).groups())  # type: ignore[union-attr]
    assert (rows, none) == (len(ROWS), said.count("–"))
    assert none < 0.6 * rows


@pytest.mark.parametrize("text", sorted({row[3] for row in ROWS} - {"–"}))
def test_the_address_of_a_row_opens_its_instrument(text: str, run_async: Run) -> None:
    name, query = SAID.fullmatch(text).groups()  # type: ignore[union-attr]
    wanted = dict(parse_qsl(query, strict_parsing=True))

    async def live() -> None:
        whole = assembled({})
        session = whole.session
        asked(wanted, session).tried().show(session)
        while session.run.end < float(wanted["t"]):
            session.run.accept(session.run.compute())
        session.seek(float(wanted["t"]))
        assert session.message == ""
        assert session.setup.machine.preset.name == wanted["preset"]
        instruments = next(one for one in whole.clock._every_third if isinstance(one, Instruments))
        assert instruments.open_names == (name,)
        instruments.draw()
        assert name in instruments._made
        if "stage" in wanted:
            assert session.place.stage == wanted["stage"]  # which this machine's walk has
        session.jobs.stop()

    run_async(live())
