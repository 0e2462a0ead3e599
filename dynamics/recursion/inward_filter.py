"""The Kalman filter that runs from the tips to the base.

``filter_inward`` is the text for one state and for eight (see ``fields``), compiled for the benchmarks' rows ``batch``,
which processing one state after the other does not reach.
"""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, inlined_entry, kernel
from dynamics.recursion.kinematics import count_joints
from dynamics.spatial.algebra import (
    add21,
    get21,
    minus_outer,
    put21,
    shift_inertia,
    times_angular,
    times_linear,
    times_vector,
)
from dynamics.spatial.fields import at, like, positive, put
from dynamics.spatial.vector import add3, cross, dot3, get3, get6, put6, scale3
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
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
    TORQUE,
)

# Coulomb friction is smoothed over this speed, in rad/s or m/s, so that an integrator meets no discontinuity.
FRICTION_SPEED = 0.01


@kernel
def measured_torque(model, k, rate, tau):
    """The torque that the filter measures: the motor's less the joint's own damping and friction."""
    direction = math.tanh(rate / FRICTION_SPEED)
    friction = model[k, FRICTION + 1] if direction > 0.0 else model[k, FRICTION]
    return tau - model[k, DAMPING] * rate - friction * direction


@inlined
def predict(rows, k):
    """P(k) and z(k), to which the outboard links have already added their shares: R87 (37) and phi z+ + b."""
    p = get21(rows, k, ARTICULATED_INERTIA)
    z, a = get6(rows, k, PREDICTED_FORCE), get6(rows, k, BIAS_ACCELERATION)
    p_a = times_vector(p, a[0], a[1])
    z = add3(z[0], p_a[0]), add3(z[1], p_a[1])  # JR (2.13a): z = phi z+ + b + P a
    put6(rows, k, PREDICTED_FORCE, z)
    return p, z


@inlined_entry
def observed(p, z, h, revolute, rotor):
    """P H', D and H z: a joint's components of an inertia and a force; the rotor's own inertia is added to D."""
    if revolute:
        u, seen = times_angular(p, h), dot3(h, z[0])
        d = dot3(h, u[0])
    else:
        u, seen = times_linear(p, h), dot3(h, z[1])
        d = dot3(h, u[1])
    return u, d + like(rotor, d), seen  # R87 (38): D = H P H'


@inlined_entry
def corrected(p, z, u, weight, amount):
    """P+ and z+, either from u = P H' with D^-1 and nu, or from u = G with D and eps."""
    p = minus_outer(p, u[0], u[1], weight)  # R87 (43): P+ = (1 - G H) P
    return p, (add3(z[0], scale3(amount, u[0])), add3(z[1], scale3(amount, u[1])))  # JR (2.13a): z+ = z + G eps


@inlined
def carried_inward(p, z, lever):
    """phi P+ phi' of R87 (37) and phi z+ of JR (2.13a)."""
    return shift_inertia(p, lever), (add3(z[0], cross(lever, z[1])), z[1])


@inlined
def correct(model, rows, k, inboard, p, z, revolute):
    """Corrects at the joint, and adds P+ and z+, moved there, to the inboard link's."""
    u, d, seen = observed(p, z, get3(rows, k, JOINT_AXIS), revolute, model[k, ROTOR_INERTIA])
    d_inverse = like(1.0, d) / positive(d)
    innovation = at(rows, k, TORQUE) - seen  # JR (2.13a): eps = tau - H z
    residual = d_inverse * innovation
    put(rows, k, JOINT_INERTIA, d)
    put(rows, k, INNOVATION, innovation)
    put(rows, k, RESIDUAL, residual)
    put6(rows, k, KALMAN_GAIN, (scale3(d_inverse, u[0]), scale3(d_inverse, u[1])))  # R87 (39): G = P H' D^-1

    p, z = corrected(p, z, u, d_inverse, residual)
    p, z = carried_inward(p, z, get3(rows, k, LEVER))
    put21(rows, inboard, ARTICULATED_INERTIA, add21(p, get21(rows, inboard, ARTICULATED_INERTIA)))
    inner = get6(rows, inboard, PREDICTED_FORCE)
    put6(rows, inboard, PREDICTED_FORCE, (add3(inner[0], z[0]), add3(inner[1], z[1])))


@inlined
def filter_inward(tree, model, rows):
    """R87 (35)-(43), R88 (8.1), JR (2.6), (2.12)-(2.13): predict across the link, correct at the joint.

    Every link already has its own M(k) and b(k) in P(k) and z(k) (``kinematics``); its outboard
    neighbors add theirs when they are done, so one loop handles chains and trees. If a joint has no positive
    inertia D, everything inboard of it is NaN.
    """
    for k in range(tree.shape[0]):
        p, z = predict(rows, k)
        if tree[k, KIND] != FREE:
            correct(model, rows, k, tree[k, INBOARD], p, z, tree[k, KIND] == REVOLUTE)


@kernel
def inward_filter(tree, model, v, tau, work):
    """``filter_inward`` for one state, which measures the torques ``tau`` at the rates ``v``.

    Returns:
        -1, or the first link whose joint has no positive inertia D.
    """
    n_joints = count_joints(tree)
    for k in range(n_joints):
        put(work, k, TORQUE, measured_torque(model, k, v[k], tau[k]))
    filter_inward(tree, model, work)
    for k in range(n_joints):
        if not at(work, k, JOINT_INERTIA) > 0.0:
            return k
    return -1
