"""Joints of several freedoms as hinges and slides, one after the other, with parts without mass between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from dynamics.checks import Array
from dynamics.descriptions.description import Connection, Part
from dynamics.robot.model import Joint

SPLIT = ("planar", "floating")
"""Of URDF's joints, those that are several."""
STEEP = 0.9
"""An axis whose x is more than that stands steep on what is across x."""


def freedoms(kind: str, name: str, axis: Array, taken: set[str]) -> list[Joint]:
    """The single joints of a planar or a floating one, from the inner to the outer.

    A planar joint is two slides across its axis and a turn about it, x, y and z where that is z. A floating one is
    slides along x, y and z, then turns about them: it reaches every pose, but its rates end where the second turn
    stands at 90 degrees.

    Args:
        kind: one of ``SPLIT``.
        axis: (3,), of length one, across the plane.
        taken: names of all joints; grows by those made here.
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
    """A name that a file does not use itself; ``taken`` grows by it."""
    while wanted in taken:
        wanted += "_"
    taken.add(wanted)
    return wanted


def in_a_row(
    joints: Sequence[Joint], parent: str, child: str, origin: Array, where: str, taken: set[str]
) -> tuple[list[Part], list[Connection]]:
    """The parts between single joints, which are named after these, and what connects them.

    Args:
        parent, child: names of the parts that they join.
        taken: names of all parts; grows by those made here.
        origin: (4, 4), parent <- the first joint.
        where: the words that name the joint of the file in a message.
    """
    parts = [Part(free_name(f"{child}_{joint.name}", taken), where) for joint in joints[:-1]]
    connections = []
    for (inner, outer), joint in zip(pairwise([parent, *(part.name for part in parts), child]), joints, strict=True):
        connections.append(Connection(inner, outer, origin, replace(joint, origin=origin)))
        origin = np.eye(4)
    return parts, connections
