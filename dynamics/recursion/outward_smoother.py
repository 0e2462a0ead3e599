"""The Bryson-Frazier smoother that runs from the base to the tips.

``smooth_outward`` is the text for one state and for eight (see ``fields``), compiled for the rows ``batch``.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.algebra import get21
from dynamics.spatial.fields import at, put
from dynamics.spatial.small_matrices import solve_packed
from dynamics.spatial.vector import add3, cross, dot3, get3, get6, put6, scale3, sub3
from dynamics.system.layout import (
    ACCELERATION,
    ACCELERATION_INBOARD,
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    FREE,
    INBOARD,
    JOINT_ACCELERATION,
    JOINT_AXIS,
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
