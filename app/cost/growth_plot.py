"""Flops against the number of links, on logarithmic axes: marks counted, dashed lines published, and crossings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, Range1d, Span
from bokeh.plotting import figure

from app.instruments.legend import LOOK, legend_html, line
from app.measures.counts import LAST, Growth
from app.measures.crossings import COUNTED, Crossing
from app.views.figure_pane import figure_pane
from scenes import palette

HEIGHT = 260
MARKS = ("circle", "square", "triangle")
DRAWN = (
    "<circle cx='10' cy='5' r='3.5' fill='{0}'/>",
    "<rect x='6.5' y='1.5' width='7' height='7' fill='{0}'/>",
    "<path d='M10 1 L14 8.5 L6 8.5 Z' fill='{0}'/>",
)
COLORS = ("predicted", "corrected", "applied")
"""Of a group's methods in their order, by the palette's names."""
RING = "<circle cx='10' cy='5' r='4' fill='none' stroke='{0}' stroke-width='1.6'/>"
TICKS = (1, 2, 5, 10, 20, 50)


def links_figure(name: str, words: str, height: int, ticks: Sequence[int], last: int) -> figure:
    """An empty plot against up to ``last`` links, both axes logarithmic; ``words`` at the upright one."""
    plot = figure(
        name=name, height=height, sizing_mode="stretch_width", x_range=Range1d(0.9, 1.1 * last),
        y_range=Range1d(0.1, 10.0), x_axis_type="log", y_axis_type="log", x_axis_label="links N", y_axis_label=words,
        toolbar_location=None, tools="", min_border=4,
    )  # fmt: skip
    plot.xaxis.ticker = FixedTicker(ticks=list(ticks))
    plot.xgrid.ticker = plot.xaxis[0].ticker
    plot.axis.major_label_text_font_size = "0.6875rem"
    plot.axis.axis_label_text_font_size = "0.75rem"
    return plot


def here_entry(theme: palette.Theme) -> tuple[str, str]:
    """Of a legend: the line at the arm that is here."""
    return f"<path d='M10 0 V10' stroke='{palette.SELECTED[theme]}' stroke-width='2'/>", "here"


class GrowthPlot:
    """Marks and lines of at most three methods, rings where one becomes the cheaper, and the arm that is here."""

    def __init__(self) -> None:
        plot = self._plot = links_figure("operations", "flops: (× and +) / 2", HEIGHT, TICKS, LAST)
        plot.yaxis.ticker.desired_num_ticks = 4
        self._here = Span(location=1.0, dimension="height", line_width=2.0)
        plot.add_layout(self._here)
        self._published = [ColumnDataSource({"n": [], "flops": []}) for _ in MARKS]
        self._counted = [ColumnDataSource({"n": [], "flops": []}) for _ in MARKS]
        self._lines = [
            plot.line("n", "flops", source=source, line_width=1.6, line_dash="dashed") for source in self._published
        ]
        self._marks = [
            plot.scatter("n", "flops", source=source, marker=mark, size=6)
            for source, mark in zip(self._counted, MARKS, strict=True)
        ]
        self._crossings = ColumnDataSource({"n": [], "flops": [], "words": [], "side": []})
        self._rings = plot.scatter("n", "flops", source=self._crossings, size=14, line_width=1.6, fill_alpha=0.0)
        self._words = plot.text(
            "n", "flops", "words", source=self._crossings, text_font_size="0.6875rem", y_offset="side",
            text_align="center", text_baseline="middle",
        )  # fmt: skip
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12))
        self._theme: palette.Theme = "light"
        self._growths: tuple[Growth, ...] = ()
        self._rung = False
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._theme = theme
        for lines, marks, name in zip(self._lines, self._marks, COLORS, strict=True):
            color = palette.quantity(name, theme)
            lines.glyph.line_color = marks.glyph.line_color = marks.glyph.fill_color = color
        self._rings.glyph.line_color = self._words.glyph.text_color = palette.INK[theme]
        self._here.line_color = palette.SELECTED[theme]
        self._write()

    def _write(self) -> None:
        theme, entries = self._theme, []
        for growth, drawn, name in zip(self._growths, DRAWN, COLORS, strict=False):
            entries.append((drawn.format(palette.quantity(name, theme)), growth.method.name))
        if any(growth.published for growth in self._growths):
            entries.append((line(palette.INK[theme], "dashed"), "published"))
        if self._rung:
            entries.append((RING.format(palette.INK[theme]), "from here on cheaper"))
        entries.append(here_entry(theme))
        self._legend.object = legend_html(entries)

    def point(self, n_links: int) -> None:
        """How many links the arm has that is here."""
        if self._here.location != n_links:
            self._here.location = n_links

    def show(self, growths: tuple[Growth, ...], crossings: Sequence[Crossing]) -> None:
        """Another group; none hides the plot."""
        self._growths = growths
        self.view.visible = bool(growths)
        if growths and not self.view.objects:
            shown = figure_pane(self._plot)
            self.view[:] = [shown, self._legend]
        n = np.geomspace(1.0, LAST, 60)
        every = []
        for k, (counted, published) in enumerate(zip(self._counted, self._published, strict=True)):
            here = growths[k] if k < len(growths) else None
            counted.data = {"n": [], "flops": []} if here is None else {"n": here.lengths, "flops": here.flops}
            paper = None if here is None else here.published.get("flops")
            published.data = {"n": [], "flops": []} if paper is None else {"n": n, "flops": [paper(x) for x in n]}
            every += list(counted.data["flops"])
        if every:
            self._plot.y_range.update(start=min(every) / 2.0, end=2.0 * max(every))
        rung = [one for one in crossings if one.first > 1]
        self._rung = bool(rung)
        self._crossings.data = {
            "n": [one.first for one in rung],
            "flops": [one.flops for one in rung],
            "words": [f"{one.first} {one.kind}" for one in rung],
            "side": [18.0 if one.kind == COUNTED else -18.0 for one in rung],
        }
        self._write()
