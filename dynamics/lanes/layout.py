"""The columns of each quantity in the tables of the sweeps in lanes: one row per link, the world's last.

Three-vectors take four columns, spatial vectors eight, see ``numbers.lanes``; names as in ``layout``. Quantities that
are one product of these and the neighbors' columns (P+, z+, alpha+) are not kept; ``stages_in_full`` computes them.
"""

from __future__ import annotations

import numpy as np

ROTATION = 0  # three columns
POSITION = 12
VELOCITY = 16
JOINT_AXIS = 24  # H', a spatial vector
LEVER = 32
LEVER_TO_MASS = 36
BIAS_ACCELERATION = 40
PREDICTED_FORCE = 48
ARTICULATED_INERTIA = 56  # six columns
KALMAN_GAIN = 104
GAIN_INBOARD = 112  # phi G
ACCELERATION = 120
WRENCH = 128  # external [moment; force]
JOINT_INERTIA, INNOVATION, RESIDUAL, JOINT_ACCELERATION = 136, 137, 138, 139
LOSS_INERTIA = 140  # what an integrator adds to D: see ``motion.stiff_losses``
LINK_WIDTH = 144

# Columns for a held object.
FORCE_CORRECTION = 0
FINAL_ACCELERATION = 8
COSTATE_COVARIANCE = 16  # six columns
MODIFIED_INNOVATION, MODIFIED_RESIDUAL, FINAL_JOINT_ACCELERATION = 64, 65, 66
TIP_RESPONSE = 72  # D^-1 H psi(k, 1), see ``lane_propagation``
GAP_ACCELERATION = 80  # two spatial vectors, see ``projection_in_lanes``
ANSWER = 96  # three blocks of these before forces were refined, see ``put_answer_aside``
HELD_WIDTH = 120

# Columns for rigid grips, one row per contact and the object's last; see ``grips``.
GRIP_LEVER = 0  # l(1, 0)
GRIP_OBJECT_LEVER = 4  # r
GRIP_CENTER_LEVER = 8  # l(C, 1), from the object's mass centre to O_1
# Spatial vectors at O_1, inertial axes.
GRIP_BIAS = 16
GRIP_POSITION_GAP = 24
GRIP_VELOCITY_GAP = 32
GRIP_ACCELERATION = 40  # r_i = lambda_FREE - eta
GRIP_APART = 48
GRIP_FORCE = 56  # phi(1, 0) x(0)
GRIP_INERTIA = 64  # -S_i, six columns; the object's row: -(M(C) + sum_i B_i S_i B_i')^-1
GRIP_MOBILITY = 112  # Lambda_i(1), six columns
GRIP_FREE_ACCELERATION = 160  # alpha_FREE(1)
GRIPS_FIRM = 0  # in the object's row: 1 if the last posture was solved by these
GRIP_WIDTH = 168

# Numbers of the tables' index type: numba would compile a function again for every literal that it is called with.
globals().update({name: np.int64(column) for name, column in tuple(globals().items()) if isinstance(column, int)})
