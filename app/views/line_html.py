"""A line of the algorithm, typeset, with what was done to it marked by a stroke or a sign, and by a word."""

from __future__ import annotations

import html

from app.equations.formula import formula
from dynamics.altered.altered_line import LEVER, Line

STYLE = """
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; font-size: 17px; padding: 8px 0; }
.line .part { position: relative; display: inline-flex; align-items: center; padding: 1px 3px; border-radius: 4px; }
.line .chosen { box-shadow: 0 2px 0 0 currentColor; }
.line .dropped, .line .turned { color: var(--bad); }
.line .dropped::after { content: ""; position: absolute; left: 0; right: 0; top: 50%; height: 2px;
  background: currentColor; transform: rotate(-8deg); }
.line .turned { outline: 2px solid currentColor; }
.line .source { margin-left: auto; font-size: 12px; opacity: 0.8; }
.light { --bad: #B3261E; }
.dark { --bad: #FF8A80; }
"""
SIGNS = {"+": "+", "-": "−", "": ""}
TURNED = {"": "−", "+": "−", "-": "+"}


def line_html(line: Line, term: str, factor: float, theme: str) -> str:
    """The line with one of its terms marked.

    Args:
        term: the chosen one.
        factor: 0 strikes it out, -1 frames it with the opposite sign, 1 only underlines it.
    """
    power = next(t for t in line.terms if t.name == term).power
    parts, first = "", True
    for part in line.parts:
        mine = term in part.terms
        # Of a term with several pieces the sign is turned at its first; a power and a lever are turned inside.
        turns = mine and factor < 0.0 and first and not power and term != LEVER
        sign = TURNED[part.sign] if turns and part.sign in TURNED else SIGNS.get(part.sign)
        shown = formula(part.latex)
        if mine and factor < 0.0 and power:
            shown = formula(part.latex.replace("^{-1}", ""))
        if mine and factor < 0.0 and term == LEVER:
            shown = (
                formula(part.latex + "^{-1}") if "^T" not in part.latex else formula(part.latex.replace("^T", "^{-T}"))
            )
        look = "part" + ("" if not mine else " chosen" if factor == 1.0 else " dropped" if factor == 0.0 else " turned")
        mark = f"<span class='sign'>{sign}</span>" if sign else ""
        comma = "<span>,&ensp;</span>" if sign is None else ""
        if mine:
            first = False
        parts += f"{comma}<span class='{look}'>{mark}{shown}</span>"
    left = formula(line.left + "=")
    return (
        f"<div class='line {theme}' role='group' aria-label='{html.escape(line.title)}'>{left}{parts}"
        f"<span class='source'>{html.escape(line.equation)}</span></div>"
    )
