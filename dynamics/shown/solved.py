"""A solution as its stages: what each joint measures and does, then every quantity of every stage."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from latex2mathml.converter import convert

from dynamics.checks import Array
from dynamics.record import shown
from dynamics.shown.parts import Markup, counted, folded, number, page, table
from dynamics.system.registry import REGISTRY, Quantity
from dynamics.system.solution import Solution

BY_JOINT = (("filter", "joint_inertia"), ("filter", "innovation"), ("filter", "residual"))
"""What stands beside a joint's acceleration."""
ACCELERATION = r"\ddot\theta(k)"
ROUNDING = 1e-13
FORCE = "Mx, N m", "My, N m", "Mz, N m", "Fx, N", "Fy, N", "Fz, N"


@shown.register
def solution_html(solution: Solution) -> str:
    """What a notebook shows of it."""
    system = solution.system
    words = (
        f"method {solution.method}",
        counted(system.n_joints, "joint"),
        f"kinetic energy {number(solution.kinetic_energy)} J",
        f"potential energy {number(solution.potential_energy)} J",
        _indeterminate(solution),
    )
    stages = [_stage(stage, quantities) for stage, quantities in solution.stages.items()]
    return page("Forward dynamics", words, _by_joint(solution), _contacts(solution), *stages)


def _indeterminate(solution: Solution) -> str:
    many = 0 if solution.indeterminate is None else solution.indeterminate.shape[-1]
    return f"{counted(many, 'internal force')} that no motion reveals" if many else ""


def _by_joint(solution: Solution) -> str:
    """A row a joint."""
    joints, stages = solution.system.joint_models, solution.stages
    columns = {
        convert(REGISTRY[stage, name].symbol): without_rounding(stages[stage][name])
        for stage, name in BY_JOINT
        if stage in stages
    }
    columns[convert(ACCELERATION)] = without_rounding(solution.joint_acceleration)
    rows: list[tuple[str | float, ...]] = [
        (name, joint.kind, *(float(values[k]) for values in columns.values()))
        for k, (name, joint) in enumerate(zip(solution.system.joint_names, joints, strict=True))
    ]
    units = "<div>SI units: a joint that turns in kg m², N m and rad/s², one that slides in kg, N and m/s².</div>"
    return table(("joint", "", *columns), rows) + units


def without_rounding(values: Array) -> Array:
    """The same with 0 for what is rounding beside the largest."""
    return np.where(np.abs(values) > ROUNDING * np.abs(values).max(initial=0.0), values, 0.0)


def _contacts(solution: Solution) -> str:
    if solution.contact_force is None:
        return ""
    system = solution.system
    forces = without_rounding(solution.contact_force)
    rows: list[tuple[str | float, ...]] = [
        (system.link_names[contact.link], contact.kind.replace("_", " "), *forces[contact.tip].tolist())
        for contact in system.contacts
    ]
    return table(("contact force by", "", *FORCE), rows)


def _stage(stage: str, quantities: Mapping[str, Array]) -> str:
    """A row a quantity, in the paper's order."""
    rows = [_row(REGISTRY[stage, name], array) for name, array in quantities.items()]
    title = f"stage <code>{stage}</code>: {counted(len(rows), 'quantity', 'quantities')}"
    return folded(title, table(("", "mechanics", "estimation", "shape", "largest", "unit"), rows))


def _row(quantity: Quantity, array: Array) -> tuple[str | float, ...]:
    names = quantity.mechanics_name, quantity.estimation_name
    largest = float(np.abs(array).max(initial=0.0))
    return Markup(convert(quantity.symbol)), *names, str(array.shape), largest, quantity.unit
