"""The map of a formulation: a row for each kind of half-step, a column for each link."""

from __future__ import annotations

import html
from collections.abc import Sequence

import dynamics as dyn
from app.equations.formula import formula
from app.formulations.words import METHODS, STEPS, key_of
from app.state.walk import called, number

BESIDE = 8
"""Links up to which what a row is stands beside it, and not above."""


def map_html(reading: dyn.FormulationReading, at: int) -> str:
    """Every step as a field that one can click; those behind the present one are filled."""
    system, steps = reading.system, reading.steps
    found: dict[tuple[str, int], dict[int, list[int]]] = {}  # what two joints have to do with each other: a row each
    for place, step in enumerate(steps):
        found.setdefault((key_of(step), step.joint), {}).setdefault(step.link, []).append(place)
    order = list(STEPS)
    rows = {row: found[row] for row in sorted(found, key=lambda row: (order.index(row[0]), row[1]))}
    head = "".join(
        f"<th scope='col' title='{html.escape(called(system, k), quote=True)}'>{number(system, k)}</th>"
        for k in range(system.n_links)
    )
    whole = html.escape(METHODS[reading.name].title, quote=True)
    body, before, is_wide = "", "", system.n_links > BESIDE
    for (key, joint), places in rows.items():
        whose = formula(f"j={number(system, joint)}") if joint >= 0 else ""
        if -1 in places:
            cells = _cell(reading, places[-1], at, system.n_links)
        else:
            cells = "".join(_cell(reading, places.get(k, []), at) for k in range(system.n_links))
        title = "" if key == before else html.escape(STEPS[key].title)
        if title and is_wide:
            body += f"<tr class='band'><th colspan='{system.n_links + 1}'>{title}</th></tr>"
        body += f"<tr><th scope='row'>{whose}</th>{cells}{'' if is_wide else f'<td class=what>{title}</td>'}</tr>"
        before = key
    return (
        f"<div class='wide'><table class='steps' aria-label='Map of {whole}'>"
        f"<thead><tr><th>{formula('k')}</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(reading: dyn.FormulationReading, places: Sequence[int], at: int, width: int = 1) -> str:
    span = f" colspan='{width}'" if width > 1 else ""
    if not places:
        return f"<td{span}></td>"
    here = at in places
    look = "here" if here else "done" if places[-1] < at else "later"
    current = " aria-current='step'" if here else ""
    name = html.escape(name_of(reading, places[0]), quote=True)
    return (
        f"<td{span}><span class='{look}' role='button' tabindex='{0 if here else -1}' data-go='at {places[0]}'"
        f"{current} title='{name}' aria-label='{name}'></span></td>"
    )


def name_of(reading: dyn.FormulationReading, at: int) -> str:
    """A step in words: its kind, its link, and whose column."""
    step, system = reading.steps[at], reading.system
    words = STEPS[key_of(step)].title
    if step.link >= 0:
        words += f", {called(system, step.link)}"
    if step.joint >= 0 and step.joint != step.link:
        words += f", joint {number(system, step.joint)}"
    return words
