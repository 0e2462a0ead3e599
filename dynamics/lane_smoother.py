"""``outward_smoother`` in lanes, for speed: see ``lane_kinematics``."""

from __future__ import annotations

from dynamics.compiled import inlined, kernel
from dynamics.lane_filter import inward
from dynamics.lane_layout import (
    ACCELERATION,
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    JOINT_ACCELERATION,
    JOINT_AXIS,
    KALMAN_GAIN,
    LEVER,
    PREDICTED_FORCE,
    RESIDUAL,
)
from dynamics.lanes import angular, cross, dot, join, linear, load3, load6, spread, store
from dynamics.layout import FREE, INBOARD, KIND
from dynamics.small_matrices import solve_packed


@inlined
def outward(lever, a):
    """phi' a: an acceleration moved outward along ``lever``."""
    return join(angular(a), linear(a) - cross(lever, angular(a)))


@kernel
def base_acceleration(links, k, z):
    """-P^-1 z of a free link, JR Algorithm 3."""
    p = (
        links[k, ARTICULATED_INERTIA], links[k, ARTICULATED_INERTIA + 8], links[k, ARTICULATED_INERTIA + 16],
        links[k, ARTICULATED_INERTIA + 9], links[k, ARTICULATED_INERTIA + 17], links[k, ARTICULATED_INERTIA + 18],
        links[k, ARTICULATED_INERTIA + 24], links[k, ARTICULATED_INERTIA + 32], links[k, ARTICULATED_INERTIA + 40],
        links[k, ARTICULATED_INERTIA + 25], links[k, ARTICULATED_INERTIA + 33], links[k, ARTICULATED_INERTIA + 41],
        links[k, ARTICULATED_INERTIA + 26], links[k, ARTICULATED_INERTIA + 34], links[k, ARTICULATED_INERTIA + 42],
        links[k, ARTICULATED_INERTIA + 28], links[k, ARTICULATED_INERTIA + 36], links[k, ARTICULATED_INERTIA + 44],
        links[k, ARTICULATED_INERTIA + 37], links[k, ARTICULATED_INERTIA + 45], links[k, ARTICULATED_INERTIA + 46],
    )  # fmt: skip
    a, b = solve_packed(p, (-z[0], -z[1], -z[2]), (-z[4], -z[5], -z[6]))
    return join(spread(a[0], a[1], a[2]), spread(b[0], b[1], b[2]))


@kernel
def lane_smoother(tree, n_joints, links, acceleration):
    """R87 (44)-(47), JR Algorithm 3: theta'' = nu - G' alpha+, alpha = alpha+ + H' theta'' + a.

    Args:
        acceleration: packed like a velocity: joints and free links, written.
    """
    n_links = tree.shape[0]
    zero = spread(0.0, 0.0, 0.0)
    nothing = join(zero, zero)
    alpha = nothing
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            alpha = base_acceleration(links, k, load6(links, k, PREDICTED_FORCE))
            at = n_joints + 6 * (k - n_joints)
            for i in range(3):
                acceleration[at + i] = alpha[i]
                acceleration[at + 3 + i] = alpha[4 + i]
        else:
            inboard = tree[k, INBOARD]
            if inboard == n_links:
                alpha = nothing
            elif inboard != k + 1:
                alpha = load6(links, inboard, ACCELERATION)
            lever = load3(links, k, LEVER)
            # G' alpha+ = (phi G)' alpha(k+1), whose left factor does not wait for the link before.
            along = links[k, RESIDUAL] - dot(inward(lever, load6(links, k, KALMAN_GAIN)), alpha)  # R87 (46)
            links[k, JOINT_ACCELERATION] = along
            acceleration[k] = along
            alpha = outward(lever, alpha) + load6(links, k, BIAS_ACCELERATION)  # R87 (45), (47)
            alpha = alpha + along * load6(links, k, JOINT_AXIS)
        store(links, k, ACCELERATION, alpha)
