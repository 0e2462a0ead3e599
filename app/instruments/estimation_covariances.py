"""Sampled errors beside P, P+ and P - P Lambda P, and two drawings of the last inside P."""

from __future__ import annotations

import html

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.draws.drawing import Drawing, difference, variance_limits
from app.equations.formula import formula
from app.equations.pictures import crossing
from app.equations.sheet import buttons_html
from app.number_text import number_html, number_text
from app.state.walk import called, number
from scenes import palette

Array = NDArray[np.float64]


def verdict(holds: bool, good: str, bad: str) -> str:
    """A verdict in words, with a sign that does not rely on color."""
    return f"<span class='holds'>✓ {good}</span>" if holds else f"<span class='fails'>✗ {bad}</span>"


def named(system: dyn.System, link: int) -> str:
    """A link's name, short enough for a row's head."""
    arm = f"{int(system.arm_of_link[link]) + 1}." if system.n_arms > 1 else ""
    return f"{arm}{number(system, link)}"


def unit_of(system: dyn.System, link: int) -> str:
    return "kg m²" if system.joint_models[link].kind == "revolute" else "kg"


def links_html(system: dyn.System, link: int) -> str:
    """The selected link, and a button for each link."""
    offered = [
        (f"link {k}", named(system, k), html.escape(called(system, k), quote=True)) for k in range(system.n_joints)
    ]
    return (
        f"<p class='where'>At <b>{html.escape(called(system, link))}</b>:</p>"
        f"<div class='tools' role='group' aria-label='Link'>{buttons_html(offered, [f'link {link}'])}</div>"
    )


def variance_html(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    """The innovation of a joint: its sample variance beside D(k), and the range expected of N draws."""
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
        f"<p class='note'>How it converges to {formula('D(k)')}: "
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


LEFT = r"P-P\Lambda P"
"""Remaining uncertainty after smoothing, R87 (65); the letter S alone is the dual filter's."""
ERRORS = (
    ("prediction", "prediction", "P(k)", "R87 (56)"),
    ("corrected", "correction", "P^+(k)", "R87 (58)"),
    ("smoothed", "smoothing", LEFT, "R87 (65)"),
)
BLOCKS = (("rotation", "kg m²"), ("translation", "kg"))


def covariances_html(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    """Errors of prediction, correction and smoothing beside P, P+ and P - P Lambda P, and the last inside P."""
    sums, theory = drawing.sums, drawing.theory
    if sums is None or theory is None:
        return ""
    own, rows = np.diag(theory.prediction[link]), ""
    judged = True
    for error, title, latex, source in ERRORS:
        found = difference(sums.covariance(error, link), getattr(theory, error)[link], sums.count, own)
        judged = found.judged
        word = verdict(found.holds, "", "") if found.judged else ""
        rows += (
            f"<tr><td class='name'>{title}</td><td>{formula(latex)} <span class='source'>{source}</span></td>"
            f"<td class='number'>{number_html(found.relative, digits=3)}</td>"
            f"<td class='number'>{number_text(found.typical, digits=3)}</td>"
            f"<td class='number'>{number_text(found.limit, digits=3)}</td><td>{word}</td></tr>"
        )
    few = "" if judged else " So few draws are not judged."
    return (
        "<h4>Are the inertias the errors' covariances?</h4>"
        "<div class='wide'><table class='links'><thead><tr><th>error of</th><th>covariance</th><th>difference</th>"
        f"<th>typical</th><th>95 % below</th><th></th></tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p class='note'>Difference of {sums.count:,} draws from the dynamics, relative to the covariance itself over "
        f"all its directions. Where nothing is uncertain, no draw has an error.{few}</p>"
        f"{_ellipses(drawing, link, theme)}"
    )


def _ellipses(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    sums, theory = drawing.sums, drawing.theory
    assert sums is not None and theory is not None
    p, s, h = theory.prediction[link], theory.smoothed[link], theory.rows[link]
    drawn = sums.covariance("smoothed", link)
    true, sampled = crossing(p, s, h), crossing(p, drawn, h)  # seen in one plane, which depends on P and H alone
    color, figures = palette.quantity("articulated_inertia", theme), ""
    for block, (title, unit) in enumerate(BLOCKS):
        scale = 56.0 / float(np.sqrt(max(true.before[block, 0], true.before[block, 2], 1e-300)))
        shapes = "".join(
            _ellipse(outline[block] * scale**2, name)
            for outline, name in ((true.before, "before"), (true.after, "after"), (sampled.after, "drawn"))
        )
        values = "".join(
            f"<tr><th>{of}</th>{_cells(each[block], float(true.before_values[block, 0]))}</tr>"
            for of, each in (
                (formula("P(k)"), true.before_values),
                (formula(LEFT), true.after_values),
                ("drawn", sampled.after_values),
            )
        )
        figures += (
            f"<figure><figcaption>{title}</figcaption><svg viewBox='-64 -64 128 128' role='img' aria-label='Outlines "
            f"of the {title} block: smoothed inside predicted'>{shapes}</svg>"
            f"<table class='eigenvalues'><tbody>{values}</tbody></table><small>eigenvalues, {unit}</small></figure>"
        )
    return (
        f"<section class='crossing' style='--own: {color}'><h4>Smoothed inside predicted</h4><p class='note'>Solid "
        f"{formula('P(k)')}, filled {formula(LEFT)}, dotted the smoothed errors drawn; outlines of ellipsoids "
        f"whose half axes are roots of eigenvalues.</p><div class='figures'>{figures}</div></section>"
    )


def _cells(values: Array, beside: float) -> str:
    return "".join(f"<td>{number_html(value, beside, 3, padded=True)}</td>" for value in values)


def _ellipse(outline: Array, name: str) -> str:
    xx, xy, yy = (float(each) for each in outline)
    values, vectors = np.linalg.eigh(np.array([[xx, xy], [xy, yy]]))
    short, long = np.sqrt(np.maximum(values, 0.0))
    angle = -np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1]))
    return (
        f"<ellipse class='{name}' rx='{max(long, 0.8):.2f}' ry='{max(short, 0.8):.2f}' "
        f"transform='rotate({angle:.2f})'/>"
    )
