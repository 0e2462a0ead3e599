"""How a notebook shows records: a machine's tree of links, a solution's stages, a run's plots, a report.

Each function below implements ``record.notebook_html`` for one class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, FileSystemLoader, Template
from latex2mathml.converter import convert
from markupsafe import Markup

from dynamics.checks import Array
from dynamics.motion.recording import Recording
from dynamics.record import notebook_html
from dynamics.robot.model import Link, Robot
from dynamics.robot_files.review import RobotReport
from dynamics.robot_files.xml import place_of
from dynamics.system.registry import REGISTRY
from dynamics.system.solution import Solution
from dynamics.system.system import System

MOST_ROWS = 100
"""Rows of a table that are shown; the others are only counted."""
KINDS = {"single_arm": "One arm", "multi_arm": "Several arms", "free_flyer": "A free flyer"}
LINKS = ("link", "its inner joint", "mass, kg", "")
INDENT, MOST_INDENTS = "\N{EM SPACE}", 12
BY_JOINT = (("filter", "joint_inertia"), ("filter", "innovation"), ("filter", "residual"))
"""Quantities shown next to a joint's acceleration."""
ROUNDING = 1e-13
"""Share of the largest number below which a number is shown as zero."""
LEFT, RIGHT, TOP, BOTTOM = 58.0, 332.0, 18.0, 132.0
"""The edges of a plot's frame, in the pixels of its picture."""
MOST_POINTS = 400
"""Points of a line, more than its pixels."""
MOST_LINES = 40
COLORS = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"
DASHES = "none", "5 3", "2 2"
UNITS = {"revolute": ("rad", "rad/s", "N m"), "prismatic": ("m", "m/s", "N")}


class Table(NamedTuple):
    """A table of a cell.

    Attributes:
        head: words or markup.
        rows: words, markup, and numbers, which are shown with four digits.
        summary: the text in its place until a click opens it.
        note: a line below it.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str | float]]
    summary: str = ""
    note: str = ""


def digits(value: float) -> str:
    """Four digits, with a minus sign as wide as a plus sign."""
    return f"{value or 0.0:.4g}".replace("-", "\N{MINUS SIGN}")


def counted(count: int, one: str, many: str = "") -> str:
    """ "1 joint", "7 joints"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


@cache
def _template() -> Template:
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["digits"] = digits
    environment.globals |= {"most_rows": MOST_ROWS, "left": LEFT, "right": RIGHT, "top": TOP, "bottom": BOTTOM}
    return environment.get_template("notebook.html")


def page(title: str, facts: Sequence[str], tables: Sequence[Table] = (), plots: Sequence[Any] = ()) -> str:
    """A title, a line of facts, tables and plots."""
    return _template().render(title=title, facts=facts, tables=tables, plots=plots)


@notebook_html.register
def robot_html(robot: Robot) -> str:
    """The tree of a robot's links, the root first."""
    n = len(robot.links)
    links, joints = [*robot.links, robot.root], [f"{joint.name}, {joint.kind}" for joint in robot.joints]
    names, tips = [link.name for link in links], {tip.link: ["tip"] for tip in robot.tips}
    rows = tree_rows(names, links, [*joints, "root"], [*robot.inboard, -1], tips)
    facts = counted(n, "joint"), counted(n + 1, "link"), *robot.remarks
    return page(robot.title or robot.name, facts, [Table(LINKS, rows)])


@notebook_html.register
def system_html(system: System) -> str:
    """The links of a system from the base outward; branches of a link are indented."""
    held = system.task_object
    holding = f"held by {counted(len(system.contacts), 'contact')}" if system.is_held else "not held"
    facts = (
        counted(system.n_joints, "joint"),
        counted(system.n_links, "link"),
        f"gravity {', '.join(map(digits, system.gravity.tolist()))} m/s²",
        "" if held is None else f"{held.name}, {digits(held.mass)} kg, {holding}",
    )
    kinds = [joint.kind for joint in system.joint_models]
    joints = [f"{name}, {kind}" for name, kind in zip(system.joint_names, kinds, strict=True)]
    joints += ["floats"] * (system.n_links - system.n_joints)
    grips = {contact.tip: contact.kind.replace("_", " ") for contact in system.contacts}
    notes: dict[int, list[str]] = {}
    for k, tip in enumerate(system.tips):
        notes.setdefault(tip.link, []).append(f"tip, holds: {grips[k]}" if k in grips else "tip")
    rows = tree_rows(system.link_names, system.link_models, joints, system.inboard.tolist(), notes)
    title = f"{KINDS[system.kind]}: {', '.join(robot.title or robot.name for robot in system.robots)}"
    return page(title, facts, [Table(LINKS, rows)])


def tree_rows(
    names: Sequence[str],
    links: Sequence[Link],
    joints: Sequence[str],
    inboard: Sequence[int],
    notes: Mapping[int, Sequence[str]],
) -> list[tuple[str, str, float, str]]:
    """A row for each link, depth first; ``inboard`` is each link's neighbor, -1 for a root."""
    outboard: dict[int, list[int]] = {}
    for k in range(len(names)):
        outboard.setdefault(inboard[k], []).append(k)
    rows = []
    waiting = [(k, 0) for k in reversed(outboard[-1])]
    while waiting:
        k, depth = waiting.pop()
        indented = INDENT * min(depth, MOST_INDENTS) + names[k]
        rows.append((indented, joints[k], links[k].mass, ", ".join(notes.get(k, ()))))
        branches = outboard.get(k, [])
        waiting += [(one, depth + (len(branches) > 1)) for one in reversed(branches)]
    return rows


@notebook_html.register
def solution_html(solution: Solution) -> str:
    """The measurements and acceleration of each joint, the contact forces, then every quantity of every stage."""
    system, internal = solution.system, 0 if solution.indeterminate is None else solution.indeterminate.shape[-1]
    facts = (
        f"method {solution.method}",
        counted(system.n_joints, "joint"),
        f"kinetic energy {digits(solution.kinetic_energy)} J",
        f"potential energy {digits(solution.potential_energy)} J",
        f"{counted(internal, 'internal force')} that no motion reveals" if internal else "",
    )
    tables = [_by_joint(solution)]
    if solution.contact_force is not None:
        forces = without_rounding(solution.contact_force)
        head = ("contact force by", "", "Mx, N m", "My, N m", "Mz, N m", "Fx, N", "Fy, N", "Fz, N")
        tables.append(Table(head, [
            (system.link_names[contact.link], contact.kind.replace("_", " "), *forces[contact.tip].tolist())
            for contact in system.contacts
        ]))  # fmt: skip
    for stage, quantities in solution.stages.items():
        rows = [_quantity(stage, name, array) for name, array in quantities.items()]
        words = counted(len(rows), "quantity", "quantities")
        summary = Markup("stage <code>{}</code>: {}").format(stage, words)
        tables.append(Table(("", "mechanics", "estimation", "shape", "largest", "unit"), rows, summary))
    return page("Forward dynamics", facts, tables)


def _by_joint(solution: Solution) -> Table:
    joints, stages = solution.system.joint_models, solution.stages
    columns = {
        _math(REGISTRY[stage, name].symbol): without_rounding(stages[stage][name])
        for stage, name in BY_JOINT
        if stage in stages
    }
    columns[_math(r"\ddot\theta(k)")] = without_rounding(solution.joint_acceleration)
    rows: list[tuple[str | float, ...]] = [
        (name, joint.kind, *(float(values[k]) for values in columns.values()))
        for k, (name, joint) in enumerate(zip(solution.system.joint_names, joints, strict=True))
    ]
    units = "SI units: a joint that turns in kg m², N m and rad/s², one that slides in kg, N and m/s²."
    return Table(("joint", "", *columns), rows, note=units)


def without_rounding(values: Array) -> Array:
    """The values with 0 for those that are rounding relative to the largest."""
    return np.where(np.abs(values) > ROUNDING * np.abs(values).max(initial=0.0), values, 0.0)


def _quantity(stage: str, name: str, array: Array) -> tuple[str | float, ...]:
    one, largest = REGISTRY[stage, name], float(np.abs(array).max(initial=0.0))
    return _math(one.symbol), one.mechanics_name, one.estimation_name, str(array.shape), largest, one.unit


def _math(latex: str) -> Markup:
    return Markup(convert(latex))


@notebook_html.register
def recording_html(recording: Recording) -> str:
    """A run's joints, rates and torques over time, and the unexplained part of its energy."""
    system, times = recording.segments[0].system, recording.t
    n, names = system.n_joints, system.joint_names
    facts = (
        f"{digits(recording.duration)} s",
        counted(len(times), "sample"),
        *(f"{event} at {digits(time)} s" for time, event in recording.events),
        recording.stopped or "",
        "" if recording.doubtful_from is None else f"doubtful from {digits(recording.doubtful_from)} s",
    )
    kinds = sorted({joint.kind for joint in system.joint_models}, reverse=True)
    place, rate, torque = (" or ".join(UNITS[kind][k] for kind in kinds) for k in range(3))
    plots = (
        plot(f"joint displacements, {place}", times, recording.x[:, :n], names),
        plot(f"joint rates, {rate}", times, recording.v[:, :n], names),
        plot(f"motor torques, {torque}", times, recording.tau, names),
        plot("unexplained energy, J", times, recording.unexplained_energy[:, None], ("energy",)),
    )
    return page(f"A run of {counted(n, 'joint')}", facts, plots=plots)


def plot(title: str, times: Array, values: Array, names: Sequence[str]) -> dict[str, Any]:
    """Lines over time, each with a tooltip with its name.

    Args:
        times: (samples,) s, ascending.
        values: (samples, lines).
    """
    some = np.unique(np.linspace(0, len(times) - 1, min(len(times), MOST_POINTS)).astype(int))
    low, high = float(values.min()), float(values.max())
    if low == high:
        margin = max(1.0, abs(low))  # a margin of 1 is lost in 1e17
        low, high = low - margin, high + margin
    across = LEFT + (RIGHT - LEFT) * (times[some] - times[0]) / max(times[-1] - times[0], np.finfo(float).tiny)
    down = TOP + (BOTTOM - TOP) * (high - values[some]) / (high - low)
    lines = [
        {
            "name": name,
            "color": COLORS[k % len(COLORS)],
            "dash": DASHES[k // len(COLORS) % len(DASHES)],
            "points": " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down[:, k], strict=True)),
        }
        for k, name in enumerate(names[:MOST_LINES])
    ]
    ends = {"low": low, "high": high, "start": float(times[0]), "end": float(times[-1])}
    return {"title": title, "lines": lines, **ends}


@notebook_html.register
def report_html(report: RobotReport) -> str:
    """The findings in a robot's file, in the order in which to correct them."""
    facts = (
        report.language,
        counted(len(report.findings), "finding") if report.findings else "nothing found",
        f"refused: {report.refusal}" if report.refusal else "",
    )
    rows = []
    for one in report.findings:
        line = place_of(one.line, one.file) if one.line else ""
        rows.append((one.weight, ", ".join(filter(None, (line, one.where))), one.words, one.remedy))
    tables = [Table(("", "place", "what is there", "remedy"), rows)] if rows else []
    return page(report.name, facts, tables)
