"""Outward sweep, base to tips: poses, velocities, and the velocity-dependent bias of every link."""

from __future__ import annotations

from dynamics.compiler.compiled import from_python, kernel
from dynamics.compiler.separate_kernel import separate_kernel
from dynamics.numbers.rotation import quaternion_matrix
from dynamics.numbers.spatial import put21, spatial_inertia
from dynamics.numbers.vector import (
    add3,
    compose,
    congruence3,
    cross,
    get3,
    get9,
    put3,
    put9,
    rotate,
    rotation_about,
    scale3,
    sub3,
    symmetric3,
)
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    AXIS,
    BIAS_ACCELERATION,
    BIAS_FORCE,
    CENTER_OF_MASS,
    FREE,
    INBOARD,
    INERTIA,
    JOINT_AXIS,
    KIND,
    LEVER,
    LEVER_TO_MASS,
    MASS,
    ORIGIN_POSITION,
    ORIGIN_ROTATION,
    POSITION,
    PREDICTED_FORCE,
    REVOLUTE,
    ROTATION,
    VELOCITY,
)


@from_python
@separate_kernel
def kinematics(tree, model, gravity, wrench, x, v, work):
    """Poses, velocities, a(k), b(k), and the filter's start: P(k) = M(k), z(k) = b(k).

    V(k) = phi' V(k+1) + H' beta; a(k) is JR (2.2), b(k) is R87 (7) with gravity as an external force.

    Args:
        tree, model: the links, see ``layout``.
        gravity: (3,) m/s^2.
        wrench: (links + 1, 6) external [moment; force] on each link at O_k, the last row is the object's.
        x, v: packed configuration and velocity.
        work: (links + 1, WORK_WIDTH), written; its last row is the world.
    """
    n_links = tree.shape[0]
    n_joints = n_links
    while n_joints > 0 and tree[n_joints - 1, KIND] == FREE:
        n_joints -= 1
    zero = (0.0, 0.0, 0.0)
    work[n_links, :] = 0.0
    put9(work, n_links, ROTATION, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    g = (gravity[0], gravity[1], gravity[2])
    for k in range(n_links - 1, -1, -1):
        inboard = tree[k, INBOARD]
        kind = tree[k, KIND]
        if kind == FREE:
            at = n_joints + 7 * (k - n_joints)
            rotation = quaternion_matrix(x[at + 3], x[at + 4], x[at + 5], x[at + 6])
            position = (x[at], x[at + 1], x[at + 2])
            at = n_joints + 6 * (k - n_joints)
            omega = (v[at], v[at + 1], v[at + 2])
            velocity = (v[at + 3], v[at + 4], v[at + 5])
            h, lever, a_angular, a_linear = zero, zero, zero, zero
        else:
            rotation_in = get9(work, inboard, ROTATION)
            omega_in = get3(work, inboard, VELOCITY)
            h_own = get3(model, k, AXIS)
            frame = compose(rotation_in, get9(model, k, ORIGIN_ROTATION))
            lever = rotate(rotation_in, get3(model, k, ORIGIN_POSITION))
            h = rotate(frame, h_own)
            u = scale3(v[k], h)
            if kind == REVOLUTE:
                rotation = compose(frame, rotation_about(h_own, x[k]))
                omega = add3(omega_in, u)
                swing = cross(omega_in, lever)
                velocity = add3(get3(work, inboard, VELOCITY + 3), swing)
                a_angular = cross(omega_in, u)  # JR (2.2)
                a_linear = cross(omega_in, swing)
            else:
                rotation = frame
                lever = add3(lever, scale3(x[k], h))
                omega = omega_in
                swing = cross(omega_in, lever)
                velocity = add3(add3(get3(work, inboard, VELOCITY + 3), swing), u)
                a_angular = zero
                a_linear = add3(cross(omega_in, swing), scale3(2.0, cross(omega_in, u)))
            position = add3(get3(work, inboard, POSITION), lever)
        put9(work, k, ROTATION, rotation)
        put3(work, k, POSITION, position)
        put3(work, k, VELOCITY, omega)
        put3(work, k, VELOCITY + 3, velocity)
        put3(work, k, JOINT_AXIS, h)
        put3(work, k, LEVER, lever)
        put3(work, k, BIAS_ACCELERATION, a_angular)
        put3(work, k, BIAS_ACCELERATION + 3, a_linear)

        m = model[k, MASS]
        p = rotate(rotation, get3(model, k, CENTER_OF_MASS))
        j = congruence3(rotation, get3(model, k, INERTIA) + get3(model, k, INERTIA + 3))
        weight = scale3(m, g)
        moment = sub3(cross(omega, symmetric3(j, omega)), cross(p, weight))  # R87 (7)
        force = sub3(scale3(m, cross(omega, cross(omega, p))), weight)
        moment = sub3(moment, get3(wrench, k, 0))
        force = sub3(force, get3(wrench, k, 3))
        put3(work, k, LEVER_TO_MASS, p)
        put3(work, k, BIAS_FORCE, moment)
        put3(work, k, BIAS_FORCE + 3, force)
        put3(work, k, PREDICTED_FORCE, moment)
        put3(work, k, PREDICTED_FORCE + 3, force)
        put21(work, k, ARTICULATED_INERTIA, spatial_inertia(j, m, p))


@kernel
def own_inertia(model, work, k):
    """M(k), of link k alone; after ``kinematics``."""
    j = congruence3(get9(work, k, ROTATION), get3(model, k, INERTIA) + get3(model, k, INERTIA + 3))
    return spatial_inertia(j, model[k, MASS], get3(work, k, LEVER_TO_MASS))
