"""The table of equations: what a row says of the page is what its address opens."""

from __future__ import annotations

import functools
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
from app.state import Session
from app.state.address import asked
from app.views.identity_rows import key_of
from app.views.method_names import METHODS

Run = Callable[[Coroutine[Any, Any, Any]], Any]
TABLE = (Path(__file__).resolve().parents[3] / "docs" / "equations.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TABLE.splitlines() if line.startswith("| ") and not line.startswith("| equation")]
SAID = re.compile(r"([A-Z][A-Za-z ]+) `\?([^`]+)`")


def test_every_row_says_where_it_is() -> None:
    assert len(ROWS) >= 165
    assert all(len(row) == 5 for row in ROWS)
    assert [row[0] for row in ROWS if not SAID.fullmatch(row[3])] == []


def unmarked(text: str) -> str:
    """What opens the instrument, whatever is marked in it."""
    return re.sub(r"&checked=[^`]*", "", text)


@pytest.mark.parametrize("text", sorted({unmarked(row[3]) for row in ROWS}))
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
        if "result" in wanted:
            assert session.result == wanted["result"]
            own = ADDRESSES[wanted["result"]]
            assert [wanted[name] for name in ("preset", "t")] == [own[name] for name in ("preset", "t")]
        if "stage" in wanted:
            assert session.place.stage == wanted["stage"]  # which this machine's walk has
        session.jobs.stop()

    run_async(live())


@functools.cache
def sources(preset: str, t: float) -> dict[str, str]:
    """Of each row of *Check* at this moment: what it says it is from."""
    session = Session(preset)
    session.run.accept(session.run.compute())
    session.seek(t)
    found = session.solution()
    methods = {row.left for row in dyn.agreement(found.system, found.state, found.tau).rows}
    return {
        **{f"sum/{each.title}": each.source for each in dyn.paper_sums(found)},
        **{key_of(each): each.identity.source for each in dyn.identities(found)},
        **{f"method/{name}": METHODS[name][1] for name in methods},
    }


def numbers(text: str) -> set[str]:
    """Equations and results, a range as each of them."""
    found = set(re.findall(r"Result [\d.]+\d|[XIV]{2,}", text))
    for section, first, last in re.findall(r"\(([\dA]+\.)?(\d+)[a-z]?\)(?:[–-]\((?:[\dA]+\.)?(\d+)[a-z]?\))?", text):
        found |= {f"{section}{k}" for k in range(int(first), int(last or first) + 1)}
    return found


def rows_of_check() -> list[tuple[str, str, str]]:
    """The paper, the equation and the address of each row that opens *Check*."""
    found, paper = [], ""
    for line in TABLE.splitlines():
        paper = line[3:] if line.startswith("## ") else paper
        if line.startswith("| ") and "| Check `" in line:
            row = line.split(" | ")
            found.append((paper, row[0][2:], row[3]))
    return found


@pytest.mark.parametrize(("paper", "equation", "text"), rows_of_check())
def test_a_row_of_check_is_marked_that_is_from_this_equation(paper: str, equation: str, text: str) -> None:
    wanted = dict(parse_qsl(SAID.fullmatch(text)[2], strict_parsing=True))  # type: ignore[index]
    source = sources(wanted["preset"], float(wanted["t"]))[wanted["checked"]]
    own = re.findall(rf"{paper}\b(.*?)(?=R8|J[RZ]|TML|$)", source)
    assert own
    if not wanted["checked"].startswith("method/"):
        assert numbers(equation) & numbers(own[0])
