"""One panel on the page: updates its figure, cell and readings from the panel, the run and the cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.rounding import Loads
from app.motion.errors import ERRORS
from app.motion.quantities import Moment, PlotQuantity
from app.motion.run import Run
from app.motion.sampler import Curves, Trace
from app.number_text import ROUNDING, number_text, raw_text, size_of
from app.state import Cursor
from app.views.plots.lines import (
    PlotLine,
    Samples,
    bar_lines,
    faint,
    known,
    lines_of,
    now,
    row_name,
    selected_row,
    shares,
    values_of,
)
from app.views.plots.panels import ALL, CURSOR, MOST_TRACES, NOTHING, Panel, at_times, plain, smallest
from app.views.plots.plot_figure import PlotFigure, SharedModels, VerticalRange, vertical_range
from scenes import palette

Array = NDArray[np.float64]
CANCELED = 1e-9
"""Share of a sum's terms below which the sum counts as zero: rounding, and the error of a run's time steps."""
Sizes = dict[str | Trace, float]  # The largest magnitude for each unit, and for each quantity


@dataclass(frozen=True)
class RunSamples:
    """A run, its quantities and their samples."""

    run: Run
    catalogue: Mapping[str, PlotQuantity]
    curves: Curves
    letter: str = ""  # identifies it among several; empty for the present run, or for a single one


@dataclass(frozen=True)
class PlotData:
    """The data that all panels show."""

    present: RunSamples  # the present run
    kept: tuple[RunSamples, ...]  # the runs with which it is compared
    system: dyn.System
    cursor: Cursor
    theme: palette.Theme
    window: tuple[float, float]  # s, the visible time range

    def values_of(self, lines: list[PlotLine], sampled: RunSamples) -> tuple[Array, Array]:
        """(times, (samples, lines)) of one of the runs; NaN for quantities that only the present run's machine has."""
        known = self.present.catalogue
        missing = {line.trace for line in lines if not shares(line.trace, known, sampled.catalogue)}
        return values_of(lines, sampled.curves, missing)


class PanelView:
    """Sends only what changed: all lines, the newest samples, another look, or nothing.

    Attributes:
        state: everything that the panel depends on except the time: it determines lines, ranges and menus.
        lines, bars: what is drawn.
        kept: the style of each kept run's lines.
    """

    def __init__(self, shared: SharedModels, number: int, on_click: Callable[[float, float], None]) -> None:
        self.figure = PlotFigure(shared, number, on_click)
        self.lines: list[PlotLine] = []
        self.bars: list[PlotLine] = []
        self.kept: list[list[PlotLine]] = []
        self.logarithmic = False
        self.range = VerticalRange(0.0, 1.0)
        self._bar_range = VerticalRange(0.0, 1.0)
        self._progress = 1.0
        self._sizes: Sizes = {}
        self.state: tuple[object, ...] = ()
        self._sent: tuple[object, ...] = ()
        self._count = 0
        self._kept_sent: tuple[object, ...] = ()
        self._floors: dict[Trace, float] = {}
        self._added: tuple[Run | None, tuple[Trace, ...], float] = (None, (), 0.0)

    def draw(self, panel: Panel, data: PlotData) -> None:
        present, kept, cursor = data.present, data.kept, data.cursor
        filled = tuple(present.curves.filled(trace) for trace in panel.traces)
        kept_filled = tuple(
            (each.run, each.letter, *(each.curves.filled(trace) for trace in panel.traces)) for each in kept
        )
        state = (panel, present.run, present.curves.version, filled, kept_filled, cursor.link, cursor.arm, data.theme,
                 data.window, data.system)  # fmt: skip
        if state == self.state:
            return
        self.state = state
        self.lines = lines_of(panel, present.catalogue, data.system, cursor, data.theme)
        self.bars = bar_lines(panel, present.catalogue, data.system, cursor, data.theme) if panel.bars else []
        self.logarithmic = panel.logarithmic and not panel.difference
        known = len(present.curves)
        self._progress = min(filled, default=known) / known if known else 1.0
        self._sizes = largest(
            *(sizes_of(lines, values_of(lines, present.curves)[1]) for lines in (self.lines, self.bars))
        )
        times, values = self.drawn(panel, data)
        self._send(panel, data, times, values, kept_filled)
        kept_values = self._send_kept(panel, data, kept_filled)
        self._reach(panel, data, [(times, values), *kept_values])

    def drawn(self, panel: Panel, data: PlotData) -> tuple[Array, Array]:
        """(times, (samples, lines)) as drawn in the figure; for differences, those from the first kept run."""
        if panel.difference and data.kept:
            return self._apart(data, data.kept[0])
        times, values = values_of(self.lines, data.present.curves)
        return times, self._scaled(values)

    def _apart(self, data: PlotData, other: RunSamples) -> tuple[Array, Array]:
        """(times, (samples, lines)) of the present run minus another one."""
        times, values = values_of(self.lines, data.present.curves)
        other_times, others = data.values_of(self.lines, other)
        if not self.lines:
            return times, values
        return times, values - np.stack([at_times(times, other_times, column) for column in others.T], axis=1)

    def _scaled(self, values: Array) -> Array:
        """Exponents of ten for a logarithmic axis; NaN for values that are not positive."""
        if not self.logarithmic:
            return values
        return np.log10(np.where(values > 0.0, values, np.nan))

    def _send(self, panel: Panel, data: PlotData, times: Array, values: Array, kept_filled: tuple[object, ...]) -> None:
        sources = tuple(line.source for line in self.lines)
        compared = kept_filled[:1] if panel.difference else ()
        wanted = (data.present.run, data.present.curves.version, sources, self.logarithmic, compared)
        if wanted != self._sent:
            waits = not len(times) and self._sent and self._sent[2] == sources
            if waits:
                return  # the previous run's lines stay until this run has values
            self.figure.show(times, values)
            self._sent, self._count = wanted, len(times)
        elif len(times) > self._count:
            self.figure.stream(times[self._count :], values[self._count :])
            self._count = len(times)

    def _send_kept(self, panel: Panel, data: PlotData, kept_filled: tuple[object, ...]) -> list[tuple[Array, Array]]:
        """The curves of the kept runs; in difference mode, differences from all of them but the first."""
        first = 1 if panel.difference else 0
        looks = tuple((line.source, line.color) for line in self.lines)
        wanted = (looks, self.logarithmic, panel.difference, data.present.run, kept_filled[first:],
                  len(data.present.curves) if panel.difference else 0)  # fmt: skip
        found: list[Samples] = []
        for each in data.kept[first:]:
            times, values = self._apart(data, each) if panel.difference else data.values_of(self.lines, each)
            found.append((each.letter, times, values if panel.difference else self._scaled(values)))
        ground = palette.BACKGROUND[data.theme]
        self.kept = [faint(self.lines, letter, ground) for letter, _, _ in found]
        if wanted != self._kept_sent:
            self.figure.show_kept(self.lines, found)
            self._kept_sent = wanted
        return [(times, values) for _, times, values in found]

    def _reach(self, panel: Panel, data: PlotData, parts: list[tuple[Array, Array]]) -> None:
        canceled = self._canceled(panel, data)
        sums = [trace for trace, each, _ in known(panel, data.present.catalogue) if each.added is not None]
        self._floors = dict.fromkeys(sums, canceled / ROUNDING)
        small = max((smallest(data.system, unit) for unit in {line.unit for line in self.lines}), default=NOTHING)
        self.range = range_in(parts, data.window, panel.full, max(canceled, small))
        if np.isfinite(parts[0][1]).any():
            self.figure.reach(self.range, self.logarithmic)
        if self.bars:
            times, values = values_of(self.bars, data.present.curves)
            self._bar_range = range_in([(times, self._scaled(values))], data.window, panel.full, small)

    def _canceled(self, panel: Panel, data: PlotData) -> float:
        """Size below which sums count as zero relative to their terms; 0 if the panel should show such rounding."""
        present = data.present
        sums = [(each.added, part) for _, each, part in known(panel, present.catalogue) if each.added is not None]
        if panel.full or panel.difference or not sums or not len(present.curves):
            return 0.0
        run, traces, size = self._added
        if run is not present.run or traces != panel.traces:
            size = 0.0
        moment = Moment(present.run, float(present.curves.times[-1]))
        with suppress(*ERRORS):  # errors are reported when the user looks at that instant
            found = [part.pick(array) for added, part in sums if (array := added(moment)) is not None]
            size = max([size, *(float(each.max()) for each in found)])
        self._added = present.run, panel.traces, size
        return CANCELED * size

    def reading(
        self, panel: Panel, read: Mapping[Trace, Array], kept: Mapping[Trace, Array] | None, loads: Loads | None = None
    ) -> dict[str, Any]:
        """The cell's data at the cursor: numbers, all their digits, peaks cut off, and bars.

        Includes the smallest comparison size of each number, for the browser, which reads its own during playback.

        Args:
            loads: at the present run's joints.
        """
        values = now(self.lines, read)
        sizes = largest(self._sizes, sizes_of(self.lines, values))
        if panel.difference and kept is not None:
            values = values - now(self.lines, kept)
        shown = [
            (float(value), line) for value, line in zip(values, self.lines, strict=True) if is_told(line, self.lines)
        ]
        return {
            "values": [
                text_of(value, line, max(beside(line, sizes, loads), self._floor(line))) for value, line in shown
            ],
            "raw": [raw_text(value) for value, _ in shown],
            "least": [max(least_of(line, loads), self._floor(line)) for _, line in shown],
            "bars": self._bars(read, loads),
            "notes": self._notes(),
        }

    def _floor(self, line: PlotLine) -> float:
        """The comparison size of a sum: a sum that counts as zero in its plot reads as zero."""
        return self._floors.get(line.trace, 0.0)

    def _bars(self, read: Mapping[Trace, Array], loads: Loads | None) -> list[tuple[float, float, str]]:
        if not self.bars:
            return []
        values = now(self.bars, read)
        sizes = largest(self._sizes, sizes_of(self.bars, values))
        at = self._scaled(values)
        low, high = self._bar_range.start, self._bar_range.end
        if not self.logarithmic:
            low, high = min(low, 0.0), max(high, 0.0)
        foot = low if self.logarithmic else 0.0
        found = []
        for value, top, line in zip(values, at, self.bars, strict=True):
            ends = np.clip(np.array([foot, foot if np.isnan(top) else top]) - low, 0.0, high - low) / (high - low)
            found.append(
                (
                    round(float(ends.min()), 4),
                    round(float(ends.max()), 4),
                    text_of(float(value), line, beside(line, sizes, loads)),
                )
            )
        return found

    def _notes(self) -> list[tuple[str, str]]:
        found = []
        unit = next((line.unit for line in self.lines), "")
        for arrow, peak in (("↑", self.range.above), ("↓", self.range.below)):
            if peak is not None:
                value = 10.0**peak.value if self.logarithmic else peak.value
                found.append((f"{arrow} peak {value:.2g} {unit} at {peak.time:.1f} s".replace("-", "−"), "full"))
        if self._progress < 1.0:
            found.append((f"{100 * self._progress:.0f} % read", "progress"))
        return found


def text_of(value: float, line: PlotLine, beside: float = 0.0) -> str:
    return f"{number_text(value, beside)} {line.unit}".strip()


def sizes_of(lines: list[PlotLine], values: Array) -> Sizes:
    """The largest magnitude of numbers (..., lines) for each unit, and for each quantity."""
    return largest(*({key: size_of(values[..., k])} for k, line in enumerate(lines) for key in (line.unit, line.trace)))


def largest(*found: Sizes) -> Sizes:
    """The largest of several for each unit and quantity."""
    merged: Sizes = {}
    for key, size in (item for sizes in found for item in sizes.items()):
        merged[key] = max(size, merged.get(key, 0.0))
    return merged


def beside(line: PlotLine, sizes: Sizes, loads: Loads | None = None) -> float:
    """The comparison size of a line's number: numbers of its unit, the rest of its vector or matrix, and the loads."""
    return max(sizes.get(line.unit, 0.0), sizes.get(line.trace, 0.0), least_of(line, loads))


def least_of(line: PlotLine, loads: Loads | None) -> float:
    """The smallest comparison size of a line's number, however small all its values are: the loads."""
    return 0.0 if loads is None else float(np.max(loads.at(line.trace[0].rpartition("/")[2], line.row)))


def is_told(line: PlotLine, lines: list[PlotLine]) -> bool:
    """Whether the readings show a line: always, or with one line per link only the cursor's."""
    rows = {other.row for other in lines}
    return len(rows) == 1 or line.is_selected


def range_in(
    parts: list[tuple[Array, Array]], window: tuple[float, float], full: bool, nothing: float = NOTHING
) -> VerticalRange:
    """The vertical range of the visible part."""
    width = max((values.shape[1] for _, values in parts), default=0)
    stacked, at = [], []
    for times, values in parts:
        inside = (times >= window[0]) & (times <= window[1])
        padded = np.full((int(inside.sum()), width), np.nan)
        padded[:, : values.shape[1]] = values[inside]
        stacked.append(padded)
        at.append(times[inside])
    return vertical_range(np.concatenate(at), np.concatenate(stacked), full, nothing=nothing)


def cell(panel: Panel, view: PanelView, data: PlotData) -> dict[str, Any]:
    """Title, lines and menus of a panel."""
    catalogue, system = data.present.catalogue, data.system
    shown = known(panel, catalogue)
    by_row = [plotted for _, plotted, _ in shown if plotted.rows != "whole"]
    lines = [line for line in view.lines if is_told(line, view.lines)]
    return {
        "title": panel.title or " and ".join(title(plotted) for _, plotted, _ in shown),
        "names": "; ".join(f"{plain(plotted.symbol)}: {plotted.names}" for _, plotted, _ in shown),
        "subject": subject(panel, by_row, data),
        "items": [
            {
                "label": line.label or "now",
                "brief": line.brief or "now",
                "unit": line.unit,
                "color": line.color,
                "dash": line.dash,
                "column": view.lines.index(line),
            }
            for line in lines
        ],
        "lines": [[(line.color, line.dash, line.width) for line in drawn] for drawn in (view.lines, *view.kept)],
        "units": [[line.unit, "/".join(line.trace)] for line in view.lines],
        "reads": reads(panel),
        "columns": columns(view.bars),
        "missing": [] if shown else [key for key, _ in panel.traces],
        "choices": [
            {
                "label": f"What of {plain(plotted.symbol)}",
                "trace": nth,
                "options": [(each.key, each.label) for each in plotted.components],
                "value": component.key,
            }
            for nth, (_, plotted, component) in enumerate(shown)
            if len(plotted.components) > 1
        ],
        "follows": follows(by_row, data) if by_row else [],
        "follow": panel.follow,
        "logarithmic": panel.logarithmic,
        "full": panel.full,
        "bars": panel.bars,
        "difference": panel.difference,
        "canLog": bool(shown),
        "canBars": bool(by_row) and (by_row[0].rows == "links" or system.n_tips > 1),
        "canDifference": bool(data.kept),
        "canJoin": bool(panel.traces) and len(panel.traces) <= MOST_TRACES,
    }


def reads(panel: Panel) -> bool:
    """Whether the browser reads the numbers at the cursor from its lines; otherwise the server sends them."""
    return not (panel.bars or panel.difference)


def columns(bars: list[PlotLine]) -> list[dict[str, Any]]:
    """The label under each bar: the name of the link or arm, and the part that distinguishes it from the others."""
    names = [line.label.partition(",")[0] for line in bars]
    heads = {name[: max(name.rfind("_"), name.rfind(" ")) + 1] for name in names}
    same = heads.pop() if len(names) > 1 and len(heads) == 1 else ""
    return [
        {
            "row": line.row,
            "name": name,
            "brief": name.removeprefix(same) or name,
            "color": line.color,
            "selected": line.is_selected,
        }
        for name, line in zip(names, bars, strict=True)
    ]


def title(plotted: PlotQuantity) -> str:
    """Its symbol and its name in estimation, which is the shorter one."""
    return f"{plain(plotted.symbol)} {plotted.estimation_name}"


def subject(panel: Panel, by_row: list[PlotQuantity], data: PlotData) -> str:
    less = f" · less {less_what(data)}" if panel.difference and data.kept else ""
    if not by_row:
        return less.removeprefix(" · ")
    plotted, system = by_row[0], data.system
    if panel.follow == ALL or panel.bars:
        many = f"every link{f' of arm {data.cursor.arm + 1}' if system.n_arms > 1 else ''}"
        tips = "every tip" if system.n_tips > system.n_arms else "every arm"
        return f"· {many if plotted.rows == 'links' else tips}{less}"
    row = selected_row(plotted, data.cursor) if panel.follow == CURSOR else int(panel.follow)
    return f"· {row_name(plotted, system, row)}{less}"


def less_what(data: PlotData) -> str:
    """The run that is subtracted from the present one where a panel shows differences."""
    letters = [each.letter for each in data.kept if each.letter]
    first, *others = letters or ["the broken one"]
    return f"{first} (faint: {', '.join(others)})" if others else first


def follows(by_row: list[PlotQuantity], data: PlotData) -> list[tuple[str, str]]:
    """What a panel can follow: the cursor, all, or a fixed link or arm."""
    system, plotted = data.system, by_row[0]
    links = plotted.rows == "links"
    found = [(CURSOR, "the cursor's link" if links else "the cursor's arm"), (ALL, "one line a link" if links else
             "one line an arm")]  # fmt: skip
    if links:
        rows = range(system.n_joints if plotted.at_joints else system.n_links)
    else:
        rows = range(system.n_tips)
    return found + [(str(row), f"only {row_name(plotted, system, row)}") for row in rows]
