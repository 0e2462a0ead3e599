"""The lines of the text that a half-step runs, each with its own value beside it."""

from __future__ import annotations

import difflib
import functools
import html
import re
from collections.abc import Sequence
from itertools import groupby

from app.equations.equation_html import beside_html
from app.equations.formula import formula
from app.equations.sheet import Figures
from dynamics.reading import LineReading

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def listing_html(lines: Sequence[LineReading], figures: Figures, folder: str = "textbook") -> str:
    """Sweep by sweep, in the order of the text; a click on a line leads to its equation."""
    found = ""
    for heading, calls_of_half in groupby(lines, key=heading_of):
        own = list(calls_of_half)
        rows = "".join(_row(list(calls), figures) for _, calls in groupby(own, key=lambda line: line.key))
        found += (
            f"<p class='sweep'><code>{html.escape(heading)}</code> <span class='file'>dynamics/{folder}/"
            f"{html.escape(own[0].file)}</span></p><ol class='text'>{rows}</ol>"
        )
    return found


def heading_of(line: LineReading) -> str:
    """The function that contains a line, as it is defined."""
    sweep, *inner, _ = line.key.removeprefix(f"{line.stage}.").split(".")
    return f"{sweep}: {inner[0]}" if inner else sweep


def _row(calls: list[LineReading], figures: Figures) -> str:
    """One line with its values; several if it runs for several contacts of the link."""
    line = calls[0]
    values = "".join(
        f"<span class='own'><span class='symbol'>{formula(call.left)}</span> = {beside_html(call, figures)}</span>"
        for call in calls
    )
    name = html.escape(f"Line {line.number}, {line.equation}: go to its equation", quote=True)
    return (
        f"<li value='{line.number}' class='ran{' broken' if line.broken else ''}' data-line='{html.escape(line.key)}'>"
        f"<div class='row'><code data-to='{html.escape(line.key)}' tabindex='0' role='link' aria-label='{name}'>"
        f"{changed_html(line.published, line.source)}</code><span class='source'>{html.escape(line.equation)}</span>"
        f"<span class='values'>{values}</span></div></li>"
    )


@functools.lru_cache(maxsize=1024)
def changed_html(before: str, now: str) -> str:
    """The current line, with additions underlined and deletions struck out."""
    if before == now:
        return html.escape(now)
    old, new = TOKEN.findall(before), TOKEN.findall(now)
    found = ""
    for what, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = html.escape("".join(old[i1:i2])), html.escape("".join(new[j1:j2]))
        if what == "equal":
            found += come
            continue
        found += f"<del>{gone}</del>" if gone.strip() else ""
        found += f"<ins>{come}</ins>" if come.strip() else come
    return found
