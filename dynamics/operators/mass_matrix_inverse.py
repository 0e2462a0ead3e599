"""The inverse of the mass matrix, element by element, and the responses to each kind of input; R87 Section X."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamics.checks import Array
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import transport
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class Responses(Record):
    """theta'' = to_torque T + to_bias_force b + to_bias_acceleration a; R87 (69)-(70).

    Attributes:
        to_torque: (joints, joints), the inverse mass matrix (its joint part, for a free flyer).
        to_bias_force: (joints, links, 6).
        to_bias_acceleration: (joints, joints, 6).
    """

    to_torque: Array
    to_bias_force: Array
    to_bias_acceleration: Array


@public
def mass_matrix_inverse(system: System, state: State) -> Array:
    """M^-1 without forming M; R87 (70), (83), whose rows k < i and k > i are each other's transposes.

    For a free flyer, the joint part of the inverse of the whole mass matrix: the effect of a torque while the
    base floats. The object and contacts are excluded: for arms that hold one it is R88's W_FREE, the response
    without the object; with it the response to torques is ``influence``'s W.

    Args:
        system: any; couplings between joints are ignored.
        state: only its posture is used.

    Returns:
        (joints, joints), rad/s^2 or m/s^2 per N m or N, tip to base, arm after arm.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: quadratic in the number of joints, as the answer is.
    """
    return acceleration_responses(system, state).to_torque


@public
def acceleration_responses(system: System, state: State) -> Responses:
    """The separate responses of the joints to torques, bias forces and bias accelerations; R87 (69)-(72).

    A unit input at link i changes the corrected force there, which the filter carries inward (psi) and the
    smoother back outward (psi'). With c = D^-1 + G' D+ G and d = G' D+ - c H:
    joint k inboard of i responds with d(k) psi(k-, i+) (.), joint k on another branch through the link c
    where the paths part, with G'(k) psi'(.) Lambda(c) psi(c-, i+) (.).

    Args:
        system: any; the object and contacts are ignored.
        state: only its posture is used.

    Returns:
        Maps to the joints' accelerations (rad/s^2 or m/s^2, tip to base) from torques in N m or N, and from a(k), b(k)
        at O_k in inertial axes.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: quadratic in the links, as the result is.
    """
    t = transport(system, state)
    n = system.n_joints
    torque, force, acceleration = np.zeros((n, n)), np.zeros((n, system.n_links, 6)), np.zeros((n, n, 6))
    c, d, outward = t.response, t.output_map, t.outward_rows
    for i in range(system.n_links):
        carried: Array = np.eye(6)  # psi(k-, i+): from corrected at i to predicted at k
        own = np.zeros((n, 6))  # each joint's response to a unit corrected force at i
        path = t.outboard_paths[i]
        for step, k in enumerate(path):
            if step:
                carried = (t.step if step > 1 else t.shift)[path[step - 1]] @ carried
                if k < n:
                    own[k] = d[k] @ carried
                # Joints on other branches, which leave the path at k.
                for j, row in outward[k].items():
                    if path[step - 1] not in t.outboard_paths[j]:
                        own[j] = row @ t.covariance[k] @ carried
        if i >= n:  # the floating base: its force acts at once on every joint through Lambda(n)
            for j, row in outward[i].items():
                force[j, i] = row @ t.covariance[i]
            continue
        torque[:, i] = own @ t.gain[i]
        torque[i, i] = c[i]
        force[:, i] = own @ t.reduction[i]
        force[i, i] = d[i]
        p = t.updated[i]
        acceleration[:, i] = own @ p
        acceleration[i, i] = t.gain[i] @ (t.covariance_inboard[i] @ p - np.eye(6))
        bent = t.reduction[i].T @ (t.covariance_inboard[i] @ p - np.eye(6))
        for j, row in outward[i].items():
            force[j, i] = row @ t.covariance[i]
            acceleration[j, i] = row @ bent
    for i in range(n):  # outboard joints: by symmetry, R87 (70)
        for j in outward[i]:
            torque[j, i] = torque[i, j]
    return Responses(torque, force, acceleration)
