"""The bodies of a robot file: what is welded together is one, and what is bolted to the world is not felt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.robot.right_angle import without_rounding
from dynamics.robot.rigid_body import MassProperties, check_mass_properties, joined, massless

FAULTS_TOLD = 3
"""Of bodies that are bolted to the world, and wrong."""
NOT_FELT = "It is left out: what is bolted to the world never moves"
Places = Mapping[tuple[str, str | None], str]
"""What messages call an element, by its kind and name: the robot, the line and the name."""


def bodies_of(
    model: Any, owner: Mapping[str, str], pose_in_owner: Mapping[str, Array], places: Places
) -> tuple[dict[str, MassProperties], tuple[str, ...]]:
    """The body of every link that moves, and of the root; and what is wrong with bodies welded to the root.

    A bolted root feels nothing of its inertia: there what cannot be is left out, and told.
    """
    groups: dict[str, list[MassProperties]] = {link: [] for link in owner.values()}
    root, faults = next(iter(owner)), list[str]()
    for link in model.links:
        body, where = massless(), places["link", link.name]
        try:
            if link.inertial is not None:
                body = MassProperties(float(link.inertial.mass), np.zeros(3), link.inertial.inertia)
                check_mass_properties(body, where)
                body = body.moved(origin_pose(link.inertial.origin))
            body = body.moved(pose_in_owner[link.name])
            if owner[link.name] == root:
                with np.errstate(over="ignore", invalid="ignore"):
                    check_mass_properties(joined([*groups[root], body]), where)
        except ModelError as fault:
            if owner[link.name] != root:
                raise
            faults.append(str(fault))
            continue
        groups[owner[link.name]].append(body)
    more = len(faults) - FAULTS_TOLD
    told = (*faults[:FAULTS_TOLD], *([f"And {more} more links of the root."] if more > 0 else []))
    return {link: joined(bodies) for link, bodies in groups.items()}, told


def origin_pose(matrix: Array | None) -> Array:
    """The pose of an ``<origin>``; its quarter turns are exact."""
    if matrix is None:
        return np.eye(4)
    pose = matrix.copy()
    pose[:3, :3] = without_rounding(matrix[:3, :3])
    return pose
