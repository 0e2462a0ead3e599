"""A robot in free flight: its own root where that is a spacecraft's body beside its arm, a bus under it elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import dynamics as dyn

HEAVY = 0.5
"""Of what its links weigh: a root as heavy as that floats by itself."""
BUS_MASS = 2.0
"""Of the links' mass together."""
BUS_EDGE = 0.3
"""Of the reach."""
WEIGHTLESS = 1.0
"""kg, of the bus of an arm whose links weigh nothing."""
BUS_COLOR = (0.62, 0.66, 0.72, 1.0)


def afloat(robot: dyn.Robot, reach: float) -> tuple[dyn.Robot, str]:
    """The robot as it can fly, and in words what of it floats.

    The bus is a cube of one stuff below the robot's root, which is fixed to it and weighs what it weighed.

    Args:
        reach: m, of the arm.

    Raises:
        ModelError: for parts that cannot be.
    """
    links = sum(link.mass for link in robot.links)
    root = robot.root
    if not robot.root_fault and root.mass >= HEAVY * links > 0.0 and np.linalg.eigvalsh(root.inertia)[0] > 0.0:
        return robot, f"Its own root link, {root.name}, floats: {root.mass:.3g} kg."
    mass, edge = float(f"{BUS_MASS * links or WEIGHTLESS:.2g}"), float(f"{BUS_EDGE * reach:.2g}")
    pose = np.eye(4)
    pose[2, 3] = -0.5 * edge
    shape = dyn.Geometry("box", (edge, edge, edge), pose, BUS_COLOR)
    bus = dyn.Link("bus", mass, pose[:3, 3], np.eye(3) * mass * edge**2 / 6.0, (shape,))
    whole = bus if robot.root_fault else _together(bus, root)
    words = f"Its root is fixed to a free bus: a cube of {edge:g} m and {mass:g} kg."
    return replace(robot, root=whole, root_fault=""), words


def _together(bus: dyn.Link, root: dyn.Link) -> dyn.Link:
    """Two bodies fixed to each other, in the same axes."""
    mass = bus.mass + root.mass
    center = (bus.mass * bus.center_of_mass + root.mass * root.center_of_mass) / mass
    inertia = sum(
        (
            link.inertia
            + link.mass * (np.sum((at := link.center_of_mass - center) ** 2) * np.eye(3) - np.outer(at, at))
            for link in (bus, root)
        ),
        np.zeros((3, 3)),
    )
    return dyn.Link(bus.name, mass, center, inertia, (*root.geometry, *bus.geometry))
