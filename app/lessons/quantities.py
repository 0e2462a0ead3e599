"""The meaning of names in expressions: the registry's arrays, the motion, the identities and other methods."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

import dynamics as dyn
from app.equations.rounding import Loads
from app.instruments.cost.counts import counted
from app.lessons.expressions import Array, ExpressionError, Path, Value
from app.motion.errors import ERRORS
from app.motion.quantities import Moment
from app.motion.run import Run, on_step
from app.state.outcome import checks_of
from dynamics.check import Check
from dynamics.reading import Reading, textbook_breaks
from dynamics.solve import ContactGain, contact_gain

COUNTED: Mapping[str, tuple[str, ...]] = {
    "multiplications": ("multiplications",),
    "additions": ("additions",),
    "operations": ("multiplications", "additions"),
}
MOST_COUNTED = 24  # links of an arm for operation counts: the slowest method takes a second
ROUNDING = 1e-8  # largest residual at which an identity holds


class Instant:
    """A run at an instant (s), by the names that lessons use; with deliberately broken terms of the textbook.

    If no page computes the run, it is extended when a later time is requested.
    """

    def __init__(self, run: Run, time: float, breaks: frozenset[str] = frozenset(), is_own: bool = False) -> None:
        self.run, self.breaks, self._is_own = run, breaks, is_own
        self.time: float = on_step(time)

    def compute(self, until: float) -> None:
        while self._is_own and self.run.end < min(until, self.run.duration) - 1e-9 and not self.run.failure:
            self.run.accept(self.run.compute())

    def at(self, time: float) -> Instant:
        self.compute(time)
        if not self.run.begin <= time <= self.run.end + 1e-6:
            raise ExpressionError(f"t={time:g} is not in this motion, which goes from 0 to {self.run.end:g} s.")
        return Instant(self.run, time, self.breaks)

    @cached_property
    def moment(self) -> Moment:
        return Moment(self.run, self.time)

    @property
    def solution(self) -> dyn.Solution:
        return self.moment.solution

    @property
    def system(self) -> dyn.System:
        return self.solution.system

    @cached_property
    def reading(self) -> Reading:
        true, wrench = self.solution, self.run.wrench_at(self.time)
        return dyn.read_textbook(true.system, true.state, true.tau, wrench, textbook_breaks(self.breaks))

    @cached_property
    def checks(self) -> Mapping[Path, Check]:
        """Every identity of the textbook with its breaks, by stage and key."""
        found = checks_of(self.reading.solution, self.reading, self.run.wrench_at(self.time))
        return {(each.stage, each.identity.key): each for each in found}

    @property
    def task_object(self) -> dyn.TaskObject:
        if self.system.task_object is None:
            raise ExpressionError("this machine holds no object.")
        return self.system.task_object

    @cached_property
    def contact_gain(self) -> ContactGain:
        return contact_gain(self.system, self.solution.state)

    def stage(self, name: str) -> Mapping[str, Array]:
        return self.solution.stages[name]

    def value(self, path: Path, at: tuple[int, ...], time: float | None) -> Value:
        if time is not None:
            return self.at(on_step(time)).value(path, at, None)
        try:
            match path:
                case ("holds", stage, key):
                    return _holds(self.checks[stage, key], at)
                case ("counted", method, kind):
                    if len(at) != 1 or at[0] > MOST_COUNTED:
                        raise LookupError(f"it is counted for an arm of 1 to {MOST_COUNTED} links")
                    numbers = counted(method, at[0]).numbers
                    return float(sum(numbers[each] for each in COUNTED[kind]))
            return self._array(path)[tuple(k - 1 for k in at)]
        except (*ERRORS, LookupError, ValueError) as error:
            near = difflib.get_close_matches(path[-1], QUANTITIES, 3, 0.5)
            meant = f" Did you mean {' or '.join(near)}?" if near and path[-1] not in near else ""
            raise ExpressionError(f"there is no {'.'.join(path)[:60]} here: {error}.{meant}") from None

    def _array(self, path: Path) -> Array:
        """A quantity of the whole machine, or of all its links, joints or arms."""
        match path:
            case ("answers", method, "joint_acceleration"):
                now, wrench = self.solution, self.run.wrench_at(self.time)
                found = dyn.forward_dynamics(now.system, now.state, now.tau, method=method, external_forces=wrench)
                return found.joint_acceleration
            case ("text", stage, name):
                return _staged(self.reading.solution, stage, name)
            case (stage, name):
                return _staged(self.solution, stage, name)
            case (name,) if name in QUANTITY and (found := QUANTITY[name](self)) is not None:
                return np.asarray(found, dtype=float)
            case (name,):
                stages = (stage for stage, other in dyn.registry if other == name and stage in self.solution.stages)
                return _staged(self.solution, next(stages, ""), name)
        raise LookupError("a name has one to three words")


def _holds(check: Check, at: tuple[int, ...]) -> bool:
    """Whether an identity holds, or holds at a link."""
    rows = check.residual[check.links == at[0] - 1] if at else check.residual
    if not len(rows):
        raise LookupError("it says nothing about this link")
    return bool(np.all(rows <= ROUNDING) if at else check.holds)


def _staged(solution: dyn.Solution, stage: str, name: str) -> Array:
    """The values of every link, joint or arm; rounding errors are set to 0, as in the walk."""
    found, shape = solution.stages[stage][name], dyn.registry[stage, name].shape
    if shape.startswith("(6 tips"):
        return found.reshape(-1, 6, found.shape[-1])
    if shape.startswith(("(links", "(joints", "(tips")):
        return Loads.of(solution.system, solution.stages).without_rounding(name, found)
    return found


def _turned(known: Instant) -> Array:
    """(links,) rad by which each link has turned since the start, about any axis."""
    start = known.run.solution_at(known.run.begin)
    turns = np.swapaxes(start.link_pose[:, :3, :3], 1, 2) @ known.solution.link_pose[:, :3, :3]
    return np.arccos(np.clip((np.trace(turns, axis1=1, axis2=2) - 1.0) / 2.0, -1.0, 1.0))


def _length(known: Instant) -> Array:
    """(links,) m from each link's joint to the next one outboard, or to the tip; NaN for several outboard joints."""
    system, poses = known.system, known.solution.link_pose
    ends: list[list[Array]] = [[] for _ in range(system.n_links)]
    for link, inner in enumerate(system.inboard):
        if inner >= 0:
            ends[inner].append(poses[link, :3, 3])
    for tip, pose in zip(system.tips, known.solution.tip_pose, strict=True):
        ends[tip.link].append(pose[:3, 3])
    return np.array(
        [np.linalg.norm(end[0] - poses[k, :3, 3]) if len(end) == 1 else np.nan for k, end in enumerate(ends)]
    )


def _squeeze(known: Instant) -> Array:
    """(tips, 6) N m; N, part of the contact forces that cancels in the object, tip against tip."""
    return (known.contact_gain.squeezing @ known.stage("contact")["contact_force"].ravel()).reshape(-1, 6)


def _letter(known: Instant, letter: str) -> Array:
    return np.array([np.squeeze(np.asarray(one)) for one in known.reading.letter(letter)])


SYSTEM = {"links": "n_links", "joints": "n_joints", "arms": "n_arms", "gravity": "gravity"}
STATE = {"position": "q", "rate": "qd", "object_velocity": "object_velocity"}
SOLUTION = (
    "kinetic_energy", "potential_energy", "momentum", "base_acceleration", "link_velocity", "bias_acceleration",
    "bias_force",
)  # fmt: skip
QUANTITY: Mapping[str, Callable[[Instant], Any]] = {
    **{name: attrgetter(f"system.{own}") for name, own in SYSTEM.items()},
    **{name: attrgetter(f"solution.state.{own}") for name, own in STATE.items()},
    **{name: attrgetter(f"solution.{name}") for name in SOLUTION},
    "time": attrgetter("time"),
    "energy": lambda known: known.solution.kinetic_energy + known.solution.potential_energy,
    "angular_momentum": attrgetter("moment.mass_center.angular_momentum"),
    "mass_center": attrgetter("moment.mass_center.position"),
    "mass_matrix": lambda known: dyn.mass_matrix(known.system, known.solution.state),
    "inverse_mass_matrix": lambda known: dyn.mass_matrix_inverse(known.system, known.solution.state),
    "object_mass": attrgetter("task_object.mass"),
    "object_inertia": attrgetter("contact_gain.object_inertia"),
    "shares": attrgetter("contact_gain.shares"),
    "contact_directions": lambda known: len(known.contact_gain.omega),
    "indeterminate": lambda known: known.stage("contact")["indeterminate_directions"].shape[-1],
    "torque": attrgetter("solution.tau"),
    "mass": lambda known: [link.mass for link in known.system.link_models],
    "length": _length,
    "center_distance": lambda known: [np.linalg.norm(link.center_of_mass) for link in known.system.link_models],
    "rotor_inertia": lambda known: [joint.rotor_inertia for joint in known.system.joint_models],
    "squeeze": _squeeze,
    "turned": _turned,
    "tip_position": lambda known: known.solution.tip_pose[:, :3, 3],
    "joint_axis": lambda known: _letter(known, "H"),
    "spatial_inertia": lambda known: _letter(known, "M"),
    "whitened_innovation": lambda known: (
        known.stage("filter")["innovation"] / np.sqrt(known.stage("filter")["joint_inertia"])
    ),
}
"""Quantities in addition to the registry's: of the whole machine, or an entry for each link, joint or arm."""
QUANTITIES = tuple(dict.fromkeys((*(name for _, name in dyn.registry), *QUANTITY)))


@dataclass(frozen=True, eq=False)
class Scope:
    """The context of an expression: the moments before and after an answer, one of which is meant without a prefix.

    ``numbers`` has the step's assumptions, and ``link``, the number of the link that is pointed at.
    """

    before: Instant
    after: Instant
    is_after: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)

    def value(self, path: Path, at: tuple[int, ...], time: float | None) -> Value:
        if len(path) == 1 and path[0] in self.numbers:
            return self.numbers[path[0]]
        is_after = path[0] == "after" or (self.is_after and path[0] != "before")
        rest = path[1:] if path[0] in ("before", "after") else path
        return (self.after if is_after else self.before).value(rest, at, time)
