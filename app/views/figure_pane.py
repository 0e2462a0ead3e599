"""A figure in the pane that shows it."""

from __future__ import annotations

import panel as pn
from bokeh.models import CustomJS
from bokeh.plotting import figure

NAMED = """
    const events = Bokeh.index.find_one(figure)?.canvas_view?.events_el
    if (!events) return
    events.tabIndex = -1 // Tab passes it by: no key does anything there
    events.setAttribute("role", "img")
    events.setAttribute("aria-label", title.text || name)
"""


def figure_pane(plot: figure) -> pn.pane.Bokeh:
    """As wide as its instrument.

    To be put there when it is first seen: a figure in a pane that was left before it was seen is never laid out, and
    has every later layout of the page fail.
    """
    if not plot.js_property_callbacks:
        named = CustomJS(args={"figure": plot, "title": plot.title, "name": plot.name or "plot"}, code=NAMED)
        plot.js_on_change("inner_width", named)  # which it has from when it is laid out
        plot.title.js_on_change("text", named)
    return pn.pane.Bokeh(plot, sizing_mode="stretch_width", margin=(0, 12))
