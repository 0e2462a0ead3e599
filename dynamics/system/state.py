"""A state: poses and velocities of everything that moves; and a pose as the seven numbers of a packed one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array
from dynamics.errors import StateError
from dynamics.record import Record
from dynamics.spatial.rotation import quaternion_matrix


@dataclass(frozen=True, eq=False)
class State(Record):
    """Created and checked by ``System.state``; arrays are write-protected.

    Attributes:
        q: (joints,), rad or m; index 0 is the tip's joint.
        qd: (joints,), their rates.
        base_pose: (4, 4), world <- root link of a free flyer; (bases, 4, 4) in a system of several arms; else None.
        base_velocity: (6,) or (bases, 6), [angular; linear of the root link's origin], rad/s and m/s, inertial axes.
        object_pose: (4, 4), world <- task object at its mass centre, else None.
        object_velocity: (6,), [angular; linear of the mass centre], inertial axes, else None.
    """

    q: Array
    qd: Array
    base_pose: Array | None = None
    base_velocity: Array | None = None
    object_pose: Array | None = None
    object_velocity: Array | None = None


def pose_coordinates(matrix: Array) -> Array:
    """Position and unit quaternion (w, x, y, z) of a pose; the largest component decides, to avoid cancellation."""
    (xx, xy, xz, px), (yx, yy, yz, py), (zx, zy, zz, pz), _ = matrix.tolist()
    trace = xx + yy + zz
    if trace > max(xx, yy, zz):
        quaternion = (1.0 + trace, zy - yz, xz - zx, yx - xy)
    elif xx >= yy and xx >= zz:
        quaternion = (zy - yz, 1.0 - trace + 2.0 * xx, xy + yx, xz + zx)
    elif yy >= zz:
        quaternion = (xz - zx, xy + yx, 1.0 - trace + 2.0 * yy, yz + zy)
    else:
        quaternion = (yx - xy, xz + zx, yz + zy, 1.0 - trace + 2.0 * zz)
    length = math.hypot(*quaternion)
    return np.array([px, py, pz, *(component / length for component in quaternion)])


def rows_of_poses(poses: Array) -> Array:
    """``pose_coordinates`` of many poses at once: (..., 7) of (..., 4, 4)."""
    turns = Rotation.from_matrix(poses[..., :3, :3].reshape(-1, 3, 3)).as_quat(scalar_first=True)
    return np.concatenate([poses[..., :3, 3], turns.reshape(*poses.shape[:-2], 4)], axis=-1)


def poses_of_rows(rows: Array) -> Array:
    """The inverse of ``rows_of_poses``, (..., 4, 4) from (..., 7)."""
    poses = np.zeros((*rows.shape[:-1], 4, 4))
    turns = Rotation.from_quat(rows[..., 3:].reshape(-1, 4), scalar_first=True).as_matrix()
    poses[..., :3, :3], poses[..., :3, 3] = turns.reshape(*rows.shape[:-1], 3, 3), rows[..., :3]
    poses[..., 3, 3] = 1.0
    return poses


def pose_of(coordinates: Array, name: str) -> Array:
    """The pose of a position and a quaternion of any nonzero length."""
    length = math.hypot(*coordinates[3:].tolist())
    if not 1e-9 <= length < math.inf:
        raise StateError(f"the {name}'s quaternion has length {length:.2g}; give one of length 1.")
    matrix = np.eye(4)
    matrix[:3, :3] = np.reshape(quaternion_matrix(*(coordinates[3:] / length)), (3, 3))
    matrix[:3, 3] = coordinates[:3]
    return matrix
