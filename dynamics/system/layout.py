"""Where each quantity stands in the two tables that the recursions work on: one row a link.

One row holds all of a link, so that a recursion that visits a link finds it in a few cache lines, and
a compiled call takes few arguments. Vectors are three numbers, spatial vectors six, rotations nine (row
by row), symmetric 6x6 matrices 21 (see ``spatial``).
"""

from __future__ import annotations

REVOLUTE, PRISMATIC, FREE = 0, 1, 2

# The tree, integers: inboard row (the row after the last link is the world), joint kind, arm, whether some outboard
# neighbor other than the link before it hangs on it, and, in every row, the first row of the second of two halves
# that do not hang together (the number of links where there is but one).
INBOARD, KIND, ARM, GATHERS, MIDDLE = 0, 1, 2, 3, 4
TREE_WIDTH = 5

# The model: constant numbers of one link, in its own axes.
ORIGIN_ROTATION = 0  # inboard link <- joint frame at zero displacement
ORIGIN_POSITION = 9
AXIS = 12
MASS = 15
CENTER_OF_MASS = 16
INERTIA = 19  # about O_k: xx xy xz yy yz zz
ROTOR_INERTIA = 25
DAMPING = 26
FRICTION = 27  # negative, positive direction
LOWER, UPPER, EFFORT = 29, 30, 31
# The inertia as a a' + b b' + c 1, c its smallest principal moment.
SPREAD = 32  # a, b, c
MODEL_WIDTH = 39

# The work: everything that a recursion finds out about one link, in inertial axes.
ROTATION = 0
POSITION = 9  # of O_k
VELOCITY = 12  # [angular; linear of O_k]
JOINT_AXIS = 18
LEVER = 21  # l(k+1, k), from the inboard link's point to O_k
LEVER_TO_MASS = 24  # p(k), from O_k to the mass centre
BIAS_ACCELERATION = 27  # a(k)
BIAS_FORCE = 33  # b(k)
ARTICULATED_INERTIA = 39  # P(k)
ARTICULATED_INERTIA_UPDATED = 60  # P+(k)
JOINT_INERTIA = 81  # D(k)
KALMAN_GAIN = 82  # G(k)
PREDICTED_FORCE = 88  # z(k)
CORRECTED_FORCE = 94  # z+(k)
INNOVATION = 100  # eps(k)
RESIDUAL = 101  # nu(k)
COSTATE_COVARIANCE = 102  # Lambda(k)
FORCE_CORRECTION = 123  # delta z(k)
MODIFIED_INNOVATION = 129
MODIFIED_RESIDUAL = 130
# Two smoother sweeps, each: acceleration (6), acceleration inboard (6), joint acceleration (1).
FREE_MOTION = 131
FINAL_MOTION = 144
ACCELERATION, ACCELERATION_INBOARD, JOINT_ACCELERATION = 0, 6, 12
# The dual filter of a free flyer, from the base outward.
DUAL_INERTIA = 157  # S(k)
DUAL_INERTIA_PREDICTED = 178  # S+(k)
DUAL_JOINT_INERTIA = 199  # D_s(k)
DUAL_GAIN = 200  # G_s(k)
DUAL_FORCE_PREDICTED = 206  # z_s+(k)
DUAL_FORCE = 212  # z_s(k)
DUAL_INNOVATION = 218
DUAL_RESIDUAL = 219
SIBLING_INERTIA = 220  # what the other branches of the inboard link add to S + M there
SIBLING_FORCE = 241
WORK_WIDTH = 247

# A contact, integers: link row, number of transmitted directions.
CONTACT_LINK, CONTACT_DIRECTIONS = 0, 1
# A contact, numbers: the contact frame in link axes and in object axes, the selection matrix row by row,
# and for each row whether it can be closed in position (1) or in velocity only (0).
TIP_POSITION = 0
TIP_ROTATION = 3
OBJECT_POSITION = 12
OBJECT_ROTATION = 15
SELECTION = 24
HOLONOMIC = 60
CONTACT_WIDTH = 66

# The work of a contact, in inertial axes.
TIP_LEVER = 0  # l(1, 0), from O_1 to the contact point
OBJECT_LEVER = 3  # r, from the object's mass centre to the contact point
TIP_ACCELERATION = 6  # lambda_FREE(0)
CONTACT_BIAS = 12  # eta, the object's side of the velocity bias
POSITION_GAP = 18
VELOCITY_GAP = 24
TIP_COVARIANCE = 30  # Lambda(0), 21 numbers
CONTACT_FORCE = 51  # x(0)
CONTACT_WORK_WIDTH = 57

# The work of one transmitted direction, one row each.
DIRECTION = 0  # its row of C
DIRECTION_ON_OBJECT = 6  # A times it
DIRECTION_RESPONSE = 12  # M^-1(C) A times it: how the object answers a unit force
DIRECTION_WIDTH = 18

# The task object: mass, inertia about the mass centre and its inverse, in its own axes.
OBJECT_MASS = 0
OBJECT_INERTIA = 1
OBJECT_INVERSE_INERTIA = 7
OBJECT_WIDTH = 13

# The object's work, one row.
OBJECT_ROTATION_NOW = 0
OBJECT_POSITION_NOW = 9
OBJECT_VELOCITY = 12
OBJECT_FREE_ACCELERATION = 18  # alpha_b = -M^-1(C) b(C)
OBJECT_ACCELERATION = 24
OBJECT_WORK_WIDTH = 30
