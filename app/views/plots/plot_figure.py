"""One plot of the dock: samples of its lines and of kept runs' lines, which the browser draws, and its axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from bokeh.events import DoubleTap, Tap
from bokeh.models import (
    AllIndices,
    AllLabels,
    BasicTicker,
    BoxZoomTool,
    CDSView,
    ColumnDataSource,
    FixedTicker,
    GlyphRenderer,
    Grid,
    LinearAxis,
    LinearScale,
    MultiLine,
    PanTool,
    PrintfTickFormatter,
    Range1d,
    Span,
    Ticker,
    Toolbar,
    UnionRenderers,
    WheelZoomTool,
)
from bokeh.plotting import figure
from numpy.typing import NDArray

from app.sampling.sampler import CAPACITY
from app.views.plots.lines import Letters, PlotLine, Samples
from app.views.plots.vertical_range import VerticalRange, decades
from scenes import palette

Array = NDArray[np.float64]
LEFT = 52
"""Pixels for the labels of the vertical axis: the same in every panel, so that the time axes align."""
ROWS = {"xs": "xs", "ys": "ys", "line_color": "color", "line_dash": "dash", "line_width": "width"}
"""The line glyph's properties, each with its column in the source."""


class SharedModels:
    """Models shared by all figures of a document: the time axis, the cursor, grids and tools.

    Every message of the page refers to every model in it, so figures create few and share what they can.

    Args:
        span: the displayed time range.
    """

    def __init__(self, span: Range1d) -> None:
        self.span, self.scale = span, LinearScale()
        self.indices, self.policy = AllIndices(), UnionRenderers()
        self.now = Span(name="cursor", location=0.0, dimension="height", level="overlay")
        self._labels, self._numbers = AllLabels(), PrintfTickFormatter(format="%.6g")
        self._ticker = BasicTicker(desired_num_ticks=4)
        self._axes: list[LinearAxis] = []
        self._grids: list[Grid] = []
        self._theme: palette.Theme = "light"
        self.below, self.upright = self.axis(self._ticker, 0)
        self.left, self.level = self.axis(self._ticker, 1)
        wheel, self._pan = WheelZoomTool(dimensions="width"), PanTool(dimensions="width")
        self.toolbar = Toolbar(tools=[wheel, self._pan], active_scroll=wheel, active_drag=self._pan)

    def axis(self, ticker: Ticker, dimension: int) -> tuple[LinearAxis, Grid]:
        """An axis with the common look, and its grid."""
        axis = LinearAxis(
            ticker=ticker, formatter=self._numbers, major_label_policy=self._labels, minor_tick_line_color=None
        )
        self._axes.append(axis)
        self._grids.append(Grid(ticker=ticker, dimension=dimension))
        self.paint(self._theme)
        return axis, self._grids[-1]

    def drag(self, boxes: bool) -> None:
        """Sets the drag action: zoom into a box, or pan."""
        box = next((tool for tool in self.toolbar.tools if isinstance(tool, BoxZoomTool)), None)
        if boxes and box is None:
            box = BoxZoomTool(dimensions="width")
            self.toolbar.tools = [*self.toolbar.tools, box]
        self.toolbar.active_drag = box if boxes else self._pan

    def paint(self, theme: palette.Theme) -> None:
        """Axes, grids and cursor in the theme's colors."""
        self._theme = theme
        ink, faint = palette.INK[theme], faint_ink(theme)
        self.now.line_color = palette.SELECTED[theme]
        for axis in self._axes:
            axis.update(major_label_text_color=ink, axis_line_color=faint, major_tick_line_color=faint)
        for grid in self._grids:
            grid.grid_line_color = faint


def faint_ink(theme: palette.Theme) -> str:
    return palette.mix(palette.INK[theme], palette.BACKGROUND[theme], 0.85)


class PlotFigure:
    """A Bokeh figure whose first tag is the source of its samples: a column of times, and one for each line.

    The browser (``board.js``) turns them into the rows of one glyph, however many, in the style that the cell gives.

    Args:
        number: of its panel, by which the browser finds it.
        on_click: called with the time and the value of a click.
    """

    def __init__(self, shared: SharedModels, number: int, on_click: Callable[[float, float], None]) -> None:
        self._shared = shared
        self.source = self._samples()
        self._letters: Letters | None = None
        self._decades: tuple[FixedTicker, LinearAxis, Grid] | None = None
        drawn = ColumnDataSource({column: [] for column in ROWS.values()}, selection_policy=shared.policy)
        # Lines are never selected or muted, so they need no glyphs for that.
        lines = GlyphRenderer(
            data_source=drawn,
            glyph=MultiLine(**{name: {"field": column} for name, column in ROWS.items()}),
            view=CDSView(filter=shared.indices),
            selection_glyph=None,
            nonselection_glyph=None,
            muted_glyph=None,
        )
        self.plot = figure(
            name=f"plot {number}",
            title=None,
            tags=[self.source],
            sizing_mode="stretch_both",
            x_range=shared.span,
            y_range=Range1d(0.0, 1.0),
            x_axis_type=None,
            y_axis_type=None,
            toolbar_location=None,
            tools="",
            border_fill_color=None,
            min_border_left=LEFT,
            min_border_right=12,
            min_border_top=4,
            min_border_bottom=2,
        )
        self.plot.update(
            x_scale=shared.scale,
            y_scale=shared.scale,
            toolbar=shared.toolbar,
            below=[shared.below],
            left=[shared.left],
            center=[shared.upright, shared.level, shared.now],
            renderers=[lines],
        )
        for click in (Tap, DoubleTap):  # a double tap counts as two clicks, wherever they are
            self.plot.on_event(click, lambda event: on_click(event.x, event.y))

    def _samples(self) -> ColumnDataSource:
        return ColumnDataSource({"time": []}, selection_policy=self._shared.policy)

    def paint(self, theme: palette.Theme) -> None:
        """The background in the theme's colors."""
        self.plot.update(background_fill_color=palette.BACKGROUND[theme], outline_line_color=faint_ink(theme))

    def show(self, times: Array, values: Array) -> None:
        """Replaces all samples."""
        self.source.data = _columns(times, values)

    def stream(self, times: Array, values: Array) -> None:
        """Sends the newest samples."""
        self.source.stream(_columns(times, values), rollover=CAPACITY)

    def show_kept(self, lines: list[PlotLine], runs: Sequence[Samples]) -> None:
        """Replaces the samples of the kept runs, and the letters at the ends of their lines."""
        sources = [self.source, *self.kept]
        while len(sources) <= len(runs):
            sources.append(self._samples())
        for nth, source in enumerate(sources[1:]):
            source.data = _columns(*runs[nth][1:]) if nth < len(runs) else {"time": []}
        if len(sources) > len(self.plot.tags):
            self.plot.tags = sources
        if self._letters is None and any(letter for letter, _, _ in runs):
            self._letters = Letters()
            self.plot.renderers.append(self._letters.renderer)
        if self._letters is not None:
            self._letters.show(runs, lines)

    @property
    def kept(self) -> list[ColumnDataSource]:
        """The samples of kept runs."""
        return list(self.plot.tags[1:])

    def reach(self, wanted: VerticalRange, logarithmic: bool) -> None:
        """Sets the vertical range, and its ticks where the values are exponents of ten."""
        plot, shared = self.plot, self._shared
        axis, grid = shared.left, shared.level
        ranged = (plot.y_range.start, plot.y_range.end) == (wanted.start, wanted.end)
        if logarithmic:
            if self._decades is None:
                ticker = FixedTicker(ticks=[])
                self._decades = ticker, *shared.axis(ticker, 1)
            ticker, axis, grid = self._decades
            if not (ranged and plot.left == [axis]):
                ticks = decades(wanted.start, wanted.end)
                ticker.ticks, axis.major_label_overrides = list(ticks), ticks
        if not ranged:
            plot.y_range.update(start=wanted.start, end=wanted.end)
        if plot.left != [axis]:
            plot.update(left=[axis], center=[shared.upright, grid, shared.now])


def _columns(times: Array, values: Array) -> dict[str, Array]:
    return {"time": times} | {str(k): column for k, column in enumerate(values.T)}
