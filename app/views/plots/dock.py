"""The dock under the timeline: one to six plots of any quantity over time, tied to the cursor."""

from __future__ import annotations

import contextlib
import csv
import io
import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from bokeh.models import Range1d
from panel.io.document import unlocked
from panel.layout import Column
from panel.pane import Bokeh

import dynamics as dyn
from app.equations.rounding import Loads
from app.messages import file_stem
from app.motion.errors import ERRORS
from app.motion.quantities import Moment, PlotQuantity, catalogue
from app.motion.run import Run
from app.motion.sampler import Sampler, Trace, read
from app.number_text import read_index
from app.state import Session
from app.views.components import View
from app.views.plots.board import PlotBoard, QuantityList, board_colors, items_of
from app.views.plots.lines import PlotLine, row_name, shares
from app.views.plots.panel_view import PanelView, PlotData, RunSamples, cell, reads
from app.views.plots.panels import (
    ALL,
    CURSOR,
    MOST_PANELS,
    OF_INSTRUMENT,
    TAB_OF,
    TABS,
    Array,
    Panel,
    PanelSets,
    at_times,
)
from app.views.plots.plot_figure import SharedModels, TimeWindow
from scenes import palette

PINNING = ("tab", "prepared", "put", "join", "add", "remove", "clear", "restore", "component", "set", "difference")
"""User actions after which the walk leaves the panels as they are."""
NEAR = 0.06  # Share of a plot's height within which a click selects a line


class Plots(View):
    """Draws the open tab's panels and handles the user's actions in them.

    Attributes:
        sampler: reads the chosen quantities along the run; the clock attends to it.
    """

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._theme: palette.Theme = "light"
        self.sampler = Sampler(session.jobs)
        self._catalogues: dict[Run, Mapping[str, PlotQuantity]] = {}
        self._sets = PanelSets(self._catalogue(session.run))
        self._system = session.system
        self._shared = SharedModels(Range1d(0.0, session.run.duration))
        self._window = TimeWindow(self._shared.span)
        self._views: list[PanelView] = []
        self._list: QuantityList | None = None
        # Later content gets its container now: a figure is not drawn well in a container that is new itself.
        self.view = self._board = PlotBoard(
            self._act,
            figures=[Column(sizing_mode="stretch_both", margin=0) for _ in range(MOST_PANELS)],
            quantities=Column(sizing_mode="stretch_height", margin=0, css_classes=["quantities"], visible=False),
            most=MOST_PANELS,
            sizing_mode="stretch_width",
            margin=0,
            css_classes=["dock"],
        )
        self._framed: dict[int, tuple[object, dict[str, Any]]] = {}
        self._read_at: tuple[object, ...] = ()
        self._stage, self._instrument, self._machine = "", "", session.setup.machine
        self._written, self._zoomed = ("", ""), ""
        self.paint("light")

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        self._board.colors = board_colors(theme)
        if self._list is not None:
            self._list.colors = self._board.colors
        self._shared.paint(theme)
        for view in self._views:
            view.figure.paint(theme)

    def _make_room(self) -> None:
        """Makes a figure for each new panel; the figures of removed panels are reused."""
        for number in range(len(self._views), len(self._sets.panels)):
            view = PanelView(self._shared, number, partial(self._click, number))
            view.figure.paint(self._theme)
            self._views.append(view)
            self._board.figures[number].append(Bokeh(view.figure.plot, sizing_mode="stretch_both", margin=0))

    def _catalogue(self, run: Run) -> Mapping[str, PlotQuantity]:
        """The quantities of a run that can be plotted; made once per run."""
        if run not in self._catalogues:
            kept = [self._session.run, *(ghost.run for ghost in self._session.ghosts)]
            self._catalogues = {known: found for known, found in self._catalogues.items() if known in kept}
            self._catalogues[run] = catalogue(run.solution_at(0.0))
        return self._catalogues[run]

    def draw(self) -> None:
        data = self._look()
        self._make_room()
        for panel, view in zip(self._sets.panels, self._views, strict=False):
            view.draw(panel, data)
        self._frame(data)
        self._send_readings(data)

    def _go_along(self) -> None:
        """Opens the tab of the walk's new stage or of the newly opened instrument, until the user chooses a tab.

        A new machine opens its first tab.
        """
        session = self._session
        machine, self._machine = self._machine, session.setup.machine
        if machine is not self._machine and session.plots_follow and self._stage:
            self._stage = ""
            self._sets.open(self._sets.first)
        if session.plots_follow and session.is_staged and session.cursor.stage != self._stage:
            self._stage = session.cursor.stage
            self._sets.open(TAB_OF.get(self._stage, ""))
        if session.plots_follow and session.tab != self._instrument:
            self._sets.open(OF_INSTRUMENT.get(session.tab, ""))
        self._instrument = session.tab

    def _look(self) -> PlotData:
        session = self._session
        if self._system is not session.system:
            self._system = session.system
            self._sets.adapt(self._catalogue(session.run))
            self._fill_list()
        self._follow_link()
        self._go_along()
        shown = [(session.run, ""), *((ghost.run, ghost.letter) for ghost in session.ghosts_compared)]
        runs = [(run, self._catalogue(run)) for run, _ in shown]
        self.sampler.want(runs, [trace for panel in self._sets.panels for trace in panel.traces])
        sampled = [RunSamples(run, self._catalogue(run), self.sampler.curves(run), letter) for run, letter in shown]
        self._window.follow(session)
        self._say_window()
        return PlotData(sampled[0], tuple(sampled[1:]), session.system, session.cursor, self._theme, self._window.shown)

    def _follow_link(self) -> None:
        """Shows the panels given by a link, and publishes those shown."""
        session, sets = self._session, self._sets
        if (session.plots, session.panels) != self._written:
            session.plots_follow = session.plots_follow and not (session.plots or session.panels)
            sets.read(session.panels, session.system)
            sets.open(session.plots or sets.first)
        self._written = ("" if sets.active == sets.first else sets.active, sets.text)
        session.param.update(plots=self._written[0], panels=self._written[1])

    def _say_window(self) -> None:
        """Shows the time window given by a link, and publishes the one shown unless the motion plays."""
        session = self._session
        if session.zoom != self._zoomed:
            self._window.show(session.zoom)
        elif session.playing:
            return
        self._zoomed = session.zoom = self._window.text

    def _frame(self, data: PlotData) -> None:
        sets = self._sets
        wanted = {
            "cells": self._cells(data),
            "tabs": [{"name": tab, "open": sets.can_open(tab)} for tab in TABS],
            "active": sets.active,
            "prepared": [{"name": name, "title": panel.title} for name, panel in sets.waiting.items()],
            "machine": self._session.title,
            "projected": sets.of_stage(self._stage) if self._session.plots_follow else 0,
        }
        # Compared here, because param compares lists slowly.
        changed = {name: value for name, value in wanted.items() if getattr(self._board, name) != value}
        self._board.param.update(**changed)
        if self._list is not None:
            self._list.panels = len(sets.panels)

    def _cells(self, data: PlotData) -> list[dict[str, Any]]:
        """Every panel's cell, rebuilt only if its panel's state has changed."""
        found = []
        for number, (panel, view) in enumerate(zip(self._sets.panels, self._views, strict=False)):
            if number not in self._framed or self._framed[number][0] is not view.state:
                self._framed[number] = (view.state, cell(panel, view, data))
            found.append(self._framed[number][1])
        return found

    def _send_readings(self, data: PlotData) -> None:
        """Sends the readings at the cursor, read from the solution itself."""
        session, panels = self._session, self._sets.panels
        played = session.playing and session.has_player
        at = (
            played,
            None if played and not self.follows else session.time,
            *(view.state for view in self._views[: len(panels)]),
        )
        if at == self._read_at:
            return
        self._read_at = at
        traces = {trace for panel in panels for trace in panel.traces}
        here = Moment(data.present.run, session.time)
        loads = None
        with contextlib.suppress(*ERRORS):
            here.solution = session.solution()  # other views have already requested it
            loads = Loads.of(here.system, here.solution.stages)
        found: list[dict[Trace, np.ndarray]] = []
        for sampled in (data.present, *data.kept[:1]):
            there = [trace for trace in traces if shares(trace, data.present.catalogue, sampled.catalogue)]
            found.append(
                read(here if sampled is data.present else Moment(sampled.run, session.time), sampled.catalogue, there)
            )
        present, kept = found[0], found[1] if data.kept else None
        readings = [view.reading(panel, present, kept, loads) for panel, view in zip(panels, self._views, strict=False)]
        # At rest they are sent again: during playback, the browser read its own.
        self._board.send({"panels": readings, "played": played, "time": session.time})

    @property
    def panels(self) -> Mapping[str, tuple[Panel, ...]]:
        """The panels of every tab, open or prepared, the open tab's first."""
        found = self._sets.of_tabs
        return {self._sets.active: found[self._sets.active], **found}

    @property
    def follows(self) -> bool:
        """Whether a panel has numbers that the browser cannot read from its lines, or the window follows the cursor."""
        return not self._window.is_whole or not all(reads(panel) for panel in self._sets.panels)

    def _act(self, message: dict[str, Any]) -> None:
        """Handles the user's actions in the board or the list; a page may send anything."""
        with unlocked():  # figures are Bokeh models, and a message may come without the document's lock
            self._do(message)
            self.draw()

    def _do(self, message: dict[str, Any]) -> None:
        sets, number = self._sets, message.get("panel")
        number = number if isinstance(number, int) else -1
        self._session.plots_follow = self._session.plots_follow and message.get("do") not in PINNING
        match message.get("do"):
            case "tab":
                sets.open(str(message.get("name")))
            case "prepared":
                sets.open_prepared(str(message.get("name")))
            case "put":
                sets.put(max(number, 0), str(message.get("key")))
            case "join":
                sets.join(number, str(message.get("key")))
            case "add":
                sets.add()
                self._open_list(True)
            case "remove":
                sets.remove(number)
            case "clear":
                sets.clear(number)
            case "restore":
                sets.restore()
            case "component":
                nth = message.get("trace")
                sets.choose_component(number, nth if isinstance(nth, int) else -1, str(message.get("value")))
            case "set":
                self._set(number, str(message.get("field")), message.get("value"))
            case "link":
                self._select(number, message.get("row"))
            case "zoom" | "pan" | "whole":
                self._window.move(str(message["do"]), message.get("by"), self._session.time)
            case "boxes":
                self._board.boxes = not self._board.boxes
                self._shared.drag(self._board.boxes)
            case "listing":
                self._open_list(not self._board.listing)
            case "difference":
                self._sets.switch_differences()
            case "copy" | "save" if 0 <= number < len(sets.panels):
                text = everything(self._views[number], self._look())
                if message["do"] == "copy":
                    self._board.copy(text)
                else:
                    self._board.save(self._file(self._cells(self._look())[number]["title"]), text)
            case "csv":
                self._board.save(self._file(sets.active), visible(self._views[: len(sets.panels)], self._look()))

    def _file(self, what: str) -> str:
        return f"{file_stem(self._session.title, what)}.csv"

    def _open_list(self, is_open: bool) -> None:
        """Shows or hides the list of quantities, which is made when it is first opened."""
        if self._list is None and is_open:
            self._list = QuantityList(self._act, colors=self._board.colors, margin=0, sizing_mode="stretch_both")
            self._fill_list()
            self._board.quantities.append(self._list)
        self._board.listing = self._board.quantities.visible = is_open

    def _fill_list(self) -> None:
        if self._list is not None:
            self._list.items = items_of(self._sets.catalogue)

    def _set(self, number: int, field: str, value: object) -> None:
        row = read_index(value)
        if field == "follow" and value not in (CURSOR, ALL) and (row is None or row >= self._session.system.n_links):
            return
        self._sets.set(number, field, value)

    def _select(self, number: int, row: object) -> None:
        if not (0 <= number < len(self._sets.panels)) or not isinstance(row, int):
            return
        lines = self._views[number].bars or self._views[number].lines
        if lines and row in {line.row for line in lines}:
            rows = self._sets.catalogue[lines[0].trace[0]].rows
            if rows == "links":
                self._session.select_link(row)
            elif rows == "tips":
                self._session.select_arm(row)

    def _click(self, number: int, time: float | None, value: float | None) -> None:
        """Seeks the time of a click in a plot; a click on a line of another link selects that link."""
        if time is None or value is None or number >= len(self._sets.panels):
            return
        self._session.seek(time)
        view = self._views[number]
        if len({line.row for line in view.lines}) < 2:
            return
        times, values = view.drawn(self._sets.panels[number], self._look())
        if not len(times):
            return
        height = view.range.end - view.range.start
        away = np.abs(values[int(np.argmin(np.abs(times - time)))] - value) / height
        if np.isfinite(away).any() and np.nanmin(away) < NEAR:
            self._select(number, view.lines[int(np.nanargmin(away))].row)

    def stop(self) -> None:
        self.sampler.stop()


def visible(views: Iterable[PanelView], data: PlotData) -> str:
    """CSV of the samples in the window, the kept runs' beside the present one's."""
    return _table(views, data, *data.window)


def everything(view: PanelView, data: PlotData) -> str:
    """CSV of all samples of one panel."""
    return _table([view], data, -math.inf, math.inf)


def _table(views: Iterable[PanelView], data: PlotData, first: float, last: float) -> str:
    columns = []
    for view in views:
        for sampled in (data.present, *data.kept):
            prefix = "" if sampled is data.present else f"{sampled.letter or 'broken'} "
            times, values = data.values_of(view.lines, sampled)
            for line, column in zip(view.lines, values.T, strict=True):
                columns.append((prefix + heading(line, sampled), times, column))
    return csv_of(data.present.curves.times, columns, first, last)


def heading(line: PlotLine, sampled: RunSamples) -> str:
    """Quantity, component, link or arm, unit, and the axes if the quantity is computed and not derived."""
    key = line.trace[0]
    plotted = sampled.catalogue.get(key)
    stage, _, name = key.partition("/")
    axes = f"; {dyn.registry[stage, name].frame}" if (stage, name) in dyn.registry else ""
    owner = "" if plotted is None else row_name(plotted, sampled.run.actuation.system, line.row)
    words = " ".join(word for word in (*line.trace, owner, line.label) if word)
    return f"{words} [{line.unit or '1'}{axes}]"


def csv_of(times: Array, columns: Iterable[tuple[str, Array, Array]], first: float, last: float) -> str:
    """One row per sample from ``first`` to ``last`` s, one column per line; all digits are kept.

    Args:
        times: (samples,) s, the rows.
        columns: (heading, times, values) of each line; values at other sample times are interpolated, and empty where
            there are none.
    """
    inside = times[(times >= first - 1e-9) & (times <= last + 1e-9)]
    headings, values = ["time/s"], [inside]
    for heading, at, column in columns:
        headings.append(heading)
        values.append(at_times(inside, at, column))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    for row in np.stack(values, axis=1).tolist():
        writer.writerow(["" if value != value else repr(value) for value in row])
    return text.getvalue()
