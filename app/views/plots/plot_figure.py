"""One plot of the dock: samples that the browser draws, axes, and ranges that a single spike does not flatten."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from bokeh import models as bk
from bokeh.events import DoubleTap, Tap
from bokeh.plotting import figure
from numpy.typing import NDArray

from app.motion.run import KEPT
from app.motion.sampler import CAPACITY
from app.number_text import read_number
from app.state import Session
from app.views.plots.lines import Letters, PlotLine, Samples
from app.views.plots.panels import NOTHING
from scenes import palette

Array = NDArray[np.float64]

OUTER = (1.0, 99.0)  # Percentiles between which the usual values lie
FLATTENED = 3.0  # A peak is cut off if it would stretch the axis to more than this many times the usual values' span
HELD, HELD_AT_END = 5, 3
"""Number of successive samples, and of the last known ones, near one value that make it a level instead of a spike."""
STEADY = 0.01  # Largest spread of the samples of a level, relative to its distance from the usual values
ROUNDING = 1e-9  # Usual values that span a smaller share of the largest are flat: then no peak is cut off
MARGIN = 0.08


@dataclass(frozen=True)
class Peak:
    """A value that is cut off."""

    value: float
    time: float


@dataclass(frozen=True)
class VerticalRange:
    """The ends of an axis, and the worst peaks that it cuts off above and below."""

    start: float
    end: float
    above: Peak | None = None
    below: Peak | None = None


def vertical_range(
    times: Array, values: Array, full: bool = False, least: float = 0.0, nothing: float = NOTHING
) -> VerticalRange:
    """The range for lines (samples, lines); ``full`` cuts nothing off; ``least`` is the smallest span.

    Args:
        nothing: if all values are smaller, they are only rounding, and the axis is that of zero.
    """
    there = values[np.isfinite(values)]
    if not there.size:
        return VerticalRange(0.0, 1.0)
    low, high = float(there.min()), float(there.max())
    if max(abs(low), abs(high)) < nothing:
        return VerticalRange(-max(0.5 * least, 1.0), max(0.5 * least, 1.0))
    above = below = None
    if not full:
        usual_low, usual_high = _with_held(values, *np.percentile(there, OUTER))
        span = float(usual_high - usual_low)
        if ROUNDING * max(abs(low), abs(high)) < span < (high - low) / FLATTENED:
            finite = np.where(np.isfinite(values), values, np.nan)
            if high > usual_high + span:
                above, high = _peak(times, values, int(np.nanargmax(finite))), usual_high + span
            if low < usual_low - span:
                below, low = _peak(times, values, int(np.nanargmin(finite))), usual_low - span
    margin = max(MARGIN * (high - low), 0.5 * (least - (high - low)), 1e-3 * max(abs(low), abs(high)))
    return VerticalRange(float(low - margin), float(high + margin), above, below)


def _with_held(values: Array, low: float, high: float) -> tuple[float, float]:
    """Widens the range by levels outside it that a line holds for a while, as after a release."""
    for part, count in ((values, HELD), (values[-HELD_AT_END:], HELD_AT_END)):
        if len(part) < count:
            continue
        rows = np.lib.stride_tricks.sliding_window_view(part, count, axis=0)
        least, most = rows.min(axis=-1), rows.max(axis=-1)  # NaN where any sample is NaN
        off = np.maximum(least - high, low - most)
        held = (off > 0.0) & (most - least <= STEADY * off)
        low, high = float(least.min(initial=low, where=held)), float(most.max(initial=high, where=held))
    return low, high


def _peak(times: Array, values: Array, at: int) -> Peak:
    sample, line = divmod(at, values.shape[1])
    return Peak(float(values[sample, line]), float(times[sample]))


def decades(start: float, end: float, most: int = 5) -> dict[float, str]:
    """Ticks of a logarithmic axis between two exponents of ten, at most ``most``: exponent -> label."""
    for mantissas in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        found = _marks(start, end, mantissas)
        if 2 <= len(found) <= most:
            return found
    if len(found) > most:  # too many even with powers of ten alone: keeps every second, third, ...
        step = -(-len(found) // most)
        return {at: text for at, text in found.items() if round(at) % step == 0}
    inner = np.linspace(start, end, 4)[1:-1]
    return {float(at): _text(10.0**at, ".3g") for at in inner}


def _marks(start: float, end: float, mantissas: tuple[int, ...]) -> dict[float, str]:
    found = {}
    for exponent in range(int(np.floor(start)), int(np.ceil(end)) + 1):
        for mantissa in mantissas:
            at = exponent + float(np.log10(mantissa))
            if start <= at <= end:
                found[at] = _text(mantissa * 10.0**exponent, "g")
    return found


def _text(value: float, format_: str) -> str:
    return f"{value:{format_}}".replace("-", "−")


LEAST = 0.02  # Shortest visible time range in seconds
ROOM = 1.25  # A run without an end gets this many times its length, so that the axis does not move with every sample
FIRST = 10.0  # Initial range in seconds for a run of unknown length


class TimeWindow:
    """A time range that the browser zooms and pans, and that follows the cursor beyond its end during playback."""

    def __init__(self, span: bk.Range1d) -> None:
        self._span = span
        self._begin, self._end = 0.0, float(span.end) if math.isfinite(span.end) else FIRST
        self._last = 0.0
        self._set(self._begin, self._end)

    @property
    def shown(self) -> tuple[float, float]:
        """The visible range in s, as the browser has it."""
        return float(self._span.start), float(self._span.end)

    @property
    def is_whole(self) -> bool:
        start, stop = self.shown
        return start <= self._begin + 1e-9 and stop >= self._end - 1e-9

    @property
    def text(self) -> str:
        """The visible range as a link states it; empty for the whole run."""
        start, stop = self.shown
        return "" if self.is_whole else f"{start:.3f}".rstrip("0").rstrip(".") + f"-{stop:.3f}".rstrip("0").rstrip(".")

    def show(self, text: str) -> None:
        """Shows the range given by a link, as far as the run extends; the whole run if the text is invalid."""
        start, stop = (read_number(part) for part in (*text.split("-"), "")[:2])
        if start is None or stop is None or not start < stop:
            start, stop = self._begin, self._end
        self._set(max(start, self._begin), min(stop, self._end))

    def follow(self, session: Session) -> None:
        """Keeps the whole run visible if it was, and during playback the cursor if it was."""
        run, time = session.run, session.time
        begin, end = 0.0, run.duration
        if run.endless:
            end = max(KEPT, math.ceil(run.end))
            begin = end - KEPT
        elif not math.isfinite(end):
            end = self._end if run.end <= self._end else ROOM * run.end
        else:
            begin = run.begin
        start, stop = self.shown
        if (begin, end) != (self._begin, self._end):
            was_whole, self._begin, self._end = self.is_whole, begin, end
            self._set(begin if was_whole else min(start, end - LEAST), end if was_whole else min(stop, end))
        elif session.playing and start <= self._last <= stop and not start <= time <= stop:
            width = stop - start
            begin = min(max(time - 0.05 * width, self._begin), max(self._end - width, self._begin))
            self._set(begin, begin + width)
        self._last = time

    def move(self, what: str, by: object, time: float) -> None:
        """``zoom`` by a factor about the cursor if it is in sight, ``pan`` by a share of the width, or ``whole``."""
        start, stop = self.shown
        width = stop - start
        if what == "whole" or not isinstance(by, int | float):
            self._set(self._begin, self._end)
        elif what == "pan":
            self._set(start + by * width, stop + by * width)
        else:
            center = time if start <= time <= stop else 0.5 * (start + stop)
            share = (center - start) / width
            width = min(max(width * by, LEAST), self._end - self._begin)
            self._set(center - share * width, center + (1.0 - share) * width)

    def _set(self, start: float, stop: float) -> None:
        width = min(max(stop - start, LEAST), self._end - self._begin)
        start = min(max(start, self._begin), self._end - width)
        # The bounds first: a browser clips each end to the bounds that it knows.
        self._span.update(bounds=(self._begin, self._end), min_interval=LEAST, start=start, end=start + width)


LEFT = 52  # Pixels for the labels of the vertical axis: the same in every panel, so that the time axes align
ROWS = {"xs": "xs", "ys": "ys", "line_color": "color", "line_dash": "dash", "line_width": "width"}
"""The line glyph's properties, each with its column in the source."""


class SharedModels:
    """Models shared by all figures of a document: the time axis, the cursor, grids and tools.

    Every message of the page refers to every model in it, so figures create few and share what they can.

    Args:
        span: the displayed time range.
    """

    def __init__(self, span: bk.Range1d) -> None:
        self.span, self.scale = span, bk.LinearScale()
        self.indices, self.policy = bk.AllIndices(), bk.UnionRenderers()
        self.now = bk.Span(name="cursor", location=0.0, dimension="height", level="overlay")
        self._labels, self._numbers = bk.AllLabels(), bk.PrintfTickFormatter(format="%.6g")
        self._ticker = bk.BasicTicker(desired_num_ticks=4)
        self._axes: list[bk.LinearAxis] = []
        self._grids: list[bk.Grid] = []
        self._theme: palette.Theme = "light"
        self.below, self.upright = self.axis(self._ticker, 0)
        self.left, self.level = self.axis(self._ticker, 1)
        wheel, self._pan = bk.WheelZoomTool(dimensions="width"), bk.PanTool(dimensions="width")
        self.toolbar = bk.Toolbar(tools=[wheel, self._pan], active_scroll=wheel, active_drag=self._pan)

    def axis(self, ticker: bk.Ticker, dimension: int) -> tuple[bk.LinearAxis, bk.Grid]:
        """An axis with the common look, and its grid."""
        axis = bk.LinearAxis(
            ticker=ticker, formatter=self._numbers, major_label_policy=self._labels, minor_tick_line_color=None
        )
        self._axes.append(axis)
        self._grids.append(bk.Grid(ticker=ticker, dimension=dimension))
        self.paint(self._theme)
        return axis, self._grids[-1]

    def drag(self, boxes: bool) -> None:
        box = next((tool for tool in self.toolbar.tools if isinstance(tool, bk.BoxZoomTool)), None)
        if boxes and box is None:
            box = bk.BoxZoomTool(dimensions="width")
            self.toolbar.tools = [*self.toolbar.tools, box]
        self.toolbar.active_drag = box if boxes else self._pan

    def paint(self, theme: palette.Theme) -> None:
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
        self._decades: tuple[bk.FixedTicker, bk.LinearAxis, bk.Grid] | None = None
        drawn = bk.ColumnDataSource({column: [] for column in ROWS.values()}, selection_policy=shared.policy)
        # Lines are never selected or muted, so they need no glyphs for that.
        lines = bk.GlyphRenderer(
            data_source=drawn,
            glyph=bk.MultiLine(**{name: {"field": column} for name, column in ROWS.items()}),
            view=bk.CDSView(filter=shared.indices),
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
            y_range=bk.Range1d(0.0, 1.0),
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

    def _samples(self) -> bk.ColumnDataSource:
        return bk.ColumnDataSource({"time": []}, selection_policy=self._shared.policy)

    def paint(self, theme: palette.Theme) -> None:
        self.plot.update(background_fill_color=palette.BACKGROUND[theme], outline_line_color=faint_ink(theme))

    def show(self, times: Array, values: Array) -> None:
        self.source.data = _columns(times, values)

    def stream(self, times: Array, values: Array) -> None:
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
    def kept(self) -> list[bk.ColumnDataSource]:
        return list(self.plot.tags[1:])

    def reach(self, wanted: VerticalRange, logarithmic: bool) -> None:
        """Sets the vertical range, and its ticks where the values are exponents of ten."""
        plot, shared = self.plot, self._shared
        axis, grid = shared.left, shared.level
        ranged = (plot.y_range.start, plot.y_range.end) == (wanted.start, wanted.end)
        if logarithmic:
            if self._decades is None:
                ticker = bk.FixedTicker(ticks=[])
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
