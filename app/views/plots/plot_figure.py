"""One plot of the dock: its lines, the kept runs' lines behind them, and the line at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from bokeh.events import DoubleTap, Tap
from bokeh.models import (
    AllLabels,
    BasicTicker,
    BoxZoomTool,
    CDSView,
    ColumnDataSource,
    FixedTicker,
    GlyphRenderer,
    Line,
    LinearAxis,
    LinearScale,
    PanTool,
    PrintfTickFormatter,
    Range1d,
    Span,
    WheelZoomTool,
)
from bokeh.plotting import figure
from numpy.typing import NDArray

from app.sampling.curves import CAPACITY
from app.views.plots.kept_lines import NOTHING, KeptLines, Letters, Samples, faint
from app.views.plots.lines import PlotLine
from app.views.plots.vertical_range import VerticalRange, decades
from scenes import palette

Array = NDArray[np.float64]
LEFT = 52
"""Pixels for the numbers of the vertical axis: the same in every panel, so that times stand under each other."""
FONT = 11.0
"""Pixels of the numbers and letters, of a page whose type has the usual size."""
CURSOR_WIDTH = 1.5
PATTERNS = {"solid": "", "dashed": "6", "dotted": "2 4", "dotdash": "2 4 6 4"}
"""Pixels that are drawn and left out, of the dashes that have names in Bokeh."""


class PlotFigure:
    """A Bokeh figure with as many line renderers as it has needed so far, each a column of one source.

    Every message of the page refers to every model in it, so a figure makes few and shares what it can.

    Args:
        span: the time axis, shared by all figures.
        name: of the samples, by which the browser finds them.
        on_click: told the time and the value of a click.
    """

    def __init__(self, span: Range1d, name: str, on_click: Callable[[float, float], None]) -> None:
        self.source = ColumnDataSource({"time": []}, name=name)
        self._renderers: list[GlyphRenderer] = []
        self._kept: list[KeptLines] = []
        self._letters: Letters | None = None
        self._scale = 1.0
        self._looks: dict[int, tuple[list[GlyphRenderer], list[PlotLine]]] = {}
        self._wheel = WheelZoomTool(dimensions="width")
        self._pan = PanTool(dimensions="width")
        self._box: BoxZoomTool | None = None
        self.now = Span(name="cursor", location=0.0, dimension="height", line_width=CURSOR_WIDTH, level="overlay")
        # One for each source: the page keeps in a view which rows of the source there are.
        self._whole = {self.source.id: CDSView()}
        scale, labels, numbers = LinearScale(), AllLabels(), PrintfTickFormatter(format="%.6g")
        self.plot = figure(
            title=None,
            sizing_mode="stretch_both",
            x_range=span,
            y_range=Range1d(0.0, 1.0),
            toolbar_location=None,
            tools=[self._wheel, self._pan],
            active_scroll=self._wheel,
            active_drag=self._pan,
            min_border_left=LEFT,
            min_border_right=12,
            min_border_top=4,
            min_border_bottom=2,
        )
        self.plot.add_layout(self.now)
        self.plot.update(x_scale=scale, y_scale=scale)
        self._linear = self.plot.yaxis[0]
        self._linear.ticker = BasicTicker(desired_num_ticks=4)
        self._decades = LinearAxis(ticker=FixedTicker(ticks=[]), visible=False)
        self.plot.add_layout(self._decades, "left")
        self.plot.xaxis.ticker.desired_num_ticks = 4
        for axis in (*self.plot.xaxis, *self.plot.yaxis):
            axis.major_label_text_font_size = f"{FONT:g}px"
            axis.update(minor_tick_line_color=None, major_label_policy=labels, formatter=numbers)
        for click in (Tap, DoubleTap):  # two quick clicks are two clicks, wherever they were
            self.plot.on_event(click, lambda event: on_click(event.x, event.y))

    def drag(self, boxes: bool) -> None:
        """What dragging does: zoom into a box, or pan."""
        if boxes and self._box is None:
            self._box = BoxZoomTool(dimensions="width")
            self.plot.add_tools(self._box)
        self.plot.toolbar.active_drag = self._box if boxes else self._pan

    def paint(self, theme: palette.Theme) -> None:
        """Axes and background in the theme's colors."""
        ink, ground = palette.INK[theme], palette.BACKGROUND[theme]
        faint = palette.mix(ink, ground, 0.85)
        self.now.line_color = palette.SELECTED[theme]
        self.plot.update(background_fill_color=ground, border_fill_color=None, outline_line_color=faint)
        for axis in (*self.plot.xaxis, *self.plot.yaxis):
            axis.update(major_label_text_color=ink, axis_line_color=faint, major_tick_line_color=faint)
        for grid in self.plot.grid:
            grid.grid_line_color = faint

    def grow(self, scale: float) -> None:
        """Lines as many times as thick as on a page whose type has the usual size; the browser grows the numbers."""
        self._scale = scale
        self.now.line_width = CURSOR_WIDTH * scale
        if self._letters is not None:
            self._letters.grow(FONT * scale)
        for renderers, lines in list(self._looks.values()):
            self._style(renderers, lines)

    def show(self, lines: list[PlotLine], times: Array, values: Array) -> None:
        """Replaces all lines."""
        self._show(self.source, self._renderers, lines, times, values)

    def show_kept(self, lines: list[PlotLine], runs: Sequence[Samples], ground: str) -> None:
        """Replaces the lines of the kept runs, and the letters at their ends.

        Args:
            ground: the color behind them.
        """
        while len(self._kept) < len(runs):
            self._kept.append(KeptLines(ColumnDataSource({"time": []}), []))
            self._whole[self._kept[-1].source.id] = CDSView()
        for nth, kept in enumerate(self._kept):
            shown = faint(lines, runs[nth][0], ground) if nth < len(runs) else []
            _, times, values = runs[nth] if nth < len(runs) else NOTHING
            self._show(kept.source, kept.renderers, shown, times, values)
        if self._letters is None and any(letter for letter, _, _ in runs):
            self._letters = Letters(FONT * self._scale)
            self.plot.renderers.append(self._letters.renderer)
        if self._letters is not None:
            self._letters.show(runs, lines)

    def _show(
        self,
        source: ColumnDataSource,
        renderers: list[GlyphRenderer],
        lines: list[PlotLine],
        times: Array,
        values: Array,
    ) -> None:
        source.data = _columns(times, values, max(len(lines), len(renderers)))
        while len(renderers) < len(lines):
            renderers.append(self._add(source, str(len(renderers))))
        self._style(renderers, lines)

    def _add(self, source: ColumnDataSource, column: str) -> GlyphRenderer:
        line = Line(x="time", y=column)
        # Nothing in a line is ever selected or muted: without glyphs of their own for that.
        renderer = GlyphRenderer(
            data_source=source,
            glyph=line,
            view=self._whole[source.id],
            selection_glyph=None,
            nonselection_glyph=None,
            muted_glyph=None,
        )
        self.plot.renderers.append(renderer)
        return renderer

    def style(self, lines: list[PlotLine]) -> None:
        """Another look of the same lines."""
        self._style(self._renderers, lines)

    def _style(self, renderers: list[GlyphRenderer], lines: list[PlotLine]) -> None:
        self._looks[id(renderers)] = renderers, lines
        for k, renderer in enumerate(renderers):
            shown = k < len(lines)
            if renderer.visible != shown:
                renderer.visible = shown
            if not shown:
                continue
            line = lines[k]
            width, dash = line.width * self._scale, dashes(line.dash, self._scale)
            wanted = {"y": str(k), "line_color": line.color, "line_width": width, "line_dash": dash}
            renderer.glyph.update(**{name: value for name, value in wanted.items() if _differs(renderer, name, value)})

    def stream(self, times: Array, values: Array) -> None:
        """Sends the newest samples."""
        self.source.stream(_columns(times, values, len(self._renderers)), rollover=CAPACITY)

    def reach(self, wanted: VerticalRange, logarithmic: bool) -> None:
        """Sets the vertical range, and its ticks where the values are exponents of ten."""
        at = self.plot.y_range
        if (at.start, at.end) != (wanted.start, wanted.end):
            at.update(start=wanted.start, end=wanted.end)
            if logarithmic:
                ticks = decades(wanted.start, wanted.end)
                self._decades.ticker.ticks = list(ticks)
                self._decades.major_label_overrides = ticks
        if self._decades.visible != logarithmic:
            self._decades.visible, self._linear.visible = logarithmic, not logarithmic
            self.plot.ygrid[0].ticker = (self._decades if logarithmic else self._linear).ticker


def _columns(times: Array, values: Array, count: int) -> dict[str, Array]:
    """The data of ``count`` lines; the browser looks for those of lines that are out of sight, too, which have none."""
    none = np.full(len(times), np.nan)
    shown = values.shape[1]
    return {"time": times} | {str(k): values[:, k] if k < shown else none for k in range(count)}


def dashes(name: str, scale: float) -> list[int]:
    """The pixels of a dash, in turn drawn and left out."""
    return [round(scale * int(part)) for part in PATTERNS.get(name, name).split()]


def _differs(renderer: GlyphRenderer, name: str, value: object) -> bool:
    return bool(getattr(renderer.glyph, name) != value)
