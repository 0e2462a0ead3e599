"""What may vary, by name, and its range: postures, rates and torques of joints, and properties of the machine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, listed, number, real_array
from dynamics.errors import ModelError
from dynamics.motion.adaptive import METHODS
from dynamics.motion.runge_kutta import TABLEAUS
from dynamics.record import Record
from dynamics.robot.model import Robot
from dynamics.robot.task_object import TaskObject
from dynamics.robot.validity import check_robot
from dynamics.system.assembly import with_parts, with_robots, with_task_object
from dynamics.system.grasp import SELECTIONS, grasp
from dynamics.system.state import State
from dynamics.system.system import System

OF_JOINTS = ("q", "qd", "tau")
OF_LINKS = ("mass", "length")
ALONE = ("object_mass", "object_inertia", "gravity", "contacts")
OF_MOTION = ("dt", "method")
WORDS = {"contacts": tuple(SELECTIONS), "method": (*TABLEAUS, *METHODS)}
EXPECTED = "a pair (low, high), a frozen distribution of scipy.stats, or a list of values"
MOST_VALUES = 100_000
EDGE = 2.0**-40  # closest distance of a share to 0 and 1, where some distributions have no finite value


@dataclass(frozen=True)
class Variable(Record):
    """One column of a study."""

    name: str  # in messages and files, e.g. ``q:elbow``
    kind: str  # the name without its part
    index: int  # of the joint or link; 0 if there is only one
    law: Any  # a pair (low, high), or a frozen distribution; None for a list
    values: tuple[Any, ...] = ()  # of a list, numbers or words

    @property
    def makes(self) -> bool:
        """Whether varying it changes the machine."""
        return self.kind not in (*OF_JOINTS, *OF_MOTION)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that its numbers index, if it is a list of words."""
        return tuple(value for value in self.values if isinstance(value, str))

    @property
    def numbers(self) -> Array:
        """The values of a list; indices for words."""
        return np.arange(len(self.values), dtype=float) if self.words else np.array(self.values, dtype=float)

    def at(self, share: Array) -> Array:
        """The values below which these shares of the range lie; all values of a list are equally likely."""
        if self.values:
            return self.numbers[np.minimum((share * len(self.values)).astype(int), len(self.values) - 1)]
        if isinstance(self.law, tuple):
            return self.law[0] + (self.law[1] - self.law[0]) * share
        inverse = self.law.icdf if hasattr(self.law, "icdf") else self.law.ppf  # SciPy's random variables, or frozen
        return np.asarray(inverse(np.clip(share, EDGE, 1.0 - EDGE)), dtype=float)


def variables_of(system: System, over: object, moves: bool) -> tuple[Variable, ...]:
    """The columns that ``over`` names, in its order, also of motions if it ``moves``; else ModelError."""
    if not isinstance(over, Mapping) or not over:
        raise ModelError(f"over is {brief(over)}; expected ranges by name, such as {{'q': (-1.0, 1.0)}}.")
    known: dict[str, tuple[str, ...]] = dict.fromkeys(OF_JOINTS, system.joint_names)
    known |= {"mass": system.link_names, "length": system.joint_names}
    there = {"object_mass": system.task_object, "object_inertia": system.task_object, "contacts": system.contacts}
    known |= {name: () for name in ALONE if there.get(name, True)} | (dict.fromkeys(OF_MOTION, ()) if moves else {})
    found: dict[str, Variable] = {}
    for name, value in over.items():
        kind, _, part = name.partition(":") if isinstance(name, str) else ("", "", "")
        if kind in OF_MOTION and not moves:
            raise ModelError(f"over: {brief(name)} belongs to a motion, so say how long it lasts (duration=...).")
        if not is_among(kind, known) or (part and not is_among(part, known[kind])):
            expected = [f"{kind}:{one}" for one in known.get(kind, ())] or list(known)
            raise ModelError(f"over: {brief(name)} cannot vary here; expected one of {choices(expected)}.")
        for index, own in enumerate(known[kind] or ("",)):
            if part in ("", own):
                full = f"{kind}:{own}" if own else kind
                if full in found:
                    raise ModelError(f"over: {brief(full)} is named twice.")
                found[full] = _variable(full, kind, index, value)
    return tuple(found.values())


def _variable(name: str, kind: str, index: int, value: Any) -> Variable:
    """One column, with its range checked."""
    label = f"over[{brief(name)}]"
    if words := WORDS.get(kind, ()):
        wanted = listed(value, label, f"a list of {', '.join(words)}", ModelError)
        if isinstance(value, str) or not wanted or not all(is_among(one, words) for one in wanted):
            raise ModelError(f"{label} is {brief(value)}; expected a list of {', '.join(words)}.")
        return Variable(name, kind, index, None, wanted)
    if isinstance(value, tuple) and len(value) == 2:
        low, high = (number(one, label, EXPECTED, ModelError) for one in value)
        if not (low < high and math.isfinite(high - low)):
            raise ModelError(f"{label} is {brief(value)}; expected (low, high) with low below high.")
        found = Variable(name, kind, index, (low, high))
    elif isinstance(value, list | np.ndarray):
        values = real_array(value, EXPECTED, label, ModelError)
        if values.ndim != 1 or not 0 < len(values) <= MOST_VALUES or not np.isfinite(values).all():
            raise ModelError(f"{label} is {brief(value)}; expected 1 to {MOST_VALUES} finite numbers in a row.")
        found = Variable(name, kind, index, None, tuple(values.tolist()))
    elif hasattr(value, "icdf") or (hasattr(value, "ppf") and hasattr(value, "dist")):
        found = Variable(name, kind, index, value)
    else:
        raise ModelError(f"{label} is {brief(value)}; expected {EXPECTED}.")
    try:
        ends = found.at(np.array([0.0, 0.5, 1.0]))
    except (TypeError, ValueError, ArithmeticError):
        ends = np.array(math.nan)
    if ends.shape != (3,) or not np.isfinite(ends).all():
        raise ModelError(f"{label}: this distribution has no finite value for some share; correct its parameters.")
    if kind == "dt" and min(ends.min(), found.numbers.min(initial=math.inf)) <= 0.0:
        raise ModelError(f"{label} is {brief(value)}; expected steps above zero, s.")
    return found


def changed(system: System, state: State, variables: tuple[Variable, ...], values: Array) -> System:
    """The machine with a value of each variable that changes it; ModelError for impossible ones, e.g. a negative mass.

    Masses of links, lengths and the object's inertia are factors; ``state`` is where contacts of another kind hold.
    """
    robots, payload = list(system.robots), system.task_object
    alone: dict[str, float] = {}
    for one, value in zip(variables, values.tolist(), strict=True):
        if one.kind in OF_LINKS:
            arm = int(system.arm_of_link[one.index])
            own = one.index - int(np.flatnonzero(system.arm_of_link == arm)[0])
            if one.index >= system.n_joints:  # a floating root
                own = len(robots[arm].links)
            robots[arm] = (_heavier if one.kind == "mass" else _longer)(robots[arm], own, value)
        else:
            alone[one.kind] = value
    if any(one.kind in OF_LINKS for one in variables):
        for robot in robots:
            check_robot(robot)
        system = with_robots(system, robots)
    if "gravity" in alone:
        system = with_parts(system, gravity=(0.0, 0.0, -alone["gravity"]))
    if payload is not None and alone.keys() & {"object_mass", "object_inertia"}:
        payload = payload.with_mass(alone.get("object_mass", payload.mass))
        inertia = payload.inertia * alone.get("object_inertia", 1.0)
        system = with_task_object(system, TaskObject(payload.mass, inertia, payload.geometry, payload.name))
    if "contacts" in alone:
        words = next(one.words for one in variables if one.kind == "contacts")
        kind, holding = words[int(alone["contacts"])], {contact.tip for contact in system.contacts}
        system = grasp(system, state, [kind if tip in holding else None for tip in range(system.n_tips)])
    return system


def _heavier(robot: Robot, link: int, factor: float) -> Robot:
    """A link, or the root, with its density scaled."""
    is_root = link == len(robot.links)
    own = robot.root if is_root else robot.links[link]
    inertia = own.inertia * factor
    body = replace(own, mass=own.mass * factor, inertia=0.5 * (inertia + inertia.T))
    if is_root:
        return replace(robot, root=body)
    return replace(robot, links=(*robot.links[:link], body, *robot.links[link + 1 :]))


def _longer(robot: Robot, joint: int, factor: float) -> Robot:
    """A joint moved nearer to its inboard neighbor's frame, or farther from it."""
    origin = robot.joints[joint].origin.copy()
    origin[:3, 3] *= factor
    moved = replace(robot.joints[joint], origin=origin)
    return replace(robot, joints=(*robot.joints[:joint], moved, *robot.joints[joint + 1 :]))
