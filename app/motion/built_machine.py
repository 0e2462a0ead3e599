"""From a build to a machine that can be opened, and back: packaged machines are builds, too."""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import dynamics as dyn
from app.assembly.assembly import Assembled, Team, assembled
from app.assembly.build import OWN, Base, Build, Thing
from app.motion.presets import MODE_OF_KIND, PRESETS, Preset
from app.motion.setup import Machine, machine_of_file

REMEMBERED = 16
"""Machines of packaged robots: whoever asks for one again, by a link or by a switch to and fro, has it at once."""
BOLTED = ("puma560", "iiwa14", "panda", "ur5e", "duaro_scara", "stanford", "talos", "planar_chain", "long_chain")
FLOATING = ("free_flyer", "two_arm_flyer", "dual_arm_satellite", "solo12")
"""Examples of one robot, by its name."""
_BOX = Thing("box", (0.36, 0.26, 0.22), 4.0)
EXAMPLES: Mapping[str, Build] = MappingProxyType(
    {
        **{name: Build("single_arm", (name,)) for name in BOLTED},
        "two_arms_and_box": Build("multi_arm", ("iiwa14",) * 2, _BOX),
        "point_contact": Build("multi_arm", ("iiwa14",) * 2, _BOX),
        "four_arms_and_box": Build("multi_arm", ("iiwa14",) * 4, Thing("box", (0.44, 0.44, 0.18), 10.0)),
        "two_planar_arms": Build("multi_arm", ("jazidie_arm",) * 2, Thing("box", (0.1, 0.04, 0.04), 5.0)),
        "one_arm_by_a_point": Build("multi_arm", ("jazidie_arm_6",) * 2, Thing("box", (0.18, 0.04, 0.04), 5.0)),
        **{name: Build("free_flyer", (name,)) for name in FLOATING},
    }
)
"""What ``dynamics.examples()`` are put together of."""


def build_of(machine: Machine) -> Build | None:
    """What a machine is put together of; None for one that is none of these, or that somebody has only recorded."""
    if machine.built is not None:
        return machine.built.build
    if machine.file is not None:
        return Build(machine.system.kind, (OWN,))
    return EXAMPLES.get(machine.preset.example)


def preset_of(build: Build) -> Preset | None:
    """The first packaged motion of the same robots held in the same way, where nothing else is said of them."""
    for preset in PRESETS.values():
        own = EXAMPLES.get(preset.example)
        if own is not None and preset.mass is None and build in (own, Build(own.kind, own.robots)):
            return preset
    return None


def machine_of_build(build: Build, present: Machine | None = None) -> Machine:
    """The machine that a build asks for.

    Args:
        present: one of the user's own file, if the build needs it.

    Raises:
        ModelError: for what cannot be put together, in words.

    Cost: that of ``assembled``; of what was asked for lately, none.
    """
    if not build.needs_file:
        return _packaged(build)
    alone, name = _own(present)
    if build.kind == alone.system.kind:
        return alone
    return _machine(assembled(build, _drawn(alone.system.robots[0], present), name), present)


def team_of_build(build: Build, present: Machine | None = None) -> Team:
    """The arms that a build asks for, before they stand anywhere; arguments and errors as of ``machine_of_build``."""
    if not build.needs_file:
        return Team.of(build)
    alone, name = _own(present)
    return Team.of(build, _drawn(alone.system.robots[0], present), name)


def _own(present: Machine | None) -> tuple[Machine, str]:
    """The user's own robot as its file has it, and the file's name."""
    if present is None or present.file is None:
        raise dyn.ModelError("this machine needs a robot file that is not here.")
    return machine_of_file(zlib.decompress(present.source), present.file.name), present.file.name


def _drawn(robot: dyn.Robot, present: Machine | None) -> dyn.Robot:
    """The robot as it is drawn at present: a file that was written of an edited one has no meshes."""
    names = [link.name for link in robot.links]
    for seen in () if present is None else present.system.robots:
        if [link.name for link in seen.links] == names:
            shapes = {link.name: link.geometry for link in seen.links}
            return drawn_as(robot, {**shapes, robot.root.name: seen.root.geometry})
    return robot


def drawn_as(robot: dyn.Robot, shapes: Mapping[str, tuple[dyn.Geometry, ...]]) -> dyn.Robot:
    """The robot with these shapes of links, by their names; other links have their own."""

    def drawn(link: dyn.Link) -> dyn.Link:
        return replace(link, geometry=shapes.get(link.name, link.geometry))

    return replace(robot, links=tuple(map(drawn, robot.links)), root=drawn(robot.root))


@functools.cache
def _middle(example: str) -> tuple[float, float]:
    """m: over which place an example's object is held, wherever a motion begins to carry it."""
    held = dyn.example(example)[1].object_pose
    assert held is not None
    return float(held[0, 3]), float(held[1, 3])


def bases_of(machine: Machine) -> tuple[Base, ...]:
    """Where a machine's arms stand round what they hold, as one would ask for it; none where they hold nothing."""
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


def _machine(built: Assembled, own: Machine | None = None) -> Machine:
    mode = MODE_OF_KIND[built.build.kind]
    drive = "carry" if built.build.kind == "multi_arm" else "reach"
    preset = Preset("", built.title, mode, "", "carry" if drive == "carry" else "reach", carry=built.carry)
    file, source = (None, b"") if own is None else (own.file, own.source)
    return Machine(preset, built.system, built.state, file, source, built)
