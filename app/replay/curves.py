"""The plots of a run, for a page that shows them alone: each tab's panels, whichever link is looked at."""

from __future__ import annotations

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

from app.replay.parcel import Parcel
from app.sampling.quantities import catalogue
from app.sampling.sampler import Sampler
from app.state import Session
from app.state.cursor import Cursor
from app.views.plots.board import board_colors
from app.views.plots.cell import cell
from app.views.plots.panel_sets import PanelSets
from app.views.plots.panel_view import PanelView, Sampled, Sight
from app.views.plots.panels import Panel
from app.views.plots.plot_figure import Shared
from scenes import palette


class Figures:
    """The panels of one tab, drawn for any link and theme."""

    def __init__(self, name: str, panels: list[Panel], span: Range1d) -> None:
        self.name, self.panels = name, panels
        self._shared = Shared(span)
        self.views = [PanelView(self._shared, number, lambda time, value: None) for number in range(len(panels))]
        self.samples: list[list[NDArray[np.float64]]] = []
        self.looks: list[dict[palette.Theme, dict[str, Any]]] = []
        self._varied: dict[tuple[str, str], Model] = {}
        self._document = Document()
        for view in self.views:
            self._document.add_root(view.figure.plot)
        self._document.on_change(self._note)

    def _note(self, event: object) -> None:
        """What a look may have otherwise than another."""
        if isinstance(event, ModelChangedEvent) and not isinstance(event.model, ColumnDataSource):
            self._varied[event.model.id, event.attr] = event.model

    def draw(self, sight: Sight) -> None:
        for panel, view in zip(self.panels, self.views, strict=True):
            view.draw(panel, sight)
            view.figure.paint(sight.theme)
        self._shared.paint(sight.theme)

    def take(self, sights: Mapping[palette.Theme, Sight]) -> None:
        """How it looks at one link, in every theme; all looks have been drawn before."""
        self.looks.append({})
        for theme, sight in sights.items():
            self.draw(sight)
            cells = [cell(panel, view, sight) for panel, view in zip(self.panels, self.views, strict=True)]
            self.looks[-1][theme] = {"cells": cells, "attributes": self._attributes()}
        drawn = [view.drawn(panel, sight) for panel, view in zip(self.panels, self.views, strict=True)]
        self.samples.append([np.vstack([times, values.T]) for times, values in drawn])

    def _attributes(self) -> dict[str, dict[str, Any]]:
        """By model and name, as Bokeh's own data writes them; lists of models are the same in every look."""
        found: dict[str, dict[str, Any]] = {}
        for (key, name), model in self._varied.items():
            value = getattr(model, name)
            if not (isinstance(value, list) and any(isinstance(each, Model) for each in value)):
                found.setdefault(key, {})[name] = Serializer().encode(value)
        return found

    def data(self, parcel: Parcel) -> dict[str, Any]:
        """What the page needs: one document, and what is its own at each link and in each theme."""
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
        panels: of each tab; by default what it opens with. Bars and differences, which only a server makes, are lines.
    """

    def __init__(self, session: Session, panels: Mapping[str, tuple[Panel, ...]] | None = None) -> None:
        self._session, self._panels = session, panels
        self._known = catalogue(session.run.solution_at(0.0))
        self._sampler = Sampler(session.jobs)
        self._tabs: list[Figures] = []

    def draw(self) -> Iterator[None]:
        """A tab after the other, a link after the other."""
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
            sampled = Sampled(run, known, self._sampler.curves(run))
            sights = [
                {theme: Sight(sampled, (), session.system, cursor, theme, (0.0, run.duration))
                 for theme in palette.THEMES}
                for cursor in cursors
            ]  # fmt: skip
            for seen in sights:  # first, to see what is another at another link
                for sight in seen.values():
                    figures.draw(sight)
                yield
            for seen in sights:
                figures.take(seen)
                yield
            self._tabs.append(figures)
        self._sampler.stop()

    def data(self, parcel: Parcel) -> dict[str, Any]:
        """What the page needs of it."""
        return {
            "tabs": [figures.data(parcel) for figures in self._tabs],
            "colors": {theme: board_colors(theme) for theme in palette.THEMES},
        }
