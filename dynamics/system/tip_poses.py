"""Poses of links and tips of a state."""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.public import public
from dynamics.system.columns import named, own_rotation
from dynamics.system.plain_kinematics import plain_kinematics
from dynamics.system.state import State
from dynamics.system.system import System


@public
def link_poses(system: System, state: State) -> Array:
    """Where every link is, by the plain kinematics.

    Args:
        system: any.
        state: of this system.

    Returns:
        (links, 4, 4), world <- link, m.

    Raises:
        StateError: for a state of another system.

    Cost: linear in the links, some 50 us each.
    """
    return poses_and_velocities(system, state)[0].copy()


def poses_and_velocities(system: System, state: State) -> tuple[Array, Array]:
    """(links, 4, 4) world <- link, and (links, 6) velocities at O_k in inertial axes."""
    system.require_own(state)
    motion = plain_kinematics(system, state)
    return motion.pose, motion.velocity


@public
def tip_poses(system: System, state: State) -> Array:
    """Where every tool point is, by the plain kinematics.

    Args:
        system: any.
        state: of this system.

    Returns:
        (tips, 4, 4), world <- tip, m.

    Raises:
        StateError: for a state of another system.

    Cost: linear in the links, some 50 us each.
    """
    system.require_own(state)
    return plain_kinematics(system, state).tip_pose.copy()


def poses_from(system: System, rows: Array) -> Array:
    """(..., links, 4, 4), world <- link, of the rows of a link table, (..., links, columns)."""
    poses = np.zeros((*rows.shape[:-1], 4, 4))
    poses[..., :3, :3] = own_rotation(system.tables.model, rows)
    poses[..., :3, 3] = named(rows, "position")
    poses[..., 3, 3] = 1.0
    return poses
