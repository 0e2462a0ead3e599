"""Outward sweep, base to tips: poses, velocities, and the velocity-dependent bias of every link.

``move`` is the text for one state and for eight (see ``fields``), compiled for the rows ``batch``; every joint turns
about its own z (``link_tables``). ``plain_kinematics`` shares no line with it.

From them, energy and momentum of everything that moves, compiled for every frame of a page; row ``page``.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.algebra import put21, spatial_inertia, times_vector
from dynamics.spatial.fields import at, like, put, sine_cosine
from dynamics.spatial.rotation import quaternion_matrix
from dynamics.spatial.vector import (
    add3,
    congruence3,
    cross,
    dot3,
    get3,
    get6,
    get9,
    put3,
    put6,
    put9,
    rotate,
    scale3,
    sub3,
    symmetric3,
)
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    BIAS_FORCE,
    CENTER_OF_MASS,
    DISPLACEMENT,
    FREE,
    INBOARD,
    JOINT_AXIS,
    KIND,
    LEVER,
    LEVER_TO_MASS,
    MASS,
    OBJECT_INERTIA,
    OBJECT_MASS,
    OBJECT_POSITION_NOW,
    OBJECT_ROTATION_NOW,
    OBJECT_VELOCITY,
    ORIGIN_POSITION,
    ORIGIN_ROTATION,
    POSITION,
    PREDICTED_FORCE,
    RATE,
    REVOLUTE,
    ROTATION,
    ROTOR_INERTIA,
    SPREAD,
    VELOCITY,
)


@inlined
def joint_motion(model, rows, k, inboard, revolute):
    """H(k), l(k+1, k) and a(k) of one link.

    Returns:
        the link's rotation and angular velocity.
    """
    rotation, omega = get9(rows, inboard, ROTATION), get3(rows, inboard, VELOCITY)
    displacement, rate = at(rows, k, DISPLACEMENT), at(rows, k, RATE)
    lever = rotate(rotation, get3(model, k, ORIGIN_POSITION))
    e = get9(model, k, ORIGIN_ROTATION)
    x, y = rotate(rotation, (e[0], e[3], e[6])), rotate(rotation, (e[1], e[4], e[7]))
    h = rotate(rotation, (e[2], e[5], e[8]))
    across = scale3(rate, cross(omega, h))
    if revolute:
        swing = cross(omega, cross(omega, lever))
        put6(rows, k, BIAS_ACCELERATION, (across, swing))  # JR (2.2)
        s, c = sine_cosine(displacement)
        rotation = (
            c * x[0] + s * y[0], c * y[0] - s * x[0], h[0],
            c * x[1] + s * y[1], c * y[1] - s * x[1], h[1],
            c * x[2] + s * y[2], c * y[2] - s * x[2], h[2],
        )  # fmt: skip
        omega = add3(omega, scale3(rate, h))
    else:
        zero = like(0.0, rate)
        lever = add3(lever, scale3(displacement, h))
        swing = cross(omega, cross(omega, lever))
        put6(rows, k, BIAS_ACCELERATION, ((zero, zero, zero), add3(swing, scale3(2.0, across))))
        rotation = (x[0], y[0], h[0], x[1], y[1], h[1], x[2], y[2], h[2])
    put3(rows, k, JOINT_AXIS, h)
    put3(rows, k, LEVER, lever)
    put9(rows, k, ROTATION, rotation)
    put3(rows, k, VELOCITY, omega)
    return rotation, omega


@inlined
def joint_place(rows, k, inboard, revolute):
    """The position of O_k and its velocity, V(k) = phi' V(k+1) + H' theta'; after ``joint_motion``."""
    lever = get3(rows, k, LEVER)
    velocity = add3(get3(rows, inboard, VELOCITY + 3), cross(get3(rows, inboard, VELOCITY), lever))
    if not revolute:
        velocity = add3(velocity, scale3(at(rows, k, RATE), get3(rows, k, JOINT_AXIS)))
    put3(rows, k, POSITION, add3(get3(rows, inboard, POSITION), lever))
    put3(rows, k, VELOCITY + 3, velocity)


@inlined
def rotational_inertia(model, k, rotation):
    """J about O_k."""
    a, b = rotate(rotation, get3(model, k, SPREAD)), rotate(rotation, get3(model, k, SPREAD + 3))
    c = like(model[k, SPREAD + 6], a[0])
    return (
        c + a[0] * a[0] + b[0] * b[0], a[0] * a[1] + b[0] * b[1], a[0] * a[2] + b[0] * b[2],
        c + a[1] * a[1] + b[1] * b[1], a[1] * a[2] + b[1] * b[2], c + a[2] * a[2] + b[2] * b[2],
    )  # fmt: skip


@inlined
def start_filter(model, gravity, rows, k, rotation, omega):
    """P(k) = M(k) and z(k) = b(k), where the filter starts; R87 (7) with gravity as an external force."""
    m, j = model[k, MASS], rotational_inertia(model, k, rotation)
    first = rotate(rotation, scale3(m, get3(model, k, CENTER_OF_MASS)))  # m p(k)
    g = like(gravity[0], j[0]), like(gravity[1], j[0]), like(gravity[2], j[0])
    moment = sub3(cross(omega, symmetric3(j, omega)), cross(first, g))
    force = sub3(cross(omega, cross(omega, first)), scale3(m, g))
    put6(rows, k, PREDICTED_FORCE, (moment, force))
    put21(rows, k, ARTICULATED_INERTIA, spatial_inertia(j, m, first))


@inlined
def move(tree, model, gravity, rows, place):
    """Motion, bias, and the filter's start of every link; R87 (11)-(12), R88 (5.1), JR (2.1)-(2.2).

    Args:
        rows: displacements and rates of the joints; poses and velocities of the world and of what floats.
        place: whether to compute positions and point velocities, which contacts need.
    """
    for k in range(tree.shape[0] - 1, -1, -1):
        inboard, revolute = tree[k, INBOARD], tree[k, KIND] == REVOLUTE
        if tree[k, KIND] == FREE:
            rotation, omega = get9(rows, k, ROTATION), get3(rows, k, VELOCITY)
        else:
            rotation, omega = joint_motion(model, rows, k, inboard, revolute)
            if place:
                joint_place(rows, k, inboard, revolute)
        start_filter(model, gravity, rows, k, rotation, omega)


@kernel
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
    work[n_links, :] = 0.0
    put9(work, n_links, ROTATION, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    place_bodies(tree, x, v, work)
    move(tree, model, gravity, work, True)
    for k in range(n_links):
        b = get6(work, k, PREDICTED_FORCE)
        b = sub3(b[0], get3(wrench, k, 0)), sub3(b[1], get3(wrench, k, 3))
        put6(work, k, PREDICTED_FORCE, b)
        put6(work, k, BIAS_FORCE, b)
        put3(work, k, LEVER_TO_MASS, rotate(get9(work, k, ROTATION), get3(model, k, CENTER_OF_MASS)))


@inlined
def place_bodies(tree, x, v, work):
    """Displacements and rates of the joints, poses and velocities of floating bodies."""
    n_joints = count_joints(tree)
    for k in range(n_joints):
        put(work, k, DISPLACEMENT, x[k])
        put(work, k, RATE, v[k])
    zero = (0.0, 0.0, 0.0)
    for k in range(n_joints, tree.shape[0]):
        i = n_joints + 7 * (k - n_joints)
        put9(work, k, ROTATION, quaternion_matrix(x[i + 3], x[i + 4], x[i + 5], x[i + 6]))
        put3(work, k, POSITION, (x[i], x[i + 1], x[i + 2]))
        i = n_joints + 6 * (k - n_joints)
        put6(work, k, VELOCITY, ((v[i], v[i + 1], v[i + 2]), (v[i + 3], v[i + 4], v[i + 5])))
        put3(work, k, JOINT_AXIS, zero)
        put3(work, k, LEVER, zero)
        put6(work, k, BIAS_ACCELERATION, (zero, zero))


@inlined
def count_joints(tree):
    """Number of links with a joint; free links come after them."""
    n = tree.shape[0]
    while n > 0 and tree[n - 1, KIND] == FREE:
        n -= 1
    return n


@inlined
def own_inertia(model, work, k):
    """M(k) of link k alone; after ``kinematics``."""
    j = rotational_inertia(model, k, get9(work, k, ROTATION))
    return spatial_inertia(j, model[k, MASS], scale3(model[k, MASS], get3(work, k, LEVER_TO_MASS)))


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
