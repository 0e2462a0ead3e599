"""*Two filters*: the inertia of a free flyer's link from the tip, from the base, and together."""

from __future__ import annotations

import html
import time
from collections.abc import Callable

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, Range1d
from numpy.typing import NDArray

import dynamics as dyn
from app.binding import Binding
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures, Sheet
from app.instruments.small_plot import legend_html, legend_pane, line, small_plot
from app.instruments.two_filters_sheet import (
    STAGE,
    Comparison,
    Flight,
    base_html,
    branches_html,
    chain_html,
    flight_html,
    is_pushed,
    link_html,
)
from app.job import Job
from app.messages import in_words
from app.motion.errors import ERRORS
from app.number_text import number_text, read_index
from app.state import Session, walk
from app.state.walk import CORRECTION, Place
from app.views.components import Instrument, figure_pane, scrolled, text_pane
from dynamics.papers import run_redundant
from dynamics.solve import from_another_base, rebase
from scenes import palette

Array = NDArray[np.float64]
SECONDS = 1.0
STEPS = (0.04, 0.02, 0.01)  # Step sizes in s; each is half of the one before
DASHES = ("dotted", "dashed", "solid")
LEAST = 1e-16  # Smaller gaps, in m, are plotted here
SOUND = 1e-12  # Gap in m above which it is more than rounding
ABOUT = (
    "<h4>Each link by itself</h4><p class='note'>Both filters give every link its own acceleration, so every link "
    "could be integrated by itself (JR Algorithm 7); nothing but the accelerations then holds a joint together. The "
    "motion here has minimal coordinates, joints and one base: they cannot open.</p>"
)
START = "Let each link fly by itself"


def gaps(solution: dyn.Solution) -> list[Array] | str:
    """The gaps in metres at the joints over one second, for each of ``STEPS``; or why they are not known.

    Cost: four solutions by both filters per step.
    """
    try:
        runs = [run_redundant(solution.system, solution.state, solution.tau, SECONDS, dt) for dt in STEPS]
    except ERRORS as error:
        return in_words(error)
    return [np.array(run.gap) for run in runs]


def opened_html(found: list[Array], time: float, pushed: bool = False) -> str:
    """The result of a step size and of half of it.

    Args:
        pushed: whether an external push acted then, which these links do not feel.
    """
    last = [float(gap[-1]) for gap in found]
    said = ", ".join(
        f"<b>{number_text(gap, digits=2)} m</b> at steps of {1e3 * dt:g} ms"
        for gap, dt in zip(last, STEPS, strict=True)
    )
    share = last[-2] / last[-1] if last[-1] > SOUND else 0.0
    finer = f" Half the step leaves one part in {share:.2g}: only the integrator keeps them together." if share else ""
    alone = ", the push left out" if pushed else ""
    return (
        f"<p role='status'>From {time:.2f} s, its torques held{alone}: after {SECONDS:g} s the joints have opened by "
        f"up to {said}.{finer} In minimal coordinates: 0.</p>"
    )


class SeparateLinks:
    """A button, a sentence and a curve for each step size."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._job: Job[list[Array] | str] = session.jobs.new("the links could not be flown by themselves")
        self._button = pmui.Button(label=START, icon="scatter_plot", variant="outlined", size="small", margin=(6, 12))
        self._button.on_click(lambda _: self.start())
        self._outcome, self._legend = text_pane(), legend_pane()
        self._sources = [ColumnDataSource({"time": [], "gap": []}) for _ in STEPS]
        self._plot = small_plot(
            "apart", 170, "m, the widest joint against seconds", min_border_right=14,
            x_range=Range1d(0.0, SECONDS), y_range=Range1d(LEAST, 1e-2), y_axis_type="log",
        )  # fmt: skip
        self._plot.yaxis.ticker.desired_num_ticks = 4
        self._lines = [
            self._plot.line("time", "gap", source=source, line_width=2.0, line_dash=dash)
            for source, dash in zip(self._sources, DASHES, strict=True)
        ]
        self._of: dyn.System | None = None
        self.view = pn.Column(text_pane(ABOUT), self._button, self._outcome, sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        color = palette.quantity("dual_articulated_inertia", theme)
        for each in self._lines:
            each.glyph.line_color = color
        entries = [(line(color, dash), f"{1e3 * dt:g} ms") for dash, dt in zip(DASHES, STEPS, strict=True)]
        self._legend.object = legend_html(entries)

    def follow(self, system: dyn.System) -> None:
        """Discards the result of another machine."""
        if self._of is not None and self._of is not system:
            self._of, self._outcome.object, self.view[3:] = None, "", []

    def start(self) -> None:
        """Flies the links from the cursor's instant on, unless a flight is in progress."""
        session = self._session
        if self._job.busy or session.system_here.kind != "free_flyer":
            return
        self._button.disabled = True
        solution, time = session.solution(), session.time
        pushed = bool(np.any(session.run.wrench_at(time)))
        self._of = solution.system
        self._job.start(lambda: gaps(solution), lambda found: self._take(found, time, pushed), self._fail)

    def _fail(self, words: str) -> None:
        self._button.disabled = False
        self._outcome.object = f"<p class='warning'>{html.escape(words)}</p>"

    def _take(self, found: list[Array] | str, time: float, pushed: bool) -> None:
        if isinstance(found, str):
            self._fail(found)
            return
        self._button.disabled = False
        if self._of is None:  # the machine was left meanwhile
            return
        if len(self.view.objects) == 3:
            self.view.extend([figure_pane(self._plot), self._legend])
        self._outcome.object = opened_html(found, time, pushed)
        for source, gap in zip(self._sources, found, strict=True):
            source.data = {"time": np.linspace(0.0, SECONDS, len(gap)), "gap": np.maximum(gap, LEAST)}
        self._plot.y_range.end = 3.0 * max(float(gap.max()) for gap in found)


PERIOD = 0.3  # Shortest time in seconds between two updates while the motion plays
DRAWN = ("articulated_inertia", "dual_articulated_inertia", "operational_space_inertia")  # The layers of P, S and P+S


class TwoFilters(Instrument):
    """Follows the cursor's link and instant, and sends what changed.

    Args:
        open_walk: opens the walk after a click that leads there.
    """

    def __init__(self, session: Session, open_walk: Callable[[], None], **params: object) -> None:
        super().__init__(**params)
        self._session, self._open_walk = session, open_walk
        self._around = session.around
        self._rebased: tuple[dyn.System, str, dyn.System] | None = None
        self._chain, self._link, self._branches, self._counted, self._flight = (Sheet(self._go) for _ in range(5))
        self._apart = SeparateLinks(session)
        self.painted = self._chain, self._link, self._branches, self._counted, self._flight, self._apart
        self._start: tuple[tuple[object, ...], dyn.Solution] | None = None

        def is_drawn() -> bool:
            return set(DRAWN) <= set(session.layers) and not session.is_staged

        self._world = pmui.Switch(label="Show its P, S and P+S in the world", size="small", margin=(4, 12))
        self._shown_in_world = Binding(self._world, is_drawn, self._draw_in_world)
        self._shown: tuple[object, ...] = ()
        self._looked_at = 0.0
        session.param.watch(lambda *_: self._shown_in_world.follow(), ["layers", "follows_walk", "walked"])
        self._shown_in_world.follow()
        felt = (self._chain, self._world, self._link, self._branches)
        self.view = scrolled(*felt, self._counted, self._flight, self._apart.view)

    def paint(self, theme: palette.Theme) -> None:
        super().paint(theme)
        self._shown = ()

    def _go(self, where: str) -> None:
        """Handles a click: ``link k``, ``row k``, ``base k`` or ``walk``."""
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
        """Makes a link the base without changing the run; if that is impossible, keeps the base and reports why."""
        system = self._session.system_here
        before, self._session.base = self._base, "" if name == system.link_names[-1] else name
        try:
            self._other(system)
        except dyn.ModelError as error:
            self._session.base = before
            self._session.message = f"{name} cannot be called the base: {error}"

    def _other(self, system: dyn.System) -> dyn.System | None:
        """The machine counted from the chosen base; None if that is its own."""
        if self._base not in system.link_names[:-1]:
            return None
        if self._rebased is None or self._rebased[:2] != (system, self._base):
            self._rebased = system, self._base, rebase(system, self._base)
        return self._rebased[2]

    @property
    def _base(self) -> str:
        """The link chosen as the base; empty for the machine's own."""
        return self._session.base

    def _draw_in_world(self, on: bool) -> None:
        """Shows P, S and P+S of the cursor's link alone, or restores the layers."""
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
        wanted = (session.run, session.moment, system, link, self._base, self.theme)
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
        text = link_html(session.whole_reading(), solution, link, self.theme, own)
        self._link.show(text, own.numbers, passing=session.playing)
        met = Figures()
        self._branches.show(branches_html(solution, met), met.numbers, passing=session.playing)
        text = base_html(comparison, system, link, self.theme, both)
        self._counted.show(text, both.numbers, passing=session.playing)
        flown = Figures()
        text = flight_html(self._flown(solution), session.run.begin, self.theme, flown)
        self._flight.show(text, flown.numbers, passing=session.playing)

    def _flown(self, solution: dyn.Solution) -> Flight:
        """From the run's oldest instant to the cursor's."""
        run, time = self._session.run, self._session.time
        of = (run, run.begin)
        if self._start is None or self._start[0] != of:
            self._start = of, run.solution_at(run.begin)
        return Flight(self._start[1], solution, time - run.begin, is_pushed(run, time))

    def _compared(self, solution: dyn.Solution) -> Comparison | None:
        """This instant from the chosen base beside the machine's own; None if they are the same."""
        try:
            other = self._other(solution.system)
        except dyn.ModelError:  # the machine's bodies have been changed since
            other = None
        if other is None:
            return None
        wrench = self._session.run.wrench_at(self._session.time)
        return Comparison(solution, from_another_base(solution, other, wrench))
