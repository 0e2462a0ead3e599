"""A table with a row per link: the stage's quantities at the cursor's instant."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import formula
from app.equations.rounding import Loads, shortest_radius
from app.equations.words import STAGE_TITLES
from app.instruments.walk.step_sheet import spoken
from app.number_text import ROUNDING, size_of
from app.state import walk
from app.state.walk import Place

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Column:
    """A value of the stage's array; for spatial vectors, the length of the angular or linear part."""

    latex: str
    name: str
    part: slice | None = None


TRUE_RUN = "<p class='note warning'><b>The true run's numbers</b>, which no break changes.</p>"
"""Shown above numbers that do not come from the text while the text is broken."""
FEW = 5
"""Largest number of numeric columns that fit beside full names."""
ANGULAR, LINEAR = slice(0, 3), slice(3, 6)
MOTION = (
    Column(r"\ddot\theta", "joint_acceleration"),
    Column(r"|\alpha^+|_\omega", "acceleration_inboard", ANGULAR),
    Column(r"|\alpha^+|_v", "acceleration_inboard", LINEAR),
    Column(r"|\alpha|_\omega", "acceleration", ANGULAR),
    Column(r"|\alpha|_v", "acceleration", LINEAR),
)
COLUMNS: dict[str, tuple[Column, ...]] = {
    "filter": (
        Column("D", "joint_inertia"),
        Column(r"|G|_\tau", "kalman_gain", ANGULAR),
        Column("|G|_f", "kalman_gain", LINEAR),
        Column(r"\epsilon", "innovation"),
        Column(r"\nu", "residual"),
    ),
    "smoother": MOTION,
    "smoother_final": MOTION,
    "contact": (
        Column(r"|x_{FREE}|_\tau", "predicted_contact_force", ANGULAR),
        Column("|x_{FREE}|_f", "predicted_contact_force", LINEAR),
        Column(r"|x(0)|_\tau", "contact_force", ANGULAR),
        Column("|x(0)|_f", "contact_force", LINEAR),
    ),
    "filter_correction": (
        Column(r"|\delta z|_\tau", "force_correction", ANGULAR),
        Column(r"|\delta z|_f", "force_correction", LINEAR),
        Column(r"\epsilon^{\prime}", "modified_innovation"),
    ),
    "dual_filter": (
        Column("D_s", "dual_joint_inertia"),
        Column(r"|G_s|_\tau", "dual_kalman_gain", ANGULAR),
        Column("|G_s|_f", "dual_kalman_gain", LINEAR),
        Column(r"\epsilon_s", "dual_innovation"),
        Column(r"\nu_s", "dual_residual"),
        Column(r"\ddot\theta", "joint_acceleration"),
    ),
}
LENGTHS = "|·| is the length of a part, {} and {}."
MOTIONS, LOADS = LENGTHS.format("ω its angular", "v its linear one"), LENGTHS.format("τ its moment", "f its force")
PARTS = {stage: MOTIONS if stage.startswith("smoother") else LOADS for stage in COLUMNS}


class LinksSheet:
    """The table of one stage; its HTML is the same at every instant."""

    def __init__(self, system: dyn.System, place: Place) -> None:
        self.stage = place.stage
        self._visited = walk.visits(system, place.stage)
        self._tip_of = {contact.link: contact.tip for contact in system.contacts}
        length = shortest_radius(system)
        self._beside = 1.0 / length if place.stage.startswith("smoother") else length
        columns = COLUMNS[place.stage]
        head = "".join(
            f"<th title='{title_of(place.stage, column)}'>{formula(column.latex)}</th>" for column in columns
        )
        rows, n = "", 0
        for _, k in self._visited:
            cells = ""
            for _ in columns:
                cells += f"<td class='number' data-first='{n}' data-n='{n}'></td>"
                n += 1
            here = " class='here' aria-current='true'" if k == place.link else ""
            number = walk.number(system, k)
            arm = f"{int(system.arm_of_link[k]) + 1}." if system.n_arms > 1 else ""
            rows += (
                f"<tr{here} data-go='link {k}' tabindex='0' role='button' aria-label='link {number}, "
                f"{html.escape(system.link_names[k], quote=True)}'><td class='number'>{arm}{number}</td>"
                f"<td class='name'>{html.escape(system.link_names[k])}</td>{cells}</tr>"
            )
        look = "links many" if len(columns) > FEW else "links"
        self.html = (
            f"<p class='where' {spoken(system, place)}><b>{STAGE_TITLES[place.stage]}</b>, in the order in which it "
            "runs. "
            f"A click goes to the link. {PARTS[place.stage]}</p>"
            f"<table class='{look}'><thead><tr><th>{formula('k')}</th><th>link</th>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )

    def numbers(self, solution: dyn.Solution) -> Array:
        """The numbers, row by row."""
        stage, loads = solution.stages[self.stage], Loads.of(solution.system, solution.stages)
        rows = [self._tip_of[k] if self.stage == "contact" else k for _, k in self._visited]
        columns = [_column(stage[column.name], column, rows, self._beside, loads) for column in COLUMNS[self.stage]]
        return np.column_stack(columns).ravel()


def _column(array: Array, column: Column, rows: list[int], beside: float, loads: Loads) -> Array:
    """One number per row; 0 if it is rounding relative to the others, NaN (shown as a dash) if a base has no joint.

    ``beside`` is the angular equivalent of a linear part of 1, m for loads and 1/m for motions, by which they compare.
    """
    array = loads.without_rounding(column.name, array)

    def of(part: slice | None) -> Array:
        values = array if part is None else np.linalg.norm(array[:, part], axis=1)
        return np.array([values[k] if k < len(values) else np.nan for k in rows])

    found = of(column.part)
    size = size_of(found)
    if column.part is ANGULAR:
        size = max(size, beside * size_of(of(LINEAR)))
    elif column.part is LINEAR:
        size = max(size, size_of(of(ANGULAR)) / beside)
    return np.where(np.abs(found) <= ROUNDING * size, 0.0, found)


def title_of(stage: str, column: Column) -> str:
    """Both names and the unit, for the column's head."""
    quantity = dyn.registry[stage, column.name]
    unit = quantity.unit
    if column.part is not None and ";" in unit:
        unit = unit.split(";")[column.part is LINEAR].strip()
    return html.escape(f"{quantity.mechanics_name}; {quantity.estimation_name}; {unit}", quote=True)
