"""A small plot of an instrument: a title above it, type in the page's own size, no tools."""

from __future__ import annotations

from typing import Any

from bokeh.plotting import figure


def small_plot(name: str, title: str, height: int, **more: Any) -> figure:
    """One that is as wide as its instrument; ``more`` as for Bokeh's ``figure``."""
    plot = figure(
        name=name, title=title, height=height, sizing_mode="stretch_width", toolbar_location=None, tools="",
        min_border=4, min_border_right=14, **more,
    )  # fmt: skip
    plot.title.text_font_size = "0.75rem"
    plot.title.text_font_style = "normal"
    plot.axis.major_label_text_font_size = "0.6875rem"
    plot.xaxis.axis_label_text_font_size = "0.75rem"
    return plot
