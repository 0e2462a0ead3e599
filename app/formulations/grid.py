"""The map of a formulation: a row for each kind of half-step, a column for each link."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping, Sequence

from app.equations.formula import formula
from app.formulations.words import METHODS, STEPS, key_of
from app.state.walk import called, joint_called, number
from dynamics.reading import FormulationReading

BESIDE = 8
"""Most links for which a row's label is beside it, and not above."""


def map_html(reading: FormulationReading, at: int) -> str:
    """Every step as a clickable field; those before the current one are filled."""
    system = reading.system
    found: dict[tuple[str, int], dict[int, list[int]]] = {}  # steps between two joints have a row each
    for place, step in enumerate(reading.steps):
        found.setdefault((key_of(step), step.joint), {}).setdefault(step.link, []).append(place)
    order = list(STEPS)
    rows = {row: found[row] for row in sorted(found, key=lambda row: (order.index(row[0]), row[1]))}
    if system.n_arms == 1:
        tables = [_table(reading, at, "", list(range(system.n_links)), rows)]
    else:  # links in one table: those of an arm, numbered from its tip; a step of the whole machine stands below all
        tables = []
        for arm, links in itertools.groupby(range(system.n_links), lambda k: int(system.arm_of_link[k])):
            own = list(links)
            there = {row: places for row, places in rows.items() if not places.keys().isdisjoint(own)}
            tables.append(_table(reading, at, f"arm {arm + 1}" if arm >= 0 else "what floats", own, there))
        tables.append(_table(reading, at, "all arms", [], {row: each for row, each in rows.items() if -1 in each}))
    return f"<div class='wide'>{''.join(tables)}</div>"


def _table(
    reading: FormulationReading, at: int, where: str, links: Sequence[int],
    rows: Mapping[tuple[str, int], Mapping[int, list[int]]],
) -> str:  # fmt: skip
    """The steps of some links, or without links those of the whole; both where nothing says which links these are."""
    if not rows:
        return ""
    system, body, before, is_wide, width = reading.system, "", "", len(links) > BESIDE, max(len(links), 1)
    for (key, joint), places in rows.items():
        whose = formula(f"j={number(system, joint)}") if joint >= 0 else ""
        if -1 in places and not (where and links):
            cells = _cell(reading, places[-1], at, width)
        else:
            cells = "".join(_cell(reading, places.get(k, []), at) for k in links)
        title = "" if key == before else html.escape(STEPS[key].title)
        if title and is_wide:
            body += f"<tr class='band'><th colspan='{width + 1}'><div>{title}</div></th></tr>"
        body += f"<tr><th scope='row'>{whose}</th>{cells}{'' if is_wide else f'<td class=what>{title}</td>'}</tr>"
        before = key
    named = html.escape(f"Map of {METHODS[reading.name].title}{', ' if where else ''}{where}", quote=True)
    arm = f"<tr><th></th><th scope='colgroup' class='arm' colspan='{width}'>{where}</th></tr>" if where else ""
    head = "".join(
        f"<th scope='col' title='{html.escape(called(system, k), quote=True)}'>{number(system, k)}</th>" for k in links
    )
    columns = f"<tr><th>{formula('k')}</th>{head}</tr>" if links else ""
    return f"<table class='steps' aria-label='{named}'><thead>{arm}{columns}</thead><tbody>{body}</tbody></table>"


def _cell(reading: FormulationReading, places: Sequence[int], at: int, width: int = 1) -> str:
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


def name_of(reading: FormulationReading, at: int) -> str:
    """A step in words: its kind, its link, and its joint if that is another's."""
    step, system = reading.steps[at], reading.system
    words = STEPS[key_of(step)].title
    if step.link >= 0:
        words += f", {called(system, step.link)}"
    if step.joint >= 0 and step.joint != step.link:
        words += f", {joint_called(system, step.joint)}"
    return words
