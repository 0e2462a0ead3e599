"""The contact stage as an estimator, R88 Section 9: predict, measure, correct; and the effect of a different object."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui
from numpy.typing import NDArray

import dynamics as dyn
from app.binding import Binding
from app.equations.formula import formula
from app.equations.pictures import RELEASED, balanced_html, triangles_html
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures, Sheet, action_html
from app.instruments.contact_html import (
    FORCES,
    FORMS,
    MOBILITY,
    StaggeredPlot,
    Sweeps,
    chain_html,
    forms_html,
    grips_html,
    hidden_html,
    limits_html,
    omega_html,
    squeeze_html,
    sweeps,
    told_html,
    uncorrected_html,
    weight_text,
)
from app.instruments.contact_sweep import MOST, Directions, Sweep, SweepPlots, directions, sweep, what_if
from app.job import Job
from app.messages import in_words
from app.motion.errors import ERRORS
from app.motion.interventions import DIRECTIONS, GRIPS, passing, way_of
from app.number_text import number_text, read_index
from app.state import Session
from app.state.arrangement import ContactTrial
from app.views.components import SMALL, Instrument, text_pane
from dynamics.solve import ContactGain, contact_gain
from scenes import layers

Array = NDArray[np.float64]


def bounded(decade: object) -> float:
    """The decade within its range, whatever a browser sends."""
    if not isinstance(decade, int | float) or not np.isfinite(decade):
        return 0.0
    return min(max(float(decade), -MOST), MOST)


PERIOD = 0.3  # Shortest time in seconds between two updates while the motion plays
REST, LONG = 0.3, 1.0
"""Seconds without another change before slower computations start; and seconds after which a change counts as isolated,
so that they start at once."""
STEPS = 20  # Slider steps per decade of mass: an arrow key moves one, Page Up and Page Down move ten
TITLE = "<h3>Predict, measure, correct</h3>"
ABOUT = (
    "<p>The tips predict the forces with which they push if the object does not give way; what the object needs is "
    "the measurement; the gain says how much of the difference is corrected.</p>",
    "<p>Let go, the object would accelerate by its own forces: that is the prediction. The free tips' accelerations "
    "are the measurement; the gain, transposed, says how much of the difference is corrected.</p>",
)
"""Introductions to (9.1) and (9.2)."""
OTHERS = "<h3>From light to heavy, at this moment</h3>"
LATER = "<h3>From light to heavy</h3><p class='note'>What follows is computed when the motion is paused.</p>"
WAYS = tuple(layer.name for layer in layers.WAYS)
WALK = action_html("walk", "The walk's contact stage")
NAME = "Contact"
MASS = "Object's mass"
IN_THE_WORLD = "Directions, in the world"
LOOK = Path(__file__).with_name("contact.css").read_text(encoding="utf-8")


@dataclass(frozen=True, eq=False)
class TrialComparison:
    """An instant, and the same instant with the object and world on trial.

    Attributes:
        solution, wrench: the actual solution, and the external push.
        decade, gravity: of the object and world on trial.
        found: the solution with them.
        gain, ways: its gain, and the directions in which the object's weight has no influence.
        share: largest element of the gain relative to that with the actual object.
    """

    solution: dyn.Solution
    wrench: Array | None
    decade: float
    gravity: bool
    found: dyn.Solution
    gain: ContactGain
    ways: Directions
    share: float


def shows_ways(session: Session) -> bool:
    return set(WAYS) <= set(session.layers)


def has_weight(system: dyn.System) -> bool:
    return bool(np.any(system.gravity))


def look(
    solution: dyn.Solution, wrench: Array | None, decade: float, gravity: bool, before: TrialComparison | None = None
) -> TrialComparison:
    """Evaluates an instant.

    Args:
        before: an instant just before this one; its directions are reused if the grips are the same: they cost as
            much as everything else, and change only at singular postures.

    Raises:
        ModelError, SingularConfigurationError: if such an object is impossible.
    """
    found = what_if(solution, wrench, decade, gravity)
    gain = contact_gain(found.system, found.state)
    own = gain if found is solution else contact_gain(solution.system, solution.state)
    share = np.abs(gain.by_mobility).max() / max(np.abs(own.by_mobility).max(), 1e-300)
    if before is not None and before.solution.system is solution.system:
        ways = before.ways
    else:
        ways = directions(solution)
    return TrialComparison(solution, wrench, decade, gravity, found, gain, ways, float(share))


def stepped(seen: TrialComparison) -> Sweeps | str:
    """The sweeps for the object on trial, or why there are none."""
    try:
        return sweeps(seen.found, seen.gain, seen.wrench, seen.decade)
    except ERRORS as error:
        return html.escape(in_words(error))


class ContactStage(Instrument):
    """The chain with its numbers for the actual object or another, and plots over eight decades of mass."""

    def __init__(self, session: Session, open_walk: Callable[[], None] = lambda: None, **params: object) -> None:
        super().__init__(**params)
        self._session, self._open_walk = session, open_walk
        self._decade = pmui.IntSlider(
            label=MASS, show_value=False, start=round(-MOST * STEPS), end=round(MOST * STEPS), value=0, size="small",
            sizing_mode="stretch_width", margin=(10, 24, 0, 24),
        )  # fmt: skip
        self._gravity = pmui.Switch(label="Gravity", value=True, size="small", margin=(0, 12))
        self._decades = Binding(
            self._decade,
            lambda: round(bounded(self._tried.decades) * STEPS),
            lambda step: self._try(decades=bounded(step / STEPS)),
        )
        self._weights = Binding(
            self._gravity, lambda: self._tried.gravity, lambda weighs: self._try(gravity=bool(weighs))
        )
        # Separate sheets, because a button that is rewritten under the pointer receives no click.
        self._sheet, self._omega, self._grips, self._limits = (Sheet(self._go, LOOK) for _ in range(4))
        self._ways = pmui.Switch(label=IN_THE_WORLD, value=shows_ways(session), size="small", margin=(4, 12))
        self._switch = Binding(self._ways, lambda: shows_ways(session), self._show_ways)
        self._plots, self._staggered, self._title = SweepPlots(), StaggeredPlot(), text_pane(OTHERS)
        sheets, plots = (self._omega, self._grips, self._ways, self._title), (self._plots.view, self._limits)
        self._others = pn.Column(*sheets, *plots, self._staggered.view, sizing_mode="stretch_width", margin=0)
        self.painted = self._sheet, self._omega, self._grips, self._limits, self._plots, self._staggered
        self._job: Job[Sweep] = session.jobs.new("other objects cannot be tried")
        self._steps: Job[Sweeps | str] = session.jobs.new("the sweeps cannot be made")
        self._stepped: tuple[object, ...] = ()
        self._swept: tuple[object, ...] = ()
        self._drawn_at = 0.0
        self._moment, self._moved_at, self._alone = tuple[object, ...](), -LONG, True
        self._there: TrialComparison | None = None
        self._shown: tuple[object, ...] = ()
        moved = pn.Column(
            self._sheet, self._others, sizing_mode="stretch_both", scroll="y", margin=0, stylesheets=[MOVED]
        )
        tried = pmui.Row(self._decade, self._gravity, sizing_mode="stretch_width", margin=(4, 0, 0, 0))
        # The controls of the object stay in view with everything that they change.
        self.view = pn.Column(
            tried, self._plots.first, moved, sizing_mode="stretch_both", margin=0, stylesheets=[WHOLE]
        )

    def _go(self, where: str) -> None:
        """Handles a click: ``form`` of the gain, ``dual`` problem, ``grip`` of a tip, ``pass`` there, ``walk``."""
        kind, _, what = where.partition(" ")
        session = self._session
        if kind == "form" and what in FORMS:
            self._try(form=what)
        elif kind == "dual":
            self._try(dual=what == "1")
        elif kind == "grip":
            self._grip(*what.partition(" ")[::2])
        elif kind == "pass":
            self._turn(*what.partition(" ")[::2])
        elif kind == "walk" and session.system_here.is_held:
            session.walk_to(session.place_in("contact"))
            self._open_walk()

    def _show_ways(self, shown: bool) -> None:
        session = self._session
        if shown != shows_ways(session):
            others = [name for name in session.layers if name not in WAYS]
            session.layers = [*others, *WAYS] if shown else others

    def _grip(self, tip: str, kind: str) -> None:
        held = {str(contact.tip): contact for contact in self._session.system_here.contacts}
        if tip in held and kind in GRIPS and held[tip].kind != kind:
            self._session.grip(held[tip].tip, kind)

    def _turn(self, tip: str, direction: str) -> None:
        held = {str(contact.tip): contact for contact in self._session.system_here.contacts}
        at = read_index(direction)
        if tip not in held or at is None or at >= len(DIRECTIONS):
            return
        digits = list(passing(held[tip]))
        digits[at] = "0" if digits[at] == "1" else "1"
        try:
            self._session.grip(held[tip].tip, way_of("".join(digits)))
        except dyn.ModelError as error:
            self._session.message = in_words(error)

    @property
    def _tried(self) -> ContactTrial:
        return self._session.contact

    def _try(self, **chosen: Any) -> None:
        """Tries another object, world or form; what is not given stays."""
        self._session.choose("contact", **chosen)
        if not chosen.keys() & {"form", "dual"}:
            self._session.playing = False  # the trial concerns one instant and is shown in the 3D view
        self._drawn_at = 0.0
        self.redraw()

    @property
    def _form(self) -> str:
        return self._tried.form if self._tried.form in FORMS else MOBILITY

    @property
    def _other(self) -> tuple[float, bool]:
        """Decade and gravity of the object and world on trial."""
        return bounded(self._tried.decades), self._tried.gravity or not self._gravity.visible

    def draw(self) -> None:
        """Shows the chain at the cursor's instant, and starts slower computations until they have caught up with it."""
        session, now = self._session, time.monotonic()
        weighs = has_weight(session.system_here)
        self._gravity.visible = weighs  # without weight there is nothing to take away
        other = self._other
        for binding in (self._decades, self._weights, self._switch):
            binding.follow()
        moment = session.moment
        wanted = (*moment, other, (self._form, self._tried.dual))
        if wanted != self._shown and not (session.playing and now < self._drawn_at + PERIOD):
            self._shown, self._drawn_at = wanted, now
            self._plots.point(other[0])
            self._there = self._draw_chain(*other)
            self._others.visible = self._there is not None
        if self._there is not None:
            self._compare(self._there, self._shown[:-2], now)

    def _draw_chain(self, decade: float, gravity: bool) -> TrialComparison | None:
        """What is shown; None if nothing is held, or there is no solution."""
        session = self._session
        if not session.system_here.is_held:
            self._decade.label = MASS
            session.instead = None
            self._sheet.show(f"{TITLE}{ABOUT[False]}{RELEASED}", ())
            return None
        try:
            before = self._there if session.playing else None
            seen = look(session.solution(), session.run.wrench_at(session.time), decade, gravity, before)
            self._show(seen)
        except ERRORS as error:
            about = f"{TITLE}{ABOUT[self._tried.dual]}"
            self._sheet.show(f"{about}<p class='warning'>{html.escape(in_words(error))}</p>", ())
            return None
        return seen

    def _compare(self, seen: TrialComparison, moment: tuple[object, ...], now: float) -> None:
        """Runs the mass sweep and the sweeps without the gain, each as a job, once the motion stands still.

        Not while a slider moves: a sweep takes half a second of CPU time, which the slider needs.
        """
        if moment != self._moment:
            self._moment, self._moved_at, self._alone = moment, now, now >= self._moved_at + LONG
        session = self._session
        self._title.object = LATER if session.playing else OTHERS
        rests = self._alone or now >= self._moved_at + REST
        if session.playing or session.is_restless or not rests:
            return
        if (*moment, seen.gravity) != self._swept and not self._job.busy:
            self._swept = (*moment, seen.gravity)
            self._job.start(partial(sweep, seen.solution, seen.wrench, seen.gravity), partial(self._take, seen))
        wanted = (*moment, seen.decade, seen.gravity)
        if wanted != self._stepped and not self._steps.busy:
            self._stepped = wanted
            self._steps.start(partial(stepped, seen), partial(self._take_steps, seen))

    def _take(self, seen: TrialComparison, found: Sweep) -> None:
        self._plots.show(found, seen.ways)
        self._limits.show(limits_html(found, seen.gravity and has_weight(seen.solution.system), seen.ways), ())

    def _take_steps(self, seen: TrialComparison, found: Sweeps | str) -> None:
        if isinstance(found, str):
            self._staggered.refuse(found)
        else:
            self._staggered.show(found, seen.gain.shares, seen.ways)

    def _show(self, seen: TrialComparison) -> None:
        found, gain = seen.found, seen.gain
        self._session.instead = None if found is seen.solution else (NAME, self._session.moment, found)
        figures = Figures(shortest_radius(found.system))
        payload = found.system.task_object
        weighs = seen.gravity and has_weight(seen.solution.system)
        weight = weight_text(0.0 if payload is None else payload.mass)
        self._decades.follow(
            label=f"{MASS}: {weight} kg, × {number_text(10.0**seen.decade, digits=3)}", value_label=f"{weight} kg"
        )
        is_other = seen.decade != 0.0 or not seen.gravity
        what = " <b>instead of the one that is carried</b>, whose run the plots show" if is_other else ""
        where = f"<p class='where'>An object of <b>{weight} kg</b>{'' if seen.gravity else ', no gravity'}{what}.</p>"
        dual = self._tried.dual
        of_forces = (
            ""
            if dual
            else f"<p>{formula(FORCES)}</p>{uncorrected_html(found) or balanced_html(found)}"
            f"{triangles_html(found, self.theme, figures)}"  # first: it is the picture for a class
        )
        text = (
            f"{TITLE}{of_forces}{ABOUT[dual]}{where}{told_html(gain, seen.ways, weighs and not dual)}"
            f"{chain_html(found, gain, self._form, figures, seen.share, dual)}"
            f"{forms_html(gain, self._form)}"
            f"{squeeze_html(found, gain, figures)}{hidden_html(found)}"
            f"<p role='group' aria-label='Elsewhere'>{WALK}</p>"
        )
        self._sheet.show(text, figures.numbers)
        figures = Figures(shortest_radius(found.system))
        self._omega.show(omega_html(gain, figures), figures.numbers, passing=self._session.playing)
        self._grips.show(grips_html(found.system), ())


WHOLE = f"{SMALL} {{ :host {{ display: block; overflow-y: auto; }} }}"
MOVED = f"{SMALL} {{ :host {{ height: auto !important; overflow: visible; }} }}"
