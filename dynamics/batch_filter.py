"""Eight states at once, inward: the Kalman filter of ``inward_filter``, link by link."""

from __future__ import annotations

from dynamics.batch_layout import (
    ARTICULATED_INERTIA,
    ARTICULATED_INERTIA_UPDATED,
    BIAS_ACCELERATION,
    CORRECTED_FORCE,
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
from dynamics.lanes import LANES, lane3, lane6, lane21, set3, set21
from dynamics.spatial import add21, minus_outer, shift_inertia, times_angular, times_linear, times_vector
from dynamics.vector import add3, cross, dot3, scale3


@kernel
def predict(w):
    """JR (2.13): z = phi z+ + b + P a, the outboard links having added their share already."""
    for i in range(LANES):
        a, z = lane6(w, i + BIAS_ACCELERATION), lane6(w, i + PREDICTED_FORCE)
        p_a = times_vector(lane21(w, i + ARTICULATED_INERTIA), a[0], a[1])
        set3(w, i + PREDICTED_FORCE, add3(z[0], p_a[0]))
        set3(w, i + PREDICTED_FORCE + 3 * LANES, add3(z[1], p_a[1]))


@kernel
def measure_turning(w, rotor_inertia, damping):
    """R87 (38), (40) of a revolute joint: D = H P H', eps = tau - H z; P H' is left in the gain's place."""
    for i in range(LANES):
        h = lane3(w, i + JOINT_AXIS)
        u = times_angular(lane21(w, i + ARTICULATED_INERTIA), h)
        set3(w, i + KALMAN_GAIN, u[0])
        set3(w, i + KALMAN_GAIN + 3 * LANES, u[1])
        w[i + JOINT_INERTIA] = dot3(h, u[0]) + rotor_inertia
        w[i + INNOVATION] = w[i + TORQUE] - damping * w[i + RATE] - dot3(h, lane3(w, i + PREDICTED_FORCE))


@kernel
def measure_sliding(w, rotor_inertia, damping):
    """The same of a prismatic joint."""
    for i in range(LANES):
        h = lane3(w, i + JOINT_AXIS)
        u = times_linear(lane21(w, i + ARTICULATED_INERTIA), h)
        set3(w, i + KALMAN_GAIN, u[0])
        set3(w, i + KALMAN_GAIN + 3 * LANES, u[1])
        w[i + JOINT_INERTIA] = dot3(h, u[1]) + rotor_inertia
        w[i + INNOVATION] = w[i + TORQUE] - damping * w[i + RATE] - dot3(h, lane3(w, i + PREDICTED_FORCE + 3 * LANES))


@kernel
def correct(w):
    """R87 (39), (41), (43): G = P H' D^-1, z+ = z + G eps, P+ = (1 - G H) P; then both are moved inboard."""
    for i in range(LANES):
        d = 1.0 / w[i + JOINT_INERTIA]
        innovation = w[i + INNOVATION]
        u, z = lane6(w, i + KALMAN_GAIN), lane6(w, i + PREDICTED_FORCE)
        g_angular, g_linear = scale3(d, u[0]), scale3(d, u[1])
        moment, force = add3(z[0], scale3(innovation, g_angular)), add3(z[1], scale3(innovation, g_linear))
        p = minus_outer(lane21(w, i + ARTICULATED_INERTIA), u[0], u[1], d)
        w[i + RESIDUAL] = d * innovation
        set3(w, i + KALMAN_GAIN, g_angular)
        set3(w, i + KALMAN_GAIN + 3 * LANES, g_linear)
        set3(w, i + CORRECTED_FORCE, moment)
        set3(w, i + CORRECTED_FORCE + 3 * LANES, force)
        set21(w, i + ARTICULATED_INERTIA_UPDATED, p)
    for i in range(LANES):
        lever = lane3(w, i + LEVER)
        moment, force = lane6(w, i + CORRECTED_FORCE)
        p = shift_inertia(lane21(w, i + ARTICULATED_INERTIA_UPDATED), lever)  # R87 (37): phi P+ phi'
        z = lane6(w, i + ROW + PREDICTED_FORCE)
        set3(w, i + ROW + PREDICTED_FORCE, add3(z[0], add3(moment, cross(lever, force))))  # phi z+
        set3(w, i + ROW + PREDICTED_FORCE + 3 * LANES, add3(z[1], force))
        set21(w, i + ROW + ARTICULATED_INERTIA, add21(lane21(w, i + ROW + ARTICULATED_INERTIA), p))
