"""Poses as 4x4 matrices, and mass, mass centre and inertia of a rigid body: moved, joined and checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import ModelError
from dynamics.record import Record

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


TOLERANCE = 1e-9
ROUNDED = 1e-6
"""Share of an inertia's largest number that the limited digits of a file may cost."""
LARGEST = 1e100
"""Limit of masses, lengths and inertias: their products stay finite."""


@dataclass(frozen=True, eq=False)
class MassProperties(Record):
    """Mass in kg, mass centre in m and inertia about it in kg m^2, in the axes of one frame."""

    mass: float
    center_of_mass: Array
    inertia: Array

    def moved(self, pose: Array) -> MassProperties:
        """The same body in another frame; ``pose`` is 4x4, new frame <- present frame."""
        rotation = pose[:3, :3]
        inertia = rotation @ self.inertia @ rotation.T
        return MassProperties(self.mass, rotation @ self.center_of_mass + pose[:3, 3], 0.5 * inertia + 0.5 * inertia.T)


def massless() -> MassProperties:
    """The properties of a frame without a body."""
    return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))


def joined(bodies: Iterable[MassProperties]) -> MassProperties:
    """Bodies welded together, all given in the same frame: the parallel-axis theorem."""
    heavy = [body for body in bodies if body.mass != 0.0 or body.inertia.any()]
    if not heavy:
        return massless()
    if len(heavy) == 1:
        return heavy[0]
    mass = sum(body.mass for body in heavy)
    center = sum((body.mass * body.center_of_mass for body in heavy), np.zeros(3)) / (mass or 1.0)
    inertia = np.zeros((3, 3))
    for body in heavy:
        offset = body.center_of_mass - center
        inertia += body.inertia + body.mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    return MassProperties(float(mass), center, inertia)


def check_numbers(body: MassProperties, where: str) -> None:
    """Refuse numbers that are not finite or too large, a negative mass, or an inertia that is not symmetric.

    ``where`` is the body's name in messages, such as ``robot 'a', link 'b'``.
    """
    inertia = np.asarray(body.inertia, dtype=float)
    for label, value in (("mass", body.mass), ("mass centre", body.center_of_mass), ("inertia", inertia)):
        if not np.all(np.isfinite(value)):
            raise ModelError(
                f"{where}: {label} is {brief(np.asarray(value).tolist())}; expected finite numbers. Correct the file."
            )
        if np.max(np.abs(value)) > LARGEST:
            raise ModelError(f"{where}: {label} overflows: a number is beyond {LARGEST:g}. Check the units.")
    if body.mass < 0.0:
        raise ModelError(f"{where}: mass is {body.mass:g} kg; expected zero or more. Correct the mass.")
    if np.max(np.abs(inertia - inertia.T)) > TOLERANCE * np.max(np.abs(inertia)):
        raise ModelError(f"{where}: inertia is not symmetric: {brief(inertia.tolist())}. Give six numbers of a tensor.")


def settled(body: MassProperties, where: str) -> tuple[MassProperties, str]:
    """The body that a file's numbers describe, and a description of what is physically impossible in them, or empty.

    A principal moment that is below zero by rounding becomes zero; the size of all bodies that are fixed to each
    other, joined, decides what is rounding. Everything else is unchanged, or refused as by ``check_numbers``.
    """
    check_numbers(body, where)
    inertia = 0.5 * (body.inertia + body.inertia.T)
    size = float(np.max(np.abs(inertia)))
    if size == 0.0:
        return body, ""
    moments, axes = np.linalg.eigh(inertia)
    fault = ""
    if moments[0] < -ROUNDED * size:
        fault = f"the principal moments {_moments(inertia)} kg m^2 are not all above zero: used as they are"
    elif moments[0] < -TOLERANCE * size:
        inertia = (axes * np.maximum(moments, 0.0)) @ axes.T
        fault = f"a principal moment of inertia is {moments[0]:.3g} kg m^2 by rounding: taken for 0"
    elif (lack := moments[2] - moments[1] - moments[0]) > TOLERANCE * size:
        fault = (
            f"the principal moments {_moments(inertia)} kg m^2 violate the triangle inequality by {lack:.3g} kg m^2: "
            "used as they are"
        )
    elif body.mass == 0.0:
        fault = "an inertia without mass is used as it is"
    return MassProperties(body.mass, body.center_of_mass, 0.5 * (inertia + inertia.T)), fault


def check_mass_properties(body: MassProperties, where: str) -> None:
    """Refuse values that no distribution of matter can have, beside those that ``check_numbers`` refuses.

    They are an inertia without mass, one that is not positive semidefinite, and principal moments that violate the
    triangle inequality. A thin rod or plate meets the bounds with equality and passes.
    """
    check_numbers(body, where)
    inertia = np.asarray(body.inertia, dtype=float)
    size = float(np.max(np.abs(inertia)))
    if body.mass == 0.0:
        if size > 0.0:
            raise ModelError(
                f"{where}: mass is 0 but inertia is {_moments(inertia)} kg m^2; a body without mass has none. "
                "Give the mass, or remove the inertia."
            )
        return
    small, middle, large = np.linalg.eigvalsh(inertia)
    if small < -TOLERANCE * size:
        raise ModelError(
            f"{where}: inertia has the principal moments {_moments(inertia)} kg m^2; expected none below zero. "
            "Check the signs of ixy, ixz, iyz and the units."
        )
    if small + middle < large * (1.0 - TOLERANCE):
        raise ModelError(
            f"{where}: inertia violates the triangle inequality: principal moments {_moments(inertia)} kg m^2, "
            f"but the two smaller must add up to at least the largest ({small + middle:.6g} < {large:.6g}). "
            "Check that the inertia is about the mass centre and in the inertial frame's axes."
        )


def _moments(inertia: Array) -> str:
    return "(" + ", ".join(f"{value:.6g}" for value in np.linalg.eigvalsh(0.5 * (inertia + inertia.T))) + ")"
