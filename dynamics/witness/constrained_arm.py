"""Motion under constraints with their forces as unknowns, JZ (24)-(29): one system of equations for both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lu_factor, lu_solve, solve_triangular

from dynamics.checks import Array, numbers
from dynamics.errors import SingularConfigurationError
from dynamics.numbers.factor_by_root import CONSISTENCY, RANK_TOLERANCE
from dynamics.system.effort import largest_effort
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.appel import equations_of_motion, gibbs_function, lower_factor, point_motion

NO_LENGTH = 1e-13
"""Share of a row's terms below which the row is only rounding."""


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
    one, and the unit block by the smallest singular value, which avoids squaring the condition number.

    Args:
        effort: the scale of the motion's forces (``largest_effort``), to which the residual is compared.

    Raises:
        ModelError: if W is not positive definite.
        SingularConfigurationError: if no force gives the required acceleration.
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
    return ConstrainedMotion(qdd, force_of, _orthonormal(null, lengths))


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
    return _orthonormal(*_rank(solve_triangular(lower_factor(w), jacobian.T, lower=True))[:2])


def _orthonormal(null: Array, lengths: Array) -> Array:
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
    system: System,
    state: State,
    tau: ArrayLike,
    directions: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    tip: int = 0,
    wrench: ArrayLike | None = None,
) -> ConstrainedMotion:
    """One arm whose end-effector is constrained by its environment, JZ (24)-(29).

    Args:
        directions: (l, 6), rows that select the constrained directions of the tip, [angular; linear] in
            inertial axes; default all six.
        acceleration: (l,), X_c'', the tip's acceleration along them; default zero, JZ (28).
        tip: which of the system's tips.

    Raises:
        SingularConfigurationError: if no force gives the arm that acceleration.
    """
    rows = np.eye(6) if directions is None else np.atleast_2d(np.asarray(directions, dtype=np.float64))
    rows = numbers(rows, (len(rows), 6), "directions")
    wanted = numbers(np.zeros(len(rows)) if acceleration is None else acceleration, (len(rows),), "acceleration")
    gibbs = gibbs_function(system, state)
    w, bias = equations_of_motion(gibbs, system, state, wrench)
    place = system.tips[tip]
    motion = point_motion(gibbs, system, place.link, place.pose[:3, 3])
    force = -bias
    force[: system.n_joints] += numbers(tau, (system.n_joints,), "tau")
    effort = largest_effort(system.tables, system.pack(state)[1])
    moved = transmitted_rows(rows, motion.jacobian)
    return constrained_motion(w, force, moved, wanted - rows @ motion.rate, effort)
