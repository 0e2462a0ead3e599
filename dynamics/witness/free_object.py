"""A free object, by the Newton-Euler laws."""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.robot.task_object import TaskObject
from dynamics.system.state import State


def free_object_acceleration(payload: TaskObject, state: State, wrench: Array, gravity: Array) -> Array:
    """(6,) at the mass centre, inertial axes: R88's -M^-1(C) b(C), Section 9, due to its weight and other forces.

    Args:
        wrench: (6,), external [moment; force] at the mass centre.
    """
    assert state.object_pose is not None and state.object_velocity is not None
    rotation, omega = state.object_pose[:3, :3], state.object_velocity[:3]
    inertia = rotation @ payload.inertia @ rotation.T
    spin = np.linalg.solve(inertia, wrench[:3] - np.cross(omega, inertia @ omega))
    return np.concatenate([spin, wrench[3:] / payload.mass + gravity])
