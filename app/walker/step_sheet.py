"""The half-step at the cursor: words, equations with this link's numbers, and the code that ran."""

from __future__ import annotations

import html

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.code_lines import BASE, Excerpt, excerpts
from app.equations.crossing import crossing
from app.equations.formula import formula
from app.equations.operators import Operators
from app.equations.term import Equation, numbers
from app.equations.words import STAGE_TITLES, way, words_of
from app.state import walk
from app.state.walk import Place
from app.walker.sheet import Numbering
from app.walker.typeset import equation_html, raised
from scenes import palette

Array = NDArray[np.float64]
CROSSED = {
    "filter": ("articulated_inertia", "articulated_inertia_updated", "P(k)", "P^+(k)"),
    "dual_filter": ("dual_articulated_inertia_predicted", "dual_articulated_inertia", "S^+(k)", "S(k)"),
}


class StepSheet:
    """What the sheet of one half-step says; its HTML holds for every instant with as many terms."""

    def __init__(self, system: dyn.System, place: Place, found: tuple[Equation, ...], theme: palette.Theme) -> None:
        self.place = place
        self._floats = place.link >= system.n_joints
        numbering = Numbering()
        parts = [self._head(system)]
        parts += [equation_html(each, names_of(each), color_of(each, theme), numbering) for each in found]
        if is_crossed(system, place):
            parts.append(self._crossing(numbering, theme))
        parts.append(self._code())
        self.html = "".join(parts)

    def _head(self, system: dyn.System) -> str:
        place, words = self.place, words_of(self.place.stage, self.place.half, self._floats)
        order = walk.stages(system)
        number = walk.number(system, place.link)
        arm = f"arm {place.arm + 1}, " if system.n_arms > 1 else ""
        joint = "" if self._floats else f", joint {html.escape(system.joint_names[place.link])}"
        return (
            f"<div class='head'><p class='where'>Stage {order.index(place.stage) + 1} of {len(order)}: "
            f"<b>{STAGE_TITLES[place.stage]}</b>, {way(place.stage)}</p>"
            f"<h3>{words.title}</h3>"
            f"<p class='where'>{arm}link {formula('k')} = {number}, "
            f"<b>{html.escape(system.link_names[place.link])}</b>{joint}</p>"
            f"<p><b>Mechanics.</b> {words.mechanics}</p><p><b>Estimation.</b> {words.estimation}</p>"
            "<p class='note'>Columns are x, y, z of the angular part over x, y, z of the linear part.</p></div>"
        )

    def _crossing(self, numbering: Numbering, theme: palette.Theme) -> str:
        *_, before, after = CROSSED[self.place.stage]
        color = palette.quantity(CROSSED[self.place.stage][0], theme)
        figures = ""
        at = numbering.count
        for block, title, unit in ((0, "rotation", "kg m²"), (1, "translation", "kg")):
            first = at + 14 * block
            figures += (
                f"<figure><figcaption>{title}</figcaption>"
                f"<svg viewBox='-64 -64 128 128' data-crossing='{first}' role='img' aria-label='Cross-sections of the "
                f"{title} block before and after the joint'>"
                "<line class='axis' x1='-62' y1='0' x2='62' y2='0'/>"
                "<ellipse class='before'/><ellipse class='after'/><line class='freed'/></svg>"
                f"<table class='eigenvalues'><tbody><tr><th>{formula(before)}</th>{_values(first + 8)}</tr>"
                f"<tr><th>{formula(after)}</th>{_values(first + 11)}</tr></tbody></table><small>eigenvalues, {unit}"
                "</small></figure>"
            )
        numbering.count += 30
        return (
            f"<section class='crossing' style='--own: {color}'><h4>The inertia as its joint is crossed</h4>"
            f"<p class='note'>Solid {formula(before)}, filled {formula(after)}; half axes are roots of eigenvalues. "
            "Dotted: the joint axis. Heavy: the direction that the joint frees. Both blocks are seen along the same "
            f"direction.</p><div class='figures'>{figures}</div></section>"
        )

    def _code(self) -> str:
        half = BASE if self._floats and self.place.stage != "contact" else self.place.half
        return (
            "<section class='code'><h4>The code that ran</h4>"
            + "".join(excerpt_html(excerpt) for excerpt in excerpts(self.place.stage, half))
            + "</section>"
        )


def is_crossed(system: dyn.System, place: Place) -> bool:
    """Whether an inertia goes through a joint there."""
    return place.stage in CROSSED and place.link < system.n_joints


def step_numbers(operators: Operators, place: Place, found: tuple[Equation, ...]) -> Array:
    """The numbers for the HTML, in its order."""
    shown = numbers(found)
    if not is_crossed(operators.system, place):
        return shown
    before, after, *_ = CROSSED[place.stage]
    stage, k = operators.solution.stages[place.stage], place.link
    return np.concatenate([shown, crossing(stage[before][k], stage[after][k], operators.axis(k)).numbers])


def _values(first: int) -> str:
    return "".join(f"<td class='number' data-first='{n}' data-n='{n}'></td>" for n in range(first, first + 3))


def names_of(equation: Equation) -> str:
    """What the left side is called in both fields, in what unit and where."""
    frame = f"<span class='frame'>{raised(equation.frame)}</span>"
    unit = f"<span class='unit'>{raised(equation.unit)}</span>"
    if equation.key is None:
        return f"{unit} {frame}"
    quantity = dyn.registry[equation.key]
    return (
        f"<span class='name'>{html.escape(quantity.mechanics_name)}; "
        f"<i>{html.escape(quantity.estimation_name)}</i></span> {unit} {frame}"
    )


def color_of(equation: Equation, theme: palette.Theme) -> str:
    """The left side's; a dual quantity without a color of its own has that of what it is the dual of."""
    if equation.key is None:
        return palette.INK[theme]
    color = palette.quantity(equation.key[1], theme)
    return color if color != palette.INK[theme] else palette.quantity(equation.key[1].removeprefix("dual_"), theme)


def excerpt_html(excerpt: Excerpt) -> str:
    """Lines with their numbers; those that ran are marked."""
    lines = "".join(
        f"<li{' class=ran' if ran else ''} value='{excerpt.first + at}'><code>{html.escape(line) or ' '}</code></li>"
        for at, (line, ran) in enumerate(zip(excerpt.lines, excerpt.ran, strict=True))
    )
    return (
        f"<div class='excerpt'><p>dynamics/{excerpt.file}, <code>{excerpt.function}</code></p>"
        f"<ol tabindex='0' aria-label='Lines of {excerpt.function}'>{lines}</ol></div>"
    )
