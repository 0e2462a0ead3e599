"""Mass matrix and forward dynamics by strobing any inverse dynamics; TML Sections 3 and 7.

Unit accelerations, without gravity, give the columns of M; zero acceleration gives the bias. A recursion takes
numbers of any kind: a joint's accelerations for all columns are one array, so that they are computed together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dynamics.checks import Array
from dynamics.spatial.reduced_solve import solve_reduced
from dynamics.system.axis_frames import Recursion, as_vector, axis_links, link_wrenches, motor_torque
from dynamics.system.columns import named
from dynamics.system.couplings import Ties
from dynamics.system.state import State
from dynamics.system.system import System

InverseDynamics = Callable[[System, State, Array], Array]
"""Of a system, a state and joint accelerations; external forces are left out."""


def mass_matrix_and_bias(
    system: System, state: State, recursion: Recursion, wrench: Array | None = None
) -> tuple[Array, Array]:
    """M and h of tau = M theta'' + h; TML (2.11).

    Args:
        recursion: joint torques by any formulation.
        wrench: (links + 1, 6), external [moment; force] on each link at O_k, inertial axes; it enters h.

    Returns:
        (joints, joints), rotor inertia included, as computed column by column; and (joints,) with
        velocities, gravity, damping, friction and external forces.
    """
    n, links, q = system.n_joints, axis_links(system), state.q.tolist()
    none, wrenches = [0.0] * n, link_wrenches(wrench, len(links))
    bias = recursion(links, q, state.qd.tolist(), none, as_vector(system.gravity), wrenches)
    rows = recursion(links, q, none, list(np.eye(n)), (0.0, 0.0, 0.0), None)
    rotors = np.diag([joint.rotor_inertia for joint in system.joint_models])
    return np.array(rows) + rotors, np.array(bias) + motor_torque(system, state, np.zeros(n))


def torque_parts(
    system: System, state: State, acceleration: Array, formulation: InverseDynamics
) -> tuple[Array, Array, Array]:
    """M theta'', C and G of TML (2.11), (joints,) each: from accelerations, from rates, from gravity; no losses."""
    zero, bare = np.zeros(system.n_joints), _without_gravity_and_losses(system)
    still = replace(state, qd=zero)
    return formulation(bare, still, acceleration), formulation(bare, state, zero), formulation(system, still, zero)


def velocity_coefficients(system: System, state: State, formulation: InverseDynamics) -> Array:
    """C with h_i = sum_jk C[i, j, k] theta'_j theta'_k: Coriolis and centrifugal, symmetric; (joints, joints, joints).

    Products follow from squares: 4 a b = (a + b)^2 - (a - b)^2.
    """
    n, bare = system.n_joints, _without_gravity_and_losses(system)

    def moved(rates: Array) -> Array:
        return formulation(bare, replace(state, qd=rates), np.zeros(n))

    products = [[moved(one + other) - moved(one - other) for other in np.eye(n)] for one in np.eye(n)]
    return 0.25 * np.array(products).transpose(2, 0, 1)


def forward_dynamics(
    system: System, state: State, tau: Array, recursion: Recursion, wrench: Array, ties: Ties
) -> Array:
    """theta'' = M^-1 (tau - h), (joints,), by Cholesky factors; TML Section 7.

    Args:
        recursion: joint torques by any formulation.
        ties: of followers and loops; G theta'' must be their rate.

    Cost: quadratic in the joints for a linear formulation, and cubic for the factors.
    """
    mass_matrix, bias = mass_matrix_and_bias(system, state, recursion, wrench)
    return solve_reduced(0.5 * (mass_matrix + mass_matrix.T), np.asarray(tau) - bias, ties.rows, ties.rate)


def _without_gravity_and_losses(system: System) -> System:
    """The same arms with gravity, damping and friction switched off."""
    model = system.tables.model.copy()
    named(model, "damping")[:] = named(model, "friction")[:] = 0.0
    gravity = np.zeros(3)
    return replace(
        system,
        gravity=gravity,
        joint_models=tuple(replace(joint, damping=0.0, friction=(0.0, 0.0)) for joint in system.joint_models),
        tables=system.tables._replace(model=model, gravity=gravity),
    )
