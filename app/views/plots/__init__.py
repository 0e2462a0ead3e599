"""The dock of plots under the timeline, a part of ``app.views``.

It may import: what ``app.views`` may.
Start with ``dock``: which panels there are; ``panel_view``: one of them, drawn by Bokeh.
"""

from app.views.plots.dock import Plots

__all__ = ["Plots"]
