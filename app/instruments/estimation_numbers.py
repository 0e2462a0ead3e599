"""The variance of innovations that were drawn, beside what the dynamics say of it."""

from __future__ import annotations

import html

import numpy as np

import dynamics as dyn
from app.draws.chance import variance_limits
from app.draws.drawing import Drawing
from app.equations.formula import formula
from app.number_text import number_html, number_text
from app.state.walk import called, number
from scenes import palette


def verdict(holds: bool, good: str, bad: str) -> str:
    """In words, and by a sign that no color is needed for."""
    return f"<span class='holds'>✓ {good}</span>" if holds else f"<span class='fails'>✗ {bad}</span>"


def named(system: dyn.System, link: int) -> str:
    """A link as short as a row's head needs it."""
    arm = f"{int(system.arm_of_link[link]) + 1}." if system.n_arms > 1 else ""
    return f"{arm}{number(system, link)}"


def unit_of(system: dyn.System, link: int) -> str:
    return "kg m²" if system.joint_models[link].kind == "revolute" else "kg"


def links_html(system: dyn.System, link: int) -> str:
    """Which link is looked at, and a button for each."""
    buttons = "".join(
        f"<button type='button' data-go='link {k}' aria-pressed='{str(k == link).lower()}' "
        f"aria-label='{html.escape(called(system, k), quote=True)}'>{named(system, k)}</button>"
        for k in range(system.n_joints)
    )
    return (
        f"<p class='where'>At <b>{html.escape(called(system, link))}</b>:</p>"
        f"<div class='tools' role='group' aria-label='Link'>{buttons}</div>"
    )


def variance_html(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    """The innovation of a joint: its sample variance beside D(k), and what N draws may show."""
    system, sums, theory = drawing.system, drawing.sums, drawing.theory
    if sums is None or theory is None:
        return ""
    n, d, s = sums.count, float(theory.variance[link]), float(sums.variance[link])
    low, high = variance_limits(n)
    unit, limit = unit_of(system, link), 1.96 * float(np.sqrt(d / n))
    mean = float(sums.mean[link])
    judged = verdict(
        low <= s / d <= high, f"within what {n:,} draws may show", "farther off than 19 of 20 honest samples"
    )
    return (
        f"<h4>Is {formula('D(k)')} the innovation's variance?</h4>"
        "<table class='pairs'><tbody>"
        f"<tr><th>{formula('D(k)')}, of the dynamics</th><td>{number_html(d)} {unit}</td></tr>"
        f"<tr><th>variance of {n:,} draws</th><td>{number_html(s)} {unit}</td></tr>"
        f"<tr><th>ratio</th><td>{number_html(s / d)}</td></tr>"
        f"<tr><th>95 % of samples lie</th><td>{number_text(low, digits=3)} to {number_text(high, digits=3)}</td></tr>"
        "<tr><th>mean; 95 % lie within</th>"
        f"<td>{number_html(mean, digits=3)}; ±{number_text(limit, digits=3)}</td></tr>"
        f"</tbody></table><p>{judged}</p>{_every_joint(drawing, link)}"
        "<p class='note'>Forces are drawn with the inertias' numbers: 1 kg m² stands for 1 (N m)², 1 kg for 1 N².</p>"
        f"<p class='note'>How it comes to {formula('D(k)')}: "
        f"{_stroke('innovation', theme)} this joint, {_stroke('joint_inertia', theme, 'thin')} the others, "
        f"{_stroke('', theme, 'dashed')} typical of {formula('N')} draws, √(2/{formula('N')})</p>"
    )


def _stroke(quantity: str, theme: palette.Theme, how: str = "") -> str:
    return f"<span class='stroke {how}' style='--own: {palette.quantity(quantity, theme)}'></span>"


def _every_joint(drawing: Drawing, link: int) -> str:
    system, sums, theory = drawing.system, drawing.sums, drawing.theory
    assert sums is not None and theory is not None
    low, high = variance_limits(sums.count)
    rows = ""
    for k in range(system.n_joints):
        ratio = float(sums.variance[k] / theory.variance[k])
        here = " class='here' aria-current='true'" if k == link else ""
        label = html.escape(f"innovation of {called(system, k)}", quote=True)
        rows += (
            f"<tr{here} data-go='link {k}' tabindex='0' role='button' aria-label='{label}'>"
            f"<td class='number'>{named(system, k)}</td><td class='name'>{html.escape(system.link_names[k])}</td>"
            f"<td class='number'>{number_html(float(theory.variance[k]))}</td>"
            f"<td class='number'>{number_html(float(sums.variance[k]))}</td>"
            f"<td class='number'>{number_html(ratio)}</td>"
            f"<td>{verdict(low <= ratio <= high, '', '')}</td></tr>"
        )
    outside = int(np.sum((sums.variance / theory.variance < low) | (sums.variance / theory.variance > high)))
    return (
        f"<details data-kept='joints'><summary>Every joint: {outside} of {system.n_joints} outside; "
        "1 in 20 is to be expected</summary>"
        f"<table class='links'><thead><tr><th>{formula('k')}</th><th>link</th><th>{formula('D')}</th><th>drawn</th>"
        f"<th>ratio</th><th></th></tr></thead><tbody>{rows}</tbody></table></details>"
    )
