"""Poses as 4x4 matrices from what files give: quaternions, positions, and a joint's displacement."""

from __future__ import annotations

from typing import Literal

import numpy as np

from dynamics.checks import Array

ROUNDING = 1e-15


def pose_of_quaternion(place: Array, quaternion: Array) -> Array:
    """The pose from a position (3,) m and a unit quaternion w, x, y, z; quarter turns are exact."""
    w, v = quaternion[0], quaternion[1:]
    pose = moved_by(place)
    pose[:3, :3] = without_rounding((w * w - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * w * cross_matrix(v))
    return pose


def moved_by(place: Array) -> Array:
    """The pose of a frame with the same axes elsewhere."""
    pose = np.eye(4)
    pose[:3, 3] = place
    return pose


def inverse(pose: Array) -> Array:
    """The pose of the other frame in the first."""
    turn = pose[:3, :3].T
    back = moved_by(-turn @ pose[:3, 3])
    back[:3, :3] = turn
    return back


def displaced(kind: Literal["revolute", "prismatic"], axis: Array, displacement: float) -> Array:
    """The pose of a joint's link after a displacement, rad or m."""
    if kind == "prismatic":
        return moved_by(displacement * axis)
    pose, h = np.eye(4), cross_matrix(axis)
    pose[:3, :3] += np.sin(displacement) * h + (1.0 - np.cos(displacement)) * h @ h
    return pose


def cross_matrix(v: Array) -> Array:
    """(3, 3): its product with a vector is the cross product v x that."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def onto_z(axis: Array) -> Array:
    """A rotation that takes z to the unit vector ``axis``: the identity where it is z."""
    if axis[2] == 1.0:
        return np.eye(3)
    least = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(least, axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


def without_rounding(values: Array) -> Array:
    """Cosines and sines, or a unit vector, with rounding errors of 0 and 1 removed.

    The cosine of the float64 nearest to a right angle is 6e-17; no printed angle leads to an entry of a rotation below
    1e-15.
    """
    kept = np.where(np.abs(values) < ROUNDING, 0.0, values)
    return np.where(np.abs(np.abs(kept) - 1.0) < ROUNDING, np.sign(kept), kept)
