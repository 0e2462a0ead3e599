"""*Two filters*: what a link of a free flyer feels from the tip, from the base, and together."""

from __future__ import annotations

import time
from collections.abc import Callable

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable

import dynamics as dyn
from app.binding import Binding
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures, Sheet
from app.equations.sheet_style import colors_of
from app.instruments.two_filters_apart import Apart
from app.instruments.two_filters_base import Comparison, base_html
from app.instruments.two_filters_branches import branches_html
from app.instruments.two_filters_flight import Flight, flight_html, is_pushed
from app.instruments.two_filters_sheet import STAGE, chain_html, link_html
from app.number_text import read_index
from app.state import Session, walk
from app.state.walk import CORRECTION, Place
from app.views.instrument import Instrument
from dynamics.methods import from_another_base
from dynamics.operators import rebase
from scenes import palette

PERIOD = 0.3
"""Least seconds between two looks while the motion plays."""
DRAWN = ("articulated_inertia", "dual_articulated_inertia", "operational_space_inertia")
"""The layers of P, S and P+S."""


class TwoFilters(Instrument):
    """Follows the cursor's link and instant; sends what changed.

    Args:
        open_walk: what a click that leads there opens.
    """

    def __init__(self, session: Session, open_walk: Callable[[], None], **params: object) -> None:
        super().__init__(**params)
        self._session, self._open_walk = session, open_walk
        self._theme: palette.Theme = "light"
        self._around = session.around
        self._rebased: tuple[dyn.System, str, dyn.System] | None = None
        self._chain, self._link, self._branches, self._counted, self._flight = (Sheet(self._go) for _ in range(5))
        self._apart = Apart(session)
        self._start: tuple[tuple[object, ...], dyn.Solution] | None = None
        self._world = pmui.Switch(label="Show its P, S and P+S in the world", size="small", margin=(4, 12))
        self._shown_in_world = Binding(self._world, self._is_drawn, self._draw_in_world)
        self._shown: tuple[object, ...] = ()
        self._looked_at = 0.0
        session.param.watch(lambda *_: self._shown_in_world.follow(), ["layers", "follows_walk", "walked"])
        self._shown_in_world.follow()

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        for sheet in (self._chain, self._link, self._branches, self._counted, self._flight):
            sheet.css = colors_of(theme)
        self._apart.paint(theme)
        self._shown = ()

    def _go(self, where: str) -> None:
        """What was clicked: ``link k``, ``row k``, ``base k`` or ``walk``."""
        session, (kind, *numbers) = self._session, where.split() or [""]
        system = session.system_here
        if kind == "walk":
            link = session.place_in(STAGE).link
            session.walk_to(walk.at_link(system, Place(STAGE, 0, link, 0), link, CORRECTION))
            self._open_walk()
            return
        link_number = read_index(numbers[0]) if len(numbers) == 1 else None
        if link_number is None or link_number >= system.n_links:
            return
        if kind in ("link", "row"):
            session.select_link(link_number)
        elif kind == "base":
            self._count_from(system.link_names[link_number])
        self.draw()

    def _count_from(self, name: str) -> None:
        """Calls a link the base; the run is not asked. What cannot fly alone stays no base, and why is said."""
        system = self._session.system_here
        before, self._session.base = self._base, "" if name == system.link_names[-1] else name
        try:
            self._other(system)
        except dyn.ModelError as error:
            self._session.base = before
            self._session.message = f"{name} cannot be called the base: {error}"

    def _other(self, system: dyn.System) -> dyn.System | None:
        """The machine counted from the chosen base; None for its own."""
        if self._base not in system.link_names[:-1]:
            return None
        if self._rebased is None or self._rebased[:2] != (system, self._base):
            self._rebased = system, self._base, rebase(system, self._base)
        return self._rebased[2]

    @property
    def _base(self) -> str:
        """The link that is called the base; empty for the machine's own."""
        return self._session.base

    def _is_drawn(self) -> bool:
        return set(DRAWN) <= set(self._session.layers) and not self._session.is_staged

    def _draw_in_world(self, on: bool) -> None:
        """P, S and P+S of the cursor's link alone; or as it was before."""
        session = self._session
        others = [name for name in session.layers if name not in DRAWN]
        if on:
            self._around = session.around
            session.param.update(layers=[*others, *DRAWN], around="link", follows_walk=False)
        else:
            session.param.update(layers=[*others, DRAWN[0]], around=self._around)

    def draw(self) -> None:
        session = self._session
        system = session.system_here
        if system.kind != "free_flyer":
            return
        self._shown_in_world.follow()
        self._apart.follow(system)
        link = session.place_in(STAGE).link
        wanted = (session.run, session.moment, system, link, self._base, self._theme)
        now = time.monotonic()
        late = session.playing and (wanted[0], *wanted[2:]) == (self._shown[:1] + self._shown[2:])
        if wanted == self._shown or (late and now < self._looked_at + PERIOD):
            return
        self._shown, self._looked_at = wanted, now
        solution = session.solution()
        chain, own, both = Figures(), Figures(shortest_radius(system)), Figures(shortest_radius(system))
        comparison = self._compared(solution)
        text = chain_html(solution, link, chain, None if comparison is None else comparison.other)
        self._chain.show(text, chain.numbers, passing=session.playing)
        text = link_html(session.whole_reading(), solution, link, self._theme, own)
        self._link.show(text, own.numbers, passing=session.playing)
        met = Figures()
        self._branches.show(branches_html(solution, met), met.numbers, passing=session.playing)
        text = base_html(comparison, system, link, self._theme, both)
        self._counted.show(text, both.numbers, passing=session.playing)
        flown = Figures()
        text = flight_html(self._flown(solution), session.run.begin, self._theme, flown)
        self._flight.show(text, flown.numbers, passing=session.playing)

    def _flown(self, solution: dyn.Solution) -> Flight:
        """From the run's oldest instant to the cursor's."""
        run, time = self._session.run, self._session.time
        of = (run, run.begin)
        if self._start is None or self._start[0] != of:
            self._start = of, run.solution_at(run.begin)
        return Flight(self._start[1], solution, time - run.begin, is_pushed(run, time))

    def _compared(self, solution: dyn.Solution) -> Comparison | None:
        """This moment from the chosen base beside the machine's own; None where that is the same."""
        try:
            other = self._other(solution.system)
        except dyn.ModelError:  # of a machine whose bodies were changed since
            other = None
        if other is None:
            return None
        wrench = self._session.run.wrench_at(self._session.time)
        return Comparison(solution, from_another_base(solution, other, wrench))

    def __panel__(self) -> Viewable:
        felt = (self._chain, self._world, self._link, self._branches)
        sheets = (*felt, self._counted, self._flight, self._apart.view)
        return pn.Column(*sheets, sizing_mode="stretch_both", scroll="y", margin=0)
