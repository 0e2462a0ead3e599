"""The Kalman filter that runs from the tips to the base."""

from __future__ import annotations

import math

from dynamics.compiler.compiled import from_python, kernel
from dynamics.compiler.separate_kernel import separate_kernel
from dynamics.numbers.spatial import get21, minus_outer, put21, shift_inertia, times_angular, times_linear, times_vector
from dynamics.numbers.vector import add3, cross, dot3, get3, put3, scale3
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    ARTICULATED_INERTIA_UPDATED,
    BIAS_ACCELERATION,
    CORRECTED_FORCE,
    DAMPING,
    FREE,
    FRICTION,
    INBOARD,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KIND,
    LEVER,
    PREDICTED_FORCE,
    RESIDUAL,
    REVOLUTE,
    ROTOR_INERTIA,
)

# Coulomb friction is smoothed over this speed, in rad/s or m/s, so that an integrator meets no jump.
FRICTION_SPEED = 0.01


@kernel
def measured_torque(model, k, rate, tau):
    """The torque that the filter measures: the motor's less the joint's own damping and friction."""
    direction = math.tanh(rate / FRICTION_SPEED)
    friction = model[k, FRICTION + 1] if direction > 0.0 else model[k, FRICTION]
    return tau - model[k, DAMPING] * rate - friction * direction


@from_python
@separate_kernel
def inward_filter(tree, model, v, tau, work):
    """R87 (35)-(43), JR Algorithm 2: predict across the link, correct at the joint.

    Every link has its own M(k) and b(k) in P(k) and z(k) already (``kinematics``); its outboard
    neighbors add theirs when they are done, so one loop serves chains and trees.

    Returns:
        -1, or the first link whose joint has no positive inertia D.
    """
    for k in range(tree.shape[0]):
        p = get21(work, k, ARTICULATED_INERTIA)
        p_a = times_vector(p, get3(work, k, BIAS_ACCELERATION), get3(work, k, BIAS_ACCELERATION + 3))
        z_angular = add3(get3(work, k, PREDICTED_FORCE), p_a[0])  # JR (2.13): z = phi z+ + b + P a
        z_linear = add3(get3(work, k, PREDICTED_FORCE + 3), p_a[1])
        put3(work, k, PREDICTED_FORCE, z_angular)
        put3(work, k, PREDICTED_FORCE + 3, z_linear)
        if tree[k, KIND] == FREE:
            continue

        h = get3(work, k, JOINT_AXIS)
        if tree[k, KIND] == REVOLUTE:
            u_angular, u_linear = times_angular(p, h)  # P H'
            d = dot3(h, u_angular) + model[k, ROTOR_INERTIA]  # R87 (38): D = H P H'
            predicted = dot3(h, z_angular)
        else:
            u_angular, u_linear = times_linear(p, h)
            d = dot3(h, u_linear) + model[k, ROTOR_INERTIA]
            predicted = dot3(h, z_linear)
        if not d > 0.0:
            return k
        d_inverse = 1.0 / d
        g_angular = scale3(d_inverse, u_angular)  # R87 (39): G = P H' D^-1
        g_linear = scale3(d_inverse, u_linear)
        innovation = measured_torque(model, k, v[k], tau[k]) - predicted  # R87 (40): eps = tau - H z
        z_angular = add3(z_angular, scale3(innovation, g_angular))  # R87 (41): z+ = z + G eps
        z_linear = add3(z_linear, scale3(innovation, g_linear))
        p = minus_outer(p, u_angular, u_linear, d_inverse)  # R87 (43): P+ = (1 - G H) P

        work[k, JOINT_INERTIA] = d
        put3(work, k, KALMAN_GAIN, g_angular)
        put3(work, k, KALMAN_GAIN + 3, g_linear)
        work[k, INNOVATION] = innovation
        work[k, RESIDUAL] = d_inverse * innovation
        put3(work, k, CORRECTED_FORCE, z_angular)
        put3(work, k, CORRECTED_FORCE + 3, z_linear)
        put21(work, k, ARTICULATED_INERTIA_UPDATED, p)

        inboard = tree[k, INBOARD]
        lever = get3(work, k, LEVER)
        p = shift_inertia(p, lever)  # R87 (37): phi P+ phi'
        for i in range(21):
            work[inboard, ARTICULATED_INERTIA + i] += p[i]
        z_angular = add3(z_angular, cross(lever, z_linear))  # phi z+
        for i in range(3):
            work[inboard, PREDICTED_FORCE + i] += z_angular[i]
            work[inboard, PREDICTED_FORCE + 3 + i] += z_linear[i]
    return -1
