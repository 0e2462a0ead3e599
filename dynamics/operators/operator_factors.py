"""The operators H, phi, psi, K, D of a posture as dense matrices, and what they factor; R87 Section XI, JR Section 2.

Everything here is quadratic in memory, so for showing and testing; the sweeps do the same link by link.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag

from dynamics.checks import Array
from dynamics.operators.composite_inertia import link_inertias
from dynamics.operators.filter_operators import (
    kalman_gain,
    one_step,
    reduced_transition_matrix,
    transition_matrix,
)
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import transport
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class OperatorFactors(Record):
    """Dense operators, one block row a joint and six rows a floating base, whose H is 1; N rows in all, n links.

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

    Lemma 2.1 of JR. Of a free flyer the last joint is free: H(n) = 1, D(n) = P(n), JR (3.1), and ``accelerations``
    gives (3.2). By (A.19) these are the factors for any link that ``rebase`` calls the base. The object is not in them.

    Args:
        system: any.
        state: of which the posture alone counts.

    Returns:
        The operators at O_k in inertial axes; rows are joints, tip to base, then floating bases.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: quadratic memory, cubic time in the number of links.
    """
    t, n = transport(system, state), system.n_joints
    size = n + 6 * system.n_bases
    h, k = block_diag(*t.rows, *[np.eye(6)] * system.n_bases), np.zeros((6 * system.n_links, size))
    for i in range(n):
        inner = t.inboard[i]
        if inner >= 0:
            k[6 * inner : 6 * inner + 6, i] = t.shift[i] @ t.gain[i]
    phi, psi = transition_matrix(t), reduced_transition_matrix(t)
    return OperatorFactors(
        h=h,
        phi=phi,
        psi=psi,
        k=k,
        d=block_diag(np.diag(t.joint_inertia), *t.inertia[n:]),
        m=block_diag(*link_inertias(system, forward_kinematics(system, state).pose)),
        p=block_diag(*t.inertia),
        factor=np.eye(size) + h @ phi @ k,
        inverse_factor=np.eye(size) - h @ psi @ k,
    )


def link_velocity(f: OperatorFactors, rates: Array) -> Array:
    """V = phi' H' beta, JR (2.3a), (6 links,), from joint rates and base velocities (N,)."""
    return f.phi.T @ f.h.T @ rates


def link_acceleration(f: OperatorFactors, joint_acceleration: Array, bias_acceleration: Array) -> Array:
    """alpha = phi' (H' beta' + a), JR (2.3b), R87 (23), (6 links,)."""
    return f.phi.T @ (f.h.T @ joint_acceleration + bias_acceleration)


def link_force(f: OperatorFactors, acceleration: Array, bias_force: Array) -> Array:
    """f = phi (M alpha + b), JR (2.3c), R87 (24)-(25), (6 links,); the joints feel T = H f, JR (2.3d)."""
    return f.phi @ (f.m @ acceleration + bias_force)


def state_covariance(f: OperatorFactors) -> Array:
    """r(k, i) = sum over j of phi(k, j) M(j) phi'(i, j), R87 (27)-(28), by (26), (6 links, 6 links).

    Of links beside one another no link is outboard of both, and r(k, i) is zero.
    """
    return f.phi @ f.m @ f.phi.T


def newton_euler_factors(f: OperatorFactors) -> Array:
    """H phi M phi' H', JR (2.4a): the mass matrix, (N, N), without the rotors."""
    return f.h @ f.phi @ f.m @ f.phi.T @ f.h.T


def bias_torque(f: OperatorFactors, bias_acceleration: Array, bias_force: Array) -> Array:
    """C = H phi (M phi' a + b), JR (2.4b), (N,)."""
    return f.h @ f.phi @ (f.m @ f.phi.T @ bias_acceleration + bias_force)


def riccati(f: OperatorFactors) -> Array:
    """P - E_psi P E_psi', JR (2.8), R88 (10.3): what it must equal is M, where no rotor adds to D."""
    step = one_step(f.psi)
    return f.p - step @ f.p @ step.T


def mass_matrix_inverse(f: OperatorFactors) -> Array:
    """(1 - H psi K)' D^-1 (1 - H psi K), JR (2.10c), and of a rebased flyer JR (A.19); (N, N)."""
    return f.inverse_factor.T @ np.linalg.solve(f.d, f.inverse_factor)


def accelerations(f: OperatorFactors, torque: Array, bias_acceleration: Array, bias_force: Array) -> Array:
    """beta' = (1 - H psi K)' D^-1 [T - H psi (K T + P a + b)] - K' psi' a, JR (2.11), (N,).

    Args:
        torque: (N,), zero for a floating base, which makes it JR (3.2), less what the joints' own friction takes.
    """
    innovation = torque - f.h @ f.psi @ (f.k @ torque + f.p @ bias_acceleration + bias_force)
    smoothed = f.inverse_factor.T @ np.linalg.solve(f.d, innovation)
    return np.asarray(smoothed - f.k.T @ f.psi.T @ bias_acceleration)


def predicted_force(f: OperatorFactors, torque: Array) -> Array:
    """z(k) = sum of psi(k-, i+) G(i) T(i) = psi K T, R87 (73), (6 links,): of arms at rest without weight."""
    return f.psi @ f.k @ torque


def residuals(f: OperatorFactors, torque: Array) -> Array:
    """e+ = D^-1 (T - H z), R87 (74), (N,)."""
    return np.asarray(np.linalg.solve(f.d, torque - f.h @ predicted_force(f, torque)))


def costate_inboard(f: OperatorFactors, residual: Array) -> Array:
    """lambda+(k) = sum of psi'(i-, k+) H'(i) e+(i), R87 (75), (6 links,)."""
    return one_step(f.phi).T @ f.psi.T @ f.h.T @ residual


def accelerations_from_residuals(f: OperatorFactors, residual: Array) -> Array:
    """theta''(k) = e+(k) - G'(k) lambda+(k), R87 (76), and of ``residuals`` R87 (77), (N,)."""
    return residual - f.k.T @ f.psi.T @ f.h.T @ residual


def costate_covariance_inboard(f: OperatorFactors) -> Array:
    """Delta+(k) = sum of psi'(i-, k+) H'(i) D^-1(i) H(i) psi(i-, k+), R87 (80), (6 links, 6 links), its diagonal.

    R87 (78)-(79) turn the sums round to get it, and it satisfies the recursion (81)-(82), which is (67)-(68).
    """
    step = one_step(f.phi)
    return np.asarray(step.T @ mobility(f) @ step)


def smoothed_accelerations(f: OperatorFactors, residual: Array, bias_acceleration: Array) -> Array:
    """alpha = psi' (H' nu + a), JR (3.8), (6 links,); psi for phi, and no joint has to wait for its acceleration."""
    return f.psi.T @ (f.h.T @ residual + bias_acceleration)


def reduced_accelerations(f: OperatorFactors, residual: Array, bias_acceleration: Array) -> Array:
    """T' alpha+ = psi~' (H' nu + a) with psi~ = psi - 1 and T = 1 - G H, JR (3.9), (6 links,)."""
    return smoothed_accelerations(f, residual, bias_acceleration) - f.h.T @ residual - bias_acceleration


def corrected_force(f: OperatorFactors, innovation: Array, bias_acceleration: Array, bias_force: Array) -> Array:
    """z+ = phi (G eps + P a + b), JR (3.10), (6 links,): the filter's z+ of all links, R87 (41).

    It is no contact force: that of R88 (9.1) is ``predictor_corrector.corrected_contact_force``.
    """
    return f.phi @ (kalman_gain(f.p, f.h, f.d) @ innovation + f.p @ bias_acceleration + bias_force)


def mobility(f: OperatorFactors) -> Array:
    """Omega = psi' H' D^-1 H psi, JR (4.4), (6 links, 6 links): every link's acceleration by every link's force.

    It equals phi' H' M^-1 H phi and so knows no base, while H, phi and M do.
    """
    observed = f.h @ f.psi
    return observed.T @ np.linalg.solve(f.d, observed)


def link_jacobian(f: OperatorFactors, link: int) -> Array:
    """J(k) = B'(k) phi' H', JR (4.3), (6, N): link k's velocity at O_k by joint rates and base velocities."""
    return f.phi.T[6 * link : 6 * link + 6] @ f.h.T


def mobility_by_jacobian(f: OperatorFactors, link: int) -> Array:
    """J(k) M^-1 J'(k), JR (4.1)-(4.2), (6, 6), with the mass matrix formed and inverted as one."""
    jacobian = link_jacobian(f, link)
    return np.asarray(jacobian @ np.linalg.solve(f.factor @ f.d @ f.factor.T, jacobian.T))


def link_mobility(f: OperatorFactors, link: int) -> Array:
    """B'(k) Omega B(k), JR (4.5): the inverse operational-space inertia of one link at O_k, (6, 6)."""
    own = slice(6 * link, 6 * link + 6)
    return mobility(f)[own, own]


def mobility_from_covariance(f: OperatorFactors, costate_covariance: Array) -> Array:
    """Omega = Y + psi~' Y + Y psi~, with psi~ = psi - 1, JR (4.6), and of a tree the blocks between branches too.

    Two links beside one another, which the print does not have, meet at the first link c inward of both:
    Omega(i, j) = psi'(c, i) Y(c) psi(c, j).

    Args:
        costate_covariance: (links, 6, 6), Y(k); R87's Delta-, R88's Lambda.
    """
    y, links = block_diag(*costate_covariance), len(costate_covariance)
    beyond = f.psi - np.eye(len(f.psi))
    omega = np.asarray(y + beyond.T @ y + y @ beyond)
    psi, blocks = f.psi.reshape(links, 6, links, 6), omega.reshape(links, 6, links, 6)
    outboard = f.phi[::6, ::6] > 0.5  # phi(k, i) starts with 1 where link i hangs on link k or is it
    for i, j in np.argwhere(~(outboard | outboard.T)):
        inward_of_both = np.flatnonzero(outboard[:, i] & outboard[:, j])
        if len(inward_of_both):
            c = inward_of_both[0]  # links are numbered inward
            blocks[i, :, j] = psi[c, :, i].T @ costate_covariance[c] @ psi[c, :, j]
    return omega
