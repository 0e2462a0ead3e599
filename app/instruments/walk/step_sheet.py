"""The half-step at the cursor: words, the text's lines that it runs with their values, their equations, and actions."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import equation_html, listing_html
from app.equations.formula import formula, raised, unit_html
from app.equations.pictures import CORRECTED, crossing, triangles_html
from app.equations.sheet import Figures
from app.equations.words import STAGE_TITLES, Words, way, words_of
from app.instruments.walk.step_sentence import did_html
from app.messages import file_stem, one_line
from app.state import walk
from app.state.walk import PREDICTION, Place
from dynamics.reading import LineReading, Reading, StageDifference, step_latex, step_python
from scenes import palette

Array = NDArray[np.float64]
LAST = "This is the last step."
CROSSED = {
    "filter": ("articulated_inertia", "articulated_inertia_updated", "P(k)", "P^+(k)"),
    "dual_filter": ("dual_articulated_inertia_predicted", "dual_articulated_inertia", "S^+(k)", "S(k)"),
}


def step_html(
    reading: Reading,
    difference: StageDifference,
    place: Place,
    theme: palette.Theme,
    figures: Figures,
    lines: Sequence[LineReading] | None = None,
    time: float | None = None,
    absent: str = "",
    offered: str = "",
    is_new: bool = True,
) -> str:
    """The content of a half-step's sheet; its numbers are collected in ``figures``.

    ``difference`` is between the reading and the motion at this instant; ``time`` that of the reading, as the page's
    clock may be ahead of it; ``absent`` the stage that was walked, if this instant's system lacks it and another is
    shown; ``offered`` are actions below the step's words; ``is_new``: the step's general description is unfolded.
    """
    system = reading.system
    if lines is None:
        lines = reading.lines(place.stage, place.link, place.half)
    words = words_of(place.stage, place.half, place.link >= system.n_joints)

    def equations(first: bool) -> list[str]:
        return [
            equation_html(line, color_of(line, theme), names_of(line), figures)
            for line in lines
            if (line.quantity_name == words.computes) is first
        ]

    parts = [
        _broken(reading),
        _head(reading, place, words, absent, figures, is_new),
        offered,
        "<div class='first'>",
        *equations(first=True),
        "</div>",
    ]
    if is_crossed(reading, place):
        parts.append(_crossing(reading, place, theme, figures))
    if words.computes == CORRECTED:
        parts.append(triangles_html(reading.solution, theme, figures))
    parts += [_truth(reading, difference, figures, time), listing_html(lines, figures)]
    rest = equations(first=False)
    if rest:
        parts += ["<h4>The other equations of this half-step</h4>", *rest]
    return "".join(parts)


def _broken(reading: Reading) -> str:
    """Says that the numbers are the broken text's, before the first of them."""
    if not reading.breaks:
        return ""
    return (
        "<p class='note warning'><b>The text is broken</b>, and these are its numbers. <i>Links</i>, <i>Matrices</i>, "
        "the plots and the world are the true run's.</p>"
    )


def _head(reading: Reading, place: Place, words: Words, absent: str, figures: Figures, is_new: bool) -> str:
    system = reading.system
    floats = place.link >= system.n_joints
    order = walk.stages(system)
    number = walk.number(system, place.link)
    arm = f"arm {place.arm + 1}, " if system.n_arms > 1 else ""
    joint = "" if floats else f", joint {html.escape(system.joint_names[place.link])}"
    nothing = " Nothing is outboard of this link: what the equations take from there is zero."
    alone = (nothing if _begins(system, place) else "") + _met(system, place)
    gone = _gone(absent)
    note = f"<p class='note'>{gone}</p>" if gone else ""
    return (
        f"<div class='head' {spoken(system, place, absent)}>"
        f"{note}<p class='where'>Stage {order.index(place.stage) + 1} of {len(order)}: "
        f"<b>{STAGE_TITLES[place.stage]}</b>, {way(place.stage)}</p>"
        f"<h3>{words.title}</h3>"
        f"<p class='where'>{arm}link {formula('k')} = {number}, counted from the tip: "
        f"<b>{html.escape(system.link_names[place.link])}</b>{joint}</p>"
        f"{did_html(reading, place, figures)}<details class='general'{' open' * is_new}>"
        f"<summary>What such a step does</summary><p><b>Mechanics.</b> {words.mechanics}{alone}</p>"
        f"<p><b>Estimation.</b> {words.estimation}</p></details></div>"
    )


def _met(system: dyn.System, place: Place) -> str:
    """What happens where branches meet, JR Section 3.4."""
    if place.half != PREDICTION:
        return ""
    inner = int(system.inboard[place.link])
    if place.stage == "filter" and (count := walk.branches_of(system, place.link)) > 1:
        return f" <b>Gather</b>: {count} branches meet here, and what each carries in is added up."
    if place.stage == "dual_filter" and inner >= 0 and walk.branches_of(system, inner) > 1:
        name = html.escape(system.link_names[inner])
        return f" <b>Scatter</b>: from {name}, where branches meet, comes what the other branches carry in there, too."
    return ""


def _gone(absent: str) -> str:
    return f"No {STAGE_TITLES[absent].lower()} here: the arms hold nothing at this moment." if absent else ""


def spoken(system: dyn.System, place: Place, absent: str = "") -> str:
    """The attribute with the step in one sentence for screen readers, whichever sheet is open."""
    end = LAST if walk.is_last(system, place) else ""
    said = f"{_gone(absent)} {sentence_of(system, place)} {end}".strip()
    return f"data-spoken='{html.escape(said, quote=True)}'"


def sentence_of(system: dyn.System, place: Place) -> str:
    """A half-step in one sentence."""
    words = words_of(place.stage, place.half, place.link >= system.n_joints)
    computed = dyn.registry[place.stage, words.computes].estimation_name
    return f"{STAGE_TITLES[place.stage]}, {walk.counted(system, place.link)}: {words.title.lower()}, {computed}."


def _begins(system: dyn.System, place: Place) -> bool:
    """Whether the inward filter begins here: at a tip's link, which feels only its own inertia."""
    return place.stage == "filter" and place.half == PREDICTION and place.link not in system.inboard


def _truth(reading: Reading, difference: StageDifference, figures: Figures, time: float | None = None) -> str:
    """What computed the motion, what computed this sheet, when, and how far the two differ."""
    when = "for this moment"
    if time is not None:
        figures.put(time)
        when = f"at {figures.one()} s"
    figures.put(difference.relative)
    apart = f"<span class='apart' data-digits='1'>{figures.one()}</span>"
    if not reading.breaks:
        return (
            f"<h4>The text, as it ran {when}</h4><p class='note'>The motion was computed by the fast form; "
            f"this text was evaluated for this moment. Over all stages they differ by {apart} at most. Vectors are "
            "[angular; linear], each x, y, z.</p>"
        )
    places = "one place" if len(reading.breaks) == 1 else f"{len(reading.breaks)} places"
    gap = f"differs from it by {apart}" if np.isfinite(difference.relative) else "has no number for it"
    return (
        f"<h4>The text, as it ran {when}</h4><p class='note warning' role='status'><b>Broken in {places}.</b> "
        f"The fast form, which is intact, computed the motion; this broken text {gap} at this moment. <span "
        "class='action' data-go='mend' tabindex='0' role='button'>Mend all</span></p>"
    )


def _crossing(reading: Reading, place: Place, theme: palette.Theme, figures: Figures) -> str:
    first_name, second_name, before, after = CROSSED[place.stage]
    color = palette.quantity(first_name, theme)
    stage, k = reading.solution.stages[place.stage], place.link
    seen = crossing(stage[first_name][k], stage[second_name][k], reading.letter("H")[k].ravel())
    drawings, at = "", figures.count
    figures.put(seen.numbers)
    for block, title, unit in ((0, "rotation", "kg m²"), (1, "translation", "kg")):
        first = at + 14 * block
        drawings += (
            f"<figure><figcaption>{title}</figcaption>"
            f"<svg viewBox='-64 -64 128 128' data-crossing='{first}' role='img' aria-label='Outlines of the "
            f"{title} block before and after the joint'>"
            "<line class='axis' x1='-62' y1='0' x2='62' y2='0'/>"
            "<ellipse class='before'/><ellipse class='after'/><line class='freed'/></svg>"
            f"<table class='eigenvalues'><tbody>{_eigenvalues(before, first + 8)}"
            f"{_eigenvalues(after, first + 11)}</tbody></table><small>eigenvalues, {unit}"
            "</small></figure>"
        )
    figures.count += 30
    return (
        f"<section class='crossing' style='--own: {color}'><h4>The inertia as its joint is crossed</h4>"
        f"<p class='note'>Solid {formula(before)}, filled {formula(after)}; outlines of ellipsoids whose half axes are "
        "roots of eigenvalues. Dotted: the joint axis. Heavy: the direction that the block loses. Both blocks are seen "
        f"along the same direction.</p><div class='figures'>{drawings}</div></section>"
    )


def is_crossed(reading: Reading, place: Place) -> bool:
    """Whether an inertia crosses a joint here and is finite, which a broken text does not guarantee."""
    if place.stage not in CROSSED or place.link >= reading.system.n_joints:
        return False
    before, after, *_ = CROSSED[place.stage]
    stage = reading.solution.stages[place.stage]
    return bool(np.isfinite(stage[before][place.link]).all() and np.isfinite(stage[after][place.link]).all())


def _eigenvalues(of: str, first: int) -> str:
    cells = "".join(f"<td class='number' data-n='{n}'></td>" for n in range(first, first + 3))
    return f"<tr data-first='{first}'><th>{formula(of)}</th>{cells}</tr>"


def names_of(line: LineReading) -> str:
    """The left side's name, unit and frame, and its name in estimation if it has one."""
    quantity = line.quantity
    estimated = f"; <i>{html.escape(quantity.estimation_name)}</i>" if quantity.estimation_name else ""
    frame = f" <span class='frame'>{raised(quantity.frame)}</span>" if quantity.frame else ""
    return (
        f"<span class='name'>{html.escape(quantity.mechanics_name)}{estimated}</span> "
        f"<span class='unit'>{unit_html(quantity.unit)}</span>{frame}"
    )


def color_of(line: LineReading, theme: palette.Theme) -> str:
    """The left side's color; a dual quantity without its own has that of its counterpart."""
    color = palette.quantity(line.quantity_name, theme)
    return color if color != palette.INK[theme] else palette.quantity(line.quantity_name.removeprefix("dual_"), theme)


CONTACT, TWO_FILTERS, INFLUENCE, ESTIMATION, METHODS = "Contact", "Two filters", "Influence", "Estimation", "Methods"
BREAK_IT = "Break it"
SHOWN: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "filter": (ESTIMATION, TWO_FILTERS, METHODS),
        "smoother": (INFLUENCE, ESTIMATION, TWO_FILTERS, METHODS),
        "contact": (CONTACT, INFLUENCE),
        "filter_correction": (CONTACT, INFLUENCE),
        "smoother_final": (INFLUENCE, METHODS),
        "dual_filter": (TWO_FILTERS,),
    }
)
"""For each stage, the instruments that show its results."""


def shown_in(system: dyn.System, stage: str) -> list[str]:
    """Those instruments that apply to this machine."""
    absent = {CONTACT: system.task_object is None, TWO_FILTERS: system.kind != "free_flyer"}
    return [name for name in SHOWN[stage] if not absent.get(name, False)]


def elsewhere_html(system: dyn.System, stage: str, lines: Sequence[LineReading]) -> str:
    """A line below a step: ``see`` an instrument, ``break`` a line."""
    names = "".join(_way(f"see {name}", name) for name in shown_in(system, stage))
    line = next((one for one in lines if one.breaks), None)
    broken = "" if line is None else _way(f"break {line.stage}/{line.key}/0", f"{BREAK_IT}: {line.equation}")
    return f"<p class='elsewhere'>Also in {names}{broken}</p>"


def _way(go: str, words: str) -> str:
    return (
        f"<span class='action' data-go='{html.escape(go, quote=True)}' tabindex='0' role='button'>"
        f"{html.escape(words)}</span> "
    )


FORMS = {"Python": "py", "LaTeX": "tex"}
"""File extensions of the forms."""
TEXTS = {f"{verb} {form}": (form, verb == "save") for form in FORMS for verb in ("copy", "save")}
"""The buttons' requests: the form, and whether to save it as a file."""


def text_of(reading: Reading, place: Place, form: str, title: str, time: float) -> tuple[str, str]:
    """The text, empty if the place has no lines, and its file name."""
    write = step_python if form == "Python" else step_latex
    text = write(reading, place.stage, place.link, place.half, f"{one_line(title)}, t = {time:.3f} s")
    name = file_stem(title, place.stage, reading.system.link_names[place.link], f"at {time:.3f} s")
    return text, f"{name}.{FORMS[form]}"


def _button(asked: str, words: str, name: str) -> str:
    return (
        f"<button type='button' data-go='{asked}' aria-label='{html.escape(name, quote=True)}' "
        f"title='{html.escape(name, quote=True)}'>{words}</button>"
    )


def _offered(form: str) -> str:
    copied = _button(f"copy {form}", "Copy", f"Copy this step as {form}")
    return f"<span>{form}:</span> {copied} {_button(f'save {form}', 'Save', f'Save this step as {form}')}"


OFFERED = (
    "<div class='tools' role='group' aria-label='This step for other programs'>"
    f"{' '.join(map(_offered, FORMS))}</div><p class='note' role='status' data-told></p>"
)
"""The buttons, and a line for their result."""
