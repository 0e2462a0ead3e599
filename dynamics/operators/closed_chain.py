"""The five stages of a closed chain as operators: theta'' = (1 - L') D^-1/2 (1 - K Omega^-1 K') D^-1/2 (1 - L) T.

R88 Result 8.2, for arms at rest and weightless, as the report has it; C picks what each contact transmits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from dynamics.checks import Array
from dynamics.numbers.least_norm import LeastNorm
from dynamics.operators.object_balance import (
    contact_points,
    grasp_map,
    object_inertia,
    require_held,
    selected_directions,
)
from dynamics.operators.operator_factors import operator_factors
from dynamics.record import Record
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.plain_kinematics import shift
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class ClosedChain(Record):
    """R88's operators; N rows: joints, then six of each floating base.

    Attributes:
        l: L = H Psi G S, (N, N), strictly triangular: the filter's prediction of each joint's torque.
        k: K = D^-1/2 H Psi B C', (N, directions); K' K = C Lambda(0) C'.
        omega: (directions, directions).
        root_d: D^1/2, (N, N), lower triangular.
        directions: C, (directions, 6 contacts).
    """

    l: Array
    k: Array
    omega: Array
    root_d: Array
    directions: Array


def closed_chain(system: System, state: State) -> ClosedChain:
    """L and K of R88 (8.7), Result 8.2, and Omega = K' K + C A' M^-1(C) A C'.

    Raises:
        ModelError: if nothing is held.
        StateError: for a state of another system.

    Cost: quadratic memory, cubic time in the number of links.
    """
    require_held(system, state)
    f, poses = operator_factors(system, state), forward_kinematics(system, state).pose
    directions, on_object = selected_directions(system, state), grasp_map(system, state)
    start = np.zeros((6 * system.n_links, 6 * len(system.contacts)))  # B
    for i, point in enumerate(contact_points(system, poses)):
        held = system.contacts[i].link
        start[6 * held : 6 * held + 6, 6 * i : 6 * i + 6] = shift(point - poses[held, :3, 3])
    root = cholesky(f.d, lower=True)
    k = solve_triangular(root, f.h @ f.psi @ start @ directions.T, lower=True)
    response = on_object.T @ np.linalg.solve(object_inertia(system, state), on_object)
    return ClosedChain(
        l=f.h @ f.psi @ f.k,
        k=k,
        omega=k.T @ k + directions @ response @ directions.T,
        root_d=root,
        directions=directions,
    )


def free_innovations(chain: ClosedChain, torque: Array) -> Array:
    """e_FREE = D^-1/2 (1 - L) T, R88 (8.8); row by row (10.2) and (10.6); (N,)."""
    return np.asarray(solve_triangular(chain.root_d, torque - chain.l @ torque, lower=True))


def free_tip_acceleration(chain: ClosedChain, free: Array) -> Array:
    """C lambda_FREE(0) = K' e_FREE, R88 (10.7), (directions,)."""
    return chain.k.T @ free


def modified_innovations(chain: ClosedChain, free: Array) -> Array:
    """e = (1 - K Omega^-1 K') e_FREE, R88 (8.9), (10.10); (N,)."""
    return np.asarray(free - chain.k @ _transmitted(chain, free))


def contact_forces(chain: ClosedChain, free: Array) -> Array:
    """x(0) = C' Omega^-1 K' e_FREE, R88 (10.5), (contacts, 6), on the object."""
    return np.asarray(chain.directions.T @ _transmitted(chain, free)).reshape(-1, 6)


def smoothed_accelerations(chain: ClosedChain, innovations: Array) -> Array:
    """theta'' = (1 - L') D^-1/2 e, R88 (8.10); row by row (10.1) of free arms and (10.9) of held ones; (N,)."""
    whitened = solve_triangular(chain.root_d.T, innovations, lower=False)
    return np.asarray(whitened - chain.l.T @ whitened)


def accelerations(chain: ClosedChain, torque: Array) -> Array:
    """theta'' = (1 - L') D^-1/2 (1 - K Omega^-1 K') D^-1/2 (1 - L) T, R88 (8.7); (N,)."""
    return smoothed_accelerations(chain, modified_innovations(chain, free_innovations(chain, torque)))


def _transmitted(chain: ClosedChain, free: Array) -> Array:
    """Omega^-1 K' e_FREE, of smallest norm where Omega is singular."""
    return LeastNorm(chain.omega).solve(free_tip_acceleration(chain, free))
