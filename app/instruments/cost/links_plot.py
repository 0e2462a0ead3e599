"""Some series of points against the number of links, on logarithmic axes: operations, call times, or steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, PrintfTickFormatter, Range1d, Span

from app.instruments.small_plot import legend_html, legend_pane, line, small_plot
from app.views.components import figure_pane
from scenes import palette

Points = Sequence[tuple[float, float]]
SERIES = (
    ("circle", "predicted", "<circle cx='10' cy='5' r='3.5' fill='{0}'/>"),
    ("square", "corrected", "<rect x='6.5' y='1.5' width='7' height='7' fill='{0}'/>"),
    ("triangle", "applied", "<path d='M10 1 L14 8.5 L6 8.5 Z' fill='{0}'/>"),
    ("inverted_triangle", "articulated_inertia", "<path d='M10 9 L14 1.5 L6 1.5 Z' fill='{0}'/>"),
    ("diamond", "innovation", "<path d='M10 0 L13.5 5 L10 10 L6.5 5 Z' fill='{0}'/>"),
    ("cross", "acceleration", "<path d='M10 1 V9 M6 5 H14' stroke='{0}' stroke-width='1.6'/>"),
    ("x", "dual_articulated_inertia", "<path d='M7 2 L13 8 M7 8 L13 2' stroke='{0}' stroke-width='1.6'/>"),
    ("circle_dot", "operational_space_inertia",
     "<circle cx='10' cy='5' r='3.6' fill='none' stroke='{0}' stroke-width='1.4'/>"
     "<circle cx='10' cy='5' r='1.2' fill='{0}'/>"),
)  # fmt: skip
"""Mark, color by its name in the palette, and mark in the legend, for as many methods as can race."""
FILLED = 5  # Number of filled marks; the others are outlines
RING = "<circle cx='10' cy='5' r='4' fill='none' stroke='{0}' stroke-width='1.6'/>"


def color_of(k: int, theme: palette.Theme) -> str:
    return palette.quantity(SERIES[k][1], theme)


class LinksPlot:
    """Marks for each series, and for the current arm; the plot is hidden without points.

    Args:
        words: label of the vertical axis.
        lengths: ticks of the horizontal axis.
        most: most series that it may show.
        joined: whether marks are joined by lines; otherwise lines are dashed and show published polynomials.
    """

    def __init__(
        self, name: str, words: str, lengths: Sequence[int], height: int, most: int, joined: bool = True
    ) -> None:
        plot = self._plot = small_plot(
            name, height, x_range=Range1d(0.9, 1.1 * lengths[-1]), y_range=Range1d(0.1, 10.0), x_axis_type="log",
            y_axis_type="log", x_axis_label="links N", y_axis_label=words,
        )  # fmt: skip
        plot.xaxis.ticker, plot.yaxis.ticker = FixedTicker(ticks=list(lengths)), FixedTicker(ticks=[])
        plot.xgrid.ticker, plot.ygrid.ticker = plot.xaxis[0].ticker, plot.yaxis[0].ticker
        plot.yaxis.formatter = PrintfTickFormatter(format="%g")
        self._here = Span(location=1.0, dimension="height", line_width=2.0)
        plot.add_layout(self._here)
        self._joined = joined
        dash, size = ("solid", 7) if joined else ("dashed", 6)
        self._lines, self._points = ([ColumnDataSource({"n": [], "y": []}) for _ in range(most)] for _ in range(2))
        self._drawn = [
            (plot.line("n", "y", source=below, line_width=1.6, line_dash=dash),
             plot.scatter("n", "y", source=points, marker=mark, size=size))
            for (mark, _, _), below, points in zip(SERIES[:most], self._lines, self._points, strict=True)
        ]  # fmt: skip
        self._crossings = ColumnDataSource({"n": [], "y": [], "words": [], "side": []})
        self._rings = plot.scatter("n", "y", source=self._crossings, size=14, line_width=1.6, fill_alpha=0.0)
        self._words = plot.text(
            "n", "y", "words", source=self._crossings, text_font_size="0.6875rem", y_offset="side",
            text_align="center", text_baseline="middle",
        )  # fmt: skip
        self._legend = legend_pane()
        self._names: tuple[str, ...] = ()
        self._theme: palette.Theme = "light"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        for k, (below, marks) in enumerate(self._drawn):
            below.glyph.line_color = marks.glyph.line_color = color_of(k, theme)
            marks.glyph.fill_color = color_of(k, theme) if k < FILLED else None
        self._rings.glyph.line_color = self._words.glyph.text_color = palette.INK[theme]
        self._here.line_color = palette.SELECTED[theme]
        self._write()

    def _write(self) -> None:
        theme, ink = self._theme, palette.INK[self._theme]
        drawn = [mark.format(color_of(k, theme)) for k, (_, _, mark) in enumerate(SERIES)]
        entries = [*zip(drawn, self._names, strict=False)]
        if not self._joined and any(below.data["n"] for below in self._lines):
            entries.append((line(ink, "dashed"), "published"))
        if self._crossings.data["n"]:
            entries.append((RING.format(ink), "from here on cheaper"))
        here = f"<path d='M10 0 V10' stroke='{palette.SELECTED[theme]}' stroke-width='2'/>"
        self._legend.object = legend_html([*entries, (here, "here")])

    def show(
        self,
        series: Mapping[str, Points],
        n_links: int,
        published: Sequence[Points] = (),
        rings: Sequence[tuple[float, float, str, float]] = (),
    ) -> None:
        """Shows other points.

        Args:
            series: by name: (links, value).
            n_links: of the current arm.
            published: the dashed lines, in the order of the series.
            rings: crossings of lines: links, value, words and the downward offset of the words in pixels.
        """
        every = [value for own in series.values() for _, value in own]
        self.view.visible = bool(every)
        if not every:
            return
        if not self.view.objects:
            self.view[:] = [figure_pane(self._plot), self._legend]
        shown = list(series.values())
        for sources, values in ((self._points, shown), (self._lines, shown if self._joined else list(published))):
            for source, own in zip_longest(sources, values, fillvalue=()):
                source.data = {"n": [n for n, _ in own], "y": [value for _, value in own]}
        least, most = 0.6 * min(every), 1.6 * max(every)
        self._plot.y_range.update(start=least, end=most)
        decades = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
        steps = (1.0, 2.0, 5.0) if most < 100.0 * least else (1.0,)
        self._plot.yaxis[0].ticker.ticks = [step * 10.0**decade for decade in decades for step in steps]
        self._here.location = n_links
        columns = zip(("n", "y", "words", "side"), zip(*rings, strict=True) if rings else ((),) * 4, strict=True)
        self._crossings.data = {name: list(column) for name, column in columns}
        self._names = tuple(series)
        self._write()
