"""Which matrices the walk can look at: 6x6 of one link, and those of the whole system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

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
    return dyn.operator_factors(solution.system, solution.state).factor


def inverse_factor(solution: dyn.Solution) -> Array:
    """1 - H psi K: M^-1 = (1 - H psi K)' D^-1 (1 - H psi K)."""
    return dyn.operator_factors(solution.system, solution.state).inverse_factor


def influence(solution: dyn.Solution) -> Array:
    """W of R88 Section 10: what the joints answer to torques while the object is held."""
    return dyn.influence(solution.system, solution.state).W


def taken_by_grasp(solution: dyn.Solution) -> Array:
    """Delta W = W_FREE - W: what holding the object takes away."""
    return dyn.influence(solution.system, solution.state).delta_W


OF_ANY = {"M, mass matrix": mass_matrix, "M⁻¹, joints of its inverse": mass_matrix_inverse}
OF_BOLTED = {"1 + HφK, factor of M": factor, "1 − HψK, factor of M⁻¹": inverse_factor}
"""A base that floats has six freedoms more than these have rows."""
WHILE_HELD = {
    "M, mass matrix of the arms alone": mass_matrix,
    "W_FREE = M⁻¹, the arms alone": mass_matrix_inverse,
    "W = W_FREE − ΔW, holding the object": influence,
    "ΔW, what the object takes away": taken_by_grasp,
}
"""Torques move arms that hold an object otherwise than the inverse of their own mass matrix says."""
OF_SYSTEM: Mapping[str, Callable[[dyn.Solution], Array]] = MappingProxyType({**OF_ANY, **WHILE_HELD, **OF_BOLTED})


def of_link(system: dyn.System, stages: tuple[str, ...]) -> list[str]:
    """Titles of the 6x6 matrices of a system with these stages."""
    return [title for title, (stage, _) in OF_LINK.items() if stage in stages]


def of_system(system: dyn.System) -> list[str]:
    """Titles of the matrices of the whole system, as it is at the instant shown."""
    if system.is_floating:
        return [*OF_ANY]
    return [*(WHILE_HELD if system.is_held else OF_ANY), *OF_BOLTED]
