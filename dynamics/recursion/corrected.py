"""The filter's corrected P and z: products of what its sweep stores, computed on request.

There is no sweep: each link separately, for any number of states at once, whichever text of the filter has run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.system.columns import named

Array = NDArray[np.float64]


def updated_inertia(rows: Array, n_joints: int) -> Array:
    """R87 (43): P+ = P - G D G', (..., links, 6, 6); zero for floating bodies, which no joint corrects.

    Args:
        rows: (..., links, columns), of one state or of many.
    """
    gain, d = named(rows, "kalman_gain"), named(rows, "joint_inertia")[..., None, None]
    return _of_joints(named(rows, "articulated_inertia") - gain[..., None] * d * gain[..., None, :], n_joints, 2)


def corrected_force(rows: Array, n_joints: int) -> Array:
    """JR (2.13a): z+ = z + G eps, (..., links, 6)."""
    gain, innovation = named(rows, "kalman_gain"), named(rows, "innovation")[..., None]
    return _of_joints(named(rows, "predicted_force") + gain * innovation, n_joints, 1)


def force_across(rows: Array, n_joints: int, final: str, correction: Array | float = 0.0) -> Array:
    """R87 (34): x = z + dz + P (alpha - a), the smoothed force on each link by its inboard neighbor.

    Zero on floating bodies, which have none.

    Args:
        final: the stage with the accelerations.
        correction: dz.
    """
    alpha = named(rows, f"{final}.acceleration") - named(rows, "bias_acceleration")
    through = np.einsum("...kij,...kj->...ki", named(rows, "articulated_inertia"), alpha)
    return _of_joints(np.asarray(named(rows, "predicted_force") + correction + through), n_joints, 1)


def base_correction(rows: Array, n_joints: int) -> Array:
    """dz of every link: a floating base's stored correction includes its predicted force."""
    correction = named(rows, "force_correction").copy()
    correction[..., n_joints:, :] -= named(rows, "predicted_force")[..., n_joints:, :]
    return correction


def _of_joints(array: Array, n_joints: int, dimensions: int) -> Array:
    np.moveaxis(array, -1 - dimensions, 0)[n_joints:] = 0.0
    return array
