"""The lines of a panel: their source, look, and values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from bokeh.models import CDSView, ColumnDataSource, GlyphRenderer, Text
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.quantities import Component, PlotQuantity
from app.motion.sampler import Curves, Trace
from app.state import Cursor
from app.state.kept_run import LETTERS
from app.views.plots.panels import ALL, CURSOR, Panel, plain, unit_text
from scenes import palette

Array = NDArray[np.float64]
Catalogue = Mapping[str, PlotQuantity]
MOST_LINES = 12  # Largest number of lines in one panel; of more links or numbers it shows this many, evenly spread
LONGEST_SYMBOL = 6  # Largest number of letters of a symbol beside a number
FORCES = {
    "contact/predicted_contact_force": ("predicted", "pred."),
    "contact/corrected_contact_force": ("corrected", "corr."),
    "contact/contact_force": ("applied", "appl."),
}
"""Names as in the 3D view's legend, and their abbreviations."""
DASHES = ("solid", "dashed", "dotted")
SELECTED_WIDTH, WIDTH = 3.0, 1.5


@dataclass(frozen=True)
class PlotLine:
    """One line.

    Attributes:
        trace, row, number: index of the number in a row of a trace.
        label: its name, and ``brief`` its abbreviation.
        unit: as text.
        color, dash, width: its style.
    """

    trace: Trace
    row: int
    number: int
    label: str
    brief: str
    unit: str
    color: str
    dash: str
    width: float

    @property
    def is_selected(self) -> bool:
        """Whether it is the line of the cursor's link among lines of other links."""
        return self.width == SELECTED_WIDTH

    @property
    def source(self) -> tuple[Trace, int, int]:
        return self.trace, self.row, self.number


def known(panel: Panel, catalogue: Catalogue) -> tuple[tuple[Trace, PlotQuantity, Component], ...]:
    """The panel's quantities that this system has."""
    return tuple(
        (trace, catalogue[trace[0]], catalogue[trace[0]].component(trace[1]))
        for trace in panel.traces
        if trace[0] in catalogue
    )


def rows_of(plotted: PlotQuantity, system: dyn.System, arm: int, must: int, most: int = MOST_LINES) -> list[int]:
    """The rows with a line each, at most ``most`` including ``must``: an arm's links, or all arms."""
    if plotted.rows == "whole":
        return [0]
    if plotted.rows == "tips":
        rows = np.arange(system.n_tips)
    else:
        rows = np.flatnonzero(system.arm_of_link[: system.n_joints if plotted.at_joints else system.n_links] == arm)
    if len(rows) > most:
        spread = rows[np.linspace(0, len(rows) - 1, most).round().astype(int)]
        if must in rows and must not in spread:
            spread[np.argmin(np.abs(spread - must))] = must
        rows = spread
    return [int(row) for row in rows]


def color_of(trace: Trace, plotted: PlotQuantity, theme: palette.Theme) -> str:
    """The color of a quantity, or of its half if the scene draws that as a quantity of its own."""
    half = f"{trace[1]}_{plotted.color}"
    return palette.quantity(half if half in palette.FAMILIES else plotted.color, theme)


def selected_row(plotted: PlotQuantity, cursor: Cursor) -> int:
    return {"links": cursor.link, "tips": cursor.arm, "whole": 0}[plotted.rows]


def lines_of(
    panel: Panel, catalogue: Catalogue, system: dyn.System, cursor: Cursor, theme: palette.Theme
) -> list[PlotLine]:
    """The lines of a panel, at most ``MOST_LINES``."""
    found: list[PlotLine] = []
    shown = known(panel, catalogue)
    for nth, (trace, plotted, component) in enumerate(shown):
        color = color_of(trace, plotted, theme)
        mark = selected_row(plotted, cursor)
        if panel.follow == ALL and plotted.rows != "whole":
            rows = rows_of(plotted, system, cursor.arm, mark)
            for k, row in enumerate(rows):
                pale = 0.0 if row == mark else 0.25 + 0.5 * k / max(len(rows) - 1, 1)
                found.append(_drawn(trace, row, 0, row_name(plotted, system, row), component, system,
                                    _paler(color, theme, pale), "dashed" if nth else "solid",
                                    SELECTED_WIDTH if row == mark else WIDTH))  # fmt: skip
            continue
        row = mark if panel.follow in (CURSOR, ALL) or plotted.rows == "whole" else int(panel.follow)
        count = len(component.channels)
        for k, line in enumerate(component.channels):
            shade = _paler(color, theme, min(0.75 * k / count, 0.7) if count > 6 or len(shown) > 1 else 0.0)
            if k >= 3 and count == 6 and len(shown) == 1:  # forces beside moments, seen on either ground
                shade = palette.mix(color, palette.INK[theme], 0.45)
            dash = ("dashed" if nth else "solid") if len(shown) > 1 else DASHES[k % 3]
            owner, briefly = ("", "") if len(shown) == 1 else FORCES.get(plotted.key, (brief_name(plotted),) * 2)
            label, brief = f"{owner} {line.label}".strip(), f"{briefly} {line.brief or line.label}".strip()
            found.append(_drawn(trace, row, k, label, component, system, shade, dash, WIDTH, brief))
    return found[:MOST_LINES]


def brief_name(plotted: PlotQuantity) -> str:
    """A symbol if it is short, also without its (k); otherwise the first word of the name."""
    symbol = plain(plotted.symbol)
    symbol = symbol if len(symbol) <= LONGEST_SYMBOL else symbol.replace("(k)", "")
    return symbol if len(symbol) <= LONGEST_SYMBOL else plotted.estimation_name.split()[0]


def bar_lines(
    panel: Panel, catalogue: Catalogue, system: dyn.System, cursor: Cursor, theme: palette.Theme
) -> list[PlotLine]:
    """One number per link of the cursor's arm, or per arm, for the first quantity of a panel."""
    for trace, plotted, component in known(panel, catalogue)[:1]:
        mark, color = selected_row(plotted, cursor), color_of(trace, plotted, theme)
        return [
            _drawn(trace, row, 0, row_name(plotted, system, row) or plain(plotted.symbol), component, system, color,
                   "solid", SELECTED_WIDTH if row == mark else WIDTH)
            for row in rows_of(plotted, system, cursor.arm, mark, most=system.n_links)
        ]  # fmt: skip
    return []


def _drawn(
    trace: Trace, row: int, number: int, label: str, component: Component, system: dyn.System, color: str,
    dash: str, width: float, brief: str = "",
) -> PlotLine:  # fmt: skip
    line = component.channels[number]
    slides = row < system.n_joints and system.joint_models[row].kind == "prismatic"
    unit = line.sliding_unit if slides and line.sliding_unit else line.unit
    return PlotLine(trace, row, number, label, brief or label, unit_text(unit), color, dash, width)


def _paler(color: str, theme: palette.Theme, share: float) -> str:
    return palette.mix(color, palette.BACKGROUND[theme], share)


def row_name(plotted: PlotQuantity, system: dyn.System, row: int) -> str:
    """The owner of a row: a link's name, or an arm's number."""
    if plotted.rows == "tips":
        if system.n_tips > system.n_arms:
            return system.link_names[system.tips[row].link]
        return f"arm {row + 1}"
    if plotted.rows == "whole" or row >= system.n_links:
        return ""
    number, _, name = system.link_names[row].rpartition("/")
    return f"{name}, arm {number}" if number and system.n_arms > 1 else name


def shares(trace: Trace, catalogue: Catalogue, other: Catalogue) -> bool:
    """Whether a trace has the same numbers in both: another machine may have none of them, or others."""
    key, component = trace
    if key not in catalogue or key not in other:
        return False
    one, two = (each[key].component(component) for each in (catalogue, other))
    return (one.key, len(one.channels)) == (two.key, len(two.channels))


def values_of(lines: list[PlotLine], curves: Curves, missing: Collection[Trace] = ()) -> tuple[Array, Array]:
    """(times, (samples, lines)) up to the last time at which all lines are sampled; NaN for missing lines."""
    count = min((curves.filled(line.trace) for line in lines if line.trace not in missing), default=0)
    values = np.full((count, len(lines)), np.nan)
    for k, line in enumerate(lines):
        column = curves.column(line.trace)
        if line.trace not in missing and line.row < column.shape[1]:
            values[:, k] = column[:count, line.row, line.number]
    return curves.times[:count], values


def now(lines: list[PlotLine], read: Mapping[Trace, Array]) -> Array:
    """(lines,) values at one instant, from ``sampler.read``; NaN for what was not read."""
    rows = [read.get(line.trace, np.empty((0, 0))) for line in lines]
    return np.array(
        [row[line.row, line.number] if line.row < len(row) else np.nan for row, line in zip(rows, lines, strict=True)]
    )


Samples = tuple[str, Array, Array]  # Letter, times and (samples, lines) values of a run
KEPT_DASHES = ("2 4 6 4", "12 4", "2 3", "12 3 2 3 2 3", "7 3", "1 6")
"""Dash patterns of the kept runs, by letter: pixels drawn and left out in turn."""
PALER = (0.35, 0.5)  # Shares of the background mixed into their colors, alternating
STEP = 0.07  # Share of its line's length by which a letter moves back until it does not overlap another
APART = 0.13
"""Smallest distance between two letters as a share of the whole time, so that they do not overlap in a small plot."""


def faint(lines: Sequence[PlotLine], letter: str, ground: str) -> list[PlotLine]:
    """The lines of a kept run: thinner, paler, and with dashes of its own.

    Args:
        ground: the background color.
    """
    look = max(LETTERS.find(letter), 0)
    return [
        replace(
            each,
            color=palette.mix(each.color, ground, PALER[look % len(PALER)]),
            dash=KEPT_DASHES[look],
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
        """Places the letters of these runs; a run without values has none yet."""
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
    """Index of the sample nearest to the line's end that keeps ``room`` to the other letters; None if there is none."""
    for share in np.arange(1.0 - STEP, 0.0, -STEP) if len(known) else ():
        at = int(known[int((len(known) - 1) * share)])
        if all(abs(float(times[at]) - other) >= room for other in taken):
            return at
    return None
