"""The operators H, phi, psi, K, D of a posture as dense matrices, and their factors; R87 Section XI, JR Section 2.

Everything here is quadratic in memory, meant for display and tests; the sweeps do the same link by link.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag

from dynamics.checks import Array
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import Transport, transport
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.plain_kinematics import spatial_inertias
from dynamics.system.state import State
from dynamics.system.system import System


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


def mass_matrix_inverse(f: OperatorFactors) -> Array:
    """(1 - H psi K)' D^-1 (1 - H psi K), JR (2.10c), and for a rebased flyer JR (A.19); (N, N)."""
    return f.inverse_factor.T @ np.linalg.solve(f.d, f.inverse_factor)


def one_step(transition: Array) -> Array:
    """E of phi = (1 - E)^-1, or of psi: the blocks between neighbors alone; JR (2.5), (2.9)."""
    return np.asarray(np.eye(len(transition)) - np.linalg.solve(transition, np.eye(len(transition))))


def _carried_inward(t: Transport, step: Array) -> Array:
    """Block (k, i), if link i is outboard of link k: the product of ``step`` on the path from i to k; else zero."""
    links = len(t.outboard_paths)
    matrix = np.zeros((6 * links, 6 * links))
    for i, path in enumerate(t.outboard_paths):
        carried: Array = np.eye(6)
        for number, k in enumerate(path):
            if number:
                carried = step[path[number - 1]] @ carried
            matrix[6 * k : 6 * k + 6, 6 * i : 6 * i + 6] = carried
    return matrix
