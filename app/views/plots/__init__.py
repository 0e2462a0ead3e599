"""The dock of plots under the timeline."""

from app.views.plots.dock import Plots

__all__ = ["Plots"]
