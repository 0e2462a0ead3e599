"""The errors that were drawn beside P, P+ and S, and S inside P as two drawings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.draws.chance import difference
from app.draws.drawing import Drawing
from app.equations.crossing import crossing
from app.equations.formula import formula
from app.instruments.estimation_numbers import verdict
from app.number_text import number_html, number_text
from scenes import palette

Array = NDArray[np.float64]
LEFT = r"P-P\Lambda P"
"""What smoothing leaves uncertain, R87 (65); the letter S alone is the dual filter's."""
ERRORS = (
    ("prediction", "prediction", "P(k)", "R87 (56)"),
    ("corrected", "correction", "P^+(k)", "R87 (58)"),
    ("smoothed", "smoothing", LEFT, "R87 (65)"),
)
BLOCKS = (("rotation", "kg m²"), ("translation", "kg"))


def covariances_html(drawing: Drawing, link: int, theme: palette.Theme) -> str:
    """Errors of prediction, correction and smoothing beside P, P+ and S, and S inside P."""
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
    true, sampled = crossing(p, s, h), crossing(p, drawn, h)  # seen in one plane: it depends on P and H alone
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
            f"<figure><figcaption>{title}</figcaption><svg viewBox='-64 -64 128 128' role='img' aria-label='Cross-"
            f"sections of the {title} block: smoothed inside predicted'>{shapes}</svg>"
            f"<table class='eigenvalues'><tbody>{values}</tbody></table><small>eigenvalues, {unit}</small></figure>"
        )
    return (
        f"<section class='crossing' style='--own: {color}'><h4>Smoothed inside predicted</h4><p class='note'>Solid "
        f"{formula('P(k)')}, filled {formula(LEFT)}, dotted the smoothed errors drawn; half axes are roots of "
        f"eigenvalues.</p><div class='figures'>{figures}</div></section>"
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
