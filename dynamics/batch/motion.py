"""Eight states at once, outward: poses, velocities, bias, and each link's own inertia and bias force.

The equations are those of ``kinematics``; joints turn about their own z (``batch_model``).
"""

from __future__ import annotations

from dynamics.batch.layout import (
    ANGULAR_VELOCITY,
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    DISPLACEMENT,
    JOINT_AXIS,
    LEVER,
    LINEAR_VELOCITY,
    MODEL_FIRST_MOMENT,
    MODEL_INERTIA,
    MODEL_INERTIA_VECTORS,
    MODEL_MASS,
    MODEL_POSITION,
    MODEL_ROTATION,
    POSITION,
    PREDICTED_FORCE,
    RATE,
    ROTATION,
)
from dynamics.compiler.compiled import inlined
from dynamics.numbers.lanes import everywhere, load6
from dynamics.numbers.sine_cosine import LARGEST_ANGLE, sine_and_cosine
from dynamics.numbers.state_lanes import lane3, lane9, set_lanes, where_positive
from dynamics.numbers.vector import add3, cross, scale3, sub3, symmetric3


@inlined
def rotated(rotation, x, y, z):
    """R v of three numbers that all states share, for a rotation of each state."""
    return (
        x * rotation[0] + y * rotation[1] + z * rotation[2],
        x * rotation[3] + y * rotation[4] + z * rotation[5],
        x * rotation[6] + y * rotation[7] + z * rotation[8],
    )


@inlined
def model_vector(rotation, model, k, c):
    """R v of three numbers of the model."""
    return rotated(rotation, model[k, c], model[k, c + 1], model[k, c + 2])


@inlined
def model_column(rotation, model, k, j):
    """Column j of R E, E the nine numbers of the model's rotation."""
    c = MODEL_ROTATION + j
    return rotated(rotation, model[k, c], model[k, c + 3], model[k, c + 6])


@inlined
def turned(x, y, h, displacement):
    """The rotation with columns x, y, h after a turn about h; not a number where an angle is too large."""
    largest = everywhere(LARGEST_ANGLE)
    angle = where_positive(where_positive(displacement, largest - displacement), largest + displacement)
    s, c = sine_and_cosine(angle)
    return (
        c * x[0] + s * y[0], c * y[0] - s * x[0], h[0],
        c * x[1] + s * y[1], c * y[1] - s * x[1], h[1],
        c * x[2] + s * y[2], c * y[2] - s * x[2], h[2],
    )  # fmt: skip


@inlined
def joint_motion(w, k, inboard, model, revolute):
    """H(k), l(k+1, k) and a(k) of one link, written.

    Args:
        w: the block.
        model: (links, MODEL_WIDTH) the links' constants.

    Returns:
        the link's rotation and angular velocity.
    """
    rotation, omega = lane9(w, inboard, ROTATION), lane3(w, inboard, ANGULAR_VELOCITY)
    displacement, rate = load6(w, k, DISPLACEMENT), load6(w, k, RATE)
    lever = model_vector(rotation, model, k, MODEL_POSITION)
    x, y = model_column(rotation, model, k, 0), model_column(rotation, model, k, 1)
    h = model_column(rotation, model, k, 2)
    across = scale3(rate, cross(omega, h))
    if revolute:
        swing = cross(omega, cross(omega, lever))
        set_lanes(w, k, BIAS_ACCELERATION, across + swing)  # JR (2.2)
        rotation, omega = turned(x, y, h, displacement), add3(omega, scale3(rate, h))
    else:
        zero = everywhere(0.0)
        lever = add3(lever, scale3(displacement, h))
        swing = cross(omega, cross(omega, lever))
        set_lanes(w, k, BIAS_ACCELERATION, (zero, zero, zero, *add3(swing, scale3(2.0, across))))
        rotation = (x[0], y[0], h[0], x[1], y[1], h[1], x[2], y[2], h[2])
    set_lanes(w, k, JOINT_AXIS, h)
    set_lanes(w, k, LEVER, lever)
    set_lanes(w, k, ROTATION, rotation)
    set_lanes(w, k, ANGULAR_VELOCITY, omega)
    return rotation, omega


@inlined
def link_inertia(w, k, rotation, omega, model, gravity):
    """M(k) and b(k), where the filter starts; R87 (7) with gravity as an external force."""
    zero, mass, smallest = everywhere(0.0), everywhere(model[k, MODEL_MASS]), everywhere(model[k, MODEL_INERTIA])
    p = model_vector(rotation, model, k, MODEL_FIRST_MOMENT)
    x = model_vector(rotation, model, k, MODEL_INERTIA_VECTORS)
    y = model_vector(rotation, model, k, MODEL_INERTIA_VECTORS + 3)
    j = (
        smallest + x[0] * x[0] + y[0] * y[0], x[0] * x[1] + y[0] * y[1], x[0] * x[2] + y[0] * y[2],
        smallest + x[1] * x[1] + y[1] * y[1], x[1] * x[2] + y[1] * y[2], smallest + x[2] * x[2] + y[2] * y[2],
    )  # fmt: skip
    g = (everywhere(gravity[0]), everywhere(gravity[1]), everywhere(gravity[2]))
    moment = sub3(cross(omega, symmetric3(j, omega)), cross(p, g))
    force = sub3(cross(omega, cross(omega, p)), scale3(mass, g))
    set_lanes(w, k, PREDICTED_FORCE, moment + force)
    set_lanes(
        w, k, ARTICULATED_INERTIA,
        (j[0], j[1], j[2], j[3], j[4], j[5], zero, zero - p[2], p[1], p[2], zero, zero - p[0], zero - p[1], p[0], zero,
         mass, zero, zero, mass, zero, mass),
    )  # fmt: skip


@inlined
def joint_place(w, k, inboard, revolute):
    """Position and velocity of O_k, which only contacts ask for; after ``joint_motion``."""
    lever = lane3(w, k, LEVER)
    velocity = add3(lane3(w, inboard, LINEAR_VELOCITY), cross(lane3(w, inboard, ANGULAR_VELOCITY), lever))
    if not revolute:
        velocity = add3(velocity, scale3(load6(w, k, RATE), lane3(w, k, JOINT_AXIS)))
    set_lanes(w, k, POSITION, add3(lane3(w, inboard, POSITION), lever))
    set_lanes(w, k, LINEAR_VELOCITY, velocity)
