"""A link's mass from its shape: solid boxes, cylinders, balls and capsules of uniform density."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, listed, number, numbers, pose
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.changes import with_body
from dynamics.robot.kinds import check_kinds
from dynamics.robot.model import Geometry, Robot
from dynamics.robot.rigid_body import MassProperties, joined
from dynamics.robot.validity import check_parts

SIZES = {"box": 3, "cylinder": 2, "sphere": 1, "capsule": 2}


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
    if not is_among(link, known := [one.name for one in links]):
        raise ModelError(f"{title}: there is no link {brief(link)}; the links are {choices(known)}.")
    where = f"{title}, link {brief(link)}"
    stuff = number(density, f"{where}: density", "a number of kg/m^3 above zero", ModelError)
    if stuff <= 0.0:
        raise ModelError(f"{where}: density is {stuff:g} kg/m^3; expected a number above zero.")
    given = listed(shapes, f"{where}: shapes", "shapes, each a Geometry", ModelError)
    solids = given or links[known.index(link)].geometry
    if not solids:
        raise ModelError(f"{where}: has no shape to weigh. Give one, such as Geometry('box', (0.1, 0.1, 0.3), pose).")
    body = joined([_solid(shape, stuff, where) for shape in solids])
    return with_body(robot, link, body.mass, body.center_of_mass, body.inertia)


def _solid(shape: Geometry, density: float, where: str) -> MassProperties:
    """A solid's body in the axes of its link."""
    if not isinstance(shape, Geometry):
        raise ModelError(f"{where}: {brief(shape)} is not a Geometry.")
    check_kinds(shape, f"{where}: a shape")
    if shape.kind not in SIZES:
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
