"""A table of TML beside the code's counts: laws of N, numbers for this arm, and why they differ."""

from __future__ import annotations

import html
from collections.abc import Sequence

from app.cost.growth_html import whole
from app.equations.spelled import worded_html
from app.measures.paper_tables import Pair, PaperTable, TableRow

HEADS = ("×", "+")


def choice_html(tables: Sequence[PaperTable], chosen: int) -> str:
    """Which table stands below."""
    return "<div class='tools'>" + "".join(
        f"<button type='button' data-go='table {k}' aria-pressed='{str(k == chosen).lower()}'>"
        f"Table {table.number}</button>"
        for k, table in enumerate(tables)
    ) + "</div>"  # fmt: skip


def paper_table_html(table: PaperTable, n_links: int) -> str:
    """The table for so many links."""
    rows = "".join(_row_html(row, n_links) for row in table.rows)
    total = "" if table.total is None else _row_html(table.total, n_links)
    note = f"<p class='note'>{html.escape(table.note)}</p>" if table.note else ""
    return (
        f"<table class='counts'><caption>TML Table {table.number}, {html.escape(table.title)}, at N = {n_links}"
        "</caption><thead><tr><td></td><th scope='col'><abbr title='multiplications'>×</abbr></th><th scope='col'>"
        f"<abbr title='additions and subtractions'>+</abbr></th></tr></thead>{rows}{total}</table>{note}"
    )


def _row_html(row: TableRow, n_links: int) -> str:
    term = worded_html(row.term)
    if row.agrees:
        return f"<tbody>{_line_html(f'<b>{term}</b>', row.published, n_links)}</tbody>"
    more = ", ".join(
        f"{signed(law.text)} {head}" for law, head in zip(row.skipped, HEADS, strict=True) if law.text != "0"
    )
    reason = f": {worded_html(row.reason)}" if row.reason else ""
    return (
        f"<tbody><tr><th scope='rowgroup' colspan='3' class='term-name'><b>{term}</b></th></tr>"
        f"{_line_html('published', row.published, n_links)}{_line_html('counted', row.counted, n_links)}"
        f"<tr><td colspan='3' class='law why'><b>{more}</b>{reason}</td></tr></tbody>"
    )


def _line_html(head: str, pair: Pair, n_links: int) -> str:
    laws = "".join(
        f"<span><b>{sign}</b> {law.text}</span>" for sign, law in zip(HEADS, pair, strict=True) if law.text != "0"
    )
    cells = "".join(f"<td>{whole(law(n_links))}</td>" for law in pair)
    return f"<tr><th scope='row'>{head} <span class='law'>{laws}</span></th>{cells}</tr>"


def signed(law: str) -> str:
    """A difference with its sign before it."""
    return law if law.startswith("−") else f"+{law}"
