"""What is taken for granted at the blackboard: small matrices, and how to solve with them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
RANK, SEEN = 1e-12, 1e-10
"""Share of a diagonal element below which nothing remains of its direction, so that no force can act there; and share
of the largest singular value below which a direction is ignored."""
I, O, Z, o = np.eye(6), np.zeros((6, 6)), np.zeros((6, 1)), np.zeros((3, 1))


def tilde(v: Array) -> Array:
    """v~, (3, 3), with v~ w = v x w."""
    (x,), (y,), (z,) = v.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def stack(upper: Array, lower: Array) -> Array:
    """[upper; lower]."""
    return np.concatenate([upper, lower])


def trace(a: Array) -> Array:
    """Tr{a}, (1, 1)."""
    return np.array([[np.trace(a)]])


def axial(a: Array) -> Array:
    """Tr{a sigma'}, (3, 1): the part of a that is a cross product, (a_zy - a_yz) and so on; TML (5.2)."""
    return np.array([[a[2, 1] - a[1, 2]], [a[0, 2] - a[2, 0]], [a[1, 0] - a[0, 1]]])


def solve(a: Array, b: Array) -> Array:
    """a^-1 b; not a number where a broken algorithm has left a singular."""
    try:
        return np.asarray(np.linalg.solve(a, b))
    except np.linalg.LinAlgError:
        return np.full_like(b, np.nan)


def least(a: Array, b: Array, whole: Array | None = None) -> Array:
    """The smallest x with a x = b, for a symmetric a that may be singular; a part of b that a cannot reach is ignored.

    Directions are measured in units of their own: the sum of a_mm x_m^2 is least. Where a is a part of a ``whole``, and
    its own diagonal may be mere rounding, the diagonal of the whole gives the units.
    """
    scaled, unit = measured(a, a if whole is None else whole)
    if not np.all(np.isfinite(scaled)):
        return np.full_like(b, np.nan)
    lost = len(a) - rank(scaled)
    if not lost:
        return solve(scaled, b / unit) / unit
    values, vectors = taken_apart(scaled)
    seen = vectors[:, lost:] / unit
    return np.asarray(seen @ (seen.T @ b / values[lost:, None]))


def smallest(a: Array, b: Array) -> Array:
    """The x of least length with a x = b, or with a x nearest to b."""
    if not (np.all(np.isfinite(a)) and np.all(np.isfinite(b))):
        return np.full((a.shape[1], b.shape[1]), np.nan)
    return np.asarray(np.linalg.lstsq(a, b, rcond=SEEN)[0])


def null(a: Array) -> Array:
    """Orthonormal directions that a symmetric matrix does not see."""
    scaled, unit = measured(a, a)
    if not np.all(np.isfinite(scaled)):
        return np.zeros((len(a), 0))
    return np.asarray(np.linalg.qr(taken_apart(scaled)[1][:, : len(a) - rank(scaled)] / unit)[0])


def measured(a: Array, like: Array) -> tuple[Array, Array]:
    """A matrix in the units of a diagonal, rad/s^2 beside m/s^2, and these units, (size, 1)."""
    own = np.abs(like.diagonal())
    unit = np.sqrt(np.where(own > 0.0, own, 1.0))[:, None]
    with np.errstate(all="ignore"):  # what is beyond all numbers in such units is told by its value
        return a / (unit * unit.T), unit


def rank(scaled: Array) -> int:
    """How many directions have something of their own left once those before them are removed."""
    left = scaled.copy()
    whole = np.abs(left.diagonal()).max(initial=0.0)
    for found in range(len(left)):
        k = int(np.argmax(np.abs(left.diagonal())))
        if not abs(left[k, k]) > RANK * whole:
            return found
        left -= np.outer(left[:, k], left[k]) / left[k, k]
        left[k], left[:, k] = 0.0, 0.0
    return len(left)


def taken_apart(a: Array) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors of a symmetric matrix, the smallest first; a broken algorithm's may be negative."""
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(np.abs(values))
    return values[order], vectors[:, order]
