"""The text of *Methods*: half-steps in words, the map, the current step, and the method's result beside the run's."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import equation_html, listing_html
from app.equations.formula import formula
from app.equations.rounding import Loads
from app.equations.sheet import Figures, action_html
from app.equations.words import METHODS
from app.instruments.walk.step_sheet import color_of, names_of
from app.state.walk import called, joint_called, number
from dynamics.reading import FormulationReading, FormulationStep, LineReading, readable_formulations
from scenes import palette


class Step(NamedTuple):
    """A half-step: its title, and its description."""

    title: str
    words: str


CARRIED = Step(
    "Carried inward", "The links inboard stand still: the force alone is passed on, and each joint feels its share."
)
MOTION = "the base stands still, and each joint adds its own."
STEPS: Mapping[str, Step] = {
    "newton_euler.motions.outward": Step(
        "Motions, outward", f"How the link turns, and how its joint and its mass centre accelerate: {MOTION}"),
    "newton_euler.forces.balance": Step(
        "Force and moment, inward", "The force that the link's own mass needs, and that needed outboard, must come "
        "through its joint."),
    "newton_euler.forces.torque": Step(
        "Torque", "The motor gives what lies along the joint's axis; the bearing carries the rest."),
    "newton_euler_modified.motions.outward": Step(
        "Motions, outward",
        "The link's rotation gives its matrix A; A times a lever arm is the acceleration added at its end."),
    "newton_euler_modified.forces.balance": Step(
        "Force and moment, inward", "Rotation adds A times the first moment to the force, and to the moment a part "
        "that is read off A K."),
    "newton_euler_modified.forces.torque": Step(
        "Torque", "The motor gives what lies along the joint's axis; the bearing carries the rest."),
    "lagrange.transforms.transform": Step("Transforms", "From the link's axes to the base's: one more product."),
    "lagrange.transforms.own": Step("Its own derivative", "Q turns about, or slides along, the link's own joint."),
    "lagrange.transforms.chained": Step(
        "First derivatives", "Joint j moves all that hangs on it: T as far as j, Q, and the rest of the way."),
    "lagrange.kinetic_terms.second": Step(
        "Second derivatives", "Two joints at once: their order does not matter, so each pair is computed once."),
    "lagrange.kinetic_terms.rate": Step(
        "How derivatives change", "All joints on the way turn at their rates, and the derivative with them."),
    "lagrange.kinetic_terms.kinetic": Step(
        "Kinetic terms", "Accelerations of all the link's points, weighted by its pseudo-inertia."),
    "lagrange.torques.torque": Step(
        "Torques", "One number per joint: the resistance of all that it moves, and its weight, as traces."),
    "strobing.column_by_column.unit": Step("One joint accelerates", "Joint j accelerates by 1, all others do not."),
    "strobing.column_by_column.outward": Step(
        "Accelerations, outward", "All that joint j carries moves with it as one rigid body."),
    "strobing.column_by_column.moved": Step("Forces, inward", "What the moving links need, summed inward."),
    "strobing.column_by_column.diagonal": Step("Diagonal", "Joint j feels its own acceleration, and its rotor."),
    "strobing.column_by_column.still": CARRIED,
    "composite_bodies.composite_bodies.body": Step(
        "Composite bodies, inward", "The link and all outboard of it as one rigid body: no joint is free."),
    "composite_bodies.mass_matrix.own": Step(
        "Diagonal", "The joint gives its composite body unit acceleration: that needs this force and this torque."),
    "composite_bodies.mass_matrix.carried": CARRIED,
    "bias.bias_torque.outward": Step(
        "Bias, outward", "Accelerations due to velocities, while no joint accelerates."),
    "bias.bias_torque.inward": Step(
        "Bias, inward", "The forces that these need, with weight and pushes; their torque, with friction, is V."),
    "bias.motion": Step("Equation of motion", "One dense solve: the motors' torques beyond V accelerate."),
    "appel.coefficients.outward": Step(
        "Coefficients, outward", "Each link's acceleration: Ω and β multiply the joints' accelerations, Φ and Θ "
        "are due to velocities."),
    "appel.gibbs_function.share": Step(
        "Share of a link", "What it adds to W, V and D, and the forces of weight and pushes along the joints."),
    "appel.equations_of_motion": Step(
        "Appel's equations", "The derivative of S with respect to each acceleration is the force of motors, "
        "weight and pushes, less losses: one dense solve, and S itself at the motion."),
    "constrained.jacobians.base": Step("Floating base", "Six rates of its own."),
    "constrained.jacobians.outward": Step(
        "Jacobians, outward", "How the link moves for each rate; its own joint adds one column."),
    "constrained.resistance.share": Step(
        "Share of a link", "Its inertia, seen along all rates at once; the sum is the mass matrix."),
    "constrained.free_acceleration": Step(
        "Without contacts", "All shares summed, and one dense solve: the accelerations of arms that hold nothing."),
    "constrained.contacts.contact": Step(
        "Contact", "How the tip moves with the rates, and how it would leave the object."),
    "constrained.multipliers": Step(
        "Multipliers", "One force for each direction that a contact transmits, so that nothing parts; then arms "
        "and object accelerate under it."),
    "inverse_dynamics.accelerations.outward": Step("Accelerations, outward", f"Wanted accelerations: {MOTION}"),
    "inverse_dynamics.torques.inward": Step(
        "Forces, inward", "The force that the link needs to accelerate so, and that needed outboard."),
    "inverse_dynamics.torques.output": Step(
        "Torque", "The part of the force that the motor feels, with rotor and friction."),
    "group_inverse.torques": Step(
        "Share the load", "The smallest joint accelerations and contact forces that give the object what is "
        "wanted, and the torques for both."),
}  # fmt: skip


def key_of(step: FormulationStep) -> str:
    """Text, sweep and half-step, the key in ``STEPS``."""
    return ".".join(part for part in (step.text, step.sweep, step.block) if part)


FEW = {"lagrange": 12, "strobing": 16, "composite_bodies": 24}
"""Most joints for methods whose number of steps grows faster: some 550 steps at most."""
LONG = "shorter arms, as it has too many steps to walk"


def walkable(system: dyn.System) -> tuple[str, ...]:
    """The formulations that apply to this machine with a reasonable number of steps."""
    return tuple(name for name in readable_formulations(system) if system.n_joints <= FEW.get(name, system.n_joints))


def absent(system: dyn.System) -> str:
    """Which formulations do not apply to this machine, and why, in a sentence; empty if all do."""
    readable, missing = readable_formulations(system), dict[str, list[str]]()
    for name, method in METHODS.items():
        if name not in walkable(system):
            missing.setdefault(LONG if name in readable else method.needs, []).append(method.title)
    reasons = [f"{', '.join(names)}: for {needs}" for needs, names in missing.items()]
    return f"Not for this machine: {'; '.join(reasons)}." if reasons else ""


Array = NDArray[np.float64]
FOUND = {"torque": r"\tau", "joint_acceleration": r"\ddot\theta"}
MISSED = 1e-6  # Relative difference above which a result is not the expected one
LETTERS = {"torque": "tau", "joint_acceleration": "theta_dd"}

OBJECT = formula(r"\alpha(C)")
BESIDE = 8  # Most links for which a row's label is beside it, and not above
ASKED = ("inverse_dynamics", "group_inverse")  # Formulations whose input is a wanted motion, not the current one


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
    listing = listing_html(lines, figures)
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
    held = reading.name == "constrained" and reading.system.is_held
    return np.asarray(reading.letter("alpha_C")).ravel() if held else None


def joints_table(system: dyn.System, letter: str, columns: Sequence[tuple[str, Array]], figures: Figures) -> str:
    """A row for each joint, a column for each method of computing the number."""
    names = [(str(number(system, k)), called(system, k)) for k in range(system.n_joints)]
    return _table(formula(f"{letter}(k)"), names, columns, figures)


def _table(
    corner: str, names: Sequence[tuple[str, str]], columns: Sequence[tuple[str, Array]], figures: Figures
) -> str:
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
