"""What the badge and its table show of one instant, found in a worker thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dynamics as dyn
from app.motion.errors import ERRORS
from app.state.outcome import checks_of
from dynamics.check import Check


@dataclass(frozen=True)
class Comparison:
    """Methods against each other, and the identities of the stages; None where there is no answer.

    Attributes:
        few: whether not all methods were asked, as while the motion plays.
    """

    solution: dyn.Solution
    agreement: dyn.Agreement | None
    checks: tuple[Check, ...]
    few: bool = False


def compare(
    solution: dyn.Solution, wrench: np.ndarray | None, only: tuple[str, ...] | None, with_checks: bool
) -> Comparison:
    """Compares at one instant; a posture that does not determine the accelerations has no agreement."""
    try:
        agreement = dyn.agreement(solution.system, solution.state, solution.tau, wrench, only)
    except ERRORS:
        agreement = None
    checks: tuple[Check, ...] = ()
    if with_checks:
        reading = dyn.read_textbook(solution.system, solution.state, solution.tau, wrench)
        checks = checks_of(solution, reading, wrench)
    return Comparison(solution, agreement, checks, only is not None)
