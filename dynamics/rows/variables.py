"""What of a machine may vary, by name: postures, speeds and torques of its joints, and what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from dynamics.checks import Array, brief, choices, is_among
from dynamics.errors import ModelError
from dynamics.record import Record
from dynamics.robot.model import Robot
from dynamics.robot.task_object import TaskObject
from dynamics.robot.validity import check_robot
from dynamics.rows.motions import INTEGRATORS
from dynamics.rows.ranges import Listed, Range, ends, range_of
from dynamics.system.assembly import with_parts, with_robots, with_task_object
from dynamics.system.grasp import SELECTIONS, grasp
from dynamics.system.state import State
from dynamics.system.system import System

OF_JOINTS = ("q", "qd", "tau")
OF_LINKS = ("mass", "length")
ALONE = ("object_mass", "object_inertia", "gravity", "contacts")
OF_MOTION = ("dt", "method")
WORDS = {"contacts": tuple(SELECTIONS), "method": INTEGRATORS}


@dataclass(frozen=True)
class Variable(Record):
    """One column of a study.

    Attributes:
        name: as messages and files call it, ``q:elbow``.
        kind: the name without its part.
        index: of the joint or link; 0 where there is but one.
        range: where it may be.
    """

    name: str
    kind: str
    index: int
    range: Range

    @property
    def is_of_state(self) -> bool:
        """Whether the machine stays the same when it varies."""
        return self.kind in (*OF_JOINTS, *OF_MOTION)

    @property
    def words(self) -> tuple[str, ...]:
        """What its numbers stand for, if they are places of words."""
        values = self.range.values if isinstance(self.range, Listed) else ()
        return tuple(value for value in values if isinstance(value, str))


def variables_of(system: System, over: object, moves: bool = False) -> tuple[Variable, ...]:
    """The columns that ``over`` names, in its order; where states are simulated (``moves``), of their motions, too.

    Raises:
        ModelError: for a name of nothing that varies here, one that comes twice, or a range that is none.
    """
    if not isinstance(over, Mapping) or not over:
        raise ModelError(f"over is {brief(over)}; expected ranges by name, such as {{'q': (-1.0, 1.0)}}.")
    found: dict[str, Variable] = {}
    for name, value in over.items():
        kind, _, part = name.partition(":") if isinstance(name, str) else ("", "", "")
        known = _parts(system) | (dict.fromkeys(OF_MOTION, ()) if moves else {})
        if kind in OF_MOTION and not moves:
            raise ModelError(f"over: {brief(name)} is one of a motion; duration=... says how long one lasts.")
        if not is_among(kind, known) or (part and not is_among(part, known[kind])):
            several = known.get(kind, ())
            alone = (*ALONE, *OF_MOTION)
            there = [f"{kind}:{one}" for one in several] or [one for one in known if known[one] or one in alone]
            raise ModelError(f"over: {brief(name)} is nothing that varies here; expected one of {choices(there)}.")
        reach = range_of(value, name, WORDS.get(kind, ()))
        if kind == "dt" and ends(reach)[0] <= 0.0:
            raise ModelError(f"over[{brief(name)}] is {brief(value)}; expected steps above zero, s.")
        for index, own in enumerate(known[kind] or ("",)):
            if part in ("", own):
                full = f"{kind}:{own}" if own else kind
                if full in found:
                    raise ModelError(f"over: {brief(full)} is named twice.")
                found[full] = Variable(full, kind, index, reach)
    return tuple(found.values())


def _parts(system: System) -> dict[str, tuple[str, ...]]:
    """What may vary, and the names of its parts, none where it has none."""
    parts = dict.fromkeys(OF_JOINTS, system.joint_names) | {"mass": system.link_names, "length": system.joint_names}
    there = {"object_mass": system.task_object, "object_inertia": system.task_object, "contacts": system.contacts}
    return parts | {name: () for name in ALONE if there.get(name, True)}


def changed(system: System, state: State, variables: tuple[Variable, ...], values: Array) -> System:
    """The machine that a row of the variables of its making describes.

    Args:
        state: where it holds its object, for contacts of another kind.
        values: one for each variable; masses of links, lengths and the object's inertia are factors.

    Raises:
        ModelError: for what cannot be: a mass below zero, say.
    """
    robots = list(system.robots)
    making: dict[str, Callable[[Robot, int, float], Robot]] = {"mass": _heavier, "length": _longer}
    by_kind = {one.kind: (one, value) for one, value in zip(variables, values.tolist(), strict=True)}
    for one, value in zip(variables, values.tolist(), strict=True):
        if one.kind in making:
            arm = int(system.arm_of_link[one.index])
            robots[arm] = making[one.kind](robots[arm], _own_index(system, one.index), value)
    if by_kind.keys() & set(OF_LINKS):
        for robot in robots:
            check_robot(robot)
        system = with_robots(system, robots)
    if "gravity" in by_kind:
        system = with_parts(system, gravity=(0.0, 0.0, -by_kind["gravity"][1]))
    thing = system.task_object
    if thing is not None and by_kind.keys() & {"object_mass", "object_inertia"}:
        thing = thing.with_mass(by_kind["object_mass"][1]) if "object_mass" in by_kind else thing
        factor = by_kind["object_inertia"][1] if "object_inertia" in by_kind else 1.0
        thing = TaskObject(thing.mass, thing.inertia * factor, thing.geometry, thing.name)
        system = with_task_object(system, thing)
    if "contacts" in by_kind:
        one, place = by_kind["contacts"]
        holding = {contact.tip for contact in system.contacts}
        kind = one.words[int(place)]
        system = grasp(system, state, [kind if tip in holding else None for tip in range(system.n_tips)])
    return system


def _own_index(system: System, link: int) -> int:
    """A link's index in its robot; of a root that floats as many as the robot has links."""
    arm = int(system.arm_of_link[link])
    if link >= system.n_joints:
        return len(system.robots[arm].links)
    return int(np.count_nonzero(system.arm_of_link[:link] == arm))


def _heavier(robot: Robot, link: int, factor: float) -> Robot:
    """A link, or the root, of denser or lighter stuff."""
    is_root = link == len(robot.links)
    own = robot.root if is_root else robot.links[link]
    inertia = own.inertia * factor
    body = replace(own, mass=own.mass * factor, inertia=0.5 * (inertia + inertia.T))
    if is_root:
        return replace(robot, root=body)
    return replace(robot, links=(*robot.links[:link], body, *robot.links[link + 1 :]))


def _longer(robot: Robot, joint: int, factor: float) -> Robot:
    """A joint nearer to its inboard neighbor's frame, or farther from it."""
    origin = robot.joints[joint].origin.copy()
    origin[:3, 3] *= factor
    moved = replace(robot.joints[joint], origin=origin)
    return replace(robot, joints=(*robot.joints[:joint], moved, *robot.joints[joint + 1 :]))
