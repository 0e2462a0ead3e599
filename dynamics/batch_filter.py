"""Eight states at once, inward: the Kalman filter of ``inward_filter``, link by link."""

from __future__ import annotations

import math

from dynamics.batch_layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    FORCE_IN_WORK,
    INERTIA_IN_WORK,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    LEVER,
    PREDICTED_FORCE,
    RATE,
    RESIDUAL,
    ROW,
    TORQUE,
)
from dynamics.compiled import kernel
from dynamics.spatial import add21, minus_outer, shift_inertia, times_angular, times_linear, times_vector
from dynamics.state_lanes import ADDRESS, LANES, lane3, lane6, lane21, set3, set21
from dynamics.vector import add3, cross, dot3, scale3


@kernel
def predict(w, at):
    """JR (2.13): z = phi z+ + b + P a, the outboard links having added their share already."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        a, z = lane6(w, i + BIAS_ACCELERATION), lane6(w, i + FORCE_IN_WORK)
        p_a = times_vector(lane21(w, i + INERTIA_IN_WORK), a[0], a[1])
        set3(w, i + FORCE_IN_WORK, add3(z[0], p_a[0]))
        set3(w, i + FORCE_IN_WORK + 3 * LANES, add3(z[1], p_a[1]))


@kernel
def measure_turning(w, at, rotor_inertia, damping):
    """R87 (38), (40) of a revolute joint: D = H P H', eps = tau - H z; P H' is left in the gain's place."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        h = lane3(w, i + JOINT_AXIS)
        u = times_angular(lane21(w, i + INERTIA_IN_WORK), h)
        set3(w, i + KALMAN_GAIN, u[0])
        set3(w, i + KALMAN_GAIN + 3 * LANES, u[1])
        w[i + JOINT_INERTIA] = dot3(h, u[0]) + rotor_inertia
        w[i + INNOVATION] = w[i + TORQUE] - damping * w[i + RATE] - dot3(h, lane3(w, i + FORCE_IN_WORK))


@kernel
def measure_sliding(w, at, rotor_inertia, damping):
    """The same of a prismatic joint."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        h = lane3(w, i + JOINT_AXIS)
        u = times_linear(lane21(w, i + INERTIA_IN_WORK), h)
        set3(w, i + KALMAN_GAIN, u[0])
        set3(w, i + KALMAN_GAIN + 3 * LANES, u[1])
        w[i + JOINT_INERTIA] = dot3(h, u[1]) + rotor_inertia
        w[i + INNOVATION] = w[i + TORQUE] - damping * w[i + RATE] - dot3(h, lane3(w, i + FORCE_IN_WORK + 3 * LANES))


@kernel
def keep_predicted(w, at):
    """Copy P(k) and z(k) before they are corrected."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        moment, force = lane6(w, i + FORCE_IN_WORK)
        set3(w, i + PREDICTED_FORCE, moment)
        set3(w, i + PREDICTED_FORCE + 3 * LANES, force)
        set21(w, i + ARTICULATED_INERTIA, lane21(w, i + INERTIA_IN_WORK))


@kernel
def correct(w, at):
    """R87 (39), (41), (43): G = P H' D^-1, z+ = z + G eps, P+ = (1 - G H) P; both go inboard by R87 (37), JR (2.13)."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        d = w[i + JOINT_INERTIA]
        d = 1.0 / d if d > 0.0 else math.nan  # the accelerations will tell
        innovation = w[i + INNOVATION]
        u, z = lane6(w, i + KALMAN_GAIN), lane6(w, i + FORCE_IN_WORK)
        g_angular, g_linear = scale3(d, u[0]), scale3(d, u[1])
        moment, force = add3(z[0], scale3(innovation, g_angular)), add3(z[1], scale3(innovation, g_linear))
        p = minus_outer(lane21(w, i + INERTIA_IN_WORK), u[0], u[1], d)
        w[i + RESIDUAL] = d * innovation
        set3(w, i + KALMAN_GAIN, g_angular)
        set3(w, i + KALMAN_GAIN + 3 * LANES, g_linear)
        set3(w, i + FORCE_IN_WORK, moment)
        set3(w, i + FORCE_IN_WORK + 3 * LANES, force)
        set21(w, i + INERTIA_IN_WORK, p)
        lever = lane3(w, i + LEVER)
        p = shift_inertia(p, lever)
        z = lane6(w, i + ROW + FORCE_IN_WORK)
        set3(w, i + ROW + FORCE_IN_WORK, add3(z[0], add3(moment, cross(lever, force))))
        set3(w, i + ROW + FORCE_IN_WORK + 3 * LANES, add3(z[1], force))
        set21(w, i + ROW + INERTIA_IN_WORK, add21(lane21(w, i + ROW + INERTIA_IN_WORK), p))
