"""A few rows of points against the number of links, on logarithmic axes: times of calls, or steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, PrintfTickFormatter, Span

from app.cost.growth_plot import COLORS, DRAWN, MARKS, here_entry, links_figure
from app.instruments.legend import LOOK, legend_html
from app.views.figure_pane import figure_pane
from scenes import palette

HEIGHT = 200
MARKS_OF_MANY = (*MARKS, "inverted_triangle", "diamond", "cross", "x", "circle_dot")
DRAWN_OF_MANY = (
    *DRAWN,
    "<path d='M10 9 L14 1.5 L6 1.5 Z' fill='{0}'/>",
    "<path d='M10 0 L13.5 5 L10 10 L6.5 5 Z' fill='{0}'/>",
    "<path d='M10 1 V9 M6 5 H14' stroke='{0}' stroke-width='1.6'/>",
    "<path d='M7 2 L13 8 M7 8 L13 2' stroke='{0}' stroke-width='1.6'/>",
    "<circle cx='10' cy='5' r='3.6' fill='none' stroke='{0}' stroke-width='1.4'/>"
    "<circle cx='10' cy='5' r='1.2' fill='{0}'/>",
)
COLORS_OF_MANY = (
    *COLORS, "articulated_inertia", "innovation", "acceleration", "dual_articulated_inertia",
    "operational_space_inertia",
)  # fmt: skip
"""Of as many methods as race, in their order: told apart by their marks first."""
FILLED = len(MARKS) + 2
"""Marks that are filled; the others are lines."""


def color_of(k: int, theme: palette.Theme) -> str:
    """Of the k-th of many."""
    return palette.quantity(COLORS_OF_MANY[k], theme)


class SeriesPlot:
    """A line with marks for each of at most eight, and the arm that is here.

    Args:
        name: the figure's own.
        words: at its upright axis.
        lengths: that are marked on the other one.
    """

    def __init__(self, name: str, words: str, lengths: Sequence[int]) -> None:
        plot = self._plot = links_figure(name, words, HEIGHT, lengths, lengths[-1])
        plot.yaxis.ticker = FixedTicker(ticks=[])
        plot.ygrid.ticker = plot.yaxis[0].ticker
        plot.yaxis.formatter = PrintfTickFormatter(format="%g")
        self._here = Span(location=1.0, dimension="height", line_width=2.0)
        plot.add_layout(self._here)
        self._sources = [ColumnDataSource({"n": [], "y": []}) for _ in MARKS_OF_MANY]
        self._lines = [plot.line("n", "y", source=source, line_width=1.6) for source in self._sources]
        self._marks = [
            plot.scatter("n", "y", source=source, marker=mark, size=7)
            for source, mark in zip(self._sources, MARKS_OF_MANY, strict=True)
        ]
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12))
        self._names: tuple[str, ...] = ()
        self._theme: palette.Theme = "light"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._theme = theme
        for k, (lines, marks) in enumerate(zip(self._lines, self._marks, strict=True)):
            lines.glyph.line_color = marks.glyph.line_color = color_of(k, theme)
            marks.glyph.fill_color = color_of(k, theme) if k < FILLED else None
        self._here.line_color = palette.SELECTED[theme]
        self._write()

    def _write(self) -> None:
        theme = self._theme
        drawn = [each.format(color_of(k, theme)) for k, each in enumerate(DRAWN_OF_MANY)]
        entries = [*zip(drawn, self._names, strict=False)]
        entries.append(here_entry(theme))
        self._legend.object = legend_html(entries)

    def show(self, series: Mapping[str, Sequence[tuple[int, float]]], n_links: int) -> None:
        """Other points; without any the plot hides.

        Args:
            series: by name, at most eight: (links, value).
        """
        every = [value for own in series.values() for _, value in own]
        self.view.visible = bool(every)
        if not every:
            return
        if not self.view.objects:
            shown = figure_pane(self._plot)
            self.view[:] = [shown, self._legend]
        for source, own in zip_longest(self._sources, series.values(), fillvalue=()):
            source.data = {"n": [n for n, _ in own], "y": [value for _, value in own]}
        least, most = 0.7 * min(every), 1.4 * max(every)
        self._plot.y_range.update(start=least, end=most)
        decades = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
        steps = (1.0, 2.0, 5.0) if most < 100.0 * least else (1.0,)
        self._plot.yaxis[0].ticker.ticks = [step * 10.0**decade for decade in decades for step in steps]
        self._here.location = n_links
        if tuple(series) != self._names:
            self._names = tuple(series)
            self._write()
