"""A few rows of points against the number of links, on logarithmic axes: times of calls, or steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, PrintfTickFormatter, Span

from app.cost.growth_plot import COLORS, DRAWN, MARKS, here_entry, links_figure
from app.instruments.legend import LOOK, legend_html
from scenes import palette

HEIGHT = 200


class SeriesPlot:
    """A line with marks for each of at most three, and the arm that is here.

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
        self._sources = [ColumnDataSource({"n": [], "y": []}) for _ in MARKS]
        self._lines = [plot.line("n", "y", source=source, line_width=1.6) for source in self._sources]
        self._marks = [
            plot.scatter("n", "y", source=source, marker=mark, size=7)
            for source, mark in zip(self._sources, MARKS, strict=True)
        ]
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12))
        self._names: tuple[str, ...] = ()
        self._theme: palette.Theme = "light"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._theme = theme
        for lines, marks, name in zip(self._lines, self._marks, COLORS, strict=True):
            color = palette.quantity(name, theme)
            lines.glyph.line_color = marks.glyph.line_color = marks.glyph.fill_color = color
        self._here.line_color = palette.SELECTED[theme]
        self._write()

    def _write(self) -> None:
        theme = self._theme
        drawn = [each.format(palette.quantity(name, theme)) for each, name in zip(DRAWN, COLORS, strict=True)]
        entries = [*zip(drawn, self._names, strict=False)]
        entries.append(here_entry(theme))
        self._legend.object = legend_html(entries)

    def show(self, series: Mapping[str, Sequence[tuple[int, float]]], n_links: int) -> None:
        """Other points; without any the plot hides.

        Args:
            series: by name, at most three: (links, value).
        """
        every = [value for own in series.values() for _, value in own]
        self.view.visible = bool(every)
        if not every:
            return
        if not self.view.objects:  # a figure in a pane that was left before it was seen is never laid out
            shown = pn.pane.Bokeh(self._plot, sizing_mode="stretch_width", margin=(0, 12))
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
