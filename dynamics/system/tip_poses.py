"""Poses of links and tips of a state."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.recursion.filter_smoother import motion_state
from dynamics.system.layout import POSITION, ROTATION, VELOCITY
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tables import make_work

Array = NDArray[np.float64]


def link_poses(system: System, state: State) -> Array:
    """(links, 4, 4), world <- link."""
    return poses_and_velocities(system, state)[0]


def poses_and_velocities(system: System, state: State) -> tuple[Array, Array]:
    """(links, 4, 4) world <- link, and (links, 6) velocities at O_k in inertial axes."""
    work = make_work(system.tables)
    motion_state(system.tables, *system.pack(state), work)
    return poses_from(work.links[:-1]), work.links[:-1, VELOCITY : VELOCITY + 6].copy()


def tip_poses(system: System, state: State) -> Array:
    """(tips, 4, 4), world <- tip."""
    poses = link_poses(system, state)
    return np.array([poses[tip.link] @ tip.pose for tip in system.tips])


def poses_from(rows: Array) -> Array:
    """(links, 4, 4), world <- link, of the rows of a link table."""
    poses = np.zeros((len(rows), 4, 4))
    poses[:, :3, :3] = rows[:, ROTATION : ROTATION + 9].reshape(-1, 3, 3)
    poses[:, :3, 3] = rows[:, POSITION : POSITION + 3]
    poses[:, 3, 3] = 1.0
    return poses
