"""Whether the arms of a group are where they hold their object, by plain kinematics."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array
from dynamics.errors import StateError
from dynamics.system.link_tables import coordinate_units, machine_length
from dynamics.system.plain_kinematics import plain_kinematics
from dynamics.system.state import State
from dynamics.system.system import System

CLOSED = 1e-6
SLOWEST = 1e-6
"""1/s: what moves more slowly stands still."""


def require_closed(system: System, state: State, selection: Array, apart: Array) -> None:
    """Refuse a state off the closure by more than 1e-6 rad, or of the machine's length and speed.

    Args:
        selection: (directions, 6 contacts), what the contacts transmit, inertial axes.
        apart: (directions,), velocity of the tips less that of the object, rad/s or m/s.

    Raises:
        StateError: for one that is.
    """
    assert state.object_pose is not None and state.object_velocity is not None
    motion, size = plain_kinematics(system, state), machine_length(system.robots, system.task_object)
    on_arm = motion.contact_pose
    on_object = state.object_pose @ np.array([contact.object_pose for contact in system.contacts])
    turn = Rotation.from_matrix(on_arm[:, :3, :3] @ on_object[:, :3, :3].transpose(0, 2, 1)).as_rotvec()
    kept = np.concatenate([contact.holonomic for contact in system.contacts])
    gap = kept * (selection @ np.hstack([turn, on_arm[:, :3, 3] - on_object[:, :3, 3]]).ravel())
    turns, shifts = np.linalg.norm(selection.reshape(len(kept), -1, 2, 3), axis=3).sum(axis=1).T
    share = 1.0 / (turns + size * shifts)
    units = coordinate_units(system.joint_models, system.n_bases + 1, size)  # the object is the last body
    moving = np.abs(system.pack(state)[1] / units).max()
    rate = max(SLOWEST, moving, np.sqrt(np.linalg.norm(system.gravity) / size))
    if not (np.abs(share * gap).max() <= CLOSED and np.abs(share * apart).max() <= CLOSED * rate):
        raise StateError(
            f"an arm is off the object it holds by {np.abs(gap).max():.3g} (position, m or rad) and "
            f"{np.abs(apart).max():.3g} (velocity, m/s or rad/s); at most {CLOSED:g} rad, or of the machine's length "
            "and speed, is allowed. Use dynamics.project(system, state) for the nearest state that is closed."
        )
