"""The lines of panels as one table: of all in sight what is visible, or of one of them everything."""

from __future__ import annotations

import math
from collections.abc import Iterable

import dynamics as dyn
from app.views.plots.lines import PlotLine, row_name
from app.views.plots.panel_view import PanelView, Sampled, Sight
from app.views.plots.table import csv_of


def visible(views: Iterable[PanelView], sight: Sight) -> str:
    """CSV of the samples in the window, the kept runs' beside the present one's."""
    return _table(views, sight, *sight.window)


def everything(view: PanelView, sight: Sight) -> str:
    """The same of all samples of one panel."""
    return _table([view], sight, -math.inf, math.inf)


def _table(views: Iterable[PanelView], sight: Sight, first: float, last: float) -> str:
    columns = []
    for view in views:
        for sampled in (sight.present, *sight.kept):
            prefix = "" if sampled is sight.present else f"{sampled.letter or 'broken'} "
            times, values = sight.values_of(view.lines, sampled)
            for line, column in zip(view.lines, values.T, strict=True):
                columns.append((prefix + heading(line, sampled), times, column))
    return csv_of(sight.present.curves.times, columns, first, last)


def heading(line: PlotLine, sampled: Sampled) -> str:
    """Quantity, component, whose, unit, and the axes of what is computed, not derived."""
    key = line.trace[0]
    plotted = sampled.catalogue.get(key)
    stage, _, name = key.partition("/")
    axes = f"; {dyn.registry[stage, name].frame}" if (stage, name) in dyn.registry else ""
    owner = "" if plotted is None else row_name(plotted, sampled.run.actuation.system, line.row)
    words = " ".join(word for word in (*line.trace, owner, line.label) if word)
    return f"{words} [{line.unit or '1'}{axes}]"
