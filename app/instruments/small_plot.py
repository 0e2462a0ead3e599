"""Small plots of instruments, with legends as HTML, whose text scales with the page, unlike Bokeh's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import panel as pn
from bokeh.plotting import figure

from app.equations.formula import worded_html


def small_plot(name: str, height: int, title: str = "", **more: Any) -> figure:
    """A plot as wide as its instrument; ``more`` as for Bokeh's ``figure``."""
    plot = figure(
        name=name, title=title, height=height, sizing_mode="stretch_width", toolbar_location=None, tools="",
        min_border=4, **more,
    )  # fmt: skip
    plot.title.text_font_size = "0.75rem"
    plot.title.text_font_style = "normal"
    plot.axis.major_label_text_font_size = "0.6875rem"
    plot.axis.axis_label_text_font_size = "0.75rem"
    return plot


LOOK = """
:host { font: 0.75rem/1.3 Roboto, "Helvetica Neue", Arial, sans-serif; }
.entries { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0 0.9rem; margin: 0; }
.entries span { display: inline-flex; align-items: center; gap: 0.3rem; }
svg { width: 1.5rem; height: 0.75rem; flex: none; }
"""
PATTERNS: Mapping[str, str] = {
    " ": "",
    "/": "M2 10 L8 0 M8 10 L14 0 M14 10 L20 0",
    ".": "M4 5 h.1 M10 5 h.1 M16 5 h.1",
    "x": "M2 10 L8 0 M8 10 L14 0 M14 10 L20 0 M2 0 L8 10 M8 0 L14 10 M14 0 L20 10",
}
"""The hatches of bars as CSS, by Bokeh's names."""
GAPS: Mapping[str, str] = {"dashed": "5 3", "dotted": "2 2"}


def line(color: str, dash: str) -> str:
    dashes = f" stroke-dasharray='{GAPS[dash]}'" if dash in GAPS else ""
    return f"<line x1='0' y1='5' x2='20' y2='5' stroke='{color}' stroke-width='2'{dashes}/>"


def bar(color: str, hatch: str, paper: str) -> str:
    drawn = f"<path d='{PATTERNS[hatch]}' stroke='{paper}' stroke-width='1.5' stroke-linecap='round'/>"
    return f"<rect width='20' height='10' fill='{color}'/>{drawn if hatch.strip() else ''}"


def hatched(color: str, hatch: str) -> str:
    return (
        f"<path d='{PATTERNS[hatch]}' stroke='{color}' stroke-opacity='0.6' stroke-width='1.2' stroke-linecap='round'/>"
    )


def diamond(color: str, paper: str) -> str:
    """The mark at the total of the bars."""
    return f"<path d='M10 1 L14 5 L10 9 L6 5 Z' fill='{paper}' stroke='{color}' stroke-width='1.2'/>"


def legend_pane(margin: tuple[int, ...] = (0, 12, 6, 12)) -> pn.pane.HTML:
    """A legend, empty at first."""
    return pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=margin)


def legend_html(entries: Sequence[tuple[str, str]]) -> str:
    """A row of entries.

    Args:
        entries: a drawing and its label each.
    """
    body = "".join(
        f"<span><svg viewBox='0 0 20 10' aria-hidden='true'>{drawing}</svg>{worded_html(words)}</span>"
        for drawing, words in entries
    )
    return f"<p class='entries'>{body}</p>"
