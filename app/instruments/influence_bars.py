"""The parts of joint accelerations as bars that add up, one stack per joint."""

from __future__ import annotations

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, FactorRange
from bokeh.plotting import figure
from numpy.typing import NDArray

from app.instruments.legend import LOOK, bar, diamond, legend_html
from app.views.components import figure_pane
from scenes import palette

Array = NDArray[np.float64]
HATCHES = (" ", "/", ".", "x")
"""Hatches of the parts, in order, so that they are distinguishable without color."""
COLORS = ("torque", "predicted_force", "velocity", "contact_force")
WIDTH = 0.38
"""Half the width of a bar, as a share of a joint's space."""


class ResponseBars:
    """Stacked bars, positive up and negative down, and a mark at their total."""

    def __init__(self) -> None:
        self._plot = figure(
            name="responses",
            height=190,
            sizing_mode="stretch_width",
            x_range=FactorRange(),
            toolbar_location=None,
            tools="",
            min_border=4,
        )
        self._plot.xgrid.visible = False
        self._plot.axis.major_label_text_font_size = "0.6875rem"
        self._sources = [ColumnDataSource({"joint": [], "from": [], "to": []}) for _ in COLORS]
        self._bars = [
            self._plot.vbar(
                "joint", 2.0 * WIDTH, "to", "from", source=source, line_width=1.0, hatch_pattern=hatch,
                hatch_scale=7.0, hatch_weight=1.0,
            )
            for source, hatch in zip(self._sources, HATCHES, strict=True)
        ]  # fmt: skip
        self._sum = ColumnDataSource({"joint": [], "sum": []})
        self._marks = self._plot.scatter("joint", "sum", source=self._sum, marker="diamond", size=9, line_width=1.5)
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12))
        self._letters: tuple[str, ...] = ()
        self._theme: palette.Theme = "light"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._theme = theme
        for drawn, name in zip(self._bars, COLORS, strict=True):
            color = palette.quantity(name, theme)
            drawn.glyph.update(
                fill_color=color, line_color=color, hatch_color=palette.BACKGROUND[theme], fill_alpha=0.85
            )
        self._marks.glyph.update(fill_color=palette.BACKGROUND[theme], line_color=palette.SELECTED[theme])
        self._write(self._letters)

    def _write(self, letters: tuple[str, ...]) -> None:
        self._letters, theme = letters, self._theme
        paper = palette.BACKGROUND[theme]
        drawn = [bar(palette.quantity(name, theme), hatch, paper) for name, hatch in zip(COLORS, HATCHES, strict=True)]
        entries = [*zip(drawn, letters, strict=False), (diamond(palette.SELECTED[theme], paper), "sum")]
        self._legend.object = legend_html(entries) if letters else ""

    def show(self, joints: list[str], parts: list[tuple[str, Array]], total: Array) -> None:
        """Shows other bars.

        Args:
            parts: letter and numbers of each, no more than there are colors.
        """
        if not self.view.objects:
            self.view[:] = [figure_pane(self._plot), self._legend]
        if list(self._plot.x_range.factors) != joints:
            self._plot.x_range.factors = joints
        if (letters := tuple(letter for letter, _ in parts)) != self._letters:
            self._write(letters)
        up, down = np.zeros(len(joints)), np.zeros(len(joints))
        for source, k in zip(self._sources, range(len(self._sources)), strict=True):
            amount = parts[k][1] if k < len(parts) else np.zeros(0)
            base = np.where(amount >= 0.0, up[: len(amount)], down[: len(amount)])
            source.data = {"joint": joints[: len(amount)], "from": base, "to": base + amount}
            up[: len(amount)] += np.maximum(amount, 0.0)
            down[: len(amount)] += np.minimum(amount, 0.0)
        self._sum.data = {"joint": joints, "sum": total}
