"""The dock of plots under the timeline, a part of ``app.views``.

It may import: what ``app.views`` may.
Start with ``dock``: the panels; ``panel_view``: one panel, drawn by Bokeh.
"""

from app.views.plots.dock import Plots

__all__ = ["Plots"]
