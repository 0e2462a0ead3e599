"""*Estimation*: the random problem that shares its equations with the arm, in words, and sampled and filtered."""

from __future__ import annotations

import functools
import html
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import value_html
from app.equations.formula import formula, unit_html
from app.equations.rounding import Loads, shortest_radius
from app.equations.sheet import Figures, Sheet, action_html
from app.instruments.estimation_draws import (
    INNOVATIONS,
    MEASURED,
    ConvergenceCurve,
    Draws,
    covariances_html,
    links_html,
    variance_html,
    whiteness_html,
)
from app.number_text import read_index
from app.state import Session, walk
from app.state.walk import CORRECTION, PREDICTION, Place
from app.views.components import Instrument, scrolled, text_pane
from dynamics.reading import Reading, textbook_letters
from dynamics.solve import smoothed_force_covariance
from scenes import palette

Array = NDArray[np.float64]
SMOOTHED = "smoothed_force_covariance"
FINAL = ("force", "acceleration")  # Quantities that the last smoother finds when an object is held


@dataclass(frozen=True)
class Entry:
    """One quantity under two names.

    Attributes:
        name: of the stage's array, or the letter of an input of the text, or ``SMOOTHED``.
        stage, half: of the walk's step that computes or uses it.
    """

    name: str
    stage: str
    half: int


ENTRIES = (
    Entry("force", "smoother", CORRECTION),
    Entry("phi", "filter", PREDICTION),
    Entry("M", "filter", PREDICTION),
    Entry("tau", "filter", CORRECTION),
    Entry("H", "filter", CORRECTION),
    Entry("I_r", "filter", CORRECTION),
    Entry("predicted_force", "filter", PREDICTION),
    Entry("articulated_inertia", "filter", PREDICTION),
    Entry("innovation", "filter", CORRECTION),
    Entry("joint_inertia", "filter", CORRECTION),
    Entry("kalman_gain", "filter", CORRECTION),
    Entry("corrected_force", "filter", CORRECTION),
    Entry("articulated_inertia_updated", "filter", CORRECTION),
    Entry("residual", "filter", CORRECTION),
    Entry("acceleration", "smoother", CORRECTION),
    Entry("costate_covariance", "smoother", CORRECTION),
    Entry(SMOOTHED, "smoother", CORRECTION),
)
"""In the order in which the problem is posed, filtered and smoothed."""


@dataclass(frozen=True)
class EntryWords:
    """An entry in words."""

    latex: str
    estimation: str
    mechanics: str
    unit: str
    equation: str


@functools.cache
def said(entry: Entry) -> EntryWords:
    """From the registry and the text's letters, which lack only R87 (65) and the statement of the problem."""
    if entry.name == SMOOTHED:
        inertia = dyn.registry["filter", "articulated_inertia"]
        return EntryWords(
            r"(P-P\Lambda P)(k)",
            "smoothed state covariance",
            "inertia that no torque reveals",
            inertia.unit,
            "R87 (65)",
        )
    if (quantity := dyn.registry.get((entry.stage, entry.name))) is not None:
        first = f"state, {quantity.estimation_name}" if entry.name == "force" else quantity.estimation_name
        mechanics = quantity.mechanics_name.replace(", object not held", "")
        return EntryWords(quantity.symbol, first, mechanics, quantity.unit, quantity.equation)
    letter = next(each for each in textbook_letters() if each.name == entry.name)
    own = letter.quantity
    at = "(k,j)" if entry.name == "phi" else "(k)"
    mechanics = own.mechanics_name.replace("O_j to O_k", "the outboard joint j to joint k")
    return EntryWords(letter.latex + at, own.estimation_name, mechanics, own.unit, own.equation)


def place_of(entry: Entry, system: dyn.System, link: int) -> Place:
    """Its place in the walk."""
    last = next(stage for stage in reversed(walk.stages(system)) if stage.startswith("smoother"))
    stage = last if entry.name in FINAL else entry.stage
    return walk.at_link(system, Place(stage, 0, link, entry.half), link, entry.half)


@dataclass(frozen=True, eq=False)
class Moment:
    """The source of the numbers: a solution, the inputs of its text, and R87 (65)."""

    solution: dyn.Solution
    reading: Reading
    smoothed: Array

    @functools.cached_property
    def loads(self) -> Loads:
        """The loads compared with which residuals at rest are rounding."""
        return Loads.of(self.solution.system, self.solution.stages)

    def value(self, entry: Entry, link: int) -> Array:
        """The value as a matrix; for the transition, those of all outboard neighbors side by side."""
        system = self.solution.system
        if entry.name == SMOOTHED:
            return self.smoothed[link]
        stage = self.solution.stages[place_of(entry, system, link).stage]
        if entry.name in stage:
            value = np.asarray(self.loads.without_rounding(entry.name, stage[entry.name])[link], dtype=float)
            return value.reshape((-1, 1)) if value.ndim < 2 else value
        letter = self.reading.letter(entry.name)
        if entry.name != "phi":
            return np.asarray(letter[link], dtype=float)
        outboard = np.flatnonzero(np.asarray(system.inboard) == link)
        return np.hstack([np.asarray(letter(link, int(j))) for j in outboard]) if len(outboard) else np.empty((0, 0))


def words_html(moment: Moment, link: int, theme: palette.Theme, figures: Figures) -> str:
    """The whole list; a click on a pair of words leads to its step."""
    rows = "".join(_row(at, entry, moment, link, theme, figures) for at, entry in enumerate(ENTRIES))
    return (
        "<h4>One thing, two names</h4><p class='note'>The numbers are the motion's own at this moment; "
        "in a covariance 1 kg m² stands for 1 (N m)², 1 kg for 1 N². "
        "A click on the words leads to the step in <i>Walk</i>.</p>"
        f"<div class='both heads'><b>Kalman</b><b>Rodriguez</b></div>{rows}"
    )


def _row(at: int, entry: Entry, moment: Moment, link: int, theme: palette.Theme, figures: Figures) -> str:
    words, value = said(entry), moment.value(entry, link)
    names = f"{html.escape(words.estimation)}</span><span>{html.escape(words.mechanics)}"
    label = html.escape(f"{words.estimation}: {words.mechanics}. Go to its step.", quote=True)
    source = f" <span class='source'>{html.escape(words.equation)}</span>" if words.equation else ""
    if value.size and value.shape[1] == 1 < value.shape[0]:  # six numbers are shown in a line
        first = figures.count
        figures.put(value)
        cells = [f"<span {figures.cell()}></span>" for _ in range(6)]
        shown = f"<span class='vector' data-first='{first}'>[{' '.join(cells[:3])}; {' '.join(cells[3:])}]</span>"
    else:
        shown = value_html(value, figures) if value.size else "<span class='none'>nothing is outboard</span>"
    color = palette.quantity(entry.name if entry.name != SMOOTHED else "articulated_inertia", theme)
    return (
        f"<section class='equation' id='word-{at}' data-equation='{entry.stage} {entry.name}' style='--own: {color}'>"
        f"<div class='both go' data-go='step {at}' tabindex='0' role='link' aria-label='{label}'><span>{names}</span>"
        f"</div><div class='numbers'><div class='term line'><div class='symbol'>{formula(words.latex)} =</div>"
        f"<div class='value'>{shown}</div></div></div>"
        f"<footer><span class='unit'>{unit_html(words.unit)}</span>{source}</footer></section>"
    )


NAME = "Estimation"
PERIOD = 0.3  # Shortest time in seconds between two updates of the numbers while the motion plays
INTRODUCTION = (
    "<h3>Estimation</h3><p>Take the force at a joint as the state of a random process, and the joint's torque as the "
    "measurement of it: then a Kalman filter's covariances are the arm's inertias. Draw such a process at this "
    "posture, filter it, and see.</p>"
)
SEEN = (INNOVATIONS, MEASURED)


LOOK = Path(__file__).with_name("estimation.css").read_text(encoding="utf-8")


class Estimation(Instrument):
    """Draws at the cursor's posture, their statistics at the cursor's link, and the words for all quantities there."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.draws = Draws(session)
        self._links, self._variance, self._tests, self._words = (Sheet(self._go, LOOK) for _ in range(4))
        self._curve = ConvergenceCurve()
        self.painted = self._links, self._variance, self._tests, self._words, self._curve
        self._shown: tuple[object, ...] = ()
        self._worded: tuple[object, ...] = ()
        self._read_at = 0.0
        introduction = text_pane(INTRODUCTION, (4, 12, 0, 12))
        below = (self._variance, self._curve.view, self._tests, self._words)
        self.view = scrolled(introduction, self.draws, self._links, *below)

    def paint(self, theme: palette.Theme) -> None:
        super().paint(theme)
        self._shown = self._worded = ()

    def _go(self, where: str) -> None:
        """Handles a click: ``step n``, a row of the words; ``link k``; ``see n``, a matrix; ``anew n``, for draws."""
        kind, _, which = where.partition(" ")
        index, session = read_index(which), self._session
        if index is None:
            return
        if kind == "step" and index < len(ENTRIES):
            session.walk_to(place_of(ENTRIES[index], session.system_here, self._link))
            session.param.update(tab="", beside=NAME)
        elif kind == "link" and index < session.system.n_joints:
            session.select_link(index)
        elif kind == "see" and index < len(SEEN):
            session.choose("estimation", white=index)
            self.draw()
        elif kind == "anew" and self.draws.drawing is not None:
            self.draws.start(self.draws.drawing.wanted)

    @property
    def _seen(self) -> str:
        """The matrix of draws that is tested for whiteness."""
        at = self._session.estimation.white
        return SEEN[at] if at < len(SEEN) else SEEN[0]

    @property
    def _link(self) -> int:
        return min(self._session.place.link, self._session.system_here.n_joints - 1)  # the base has no uncertainty

    def draw(self) -> None:
        self._draw_words()
        self._draw_numbers()

    def _draw_words(self) -> None:
        session, now = self._session, time.monotonic()
        wanted = (session.moment, session.system_here, self._link, self.theme)
        if wanted == self._worded or (session.playing and now < self._read_at + PERIOD):
            return
        self._read_at, self._worded = now, wanted
        solution = session.solution()
        system = solution.system
        moment = Moment(solution, session.whole_reading(), smoothed_force_covariance(system, solution.state))
        figures = Figures(shortest_radius(system))
        self._links.show(links_html(system, self._link), ())
        self._words.show(words_html(moment, self._link, self.theme, figures), figures.numbers, session.playing)

    def _draw_numbers(self) -> None:
        draws, link = self.draws, self._link
        drawing = draws.drawing
        count = 0 if drawing is None else drawing.drawn
        wanted = (drawing, count, link, self.theme, self._seen, draws.is_here, draws.moment)
        if wanted == self._shown:
            return
        self._shown = wanted
        figures = Figures()
        if drawing is None or not count:
            self._variance.show("", ())
            self._tests.show("", ())
            self._curve.show([], [], [])
            return
        self._variance.show(self._head() + variance_html(drawing, link, self.theme), ())
        counts, error = drawing.convergence(link)
        others = [drawing.convergence(k)[1] for k in range(drawing.system.n_joints) if k != link]
        self._curve.show(counts, error, others)
        tests = whiteness_html(drawing, self._seen, link, figures) + covariances_html(drawing, link, self.theme)
        self._tests.show(tests, figures.numbers)

    def _head(self) -> str:
        """The instant of the numbers, and that of the draws if it differs."""
        draws, drawing = self.draws, self.draws.drawing
        assert drawing is not None
        held = "<p class='note'>The arms are drawn as if they held nothing.</p>" if drawing.system.is_held else ""
        if drawing.system.is_floating:
            held += (
                "<p class='note'>The free base is measured, too, in all six components: nothing is inboard of it. "
                "Smoothing leaves nothing uncertain there.</p>"
            )
        if draws.is_here:
            return held
        return (
            f"<p class='note warning' role='status'>These draws belong to <b>{draws.moment}</b>. "
            f"{action_html('anew 0', 'Draw anew here')}</p>{held}"
        )
