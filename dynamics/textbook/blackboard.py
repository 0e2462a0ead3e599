"""What is taken for granted at the blackboard: small matrices, and how to solve with them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
RANK = 1e-10
"""Relative size below which an eigenvalue is zero: what it belongs to no force can answer."""
I, O, Z, o = np.eye(6), np.zeros((6, 6)), np.zeros((6, 1)), np.zeros((3, 1))


def tilde(v: Array) -> Array:
    """v~, (3, 3), with v~ w = v x w."""
    (x,), (y,), (z,) = v.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def stack(upper: Array, lower: Array) -> Array:
    """[upper; lower]."""
    return np.concatenate([upper, lower])


def solve(a: Array, b: Array) -> Array:
    """a^-1 b; not a number where a broken algorithm has left a singular."""
    try:
        return np.asarray(np.linalg.solve(a, b))
    except np.linalg.LinAlgError:
        return np.full_like(b, np.nan)


def least(a: Array, b: Array) -> Array:
    """The smallest x with a x = b, for a symmetric a that may be singular; what nothing reaches is left."""
    if not np.all(np.isfinite(a)):
        return np.full_like(b, np.nan)
    values, vectors = np.linalg.eigh(a)
    kept = np.abs(values) > RANK * np.abs(values).max()
    if kept.all():
        return solve(a, b)
    v = vectors[:, kept]
    return np.asarray(v @ ((v.T @ b) / values[kept, None]))


def null(a: Array) -> Array:
    """Orthonormal directions that a symmetric matrix does not see."""
    if not np.all(np.isfinite(a)):
        return np.zeros((len(a), 0))
    values, vectors = np.linalg.eigh(a)
    return np.asarray(vectors[:, np.abs(values) <= RANK * np.abs(values).max(initial=0.0)])
