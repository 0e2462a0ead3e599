"""The table of equations: what a row says of the page is what its address opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

import dynamics as dyn
from app.page import assembled
from app.papers.addresses import ADDRESSES
from app.screen import Instruments
from app.state.address import asked

Run = Callable[[Coroutine[Any, Any, Any]], Any]
TABLE = (Path(__file__).resolve().parents[3] / "docs" / "equations.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TABLE.splitlines() if line.startswith("| ") and not line.startswith("| equation")]
SAID = re.compile(r"([A-Z][A-Za-z ]+) `\?([^`]+)`")


def test_every_row_says_where_it_is() -> None:
    assert len(ROWS) >= 165
    assert all(len(row) == 5 for row in ROWS)
    assert [row[0] for row in ROWS if not SAID.fullmatch(row[3])] == []


@pytest.mark.parametrize("text", sorted({row[3] for row in ROWS}))
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
        if wanted.get("checked", "").startswith("sum/"):
            assert wanted["checked"][4:] in {each.title for each in dyn.paper_sums(session.solution())}
        if "result" in wanted:
            assert session.result == wanted["result"]
            own = ADDRESSES[wanted["result"]]
            assert [wanted[name] for name in ("preset", "t")] == [own[name] for name in ("preset", "t")]
        if "stage" in wanted:
            assert session.place.stage == wanted["stage"]  # which this machine's walk has
        session.jobs.stop()

    run_async(live())
