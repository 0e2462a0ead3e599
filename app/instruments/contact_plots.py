"""Eight decades of objects as three small plots: what the arms decide, what is corrected, how the object moves."""

from __future__ import annotations

from itertools import chain

import numpy as np
import panel as pn
from bokeh.models import BoxAnnotation, ColumnDataSource, Range1d, Span

from app.instruments.contact_sweep import DECADES, Directions, Sweep, reached
from app.instruments.legend import LOOK, hatched, legend_html, line
from app.instruments.small_plot import small_plot
from app.views.figure_pane import figure_pane
from scenes import palette

HEIGHT, FIRST_HEIGHT = 160, 118
PLOTS = (
    ("what the arms decide, of 1; gain, N per N", "linear", ("gain", "corrected_contact_force")),
    ("N²: squared error, squared correction", "log", ("measured_object_force", "corrected_contact_force")),
    ("m/s²: object held, and let go", "log", ("acceleration", "axis")),
)
"""Title, scale, and the palette's names of the lines."""
LETTERS = (("eigenvalues of A𝒢", "‖𝒢‖ of forces"), ("|b(C) − A x_FREE|²", "|x(0) − x_FREE|²"), ("|α(C)|", "|α_b|"))
LIMITS = (("weightless", "."), ("too heavy", "/"))
"""Words and hatch of the decades at either end."""
LEAST = 1e-9
"""Of the largest number of a logarithmic axis, what is still drawn."""


class SweepPlots:
    """Lines over the decades, and where the object is that is looked at.

    Attributes:
        first: the one to stand beside what chooses the object; it keeps its place before there is anything in it.
        view: the others.
    """

    def __init__(self) -> None:
        span = Range1d(float(DECADES[0]), float(DECADES[-1]))
        empty = np.full(len(DECADES), np.nan)
        lines = ([f"share{i}" for i in range(6)] + ["gain"], ["error", "correction"], ["acceleration", "free"])
        self._source = ColumnDataSource({"decade": DECADES} | dict.fromkeys(chain(*lines), empty))
        self._here = [Span(location=0.0, dimension="height", line_width=2.0) for _ in PLOTS]
        self._zero = [Span(location=0.0, dimension="height", line_width=1.0, line_dash="dotted") for _ in PLOTS]
        self._limits = [
            [BoxAnnotation(visible=False, fill_alpha=0.0, line_alpha=0.0, hatch_pattern=hatch, hatch_alpha=0.25,
                           hatch_scale=8.0, level="underlay") for _, hatch in LIMITS]
            for _ in PLOTS
        ]  # fmt: skip
        self._plots, self._lines = [], []
        for k, ((title, scale, _), names) in enumerate(zip(PLOTS, lines, strict=True)):
            size = Range1d(-0.05, 1.05) if k == 0 else Range1d(1e-3, 1.0)
            height = HEIGHT if k else FIRST_HEIGHT
            plot = small_plot(f"object {k}", title, height, x_range=span, y_axis_type=scale, y_range=size)
            plot.yaxis.ticker.desired_num_ticks = 4
            styles = ["solid"] * (len(names) - 1) + ["dashed"]
            drawn = [
                plot.line("decade", name, source=self._source, line_width=2.0, line_dash=dash)
                for name, dash in zip(names, styles, strict=True)
            ]
            self._lines.append(drawn)
            for box in self._limits[k]:
                plot.add_layout(box)
            plot.add_layout(self._here[k])
            plot.add_layout(self._zero[k])
            self._plots.append(plot)
        self._plots[-1].xaxis.axis_label = "object's mass and inertia, times 10ˣ"
        self._plots[-1].height = HEIGHT + 24
        self._legends = [
            pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12)) for _ in PLOTS
        ]
        self.first = pn.Column(sizing_mode="stretch_width", margin=0, min_height=FIRST_HEIGHT + 30)
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        for (_, _, names), lines in zip(PLOTS, self._lines, strict=True):
            for i, each in enumerate(lines):
                each.glyph.line_color = palette.quantity(names[i >= len(lines) - 1], theme)
        for (_, _, names), letters, pane in zip(PLOTS, LETTERS, self._legends, strict=True):
            drawn = [line(palette.quantity(names[i], theme), ("solid", "dashed")[i]) for i in range(2)]
            marks = [(hatched(palette.INK[theme], hatch), words) for words, hatch in LIMITS]
            last = pane is self._legends[-1]  # one legend for all
            pane.object = legend_html(list(zip(drawn, letters, strict=True))) + (legend_html(marks) if last else "")
        for box in chain(*self._limits):
            box.hatch_color = palette.INK[theme]
        for span in self._here:
            span.line_color = palette.SELECTED[theme]
        for span in self._zero:
            span.line_color = palette.INK[theme]

    def point(self, decade: float) -> None:
        """Where the object is that is looked at."""
        for span in self._here:
            if span.location != decade:
                span.location = decade

    def show(self, found: Sweep, ways: Directions) -> None:
        """Other lines, and the decades in which a limit is reached."""
        if not self.view.objects:
            shown = [figure_pane(plot) for plot in self._plots]
            self.first[:], *others = map(list, zip(shown, self._legends, strict=True))
            self.view[:] = [each for pair in others for each in pair]
        error, correction = found.error**2, found.correction**2
        self._source.data = {"decade": DECADES} | {f"share{i}": found.shares[:, i] for i in range(6)} | {
            "gain": found.gain, "error": error, "correction": correction,
            "acceleration": found.acceleration, "free": found.free_acceleration,
        }  # fmt: skip
        light, heavy = reached(found, ways)
        for first, second in self._limits:
            _mark(first, float(DECADES[0]), light)
            _mark(second, heavy, float(DECADES[-1]))
        self._plots[0].y_range.end = 1.05 * max(1.0, float(np.nanmax(found.gain, initial=0.0)))
        for plot, values in (
            (self._plots[1], (error, correction)),
            (self._plots[2], (found.acceleration, found.free_acceleration)),
        ):
            there = np.concatenate(values)
            there = there[np.isfinite(there) & (there > 0.0)]
            if len(there):
                most = float(there.max())
                least = max(float(there.min()), LEAST * most)
                plot.y_range.update(start=least / 2.0, end=most * 2.0)


def _mark(box: BoxAnnotation, left: float, right: float) -> None:
    """Where a limit is reached; nowhere, if that is no number."""
    box.visible = bool(np.isfinite(right - left))
    if box.visible:
        box.update(left=left, right=right)
