"""Every method against every other as one triangle of numbers."""

from __future__ import annotations

import html

import dynamics as dyn
from app.views.identity_rows import size_in_words
from app.views.method_names import METHODS, QUANTITIES, method_name

STYLE = """
table.matrix { border-collapse: collapse; width: 100%; font-size: 0.8125rem; }
table.matrix th { font-weight: 400; text-align: left; padding: 3px 4px 1px 0; vertical-align: top; }
table.matrix thead th { text-align: right; opacity: 0.8; }
table.matrix td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
  padding: 3px 2px 1px 4px; font-size: 0.75rem; }
table.matrix tbody tr:not(.about) { border-top: 1px solid rgba(128, 128, 128, 0.3); }
table.matrix tr[aria-current], table.matrix tr[aria-current] + tr.about { background: rgba(128, 128, 128, 0.2); }
table.matrix td.worst { outline: 2px solid currentColor; outline-offset: -2px; font-weight: 600; }
table.matrix tr.about td { text-align: left; white-space: normal; font-size: 0.75rem; opacity: 0.8; padding: 0 0 4px; }
"""


def matrix_html(agreement: dyn.Agreement, chosen: str = "") -> str:
    """A row a method with its explanation, a column for each method before it, the worst cell framed.

    Args:
        chosen: the row that is marked, ``method/`` and its name.
    """
    names = list(dict.fromkeys(name for row in agreement.rows for name in (row.left, row.right)))
    worst = {(row.left, row.right): row for row in sorted(agreement.rows, key=lambda row: row.relative)}
    largest = max(worst.values(), key=lambda row: row.relative, default=None)
    heads = "".join(
        f"<th scope='col' title='{html.escape(method_name(name))}'>{i}</th>" for i, name in enumerate(names[:-1], 1)
    )
    body = ""
    for i, name in enumerate(names):
        cells = ""
        for other in names[: len(names) - 1]:
            found = worst.get((other, name))
            if found is None:
                cells += "<td></td>"
                continue
            mark = " class='worst'" if found is largest else ""
            about = html.escape(f"{method_name(other)} and {method_name(name)}: {QUANTITIES[found.quantity]}")
            cells += f"<td{mark} title='{about}'>{size_in_words(found.relative)}</td>"
        line = html.escape(METHODS[name][1]) if name in METHODS else ""
        current = " aria-current='true'" if chosen == f"method/{name}" else ""
        body += (
            f"<tr{current}><th scope='row'>{i + 1}&ensp;{html.escape(method_name(name))}</th>{cells}</tr>"
            f"<tr class='about'><td colspan='{len(names)}'>{line}</td></tr>"
        )
    return (
        f"<table class='matrix'><thead><tr><th scope='col'>method</th>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def worst_in_words(agreement: dyn.Agreement) -> str:
    """Which two methods differ most, in which quantity."""
    row = max(agreement.rows, key=lambda row: row.relative, default=None)
    if row is None:
        return ""
    if not row.relative:
        return "none differs in any digit"
    return (
        f"{method_name(row.left)} and {method_name(row.right)} differ most, by "
        f"{row.relative:.1e} in {QUANTITIES[row.quantity]}"
    )
