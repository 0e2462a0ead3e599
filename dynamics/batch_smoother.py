"""Eight states at once, outward: the smoother of ``outward_smoother`` and ``costate_covariance``, link by link."""

from __future__ import annotations

from dynamics.batch_layout import (
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
    ROW,
)
from dynamics.compiled import kernel
from dynamics.spatial import minus_symmetric_outer, shift_mobility, times_vector
from dynamics.state_lanes import ADDRESS, LANES, lane3, lane6, lane21, set3, set21
from dynamics.vector import add3, cross, dot3, scale3, sub3


@kernel
def smooth(w, at, turning, sliding):
    """R87 (44)-(47): theta'' = nu - G' alpha+, alpha = alpha+ + H' theta'' + a.

    Args:
        w, at: as in ``joint_motion``.
        turning, sliding: as in ``joint_motion``.
    """
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        lever, g = lane3(w, i + LEVER), lane6(w, i + KALMAN_GAIN)
        angular, linear = lane6(w, i + ROW + ACCELERATION)
        linear = sub3(linear, cross(lever, angular))  # alpha+ = phi' alpha(k+1)
        acceleration = w[i + RESIDUAL] - (dot3(g[0], angular) + dot3(g[1], linear))  # R87 (46)
        along = scale3(acceleration, lane3(w, i + JOINT_AXIS))
        a = lane6(w, i + BIAS_ACCELERATION)
        w[i + JOINT_ACCELERATION] = acceleration
        set3(w, i + ACCELERATION_INBOARD, angular)
        set3(w, i + ACCELERATION_INBOARD + 3 * LANES, linear)
        set3(w, i + ACCELERATION, add3(add3(angular, scale3(turning, along)), a[0]))  # R87 (47)
        set3(w, i + ACCELERATION + 3 * LANES, add3(add3(linear, scale3(sliding, along)), a[1]))


@kernel
def joint_force(w, at):
    """R87 (34): x = z + P (alpha - a), the smoothed force through joint k."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        alpha, a = lane6(w, i + ACCELERATION), lane6(w, i + BIAS_ACCELERATION)
        z = lane6(w, i + PREDICTED_FORCE)
        p_alpha = times_vector(lane21(w, i + ARTICULATED_INERTIA), sub3(alpha[0], a[0]), sub3(alpha[1], a[1]))
        set3(w, i + FORCE, add3(z[0], p_alpha[0]))
        set3(w, i + FORCE + 3 * LANES, add3(z[1], p_alpha[1]))


@kernel
def mobility(w, at, revolute):
    """R87 (67)-(68): Lambda = T' D+ T + H' D^-1 H with T = 1 - G H and D+ = phi' Lambda(k+1) phi."""
    at &= ADDRESS
    if revolute:
        for lane in range(LANES):
            i = at + lane
            g = lane6(w, i + KALMAN_GAIN)
            q = shift_mobility(lane21(w, i + ROW + COSTATE_COVARIANCE), lane3(w, i + LEVER))
            y = times_vector(q, g[0], g[1])
            c = dot3(g[0], y[0]) + dot3(g[1], y[1]) + 1.0 / w[i + JOINT_INERTIA]
            set21(w, i + COSTATE_COVARIANCE, minus_symmetric_outer(q, y[0], y[1], c, lane3(w, i + JOINT_AXIS), True))
    else:
        for lane in range(LANES):
            i = at + lane
            g = lane6(w, i + KALMAN_GAIN)
            q = shift_mobility(lane21(w, i + ROW + COSTATE_COVARIANCE), lane3(w, i + LEVER))
            y = times_vector(q, g[0], g[1])
            c = dot3(g[0], y[0]) + dot3(g[1], y[1]) + 1.0 / w[i + JOINT_INERTIA]
            set21(w, i + COSTATE_COVARIANCE, minus_symmetric_outer(q, y[0], y[1], c, lane3(w, i + JOINT_AXIS), False))


@kernel
def correct_innovation(w, at, turning, sliding):
    """R88 (8.4): the innovation less H dz, and dz(k+1) = psi(k+1, k) dz(k), added to what is there."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        h, g = lane3(w, i + JOINT_AXIS), lane6(w, i + KALMAN_GAIN)
        moment, force = lane6(w, i + FORCE_CORRECTION)
        seen = turning * dot3(h, moment) + sliding * dot3(h, force)
        innovation = w[i + INNOVATION] - seen
        w[i + MODIFIED_INNOVATION] = innovation
        w[i + RESIDUAL] = innovation / w[i + JOINT_INERTIA]
        moment, force = sub3(moment, scale3(seen, g[0])), sub3(force, scale3(seen, g[1]))  # (1 - G H) dz
        moment = add3(moment, cross(lane3(w, i + LEVER), force))  # phi
        inboard = lane6(w, i + ROW + FORCE_CORRECTION)
        set3(w, i + ROW + FORCE_CORRECTION, add3(inboard[0], moment))
        set3(w, i + ROW + FORCE_CORRECTION + 3 * LANES, add3(inboard[1], force))
