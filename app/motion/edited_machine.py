"""A machine with one of its robots edited: that robot is a file of the user's own then, in the same place."""

from __future__ import annotations

import dataclasses
from pathlib import PurePath
from types import MappingProxyType

import numpy as np

import dynamics as dyn
from app.assembly.build import OWN, Build
from app.motion.bodies import with_bodies
from app.motion.built_machine import build_of, drawn_as, machine_of_build
from app.motion.interventions import Gripped, passing, way_of
from app.motion.robot_file import LONGEST_NAME
from app.motion.setup import Machine, Setup, machine_of_file
from dynamics.system import with_parts


def gravity_there(setup: Setup, made: Machine) -> tuple[float, ...] | None:
    """What pulls in this setup; None where ``made`` has it of its own."""
    pull = tuple(setup.machine.system.gravity.tolist()) if setup.gravity is None else setup.gravity
    return None if pull == tuple(made.system.gravity.tolist()) else pull


def drive_there(setup: Setup, made: Machine) -> str:
    """What drives the joints in this setup; empty where ``made`` has it of its own, or cannot be driven so."""
    drive = setup.driven.name
    return "" if drive == made.preset.actuation or made.refusals[drive] else drive


def grips_there(before: Machine, made: Machine, *chosen: Gripped) -> tuple[Gripped, ...]:
    """How each tip holds on, as ``before`` has it or as was chosen last, where ``made`` has it otherwise."""
    ways, own = ({one.tip: _way(passing(one)) for one in each.system.contacts} for each in (before, made))
    ways |= {one.tip: one.kind for one in chosen}
    return tuple(Gripped(0.0, tip, way) for tip, way in ways.items() if own.get(tip, way) != way)


def _way(digits: str) -> str:
    return way_of([digit == "1" for digit in digits])


def put_together(setup: Setup, wanted: Build, made: Machine) -> Setup:
    """The setup of a machine that was put together; where its arms only stand elsewhere, with all that was chosen.

    But for a posture and what happened in the run: these were of where the arms stood.
    """
    before = build_of(setup.machine)
    if before is None or dataclasses.replace(before, bases=None) != dataclasses.replace(wanted, bases=None):
        return Setup(made)
    chosen = [one for one in setup.interventions if isinstance(one, Gripped)]
    return dataclasses.replace(
        setup,
        machine=made,
        posture=None,
        interventions=grips_there(setup.machine, made, *chosen),
        gravity=gravity_there(setup, made),
        drive=drive_there(setup, made),
    )


EDITED = " edited"
"""What the name of such a file ends in."""


def robot_at(setup: Setup, link: int) -> tuple[dyn.Robot, int]:
    """The robot that a link belongs to, as it weighs by now, and the number of its arm."""
    system = with_bodies(setup.machine.system, setup.bodies)
    arm = int(system.arm_of_link[min(link, system.n_links - 1)])
    return system.robots[arm], arm


def edited(setup: Setup, arm: int, robot: dyn.Robot) -> Setup:
    """The setup with another robot in the place of an arm's, and of all arms that are the same robot.

    What was chosen goes along as far as it means the same: posture and torques by the joints' names, gravity, drive,
    how each tip holds on.

    Raises:
        ModelError: for a robot that cannot be written, or a machine that has room for no other own robot.
    """
    before = setup.machine
    name, origin = edited_name(before, robot), before.origin or before
    robot = with_meshes_that_fit(robot, origin.system.robots[arm])
    alone = machine_of_file(text_of(robot).encode(), name)
    wanted = _build(before, arm)
    made = alone if wanted.kind == alone.system.kind else machine_of_build(wanted, alone)
    made = dataclasses.replace(made, origin=origin, system=_dressed(made.system, wanted, robot))
    old, new = before.system, made.system
    same = old.link_names == new.link_names
    thing = setup.bodies.get(old.n_links)
    return dataclasses.replace(
        setup,
        machine=made,
        posture=_posture(setup, made) if not new.is_held else None,
        torques=MappingProxyType({key: value for key, value in setup.torques.items() if key in new.joint_names}),
        interventions=(*grips_there(before, made), *(setup.interventions if same else ())),
        bodies=MappingProxyType({} if thing is None else {new.n_links: thing}),
        gravity=gravity_there(setup, made),
        drive=drive_there(setup, made),
    )


def with_meshes_that_fit(robot: dyn.Robot, origin: dyn.Robot) -> dyn.Robot:
    """An edited robot with the meshes that it came with, but for links that carry a joint elsewhere than they did.

    Such a mesh ends where the joint was; the link is drawn from joint to joint in its place.
    """
    first = {link.name: link for link in (*origin.links, origin.root)}
    were, are = _carried(origin), _carried(robot)

    def fitted(link: dyn.Link) -> dyn.Link:
        own = first.get(link.name)
        if own is None or not _has_mesh(own):
            return link
        fits = all(were[link.name].get(joint, place) == place for joint, place in are[link.name].items())
        shapes = own.geometry if fits else tuple(shape for shape in own.geometry if shape.path is None)
        return dataclasses.replace(link, geometry=shapes)

    return dataclasses.replace(robot, links=tuple(map(fitted, robot.links)), root=fitted(robot.root))


def _carried(robot: dyn.Robot) -> dict[str, dict[str, bytes]]:
    """Of each link the joints that it carries, and where."""
    links = (*robot.links, robot.root)
    found: dict[str, dict[str, bytes]] = {link.name: {} for link in links}
    for joint, inner in zip(robot.joints, robot.inboard, strict=True):
        found[links[inner].name][joint.name] = joint.origin.tobytes()
    return found


def _has_mesh(link: dyn.Link) -> bool:
    return any(shape.path is not None for shape in link.geometry)


def _dressed(system: dyn.System, build: Build, robot: dyn.Robot) -> dyn.System:
    """A system of a robot's file, of whose meshes a page reads none, with the robot's own."""
    shapes = {link.name: link.geometry for link in (*robot.links, robot.root) if _has_mesh(link)}
    if not shapes:
        return system

    robots = [
        drawn_as(one, shapes) if name == OWN else one for one, name in zip(system.robots, build.robots, strict=True)
    ]
    return with_parts(system, robots)


def text_of(robot: dyn.Robot) -> str:
    """A robot as a file; of a mesh's file it says the name alone, since where that lies here is nobody's business."""

    def told(shape: dyn.Geometry) -> dyn.Geometry:
        is_file = shape.path is not None and not shape.is_inside
        return dataclasses.replace(shape, path=PurePath(str(shape.path)).name) if is_file else shape

    def named(link: dyn.Link) -> dyn.Link:
        return dataclasses.replace(link, geometry=tuple(map(told, link.geometry)))

    links = tuple(named(link) for link in robot.links)
    return dyn.urdf_text(dataclasses.replace(robot, links=links, root=named(robot.root)))


def edited_name(machine: Machine, robot: dyn.Robot) -> str:
    """Of the file that a machine's edited robot is."""
    stem = robot.title or robot.name if machine.file is None else PurePath(machine.file.name).stem
    return f"{stem.removesuffix(EDITED)[: LONGEST_NAME - 20]}{EDITED}.urdf"


def is_alike(one: Machine, other: Machine) -> bool:
    """Whether one was made of the other by editing, link for link: a cursor means the same in both."""
    return (one.origin or one) is (other.origin or other) and one.system.link_names == other.system.link_names


def _build(machine: Machine, arm: int) -> Build:
    """How the machine is put together, the arm's robot being the user's own."""
    build = build_of(machine) or Build(machine.system.kind, (OWN,) * len(machine.system.robots))
    old = build.robots[arm]
    if build.needs_file and old != OWN:
        raise dyn.ModelError(
            f"arm {arm + 1} is a packaged robot beside one of your own; a page holds one own robot at a time. Edit "
            "that one, or put a machine of this one alone together under Model."
        )
    return dataclasses.replace(build, robots=tuple(OWN if robot == old else robot for robot in build.robots))


def _posture(setup: Setup, made: Machine) -> tuple[float, ...] | None:
    """Where the joints stood, by their names and within their limits; those that are new, or move otherwise, where the
    machine starts."""
    system = setup.machine.system
    stood = system.from_joint_vector(np.array(setup.posture if setup.posture is not None else setup.machine.state.q))
    kinds = dict(zip(system.joint_names, (joint.kind for joint in system.joint_models), strict=True))
    present = {
        name: stood[name]
        for name, joint in zip(made.system.joint_names, made.system.joint_models, strict=True)
        if kinds.get(name) == joint.kind
    }
    start = made.system.from_joint_vector(made.state.q)
    limits = {
        name: (joint.lower, joint.upper)
        for name, joint in zip(made.system.joint_names, made.system.joint_models, strict=True)
    }
    wanted = {name: float(np.clip(present.get(name, value), *limits[name])) for name, value in start.items()}
    found = tuple(wanted[name] for name in made.system.joint_names)
    return None if found == tuple(made.state.q.tolist()) else found
