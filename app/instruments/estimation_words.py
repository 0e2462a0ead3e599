"""Kalman's and Rodriguez's words for the same quantities, side by side, with their numbers at a link."""

from __future__ import annotations

import functools
import html
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import value_html
from app.equations.formula import formula, unit_html
from app.equations.rounding import Loads
from app.equations.sheet import Figures
from app.state import walk
from app.state.walk import CORRECTION, PREDICTION, Place
from dynamics.reading import Reading, textbook_letters
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
