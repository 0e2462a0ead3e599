"""Tables and headings as HTML that stands alone: no script, no style sheet, the notebook's own colors."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

MOST_ROWS = 100
"""Of a table; what is beyond is counted."""
CELL = "text-align:left;padding:1px 10px;white-space:nowrap"
NUMBER = "text-align:right;padding:1px 10px;font-variant-numeric:tabular-nums;white-space:nowrap"


class Markup(str):
    """HTML that is ours."""

    __slots__ = ()


def page(title: str, words: Iterable[str], *parts: str) -> str:
    """A title, what is said in a line below it, and what follows."""
    said = " · ".join(html.escape(each) for each in words if each)
    return f"<div><div><b>{html.escape(title)}</b></div><div>{said}</div>{''.join(parts)}</div>"


def table(head: Sequence[str], rows: Sequence[Sequence[str | float]]) -> str:
    """Rows of words and numbers.

    Args:
        head: HTML, a cell each.
        rows: words as they stand, ``Markup``, and numbers in four digits.
    """
    first = "".join(f'<th scope="col" style="{CELL}">{cell}</th>' for cell in head)
    shown = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows[:MOST_ROWS])
    more = f"<div>… and {len(rows) - MOST_ROWS:,} more</div>" if len(rows) > MOST_ROWS else ""
    body = f"<thead><tr>{first}</tr></thead><tbody>{shown}</tbody>"
    return f'<table style="border-collapse:collapse">{body}</table>{more}'


def folded(title: str, body: str) -> str:
    """A part that a click opens; ``title`` is HTML."""
    return f"<details><summary>{title}</summary>{body}</details>"


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return f'<td style="{CELL}">{value if isinstance(value, Markup) else html.escape(value)}</td>'
    return f'<td style="{NUMBER}">{number(value)}</td>'


def number(value: float) -> str:
    """Four digits, with a minus sign as wide as its plus."""
    return f"{value or 0.0:.4g}".replace("-", "\N{MINUS SIGN}")


def counted(count: int, one: str, many: str = "") -> str:
    """ "1 joint", "7 joints"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
