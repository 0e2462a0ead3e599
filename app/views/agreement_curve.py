"""How well the methods agree along the run, as far as it has been searched."""

from __future__ import annotations

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Range1d, Span
from bokeh.plotting import figure

from app.views.figure_pane import figure_pane
from scenes import palette

SMALLEST = 1e-17
"""Below every rounding: where two methods agree to the last digit."""


class AgreementCurve:
    """A small plot with a logarithmic axis, a dot for each instant, and the cursor's line."""

    def __init__(self) -> None:
        self._source = ColumnDataSource({"time": [], "worst": []})
        self._now = Span(location=0.0, dimension="height", line_width=1.5)
        self._plot = figure(
            name="agreement",
            height=110,
            sizing_mode="stretch_width",
            x_range=Range1d(0.0, 1.0),
            y_range=Range1d(SMALLEST, 1e-6),
            y_axis_type="log",
            toolbar_location=None,
            tools="",
            min_border=4,
        )
        self._line = self._plot.line("time", "worst", source=self._source, line_width=1.5)
        self._dots = self._plot.scatter("time", "worst", source=self._source, size=4)
        self._plot.add_layout(self._now)
        self._plot.yaxis.ticker.desired_num_ticks = 3
        self._plot.axis.major_label_text_font_size = "0.6875rem"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._now.line_color = palette.INK[theme]
        for renderer in (self._line, self._dots):
            renderer.glyph.line_color = palette.quantity("drift", theme)
        self._dots.glyph.fill_color = palette.quantity("drift", theme)

    def show(self, times: list[float], worst: list[float], begin: float, end: float) -> None:
        """Another curve; an empty one hides the plot."""
        values = np.maximum(np.array(worst, dtype=float), SMALLEST)
        there = values[np.isfinite(values)]
        self.view.visible = bool(len(there))
        if len(there):
            if not self.view.objects:
                self.view.append(figure_pane(self._plot))
            self._plot.x_range.update(start=begin, end=end)
            self._plot.y_range.update(start=float(there.min()) / 3.0, end=float(there.max()) * 3.0)
        self._source.data = {"time": times, "worst": values.tolist()}

    def draw(self, now: float) -> None:
        """The cursor's line."""
        if self.view.visible and self._now.location != now:
            self._now.location = now
