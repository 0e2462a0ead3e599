"""What comes of a comparison, in words: the convention, where the two part first, and what that comes of."""

from __future__ import annotations

import html

import numpy as np
from numpy.typing import ArrayLike

import dynamics as dyn
from app.state.walk import called

LOOK = """
.pairs { border-collapse: collapse; margin: 4px 0; }
.pairs th { text-align: left; font-weight: 400; padding: 2px 14px 2px 0; }
.pairs td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding: 1px 0 1px 10px; }
.pairs.stages td { text-align: left; white-space: normal; } .pairs.stages :is(th, td) { overflow-wrap: anywhere; }
.verdict { font-weight: 600; } .both { display: flex; flex-wrap: wrap; gap: 4px 28px; overflow-x: auto; }
.both td { font-size: 0.75rem; padding-left: 7px; } .sheet { padding-bottom: 4px; }
"""
SMALLEST = (
    "The smallest machine where the two still part: arrays of one moment cannot tell, your code can. In Python "
    "<code>dyn.minimal_reproduction(system, state, your_function)</code> finds it and writes it as a program."
)
ROUNDING = 1e-12
"""Of the largest number of an array: what is smaller is 0."""
MOST = 6
"""Rows and columns that are shown of an array."""


def answer_html(found: dyn.Comparison, ours: ArrayLike | None) -> str:
    """The answer, its table, and both arrays at the place where they part first.

    Args:
        ours: what we have at that place; None where we do not keep it, or nothing parts.
    """
    verdict, *reasons = found.difference_in_words
    parts = [f"<h4>{html.escape(verdict)}</h4>", *(f"<p>{html.escape(line)}</p>" for line in reasons)]
    stage = found.first_stage
    if stage is not None and ours is not None and stage.quantity in found.converted:
        theirs = np.asarray(found.converted[stage.quantity])[found.first_link]
        where = html.escape(f"{stage.symbol}, {_place(found.system, found.first_link)}")
        parts.append(
            f"<div class='both'>{_array_html(theirs, f'Yours, in our convention: {where}')}"
            f"{_array_html(ours, f'Ours: {where}')}</div>"
        )
    parts.append(_table(found))
    if not found.agrees:
        parts.append(f"<p class='note'>{SMALLEST}</p>")
    parts += [f"<p class='note'>{html.escape(line)}</p>" for line in found.convention_in_words]
    return "".join(parts)


def _table(found: dyn.Comparison) -> str:
    rows = "".join(_row(found, at, stage) for at, stage in enumerate(found.stages))
    return (
        "<table class='pairs stages'><thead><tr><th scope='col'>Your array</th><th scope='col'>What it is</th>"
        f"<th scope='col'>Compared with ours</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(found: dyn.Comparison, at: int, stage: dyn.ComparedStage) -> str:
    said = (
        "It agrees."
        if stage.agrees
        else f"It differs by {stage.worst:.1e}, first at {_place(found.system, stage.first_link)}."
    )
    return (
        f"<tr><th scope='row'>{html.escape(stage.name)}</th><td>{html.escape(f'{stage.words} {stage.symbol}')}</td>"
        f"<td><span class='action' role='button' tabindex='0' data-go='stage {at}'>{html.escape(said)}</span></td></tr>"
    )


def _place(system: dyn.System, link: int) -> str:
    return called(system, link) if link < system.n_links else "the object"


def _array_html(values: ArrayLike, words: str) -> str:
    """Words are HTML."""
    array = np.atleast_2d(np.asarray(values, float))[:MOST, :MOST]
    array = np.where(np.abs(array) > ROUNDING * np.abs(array).max(initial=0.0), array, 0.0)
    rows = "".join("<tr>" + "".join(f"<td>{digits(value)}</td>" for value in row) + "</tr>" for row in array.tolist())
    return f"<div><p>{words}</p><table class='pairs'><tbody>{rows}</tbody></table></div>"


def digits(value: float) -> str:
    """Four of them, for a table of many: two that differ little are told apart."""
    return f"{value:.4g}".replace("e-0", "e-").replace("e+0", "e").replace("-", "\N{MINUS SIGN}")
