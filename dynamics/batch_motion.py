"""Eight states at once, outward: poses, velocities, bias, and each link's own inertia and bias force.

The equations are those of ``kinematics``; joints turn about their own z (``batch_model``).
"""

from __future__ import annotations

from dynamics.batch_layout import (
    ANGULAR_VELOCITY,
    BIAS_ACCELERATION,
    DISPLACEMENT,
    FORCE_IN_WORK,
    INERTIA_IN_WORK,
    JOINT_AXIS,
    LEVER,
    LINEAR_VELOCITY,
    POSITION,
    RATE,
    ROTATION,
    ROW,
)
from dynamics.compiled import kernel
from dynamics.state_lanes import ADDRESS, LANES, lane3, lane9, set3, set9, set21, sine_and_cosine
from dynamics.vector import add3, compose, cross, rotate, scale3, sub3, symmetric3


@kernel
def joint_motion(w, at, model, k, turning, sliding):
    """Rotation, angular velocity, H(k), l(k+1, k) and a(k) of one link.

    Args:
        w, at: the block, and where the link's row starts; its inboard link's follows.
        model: (links, MODEL_WIDTH) the links' constants.
        turning, sliding: 1.0 and 0.0 for a revolute joint, 0.0 and 1.0 for a prismatic one.
    """
    at &= ADDRESS
    origin = (
        model[k, 0],
        model[k, 1],
        model[k, 2],
        model[k, 3],
        model[k, 4],
        model[k, 5],
        model[k, 6],
        model[k, 7],
        model[k, 8],
    )
    position = (model[k, 9], model[k, 10], model[k, 11])
    for lane in range(LANES):
        i = at + lane
        rotation_in = lane9(w, i + ROW + ROTATION)
        omega_in = lane3(w, i + ROW + ANGULAR_VELOCITY)
        displacement, rate = w[i + DISPLACEMENT], w[i + RATE]
        f = compose(rotation_in, origin)
        h = (f[2], f[5], f[8])
        lever = add3(rotate(rotation_in, position), scale3(sliding * displacement, h))
        s, c = sine_and_cosine(turning * displacement)
        across = scale3(rate, cross(omega_in, h))
        swing = cross(omega_in, cross(omega_in, lever))
        set9(
            w, i + ROTATION,
            (c * f[0] + s * f[1], c * f[1] - s * f[0], h[0],
             c * f[3] + s * f[4], c * f[4] - s * f[3], h[1],
             c * f[6] + s * f[7], c * f[7] - s * f[6], h[2]),
        )  # fmt: skip
        set3(w, i + ANGULAR_VELOCITY, add3(omega_in, scale3(turning * rate, h)))
        set3(w, i + JOINT_AXIS, h)
        set3(w, i + LEVER, lever)
        set3(w, i + BIAS_ACCELERATION, scale3(turning, across))  # JR (2.2)
        set3(w, i + BIAS_ACCELERATION + 3 * LANES, add3(swing, scale3(2.0 * sliding, across)))


@kernel
def link_inertia(w, at, model, k, gravity):
    """M(k) and b(k), where the filter starts; R87 (7) with gravity as an external force."""
    at &= ADDRESS
    first_moment, mass = (model[k, 12], model[k, 13], model[k, 14]), model[k, 15]
    smallest, v1, v2 = (
        model[k, 16],
        (model[k, 17], model[k, 18], model[k, 19]),
        (model[k, 20], model[k, 21], model[k, 22]),
    )
    g = (gravity[0], gravity[1], gravity[2])
    for lane in range(LANES):
        i = at + lane
        rotation, omega = lane9(w, i + ROTATION), lane3(w, i + ANGULAR_VELOCITY)
        p = rotate(rotation, first_moment)
        x, y = rotate(rotation, v1), rotate(rotation, v2)
        j = (
            smallest + x[0] * x[0] + y[0] * y[0], x[0] * x[1] + y[0] * y[1], x[0] * x[2] + y[0] * y[2],
            smallest + x[1] * x[1] + y[1] * y[1], x[1] * x[2] + y[1] * y[2], smallest + x[2] * x[2] + y[2] * y[2],
        )  # fmt: skip
        moment = sub3(cross(omega, symmetric3(j, omega)), cross(p, g))
        force = sub3(cross(omega, cross(omega, p)), scale3(mass, g))
        set3(w, i + FORCE_IN_WORK, moment)
        set3(w, i + FORCE_IN_WORK + 3 * LANES, force)
        set21(
            w, i + INERTIA_IN_WORK,
            (j[0], j[1], j[2], j[3], j[4], j[5], 0.0, -p[2], p[1], p[2], 0.0, -p[0], -p[1], p[0], 0.0,
             mass, 0.0, 0.0, mass, 0.0, mass),
        )  # fmt: skip


@kernel
def joint_place(w, at, sliding):
    """Position and velocity of O_k, which only contacts ask for; after ``joint_motion``."""
    at &= ADDRESS
    for lane in range(LANES):
        i = at + lane
        lever = lane3(w, i + LEVER)
        swing = cross(lane3(w, i + ROW + ANGULAR_VELOCITY), lever)
        slide = scale3(sliding * w[i + RATE], lane3(w, i + JOINT_AXIS))
        set3(w, i + POSITION, add3(lane3(w, i + ROW + POSITION), lever))
        set3(w, i + LINEAR_VELOCITY, add3(lane3(w, i + ROW + LINEAR_VELOCITY), add3(swing, slide)))
