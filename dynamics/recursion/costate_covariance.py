"""How easily each link accelerates: the covariance of the smoother's co-state, outward.

``mobility_outward`` is the text for one state and for eight (see ``fields``), compiled for the row ``batch`` with every
stage.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.algebra import get21, minus_symmetric_outer, put21, shift_mobility, times_vector
from dynamics.spatial.fields import at, like, put
from dynamics.spatial.small_matrices import invert_packed
from dynamics.spatial.vector import dot3, get3, get6
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
