"""The papers' sums and operator forms of the sweeps, each compared with the sweeps or a dense solve."""

from __future__ import annotations

from itertools import chain

import numpy as np

from dynamics.check.both_sides import PaperSum
from dynamics.check.sums_of_arms import of_arms, of_one_input
from dynamics.check.sums_of_chains import of_chains
from dynamics.check.sums_of_flyers import of_flyers
from dynamics.checks import brief
from dynamics.errors import ModelError
from dynamics.public import public_as_computed
from dynamics.solve.forward_dynamics import FILTER_SMOOTHER
from dynamics.system.solution import Solution


@public_as_computed
def paper_sums(solution: Solution) -> tuple[PaperSum, ...]:
    """The sums behind the sweeps at one moment: R87 (4)-(83), R88 Sections 3-10, JR Sections 2-4 and Appendix A,
    JZ (24)-(26).

    Equations that do not apply are left out: Appendix A for bolted arms, Section 5 for arms that hold nothing.

    Args:
        solution: from ``forward_dynamics`` by ``filter_smoother``.

    Returns:
        One ``PaperSum`` for each equation or group of equations, paper by paper; residuals are dimensionless.

    Raises:
        ModelError: for a solution by another method, which has no stages.
        StateError: if ``solution`` is not a solution.
        SingularConfigurationError: if the arms lose a direction that a sum needs.

    Cost: cubic in the links; the sums for torques alone solve the machine once more, at rest and weightless.
    """
    if "smoother" not in solution.stages:
        raise ModelError(
            f"the sums need stages, which the method {brief(solution.method)} does not return; solve with "
            f"{brief(FILTER_SMOOTHER)}."
        )
    with np.errstate(all="ignore"):  # a residual that is not a number is reported as infinite
        return tuple(chain(of_arms(solution), of_one_input(solution), of_chains(solution), of_flyers(solution)))
