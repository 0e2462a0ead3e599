"""How the lines of kept runs look beside those of the present one, and where the letter of each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from bokeh.models import CDSView, ColumnDataSource, GlyphRenderer, Text
from numpy.typing import NDArray

from app.kept.kept_run import LETTERS
from app.views.plots.lines import PlotLine
from scenes import palette

Array = NDArray[np.float64]
Samples = tuple[str, Array, Array]
"""Letter, times and (samples, lines) values of a run."""
DASHES = ("2 4 6 4", "12 4", "2 3", "12 3 2 3 2 3", "7 3", "1 6")
"""Of the kept runs, by their letters: pixels in turn drawn and left out."""
PALER = (0.35, 0.5)
"""How much of the ground is in their colors, by turns."""
STEP = 0.07
"""Share of its length by which a letter goes back along its line until it has a place of its own."""
APART = 0.13
"""Share of the whole time by which two letters are apart, so that they do not overlap in a small plot."""


def faint(lines: Sequence[PlotLine], letter: str, ground: str) -> list[PlotLine]:
    """The lines of a kept run: thinner, paler, and with dashes of its own, whatever a line is.

    Args:
        ground: the color behind them.
    """
    look = max(LETTERS.find(letter), 0)
    return [
        replace(
            each,
            color=palette.mix(each.color, ground, PALER[look % len(PALER)]),
            dash=DASHES[look],
            width=max(each.width - 0.5, 1.0),
        )
        for each in lines
    ]


class Letters:
    """The letter of each kept run, near the end of its first line."""

    def __init__(self) -> None:
        self._source = ColumnDataSource()
        glyph = Text(x="time", y="value", text="letter", text_color="color", text_font_style="bold",
                     text_baseline="middle", text_align="center")  # fmt: skip
        self.renderer = GlyphRenderer(data_source=self._source, glyph=glyph, view=CDSView())

    def show(self, runs: Sequence[Samples], lines: Sequence[PlotLine]) -> None:
        """Those of these runs; a run of which nothing is known has none yet."""
        found: dict[str, list[object]] = {"time": [], "value": [], "letter": [], "color": []}
        room = APART * max((float(times[-1] - times[0]) for _, times, _ in runs if len(times)), default=0.0)
        taken: list[float] = []
        for letter, times, values in runs:
            known = np.flatnonzero(np.isfinite(values[:, 0])) if values.shape[1] else np.empty(0, int)
            at = _place(times, known, taken, room) if letter else None
            if at is not None:
                taken.append(float(times[at]))
                row = (taken[-1], float(values[at, 0]), letter, lines[0].color)
                for column, value in zip(found.values(), row, strict=True):
                    column.append(value)
        self._source.data = found
        if self.renderer.visible != bool(found["letter"]):
            self.renderer.visible = bool(found["letter"])


def _place(times: Array, known: NDArray[np.intp], taken: Sequence[float], room: float) -> int | None:
    """Which of the ``known`` samples is nearest to the line's end and as far from others' letters; None for none."""
    for share in np.arange(1.0 - STEP, 0.0, -STEP) if len(known) else ():
        at = int(known[int((len(known) - 1) * share)])
        if all(abs(float(times[at]) - other) >= room for other in taken):
            return at
    return None
