"""How the sample variance of an innovation comes to D(k) as draws are added, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Range1d
from bokeh.plotting import figure

from app.draws.chance import typical_error
from app.views.figure_pane import figure_pane
from scenes import palette

FIRST, LAST, SMALLEST = 3.0, 1.3e5, 1e-5


class ConvergenceCurve:
    """A dot for each count of draws, the other joints as thin lines, and what is typical: 1 / sqrt(N)."""

    def __init__(self) -> None:
        self._source = ColumnDataSource({"draws": [], "error": []})
        self._others = ColumnDataSource({"draws": [], "error": []})
        counts = np.array([FIRST, LAST])
        typical = ColumnDataSource({"draws": counts.tolist(), "error": np.asarray(typical_error(counts)).tolist()})
        self._plot = figure(
            name="convergence",
            height=170,
            sizing_mode="stretch_width",
            x_range=Range1d(FIRST, LAST),
            y_range=Range1d(1e-4, 2.0),
            x_axis_type="log",
            y_axis_type="log",
            x_axis_label="draws",
            y_axis_label="|variance / D − 1|",
            toolbar_location=None,
            tools="",
            min_border=4,
        )
        self._faint = self._plot.multi_line("draws", "error", source=self._others, line_width=1, line_alpha=0.35)
        self._typical = self._plot.line("draws", "error", source=typical, line_width=1.5, line_dash="dashed")
        self._line = self._plot.line("draws", "error", source=self._source, line_width=1.5)
        self._dots = self._plot.scatter("draws", "error", source=self._source, size=4)
        self._plot.yaxis.ticker.desired_num_ticks = 4
        self._plot.axis.major_label_text_font_size = "0.6875rem"
        self._plot.axis.axis_label_text_font_size = "0.75rem"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._typical.glyph.line_color = palette.INK[theme]
        own = palette.quantity("innovation", theme)
        self._line.glyph.line_color = self._dots.glyph.line_color = self._dots.glyph.fill_color = own
        self._faint.glyph.line_color = palette.quantity("joint_inertia", theme)

    def show(self, counts: list[int], error: list[float], others: Sequence[list[float]]) -> None:
        """Another curve; an empty one hides the plot.

        Args:
            others: of the other joints, after the same numbers of draws.
        """
        self.view.visible = bool(counts)
        if counts and not self.view.objects:
            self.view.append(figure_pane(self._plot))
        shown = [max(value, SMALLEST) for value in error]
        if shown:
            lowest = min(1e-2, *shown)
            self._plot.y_range.update(start=lowest / 2.0, end=3.0)
        self._source.data = {"draws": counts, "error": shown}
        self._others.data = {
            "draws": [counts] * len(others),
            "error": [[max(value, SMALLEST) for value in each] for each in others],
        }
