"""A paper's figure drawn anew."""

from __future__ import annotations

import numpy as np
import panel as pn
from bokeh.models import Renderer
from bokeh.plotting import figure
from numpy.typing import NDArray

from app.instruments.legend import LOOK, legend_html, line
from app.views.components import figure_pane
from dynamics.papers import PaperFigure
from scenes import palette

Array = NDArray[np.float64]
HEIGHT, TALL = 230, 330
COLORS = ("predicted_force", "torque", "contact_force", "velocity")
DOT = "<circle cx='10' cy='5' r='3.5' fill='{0}'/>"


class ResultPlot:
    """The figure of one result; another result gets another figure."""

    def __init__(self) -> None:
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12))
        self._theme: palette.Theme = "light"
        self._drawn: list[tuple[Renderer, str]] = []
        self._shown: PaperFigure | None = None
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._theme = theme
        for drawn, name in self._drawn:
            color = palette.quantity(name, theme)
            drawn.glyph.line_color = color
            if hasattr(drawn.glyph, "fill_color"):
                drawn.glyph.fill_color = color
        self._write()

    def _write(self) -> None:
        if self._shown is None:
            return
        entries = []
        for curve, (_, name) in zip(self._shown.curves, self._drawn, strict=True):
            color = palette.quantity(name, self._theme)
            dash = "dashed" if curve.style == "dashed" else "solid"
            entries.append((DOT.format(color) if curve.style == "points" else line(color, dash), curve.label))
        self._legend.object = legend_html(entries)

    def show(self, shown: PaperFigure | None) -> None:
        """Another figure, or none."""
        if shown is self._shown:
            return
        self._shown, self._drawn = shown, []
        if shown is None:
            self.view[:] = []
            return
        scale = {True: "log", False: "linear"}
        plot = figure(
            name="result", height=TALL if shown.equal else HEIGHT, sizing_mode="stretch_width",
            x_axis_type=scale[shown.log_x], y_axis_type=scale[shown.log_y], toolbar_location=None, tools="",
            min_border=4, x_axis_label=shown.x_label, y_axis_label=shown.y_label, match_aspect=shown.equal,
        )  # fmt: skip
        plot.axis.axis_label_text_font_size = "0.75rem"
        plot.axis.axis_label_text_font_style = "normal"
        plot.axis.major_label_text_font_size = "0.6875rem"
        for k, curve in enumerate(shown.curves):
            x, y = (list(np.atleast_2d(values)) for values in (curve.x, curve.y))
            if curve.style == "points":
                drawn = plot.scatter(np.concatenate(x), np.concatenate(y), size=6)
            else:
                drawn = plot.multi_line(x, y, line_width=1.5, line_dash=curve.style.replace("line", "solid"))
            self._drawn.append((drawn, COLORS[k % len(COLORS)]))
        self.paint(self._theme)
        self.view[:] = [figure_pane(plot), self._legend]
