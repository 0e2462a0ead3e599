"""Rotations: unit quaternions (w, x, y, z), and steps on the group that never leave it."""

from __future__ import annotations

import math

from dynamics.compiler.kernels import kernel
from dynamics.spatial.vector import add3, cross, dot3, scale3


@kernel
def quaternion_matrix(w, x, y, z):
    """The rotation matrix of a unit quaternion, row by row."""
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@kernel
def quaternion_exponential(s):
    """exp(s/2): the quaternion of a rotation by the vector ``s`` (radians, inertial axes)."""
    angle_squared = dot3(s, s)
    if angle_squared < 1e-6:  # the series: its first neglected term is below the last digit
        w = 1.0 - angle_squared / 8.0 + angle_squared * angle_squared / 384.0
        f = 0.5 - angle_squared / 48.0 + angle_squared * angle_squared / 3840.0
    else:
        angle = math.sqrt(angle_squared)
        w = math.cos(0.5 * angle)
        f = math.sin(0.5 * angle) / angle
    return w, f * s[0], f * s[1], f * s[2]


@kernel
def quaternion_product(a, b):
    """a b, normalized to unit length."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    length_squared = w * w + x * x + y * y + z * z
    if abs(length_squared - 1.0) < 1e-8:  # the series of the inverse root: the neglected terms are below the last digit
        f = 1.5 - 0.5 * length_squared
    else:
        f = 1.0 / math.sqrt(length_squared)
    return w * f, x * f, y * f, z * f


@kernel
def rotation_vector(r):
    """The vector s with exp(s~) = R, for a rotation R stored row by row; its length is at most pi."""
    # The largest of the four squared quaternion components selects the formula, to avoid cancellation.
    trace = r[0] + r[4] + r[8]
    if trace > r[0] and trace > r[4] and trace > r[8]:
        w, x, y, z = 1.0 + trace, r[7] - r[5], r[2] - r[6], r[3] - r[1]
    elif r[0] >= r[4] and r[0] >= r[8]:
        w, x, y, z = r[7] - r[5], 1.0 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]
    elif r[4] >= r[8]:
        w, x, y, z = r[2] - r[6], r[1] + r[3], 1.0 - r[0] + r[4] - r[8], r[5] + r[7]
    else:
        w, x, y, z = r[3] - r[1], r[2] + r[6], r[5] + r[7], 1.0 - r[0] - r[4] + r[8]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine_squared = x * x + y * y + z * z
    if sine_squared < 1e-6 * w * w:  # the series: its first neglected term is below the last digit
        tangent_squared = sine_squared / (w * w)
        f = 2.0 / w * (1.0 - tangent_squared * (1.0 / 3.0 - 0.2 * tangent_squared))
    else:
        sine = math.sqrt(sine_squared)
        f = 2.0 * math.atan2(sine, w) / sine
    return f * x, f * y, f * z


@kernel
def inverse_exponential_rate(s, w):
    """The rate of s when R = exp(s~) R_0 turns with angular velocity ``w``: dexp^-1, inertial axes."""
    angle_squared = dot3(s, s)
    if angle_squared < 1e-4:
        c = 1.0 / 12.0 + angle_squared / 720.0
    else:
        half = 0.5 * math.sqrt(angle_squared)
        c = (1.0 - half / math.tan(half)) / angle_squared
    sw = cross(s, w)
    return add3(add3(w, scale3(-0.5, sw)), scale3(c, cross(s, sw)))
