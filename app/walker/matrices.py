"""Which matrices the walk can look at: 6x6 of one link, and those of the whole system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.operators.operator_factors import operator_factors

Array = NDArray[np.float64]

# Title -> (stage, quantity); offered where the solution has it.
OF_LINK: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "P(k), articulated inertia": ("filter", "articulated_inertia"),
        "P⁺(k), joint free": ("filter", "articulated_inertia_updated"),
        "Λ(k), inverse operational-space inertia": ("smoother", "costate_covariance"),
        "S(k), dual articulated inertia": ("dual_filter", "dual_articulated_inertia"),
        "S⁺(k), joint locked": ("dual_filter", "dual_articulated_inertia_predicted"),
        "P(k)+S(k), operational-space inertia": ("dual_filter", "operational_space_inertia"),
    }
)


def mass_matrix(solution: dyn.Solution) -> Array:
    """M of the joints alone: rows and columns are the links."""
    n = solution.system.n_joints
    return dyn.mass_matrix(solution.system, solution.state)[:n, :n]


def mass_matrix_inverse(solution: dyn.Solution) -> Array:
    n = solution.system.n_joints
    return dyn.mass_matrix_inverse(solution.system, solution.state)[:n, :n]


def factor(solution: dyn.Solution) -> Array:
    """1 + H phi K: M = (1 + H phi K) D (1 + H phi K)'."""
    return operator_factors(solution.system, solution.state).factor


def inverse_factor(solution: dyn.Solution) -> Array:
    """1 - H psi K: M^-1 = (1 - H psi K)' D^-1 (1 - H psi K)."""
    return operator_factors(solution.system, solution.state).inverse_factor


OF_SYSTEM: Mapping[str, Callable[[dyn.Solution], Array]] = MappingProxyType(
    {
        "M, mass matrix": mass_matrix,
        "M⁻¹, joints of its inverse": mass_matrix_inverse,
        "1 + HφK, factor of M": factor,
        "1 − HψK, factor of M⁻¹": inverse_factor,
    }
)
FOR_BOLTED = ("1 + HφK, factor of M", "1 − HψK, factor of M⁻¹")
"""Those that a system with a base that floats has not got in this size."""


def of_link(system: dyn.System, stages: tuple[str, ...]) -> list[str]:
    """Titles of the 6x6 matrices of a system with these stages."""
    return [title for title, (stage, _) in OF_LINK.items() if stage in stages]


def of_system(system: dyn.System) -> list[str]:
    """Titles of the matrices of the whole system."""
    return [title for title in OF_SYSTEM if not (system.is_floating and title in FOR_BOLTED)]
