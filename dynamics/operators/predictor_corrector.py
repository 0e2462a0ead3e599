"""The contact stage as an estimator of forces or of the object's acceleration; R88 Section 9, for rigid contacts.

Plain arrays in, so that each formula stands by itself: P = Lambda^-1(0), (6c, 6c); A, (6, 6c); M(C), (6, 6).
"""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array


def gain_by_inertia(tip_inertia: Array, grasp_map: Array, object_inertia: Array) -> Array:
    """P A' [A P A' + M(C)]^-1, R88 Result 9.1 below (9.1), (6c, 6)."""
    spread = tip_inertia @ grasp_map.T
    return np.asarray(np.linalg.solve((grasp_map @ spread + object_inertia).T, spread.T).T)


def gain_by_mobility(tip_covariance: Array, grasp_map: Array, object_inertia: Array) -> Array:
    """[Lambda(0) + A' M^-1(C) A]^-1 A' M^-1(C), R88 (9.1)'s other form, (6c, 6); Lambda(0) may be singular."""
    response = np.linalg.solve(object_inertia, grasp_map).T
    return np.asarray(np.linalg.solve(tip_covariance + response @ grasp_map, response))


def predicted_contact_force(tip_inertia: Array, relative_acceleration: Array) -> Array:
    """x_FREE = P (lambda_FREE(0) - eta) in R88 (9.1), (6c,): what tips feel on an object that does not accelerate."""
    return tip_inertia @ relative_acceleration


def corrected_contact_force(free_force: Array, gain: Array, grasp_map: Array, object_bias_force: Array) -> Array:
    """x(0) = x_FREE + gain [b(C) - A x_FREE], R88 (9.1), (6c,): forces on the object, not the filter's z+."""
    return free_force + gain @ (object_bias_force - grasp_map @ free_force)


def free_object_acceleration(object_inertia: Array, object_bias_force: Array) -> Array:
    """alpha_b = -M^-1(C) b(C), R88 Section 9, (6,): the object let go."""
    return np.asarray(-np.linalg.solve(object_inertia, object_bias_force))


def corrected_object_acceleration(
    free_acceleration: Array, gain: Array, grasp_map: Array, relative_acceleration: Array
) -> Array:
    """alpha(C) = alpha_b + gain' [lambda_FREE(0) - eta - A' alpha_b], R88 (9.2), (6,).

    As the gain vanishes, the object too heavy for the arms, alpha(C) goes to alpha_b: it moves as its own forces would
    have it, not at all only where none acts on it.
    """
    return free_acceleration + gain.T @ (relative_acceleration - grasp_map.T @ free_acceleration)
