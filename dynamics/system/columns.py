"""The tables of compiled code by name: uncompiled code reads quantities here and knows no column numbers."""

from __future__ import annotations

from math import prod

import numpy as np

from dynamics.checks import Array
from dynamics.spatial.algebra import expand_symmetric
from dynamics.system import layout

NUMBER, VECTOR, SPATIAL, MATRIX, SYMMETRIC = (), (3,), (6,), (3, 3), (21,)

MOTION = {
    "acceleration": (layout.ACCELERATION, SPATIAL),
    "acceleration_inboard": (layout.ACCELERATION_INBOARD, SPATIAL),
    "joint_acceleration": (layout.JOINT_ACCELERATION, NUMBER),
}
"""For either sweep of the smoother."""

FIELDS = {
    # a link's constants
    "mass": (layout.MASS, NUMBER),
    "spread": (layout.SPREAD, (7,)),
    "rotor_inertia": (layout.ROTOR_INERTIA, NUMBER),
    "damping": (layout.DAMPING, NUMBER),
    "friction": (layout.FRICTION, (2,)),
    "own_axes": (layout.OWN_AXES, MATRIX),
    # a link's work
    "rotation": (layout.ROTATION, MATRIX),
    "position": (layout.POSITION, VECTOR),
    "velocity": (layout.VELOCITY, SPATIAL),
    "joint_axis": (layout.JOINT_AXIS, VECTOR),
    "lever": (layout.LEVER, VECTOR),
    "torque": (layout.TORQUE, NUMBER),
    "lever_to_mass": (layout.LEVER_TO_MASS, VECTOR),
    "bias_acceleration": (layout.BIAS_ACCELERATION, SPATIAL),
    "bias_force": (layout.BIAS_FORCE, SPATIAL),
    "articulated_inertia": (layout.ARTICULATED_INERTIA, SYMMETRIC),
    "predicted_force": (layout.PREDICTED_FORCE, SPATIAL),
    "joint_inertia": (layout.JOINT_INERTIA, NUMBER),
    "kalman_gain": (layout.KALMAN_GAIN, SPATIAL),
    "innovation": (layout.INNOVATION, NUMBER),
    "residual": (layout.RESIDUAL, NUMBER),
    **{f"smoother.{name}": (layout.FREE_MOTION + at, shape) for name, (at, shape) in MOTION.items()},
    "costate_covariance": (layout.COSTATE_COVARIANCE, SYMMETRIC),
    "force_correction": (layout.FORCE_CORRECTION, SPATIAL),
    "modified_innovation": (layout.MODIFIED_INNOVATION, NUMBER),
    "modified_residual": (layout.MODIFIED_RESIDUAL, NUMBER),
    **{f"smoother_final.{name}": (layout.FINAL_MOTION + at, shape) for name, (at, shape) in MOTION.items()},
    "dual_articulated_inertia": (layout.DUAL_INERTIA, SYMMETRIC),
    "dual_articulated_inertia_predicted": (layout.DUAL_INERTIA_PREDICTED, SYMMETRIC),
    "dual_joint_inertia": (layout.DUAL_JOINT_INERTIA, NUMBER),
    "dual_kalman_gain": (layout.DUAL_GAIN, SPATIAL),
    "dual_predicted_force": (layout.DUAL_FORCE_PREDICTED, SPATIAL),
    "dual_corrected_force": (layout.DUAL_FORCE, SPATIAL),
    "dual_innovation": (layout.DUAL_INNOVATION, NUMBER),
    "dual_residual": (layout.DUAL_RESIDUAL, NUMBER),
    "two_filter.acceleration": (layout.COMBINED_ACCELERATION, SPATIAL),
    "two_filter.joint_acceleration": (layout.COMBINED_JOINT_ACCELERATION, NUMBER),
    # a contact's work
    "tip_lever": (layout.TIP_LEVER, VECTOR),
    "object_lever": (layout.OBJECT_LEVER, VECTOR),
    "free_tip_acceleration": (layout.TIP_ACCELERATION, SPATIAL),
    "contact_bias_acceleration": (layout.CONTACT_BIAS, SPATIAL),
    "position_gap": (layout.POSITION_GAP, SPATIAL),
    "velocity_gap": (layout.VELOCITY_GAP, SPATIAL),
    "tip_costate_covariance": (layout.TIP_COVARIANCE, SYMMETRIC),
    "contact_force": (layout.CONTACT_FORCE, SPATIAL),
    # a contact's constants
    "gap_share": (layout.GAP_SHARE, SPATIAL),
    # a transmitted direction's
    "direction": (layout.DIRECTION, SPATIAL),
    "direction_on_object": (layout.DIRECTION_ON_OBJECT, SPATIAL),
    "direction_response": (layout.DIRECTION_RESPONSE, SPATIAL),
    # the object's
    "object_rotation": (layout.OBJECT_ROTATION_NOW, MATRIX),
    "object_position": (layout.OBJECT_POSITION_NOW, VECTOR),
    "object_velocity": (layout.OBJECT_VELOCITY, SPATIAL),
    "object_free_acceleration": (layout.OBJECT_FREE_ACCELERATION, SPATIAL),
    "object_acceleration": (layout.OBJECT_ACCELERATION, SPATIAL),
}
"""Name -> column and shape; stage quantities have their registry names."""


def named(table: Array, name: str) -> Array:
    """A quantity of every row: (..., rows, *shape), a view; a symmetric matrix is expanded, a copy.

    Args:
        table: (..., columns), rows of links, contacts, directions or of the object; or a single row.
        name: one of ``FIELDS``.
    """
    column, shape = FIELDS[name]
    if shape == SYMMETRIC:
        return expand_symmetric(table[..., column : column + 21])
    if shape == NUMBER:
        return table[..., column]
    found = table[..., column : column + prod(shape)]
    return found if len(shape) == 1 else found.reshape(*found.shape[:-1], *shape)


def own_rotation(model: Array, links: Array) -> Array:
    """(..., links, 3, 3), world <- link, in the link's own axes.

    Args:
        model, links: the links' rows of constants, (links, columns), and of work, (..., links, columns).
    """
    return np.asarray(named(links, "rotation") @ named(model, "own_axes"))
