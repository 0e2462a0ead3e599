"""How readily each link accelerates: the covariance of the smoother's co-state, outward."""

from __future__ import annotations

from dynamics.compiler.compiled import from_python
from dynamics.compiler.separate_kernel import separate_kernel
from dynamics.numbers.small_matrices import invert_packed
from dynamics.numbers.spatial import get21, minus_symmetric_outer, put21, shift_mobility, times_vector
from dynamics.numbers.vector import dot3, get3
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    COSTATE_COVARIANCE,
    FREE,
    INBOARD,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KIND,
    LEVER,
    REVOLUTE,
)


@from_python
@separate_kernel
def costate_covariance(tree, work):
    """R87 (67)-(68), R88 Lambda(k): D- = T' D+ T + H' D^-1 H with T = 1 - G H; D+(k-1) = phi' D-(k) phi.

    Lambda(k) is the inverse operational-space inertia of link k at O_k. A free link starts with P^-1.
    """
    n_links = tree.shape[0]
    for i in range(21):
        work[n_links, COSTATE_COVARIANCE + i] = 0.0
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            put21(work, k, COSTATE_COVARIANCE, invert_packed(get21(work, k, ARTICULATED_INERTIA)))
            continue
        mobility = get21(work, tree[k, INBOARD], COSTATE_COVARIANCE)
        mobility = shift_mobility(mobility, get3(work, k, LEVER))
        g_angular, g_linear = get3(work, k, KALMAN_GAIN), get3(work, k, KALMAN_GAIN + 3)
        y_angular, y_linear = times_vector(mobility, g_angular, g_linear)  # D+ G
        c = dot3(g_angular, y_angular) + dot3(g_linear, y_linear) + 1.0 / work[k, JOINT_INERTIA]
        h = get3(work, k, JOINT_AXIS)
        # T' D+ T + H' D^-1 H, multiplied out: T changes D+ only along H.
        mobility = minus_symmetric_outer(mobility, y_angular, y_linear, c, h, tree[k, KIND] == REVOLUTE)
        put21(work, k, COSTATE_COVARIANCE, mobility)
