"""TML's tables on the page: the published numbers, the counts made directly, and a reason for every difference."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.cost.cost import CHOSEN, Cost
from app.cost.growth_html import whole
from app.cost.tables_html import paper_table_html
from app.equations.spelled import worded_html
from app.measures.paper_tables import FORMULATIONS, PaperTable, paper_tables
from app.state import Session

pytestmark = pytest.mark.compiled_only
Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(scope="module")
def tables() -> dict[int, PaperTable]:
    return {table.number: table for table in paper_tables()}


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text)))


@pytest.mark.parametrize("n", [2, 9, 15])
def test_published_totals_are_those_of_the_paper(tables: dict[int, PaperTable], n: int) -> None:
    """As they stand in Tables 1, 3, 4 and 5; Table 2's by the paper's appendix."""
    lagrange = (27 * n**3 + 165 * n**2) / 2 + 5 * n, (40 * n**3 - 64 * n) / 3 + 58 * n**2
    expected = {
        2: lagrange,
        3: (108 * n - 12, 100 * n - 9),
        4: (90 * n - 27, 88 * n - 24),
        5: (27 * n + 42, 27 * n + 41),
    }
    for number, values in expected.items():
        assert [law(n) for law in tables[number].total.published] == pytest.approx(values)
        for k in (0, 1):
            rows = tables[number].rows
            if rows:
                assert sum(row.published[k](n) for row in rows) == pytest.approx(values[k])
    assert [row.published for row in tables[1].rows] == [tables[k].total.published for k in (2, 3, 4)]


@pytest.mark.parametrize("n", [3, 11])
def test_counts_are_those_of_the_code_at_other_lengths(tables: dict[int, PaperTable], n: int) -> None:
    for method, (number, _) in FORMULATIONS.items():
        direct = dyn.count_operations(method, n)
        table = tables[number]
        assert [law(n) for law in table.total.counted] == [direct.multiplications, direct.additions]
        for row, own in zip(table.rows, direct.published.rows, strict=True):
            assert row.term == own.term
            assert [law(n) for law in row.counted] == list(own.counted[:2])
            assert [law(n) for law in row.published] == pytest.approx(own.published[:2])
            assert row.agrees or row.reason, row.term
    path = dyn.critical_path("newton_euler_modified", n)
    assert [law(n) for law in tables[5].total.counted] == list(path.path[:2])
    for row, own in zip(tables[5].rows, path.rows, strict=True):
        assert [law(n) for law in row.counted] == list(own.counted[:2])
        assert row.agrees or row.reason, row.term


def test_letters_are_printed_as_the_papers_do() -> None:
    assert worded_html("omega_i x T_j^q - <3>") == "ω<sub>i</sub> × T<sub>j</sub><sup>q</sup> − &lt;3&gt;"
    assert worded_html("x_FREE, X_o1, link_3") == "x<sub>FREE</sub>, X<sub>o1</sub>, link_3"
    assert worded_html("R f_i+1 x a_i-1") == "R f<sub>i+1</sub> × a<sub>i−1</sub>"


def test_table_5_has_the_rows_that_the_scan_keeps(tables: dict[int, PaperTable]) -> None:
    """Before the first acceleration two links' rates; then 18n and 15n outward, 12n additions on the way back."""
    at_10 = [tuple(law(10) for law in row.published) for row in tables[5].rows]
    assert at_10 == [(9, 7), (9, 9), (6, 9), (9, 7), (9, 9), (180, 150), (90, 120), (0, 0)]
    own = [tuple(law(10) for law in row.counted) for row in tables[5].rows]
    assert np.sum(own, axis=0).tolist() == [law(10) for law in tables[5].total.counted]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_each_row_stands_there_with_its_reason(tables: dict[int, PaperTable], number: int) -> None:
    table, n = tables[number], 7
    text = plain(paper_table_html(table, n))
    for row in (*table.rows, *([] if table.total is None else [table.total])):
        laws = " ".join(f"{sign} {law.text}" for sign, law in zip("×+", row.published, strict=True) if law.text != "0")
        shown = " ".join(whole(law(n)) for law in row.published)
        term = plain(worded_html(row.term))
        head = f"{term} {laws}" if row.agrees else f"{term} published {laws}"
        assert re.sub(r"\s+", " ", f"{head} {shown}") in text
        if not row.agrees:
            assert plain(worded_html(row.reason)) in text
            for law, counted, published in zip(row.skipped, row.counted, row.published, strict=True):
                assert law(n) == pytest.approx(counted(n) - published(n))
                assert law.text == "0" or law.text in text


def test_a_table_is_chosen_and_follows_the_arm(run_async: Run) -> None:
    async def live() -> None:
        session = Session("iiwa14")
        session.playing = False
        instrument = Cost(session)
        instrument.paint("light")
        instrument.draw()
        assert "Counting …" in instrument.tables.sheet.html
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        instrument.draw()
        assert "TML Table 1, three formulations, at N = 7" in plain(instrument.tables.sheet.html)
        assert len(paper_tables()) == CHOSEN["table"]
        instrument._go("table 3")
        direct = dyn.count_operations("newton_euler_modified", 7)
        text = plain(instrument.tables.sheet.html)
        assert "TML Table 4, modified Newton–Euler, at N = 7" in text
        assert f"{direct.multiplications:,} {direct.additions:,} " in text
        for nobody in ("table 5", "table -1", "table x", "table"):
            instrument._go(nobody)
            assert plain(instrument.tables.sheet.html) == text
        session.open_preset("puma560")
        instrument.draw()
        assert "at N = 6" in instrument.tables.sheet.html

    run_async(live())


def test_a_failure_is_told_in_words(run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise dyn.ModelError("no <table>.")

    async def live() -> None:
        monkeypatch.setattr("app.cost.tables.paper_tables", fail)
        session = Session("puma560")
        instrument = Cost(session)
        instrument.draw()
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        instrument.draw()
        assert "The tables could not be counted: no &lt;table&gt;." in instrument.tables.sheet.html

    run_async(live())


def test_the_ways_back_of_table_5_take_nine_additions() -> None:
    """What the page says of it: 15 outward and 9 on the way back for each link more, not 12."""
    found = {n: dyn.critical_path("newton_euler_modified", n).path for n in range(2, 9)}
    assert set(np.diff([path.additions for path in found.values()])) == {15 + 9}
    assert set(np.diff([path.multiplications for path in found.values()])) == {18 + 9}
