"""A robot with another mass or other losses, and everything else unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import brief, choices, is_among, number, numbers
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Robot
from dynamics.robot.validity import check_body, check_parts, check_robot

SYMMETRIC = 1e-9
"""Largest difference between an inertia's symmetric entries, as a share of the largest entry."""


@public
def with_body(
    robot: Robot,
    link: str,
    mass: float | None = None,
    center_of_mass: ArrayLike | None = None,
    inertia: ArrayLike | None = None,
) -> Robot:
    """The same robot with another mass, mass centre or inertia of one link: its looks and joints are unchanged.

    Args:
        robot: any; it is not changed.
        link: the name of a moving link, or of the root.
        mass: kg; unchanged if not given, like the others.
        center_of_mass: (3,), m, in the link's own axes from its origin.
        inertia: (3, 3), kg m^2, about the mass centre, in the link's own axes.

    Returns:
        A new robot; ``with_parts`` puts it in place of the old one in a system.

    Raises:
        ModelError: for a name that no link has, numbers that no distribution of matter has, or a joint that would
            move no inertia.

    Cost: linear in the links, some 50 us each.
    """
    check_parts(robot)
    title = f"robot {brief(robot.name)}"
    links = (*robot.links, robot.root)
    if not is_among(link, known := [one.name for one in links]):
        raise ModelError(f"{title}: there is no link {brief(link)}; the links are {choices(known)}.")
    at = known.index(link)
    old, where = links[at], f"{title}, link {brief(link)}"
    tensor = numbers(old.inertia if inertia is None else inertia, (3, 3), f"{where}: inertia", ModelError)
    if np.abs(tensor - tensor.T).max() > SYMMETRIC * np.abs(tensor).max():
        raise ModelError(f"{where}: inertia is not symmetric: {brief(tensor.tolist())}.")
    center = old.center_of_mass if center_of_mass is None else center_of_mass
    body = replace(
        old,
        mass=old.mass if mass is None else number(mass, f"{where}: mass", "a finite number of kg", ModelError),
        center_of_mass=numbers(center, (3,), f"{where}: mass centre", ModelError),
        inertia=0.5 * (tensor + tensor.T),
    )
    if inertia is not None or body.mass == 0.0:
        check_body(body, title)
    if at == len(robot.links):
        changed = replace(robot, root=body, root_fault="")
    else:
        changed = replace(robot, links=(*robot.links[:at], body, *robot.links[at + 1 :]))
    check_robot(changed)
    return changed


@public
def with_damping(robot: Robot, damping: Mapping[str, float]) -> Robot:
    """The same robot with other viscous damping at some of its joints.

    Args:
        robot: any; it is not changed.
        damping: N m s/rad, or N s/m for a prismatic joint, by joint name; a joint that is not named keeps its own.

    Returns:
        A new robot; ``with_parts`` puts it in place of the old one in a system.

    Raises:
        ModelError: for a name that no joint has, or a number below zero.

    Cost: linear in the joints.
    """
    check_parts(robot)
    title = f"robot {brief(robot.name)}"
    if not isinstance(damping, Mapping):
        raise ModelError(f"{title}: damping is {brief(damping)}; expected numbers by the names of joints.")
    values: dict[str, float] = {}
    for name, value in damping.items():
        if not is_among(name, robot.joint_names):
            raise ModelError(f"{title}: there is no joint {brief(name)}; the joints are {choices(robot.joint_names)}.")
        values[name] = number(value, f"{title}, joint {brief(name)}: damping", "a number, zero or more", ModelError)
        if values[name] < 0.0:
            raise ModelError(f"{title}, joint {brief(name)}: damping is {value:g}; expected zero or more.")
    joints = (replace(joint, damping=values.get(joint.name, joint.damping)) for joint in robot.joints)
    return replace(robot, joints=tuple(joints))
