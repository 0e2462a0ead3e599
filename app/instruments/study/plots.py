"""Small plots of a study: rows counted in cells, the distribution of the result, its convergence, and its extremes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import panel as pn
from bokeh.events import Tap
from bokeh.models import BasicTicker, ColumnDataSource, FixedTicker, LinearColorMapper, Range1d, Span

from app.instruments.small_plot import LOOK, legend_html, line, small_plot
from app.instruments.study.summary import COLUMNS, LEVELS, Axis, Picture, StudySummary, variable_words
from app.number_text import number_text
from app.views.components import figure_pane
from scenes import palette

HEIGHT, LOW, ACROSS = 260, 150, 230
MOST_ACROSS = 24  # most variables side by side, the most influential ones
COLOR, SHADES, FAINTEST = "predicted", 64, 0.12
"""The color, its number of shades, and the opacity of a cell with one row."""
MOST = 1e300  # larger numbers get no place on an axis
MOST_TICKS = 6
REACH = 3.5  # cells within which a click selects a state, as a finger is wide
DASHES = ("dashed", "solid", "dashed")


class StudyPlots:
    """``on_row`` receives the row that is clicked."""

    def __init__(self, on_row: Callable[[int], None]) -> None:
        self._on_row = on_row
        self._look: StudySummary | None = None
        self._picture: Picture | None = None
        self._shown: tuple[StudySummary | None, str] = (None, "")
        self._cells = ColumnDataSource({"image": [], "x": [], "y": [], "dw": [], "dh": []})
        self._shades = LinearColorMapper(palette=["#000000"], low=0.0, high=1.0, nan_color="rgba(0,0,0,0)")
        self._rows, self._spread, self._steps, self._across = (
            small_plot(name, height, min_border_right=14, x_range=Range1d(0.0, 1.0), y_range=Range1d(0.0, 1.0))
            for name, height in (
                ("study rows", HEIGHT), ("study spread", LOW), ("study steps", LOW), ("study across", ACROSS)
            )
        )  # fmt: skip
        self._rows.image("image", x="x", y="y", dw="dw", dh="dh", source=self._cells, color_mapper=self._shades)
        self._here = ColumnDataSource({"x": [], "y": []})
        self._ring = self._rows.scatter("x", "y", source=self._here, size=12, line_width=2.0, fill_alpha=0.0)
        self._rows.on_event(Tap, lambda event: self._tapped(event.x, event.y))
        self._counts = ColumnDataSource({"left": [], "right": [], "top": []})
        self._bar = self._spread.quad("left", "right", "top", bottom=0.0, source=self._counts, line_width=0.5)
        self._quantiles = [
            Span(location=math.nan, dimension="height", line_width=2.0, line_dash=dash) for dash in DASHES
        ]
        for span in self._quantiles:
            self._spread.add_layout(span)
        self._settling = ColumnDataSource({"rows": [], "low": [], "middle": [], "high": []})
        self._lines = [
            self._steps.line("rows", name, source=self._settling, line_width=2.0, line_dash=dash)
            for name, dash in zip(("low", "middle", "high"), DASHES, strict=True)
        ]
        self._dots = self._steps.scatter("rows", "middle", source=self._settling, size=5)
        self._across.y_range.update(start=-0.05, end=1.05)
        self._across.xaxis.major_label_orientation = 0.9
        _label(self._across.yaxis[0], {0.0: "least", 1.0: "most"})
        self._ends = {
            dash: self._across.multi_line("xs", "ys", source=ColumnDataSource({"xs": [], "ys": []}), line_dash=dash)
            for dash in ("solid", "dashed")
        }
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12))
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        own, ink, ground = palette.quantity(COLOR, theme), palette.INK[theme], palette.BACKGROUND[theme]
        shares = np.linspace(1.0 - FAINTEST, 0.0, SHADES)
        self._shades.palette = [palette.mix(own, ground, float(share)) for share in shares]
        self._bar.glyph.update(fill_color=palette.mix(own, ground, 0.4), line_color=own)
        for mark in (*self._quantiles, *(each.glyph for each in self._lines)):
            mark.line_color = ink
        self._dots.glyph.update(line_color=ink, fill_color=ink)
        for each in self._ends.values():
            each.glyph.line_color = own
        self._ring.glyph.line_color = palette.SELECTED[theme]
        keys = [(line(ink, "solid"), "median"), (line(ink, "dashed"), "5 % and 95 %")]
        keys += [(line(own, "solid"), "largest"), (line(own, "dashed"), "smallest")]
        self._legend.object = legend_html(keys)

    def _tapped(self, x: Any, y: Any) -> None:
        """Handles a click; a browser may send anything."""
        picture, look = self._picture, self._look
        sound = all(isinstance(at, int | float) and -MOST < at < MOST for at in (x, y))
        if picture is None or look is None or not sound:
            return
        shares = [(at - axis.low) / (axis.high - axis.low) for at, axis in ((y, look.axis), (x, picture.axis))]
        filled = np.argwhere(picture.rows >= 0)
        away = np.abs(filled - (np.array(shares) * (LEVELS, COLUMNS) - 0.5)).max(axis=1)
        nearest = int(away.argmin())
        if away[nearest] <= REACH:
            self._on_row(int(picture.rows[tuple(filled[nearest])]))

    def ring(self, x: float | None, y: float | None) -> None:
        """Marks a state; None removes the mark."""
        picture, look = self._picture, self._look
        data: dict[str, list[float]] = {"x": [], "y": []}
        if picture is not None and look is not None and x is not None and y is not None:
            data = {"x": [picture.axis.place(x)], "y": [look.axis.place(y)]}
        if self._here.data != data:
            self._here.data = data

    def show(self, look: StudySummary | None, against: str, what: str, found: str, rows: str = "states") -> None:
        """Shows another look, or hides the plots; ``against`` is the variable across, the rest are words."""
        if self._shown == (look, against):  # progress is reported ten times as often as a new look
            return
        self._shown = look, against
        self._look, self._picture = look, None if look is None else look.pictures[against]
        self.view.visible = look is not None
        if look is None or self._picture is None:
            return
        what, found = plain(what), plain(found)
        self._rows.title.text = f"{found}, against {what}"
        self._spread.title.text = f"How many {rows} have which value: {found}"
        self._steps.title.text = f"How that settles: quantiles, after a number of {rows}"
        self._across.title.text = f"Where {found} is largest and smallest"
        self._show_rows(look, self._picture)
        self._show_steps(look)
        self._show_ends(look)
        if not self.view.objects:
            plots = (self._rows, self._spread, self._steps, self._across)
            self.view[:] = [*map(figure_pane, plots), self._legend]

    def _show_rows(self, look: StudySummary, picture: Picture) -> None:
        across, up, counts = picture.axis, look.axis, picture.counts
        with np.errstate(divide="ignore"):
            depth = np.log(counts) / max(math.log(counts.max()), 1.0)
        depth = np.where(counts > 0, depth, np.nan)
        self._cells.data = {
            "image": [depth], "x": [across.low], "y": [up.low], "dw": [across.high - across.low],
            "dh": [up.high - up.low],
        }  # fmt: skip
        _lay_out(self._rows.x_range, self._rows.xaxis[0], across)
        _lay_out(self._rows.y_range, self._rows.yaxis[0], up)
        edges, tops = np.linspace(up.low, up.high, LEVELS + 1), counts.sum(axis=1).astype(float)
        self._counts.data = {"left": edges[:-1], "right": edges[1:], "top": tops}
        _lay_out(self._spread.x_range, self._spread.xaxis[0], up)
        _lay_out(self._spread.y_range, self._spread.yaxis[0], Axis(0.0, 1.05 * float(tops.max()), False))
        for span, value in zip(self._quantiles, look.steps[-1][2:], strict=True):
            span.location = up.place(value)

    def _show_steps(self, look: StudySummary) -> None:
        rows = [math.log10(step[0]) for step in look.steps]
        columns = [[look.axis.place(step[k]) for step in look.steps] for k in (2, 3, 4)]
        self._settling.data = dict(zip(("rows", "low", "middle", "high"), (rows, *columns), strict=True))
        low, high = min(map(min, columns)), max(map(max, columns))
        room = 0.08 * (high - low) or 0.01 * max(abs(high), 1e-12)
        span = Axis(rows[0] - 0.1, max(rows[-1], rows[0] + 0.3) + 0.1, True)
        _lay_out(self._steps.x_range, self._steps.xaxis[0], span, lambda count: f"{count:,.0f}")
        _lay_out(self._steps.y_range, self._steps.yaxis[0], Axis(low - room, high + room, look.axis.is_log))

    def _show_ends(self, look: StudySummary) -> None:
        """A line for each kept row at either end, across all variables, the most influential first."""
        shown = dict(list(look.pictures.items())[:MOST_ACROSS])
        for dash, ends in (
            ("solid", [one.largest for one in shown.values()]), ("dashed", [one.smallest for one in shown.values()])
        ):  # fmt: skip
            ys = np.stack(ends, axis=1).tolist()
            self._ends[dash].data_source.data = {"xs": [list(range(len(shown)))] * len(ys), "ys": ys}
        self._across.x_range.update(start=-0.3, end=max(len(shown) - 1, 1) + 0.3)
        alike = len({name.partition(":")[0] for name in shown}) == 1  # then joint or link names suffice
        words = [(alike and name.partition(":")[2]) or variable_words(name) for name in shown]
        _label(self._across.xaxis[0], {float(at): plain(each) for at, each in enumerate(words)})


def _lay_out(span: Any, axis: Any, own: Axis, written: Callable[[float], str] = number_text) -> None:
    """Sets the ticks of an axis; a logarithmic one, with exponents as coordinates, shows the numbers; or words."""
    span.update(start=own.low, end=own.high)
    if own.words:
        _label(axis, {float(at): each for at, each in enumerate(own.words)})
    elif own.is_log:
        decades = range(math.floor(own.low), math.ceil(own.high) + 1)
        every = max(len(decades) // MOST_TICKS, 1)
        steps: Sequence[float] = (1.0, 2.0, 5.0) if own.high - own.low < 2.0 else (1.0,)
        ticks = [decade + math.log10(step) for decade in decades if decade % every == 0 for step in steps]
        _label(axis, {tick: written(10.0**tick) for tick in ticks})
    else:
        if not isinstance(axis.ticker, BasicTicker):
            axis.update(ticker=BasicTicker(), major_label_overrides={})
        axis.ticker.desired_num_ticks = MOST_TICKS - 2


def _label(axis: Any, labels: Mapping[float, str]) -> None:
    """Puts words at places of an axis and keeps its ticker: a new one makes Bokeh search the whole document."""
    if isinstance(axis.ticker, FixedTicker):
        axis.ticker.ticks = list(labels)
    else:
        axis.ticker = FixedTicker(ticks=list(labels))
    axis.major_label_overrides = dict(labels)


def plain(words: str) -> str:
    """Escapes names from a user's own file in a title, where text between TeX delimiters would become a formula."""
    return re.sub(r"\$\$|\\[(\[]", lambda signs: "\u200b".join(signs.group()), words)
