"""The inverse of the mass matrix: element by element, R87 Section X, and by dense operators, Section XI, JR Section 2.

H, phi, psi, K and D as dense matrices are quadratic in memory, meant for display and tests; the sweeps do the same link
by link.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.linalg import block_diag

from dynamics.checks import Array
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import Transport, transport
from dynamics.system.plain_kinematics import forward_kinematics, spatial_inertias
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
        for before, k in pairwise(t.outboard_paths[i]):
            carried = (t.shift if before == i else t.step)[before] @ carried
            if k < n:
                own[k] = d[k] @ carried
            for j, row in outward[k].items():  # joints on other branches, which leave the path at k
                if before not in t.outboard_paths[j]:
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


@dataclass(frozen=True, eq=False)
class OperatorFactors(Record):
    """Dense operators, one block row per joint and six rows per floating base, whose H is 1; N rows, n links.

    Attributes:
        h: (N, 6n), block diagonal.
        phi, psi: (6n, 6n), unit lower triangular in blocks (outboard to inboard); JR (2.5), (2.9), R88 (3.1).
        k: (6n, N), the gains one step inward, phi(k+1, k) G(k); JR (2.7).
        d: (N, N), block diagonal: D(k) of the joints, P of a base.
        m, p: (6n, 6n), block diagonal: link inertias M(k), articulated inertias P(k).
        factor: 1 + H phi K; JR (2.10a). inverse_factor: 1 - H psi K; JR (2.10b).
    """

    h: Array
    phi: Array
    psi: Array
    k: Array
    d: Array
    m: Array
    p: Array
    factor: Array
    inverse_factor: Array


@public
def operator_factors(system: System, state: State) -> OperatorFactors:
    """Form H, phi, psi, K and D in full: M = (1 + H phi K) D (1 + H phi K)'; R87 Section XI, JR (2.5)-(2.10).

    Lemma 2.1 of JR. For a free flyer the last joint is free: H(n) = 1, D(n) = P(n), JR (3.1). By
    (A.19) these are the factors for any link that ``rebase`` calls the base. The object is excluded.

    Args:
        system: any.
        state: only its posture is used.

    Returns:
        The operators at O_k in inertial axes; rows are joints, tip to base, then floating bases.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: quadratic memory, cubic time in the number of links.
    """
    t, motion, n = transport(system, state), forward_kinematics(system, state), system.n_joints
    size = n + 6 * system.n_bases
    h, k = block_diag(*t.rows, *[np.eye(6)] * system.n_bases), np.zeros((6 * system.n_links, size))
    for i in range(n):
        inner = t.inboard[i]
        if inner >= 0:
            k[6 * inner : 6 * inner + 6, i] = t.shift[i] @ t.gain[i]
    phi, psi = _carried_inward(t, t.shift), _carried_inward(t, t.step)
    return OperatorFactors(
        h=h,
        phi=phi,
        psi=psi,
        k=k,
        d=block_diag(np.diag(t.joint_inertia), *t.inertia[n:]),
        m=block_diag(*spatial_inertias(system, motion.pose, motion.mass_lever)),
        p=block_diag(*t.inertia),
        factor=np.eye(size) + h @ phi @ k,
        inverse_factor=np.eye(size) - h @ psi @ k,
    )


def state_covariance(f: OperatorFactors) -> Array:
    """r(k, i) = sum over j of phi(k, j) M(j) phi'(i, j), R87 (27)-(28), by (26), (6 links, 6 links).

    Between links on different branches, no link is outboard of both, and r(k, i) is zero.
    """
    return f.phi @ f.m @ f.phi.T


def one_step(transition: Array) -> Array:
    """E of phi = (1 - E)^-1, or of psi: the blocks between neighbors alone; JR (2.5), (2.9)."""
    return np.asarray(np.eye(len(transition)) - np.linalg.solve(transition, np.eye(len(transition))))


def _carried_inward(t: Transport, step: Array) -> Array:
    """Block (k, i), if link i is outboard of link k: the product of ``step`` on the path from i to k; else zero."""
    links = len(t.outboard_paths)
    blocks = np.zeros((links, 6, links, 6))
    for i, path in enumerate(t.outboard_paths):
        blocks[i, :, i] = np.eye(6)
        for k, inner in pairwise(path):
            blocks[inner, :, i] = step[k] @ blocks[k, :, i]
    return blocks.reshape(6 * links, 6 * links)
