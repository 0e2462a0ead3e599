"""Where each quantity of a link stands in a block of eight states: offsets in numbers, eight to a field.

A block is [link][field][lane]; its last row is the world's. Everything stands in one row, because a loop over
two arrays is not turned into vector instructions. Fields that are needed at different times share their place.
"""

from __future__ import annotations

from dynamics.lanes import LANES

JOINT_AXIS = 0 * LANES  # H(k)
LEVER = 3 * LANES  # l(k+1, k)
BIAS_ACCELERATION = 6 * LANES  # a(k)
ARTICULATED_INERTIA = 12 * LANES  # P(k); before the filter M(k)
ARTICULATED_INERTIA_UPDATED = 33 * LANES  # P+(k)
PREDICTED_FORCE = 54 * LANES  # z(k); before the filter b(k)
CORRECTED_FORCE = 60 * LANES  # z+(k)
JOINT_INERTIA = 66 * LANES  # D(k)
KALMAN_GAIN = 67 * LANES  # G(k)
INNOVATION = 73 * LANES  # eps(k)
COSTATE_COVARIANCE = 74 * LANES  # Lambda(k), after the smoother
# A smoother sweep; a held system has two, of which the second overwrites the first.
RESIDUAL = 95 * LANES  # nu(k)
JOINT_ACCELERATION = 96 * LANES
ACCELERATION = 97 * LANES
ACCELERATION_INBOARD = 103 * LANES
FORCE = 109 * LANES  # x(k)
MODIFIED_INNOVATION = 115 * LANES
ROW = 116 * LANES  # from a link to the next

# Until the covariance is written:
ROTATION = COSTATE_COVARIANCE  # of the link's axes whose z is the joint's
ANGULAR_VELOCITY = COSTATE_COVARIANCE + 9 * LANES
# Until the filter has passed:
DISPLACEMENT = ARTICULATED_INERTIA_UPDATED
RATE = ARTICULATED_INERTIA_UPDATED + 1 * LANES
POSITION = ARTICULATED_INERTIA_UPDATED + 2 * LANES  # of O_k; like the velocity for held systems only
LINEAR_VELOCITY = ARTICULATED_INERTIA_UPDATED + 5 * LANES
TORQUE = INNOVATION
# Until the joint forces are known:
FORCE_CORRECTION = FORCE  # delta z(k)

# What a second smoother sweep overwrites, kept apart: residual to acceleration inboard, then delta z.
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
