"""An instant counted from another base, beside its own counting: which quantities differ, and by how much."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import formula
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures, action_html
from app.instruments.two_filters_sheet import side_by_side_html
from app.state import walk
from dynamics.solve import OtherBase
from scenes import palette

Array = NDArray[np.float64]
Units = tuple[int, ...]
ANGULAR, LINEAR = 0, 1
SPATIAL: Units = (ANGULAR,) * 3 + (LINEAR,) * 3
ONE: Units = (ANGULAR,)


@dataclass(frozen=True)
class Legend:
    """A quantity of both countings."""

    latex: str  # its letter; ``{k}`` stands for a link's number
    color: str  # the palette's name
    words: str  # its description
    stays: bool  # whether it is the same from every base
    of_link: bool = True  # whether each link has its own


LEGENDS: Mapping[str, Legend] = {
    "articulated_inertia": Legend("P({k})", "articulated_inertia", "inertia from the tip", False),
    "dual_articulated_inertia": Legend("S({k})", "dual_articulated_inertia", "inertia from the base", False),
    "predicted_force": Legend("z({k})", "predicted_force", "bias force of all that is outboard", False),
    "mass_matrix": Legend(
        r"\mathcal{M}", "mass_matrix", "mass matrix of joints and base, the base's six rows last", False, False
    ),
    "operational_space_inertia": Legend("P({k})+S({k})", "operational_space_inertia", "inertia together", True),
    "acceleration": Legend(r"\alpha({k})", "acceleration", "acceleration", True),
    "joint_acceleration": Legend(
        r"\ddot\theta", "joint_acceleration", "accelerations of all joints, from the tip", True, False
    ),
}


def own(solution: dyn.Solution) -> dict[str, Array]:
    """The same quantities in the system's own counting."""
    forward, dual = solution.stages["filter"], solution.stages["dual_filter"]
    return {
        "articulated_inertia": forward["articulated_inertia"],
        "dual_articulated_inertia": dual["dual_articulated_inertia"],
        "predicted_force": forward["predicted_force"],
        "mass_matrix": dyn.mass_matrix(solution.system, solution.state),
        "operational_space_inertia": dual["operational_space_inertia"],
        "acceleration": dual["acceleration"],
        "joint_acceleration": solution.joint_acceleration,
    }


class Comparison:
    """Both countings of one instant."""

    def __init__(self, solution: dyn.Solution, other: OtherBase) -> None:
        self.system = solution.system
        self.base = other.solution.system.link_names[-1]
        self._before, self.other = own(solution), other
        self._length = shortest_radius(self.system)
        joints = tuple(LINEAR if joint.kind == "prismatic" else ANGULAR for joint in self.system.joint_models)
        moving = np.abs(np.concatenate([self._before["acceleration"], solution.bias_acceleration]))
        self._moving = moving.reshape(-1, 2, 3).max(axis=(0, 2))[:, None]
        self._units: dict[str, tuple[Units, Units]] = dict.fromkeys(LEGENDS, (SPATIAL, SPATIAL))
        self._units |= dict.fromkeys(("predicted_force", "acceleration"), (SPATIAL, ONE))
        self._units |= {"joint_acceleration": (joints, ONE), "mass_matrix": (joints + SPATIAL,) * 2}

    def both(self, name: str, link: int) -> tuple[Array, Array]:
        """A quantity of a link in its own counting and in the other."""
        pair = self._before[name], np.asarray(getattr(self.other, name))
        first, second = (each[link] for each in pair) if LEGENDS[name].of_link else pair
        rows, columns = self._units[name]
        return first.reshape(len(rows), len(columns)), second.reshape(len(rows), len(columns))

    def apart(self, name: str, link: int) -> float:
        """The difference of the two, relative to the largest number of the same unit.

        Accelerations are compared with the machine's largest, including those that velocities cause.
        """
        rows, columns = self._units[name]
        beside = self._moving if name.endswith("acceleration") else np.zeros((2, 1))
        return relative(*self.both(name, link), rows, columns, self._length, beside)

    def most(self, name: str) -> float:
        """The same at the link where it is largest."""
        return max(self.apart(name, k) for k in range(self.system.n_links if LEGENDS[name].of_link else 1))


def relative(
    before: Array, after: Array, rows: Units, columns: Units, length: float, beside: Array | float = 0.0
) -> float:
    """The largest difference between numbers, each relative to the largest of its unit in both.

    Numbers of the other unit count as well, converted by a length: what is small relative to them is rounding.

    Args:
        length: m, ``shortest_radius``.
        beside: additional sizes to compare with, (2, 1) or (2, 2), angular and linear.

    Returns:
        0 if there is nothing to compare.
    """
    down, across = np.array(rows), np.array(columns)
    largest = np.maximum(np.abs(before), np.abs(after))
    size = np.zeros((2, 2))
    for g in (ANGULAR, LINEAR):
        for h in (ANGULAR, LINEAR):
            size[g, h] = largest[np.ix_(down == g, across == h)].max(initial=0.0)
    size = np.maximum(size, beside)
    share = min(length, 1.0 / length)  # whichever way the unit is converted
    size = np.maximum(size, share * size[::-1])
    size = np.maximum(size, share * size[:, ::-1])[np.ix_(down, across)]
    gap = np.abs(after - before)
    return float((gap[size > 0.0] / size[size > 0.0]).max(initial=0.0))


def base_html(
    comparison: Comparison | None, system: dyn.System, link: int, theme: palette.Theme, figures: Figures
) -> str:
    """Both countings of a link side by side; None: the system's own base, with nothing to compare."""
    base = html.escape(system.link_names[-1])
    if comparison is None:
        return (
            f"<h3>Any link as the base</h3><p>Counted from <b>{base}</b>, as its file has it. Make another link the "
            "base with <i>from here</i>: the motion stays the same, only the counting begins elsewhere.</p>"
        )
    other = html.escape(comparison.base)
    way = set(system.path_inward(system.link_names.index(comparison.base)))
    called = html.escape(walk.called(system, link))
    beside = "" if link in way else f" Link {called} does not lie between the two bases: its own P and S stay as well."

    def section(name: str) -> str:
        return _section_html(comparison, name, link, (base, other), theme, figures)

    def sections(wanted: Callable[[Legend], bool]) -> str:
        return "".join(section(name) for name, legend in LEGENDS.items() if wanted(legend))

    return (
        f"<h3 data-spoken='Counted from {other}'>Counted from {other} instead of {base}</h3>"
        f"<p>{action_html(f'base {system.n_links - 1}', f'Back to {base}')}</p>"
        f"<p class='note'>Link {called}, at the same point O<sub>k</sub>. The run is as it was.</p>"
        f"<h4>What the choice of a base changes</h4><p class='note'>Tip and base are only points of view.{beside}"
        f"</p>{sections(lambda legend: not legend.stays)}"
        "<h4>What it does not</h4><p class='note'>What the machine does, and its operational-space inertia.</p>"
        f"{sections(lambda legend: legend.stays)}"
    )


def _section_html(
    comparison: Comparison, name: str, link: int, bases: tuple[str, str], theme: palette.Theme, figures: Figures
) -> str:
    legend = LEGENDS[name]
    figures.put(comparison.apart(name, link) * (1.0 if legend.stays else 100.0))
    by = f"<span class='apart' data-digits='{1 if legend.stays else 3}'>{figures.one()}</span>"
    gap = f"the same, to {by}" if legend.stays else f"differs by {by} %"
    if legend.stays and legend.of_link:
        figures.put(comparison.most(name))
        gap += f"; at every link, to <span class='apart' data-digits='1'>{figures.one()}</span>"
    letter = formula(legend.latex.replace("{k}", str(walk.number(comparison.system, link))))
    columns = [(f"from {base}", value) for base, value in zip(bases, comparison.both(name, link), strict=True)]
    color = palette.quantity(legend.color, theme)
    return side_by_side_html(name, f"{letter} {legend.words}", gap, color, columns, figures)
