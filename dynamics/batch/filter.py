"""Eight states at once, inward: the Kalman filter of ``inward_filter``, link by link."""

from __future__ import annotations

from dynamics.batch.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    LEVER,
    PREDICTED_FORCE,
    RATE,
    RESIDUAL,
    TORQUE,
)
from dynamics.compiler.compiled import inlined
from dynamics.numbers.lanes import everywhere, load6, store
from dynamics.numbers.spatial import add21, minus_outer, shift_inertia, times_angular, times_linear, times_vector
from dynamics.numbers.state_lanes import lane3, lane6, lane21, set_lanes, where_positive
from dynamics.numbers.vector import add3, cross, dot3, scale3


@inlined
def predict(w, k):
    """P(k), and z = phi z+ + b + P a of JR (2.13), the outboard links having added their shares already."""
    p, z, a = lane21(w, k, ARTICULATED_INERTIA), lane6(w, k, PREDICTED_FORCE), lane6(w, k, BIAS_ACCELERATION)
    p_a = times_vector(p, a[0], a[1])
    z = add3(z[0], p_a[0]), add3(z[1], p_a[1])
    set_lanes(w, k, PREDICTED_FORCE, z[0] + z[1])
    return p, z


@inlined
def correct(w, k, inboard, p, z, revolute, rotor_inertia, damping):
    """Correct at the joint, and hand P+ and z+ to the inboard link.

    R87 (38)-(41), (43): D = H P H', G = P H' D^-1, eps = tau - H z, z+ = z + G eps, P+ = (1 - G H) P; (37) and
    JR (2.13) move them.
    """
    h = lane3(w, k, JOINT_AXIS)
    if revolute:
        u, seen = times_angular(p, h), dot3(h, z[0])
        d = dot3(h, u[0])
    else:
        u, seen = times_linear(p, h), dot3(h, z[1])
        d = dot3(h, u[1])
    d = d + everywhere(rotor_inertia)
    d_inverse = everywhere(1.0) / where_positive(d, d)  # the accelerations will tell
    innovation = load6(w, k, TORQUE) - damping * load6(w, k, RATE) - seen
    residual = d_inverse * innovation
    store(w, k, JOINT_INERTIA, d)
    store(w, k, INNOVATION, innovation)
    store(w, k, RESIDUAL, residual)
    set_lanes(w, k, KALMAN_GAIN, scale3(d_inverse, u[0]) + scale3(d_inverse, u[1]))

    # phi P+ phi' = phi P phi' - (phi P H') D^-1 (phi P H')', so that the shift does not wait for the division.
    lever = lane3(w, k, LEVER)
    u = add3(u[0], cross(lever, u[1])), u[1]
    p = add21(minus_outer(shift_inertia(p, lever), u[0], u[1], d_inverse), lane21(w, inboard, ARTICULATED_INERTIA))
    inner = lane6(w, inboard, PREDICTED_FORCE)
    moment = add3(add3(inner[0], add3(z[0], cross(lever, z[1]))), scale3(residual, u[0]))
    force = add3(add3(inner[1], z[1]), scale3(residual, u[1]))
    set_lanes(w, inboard, ARTICULATED_INERTIA, p)
    set_lanes(w, inboard, PREDICTED_FORCE, moment + force)
