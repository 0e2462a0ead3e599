"""Two innovations processes for one filter, and what is left uncertain after smoothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamics.checks import Array
from dynamics.methods.forward_dynamics import Forces, forward_dynamics
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import transport
from dynamics.system.joint_vectors import JointValues
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class Innovations(Record):
    """Innovations of JR and of R87, raw (N m or N) and whitened by D^-1/2; (joints,) each.

    JR puts the bias acceleration into the prediction, z = phi z+ + b + P a; R87 adds it after the
    correction. So eps_JR = eps_R87 - D G' a, with the same z+ and the same theta''.
    """

    jain: Array
    rodriguez: Array
    jain_whitened: Array
    rodriguez_whitened: Array


@public
def innovations(
    system: System, state: State, tau: JointValues | None = None, external_forces: Forces = None
) -> Innovations:
    """Both innovations of one state; R87 (36)-(41) with its own prediction, JR Algorithm 3.

    R87's filter is run here as printed, so that the identity between the two is a test and no definition:
    z- = phi z+ + b, eps = T - H z-, z+ = z- + G eps + P+ a.

    Args:
        system: any.
        state: of this system; closed to 1e-6 where an object is held.
        tau: (joints,) N m or N, tip to base; default zero.
        external_forces: as for ``forward_dynamics``, inertial axes.

    Returns:
        Both, raw and whitened, (joints,) each.

    Raises:
        StateError: for wrong shapes, numbers that are not finite, or a state off the closure.
        ModelError: for a joint that moves no inertia.
        SingularConfigurationError: if no contact force can close the chain.

    Cost: one solution, and a sweep in plain Python.
    """
    solution = forward_dynamics(system, state, tau, external_forces=external_forces)
    stage = solution.stages["filter"]
    t = transport(system, state)
    d = stage["joint_inertia"]
    measured = stage["innovation"] + np.einsum("ki,ki->k", t.rows, stage["predicted_force"][: system.n_joints])
    z = solution.bias_force.copy()
    rodriguez = np.zeros(system.n_joints)
    for k in range(system.n_joints):
        rodriguez[k] = measured[k] - t.rows[k] @ z[k]  # R87 (40)
        corrected = z[k] + t.gain[k] * rodriguez[k] + t.updated[k] @ solution.bias_acceleration[k]  # R87 (41)
        if system.inboard[k] >= 0:
            z[system.inboard[k]] += t.shift[k] @ corrected  # R87 (36)
    jain = stage["innovation"].copy()
    root = np.sqrt(d)
    return Innovations(jain, rodriguez, jain / root, rodriguez / root)


@public
def smoothed_force_covariance(system: System, state: State) -> Array:
    """P - P D- P, R87 (65): what is left uncertain about x(k) once every torque has been measured.

    It is blind along H (the measured direction) and never negative.

    Args:
        system: any; contacts are not in it.
        state: of which the posture alone counts.

    Returns:
        (links, 6, 6) at O_k, inertial axes; kg m^2, kg m and kg, as P itself.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: linear in the links.
    """
    t = transport(system, state)
    return np.asarray(t.inertia - t.inertia @ t.covariance @ t.inertia)
