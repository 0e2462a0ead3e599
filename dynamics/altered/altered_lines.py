"""Every line of the five stages, in the order in which they are computed: what ``Alteration`` can alter."""

from __future__ import annotations

from dynamics.altered.altered_contact_lines import CONTACT_LINES, CORRECTION_LINES
from dynamics.altered.altered_filter_lines import FILTER_LINES
from dynamics.altered.altered_line import Line
from dynamics.altered.altered_smoother_lines import COVARIANCE_LINES, smoother_lines
from dynamics.system.system import System

LINES: tuple[Line, ...] = (
    *FILTER_LINES,
    *smoother_lines("smoother", "R87", "z"),
    *COVARIANCE_LINES,
    *CONTACT_LINES,
    *CORRECTION_LINES,
    *smoother_lines("smoother_final", "R88 (8.5), R87", r"(z+\delta z)"),
)


def lines_of(system: System) -> tuple[Line, ...]:
    """The lines that a system's algorithm has: contact stages where something is held, a base where one floats."""

    def belongs(line: Line) -> bool:
        if line.stage in ("contact", "filter_correction", "smoother_final") and not system.is_held:
            return False
        if line.quantity == "force":  # the force of the whole motion comes with the last smoother
            return (line.stage == "smoother_final") == system.is_held
        return line.quantity != "base_acceleration" or system.is_floating

    return tuple(line for line in LINES if belongs(line))
