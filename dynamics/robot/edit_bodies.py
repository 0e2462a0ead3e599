"""A robot with another mass, or one from its shapes, or other losses, and everything else unchanged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, listed, number, numbers, pose
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Geometry, Robot, index_of
from dynamics.robot.rigid_body import MassProperties, joined
from dynamics.robot.task_object import SIZES
from dynamics.robot.validity import check_body, check_kinds, check_parts, check_robot

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
    at = index_of(link, [one.name for one in links], "link", title)
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
        index_of(name, robot.joint_names, "joint", title)
        values[name] = number(value, f"{title}, joint {brief(name)}: damping", "a number, zero or more", ModelError)
        if values[name] < 0.0:
            raise ModelError(f"{title}, joint {brief(name)}: damping is {value:g}; expected zero or more.")
    joints = (replace(joint, damping=values.get(joint.name, joint.damping)) for joint in robot.joints)
    return replace(robot, joints=tuple(joints))


@public
def with_density(robot: Robot, link: str, density: float, shapes: Sequence[Geometry] = ()) -> Robot:
    """The same robot with one solid link: its mass, mass centre and inertia follow from its shapes.

    Args:
        robot: any robot; it is not modified.
        link: the name of a moving link, or of the root.
        density: kg/m^3: 2700 for aluminium, 7850 for steel, 1000 for water.
        shapes: the link's solids, posed in its axes, m; by default its visual shapes. Where shapes overlap, the
            mass counts twice.

    Returns:
        A new robot with the same visual shapes.

    Raises:
        ModelError: for an unknown link, a density or size that is not positive, a mesh, or a link without shapes if
            none are given.

    Cost: linear in the links, about 50 us each.
    """
    check_parts(robot)
    title, links = f"robot {brief(robot.name)}", (*robot.links, robot.root)
    at = index_of(link, [one.name for one in links], "link", title)
    where = f"{title}, link {brief(link)}"
    stuff = number(density, f"{where}: density", "a number of kg/m^3 above zero", ModelError)
    if stuff <= 0.0:
        raise ModelError(f"{where}: density is {stuff:g} kg/m^3; expected a number above zero.")
    given = listed(shapes, f"{where}: shapes", "shapes, each a Geometry", ModelError)
    solids = given or links[at].geometry
    if not solids:
        raise ModelError(f"{where}: has no shape to weigh. Give one, such as Geometry('box', (0.1, 0.1, 0.3), pose).")
    body = joined([_solid(shape, stuff, where) for shape in solids])
    return with_body(robot, link, body.mass, body.center_of_mass, body.inertia)


def _solid(shape: Geometry, density: float, where: str) -> MassProperties:
    """A solid's body in the axes of its link."""
    if not isinstance(shape, Geometry):
        raise ModelError(f"{where}: {brief(shape)} is not a Geometry.")
    check_kinds(shape, f"{where}: a shape")
    if shape.kind == "mesh":
        raise ModelError(
            f"{where}: the volume of a {shape.kind} is not known. Give boxes, cylinders, spheres or capsules instead."
        )
    size = numbers(shape.size, (SIZES[shape.kind],), f"{where}: size of a {shape.kind}", ModelError)
    if size.min() <= 0.0:
        raise ModelError(f"{where}: size of a {shape.kind} is {size.tolist()}; expected lengths above zero.")
    volume, spread = _volume_and_spread(shape.kind, size)
    mass = density * volume
    inertia = mass * (spread.sum() * np.eye(3) - np.diag(spread))
    at = pose(shape.pose, f"{where}: pose of a {shape.kind}", ModelError)
    return MassProperties(mass, np.zeros(3), inertia).moved(at)


def _volume_and_spread(kind: str, size: Array) -> tuple[float, Array]:
    """m^3, and the mean squares of x, y and z over it, m^2."""
    if kind == "box":
        return float(np.prod(size)), size**2 / 12.0
    r = size[0]
    ball = 4.0 / 3.0 * math.pi * r**3
    if kind == "sphere":
        return ball, np.full(3, r**2 / 5.0)
    length = size[1]
    tube = math.pi * r**2 * length
    across, along = r**2 / 4.0, length**2 / 12.0
    if kind == "cylinder":
        return tube, np.array([across, across, along])
    # For the half ball at each end: the mean of (l/2 + u)^2, where u has mean 3r/8 and u^2 has mean r^2/5.
    cap = length**2 / 4.0 + 3.0 / 8.0 * length * r + r**2 / 5.0
    volume = tube + ball
    side = (tube * across + ball * r**2 / 5.0) / volume
    return volume, np.array([side, side, (tube * along + ball * cap) / volume])
