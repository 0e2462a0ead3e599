"""Energy and momentum of everything that moves, compiled for every frame of a page; row ``page``."""

from __future__ import annotations

from dynamics.compiler.kernels import kernel
from dynamics.recursion.kinematics import own_inertia
from dynamics.spatial.algebra import times_vector
from dynamics.spatial.vector import add3, congruence3, cross, dot3, get3, get9, scale3, symmetric3
from dynamics.system.layout import (
    LEVER_TO_MASS,
    MASS,
    OBJECT_INERTIA,
    OBJECT_MASS,
    OBJECT_POSITION_NOW,
    OBJECT_ROTATION_NOW,
    OBJECT_VELOCITY,
    POSITION,
    ROTOR_INERTIA,
    VELOCITY,
)


@kernel
def energy_and_momentum(tables, v, work, momentum):
    """Kinetic and potential energy; ``momentum`` (6,) about the world's origin is written.

    A rotor contributes half its inertia times the joint's speed squared, consistent with its share of D.
    Call it after ``motion_state``.
    """
    links = work.links
    gravity = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    kinetic, potential = 0.0, 0.0
    angular, linear = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(tables.tree.shape[0]):
        m, lever = tables.model[k, MASS], get3(links, k, LEVER_TO_MASS)
        omega, velocity = get3(links, k, VELOCITY), get3(links, k, VELOCITY + 3)
        turning, moving = times_vector(own_inertia(tables.model, links, k), omega, velocity)
        kinetic += 0.5 * (dot3(omega, turning) + dot3(velocity, moving))
        position = get3(links, k, POSITION)
        potential -= m * dot3(gravity, add3(position, lever))
        angular = add3(angular, add3(turning, cross(position, moving)))
        linear = add3(linear, moving)
        if tables.model[k, ROTOR_INERTIA] > 0.0:
            kinetic += 0.5 * tables.model[k, ROTOR_INERTIA] * v[k] * v[k]
    if tables.task_object.shape[0] > 0:
        now, payload = work.task_object, tables.task_object
        own = get3(payload, 0, OBJECT_INERTIA) + get3(payload, 0, OBJECT_INERTIA + 3)
        omega, velocity = get3(now, 0, OBJECT_VELOCITY), get3(now, 0, OBJECT_VELOCITY + 3)
        turning = symmetric3(congruence3(get9(now, 0, OBJECT_ROTATION_NOW), own), omega)
        moving = scale3(payload[0, OBJECT_MASS], velocity)
        position = get3(now, 0, OBJECT_POSITION_NOW)
        kinetic += 0.5 * (dot3(omega, turning) + dot3(velocity, moving))
        potential -= payload[0, OBJECT_MASS] * dot3(gravity, position)
        angular = add3(angular, add3(turning, cross(position, moving)))
        linear = add3(linear, moving)
    for j in range(3):
        momentum[j] = angular[j]
        momentum[3 + j] = linear[j]
    return kinetic, potential
