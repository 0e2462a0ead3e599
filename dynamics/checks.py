"""Turning what a caller passed into arrays that are finite and of the right shape, or saying what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.errors import StateError

Array = NDArray[np.float64]
# A rotation given to fewer digits than this is taken to be a mistake.
ROTATION_TOLERANCE = 1e-6


def numbers(value: ArrayLike, shape: Sequence[int], name: str, error: type[ValueError] = StateError) -> Array:
    """A new float64 array of exactly ``shape``, finite; otherwise ``error`` naming the first offender."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as cause:
        raise error(f"{name}: expected numbers of shape {tuple(shape)}, got {value!r}.") from cause
    if array.shape != tuple(shape):
        raise error(f"{name}: expected shape {tuple(shape)}, got {array.shape}.")
    if not np.isfinite(array).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise error(f"{name}: entry {list(index)} is {array[index]}; every entry must be a finite number.")
    return array


def pose(value: ArrayLike, name: str, error: type[ValueError] = StateError) -> Array:
    """A 4x4 rigid pose, its rotation brought back to the group."""
    matrix = numbers(value, (4, 4), name, error)
    if not np.allclose(matrix[3], (0.0, 0.0, 0.0, 1.0), atol=ROTATION_TOLERANCE, rtol=0.0):
        raise error(f"{name}: the last row is {matrix[3]}; a pose ends in (0, 0, 0, 1).")
    rotation = matrix[:3, :3]
    gap = float(np.abs(rotation @ rotation.T - np.eye(3)).max())
    if gap > ROTATION_TOLERANCE or np.linalg.det(rotation) < 0.0:
        raise error(
            f"{name}: its upper left 3x3 block is no rotation (R R' is off the identity by {gap:.2g}, "
            f"determinant {np.linalg.det(rotation):.6g}); give an orthonormal, right-handed one."
        )
    left, _, right = np.linalg.svd(rotation)
    matrix[:3, :3] = left @ right
    matrix[3] = (0.0, 0.0, 0.0, 1.0)
    return matrix


def frozen(array: Array) -> Array:
    """The array, write-protected."""
    array.flags.writeable = False
    return array
