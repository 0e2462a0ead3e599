"""Tables 1 to 5 of TML as laws of N: what the paper counts, what the code does, and why they differ."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dynamics as dyn
from app.measures.polynomial import Polynomial, through

Pair = tuple[Polynomial, Polynomial]
"""Multiplications and additions."""
LENGTHS = range(1, 7)
FORMULATIONS: Mapping[str, tuple[int, str]] = {
    "lagrange": (2, "Lagrange"),
    "newton_euler": (3, "Newton–Euler"),
    "newton_euler_modified": (4, "modified Newton–Euler"),
}
"""Each has a table of its own, by its number there."""
RESTORED = (
    "The scan of this table is damaged. Adding up the paper's appendix restores it, and what is legible agrees: "
    "5n, 58n² and 64 of the totals."
)
AT_ONCE = (
    "One processor for each term of Table 4, and what stands along the longest chain of work; from N = 2. The scan has "
    "lost one number, the multiplications of the way back; its totals say it: 9n."
)


@dataclass(frozen=True)
class TableRow:
    """One term; ``reason``: why the code's count is another, or nothing."""

    term: str
    published: Pair
    counted: Pair
    reason: str

    @property
    def agrees(self) -> bool:
        """Whether both count the same at any N."""
        return self.published == self.counted

    @property
    def skipped(self) -> Pair:
        """What the code does more than the paper counts."""
        (first, second), (a, b) = self.counted, self.published
        return first - a, second - b


@dataclass(frozen=True)
class PaperTable:
    """One table; ``total`` is its last row."""

    number: int
    title: str
    rows: tuple[TableRow, ...]
    total: TableRow | None
    note: str = ""


def _law(values: Mapping[int, float], start: int = 1) -> Polynomial:
    found = through(values, start)
    assert found is not None, values
    return found


def _pair(values: Mapping[int, tuple[float, ...]], start: int = 1) -> Pair:
    first, second = (_law({n: each[k] for n, each in values.items()}, start) for k in (0, 1))
    return first, second


def _rows(tables: Mapping[int, Sequence[Any]], start: int = 1) -> tuple[TableRow, ...]:
    """The rows that a table has at any N, from those that it has at some."""
    rows = []
    for same in zip(*tables.values(), strict=True):
        each = dict(zip(tables, same, strict=True))
        published = _pair({n: row.published[:2] for n, row in each.items()}, start)
        counted = _pair({n: row.counted[:2] for n, row in each.items()}, start)
        rows.append(TableRow(same[0].term, published, counted, same[0].reason))
    return tuple(rows)


def _formulation(method: str) -> PaperTable:
    counts = {n: dyn.count_operations(method, n) for n in LENGTHS}
    papers = {n: count.published for n, count in counts.items() if count.published is not None}
    rows = _rows({n: paper.rows for n, paper in papers.items()})
    total = TableRow(
        "Total",
        _pair({n: (paper.multiplications, paper.additions) for n, paper in papers.items()}),
        _pair({n: (count.multiplications, count.additions) for n, count in counts.items()}),
        "",
    )
    number, title = FORMULATIONS[method]
    return PaperTable(number, title, rows, total, RESTORED if method == "lagrange" else "")


def _at_once() -> PaperTable:
    paths = {n: dyn.critical_path("newton_euler_modified", n) for n in range(2, 9)}
    published = _pair({n: path.published for n, path in paths.items() if path.published is not None}, 2)
    counted = _pair({n: path.path[:2] for n, path in paths.items()}, 2)
    rows = _rows({n: path.rows for n, path in paths.items()}, 2)
    total = TableRow("Total", published, counted, "")
    return PaperTable(5, "steps when terms are worked at once", rows, total, AT_ONCE)


@functools.cache
def paper_tables() -> tuple[PaperTable, ...]:
    """All five, in their order; counted once in this process."""
    own = {method: _formulation(method) for method in FORMULATIONS}
    sums = tuple(
        TableRow(table.title, table.total.published, table.total.counted, "")
        for table in own.values()
        if table.total is not None
    )
    summary = PaperTable(1, "three formulations", sums, None, "What each difference is made of is in Tables 2 to 4.")
    return (summary, *own.values(), _at_once())
