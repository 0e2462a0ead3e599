"""The text of *Methods*: the map of its steps, the current step, and the method's result beside the run's."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import equation_html, listing_html
from app.equations.formula import formula
from app.equations.rounding import Loads
from app.equations.sheet import Figures, action_html
from app.formulations.words import METHODS, STEPS, key_of
from app.state.walk import called, joint_called, number
from app.walker.step_sheet import color_of, names_of
from dynamics.reading import FormulationReading, LineReading
from scenes import palette

Array = NDArray[np.float64]
FOUND = {"torque": r"\tau", "joint_acceleration": r"\ddot\theta"}
MISSED = 1e-6
"""Relative difference above which a result is not the expected one."""
LETTERS = {"torque": "tau", "joint_acceleration": "theta_dd"}

OBJECT = formula(r"\alpha(C)")
BESIDE = 8
"""Most links for which a row's label is beside it, and not above."""
ASKED = ("inverse_dynamics", "group_inverse")
"""Formulations whose input is a wanted motion, not the current one."""


def map_html(reading: FormulationReading, at: int) -> str:
    """Every step as a clickable field; those before the current one are filled."""
    system = reading.system
    found: dict[tuple[str, int], dict[int, list[int]]] = {}  # steps between two joints have a row each
    for place, step in enumerate(reading.steps):
        found.setdefault((key_of(step), step.joint), {}).setdefault(step.link, []).append(place)
    order = list(STEPS)
    rows = {row: found[row] for row in sorted(found, key=lambda row: (order.index(row[0]), row[1]))}
    if system.n_arms == 1:
        tables = [_steps_table(reading, at, "", list(range(system.n_links)), rows)]
    else:  # links in one table: those of an arm, numbered from its tip; a step of the whole machine stands below all
        tables = []
        for arm, links in itertools.groupby(range(system.n_links), lambda k: int(system.arm_of_link[k])):
            own = list(links)
            there = {row: places for row, places in rows.items() if not places.keys().isdisjoint(own)}
            tables.append(_steps_table(reading, at, f"arm {arm + 1}" if arm >= 0 else "what floats", own, there))
        tables.append(
            _steps_table(reading, at, "all arms", [], {row: each for row, each in rows.items() if -1 in each})
        )
    return f"<div class='wide'>{''.join(tables)}</div>"


def _steps_table(
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


def bar_html(reading: FormulationReading, at: int) -> str:
    """Buttons back and on, and the current position."""
    count = len(reading.steps)
    first, last = (" disabled" if end else "" for end in (at == 0, at == count - 1))
    return (
        f"<div class='tools'><button type='button' data-go='back' aria-label='One step back'{first}>‹</button>"
        f"<span class='count'>step {at + 1} of {count}</span>"
        f"<button type='button' data-go='on' aria-label='One step on'{last}>›</button></div>"
    )


def step_html(reading: FormulationReading, at: int, theme: palette.Theme, figures: Figures) -> str:
    """One step: in words, each line as an equation with its numbers, and the text that ran."""
    words, lines = STEPS[key_of(reading.steps[at])], reading.lines(at)
    spoken = html.escape(f"Step {at + 1} of {len(reading.steps)}: {name_of(reading, at)}.", quote=True)
    equations = "".join(
        equation_html(line, color_of(line, theme), names_of(line) + _break_it(line), figures) for line in lines
    )
    place = html.escape(name_of(reading, at).removeprefix(words.title).removeprefix(", "))
    listing = listing_html(lines, figures, "formulations")
    return (
        f"<div data-spoken='{spoken}'><h3>{html.escape(words.title)}</h3>"
        f"{f'<p class=where>{place}</p>' if place else ''}<p>{html.escape(words.words)}</p></div>"
        f"{equations}<h4>The text, as it ran for this moment</h4>{listing}"
    )


def broken_html(reading: FormulationReading) -> str:
    """A note that these are the numbers of a broken text, with a button that restores it."""
    count = len(reading.breaks)
    if not count:
        return ""
    return (
        f"<p class='note warning' role='status'><b>Broken in {'one place' if count == 1 else f'{count} places'}</b>, "
        "and all numbers here are those of the broken text. "
        f"{action_html('mend', 'Mend all')}</p>"
    )


def _break_it(line: LineReading) -> str:
    """A link to the place where this line can be broken."""
    return " " + action_html(f"break {line.key}", "Break it", f"Break {line.equation}: {line.quantity.mechanics_name}")


def apart(found: Array, expected: Array, least: float = 0.0) -> float:
    """The largest difference, relative to the largest expected value, or to ``least``."""
    largest = max(float(np.abs(expected).max(initial=0.0)), least)
    return float(np.abs(found - expected).max(initial=0.0)) / (largest or 1.0)


def accelerations_of(solution: dyn.Solution) -> float:
    """The scale for comparing accelerations, as for the badge: at rest they are smaller than the terms that cancel."""
    return dyn.agreement(solution.system, solution.state, solution.tau, only=()).scale


def arrival_html(reading: FormulationReading, solution: dyn.Solution, figures: Figures) -> str:
    """The difference of its result from the run's, in a line."""
    expected, whose = _expected(reading, solution)
    least = 0.0 if reading.arrives == "torque" else accelerations_of(solution)
    gap = apart(reading.answer, expected, least)
    if (payload := _object_of(reading)) is not None:
        gap = float(np.maximum(gap, apart(payload, np.asarray(solution.object_acceleration), least)))  # NaN stays
    figures.put(gap)
    arrives = "It does not arrive" if reading.breaks and not gap <= MISSED else "It arrives"
    return (
        f"<p class='arrival'>{arrives} at {formula(FOUND[reading.arrives])} as {whose} it: relative difference "
        f"<b class='apart' data-digits='2'>{figures.one()}</b></p>"
    )


def beside_html(reading: FormulationReading, solution: dyn.Solution, loads: Loads, figures: Figures) -> str:
    """Its result beside the run's, joint by joint; and for a held object. ``loads``: of the solution."""
    expected, whose = _expected(reading, solution)
    name = LETTERS[reading.arrives]
    columns = [
        (title, loads.without_rounding(name, values))
        for title, values in (("this method", reading.answer), (whose, expected))
    ]
    text = f"<h3>Where it arrives</h3>{joints_table(reading.system, FOUND[reading.arrives], columns, figures)}"
    if (payload := _object_of(reading)) is not None:
        found, held = loads.without_rounding("alpha_C", np.array([payload, np.asarray(solution.object_acceleration)]))
        names = [(f"{part} {axis}", "") for part in ("angular", "linear") for axis in "xyz"]
        text += _table(OBJECT, names, [("this method", found), ("the filter found", held)], figures)
    return text


def _expected(reading: FormulationReading, solution: dyn.Solution) -> tuple[Array, str]:
    if reading.arrives == "torque":
        return solution.tau, "the motors gave"
    return np.asarray(solution.joint_acceleration), "the filter found"


def _object_of(reading: FormulationReading) -> Array | None:
    """The object's acceleration in a formulation that computes it."""
    held = reading.name == "constrained" and reading.system.is_held
    return np.asarray(reading.letter("alpha_C")).ravel() if held else None


def joints_table(system: dyn.System, letter: str, columns: Sequence[tuple[str, Array]], figures: Figures) -> str:
    """A row for each joint, a column for each method of computing the number."""
    names = [(str(number(system, k)), called(system, k)) for k in range(system.n_joints)]
    return _table(formula(f"{letter}(k)"), names, columns, figures)


def _table(
    corner: str, names: Sequence[tuple[str, str]], columns: Sequence[tuple[str, Array]], figures: Figures
) -> str:
    """A row for each name, with its title; a column for each method of computing the number."""
    rows = ""
    for k, (name, title) in enumerate(names):
        figures.put([values[k] for _, values in columns])
        first = figures.count
        cells = "".join(f"<td class='number' {figures.cell()}></td>" for _ in columns)
        tooltip = f" title='{html.escape(title, quote=True)}'" if title else ""
        rows += f"<tr data-first='{first}'><th scope='row'{tooltip}>{name}</th>{cells}</tr>"
    head = "".join(f"<th scope='col'>{html.escape(title)}</th>" for title, _ in columns)
    return (
        f"<div class='wide'><table class='beside'><thead><tr><th>{corner}</th>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )
