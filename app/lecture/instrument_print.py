"""What a moment has of any instrument in print: its sheets and tables, drawn by the script of the page's own sheets."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import panel as pn
from panel.viewable import Viewable

from app.equations import sheet
from app.equations.look import colors_of
from app.equations.sheet import Sheet
from app.lessons.lesson_sheet import LessonSheet
from app.views.row_table import LOOK as ROWS
from app.views.row_table import RowTable

LARGEST = 1_000_000
"""Characters and bytes that a moment's instrument may have in print."""
LOOK = """
:host { display: block; margin: 2mm 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.sheet { padding: 0; } .questions, .tools, .tip, button, input, select, textarea { display: none; }
"""
"""Nothing on paper can be pressed."""


@dataclass(frozen=True)
class Part:
    """A sheet, a table or a piece of text, as the server made it.

    Attributes:
        numbers: of a sheet, in their order; float64, little-endian. None of what is no sheet and has not their look.
    """

    html: str
    css: str
    numbers: bytes | None = None


def parts_of(view: Viewable) -> Iterator[Part]:
    """Whatever of an instrument is in sight and can be read on paper, in its order."""
    if not view.visible:
        return
    if isinstance(view, Sheet):
        yield Part(view.html, view.css, view.numbers)
    elif isinstance(view, LessonSheet):
        yield Part(view.html, view.css)
    elif isinstance(view, RowTable):
        yield Part(table_html(view), ROWS)
    elif isinstance(view, pn.pane.HTML):
        yield Part(str(view.object), "".join(each for each in view.stylesheets if isinstance(each, str)))
    for part in getattr(view, "objects", ()):
        yield from parts_of(part)


def table_html(table: RowTable) -> str:
    """A table whose rows can be clicked on the page."""
    kinds = [column["kind"] for column in table.columns]
    heads = "".join(f"<th class='{column['kind']}'>{html.escape(column['title'])}</th>" for column in table.columns)
    rows = "".join(
        f"<tr><th scope='row'>{html.escape(row['cells'][0])}<div class='formula'>{row.get('formula', '')}</div></th>"
        f"{''.join(f'<td class={kinds[k]}>{html.escape(cell)}</td>' for k, cell in enumerate(row['cells']) if k)}</tr>"
        for row in table.rows
    )
    caption = f"<caption>{html.escape(table.caption)}</caption>"
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def parts_html(parts: Sequence[Part]) -> str:
    """What ``script_html`` draws on the printed page."""
    if sum(len(part.html) + len(part.numbers or b"") for part in parts) > LARGEST:
        return "<p class='gone'>What it showed is too long for paper.</p>"
    return "".join(f"<div class='instrument'>{_data_html(part)}</div>" for part in parts if part.html)


def _data_html(part: Part) -> str:
    data = {
        "html": part.html,
        "css": part.css + colors_of("light") + LOOK,  # paper is white, whatever the page was
        "numbers": None if part.numbers is None else base64.b64encode(part.numbers).decode(),
    }
    text = json.dumps(data).replace("<", "\\u003c")
    return f"<script type='application/json'>{text}</script>"


def script_html() -> str:
    """Draws each part by the script and in the look of the page's sheets."""
    look = Path(sheet.__file__).with_suffix(".css").read_text("utf-8")
    script = Path(__file__).with_suffix(".js").read_text("utf-8")
    return f"<style id='sheets' media='not all'>{look}</style><script type='module'>{Sheet._esm}{script}</script>"
