"""Appel's method for one arm, free, JZ Section 2, or constrained, (24)-(29): a function quadratic in accelerations.

Written in each link's own axes and referred to its mass centre, whereas the sweeps of this package use
inertial axes at the joints. The scan's misprints are corrected: (15) and (16) exchange Omega and beta, (17)
lacks the inertia between its two Phi; (11) and (12) print a plus where (3) has a minus, and the lever r_ii where
(3) has r'_ii = r_ii + q e.

For these matrices a system of several arms is a forest: W is block diagonal. Each floating base adds its
velocity [angular; linear] as six quasi-velocities, which Appel's equations allow without change.

Under constraints, accelerations and the forces of the constraints are the unknowns of one system of equations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lu_factor, lu_solve, solve_triangular

from dynamics.checks import Array, numbers
from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.spatial.factor_by_root import CONSISTENCY, RANK_TOLERANCE
from dynamics.spatial.reduced_solve import solve_reduced
from dynamics.system.effort import largest_effort
from dynamics.system.loops import ties_of
from dynamics.system.plain_kinematics import cross, forward_kinematics
from dynamics.system.state import State
from dynamics.system.system import System

FRICTION_SPEED = 0.01  # Coulomb friction is smoothed over this speed, rad/s or m/s
NO_LENGTH = 1e-13
"""Share of a row's terms below which the row is only rounding."""


class GibbsFunction(NamedTuple):
    """S = 1/2 qdd' W qdd + V qdd + D, and its components; JZ (5), (6), (14).

    The acceleration of link i's mass centre is beta_i qdd + Theta_i and its angular acceleration
    Omega_i qdd + Phi_i, both in the link's axes.
    """

    mass_matrix: Array  # W (n, n), links alone
    velocity_terms: Array  # V (n,)
    rest: float  # D
    gravity_terms: Array  # Y (n,)
    angular: Array  # Omega (links, 3, n)
    linear: Array  # beta (links, 3, n)
    angular_bias: Array  # Phi (links, 3)
    linear_bias: Array  # Theta (links, 3)
    velocity: Array  # omega (links, 3)
    poses: Array  # (links, 4, 4), world <- link


def gibbs_function(system: System, state: State) -> GibbsFunction:
    """W, V, D and Y of a state, and the matrices Omega, beta, Phi, Theta of every link; JZ (1)-(18), (22).

    Cost: quadratic in the number of links, the sums over W cubic.
    """
    poses = forward_kinematics(system, state).pose
    omega_rows, beta, phi, theta, omega = _acceleration_coefficients(system, state, poses)
    mass = np.array([link.mass for link in system.link_models])
    inertia = np.array([link.inertia for link in system.link_models]).reshape(-1, 3, 3)
    spin = np.einsum("iab,ib->ia", inertia, omega)
    u = np.cross(spin, omega)  # JZ (18)
    turning = np.einsum("iab,ib->ia", inertia, phi) - u
    w = np.einsum("i,iaj,iak->jk", mass, beta, beta, optimize=True)  # JZ (15)
    w += np.einsum("iaj,iab,ibk->jk", omega_rows, inertia, omega_rows, optimize=True)
    v = np.einsum("i,ia,iaj->j", mass, theta, beta) + np.einsum("ia,iaj->j", turning, omega_rows)  # JZ (16)
    half = 0.5 * np.einsum("ia,iab,ib->", phi, inertia, phi)
    d = 0.5 * float(mass @ (theta**2).sum(axis=1)) + float(half) - float((u * phi).sum())  # JZ (17)
    weight = mass[:, None] * np.einsum("iba,b->ia", poses[:, :3, :3], system.gravity)
    y = np.einsum("ia,iaj->j", weight, beta)  # JZ (22), (23)
    return GibbsFunction(0.5 * (w + w.T), v, d, y, omega_rows, beta, phi, theta, omega, poses)


def _acceleration_coefficients(system: System, state: State, poses: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Omega, beta, Phi, Theta and omega of every link, outward from the base; JZ (7)-(13)."""
    n_links, n_joints = system.n_links, system.n_joints
    n = n_joints + 6 * system.n_bases
    big_omega, beta = np.zeros((n_links, 3, n)), np.zeros((n_links, 3, n))
    phi, theta, omega = np.zeros((n_links, 3)), np.zeros((n_links, 3)), np.zeros((n_links, 3))
    for i in range(n_links - 1, -1, -1):
        own = system.link_models[i].center_of_mass  # r_ii
        rotation = poses[i, :3, :3]
        if i >= n_joints:  # a floating base: its quasi-velocities are its own velocity
            assert state.base_velocity is not None
            base = i - n_joints
            at = n_joints + 6 * base
            omega[i] = rotation.T @ state.base_velocity.reshape(-1, 6)[base, :3]
            big_omega[i, :, at : at + 3] = rotation.T
            beta[i, :, at + 3 : at + 6] = rotation.T
            beta[i] += cross(big_omega[i], own)
            theta[i] = cross(omega[i], cross(omega[i], own))
            continue
        joint, inner = system.joint_models[i], int(system.inboard[i])
        e, rate = joint.axis, float(state.qd[i])
        s = float(joint.kind == "prismatic")
        r = own + state.q[i] * e * s  # JZ (4): r'_ii, from the joint's position at q = 0
        if inner >= 0:
            a = rotation.T @ poses[inner, :3, :3]  # A_{i,i-1}
            back = system.link_models[inner].center_of_mass - joint.origin[:3, 3]  # r_{i-1,i}
            omega[i] = a @ omega[inner]
            big_omega[i] = a @ big_omega[inner]  # JZ (9)
            phi[i] = a @ phi[inner]
            beta[i] = a @ (beta[inner] - cross(big_omega[inner], back))
            swing = cross(phi[inner], back) + cross(omega[inner], cross(omega[inner], back))
            theta[i] = a @ (theta[inner] - swing)
        omega[i] += rate * e * (1.0 - s)  # JZ (1)
        big_omega[i, :, i] = e * (1.0 - s)  # JZ (7)
        phi[i] += rate * cross(omega[i], e) * (1.0 - s)  # JZ (10)
        beta[i] += cross(big_omega[i], r)  # JZ (8), (11)
        beta[i, :, i] += e * s
        theta[i] += cross(phi[i], r) + cross(omega[i], cross(omega[i], r))  # JZ (12), (13)
        theta[i] += 2.0 * rate * cross(omega[i], e) * s
    return big_omega, beta, phi, theta, omega


class PointMotion(NamedTuple):
    """Motion of a point of a link: velocity J qd, acceleration J qdd + rate; [angular; linear], inertial axes."""

    jacobian: Array  # J (6, n)
    rate: Array  # (6,)


def point_motion(gibbs: GibbsFunction, system: System, link: int, point: Array) -> PointMotion:
    """The Jacobian of a point of a link and its rate times the velocity, from the matrices of JZ (7)-(13).

    Args:
        point: (3,), in the link's axes from its origin.
    """
    rotation = gibbs.poses[link, :3, :3]
    lever = np.asarray(point) - system.link_models[link].center_of_mass
    turn = gibbs.angular[link]
    shift = gibbs.linear[link] + cross(turn, lever)
    omega = gibbs.velocity[link]
    drift = gibbs.linear_bias[link] + cross(gibbs.angular_bias[link], lever)
    drift = drift + cross(omega, cross(omega, lever))
    jacobian = np.vstack([rotation @ turn, rotation @ shift])
    return PointMotion(jacobian, np.concatenate([rotation @ gibbs.angular_bias[link], rotation @ drift]))


def equations_of_motion(
    gibbs: GibbsFunction, system: System, state: State, wrench: ArrayLike | None = None
) -> tuple[Array, Array]:
    """W and the bias in W qdd + bias = P; JZ (19)-(23) with rotors, damping, friction and external forces.

    Args:
        wrench: (links + 1, 6), [moment; force] on each link at O_k in inertial axes; the last row, the
            object's, is ignored.
    """
    w, bias = gibbs.mass_matrix.copy(), gibbs.velocity_terms - gibbs.gravity_terms
    for k, joint in enumerate(system.joint_models):
        rate = float(state.qd[k])
        direction = np.tanh(rate / FRICTION_SPEED)
        w[k, k] += joint.rotor_inertia
        bias[k] += joint.damping * rate + joint.friction[1 if rate > 0.0 else 0] * direction
    if wrench is not None:
        forces = numbers(wrench, (system.n_links + 1, 6), "wrench")
        for link in np.flatnonzero(np.any(forces[:-1] != 0.0, axis=1)).tolist():
            bias -= point_motion(gibbs, system, link, np.zeros(3)).jacobian.T @ forces[link]
    return w, bias


def mass_matrix_and_bias(system: System, state: State, wrench: ArrayLike | None = None) -> tuple[Array, Array]:
    """W (n, n) and bias (n,) in W qdd + bias = P; see ``equations_of_motion``. n counts joints, then a free base."""
    return equations_of_motion(gibbs_function(system, state), system, state, wrench)


def inverse_dynamics(
    system: System, state: State, joint_acceleration: ArrayLike, wrench: ArrayLike | None = None
) -> Array:
    """Joint torques P = W qdd + V' - Y for desired accelerations; JZ (20)-(21). For a free flyer, then its base wrench.

    Args:
        joint_acceleration: (joints,), for a free flyer followed by the base's six accelerations.
    """
    w, bias = mass_matrix_and_bias(system, state, wrench)
    return np.asarray(w @ numbers(joint_acceleration, (len(bias),), "joint_acceleration") + bias)


def forward_dynamics(system: System, state: State, tau: ArrayLike, wrench: ArrayLike | None = None) -> Array:
    """Accelerations from W qdd = P + Y - V', JZ (20), of arms that hold nothing: (joints,), then a free base's."""
    w, bias = mass_matrix_and_bias(system, state, wrench)
    force = -bias
    force[: system.n_joints] += numbers(tau, (system.n_joints,), "tau")
    ties = ties_of(system, state)
    return solve_reduced(w, force, ties.over(len(force)), ties.rate)


def lower_factor(w: Array) -> Array:
    """The Cholesky factor of W, or a ``ModelError``."""
    try:
        return np.asarray(np.linalg.cholesky(w))
    except np.linalg.LinAlgError:
        raise ModelError("W of Appel's equations is not positive definite: some joint moves no inertia.") from None


class ConstrainedMotion(NamedTuple):
    """The unknowns of JZ (27)."""

    acceleration: Array  # (n,)
    force: Array  # lambda (l,), on the arm, of smallest norm, each component scaled by what it would move alone
    indeterminate: Array  # (l, d), orthonormal: forces that no motion reveals


def constrained_motion(
    w: Array, force: Array, jacobian: Array, wanted: Array, effort: float = 0.0
) -> ConstrainedMotion:
    """Solve [[W, -J'], [-J, 0]] [qdd; lambda] = [force; -wanted], JZ (27), where J qdd = wanted.

    The paper inverts the matrix because W is invertible; that also requires J of full row rank. If J has
    less, lambda is determined up to the null space N of J', and the block -N N' in place of the zero selects
    the one of smallest norm. Variables are scaled by the factor of W = L L', rows of the constraint to length
    one, and the unit block by the smallest singular value, which avoids squaring the condition number. The residual is
    compared with ``effort``, the scale of the motion's forces.
    """
    n, l = len(force), len(wanted)
    root = lower_factor(w)
    b = solve_triangular(root, force, lower=True)
    if l == 0:
        return ConstrainedMotion(solve_triangular(root.T, b), np.zeros(0), np.zeros((0, 0)))
    z = solve_triangular(root, jacobian.T, lower=True)
    null, lengths, smallest = _rank(z)
    missing = null @ (null.T @ (wanted / lengths))
    parts = np.abs(force) / np.sqrt(w.diagonal())
    if not np.abs(missing).max() <= CONSISTENCY * max(np.abs(wanted / lengths).max(), parts.max(), effort):
        raise SingularConfigurationError(
            f"no constraint force gives the wanted acceleration: {np.abs(missing).max():.3g} (in the directions' own "
            f"units) stays unbalanced in {null.shape[1]} of {l} constrained directions."
        )
    alpha = smallest or 1.0
    matrix = np.zeros((n + l, n + l))
    matrix[:n, :n] = alpha * np.eye(n)
    matrix[:n, n:] = -z / lengths
    matrix[n:, :n] = matrix[:n, n:].T
    matrix[n:, n:] = -(null @ null.T)
    factors, qdd, force_of = lu_factor(matrix), np.zeros(n), np.zeros(l)
    for _ in range(2):  # the second pass removes the first one's residual
        b = solve_triangular(root, force - w @ qdd + jacobian.T @ force_of, lower=True)
        right = np.concatenate([b, -((wanted - jacobian @ qdd) / lengths - missing) / alpha])
        x = lu_solve(factors, right)
        qdd, force_of = qdd + solve_triangular(root.T, alpha * x[:n]), force_of + x[n:] / lengths
    return ConstrainedMotion(qdd, force_of, np.linalg.qr(null / lengths[:, None])[0])


def without_rounding(rows: Array, reach: Array) -> Array:
    """The rows, set to zero if every entry is rounding relative to its ``reach``, its largest possible size."""
    return np.where(np.any(np.abs(rows) > NO_LENGTH * reach, axis=1, keepdims=True), rows, 0.0)


def transmitted_rows(pick: Array, jacobian: Array) -> Array:
    """J_tr, JZ (33): rows of directions in which the arm moves only by rounding are set to zero."""
    turned, moved = (np.linalg.norm(part, axis=0) for part in (jacobian[:3], jacobian[3:]))
    reach = np.outer(np.linalg.norm(pick[:, :3], axis=1), turned) + np.outer(np.linalg.norm(pick[:, 3:], axis=1), moved)
    return without_rounding(pick @ jacobian, reach)


def locked_directions(w: Array, jacobian: Array) -> Array:
    """(l, d), orthonormal: combinations of the rows of J along which no motion is possible, J' N = 0."""
    if not len(jacobian):
        return np.zeros((0, 0))
    null, lengths, _ = _rank(solve_triangular(lower_factor(w), jacobian.T, lower=True))
    return np.linalg.qr(null / lengths[:, None])[0]


def _rank(z: Array) -> tuple[Array, Array, float]:
    """Null space of z (n, l) with normalized columns, their lengths, and the smallest nonzero singular value.

    Columns belong to directions in rad/s^2 and in m/s^2: they are comparable only after normalization.
    """
    lengths = np.linalg.norm(z, axis=0)
    lengths = np.where(lengths > 0.0, lengths, float(lengths.max(initial=0.0)) or 1.0)  # a zero column has none
    _, values, right = np.linalg.svd(z / lengths)
    rank = int((values > RANK_TOLERANCE * values[0]).sum())
    return right[rank:].T, lengths, float(values[rank - 1]) if rank else 0.0


def constrained_arm(
    system: System, state: State, tau: ArrayLike, directions: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
) -> ConstrainedMotion:  # fmt: skip
    """One arm whose first tip is constrained by its environment, JZ (24)-(29).

    Args:
        directions: (l, 6), rows that select the constrained directions of the tip, [angular; linear] in
            inertial axes; default all six.
        acceleration: (l,), X_c'', the tip's acceleration along them; default zero, JZ (28).

    Raises:
        SingularConfigurationError: if no force gives the arm that acceleration.
    """
    rows = np.eye(6) if directions is None else np.atleast_2d(np.asarray(directions, dtype=np.float64))
    rows = numbers(rows, (len(rows), 6), "directions")
    wanted = numbers(np.zeros(len(rows)) if acceleration is None else acceleration, (len(rows),), "acceleration")
    gibbs = gibbs_function(system, state)
    (w, bias), place = equations_of_motion(gibbs, system, state), system.tips[0]
    motion = point_motion(gibbs, system, place.link, place.pose[:3, 3])
    force = -bias
    force[: system.n_joints] += numbers(tau, (system.n_joints,), "tau")
    effort = largest_effort(system.tables, system.pack(state)[1])
    moved = transmitted_rows(rows, motion.jacobian)
    return constrained_motion(w, force, moved, wanted - rows @ motion.rate, effort)
