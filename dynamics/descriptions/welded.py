"""The bodies of a robot file: what is welded together is one, and what is bolted to the world is not felt."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dynamics.checks import Array
from dynamics.descriptions.description import Description
from dynamics.errors import ModelError
from dynamics.robot.rigid_body import MassProperties, check_mass_properties, joined

FAULTS_TOLD = 3
"""Of bodies that are bolted to the world, and wrong."""
NOT_FELT = "It is left out: what is bolted to the world never moves"


def bodies_of(
    description: Description, owner: Mapping[str, str], pose_in_owner: Mapping[str, Array]
) -> tuple[dict[str, MassProperties], tuple[str, ...]]:
    """The body of every link that moves, and of the root; and what is wrong with bodies welded to the root.

    A bolted root feels nothing of its inertia: there what cannot be is left out, and told.
    """
    groups: dict[str, list[MassProperties]] = {link: [] for link in owner.values()}
    root, faults = next(iter(owner)), list[str]()
    for part in description.parts:
        try:
            check_mass_properties(part.body, part.where)
            body = part.body.moved(part.body_pose).moved(pose_in_owner[part.name])
            if owner[part.name] == root:
                with np.errstate(over="ignore", invalid="ignore"):
                    check_mass_properties(joined([*groups[root], body]), part.where)
        except ModelError as fault:
            if owner[part.name] != root:
                raise
            faults.append(str(fault))
            continue
        groups[owner[part.name]].append(body)
    more = len(faults) - FAULTS_TOLD
    told = (*faults[:FAULTS_TOLD], *([f"And {more} more links of the root."] if more > 0 else []))
    return {link: joined(bodies) for link, bodies in groups.items()}, told
