"""Where each quantity of a link stands in a block of eight states: offsets in numbers, eight to a field.

A block is [link][field][lane], one row a link; its last row is the world's. Fields that are needed at different
times share their place. What is one product of these (P+, z+) is not kept; ``batch_stages`` makes it.
"""

from __future__ import annotations

from dynamics.numbers.state_lanes import LANES

JOINT_AXIS = 0 * LANES  # H(k)
LEVER = 3 * LANES  # l(k+1, k)
BIAS_ACCELERATION = 6 * LANES  # a(k)
ARTICULATED_INERTIA = 12 * LANES  # M(k), then P(k) when the filter has passed
PREDICTED_FORCE = 33 * LANES  # b(k), then z(k)
INNOVATION = 39 * LANES  # eps(k)
JOINT_INERTIA = 40 * LANES  # D(k)
KALMAN_GAIN = 41 * LANES  # G(k)
RESIDUAL = 47 * LANES  # nu(k); this and the next three are a smoother sweep's, the second of a held system's two
JOINT_ACCELERATION = 48 * LANES
ACCELERATION_INBOARD = 49 * LANES
ACCELERATION = 55 * LANES
# So far for accelerations alone; they stay in the nearest cache.
FORCE = 61 * LANES  # x(k)
MODIFIED_INNOVATION = 67 * LANES
COSTATE_COVARIANCE = 68 * LANES  # Lambda(k)
ROW = 89 * LANES  # from a link to the next

# Until the filter passes:
TORQUE = INNOVATION
ROTATION = JOINT_INERTIA  # of the link's axes whose z is the joint's
# Until the smoother passes:
ANGULAR_VELOCITY = ACCELERATION_INBOARD
POSITION = ACCELERATION_INBOARD + 3 * LANES  # of O_k; like the velocity for held systems only
LINEAR_VELOCITY = ACCELERATION
DISPLACEMENT = ACCELERATION + 3 * LANES
RATE = ACCELERATION + 4 * LANES
# Until the joint forces are known:
FORCE_CORRECTION = FORCE  # delta z(k)

# What a second smoother sweep overwrites, kept apart.
FIRST_MOTION = RESIDUAL
FIRST_MOTION_WIDTH = FORCE - RESIDUAL

# The model of a link in axes whose z is the joint's.
MODEL_ROTATION = 0  # inboard link <- joint at zero displacement
MODEL_POSITION = 9
MODEL_FIRST_MOMENT = 12  # mass times mass centre
MODEL_MASS = 15
# Inertia about O_k: the smallest principal moment times the identity, and the sum of two squares of vectors.
MODEL_INERTIA = 16
MODEL_INERTIA_VECTORS = 17
MODEL_WIDTH = 23
