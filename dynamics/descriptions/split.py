"""Joints with several degrees of freedom as hinges and slides in series, with massless parts between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from dynamics.checks import Array
from dynamics.descriptions.description import Connection, Part
from dynamics.robot.model import Joint

SPLIT = ("planar", "floating")
"""URDF's joint types with several degrees of freedom."""
STEEP = 0.9
"""An axis with an x component above this is too close to x to use x as a reference across it."""


def freedoms(kind: str, name: str, axis: Array, taken: set[str]) -> list[Joint]:
    """The single joints of a planar or floating joint, from the inner to the outer.

    A planar joint is two slides across its axis and a hinge about it: x, y and z if the axis is z. A floating one is
    slides along x, y and z, then hinges about them: it reaches every pose, but is singular if the second hinge
    is at 90 degrees.

    Args:
        kind: one of ``SPLIT``.
        axis: (3,), a unit vector normal to the plane.
        taken: names of all joints; the new names are added.
    """
    x, y, z = np.eye(3)
    if kind == "planar":
        near = y if abs(axis[0]) > STEEP else x
        u = near - (near @ axis) * axis
        u = u / np.linalg.norm(u)
        slides, turns = {"x": u, "y": np.cross(axis, u)}, {"turn": axis}
    else:
        slides, turns = {"x": x, "y": y, "z": z}, {"roll": x, "pitch": y, "yaw": z}
    return [
        *(Joint(free_name(f"{name}_{word}", taken), "prismatic", along, np.eye(4)) for word, along in slides.items()),
        *(Joint(free_name(f"{name}_{word}", taken), "revolute", about, np.eye(4)) for word, about in turns.items()),
    ]


def free_name(wanted: str, taken: set[str]) -> str:
    """A name that the file does not use; it is added to ``taken``."""
    while wanted in taken:
        wanted += "_"
    taken.add(wanted)
    return wanted


def in_a_row(
    joints: Sequence[Joint], parent: str, child: str, origin: Array, where: str, taken: set[str]
) -> tuple[list[Part], list[Connection]]:
    """The parts between single joints, named after these, and their connections.

    Args:
        parent, child: names of the parts that the joints connect.
        taken: names of all parts; the new names are added.
        origin: (4, 4), parent <- the first joint.
        where: the file's joint as messages name it.
    """
    parts = [Part(free_name(f"{child}_{joint.name}", taken), where) for joint in joints[:-1]]
    connections = []
    for (inner, outer), joint in zip(pairwise([parent, *(part.name for part in parts), child]), joints, strict=True):
        connections.append(Connection(inner, outer, origin, replace(joint, origin=origin)))
        origin = np.eye(4)
    return parts, connections
