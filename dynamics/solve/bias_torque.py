"""Joint torques due to velocities and weight: the terms of M v' + C v + g = tau besides the mass matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dynamics.checks import Array
from dynamics.operators import equation_of_motion
from dynamics.operators.object_balance import object_inertia
from dynamics.public import public
from dynamics.solve.jacobian import screws
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.plain_kinematics import shift, spatial_inertias, tilde
from dynamics.system.state import State
from dynamics.system.system import System


@public
def bias_torque(system: System, state: State) -> Array:
    """C v + g of M v' + C v + g = tau: the torques without acceleration; V of R87 (22), (30)-(31).

    Damping, friction and pushes are excluded, as in Pinocchio's ``nle`` and MuJoCo's ``qfrc_bias``.

    Args:
        system: any; held objects and couplings between joints are ignored.
        state: of this system.

    Returns:
        (velocity,), packed as ``System.pack`` orders velocities: N m or N of the joints from tip to base, then
        [moment; force] at the origin of each floating base, in inertial axes, then at the object's mass centre.

    Raises:
        StateError: for a state of another system.

    Cost: linear in the links, some 100 us each.
    """
    return equation_of_motion.bias_torque(system, state, np.zeros((system.n_links + 1, 6)))


@public
def gravity_torque(system: System, state: State) -> Array:
    """g of M v' + C v + g = tau: the torques that hold the machine still; V of R87 (22) at rest.

    The sign is KDL's and Pinocchio's; Drake's ``CalcGravityGeneralizedForces`` is the force of gravity, with the
    opposite sign.

    Args:
        system: any.
        state: of this system; only its posture is used.

    Returns:
        (velocity,), N m or N, packed and in axes as in ``bias_torque``.

    Raises:
        StateError: for a state of another system.

    Cost: that of ``bias_torque``.
    """
    system.require_own(state)
    at_rest = system.state(state.q, None, state.base_pose, None, state.object_pose)
    return bias_torque(system, at_rest)


@public
def coriolis_torque(system: System, state: State) -> Array:
    """C v of M v' + C v + g = tau: centrifugal, Coriolis and gyroscopic terms; V of R87 (22) without weight.

    Args:
        system: any.
        state: of this system.

    Returns:
        (velocity,), N m or N, packed and in axes as in ``bias_torque``.

    Raises:
        StateError: for a state of another system.

    Cost: that of ``bias_torque``.
    """
    system.require_own(state)
    return bias_torque(replace(system, gravity=np.zeros(3)), state)


@public
def coriolis_matrix(system: System, state: State) -> Array:
    """C of M v' + C v + g = tau, with M' - 2 C skew: from Christoffel symbols if nothing floats.

    The sum over bodies of J' (M J' + B J), with B v = v x* M v the Newton-Euler law at the world's origin and
    2 B = v x* M - M v x + (M v) x*, so that M' - 2 B is skew for every body. Pinocchio's ``computeCoriolisMatrix`` is
    the same, with a floating base's velocity in its own axes there.

    Args:
        system: any.
        state: of this system.

    Returns:
        (velocity, velocity), rows and columns packed and in axes as in ``bias_torque``: kg m^2/s, kg m/s, kg/s.

    Raises:
        StateError: for a state of another system.

    Cost: cubic in the links, a millisecond for ten.
    """
    motion, moved = forward_kinematics(system, state), screws(system, state)
    inertias = list(spatial_inertias(system, motion.pose, motion.mass_lever))
    places = list(motion.pose[:, :3, 3])
    if system.task_object is not None and state.object_pose is not None:
        inertias.append(object_inertia(system, state))
        places.append(state.object_pose[:3, 3])
    matrix, velocity = np.zeros((system.n_velocity, system.n_velocity)), system.pack(state)[1]
    for inertia, place, moves in zip(inertias, places, moved.moves, strict=False):
        J, rate = moved.columns * moves, moved.rates * moves
        M = shift(place) @ inertia @ shift(place).T
        v = J @ velocity
        across, momentum = _across(v), M @ v
        felt = np.zeros((6, 6))
        felt[:3, :3], felt[:3, 3:], felt[3:, :3] = (-tilde(momentum[at : at + 3]) for at in (0, 3, 3))
        matrix += J.T @ (M @ rate + 0.5 * (across @ M + M @ across.T + felt) @ J)
    return matrix


def _across(v: Array) -> Array:
    """v x*, (6, 6): the rate of a spatial force that moves with v; -v x of motions is its transpose."""
    matrix = np.kron(np.eye(2), tilde(v[:3]))
    matrix[:3, 3:] = tilde(v[3:])
    return np.asarray(matrix, dtype=np.float64)
