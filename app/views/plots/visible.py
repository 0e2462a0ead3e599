"""The lines of all panels in sight, as one table."""

from __future__ import annotations

from collections.abc import Iterable

from app.views.plots.lines import PlotLine, row_name, values_of
from app.views.plots.panel_view import PanelView, Sampled, Sight
from app.views.plots.table import csv_of


def visible(views: Iterable[PanelView], sight: Sight) -> str:
    """CSV of the samples in the window, the kept runs' beside the present one's."""
    columns = []
    for view in views:
        for sampled in (sight.present, *sight.kept):
            prefix = "" if sampled is sight.present else f"{sampled.letter or 'broken'} "
            times, values = values_of(view.lines, sampled.curves)
            for line, column in zip(view.lines, values.T, strict=True):
                columns.append((prefix + heading(line, sampled, sight), times, column))
    return csv_of(sight.present.curves.times, columns, *sight.window)


def heading(line: PlotLine, sampled: Sampled, sight: Sight) -> str:
    """Quantity, component, whose, and unit."""
    plotted = sampled.catalogue.get(line.trace[0])
    owner = "" if plotted is None else row_name(plotted, sight.system, line.row)
    words = " ".join(word for word in (*line.trace, owner, line.label) if word)
    return f"{words} [{line.unit or '1'}]"
