"""Eight states at once, outward: the smoother of ``outward_smoother`` and ``costate_covariance``, link by link."""

from __future__ import annotations

from dynamics.batch.layout import (
    ACCELERATION,
    ACCELERATION_INBOARD,
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    COSTATE_COVARIANCE,
    FORCE,
    FORCE_CORRECTION,
    INNOVATION,
    JOINT_ACCELERATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    LEVER,
    MODIFIED_INNOVATION,
    PREDICTED_FORCE,
    RESIDUAL,
)
from dynamics.compiler.compiled import inlined
from dynamics.numbers.lanes import everywhere, load6, store
from dynamics.numbers.spatial import minus_symmetric_outer, shift_mobility, times_vector
from dynamics.numbers.state_lanes import lane3, lane6, lane21, set_lanes
from dynamics.numbers.vector import add3, cross, dot3, scale3, sub3


@inlined
def smooth(w, k, inboard, revolute):
    """R87 (44)-(47): theta'' = nu - G' alpha+, alpha = alpha+ + H' theta'' + a."""
    lever, g, a = lane3(w, k, LEVER), lane6(w, k, KALMAN_GAIN), lane6(w, k, BIAS_ACCELERATION)
    angular, linear = lane6(w, inboard, ACCELERATION)
    linear = sub3(linear, cross(lever, angular))  # alpha+ = phi' alpha(k+1)
    acceleration = load6(w, k, RESIDUAL) - (dot3(g[0], angular) + dot3(g[1], linear))  # R87 (46)
    along = scale3(acceleration, lane3(w, k, JOINT_AXIS))
    store(w, k, JOINT_ACCELERATION, acceleration)
    set_lanes(w, k, ACCELERATION_INBOARD, angular + linear)
    angular, linear = add3(angular, a[0]), add3(linear, a[1])
    if revolute:  # R87 (47)
        angular = add3(angular, along)
    else:
        linear = add3(linear, along)
    set_lanes(w, k, ACCELERATION, angular + linear)


@inlined
def joint_force(w, k):
    """R87 (34): x = z + P (alpha - a), the smoothed force through joint k."""
    alpha, a, z = lane6(w, k, ACCELERATION), lane6(w, k, BIAS_ACCELERATION), lane6(w, k, PREDICTED_FORCE)
    p_alpha = times_vector(lane21(w, k, ARTICULATED_INERTIA), sub3(alpha[0], a[0]), sub3(alpha[1], a[1]))
    set_lanes(w, k, FORCE, add3(z[0], p_alpha[0]) + add3(z[1], p_alpha[1]))


@inlined
def mobility(w, k, inboard, revolute):
    """R87 (67)-(68): Lambda = T' D+ T + H' D^-1 H with T = 1 - G H and D+ = phi' Lambda(k+1) phi."""
    g = lane6(w, k, KALMAN_GAIN)
    q = shift_mobility(lane21(w, inboard, COSTATE_COVARIANCE), lane3(w, k, LEVER))
    y = times_vector(q, g[0], g[1])
    c = dot3(g[0], y[0]) + dot3(g[1], y[1]) + everywhere(1.0) / load6(w, k, JOINT_INERTIA)
    h = lane3(w, k, JOINT_AXIS)
    if revolute:
        set_lanes(w, k, COSTATE_COVARIANCE, minus_symmetric_outer(q, y[0], y[1], c, h, True))
    else:
        set_lanes(w, k, COSTATE_COVARIANCE, minus_symmetric_outer(q, y[0], y[1], c, h, False))


@inlined
def correct_innovation(w, k, inboard, revolute):
    """R88 (8.4): the innovation less H dz, and dz(k+1) = psi(k+1, k) dz(k), added to what is there."""
    h, g = lane3(w, k, JOINT_AXIS), lane6(w, k, KALMAN_GAIN)
    moment, force = lane6(w, k, FORCE_CORRECTION)
    seen = dot3(h, moment) if revolute else dot3(h, force)
    innovation = load6(w, k, INNOVATION) - seen
    store(w, k, MODIFIED_INNOVATION, innovation)
    store(w, k, RESIDUAL, innovation / load6(w, k, JOINT_INERTIA))
    moment, force = sub3(moment, scale3(seen, g[0])), sub3(force, scale3(seen, g[1]))  # (1 - G H) dz
    moment = add3(moment, cross(lane3(w, k, LEVER), force))  # phi
    inner = lane6(w, inboard, FORCE_CORRECTION)
    set_lanes(w, inboard, FORCE_CORRECTION, add3(inner[0], moment) + add3(inner[1], force))
