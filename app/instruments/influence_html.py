"""What each joint's torque moves: maps with named rows and columns, R88 Section 10, and the chosen cell in words."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import value_html
from app.equations.formula import formula
from app.equations.pictures import contact_titles
from app.equations.sheet import Figures, action_html, buttons_html
from app.number_text import number_text, size_of
from app.state.walk import called, number
from dynamics.solve import AccelerationParts, Influence

Array = NDArray[np.float64]
HELD, FREE, TAKEN = "W", "W_FREE", "ΔW"
AXES = "xyz"


@dataclass(frozen=True)
class Row:
    """The acceleration or force that a row of a map describes."""

    brief: str  # label beside its cells
    words: str  # for the readout and for screen readers
    unit: str  # of the response to one newton-metre, or one newton
    joint: int = -1  # the joint whose acceleration it is; -1 for a force or the object's


@dataclass(frozen=True)
class Band:
    """Rows of one unit under one heading."""

    title: str
    rows: tuple[Row, ...]


def joint_label(system: dyn.System, joint: int) -> str:
    """A joint's number as in the papers, with its arm if there are several."""
    own = str(number(system, joint))
    return f"{int(system.arm_of_link[joint]) + 1}.{own}" if system.n_arms > 1 else own


def slides(system: dyn.System, joint: int) -> bool:
    return system.joint_models[joint].kind == "prismatic"


def acceleration_unit(system: dyn.System, joint: int) -> str:
    """Unit of a joint's own acceleration."""
    return "m/s²" if slides(system, joint) else "rad/s²"


def bands_of(system: dyn.System) -> tuple[Band, ...]:
    """The rows of all maps: joints, then floating bases, then the forces transmitted by contacts, then the object."""
    joints = tuple(
        Row(joint_label(system, k), f"acceleration of {called(system, k)}", acceleration_unit(system, k), k)
        for k in range(system.n_joints)
    )
    found = [Band("Joints accelerate", joints)]
    for name in system.link_names[system.n_joints :]:
        found += _motion_of(name)
    if not system.is_held:
        return tuple(found)
    for title in contact_titles(system):
        whose = f" of {title}" if max(system.n_arms, len(system.contacts)) > 1 else ""
        for part, unit in (("moment", "N m"), ("force", "N")):
            rows = tuple(Row(axis, f"{part} {axis} at the tip{whose}", unit) for axis in AXES)
            found.append(Band(f"{part.capitalize()} at the tip{whose}", rows))
    return (*found, *_motion_of("object"))


def _motion_of(name: str) -> Iterator[Band]:
    """The motion of a body not determined by joints alone: the object, or a floating base."""
    for part, unit in (("angular", "rad/s²"), ("linear", "m/s²")):
        rows = tuple(Row(axis, f"{part} acceleration {axis} of the {name}", unit) for axis in AXES)
        yield Band(f"{name[:1].upper()}{name[1:]}, {part}", rows)


def choices(system: dyn.System) -> tuple[str, ...]:
    """The distinct maps to the joints' accelerations: a single one for arms that hold nothing."""
    return (HELD, FREE, TAKEN) if system.is_held else (HELD,)


def stacked(system: dyn.System, maps: Influence, choice: str) -> Array:
    """(rows, joints): every row of ``bands_of``, with one of the ``choices`` for the joints."""
    joints = {HELD: maps.W, FREE: maps.W_free, TAKEN: maps.delta_W}[choice]
    found = [joints, *maps.link_acceleration[system.n_joints :]]
    if system.is_held:
        found += [maps.contact_force[6 * contact.tip : 6 * contact.tip + 6] for contact in system.contacts]
        found.append(maps.object_acceleration)
    return np.concatenate(found)


WORDS: Mapping[str, str] = {HELD: "as the arms are", FREE: "the object absent", TAKEN: "what holding it takes away"}
LETTERS: Mapping[str, str] = {HELD: "W", FREE: r"W_{\mathrm{FREE}}", TAKEN: r"\Delta W"}
SOURCES: Mapping[str, str] = {HELD: "R88 Result 10.6", FREE: "R88 (10.4)", TAKEN: "R88 (10.11)"}
DIFFERENCE = r"W = W_{\mathrm{FREE}} - \Delta W"
ACCELERATION = r"\ddot{\theta}"
PARTS = (
    ("torque", "torques, less losses", "T"),
    ("bias_force", "weights, pushes, gyroscopic and centrifugal forces", "b"),
    ("bias_acceleration", "Coriolis and centripetal accelerations of joints", "a"),
    ("contact", "the object", "x(0)"),
)
"""The parts of joint accelerations: name in ``dynamics``, words, letter."""


def parts_here(system: dyn.System) -> tuple[tuple[str, str, str], ...]:
    """The parts that this machine has."""
    return PARTS if system.is_held else PARTS[:-1]


def switch_html(system: dyn.System, choice: str) -> str:
    """The choice of the map for the joints; empty if there is only one."""
    offered = [(f"map {name}", f"{formula(LETTERS[name])} <span>{WORDS[name]}</span>", "") for name in choices(system)]
    return f"<div class='tools'>{buttons_html(offered, [f'map {choice}'])}</div>" if len(offered) > 1 else ""


def maps_html(system: dyn.System, values: Array, at: tuple[int, int], figures: Figures) -> str:
    """The table; each column is one joint's torque, in all maps.

    Args:
        values: from ``stacked``.
        at: chosen row and column.
    """
    n = system.n_joints
    names = [html.escape(called(system, j), quote=True) for j in range(n)]
    heads = "".join(
        f"<th scope='col'{_here(j == at[1])} data-go='joint {j}' title='torque at {names[j]}'>"
        f"{joint_label(system, j)}</th>"
        for j in range(n)
    )
    body, row = "", 0
    for band in bands_of(system):
        body += (
            f"<tbody><tr class='band'><th colspan='{n + 1}'><span>{html.escape(band.title)}</span></th></tr></tbody>"
        )
        first, lines = figures.count, ""
        for each in band.rows:
            figures.put(values[row])
            cells = "".join(_cell_html((row, j), at, figures) for j in range(n))
            title = html.escape(each.words, quote=True)
            lines += (
                f"<tr><th scope='row'{_here(row == at[0])} data-go='row {row}' title='{title}'>{each.brief}</th>"
                f"{cells}</tr>"
            )
            row += 1
        body += f"<tbody data-first='{first}' data-heat='{max(n, len(band.rows))}' data-strongest='90'>{lines}</tbody>"
    return (
        f"<div class='wide'><table class='grid signed compact' style='--columns: {n + 2}'><caption>Columns: a torque "
        "of 1 N m at one joint (a force of 1 N where it slides). The darker the larger, within its block; hatched: "
        f"negative."
        f"</caption><thead><tr><th></th>{heads}</tr></thead>{body}</table></div>"
    )


def _cell_html(where: tuple[int, int], at: tuple[int, int], figures: Figures) -> str:
    here = _here(where == at, where[0] == at[0] or where[1] == at[1])
    return f"<td{here} {figures.cell()} data-go='cell {where[0]} {where[1]}'></td>"


def _here(here: bool, mine: bool = False) -> str:
    return " class='here'" if here else " class='mine'" if mine else ""


def cell_html(system: dyn.System, maps: Influence, values: Array, choice: str, at: tuple[int, int]) -> str:
    """The meaning of the chosen number, and for a joint's response how it comes about."""
    row, j = at
    chosen = [one for band in bands_of(system) for one in band.rows][row]
    amount = number_text(values[row, j], size_of(values[row]))
    said = (
        f"<p class='where'><b>1 {'N' if slides(system, j) else 'N m'}</b> at {html.escape(called(system, j))}: "
        f"<b class='answer'>{amount} {chosen.unit}</b>, {html.escape(chosen.words)}"
        f"{'' if chosen.joint < 0 or choice == HELD else f', {WORDS[choice]}'}.</p>"
    )
    if chosen.joint >= 0 and system.is_held:
        k = chosen.joint
        beside = size_of(maps.W_free[k])
        each = [number_text(one[k, j], beside) for one in (maps.W, maps.W_free, maps.delta_W)]
        said += (
            f"<p class='sum'>{formula(DIFFERENCE)}: {each[0]} = {each[1]} − ({each[2]}) "
            f"{chosen.unit}<span class='source'>R88 Result 10.6, (10.11)</span></p>"
        )
    elif system.is_held:
        said += "<p class='sum' aria-hidden='true'></p>"  # keeps what is clicked under the pointer
    return said


def sum_html(system: dyn.System, solution: dyn.Solution, parts: AccelerationParts, k: int) -> str:
    """The chosen joint's acceleration as the sum of its responses to each kind of input; R87 (70)."""
    each = [(getattr(parts, name)[k], words, letter) for name, words, letter in parts_here(system)]
    beside = size_of([amount for amount, _, _ in each])
    terms = "".join(
        f"<tr><td>{html.escape(letter)}</td><td>{html.escape(words)}</td>"
        f"<td class='amount'>{number_text(amount, beside)}</td></tr>"
        for amount, words, letter in each
    )
    whole = number_text(float(solution.joint_acceleration[k]), beside)
    return (
        f"<table class='parts'><caption>{html.escape(called(system, k))}, in {acceleration_unit(system, k)}</caption>"
        f"<tbody>{terms}<tr class='whole'><td>{formula(ACCELERATION)}</td><td>together: its acceleration now</td>"
        f"<td class='amount'>{whole}</td></tr></tbody></table>"
    )


SWEEPS = ("inward_gains", "outward_covariance", "inward_influence")
TITLES = "1 inward: gains", "2 outward: mobility", "3 inward: influence"


def sweeps_html(system: dyn.System, maps: Influence, sweep: str, k: int, figures: Figures) -> str:
    """One of the three sweeps of R88 Fig. 10.1 at a link: its result there, and a link to its step of the walk."""
    left = maps.sweeps[sweep]
    offered = [(f"sweep {name}", title, "") for name, title in zip(SWEEPS, TITLES, strict=True)]
    buttons = buttons_html(offered if system.is_held else offered[:2], [f"sweep {sweep}"])
    if sweep == "inward_gains":
        words = "The filter runs from tip to base and leaves, at every joint, what the joint feels and the gain."
        terms = [("D(k)", left["joint_inertia"][k], ""), ("G(k)", left["kalman_gain"][k][:, None], "")]
        lead = ("filter", "The walk's filter at this link")
    elif sweep == "outward_covariance":
        words = "Each link's mobility is found from base to tip, and with it what a force outboard does to its joint."
        terms = [(r"\Lambda(k)", left["costate_covariance"][k], ""), (r"\tilde{H}(k)", left["output_map"][k][None], "")]
        if left["omega"].size:
            terms.append((r"\Omega", left["omega"], ""))
        lead = ("smoother", "The walk's smoother at this link")
    else:
        words = (
            "What holding the object takes away is found from the contacts inward: the inertia Ω⁻¹ that the contacts "
            "feel, carried to the link, and the joint's answer to it."
        )
        of_arm = [i for i, one in enumerate(system.contacts) if one.arm == system.arm_of_link[k]]
        several = len(of_arm) > 1
        titles = [f"<small>{html.escape(one)}</small>" if several else "" for one in contact_titles(system)]
        terms = [(r"\psi(k, 0)", left["contact_transition"][i, k], titles[i]) for i in of_arm]
        terms.append((r"\psi(k, 0)\,C'\Omega^{-1}C\,\psi'(k, 0)", left["contact_influence_sweep"][k], ""))
        for i in of_arm:
            tip = 6 * system.contacts[i].tip
            terms.append((r"\tilde{H}(k)\psi(k, 0)", left["tip_map"][k, tip : tip + 6][None], titles[i]))
        lead = ("contact", "The walk's contact stage")
    shown = "".join(
        f"<div class='term'>{whose}<div class='symbol'>{formula(latex)}</div>"
        f"<div class='value'>{value_html(np.atleast_2d(value), figures)}</div></div>"
        for latex, value, whose in terms
    )
    return (
        f"<h4>{'Three sweeps' if system.is_held else 'Two of the three sweeps'}, R88 Fig. 10.1, at "
        f"{html.escape(called(system, k))}</h4><div class='tools'>{buttons}</div>"
        f"<p>{words}</p><div class='numbers'>{shown}</div>"
        f"<p>{action_html(f'walk {lead[0]}', lead[1])}</p>"
    )
