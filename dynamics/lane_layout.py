"""Where each quantity stands in the tables of the sweeps in lanes: one row a link, the world's last.

Three-vectors take four columns, spatial vectors eight, see ``lanes``; names are those of ``layout``. What the
neighbors' and these columns give by one product (P+, z+, alpha+) is not kept; ``stages_in_full`` makes it.
"""

from __future__ import annotations

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
LINK_WIDTH = 144

# What a held object adds.
FORCE_CORRECTION = 0
FINAL_ACCELERATION = 8
COSTATE_COVARIANCE = 16  # six columns
MODIFIED_INNOVATION, MODIFIED_RESIDUAL, FINAL_JOINT_ACCELERATION = 64, 65, 66
HELD_WIDTH = 72
