"""The position of each quantity in the tables of compiled code: one row per link, contact, direction.

One row holds everything about a link, so that a recursion that visits a link finds it in a few cache lines, and
a compiled call takes few arguments. Vectors are three numbers, spatial vectors six, rotations nine (row
by row), symmetric 6x6 matrices 21 (see ``spatial``). Uncompiled code uses names instead: ``columns``.
"""

from __future__ import annotations

import numpy as np

REVOLUTE, PRISMATIC, FREE = 0, 1, 2

# The tree, integers: inboard row (the row after the last link is the world), joint kind, arm, whether an outboard
# neighbor other than the preceding link is attached to it, and, in every row, the first row of the second of two
# unconnected halves (the number of links if there is only one); and the row whose joint its joint follows, or
# -1.
INBOARD, KIND, ARM, GATHERS, MIDDLE, LEADER = 0, 1, 2, 3, 4, 5
TREE_WIDTH = 6

# The model: constants of one link, in its own axes rotated so that the joint's axis is z.
ORIGIN_ROTATION = 0  # inboard link <- joint frame at zero displacement
ORIGIN_POSITION = 9
MASS = 12
CENTER_OF_MASS = 13
SPREAD = 16  # a, b and c: the inertia about O_k is a a' + b b' + c 1, c its smallest principal moment
ROTOR_INERTIA = 23
DAMPING = 24
FRICTION = 25  # negative, positive direction
LOWER, UPPER, EFFORT = 27, 28, 29
OWN_AXES = 30  # these axes <- the link's own
MULTIPLIER, OFFSET = 39, 40  # of a follower
MODEL_WIDTH = 41

# The work: everything that a recursion computes about one link, in inertial axes. A block of eight states at once has
# as many fields as its sweeps need; those that stages show come first, and are stored if stages are kept.
BIAS_ACCELERATION = 0  # a(k)
ARTICULATED_INERTIA = 6  # P(k)
PREDICTED_FORCE = 27  # z(k)
JOINT_INERTIA = 33  # D(k)
KALMAN_GAIN = 34  # G(k)
INNOVATION = 40  # eps(k)
RESIDUAL = 41  # nu(k)
# Two smoother sweeps, each: acceleration (6), acceleration inboard (6), joint acceleration (1).
FREE_MOTION = 42
ACCELERATION, ACCELERATION_INBOARD, JOINT_ACCELERATION = 0, 6, 12
COSTATE_COVARIANCE = 55  # Lambda(k)
KEPT_WIDTH = 76  # so far for systems that hold nothing
FORCE_CORRECTION = 76  # delta z(k)
MODIFIED_INNOVATION = 82
MODIFIED_RESIDUAL = 83
FINAL_MOTION = 84
KEPT_HELD_WIDTH = 97
# Quantities that move a link, which no stage shows.
DISPLACEMENT = 97
RATE = 98
TORQUE = 99  # what the filter measures
ROTATION = 100  # of the axes whose z is the joint's
POSITION = 109  # of O_k
VELOCITY = 112  # [angular; linear of O_k]
JOINT_AXIS = 118  # H(k)
LEVER = 121  # l(k+1, k), from the inboard link's point to O_k
ANSWER = 124  # the values of FORCE_CORRECTION and its followers before forces were refined
BLOCK_WIDTH = 145
# For a single state only.
LEVER_TO_MASS = 145  # p(k), from O_k to the mass centre
BIAS_FORCE = 148  # b(k)
# The dual filter of a free flyer, from the base outward.
DUAL_INERTIA = 154  # S(k)
DUAL_INERTIA_PREDICTED = 175  # S+(k)
DUAL_JOINT_INERTIA = 196  # D_s(k)
DUAL_GAIN = 197  # G_s(k)
DUAL_FORCE_PREDICTED = 203  # z_s+(k)
DUAL_FORCE = 209  # z_s(k)
DUAL_INNOVATION = 215
DUAL_RESIDUAL = 216
SIBLING_INERTIA = 217  # contribution of the inboard link's other branches to S + M there
SIBLING_FORCE = 238
COMBINED_ACCELERATION = 244  # alpha(k) and theta''(k) from both filters
COMBINED_JOINT_ACCELERATION = 250
WORK_WIDTH = 251

# A contact, integers: link row, number of transmitted directions.
CONTACT_LINK, CONTACT_DIRECTIONS = 0, 1
# A contact, numbers: the contact frame in the link's axes whose z is the joint's and in object axes, the selection
# matrix row by row, and for each row whether it can be closed in position (1) or in velocity only (0), and the factor
# that makes its gap dimensionless: lengths become shares of the machine's.
TIP_POSITION = 0
TIP_ROTATION = 3
OBJECT_POSITION = 12
OBJECT_ROTATION = 15
SELECTION = 24
HOLONOMIC = 60
GAP_SHARE = 66
CONTACT_WIDTH = 72

# A loop, integers: link rows of its first and second frame, the number of held rotations. Numbers: both frames in
# the links' axes whose z is the joint's, and the factor that makes position gaps dimensionless.
FIRST_LINK, SECOND_LINK, TURNS = 0, 1, 2
FIRST_POSITION = 0
FIRST_ROTATION = 3
SECOND_POSITION = 12
SECOND_ROTATION = 15
LENGTH_SHARE = 24
LOOP_WIDTH = 25

# The work of a contact, in inertial axes.
TIP_LEVER = 0  # l(1, 0), from O_1 to the contact point
OBJECT_LEVER = 3  # r, from the object's mass centre to the contact point
TIP_ACCELERATION = 6  # lambda_FREE(0)
CONTACT_BIAS = 12  # eta, the object's side of the velocity bias
POSITION_GAP = 18
VELOCITY_GAP = 24
TIP_COVARIANCE = 30  # Lambda(0), 21 numbers
CONTACT_FORCE = 51  # x(0)
TIP_INERTIA = 57  # Lambda(1)^-1, 21 numbers, of rigid grips
CONTACT_WORK_WIDTH = 78

# The work of one transmitted direction, one row each.
DIRECTION = 0  # its row of C
DIRECTION_ON_OBJECT = 6  # A times it
DIRECTION_RESPONSE = 12  # M^-1(C) A times it: the object's response to a unit force
DIRECTION_INWARD = 18  # the moment of its row of C about O_1
DIRECTION_WIDTH = 21

# The task object: mass, inertia about the mass centre and its inverse, in its own axes; and ``machine_length``.
OBJECT_MASS = 0
OBJECT_INERTIA = 1
OBJECT_INVERSE_INERTIA = 7
MACHINE_LENGTH = 13
OBJECT_WIDTH = 14

# The object's work, one row.
OBJECT_ROTATION_NOW = 0
OBJECT_POSITION_NOW = 9
OBJECT_VELOCITY = 12
OBJECT_FREE_ACCELERATION = 18  # alpha_b = -M^-1(C) b(C)
OBJECT_ACCELERATION = 24
OBJECT_WORK_WIDTH = 30

# Numbers of the tables' own index type: numba would compile a function anew for every literal argument.
globals().update({name: np.int64(column) for name, column in tuple(globals().items()) if isinstance(column, int)})
