"""What the bodies of a machine weigh, link by link and the object: read, scaled, and put in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.world import MOST_BODIES
from dynamics.editing import with_body
from dynamics.system import with_object_center, with_parts

Array = NDArray[np.float64]
PLACES = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
"""Of the six numbers of an inertia."""
OBJECT_NAME = "Object"


@dataclass(frozen=True)
class Body:
    """What one rigid body weighs.

    Attributes:
        mass: kg.
        center: (3,) m, in the body's own axes from its origin; of an object from where it was loaded.
        inertia: xx, yy, zz, xy, xz and yz, kg m^2, about the mass centre, in the body's own axes.
    """

    mass: float
    center: tuple[float, ...]
    inertia: tuple[float, ...]

    @property
    def tensor(self) -> Array:
        """(3, 3) kg m^2."""
        found = np.zeros((3, 3))
        for (row, column), value in zip(PLACES, self.inertia, strict=True):
            found[row, column] = found[column, row] = value
        return found

    def scaled(self, mass: float) -> Body:
        """The same body of denser or lighter stuff.

        Raises:
            ModelError: for a mass that is not positive.
        """
        if not mass > 0.0:
            raise dyn.ModelError(f"a mass of {mass:g} kg cannot be set; give a positive one.")
        share = mass / self.mass if self.mass > 0.0 else 1.0
        return Body(mass, self.center, tuple(share * value for value in self.inertia))


def main_body(system: dyn.System) -> int:
    """The body that one thinks of first: the object, or the tip's link where there is none."""
    return system.n_links if system.task_object is not None else 0


def body_names(system: dyn.System) -> list[str]:
    """Of every body: the links in the system's order, and the object."""
    return [*system.link_names, *([OBJECT_NAME] if system.task_object is not None else [])]


def body_of(system: dyn.System, body: int) -> Body:
    """What a body weighs: a link by its index, the object after the last of them."""
    if body < system.n_links:
        link = system.link_models[body]
        return _body(link.mass, link.center_of_mass, link.inertia)
    assert system.task_object is not None
    return _body(system.task_object.mass, np.zeros(3), system.task_object.inertia)


def _body(mass: float, center: Array, inertia: Array) -> Body:
    return Body(float(mass), tuple(center.tolist()), tuple(float(inertia[place]) for place in PLACES))


def heavier(before: Body, present: Body, mass: float) -> Body:
    """What a body weighs now, made of denser or lighter stuff: to and fro without a digit lost.

    Args:
        before: as it was loaded.

    Raises:
        ModelError: for a mass that is not positive.
    """
    is_scaled = present.mass > 0.0 and present == before.scaled(present.mass)
    return (before if is_scaled else present).scaled(mass)


def with_bodies(system: dyn.System, bodies: Mapping[int, Body]) -> dyn.System:
    """The same system with bodies that weigh otherwise; what it looks like and how it is held stays.

    Raises:
        ModelError: for a body that no matter makes, or a joint that would move no inertia.
    """
    if not bodies:
        return system
    if len(bodies) > MOST_BODIES:
        raise dyn.ModelError(f"{len(bodies)} bodies would be changed; a link has room for {MOST_BODIES} at a time.")
    robots = list(system.robots)
    for k, body in bodies.items():
        if k < system.n_links:
            arm, name = int(system.arm_of_link[k]), system.link_models[k].name
            robots[arm] = with_body(robots[arm], name, body.mass, body.center, body.tensor)
    made = with_parts(system, robots)
    if system.n_links not in bodies:
        return made
    thing, held = bodies[system.n_links], system.task_object
    if held is None:
        raise dyn.ModelError("there is no object here.")
    made = dyn.with_task_object(made, dyn.TaskObject(thing.mass, thing.tensor, held.geometry, held.name))
    return with_object_center(made, thing.center) if any(thing.center) else made


def from_loaded(state: dyn.State, center: tuple[float, ...]) -> dyn.State:
    """A state of the machine as it was loaded, as one in which the object's mass centre is elsewhere in its body."""
    if state.object_pose is None or not any(center):
        return state
    pose, arm = state.object_pose.copy(), state.object_pose[:3, :3] @ np.array(center)
    pose[:3, 3] += arm
    velocity = None if state.object_velocity is None else state.object_velocity.copy()
    if velocity is not None:
        velocity[3:] += np.cross(velocity[:3], arm)
    return replace(state, object_pose=pose, object_velocity=velocity)
