"""The text of *Methods*: the current step, and the method's result beside the run's."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import equation_html
from app.equations.formula import formula
from app.equations.listing import listing_html
from app.equations.rounding import Loads
from app.equations.sheet import Figures
from app.formulations.grid import name_of
from app.formulations.words import STEPS, key_of
from app.state.walk import called, number
from app.walker.step_sheet import color_of, names_of
from dynamics.reading import FormulationReading, LineReading
from scenes import palette

Array = NDArray[np.float64]
FOUND = {"torque": r"\tau", "joint_acceleration": r"\ddot\theta"}
MISSED = 1e-6
"""Relative difference above which a result is not the expected one."""
LETTERS = {"torque": "tau", "joint_acceleration": "theta_dd"}

OBJECT = formula(r"\alpha(C)")
ASKED = ("inverse_dynamics", "group_inverse")
"""Formulations whose input is a wanted motion, not the current one."""


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
        "<span class='action' data-go='mend' tabindex='0' role='button'>Mend all</span></p>"
    )


def _break_it(line: LineReading) -> str:
    """A link to the place where this line can be broken."""
    name = html.escape(f"Break {line.equation}: {line.quantity.mechanics_name}", quote=True)
    return (
        f" <span class='action' data-go='break {html.escape(line.key)}' tabindex='0' role='button' "
        f"aria-label='{name}'>Break it</span>"
    )


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
        gap = max(gap, apart(payload, np.asarray(solution.object_acceleration), least))
    figures.put(gap)
    arrives = "It does not arrive" if reading.breaks and gap > MISSED else "It arrives"
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
