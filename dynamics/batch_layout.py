"""Where each quantity of a link stands in a block of eight states: offsets in numbers, eight to a field.

A block is [link][field][lane]; its last row is the world's. Everything stands in one row, because a loop over
two arrays is not turned into vector instructions. Fields that are needed at different times share their place.
"""

from __future__ import annotations

from dynamics.state_lanes import LANES

JOINT_AXIS = 0 * LANES  # H(k)
LEVER = 3 * LANES  # l(k+1, k)
BIAS_ACCELERATION = 6 * LANES  # a(k)
# Worked on in place: M and b, then P and z, then P+ and z+.
INERTIA_IN_WORK = 12 * LANES
FORCE_IN_WORK = 33 * LANES
JOINT_INERTIA = 39 * LANES  # D(k)
KALMAN_GAIN = 40 * LANES  # G(k)
INNOVATION = 46 * LANES  # eps(k)
RESIDUAL = 47 * LANES  # nu(k); this and the next four are a smoother sweep's, the second of a held system's two
JOINT_ACCELERATION = 48 * LANES
ACCELERATION = 49 * LANES
ACCELERATION_INBOARD = 55 * LANES
FORCE = 61 * LANES  # x(k)
MODIFIED_INNOVATION = 67 * LANES
COSTATE_COVARIANCE = 68 * LANES  # Lambda(k), after the smoother
# Copies for whoever wants to see them.
ARTICULATED_INERTIA = 89 * LANES  # P(k)
PREDICTED_FORCE = 110 * LANES  # z(k)
ROW = 116 * LANES  # from a link to the next

ARTICULATED_INERTIA_UPDATED = INERTIA_IN_WORK  # P+(k), when the filter has passed
CORRECTED_FORCE = FORCE_IN_WORK  # z+(k)
# Until the covariance is written:
ROTATION = COSTATE_COVARIANCE  # of the link's axes whose z is the joint's
ANGULAR_VELOCITY = COSTATE_COVARIANCE + 9 * LANES
# Until the smoother passes:
DISPLACEMENT = ACCELERATION
RATE = ACCELERATION + 1 * LANES
POSITION = ACCELERATION + 2 * LANES  # of O_k; like the velocity for held systems only
LINEAR_VELOCITY = ACCELERATION + 5 * LANES
TORQUE = INNOVATION
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
