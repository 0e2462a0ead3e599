"""The one mass that a slider changes: the object's, or the tip link's where there is no object."""

from __future__ import annotations

import reprlib
from dataclasses import replace

import dynamics as dyn


def mass_name(system: dyn.System) -> str:
    """Whose mass the slider is."""
    return "Object" if system.task_object is not None else f"Link {system.link_names[0]}"


def mass_of(system: dyn.System) -> float:
    """The mass that the slider shows, kg."""
    return system.task_object.mass if system.task_object is not None else system.link_models[0].mass


def with_mass(system: dyn.System, mass: float) -> dyn.System:
    """The same system with that mass and, in proportion to it, that body's inertia.

    Raises:
        ModelError: for a mass that is not positive, or a tip link without any.
    """
    if mass == mass_of(system):
        return system
    if system.task_object is not None:
        return dyn.with_task_object(system, system.task_object.with_mass(mass))
    robot = system.robots[0]
    tip = robot.links[0]
    if not (mass > 0.0 and tip.mass > 0.0):
        raise dyn.ModelError(
            f"link {reprlib.repr(tip.name)}: a mass of {mass:g} kg cannot be set; give a positive one."
        )
    links = (replace(tip, mass=mass, inertia=tip.inertia * (mass / tip.mass)), *robot.links[1:])
    heavier = replace(robot, links=links)
    if system.is_floating:
        return dyn.free_flyer(heavier, gravity=system.gravity)
    return dyn.single_arm(heavier, gravity=system.gravity, base_pose=system.base_poses[0])
