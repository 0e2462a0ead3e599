"""Plain data and numeric arrays in one block of bytes, packed for a page without a server.

Numbers keep all their bits. Repeated rows are stored once, and each number is stored as its difference from the one
before, byte by byte, so that smooth curves compress well.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.document.events import ModelChangedEvent
from bokeh.model import Model
from bokeh.models import ColumnDataSource, Range1d
from numpy.typing import NDArray

from app.motion.quantities import catalogue
from app.motion.sampler import Sampler
from app.state import Session
from app.state.walk import Cursor
from app.views.plots.board import board_colors
from app.views.plots.panel_view import PanelView, PlotData, RunSamples, cell
from app.views.plots.panels import Panel, PanelSets
from app.views.plots.plot_figure import SharedModels
from scenes import palette

Reference = dict[str, Any]


class Parcel:
    """Collects arrays, each replaced in the data by a reference."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0
        self._series: dict[bytes, Reference] = {}

    def array(self, values: NDArray[Any]) -> Reference:
        """An array stored as it is; the browser restores it, row after row, from its type and offset."""
        packed = np.ascontiguousarray(values)
        return {"at": self._put(packed.tobytes(), packed.itemsize), "count": packed.size, "type": packed.dtype.name}

    def series(self, rows: NDArray[Any]) -> Reference:
        """Rows of numbers over time, (rows, instants): the distinct rows once, and the index of each row."""
        rows = np.ascontiguousarray(rows)
        key = hashlib.sha256(rows.tobytes()).digest()
        if key not in self._series:
            self._series[key] = self._new_series(rows)
        return self._series[key]

    def _new_series(self, rows: NDArray[Any]) -> Reference:
        distinct, which = distinct_rows(rows)
        planes = distinct.view(np.uint8).reshape(len(distinct), -1, distinct.itemsize).transpose(2, 0, 1)
        steps = np.diff(planes, axis=2, prepend=np.zeros_like(planes[:, :, :1]))
        return {
            "rows": self.array(which.astype(np.uint32)),
            "planes": self._put(steps.tobytes(), 1),
            "distinct": len(distinct),
            "instants": distinct.shape[1],
            "type": distinct.dtype.name,
        }

    def _put(self, packed: bytes, unit: int) -> int:
        """Appends bytes and returns their offset, aligned to the size of one number."""
        gap = -self._length % unit
        self._parts += [b"\0" * gap, packed]
        at = self._length + gap
        self._length = at + len(packed)
        return at

    def packed(self, data: object) -> str:
        return base64.b64encode(self.compressed(data)).decode()

    def compressed(self, data: object) -> bytes:
        """The whole block: length of the data, the data, and the arrays, gzipped."""
        head = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
        head += b" " * (-len(head) % 8)
        whole = b"".join([np.uint64(len(head)).tobytes(), head, *self._parts])
        return gzip.compress(whole, 9, mtime=0)


def distinct_rows(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The rows that differ in any bit, in order of first occurrence, and for each row its index among them."""
    seen: dict[bytes, int] = {}
    which = np.array([seen.setdefault(row.tobytes(), len(seen)) for row in rows], np.int64)
    first = np.unique(which, return_index=True)[1]
    return rows[first], which


class Figures:
    """The panels of one tab, drawn for any link and theme."""

    def __init__(self, name: str, panels: list[Panel], span: Range1d) -> None:
        self.name, self.panels = name, panels
        self._shared = SharedModels(span)
        self.views = [PanelView(self._shared, number, lambda time, value: None) for number in range(len(panels))]
        self.samples: list[list[NDArray[np.float64]]] = []
        self.looks: list[dict[palette.Theme, dict[str, Any]]] = []
        self._varied: dict[tuple[str, str], Model] = {}
        self._document = Document()
        for view in self.views:
            self._document.add_root(view.figure.plot)
        self._document.on_change(self._note)

    def _note(self, event: object) -> None:
        """Records an attribute that can differ between looks."""
        if isinstance(event, ModelChangedEvent) and not isinstance(event.model, ColumnDataSource):
            self._varied[event.model.id, event.attr] = event.model

    def draw(self, plot_data: PlotData) -> None:
        for panel, view in zip(self.panels, self.views, strict=True):
            view.draw(panel, plot_data)
            view.figure.paint(plot_data.theme)
        self._shared.paint(plot_data.theme)

    def take(self, sights: Mapping[palette.Theme, PlotData]) -> None:
        """Stores the look at one link, in every theme; all looks must have been drawn before."""
        self.looks.append({})
        for theme, plot_data in sights.items():
            self.draw(plot_data)
            cells = [cell(panel, view, plot_data) for panel, view in zip(self.panels, self.views, strict=True)]
            self.looks[-1][theme] = {"cells": cells, "attributes": self._attributes()}
        drawn = [view.drawn(panel, plot_data) for panel, view in zip(self.panels, self.views, strict=True)]
        self.samples.append([np.vstack([times, values.T]) for times, values in drawn])

    def _attributes(self) -> dict[str, dict[str, Any]]:
        """By model and name, as Bokeh serializes them; lists of models are the same in every look."""
        found: dict[str, dict[str, Any]] = {}
        for (key, name), model in self._varied.items():
            value = getattr(model, name)
            if not (isinstance(value, list) and any(isinstance(each, Model) for each in value)):
                found.setdefault(key, {})[name] = Serializer().encode(value)
        return found

    def data(self, parcel: Parcel) -> dict[str, Any]:
        """The data for the page: one document, and what differs between links and themes."""
        for view in self.views:
            view.figure.source.data = {name: [] for name in view.figure.source.data}
        return {
            "name": self.name,
            "document": self._document.to_json(deferred=False),
            "sources": [view.figure.source.id for view in self.views],
            "looks": self.looks,
            "samples": [[parcel.series(rows) for rows in drawn] for drawn in self.samples],
        }


class Curves:
    """Every tab that the machine has, as the page would open it at each of its links.

    Args:
        panels: of each tab; by default those it opens with. Bars and differences, which need a server, become lines.
    """

    def __init__(self, session: Session, panels: Mapping[str, tuple[Panel, ...]] | None = None) -> None:
        self._session, self._panels = session, panels
        self._known = catalogue(session.run.solution_at(0.0))
        self._sampler = Sampler(session.jobs)
        self._tabs: list[Figures] = []

    def draw(self) -> Iterator[None]:
        """Tab by tab, link by link."""
        session, run, known = self._session, self._session.run, self._known
        tabs = PanelSets(known).of_tabs if self._panels is None else self._panels
        cursors = [Cursor(link=k, arm=int(arm)) for k, arm in enumerate(session.system.arm_of_link)]
        for name, panels in tabs.items():
            plain = [
                replace(panel, bars=False, difference=False)
                for panel in panels
                if panel.traces and all(key in known for key, _ in panel.traces)
            ]
            if not plain:
                continue
            figures = Figures(name, plain, Range1d(0.0, run.duration))
            self._sampler.want([(run, known)], [trace for panel in figures.panels for trace in panel.traces])
            for _ in self._sampler.catching_up():
                yield
            sampled = RunSamples(run, known, self._sampler.curves(run))
            sights = [
                {theme: PlotData(sampled, (), session.system, cursor, theme, (0.0, run.duration))
                 for theme in palette.THEMES}
                for cursor in cursors
            ]  # fmt: skip
            for seen in sights:  # first, to record what differs between links
                for plot_data in seen.values():
                    figures.draw(plot_data)
                yield
            for seen in sights:
                figures.take(seen)
                yield
            self._tabs.append(figures)
        self._sampler.stop()

    def data(self, parcel: Parcel) -> dict[str, Any]:
        return {
            "tabs": [figures.data(parcel) for figures in self._tabs],
            "colors": {theme: board_colors(theme) for theme in palette.THEMES},
        }
