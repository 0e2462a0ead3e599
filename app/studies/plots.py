"""A study as five small plots: rows by cells, how either axis is spread, how that settles, and where the ends lie."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import panel as pn
from bokeh.events import Tap
from bokeh.models import (
    BasicTicker,
    ColumnDataSource,
    FixedTicker,
    GlyphRenderer,
    LinearColorMapper,
    Quad,
    Range1d,
    Span,
)
from bokeh.plotting import figure
from numpy.typing import NDArray

from app.instruments.legend import LOOK, legend_html, line
from app.instruments.small_plot import small_plot
from app.number_text import number_text
from app.studies.cells import COLUMNS, LEVELS, Picture, along
from app.studies.look import Look
from app.studies.words import variable_words
from app.views.figure_pane import figure_pane
from scenes import palette

HEIGHT, LOW, ACROSS = 260, 150, 230
MOST_ACROSS = 24
"""Things that vary, side by side; those that decide most."""
COLOR = "predicted"
SHADES = 64
FAINTEST = 0.12
"""Of the color, where a cell has one row."""
MOST = 1e300
"""A place on an axis is none beyond it."""
MOST_TICKS = 6
REACH = 3.5
"""Cells within which a click finds a state: a finger is wider than one."""


class StudyPlots:
    """``on_row`` hears of the row that is clicked."""

    def __init__(self, on_row: Callable[[int], None]) -> None:
        self._on_row = on_row
        self._look: Look | None = None
        self._shown: tuple[Look | None, str] = (None, "")
        self._picture: Picture | None = None
        self._cells = ColumnDataSource({"image": [], "x": [], "y": [], "dw": [], "dh": []})
        self._shades = LinearColorMapper(palette=["#000000"], low=0.0, high=1.0, nan_color="rgba(0,0,0,0)")
        self._rows = small_plot("study rows", "", HEIGHT, x_range=Range1d(0.0, 1.0), y_range=Range1d(0.0, 1.0))
        self._rows.image("image", x="x", y="y", dw="dw", dh="dh", source=self._cells, color_mapper=self._shades)
        self._here = ColumnDataSource({"x": [], "y": []})
        self._ring = self._rows.scatter("x", "y", source=self._here, size=12, line_width=2.0, fill_alpha=0.0)
        self._rows.on_event(Tap, lambda event: self._tapped(event.x, event.y))
        self._spread, self._bar = _spread_plot("study spread")
        self._drawn, self._drawn_bar = _spread_plot("study drawn")
        self._quantiles = [
            Span(location=math.nan, dimension="height", line_width=2.0, line_dash=dash)
            for dash in ("dashed", "solid", "dashed")
        ]
        for span in self._quantiles:
            self._spread.add_layout(span)
        self._steps = small_plot("study steps", "", LOW, x_range=Range1d(0.0, 1.0), y_range=Range1d(0.0, 1.0))
        self._settling = ColumnDataSource({"rows": [], "low": [], "middle": [], "high": []})
        self._lines = [
            self._steps.line("rows", name, source=self._settling, line_width=2.0, line_dash=dash)
            for name, dash in (("low", "dashed"), ("middle", "solid"), ("high", "dashed"))
        ]
        self._dots = self._steps.scatter("rows", "middle", source=self._settling, size=5)
        self._across = small_plot("study across", "", ACROSS, x_range=Range1d(0.0, 1.0), y_range=Range1d(-0.05, 1.05))
        self._across.xaxis.major_label_orientation = 0.9
        self._across.yaxis.update(
            ticker=FixedTicker(ticks=[0.0, 1.0]), major_label_overrides={0.0: "least", 1.0: "most"}
        )
        self._ends = {
            dash: self._across.multi_line("xs", "ys", source=ColumnDataSource({"xs": [], "ys": []}), line_dash=dash)
            for dash in ("solid", "dashed")
        }
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12))
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        own, ink = palette.quantity(COLOR, theme), palette.INK[theme]
        ground = palette.BACKGROUND[theme]
        shares = np.linspace(1.0 - FAINTEST, 0.0, SHADES)
        self._shades.palette = [palette.mix(own, ground, float(share)) for share in shares]
        for bar in (self._bar, self._drawn_bar):
            bar.glyph.update(fill_color=palette.mix(own, ground, 0.4), line_color=own)
        for mark in (*self._quantiles, *(each.glyph for each in self._lines)):
            mark.line_color = ink
        self._dots.glyph.update(line_color=ink, fill_color=ink)
        for each in self._ends.values():
            each.glyph.line_color = own
        self._ring.glyph.line_color = palette.SELECTED[theme]
        keys = [(line(ink, "solid"), "median"), (line(ink, "dashed"), "5 % and 95 %")]
        keys += [(line(own, "solid"), "largest"), (line(own, "dashed"), "smallest")]
        self._legend.object = legend_html(keys)

    def _tapped(self, x: float | None, y: float | None) -> None:
        """A browser may say anything."""
        picture, look = self._picture, self._look
        if (
            picture is None
            or look is None
            or not all(isinstance(at, int | float) and -MOST < at < MOST for at in (x, y))
        ):
            return
        at = np.array([along(np.array(y, float), look.ends), along(np.array(x, float), picture.ends)])
        place = at * (LEVELS, COLUMNS) - 0.5
        filled = np.argwhere(picture.rows >= 0)
        away = np.abs(filled - place).max(axis=1)
        nearest = int(away.argmin())
        if away[nearest] <= REACH:
            self._on_row(int(picture.rows[tuple(filled[nearest])]))

    def ring(self, x: float | None, y: float | None) -> None:
        """Marks a state; None for none."""
        picture, look = self._picture, self._look
        data: dict[str, list[float]] = {"x": [], "y": []}
        if picture is not None and look is not None and x is not None and y is not None:
            data = {"x": [_place(x, picture.is_log)], "y": [_place(y, look.is_log)]}
        if self._here.data != data:
            self._here.data = data

    def show(self, look: Look | None, against: str, what: str, found: str) -> None:
        """Another look; none hides the plots.

        Args:
            against: what varies and is shown across, of ``look.pictures``.
            what, found: that, and what is watched, in words.
        """
        if self._shown == (look, against):  # progress is told ten times as often as there is another look
            return
        self._shown = look, against
        self._look, self._picture = look, None if look is None else look.pictures[against]
        self.view.visible = look is not None
        if look is None or self._picture is None:
            return
        what, found = plain(what), plain(found)
        self._show_rows(look, self._picture, what, found)
        self._show_spread(look, found)
        self._show_drawn(look, self._picture, what)
        self._show_steps(look)
        self._show_ends(look, found)
        if not self.view.objects:
            panes = [figure_pane(plot) for plot in (self._rows, self._drawn, self._spread, self._steps, self._across)]
            self.view[:] = [*panes, self._legend]

    def _show_rows(self, look: Look, picture: Picture, what: str, found: str) -> None:
        (left, right), (low, high) = picture.ends, look.ends
        most = int(picture.counts.max())
        with np.errstate(divide="ignore"):
            depth = np.log(picture.counts) / max(math.log(most), 1.0) if most > 1 else np.ones(picture.counts.shape)
        depth = np.where(picture.counts > 0, depth, np.nan)
        self._cells.data = {"image": [depth], "x": [left], "y": [low], "dw": [right - left], "dh": [high - low]}
        self._rows.title.text = f"{found}, against {what}"
        for axis, span, ends, is_log, words in (
            (self._rows.xaxis, self._rows.x_range, picture.ends, picture.is_log, picture.words),
            (self._rows.yaxis, self._rows.y_range, look.ends, look.is_log, ()),
        ):
            span.update(start=ends[0], end=ends[1])
            if words:
                _name(axis[0], words)
            else:
                _tick(axis, ends, is_log)

    def _show_spread(self, look: Look, found: str) -> None:
        assert self._picture is not None
        self._spread.title.text = f"How many {look.rows_are} have which: {found}"
        _show_counts(self._spread, self._bar, self._picture.counts.sum(axis=1), look.ends)
        _tick(self._spread.xaxis, look.ends, look.is_log)
        for span, value in zip(self._quantiles, look.steps[-1][2:], strict=True):
            span.location = _place(value, look.is_log)

    def _show_drawn(self, look: Look, picture: Picture, what: str) -> None:
        """Of those that have a number: where many are refused, it shows."""
        self._drawn.title.text = f"How many {look.rows_are} have which: {what}"
        _show_counts(self._drawn, self._drawn_bar, picture.counts.sum(axis=0), picture.ends)
        if picture.words:
            _name(self._drawn.xaxis[0], picture.words)
        else:
            _tick(self._drawn.xaxis, picture.ends, picture.is_log)

    def _show_steps(self, look: Look) -> None:
        rows = [math.log10(step[0]) for step in look.steps]
        columns = [[_place(step[k], look.is_log) for step in look.steps] for k in (2, 3, 4)]
        self._settling.data = dict(zip(("rows", "low", "middle", "high"), (rows, *columns), strict=True))
        low, high = min(map(min, columns)), max(map(max, columns))
        room = 0.08 * (high - low) or 0.01 * max(abs(high), 1e-12)
        ends = low - room, high + room
        self._steps.title.text = f"How that settles: quantiles, after so many {look.rows_are}"
        span = rows[0] - 0.1, max(rows[-1], rows[0] + 0.3) + 0.1
        self._steps.x_range.update(start=span[0], end=span[1])
        _tick(self._steps.xaxis, span, True, _count_text)
        self._steps.y_range.update(start=ends[0], end=ends[1])
        _tick(self._steps.yaxis, ends, look.is_log)

    def _show_ends(self, look: Look, found: str) -> None:
        """A line for each row that is kept at either end, across all that varies, that which decides most first."""
        names = list(look.pictures)[:MOST_ACROSS]
        for dash, rows in (("solid", look.largest), ("dashed", look.smallest)):
            self._ends[dash].data_source.data = {
                "xs": [list(range(len(names)))] * len(rows), "ys": rows[:, : len(names)].tolist()
            }  # fmt: skip
        self._across.title.text = f"Where {found} is largest and smallest"
        self._across.x_range.update(start=-0.3, end=max(len(names) - 1, 1) + 0.3)
        axis = self._across.xaxis[0]
        alike = len({name.partition(":")[0] for name in names}) == 1  # then each is told by its joint or link
        words = [(alike and name.partition(":")[2]) or variable_words(name) for name in names]
        _name(axis, [plain(each) for each in words])


def _spread_plot(name: str) -> tuple[figure, GlyphRenderer[Quad]]:
    """A plot of bars, and these."""
    plot = small_plot(name, "", LOW, x_range=Range1d(0.0, 1.0), y_range=Range1d(0.0, 1.0))
    bars = ColumnDataSource({"left": [], "right": [], "top": []})
    return plot, plot.quad("left", "right", "top", bottom=0.0, source=bars, line_width=0.5)


def _show_counts(
    plot: figure, bar: GlyphRenderer[Quad], counts: NDArray[np.integer], ends: tuple[float, float]
) -> None:
    edges = np.linspace(*ends, len(counts) + 1)
    bar.data_source.data = {"left": edges[:-1], "right": edges[1:], "top": counts.astype(float)}
    plot.x_range.update(start=ends[0], end=ends[1])
    plot.y_range.update(start=0.0, end=1.05 * float(counts.max()))
    _tick(plot.yaxis, (0.0, float(counts.max())), False)


def _name(axis: Any, words: Sequence[str]) -> None:
    """Words at an axis, one at each whole number."""
    _label(axis, {float(at): each for at, each in enumerate(words)})


def _label(axis: Any, labels: Mapping[float, str]) -> None:
    """Words at places of an axis, whose ticker stays: another one makes Bokeh look through all of the document."""
    if isinstance(axis.ticker, FixedTicker):
        axis.ticker.ticks = list(labels)
    else:
        axis.ticker = FixedTicker(ticks=list(labels))
    axis.major_label_overrides = dict(labels)


def _place(value: float, is_log: bool) -> float:
    if not is_log:
        return value
    return math.log10(value) if value > 0.0 else math.nan


def _count_text(count: float) -> str:
    return f"{count:,.0f}"


def _tick(axes: Any, ends: tuple[float, float], is_log: bool, written: Callable[[float], str] = number_text) -> None:
    """Numbers at an axis; of a logarithmic one, whose places are exponents, the numbers themselves."""
    axis = axes[0]
    if not is_log:
        if not isinstance(axis.ticker, BasicTicker):
            axis.update(ticker=BasicTicker(), major_label_overrides={})
        axis.ticker.desired_num_ticks = MOST_TICKS - 2
        return
    decades = range(math.floor(ends[0]), math.ceil(ends[1]) + 1)
    every = max(len(decades) // MOST_TICKS, 1)
    steps = (1.0, 2.0, 5.0) if ends[1] - ends[0] < 2.0 else (1.0,)
    ticks = [decade + math.log10(step) for decade in decades if decade % every == 0 for step in steps]
    _label(axis, {tick: written(10.0**tick) for tick in ticks})


def plain(words: str) -> str:
    """Names of somebody's own file in a title, where what stands between signs of TeX would be set as a formula."""
    return re.sub(r"\$\$|\\[(\[]", lambda signs: "\u200b".join(signs.group()), words)
