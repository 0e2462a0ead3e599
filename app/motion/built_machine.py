"""From a build to a machine that can be opened, and back; and a machine with one of its robots edited."""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

import dynamics as dyn
from app.motion.assembly import ArmGroup, Assembly, assembled
from app.motion.build import OWN, Base, Build, Payload
from app.motion.interventions import GripChange, passing, way_of
from app.motion.presets import MODE_OF_KIND, PRESETS, Preset
from app.motion.robot_file import LONGEST_NAME
from app.motion.setup import Machine, Setup, machine_of_file
from app.motion.world import with_bodies
from dynamics.system import with_parts

REMEMBERED = 16
"""Machines of packaged robots in a cache: one requested again, by a link or by switching back, is there at once."""
BOLTED = ("puma560", "iiwa14", "panda", "ur5e", "duaro_scara", "stanford", "talos", "planar_chain", "long_chain")
FLOATING = ("free_flyer", "two_arm_flyer", "dual_arm_satellite", "solo12")  # Examples of one robot, by its name
_BOX = Payload("box", (0.36, 0.26, 0.22), 4.0)
EXAMPLES: Mapping[str, Build] = MappingProxyType({
    **{name: Build("single_arm", (name,)) for name in BOLTED},
    "two_arms_and_box": Build("multi_arm", ("iiwa14",) * 2, _BOX),
    "point_contact": Build("multi_arm", ("iiwa14",) * 2, _BOX),
    "four_arms_and_box": Build("multi_arm", ("iiwa14",) * 4, Payload("box", (0.44, 0.44, 0.18), 10.0)),
    "two_planar_arms": Build("multi_arm", ("jazidie_arm",) * 2, Payload("box", (0.1, 0.04, 0.04), 5.0)),
    "one_arm_by_a_point": Build("multi_arm", ("jazidie_arm_6",) * 2, Payload("box", (0.18, 0.04, 0.04), 5.0)),
    **{name: Build("free_flyer", (name,)) for name in FLOATING},
})  # fmt: skip
"""The builds of ``dynamics.examples()``."""


def build_of(machine: Machine) -> Build | None:
    """The build of a machine; None if it has none, or was only recorded."""
    if machine.built is not None:
        return machine.built.build
    if machine.file is not None:
        return Build(machine.system.kind, (OWN,))
    return EXAMPLES.get(machine.preset.example)


def preset_of(build: Build) -> Preset | None:
    """The first packaged motion of the same robots held in the same way, if the build sets nothing else."""
    for preset in PRESETS.values():
        own = EXAMPLES[preset.example]
        if preset.mass is None and build in (own, Build(own.kind, own.robots)):
            return preset
    return None


def machine_of_build(build: Build, present: Machine | None = None) -> Machine:
    """The machine that a build asks for, with the file of the machine ``present`` if it needs one."""
    if not build.needs_file:
        return _packaged(build)
    alone, name = _own(present)
    if build.kind == alone.system.kind:
        return alone
    return _machine(assembled(build, _drawn(alone.system.robots[0], present), name), present)


def team_of_build(build: Build, present: Machine | None = None) -> ArmGroup:
    """The arms that a build asks for, before they are placed; arguments and errors as of ``machine_of_build``."""
    if not build.needs_file:
        return ArmGroup.of(build)
    alone, name = _own(present)
    return ArmGroup.of(build, _drawn(alone.system.robots[0], present), name)


def _own(present: Machine | None) -> tuple[Machine, str]:
    """The user's own robot as in its file, and the file's name."""
    if present is None or present.file is None:
        raise dyn.ModelError("this machine needs a robot file that is not here.")
    return machine_of_file(zlib.decompress(present.source), present.file.name), present.file.name


def _drawn(robot: dyn.Robot, present: Machine | None) -> dyn.Robot:
    """The robot as it is drawn at present: the file of an edited robot has no meshes."""
    names = [link.name for link in robot.links]
    for seen in () if present is None else present.system.robots:
        if [link.name for link in seen.links] == names:
            shapes = {link.name: link.geometry for link in seen.links}
            return drawn_as(robot, {**shapes, robot.root.name: seen.root.geometry})
    return robot


def drawn_as(robot: dyn.Robot, shapes: Mapping[str, tuple[dyn.Geometry, ...]]) -> dyn.Robot:
    """The robot with these shapes of links, by link name; other links keep their own."""
    return _with_links(robot, lambda link: replace(link, geometry=shapes.get(link.name, link.geometry)))


@functools.cache
def _middle(example: str) -> tuple[float, float]:
    """x and y in m of an example's held object, wherever a motion begins to carry it."""
    held = dyn.example(example)[1].object_pose
    assert held is not None
    return float(held[0, 3]), float(held[1, 3])


def bases_of(machine: Machine) -> tuple[Base, ...]:
    """The bases of a machine's arms round the held object, in the form of a request; none if they hold nothing."""
    if machine.built is not None:
        return machine.built.bases
    if machine.system.task_object is None or machine.preset.example not in EXAMPLES:
        return ()
    x, y = _middle(machine.preset.example)
    poses = machine.system.base_poses
    return tuple(Base(float(p[0, 3]) - x, float(p[1, 3]) - y, math.atan2(p[1, 0], p[0, 0])) for p in poses)


@functools.lru_cache(REMEMBERED)
def _packaged(build: Build) -> Machine:
    return _machine(assembled(build))


def _machine(built: Assembly, own: Machine | None = None) -> Machine:
    kind = built.build.kind
    drive: Literal["carry", "reach"] = "carry" if kind == "multi_arm" else "reach"
    preset = Preset("", built.title, MODE_OF_KIND[kind], "", drive, carry=built.carry)
    file, source = (None, b"") if own is None else (own.file, own.source)
    return Machine(preset, built.system, built.state, file, source, built)


def with_machine(setup: Setup, made: Machine, **fields: Any) -> Setup:
    """The setup with another machine, gravity and drive as chosen, or as in ``made``, and ``fields`` of its own.

    A drive that does not fit there is replaced by the machine's own.
    """
    pull = tuple(setup.machine.system.gravity.tolist()) if setup.gravity is None else setup.gravity
    gravity, drive = None if pull == tuple(made.system.gravity.tolist()) else pull, setup.driven.name
    drive = "" if drive == made.preset.actuation or made.refusals[drive] else drive
    return replace(setup, machine=made, gravity=gravity, drive=drive, **fields)


def grips_there(before: Machine, made: Machine, *chosen: GripChange) -> tuple[GripChange, ...]:
    """How each tip holds on, as in ``before`` or as last chosen, for tips where ``made`` differs."""
    ways, own = ({one.tip: way_of(passing(one)) for one in each.system.contacts} for each in (before, made))
    ways |= {one.tip: one.kind for one in chosen}
    return tuple(GripChange(0.0, tip, way) for tip, way in ways.items() if own.get(tip, way) != way)


def put_together(setup: Setup, wanted: Build, made: Machine) -> Setup:
    """The setup of an assembled machine; if only its arms' bases differ, all choices are kept.

    The exceptions are the posture and the interventions, which belonged to the former bases.
    """
    before = build_of(setup.machine)
    if before is None or replace(before, bases=None) != replace(wanted, bases=None):
        return Setup(made)
    chosen = [one for one in setup.interventions if isinstance(one, GripChange)]
    return with_machine(setup, made, posture=None, interventions=grips_there(setup.machine, made, *chosen))


EDITED = " edited"  # Suffix of the name of an edited robot's file


def robot_at(setup: Setup, link: int) -> tuple[dyn.Robot, int]:
    """The robot that a link belongs to, with its current inertial parameters, and the number of its arm."""
    system = with_bodies(setup.machine.system, setup.bodies)
    arm = int(system.arm_of_link[min(link, system.n_links - 1)])
    return system.robots[arm], arm


def edited(setup: Setup, arm: int, robot: dyn.Robot) -> Setup:
    """The setup with another robot in the place of an arm's, and of all arms that are the same robot.

    Choices are kept as far as they mean the same: posture and torques by the joints' names, gravity, drive,
    how each tip holds on.
    """
    before = setup.machine
    name, origin = edited_name(before, robot), before.origin or before
    robot = with_meshes_that_fit(robot, origin.system.robots[arm])
    alone = machine_of_file(text_of(robot).encode(), name)
    wanted = _build(before, arm)
    made = alone if wanted.kind == alone.system.kind else machine_of_build(wanted, alone)
    made = replace(made, origin=origin, system=_dressed(made.system, wanted, robot))
    old, new = before.system, made.system
    same = old.link_names == new.link_names
    payload = setup.bodies.get(old.n_links)
    return with_machine(
        setup,
        made,
        posture=_posture(setup, made) if not new.is_held else None,
        torques=MappingProxyType({key: value for key, value in setup.torques.items() if key in new.joint_names}),
        interventions=(*grips_there(before, made), *(setup.interventions if same else ())),
        bodies=MappingProxyType({} if payload is None else {new.n_links: payload}),
    )


def with_meshes_that_fit(robot: dyn.Robot, origin: dyn.Robot) -> dyn.Robot:
    """An edited robot with its original meshes, except for links on which an attached joint was moved.

    Such a mesh ends where the joint was; the link is drawn from joint to joint instead.
    """
    first = {link.name: link for link in (*origin.links, origin.root)}
    were, are = _carried(origin), _carried(robot)

    def fitted(link: dyn.Link) -> dyn.Link:
        own = first.get(link.name)
        if own is None or not _has_mesh(own):
            return link
        fits = all(were[link.name].get(joint, place) == place for joint, place in are[link.name].items())
        shapes = own.geometry if fits else tuple(shape for shape in own.geometry if shape.path is None)
        return replace(link, geometry=shapes)

    return _with_links(robot, fitted)


def _with_links(robot: dyn.Robot, changed: Callable[[dyn.Link], dyn.Link]) -> dyn.Robot:
    return replace(robot, links=tuple(map(changed, robot.links)), root=changed(robot.root))


def _carried(robot: dyn.Robot) -> dict[str, dict[str, bytes]]:
    """For each link, the joints that it carries, and where."""
    links = (*robot.links, robot.root)
    found: dict[str, dict[str, bytes]] = {link.name: {} for link in links}
    for joint, inner in zip(robot.joints, robot.inboard, strict=True):
        found[links[inner].name][joint.name] = joint.origin.tobytes()
    return found


def _has_mesh(link: dyn.Link) -> bool:
    return any(shape.path is not None for shape in link.geometry)


def _dressed(system: dyn.System, build: Build, robot: dyn.Robot) -> dyn.System:
    """A system built from a robot's file, whose meshes the page does not read, with the robot's own meshes."""
    shapes = {link.name: link.geometry for link in (*robot.links, robot.root) if _has_mesh(link)}
    named = zip(system.robots, build.robots, strict=True)
    robots = [drawn_as(one, shapes) if name == OWN else one for one, name in named]
    return with_parts(system, robots) if shapes else system


def text_of(robot: dyn.Robot) -> str:
    """A robot as a file; mesh paths are reduced to the file name, to reveal nothing of this server."""

    def without_folder(shape: dyn.Geometry) -> dyn.Geometry:
        is_file = shape.path is not None and not shape.is_inside
        return replace(shape, path=PurePath(str(shape.path)).name) if is_file else shape

    return dyn.urdf_text(
        _with_links(robot, lambda link: replace(link, geometry=tuple(map(without_folder, link.geometry))))
    )


def edited_name(machine: Machine, robot: dyn.Robot) -> str:
    stem = robot.title or robot.name if machine.file is None else PurePath(machine.file.name).stem
    return f"{stem.removesuffix(EDITED)[: LONGEST_NAME - 20]}{EDITED}.urdf"


def is_alike(one: Machine, other: Machine) -> bool:
    """Whether one was made of the other by editing, link for link: a cursor means the same in both."""
    return (one.origin or one) is (other.origin or other) and one.system.link_names == other.system.link_names


def _build(machine: Machine, arm: int) -> Build:
    build = build_of(machine) or Build(machine.system.kind, (OWN,) * len(machine.system.robots))
    old = build.robots[arm]
    if build.needs_file and old != OWN:
        raise dyn.ModelError(
            f"arm {arm + 1} is a packaged robot beside one of your own; a page holds only one robot of your own. Edit "
            "that one, or build a machine of this one alone under Model."
        )
    return replace(build, robots=tuple(OWN if robot == old else robot for robot in build.robots))


def _posture(setup: Setup, made: Machine) -> tuple[float, ...] | None:
    """The joints' positions, by their names and within their limits; new joints, and those of another type, start as
    the machine does."""
    old, new, start = setup.machine.system, made.system, made.state.q.tolist()
    stood = dict(zip(old.joint_names, setup.machine.state.q if setup.posture is None else setup.posture, strict=True))
    kinds = dict(zip(old.joint_names, (joint.kind for joint in old.joint_models), strict=True))
    found = [
        float(np.clip(stood[name] if kinds.get(name) == joint.kind else own, joint.lower, joint.upper))
        for name, joint, own in zip(new.joint_names, new.joint_models, start, strict=True)
    ]
    return None if found == start else tuple(found)
