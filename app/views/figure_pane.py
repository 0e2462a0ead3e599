"""A figure in the pane that shows it."""

from __future__ import annotations

import panel as pn
from bokeh.plotting import figure


def figure_pane(plot: figure) -> pn.pane.Bokeh:
    """As wide as its instrument.

    To be put there when it is first seen: a figure in a pane that was left before it was seen is never laid out, and
    has every later layout of the page fail.
    """
    return pn.pane.Bokeh(plot, sizing_mode="stretch_width", margin=(0, 12))
