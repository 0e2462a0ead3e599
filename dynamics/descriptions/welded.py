"""The bodies of a robot file: welded parts form one body, and parts bolted to the world have no effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dynamics.checks import Array, brief
from dynamics.descriptions.description import Description, Part, first_remarks
from dynamics.errors import ModelError
from dynamics.robot.model import Link, Robot
from dynamics.robot.rigid_body import MassProperties, check_mass_properties, joined, massless, settled

NOT_FELT = "It is left out: what is bolted to the world never moves"


def bodies_of(
    description: Description, owner: Mapping[str, str], pose_in_owner: Mapping[str, Array]
) -> dict[str, MassProperties]:
    """The body of every moving link, and of the root, with everything welded to it."""
    groups: dict[str, list[MassProperties]] = {link: [] for link in owner.values()}
    for part in description.parts:
        groups[owner[part.name]].append(part.body.moved(part.body_pose).moved(pose_in_owner[part.name]))
    with np.errstate(over="ignore", invalid="ignore"):
        return {link: joined(bodies) for link, bodies in groups.items()}


def with_settled_bodies(robot: Robot, parts: Sequence[Part], title: str) -> tuple[Robot, tuple[str, ...]]:
    """The robot with its bodies corrected where rounding allows, and a remark on each impossible number.

    A bolted root's inertia has no effect: if it is impossible, it is left out.

    Raises:
        ModelError: for an impossible moving body.
    """
    welded: dict[int, list[Part]] = {}
    for part in parts:
        welded.setdefault(robot.frames[part.name].link, []).append(part)
    remarks, links, root_fault = list[str](), list[Link](), ""
    for k, link in enumerate((*robot.links, robot.root)):
        body, place = link.body, _place(welded.get(k, ()))
        try:
            body, fault = settled(body, f"{title}, {place or brief(link.name)}")
            if fault:
                remarks.append(f"{place}: {fault}")
        except ModelError as error:
            if k < len(robot.links):
                raise
            body, root_fault = massless(), str(error).removeprefix(f"{title}, ")
            remarks.append(f"{root_fault} {NOT_FELT}")
        links.append(replace(link, mass=body.mass, center_of_mass=body.center_of_mass, inertia=body.inertia))
    return replace(robot, links=tuple(links[:-1]), root=links[-1], root_fault=root_fault), first_remarks(remarks)


def _place(parts: Sequence[Part]) -> str:
    """The place of the first part that is not a possible body by itself, or else of the first part."""
    for part in parts:
        try:
            check_mass_properties(part.body, part.where)
        except ModelError:
            return part.where
    return parts[0].where if parts else ""
