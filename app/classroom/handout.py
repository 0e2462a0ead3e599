"""The handout: a page to be printed, with each moment's picture, note, link, and what was open beside the world."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import panel as pn
from panel.viewable import Viewable

from app.classroom.browser import template
from app.classroom.lecture import NAME, Lecture, Moment
from app.equations import sheet
from app.equations.sheet import Sheet
from app.equations.sheet_style import colors_of
from app.motion.presets import FILE
from app.state.address import LONGEST
from app.state.arrangement import read_typed
from app.views.components import ROWS_LOOK as ROWS
from app.views.components import Panes, RowTable
from app.views.print_page import printed_page

HERE = Path(__file__)
LARGEST = 1_000_000  # characters and bytes that a moment's instrument may have in print
PAPER = """
:host { display: block; margin: 2mm 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.sheet { padding: 0; } .questions, .tools, .tip, button, input, select, textarea { display: none; }
"""
"""Nothing on paper can be pressed."""


class Part(NamedTuple):
    """A sheet, a table or a piece of text of an instrument, as the server made it."""

    html: str
    css: str
    numbers: bytes | None = None  # of a sheet, float64, little-endian; None of what is no sheet and has not its look


def parts_of(view: Viewable) -> Iterator[Part]:
    """Whatever of an instrument is in sight and can be read on paper, in its order."""
    if not view.visible:
        return
    if isinstance(view, RowTable):
        yield Part(template("handout.html").module.table(view), ROWS)  # type: ignore[attr-defined]
    elif isinstance(view, pn.pane.HTML):
        yield Part(str(view.object), "".join(each for each in view.stylesheets if isinstance(each, str)))
    elif {"html", "css"} <= set(view.param):
        yield Part(view.html, view.css, view.numbers if isinstance(view, Sheet) else None)
    if isinstance(view, Panes) and view.active in view.made:
        yield from parts_of(view.panes[view.made.index(view.active)])
    for part in getattr(view, "objects", ()):
        yield from parts_of(part)


def handout_html(lecture: Lecture, home: str, shown: Mapping[int, Sequence[Part]]) -> str:
    """All of the page.

    Args:
        home: the page's own address.
        shown: what the instruments of moments showed that have stood still on the page, by their numbers.
    """
    moments = [_section(each, home, shown.get(each.number, ())) for each in lecture.moments]
    look = Path(sheet.__file__).with_suffix(".css").read_text("utf-8")
    body = template("handout.html").render(moments=moments, look=look, script=Sheet._esm)
    return printed_page("Armsweep lecture", body, HERE.with_suffix(".css"))


def _section(moment: Moment, home: str, parts: Sequence[Part]) -> dict[str, Any]:
    query = moment.query
    tab = query.get("tab") or "Walk"
    has_link = query.get("preset") != FILE and sum(map(len, query.values())) <= LONGEST
    return {
        "moment": moment,
        "where": f"{tab}: {query.get('name') or query.get('preset')}, at {query.get('t', '0')} s",
        "typed": read_typed(query.get("typed", "")).values(),
        "parts": [_packed(part) for part in parts if part.html],
        "is_too_long": sum(len(part.html) + len(part.numbers or b"") for part in parts) > LARGEST,
        "is_unseen": not parts and tab != NAME,
        "is_of_file": query.get("preset") == FILE,
        "link": f"{home}?{urlencode(query)}" if has_link else "",
    }


def _packed(part: Part) -> str:
    """What the printed page's script draws."""
    numbers = None if part.numbers is None else base64.b64encode(part.numbers).decode()
    css = part.css + colors_of("light") + PAPER  # paper is white, whatever the page was
    return json.dumps({"html": part.html, "css": css, "numbers": numbers}).replace("<", "\\u003c")
