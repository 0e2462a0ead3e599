"""The Bryson-Frazier smoother that runs from the base to the tips, and its co-state's covariance, outward.

``smooth_outward`` and ``mobility_outward`` are the texts for one state and for eight (see ``fields``), compiled for the
rows ``batch``. The covariance says how easily each link accelerates.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.algebra import get21, minus_symmetric_outer, put21, shift_mobility, times_vector
from dynamics.spatial.fields import at, like, put
from dynamics.spatial.small_matrices import invert_packed, solve_packed
from dynamics.spatial.vector import add3, cross, dot3, get3, get6, put6, scale3, sub3
from dynamics.system.layout import (
    ACCELERATION,
    ACCELERATION_INBOARD,
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    COSTATE_COVARIANCE,
    FREE,
    INBOARD,
    JOINT_ACCELERATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KIND,
    LEVER,
    REVOLUTE,
)


@inlined
def smooth(rows, k, inboard, revolute, residual, bias, motion):
    """R87 (44)-(47) for one link."""
    g, a = get6(rows, k, KALMAN_GAIN), get6(rows, k, BIAS_ACCELERATION)
    angular, linear = get6(rows, inboard, motion + ACCELERATION)
    linear = sub3(linear, cross(get3(rows, k, LEVER), angular))  # R87 (45): alpha+ = phi' alpha(k+1)
    put6(rows, k, motion + ACCELERATION_INBOARD, (angular, linear))
    acceleration = at(rows, k, residual) - (dot3(g[0], angular) + dot3(g[1], linear))  # JR (2.13b): nu - G' alpha+
    put(rows, k, motion + JOINT_ACCELERATION, acceleration)
    along = scale3(acceleration, get3(rows, k, JOINT_AXIS))
    angular, linear = add3(angular, scale3(bias, a[0])), add3(linear, scale3(bias, a[1]))
    if revolute:  # R87 (47): alpha = alpha+ + H' theta'' + a
        angular = add3(angular, along)
    else:
        linear = add3(linear, along)
    put6(rows, k, motion + ACCELERATION, (angular, linear))


@inlined
def smooth_outward(tree, rows, residual, force, bias, motion):
    """R87 (44)-(47), R88 (8.5), JR (2.12)-(2.13): theta'' = nu - G' alpha+, alpha = alpha+ + H' theta'' + a.

    A free link starts its tree: alpha = -P^-1 z, JR Algorithm 3. The world never accelerates.

    Args:
        residual: column of nu(k).
        force: column of the predicted force z of a free link.
        bias: 1.0 with the bias acceleration a(k); 0.0 for the response to forces alone.
        motion: column where the results start: alpha (6), alpha+ (6), theta'' (1).
    """
    n_links = tree.shape[0]
    for i in range(6):
        put(rows, n_links, motion + ACCELERATION + i, 0.0)
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            z = get6(rows, k, force)
            angular, linear = solve_packed(get21(rows, k, ARTICULATED_INERTIA), z[0], z[1])
            put6(rows, k, motion + ACCELERATION, (scale3(-1.0, angular), scale3(-1.0, linear)))
        else:
            smooth(rows, k, tree[k, INBOARD], tree[k, KIND] == REVOLUTE, residual, bias, motion)


@kernel
def outward_smoother(tree, work, residual, force, bias, motion):
    """``smooth_outward`` for one state."""
    smooth_outward(tree, work, residual, force, bias, motion)


@inlined
def mobility(rows, k, inboard, revolute):
    """R87 (67)-(68) for one link."""
    q = shift_mobility(get21(rows, inboard, COSTATE_COVARIANCE), get3(rows, k, LEVER))  # R87 (67): D+
    g, h, d = get6(rows, k, KALMAN_GAIN), get3(rows, k, JOINT_AXIS), at(rows, k, JOINT_INERTIA)
    y = times_vector(q, g[0], g[1])  # D+ G
    c = dot3(g[0], y[0]) + dot3(g[1], y[1]) + like(1.0, d) / d
    # R87 (68): T' D+ T + H' D^-1 H, multiplied out: T changes D+ only along H.
    if revolute:
        put21(rows, k, COSTATE_COVARIANCE, minus_symmetric_outer(q, y[0], y[1], c, h, True))
    else:
        put21(rows, k, COSTATE_COVARIANCE, minus_symmetric_outer(q, y[0], y[1], c, h, False))


@inlined
def mobility_outward(tree, rows):
    """R87 (67)-(68), R88 (8.2), JR (4.7): D- = T' D+ T + H' D^-1 H with T = 1 - G H; D+(k-1) = phi' D-(k) phi.

    Lambda(k) is the inverse operational-space inertia of link k at O_k. A free link starts with P^-1.
    """
    n_links = tree.shape[0]
    for i in range(21):
        put(rows, n_links, COSTATE_COVARIANCE + i, 0.0)
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            put21(rows, k, COSTATE_COVARIANCE, invert_packed(get21(rows, k, ARTICULATED_INERTIA)))
        else:
            mobility(rows, k, tree[k, INBOARD], tree[k, KIND] == REVOLUTE)


@kernel
def costate_covariance(tree, work):
    """``mobility_outward`` for one state."""
    mobility_outward(tree, work)
