"""The Bryson-Frazier smoother that runs from the base to the tips."""

from __future__ import annotations

from dynamics.compiler.separate_kernel import separate_kernel
from dynamics.numbers.small_matrices import solve_packed
from dynamics.numbers.spatial import get21
from dynamics.numbers.vector import add3, cross, dot3, get3, put3, scale3, sub3
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


@separate_kernel
def outward_smoother(tree, work, residual, force, bias, motion):
    """R87 (44)-(47), JR Algorithm 3: theta'' = nu - G' alpha+, alpha = alpha+ + H' theta'' + a.

    A free link starts its tree: alpha = -P^-1 z, JR Algorithm 3. The world never accelerates.

    Args:
        residual: column of nu(k).
        force: column of the predicted force z of a free link.
        bias: 1.0 with the bias acceleration a(k); 0.0 for the response to forces alone.
        motion: column where the results start: alpha (6), alpha+ (6), theta'' (1).
    """
    n_links = tree.shape[0]
    for i in range(6):
        work[n_links, motion + ACCELERATION + i] = 0.0
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            p = get21(work, k, ARTICULATED_INERTIA)
            z_angular, z_linear = get3(work, k, force), get3(work, k, force + 3)
            angular, linear = solve_packed(p, z_angular, z_linear)
            put3(work, k, motion + ACCELERATION, scale3(-1.0, angular))
            put3(work, k, motion + ACCELERATION + 3, scale3(-1.0, linear))
            continue
        inboard = tree[k, INBOARD]
        lever = get3(work, k, LEVER)
        angular = get3(work, inboard, motion + ACCELERATION)
        linear = get3(work, inboard, motion + ACCELERATION + 3)
        linear = sub3(linear, cross(lever, angular))  # alpha+ = phi' alpha(k+1)
        put3(work, k, motion + ACCELERATION_INBOARD, angular)
        put3(work, k, motion + ACCELERATION_INBOARD + 3, linear)
        pull = dot3(get3(work, k, KALMAN_GAIN), angular) + dot3(get3(work, k, KALMAN_GAIN + 3), linear)
        acceleration = work[k, residual] - pull  # R87 (46): theta'' = nu - G' alpha+
        work[k, motion + JOINT_ACCELERATION] = acceleration
        along = scale3(acceleration, get3(work, k, JOINT_AXIS))
        if tree[k, KIND] == REVOLUTE:
            angular = add3(angular, along)
        else:
            linear = add3(linear, along)
        angular = add3(angular, scale3(bias, get3(work, k, BIAS_ACCELERATION)))  # R87 (47)
        linear = add3(linear, scale3(bias, get3(work, k, BIAS_ACCELERATION + 3)))
        put3(work, k, motion + ACCELERATION, angular)
        put3(work, k, motion + ACCELERATION + 3, linear)
