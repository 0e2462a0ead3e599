"""*Walk*: the map of the computation, and the step at the cursor in formulas, numbers, words and code."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import panel as pn
import param
from panel.viewable import Viewable

import dynamics as dyn
from app.binding import Binding
from app.equations.sheet import Figures, Sheet
from app.equations.sheet_style import colors_of
from app.instruments.walk.controls import WalkControls
from app.instruments.walk.diagram import Diagram
from app.instruments.walk.links_sheet import TRUE_RUN, LinksSheet
from app.instruments.walk.matrix_tab import MatrixTab
from app.instruments.walk.step_sheet import BREAK_IT, OFFERED, TEXTS, elsewhere_html, shown_in, step_html, text_of
from app.number_text import read_index
from app.state import Session, walk
from app.state.arrangement import Line
from app.state.walk import AutoWalk, Place
from app.views.components import SMALL, Instrument, Panes, with_panes
from dynamics.reading import LineReading, stage_difference
from scenes import palette


class Tabs(Panes):
    """A row of names, and the open sheet below it. Arrows, *Home* and *End* move along the row."""

    names = param.List(default=[], item_type=str, doc="Of all, from left to right.")

    _esm = with_panes(Path(__file__).with_name("tabs.js"))

    def __init__(self, names: list[str], **params: Any) -> None:
        super().__init__(names=names, sizing_mode="stretch_both", margin=0, **params)


STEP, LINKS, MATRICES = SHEETS = "Step", "Links", "Matrices"
WALK = "Walk"
PERIOD = 0.3
"""Shortest time in seconds between two readings of the text while the motion plays."""


class Walker(Instrument):
    """Follows the cursor: words and formulas are sent when the step changes, numbers when the instant does."""

    def __init__(self, session: Session, auto_walk: AutoWalk, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._theme: palette.Theme = "light"
        self._diagram = Diagram(session.walk_to)
        self._step = Sheet(self._go)
        self._links: Sheet | None = None
        self._matrix: MatrixTab | None = None
        self._controls = WalkControls(session, auto_walk)
        self._layouts: dict[str, tuple[object, ...]] = {}
        self._links_sheet: LinksSheet | None = None
        self._shown: dict[str, tuple[object, ...]] = {}
        self._read_at = 0.0
        self._kind: tuple[str, int, bool] | None = None
        self._known: set[tuple[str, int, bool] | None] = set()
        self._typeset: tuple[dyn.System | None, tuple[LineReading, ...]] = (None, ())
        self._tabs = Tabs([*SHEETS])
        self._tabs.add(STEP, self._step)  # the others are added when they are opened
        self._sheets = Binding(
            self._tabs,
            lambda: session.sheet if session.sheet in SHEETS else STEP,
            self._choose_sheet,
            name="active",
            echoes=False,
        )
        self._sheets.follow()
        whole = f"{SMALL} {{ :host {{ overflow-y: auto; display: block !important; }} }}"
        self._view = pn.Column(self._controls, self._diagram, self._tabs, sizing_mode="stretch_both", margin=0,
                               stylesheets=[whole])  # fmt: skip

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        self._diagram.paint(theme)
        self._tabs.primary = palette.PRIMARY[theme]
        for sheet in (self._step, self._links, self._matrix and self._matrix.sheet):
            if sheet is not None:
                sheet.css = colors_of(theme)
        self._shown.clear()

    def forget(self) -> None:
        for sheet in filter(None, (self._step, self._links)):
            sheet.show("", ())
        if self._matrix is not None:
            self._matrix.forget()
        self._shown.clear()
        self._layouts.clear()

    def _go(self, where: str) -> None:
        """Handles a click in a sheet: ``link k``, ``cell i j`` of a whole matrix, ``mend``, ``see``, or ``break``."""
        if where == "mend":
            self._session.break_texts(frozenset())
            return
        if where in TEXTS:
            self._hand(*TEXTS[where])
            return
        if where.startswith("see ") and where[4:] in shown_in(self._session.system_here, self._session.place.stage):
            self._session.param.update(tab=where[4:], beside=WALK)
            return
        if where.startswith("break ") and where[6:] in {f"{line.stage}/{line.key}/0" for line in self._typeset[1]}:
            stage, key, _ = where[6:].split("/")
            self._session.param.update(line=Line(stage, key), tab=BREAK_IT, beside=WALK)
            return
        kind, *numbers = where.split() or [""]
        here = self._session.place
        indices = [index for index in map(read_index, numbers) if index is not None]
        system = self._session.system
        if not indices or max(indices) >= system.n_links:
            return
        link = indices[-1] if kind == "cell" and indices[0] == here.link else indices[0]
        self._session.select_link(link)

    def draw(self) -> None:
        session = self._session
        place = session.place
        system = session.system_here
        self._diagram.show(system, place)
        self._sheets.follow()
        tab = self._tabs.active
        if tab == MATRICES:
            if self._matrix is None:
                self._matrix = MatrixTab(session, self._go)
                self._matrix.sheet.css = colors_of(self._theme)
                self._tabs.add(MATRICES, self._matrix)
            self._matrix.draw(place)
            return
        absent = "" if session.cursor.stage in walk.stages(system) else session.cursor.stage
        wanted = (session.run, session.moment, session.breaks, place, absent, self._theme)
        if self._shown.get(tab) == wanted:
            return
        if tab == STEP:
            now = time.monotonic()
            if self._is_only_later(wanted) and now < self._read_at + PERIOD:
                return
            self._read_at = now
            self._draw_step(place, absent)
        else:
            self._draw_links(session.solution(), place)
        self._shown[tab] = wanted

    def _choose_sheet(self, name: str) -> None:
        if name in SHEETS:
            self._session.sheet = "" if name == STEP else name  # empty for the default, as in a link
            self.draw()

    def _is_only_later(self, wanted: tuple[object, ...]) -> bool:
        """Whether the motion plays on, and only the time differs from what is shown."""
        run, _, *others = wanted
        shown = self._shown.get(STEP)
        return self._session.playing and shown is not None and (shown[0], *shown[2:]) == (run, *others)

    def _draw_step(self, place: Place, absent: str) -> None:
        session = self._session
        reading = session.reading()
        figures = Figures.of(reading)
        difference = stage_difference(reading.solution, session.solution())
        system, lines = self._typeset
        lines = reading.lines(place.stage, place.link, place.half, lines if system is reading.system else ())
        self._typeset = reading.system, lines
        kind = (place.stage, place.half, place.link >= reading.system.n_joints)
        if session.walked and kind != self._kind:  # counts as read once left, except the step of a page that opens
            self._known.add(self._kind)
            self._kind = kind
        html = step_html(
            reading, difference, place, self._theme, figures, lines, session.time, absent, OFFERED,
            kind not in self._known,
        )  # fmt: skip
        html += elsewhere_html(reading.system, place.stage, lines)
        self._step.show(html, figures.numbers, passing=session.playing)

    def _hand(self, form: str, is_saved: bool) -> None:
        """Gives the browser the displayed step, as a program or as a document."""
        session, place = self._session, self._session.place
        text, name = text_of(session.reading(), place, form, session.title, session.time)
        if text:
            self._step.hand(text, f"This step as {form} is", name if is_saved else "")

    def _draw_links(self, solution: dyn.Solution, place: Place) -> None:
        if self._links is None:
            self._links = Sheet(self._go, css=colors_of(self._theme))
            self._tabs.add(LINKS, self._links)
        layout = (solution.system, place, self._theme, bool(self._session.textbook_breaks))
        if layout != self._layouts.get(LINKS) or self._links_sheet is None:
            self._layouts[LINKS] = layout
            self._links_sheet = LinksSheet(solution.system, place)
            note = TRUE_RUN if self._session.textbook_breaks else ""
            self._links.show(note + self._links_sheet.html, self._links_sheet.numbers(solution))
        else:
            self._links.show(None, self._links_sheet.numbers(solution))

    def __panel__(self) -> Viewable:
        return self._view
