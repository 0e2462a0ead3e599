"""Interpolation between two samples of a run: the cubic through both, on the group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.numbers.rotation import inverse_exponential_rate, quaternion_matrix, rotation_vector
from dynamics.numbers.vector import compose
from dynamics.posture.closure import step_configuration

Array = NDArray[np.float64]


def difference(n_joints: int, x0: Array, x1: Array) -> Array:
    """The change, packed like a velocity, that leads from x0 to x1."""
    n_bodies = (len(x0) - n_joints) // 7
    change = np.zeros(n_joints + 6 * n_bodies)
    change[:n_joints] = x1[:n_joints] - x0[:n_joints]
    for i in range(n_bodies):
        at, by = n_joints + 7 * i, n_joints + 6 * i
        back = quaternion_matrix(x0[at + 3], *(-x0[at + 4 : at + 7]))
        change[by : by + 3] = rotation_vector(compose(quaternion_matrix(*x1[at + 3 : at + 7]), back))
        change[by + 3 : by + 6] = x1[at : at + 3] - x0[at : at + 3]
    return change


def interpolate(
    n_joints: int, u: float, span: float, x: Array, v: Array, acceleration: Array, k: int
) -> tuple[Array, Array]:
    """Configuration and velocity at the share ``u`` of the way from sample k to sample k + 1.

    Cubic in both, from positions and velocities, and from velocities and accelerations: fourth-order
    accurate, like the integrator that made the samples. With a loss that is stiff for the step, accelerations may
    overshoot: where both point from one velocity to the other, they are limited so that the cubic is monotone.
    """
    change = difference(n_joints, x[k], x[k + 1])
    end_rate = v[k + 1].copy()
    for by in range(n_joints, len(end_rate), 6):
        end_rate[by : by + 3] = inverse_exponential_rate(tuple(change[by : by + 3]), tuple(end_rate[by : by + 3]))
    along = _cubic(u, span, np.zeros_like(change), change, v[k], end_rate)
    result = np.empty_like(x[k])
    step_configuration(n_joints, x[k].copy(), along, result)  # kernels are compiled for writable arrays
    mean, ends = (v[k + 1] - v[k]) / span, acceleration[k : k + 2]
    is_monotone = np.all(ends * mean > 0.0, axis=0)
    start, end = np.where(is_monotone, np.clip(ends, -3.0 * np.abs(mean), 3.0 * np.abs(mean)), ends)
    return result, _cubic(u, span, v[k], v[k + 1], start, end)


def _cubic(u: float, span: float, start: Array, end: Array, start_rate: Array, end_rate: Array) -> Array:
    w = 1.0 - u
    return (
        w * w * (1.0 + 2.0 * u) * start + u * u * (3.0 - 2.0 * u) * end + span * u * w * (w * start_rate - u * end_rate)
    )
