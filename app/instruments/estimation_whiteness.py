"""Whether the innovations that were drawn are white, in words, and as a matrix of correlations."""

from __future__ import annotations

import dynamics as dyn
from app.draws.drawing import Drawing
from app.draws.whiteness import Whiteness, whiteness
from app.equations.formula import formula
from app.equations.sheet import Figures
from app.instruments.estimation_numbers import named, verdict
from app.number_text import number_html, number_text

READABLE = 8
"""Joints up to which the matrix shows its numbers; a larger one shows shades."""
INNOVATIONS, MEASURED = "innovations", "measured"


def whitenesses(drawing: Drawing) -> dict[str, Whiteness]:
    """Of the innovations, and of what was measured, as if a filter predicted nothing."""
    sums, theory = drawing.sums, drawing.theory
    if sums is None or theory is None:
        return {}
    return {
        INNOVATIONS: whiteness(sums.innovations, sums.count, theory.variance),
        MEASURED: whiteness(sums.measured, sums.count, theory.variance),
    }


def whiteness_html(drawing: Drawing, which: str, link: int, figures: Figures) -> str:
    """The verdict on both, and the matrix of one."""
    found, system = whitenesses(drawing), drawing.system
    if not found:
        return ""
    told = "".join(
        f"<p><b>{title}:</b> {_judged(found[name], system)}</p>"
        for name, title in ((INNOVATIONS, "Innovations"), (MEASURED, "Torques as measured"))
    )
    chosen = found[which]
    buttons = "".join(
        f"<button type='button' data-go='see {at}' aria-pressed='{str(which == name).lower()}'>{title}</button>"
        for at, (name, title) in enumerate(((INNOVATIONS, "innovations"), (MEASURED, "torques as measured")))
    )
    beside = (
        f"the largest correlation may be {number_text(chosen.limit, digits=2)}, a variance "
        f"{number_text(chosen.low, digits=3)} to {number_text(chosen.high, digits=3)} times {formula('D')}"
    )
    several = f"all {chosen.tests} limits together" if chosen.tests > 1 else "this one limit"
    return (
        f"<h4>Are the innovations white?</h4>{told}"
        f"<p class='note'>By chance, of {chosen.count:,} draws, {beside}: 95 % of honest samples keep {several}.</p>"
        f"<div class='tools'>{buttons}</div>{_matrix(chosen, system, link, figures)}"
        f"<p class='note'>Beside the diagonal: correlation of two joints, 0 if white. On it: variance over "
        f"{formula('D')}, 1.</p>"
    )


def _judged(found: Whiteness, system: dyn.System) -> str:
    if found.is_white:
        largest = "" if found.pair is None else f", largest correlation {number_html(found.correlation, digits=2)}"
        return verdict(True, f"white{largest}", "")
    why = []
    if not found.is_uncorrelated and found.pair is not None:
        i, j = (named(system, k) for k in found.pair)
        why.append(f"joints {i} and {j} have correlation {number_html(found.correlation, digits=2)}")
    if not found.has_variances:
        why.append(
            f"the variance of joint {named(system, found.joint)} is {number_html(found.ratio, digits=3)} times "
            f"{formula('D')}"
        )
    return verdict(False, "", f"not white: {'; '.join(why)}")


def _matrix(found: Whiteness, system: dyn.System, link: int, figures: Figures) -> str:
    n, first = len(found.matrix), figures.count
    figures.put(found.matrix)
    figures.count += n * n
    labels = [named(system, k) for k in range(n)]

    def mine(here: bool) -> str:
        return " class='mine'" if here else ""

    head = "".join(f"<th{mine(j == link)}>{labels[j]}</th>" for j in range(n))
    body = "".join(
        f"<tr><th{mine(i == link)} data-go='link {i}' tabindex='0' role='button' aria-label='joint {labels[i]}'>"
        f"{labels[i]}</th>"
        + "".join(f"<td{mine(link in (i, j))} data-n='{first + n * i + j}'></td>" for j in range(n))
        + "</tr>"
        for i in range(n)
    )
    size = "" if n <= READABLE else " compact"
    return (
        f"<div class='wide'><table class='grid{size}' data-first='{first}' data-heat='{n}' data-digits='2'>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
