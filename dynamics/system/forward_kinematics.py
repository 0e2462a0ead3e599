"""Poses of links and tips in a state."""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.public import public
from dynamics.system.columns import named, own_rotation
from dynamics.system.plain_kinematics import Kinematics, plain_kinematics
from dynamics.system.state import State
from dynamics.system.system import System


@public
def forward_kinematics(system: System, state: State) -> Kinematics:
    """The poses of all links and tool points, and the velocities of the links.

    Args:
        system: any.
        state: of this system.

    Returns:
        ``pose``, (links, 4, 4), and ``tip_pose``, (tips, 4, 4), world <- link or tip, m; ``velocity``, (links, 6),
        [angular; linear] at the links' origins, inertial axes; links go from the tip to the base, as
        ``system.link_names`` does.

    Raises:
        StateError: for a state of another system.

    Cost: linear in the links, some 20 us each; none if the last call was for the same state.
    """
    return plain_kinematics(system, state)


def poses_and_velocities(system: System, state: State) -> tuple[Array, Array]:
    """(links, 4, 4) world <- link, and (links, 6) velocities at O_k in inertial axes."""
    motion = forward_kinematics(system, state)
    return motion.pose, motion.velocity


def poses_from(system: System, rows: Array) -> Array:
    """(..., links, 4, 4), world <- link, from the rows of a link table, (..., links, columns)."""
    poses = np.zeros((*rows.shape[:-1], 4, 4))
    poses[..., :3, :3] = own_rotation(system.tables.model, rows)
    poses[..., :3, 3] = named(rows, "position")
    poses[..., 3, 3] = 1.0
    return poses
