"""Transforms of the quantities of one moment: arrows of forces and ellipsoids of inertia, all at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def arrow_transforms(start: Array, vector: Array, thickness: Array, shortest: float = 1e-9) -> Array:
    """World <- unit arrow along z, stretched to each vector.

    Args:
        start: (m, 3) tails in metres.
        vector: (m, 3) in metres as drawn; a vector that is zero or not finite is hidden (all zeros).
        thickness: (m,) metres that one unit of the arrow's width becomes.
        shortest: metres; anything drawn shorter is hidden.

    Returns:
        (m, 3, 4).
    """
    length = np.sqrt(np.einsum("ij,ij->i", vector, vector))
    seen = np.isfinite(length) & np.isfinite(start).all(axis=1) & (length > shortest)
    out = np.zeros((len(vector), 3, 4))
    z = vector[seen] / length[seen, None]
    # Two axes across: Duff et al. 2017, "Building an Orthonormal Basis, Revisited"; no branch, no square root.
    sign = np.where(z[:, 2] < 0.0, -1.0, 1.0)
    a = -1.0 / (sign + z[:, 2])
    b = z[:, 0] * z[:, 1] * a
    wide = thickness[seen]
    part = np.empty((len(z), 3, 4))
    part[:, 0, 0] = wide * (1.0 + sign * z[:, 0] ** 2 * a)
    part[:, 1, 0] = wide * sign * b
    part[:, 2, 0] = wide * -sign * z[:, 0]
    part[:, 0, 1] = wide * b
    part[:, 1, 1] = wide * (sign + z[:, 1] ** 2 * a)
    part[:, 2, 1] = wide * -z[:, 1]
    part[:, :, 2] = vector[seen]
    part[:, :, 3] = start[seen]
    out[seen] = part
    return out


def principal_axes(block: Array) -> tuple[Array, Array]:
    """Eigenvalues (m, 3), ascending, and eigenvectors (m, 3, 3, columns) of symmetric blocks; zero for any with NaN."""
    finite = np.asarray(np.isfinite(block).all(axis=(1, 2)))
    values, vectors = np.linalg.eigh(np.where(finite[:, None, None], block, 0.0))
    return np.maximum(values, 0.0), vectors


def ellipsoid_transforms(
    center: Array, values: Array, vectors: Array, scale: Array | float, thinnest: float = 0.03, longest: float = np.inf
) -> Array:
    """World <- unit sphere: ellipsoids with semi-axes ``scale`` times the roots of the eigenvalues.

    The stretch is the symmetric root of the block, which moves smoothly where eigenvectors would jump.

    Args:
        center: (m, 3).
        values, vectors: from ``principal_axes``; a zero block is hidden.
        scale: metres per root of the block's unit, one for all or (m,).
        thinnest: no semi-axis is drawn shorter than this share of the same ellipsoid's longest.
        longest: metres, at which longer semi-axes are cut off.

    Returns:
        (m, 3, 4).
    """
    roots = np.minimum(np.reshape(scale, (-1, 1)) * np.sqrt(values), longest)
    roots = np.maximum(roots, thinnest * roots[:, 2:])
    out = np.zeros((len(center), 3, 4))
    out[:, :, :3] = (vectors * roots[:, None, :]) @ vectors.transpose(0, 2, 1)
    out[:, :, 3] = center
    out[roots[:, 2] < 1e-9] = 0.0
    return out
