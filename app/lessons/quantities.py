"""What a name in a lesson's expression stands for: the registry's arrays, the motion, and the books it must balance."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.rounding import Loads
from app.lessons.lesson import Supposed
from app.lessons.values import ExpressionError, Value
from app.measures.counts import counted
from app.motion.errors import ERRORS
from app.motion.run import Run, on_step
from app.sampling.moment import Moment
from app.state.outcome import checks_of

Array = NDArray[np.float64]
STAGES = tuple(dict.fromkeys(stage for stage, _ in dyn.registry))
LETTERS: Mapping[str, str] = MappingProxyType({"joint_axis": "H", "spatial_inertia": "M"})
"""What the text is given, by a name: (6,) H(k) and (6, 6) M(k)."""
MOST_INSTANTS = 8
"""Instants of a run that are kept solved."""
COUNTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "multiplications": ("multiplications",),
        "additions": ("additions",),
        "operations": ("multiplications", "additions"),
    }
)
"""What can be asked of an operation count, and what is added up for it."""
MOST_COUNTED = 24
"""Links of an arm whose operations a lesson counts: the dearest method takes a second."""


def _turned(known: Known) -> Array:
    """(links,) rad by which each link has turned since the start, about whatever axis."""
    start = known.run.solution_at(known.run.begin)
    turns = np.swapaxes(start.link_pose[:, :3, :3], 1, 2) @ known.solution.link_pose[:, :3, :3]
    return np.arccos(np.clip((np.trace(turns, axis1=1, axis2=2) - 1.0) / 2.0, -1.0, 1.0))


def _length(known: Known) -> Array:
    """(links,) m from each link's joint to the next one outboard, or to the tip; NaN where several hang on it."""
    system, poses = known.solution.system, known.solution.link_pose
    ends: list[list[Array]] = [[] for _ in range(system.n_links)]
    for link, inner in enumerate(system.inboard):
        if inner >= 0:
            ends[inner].append(poses[link, :3, 3])
    for tip, pose in zip(system.tips, known.solution.tip_pose, strict=True):
        ends[tip.link].append(pose[:3, 3])
    return np.array(
        [np.linalg.norm(end[0] - poses[k, :3, 3]) if len(end) == 1 else np.nan for k, end in enumerate(ends)]
    )


def _of_object(known: Known) -> dyn.TaskObject:
    thing = known.solution.system.task_object
    if thing is None:
        raise ExpressionError("this machine holds no object.")
    return thing


def _contact_gain(known: Known) -> dyn.ContactGain:
    _of_object(known)
    return dyn.contact_gain(known.solution.system, known.solution.state)


def _squeeze(known: Known) -> Array:
    """(tips, 6) N m; N of the contact forces that cancels out in the object, tip against tip."""
    return (_contact_gain(known).squeezing @ known.solution.stages["contact"]["contact_force"].ravel()).reshape(-1, 6)


def _unknown(known: Known) -> float:
    """Of the directions that the contacts transmit, in how many together no force follows from the mechanics."""
    _of_object(known)
    return float(known.solution.stages["contact"]["indeterminate_directions"].shape[-1])


def _counted(method: str, kind: str, at: tuple[int, ...]) -> float:
    """What a method does with an arm of so many links, counted."""
    if kind not in COUNTED:
        raise ExpressionError(f"{kind[:40]} are not counted; there are {', '.join(COUNTED)}.")
    if len(at) != 1 or at[0] > MOST_COUNTED:
        raise ExpressionError(
            f"counted.{method[:40]}.{kind} is of an arm of 1 to {MOST_COUNTED} links, as in {kind}(6)."
        )
    numbers = counted(method, at[0]).numbers
    return float(sum(numbers[each] for each in COUNTED[kind]))


WHOLE: Mapping[str, Callable[[Known], Value | None]] = MappingProxyType(
    {
        "time": lambda known: known.time,
        "links": lambda known: float(known.solution.system.n_links),
        "joints": lambda known: float(known.solution.system.n_joints),
        "arms": lambda known: float(known.solution.system.n_arms),
        "gravity": lambda known: known.solution.system.gravity,
        "kinetic_energy": lambda known: known.solution.kinetic_energy,
        "potential_energy": lambda known: known.solution.potential_energy,
        "energy": lambda known: known.solution.kinetic_energy + known.solution.potential_energy,
        "momentum": lambda known: known.solution.momentum,
        "angular_momentum": lambda known: known.moment.mass_center.angular_momentum,
        "mass_center": lambda known: known.moment.mass_center.position,
        "mass_matrix": lambda known: dyn.mass_matrix(known.solution.system, known.solution.state),
        "inverse_mass_matrix": lambda known: dyn.mass_matrix_inverse(known.solution.system, known.solution.state),
        "object_mass": lambda known: _of_object(known).mass,
        "object_velocity": lambda known: known.solution.state.object_velocity,
        "base_acceleration": lambda known: known.solution.base_acceleration,
        "object_inertia": lambda known: _contact_gain(known).object_inertia,
        "shares": lambda known: _contact_gain(known).shares,
        "contact_directions": lambda known: float(len(_contact_gain(known).omega)),
        "indeterminate": _unknown,
    }
)
"""Of the whole machine."""
EACH: Mapping[str, Callable[[Known], Array]] = MappingProxyType(
    {
        "position": lambda known: known.solution.state.q,
        "rate": lambda known: known.solution.state.qd,
        "torque": lambda known: known.solution.tau,
        "mass": lambda known: np.array([link.mass for link in known.solution.system.link_models]),
        "length": _length,
        "center_distance": lambda known: np.array(
            [np.linalg.norm(link.center_of_mass) for link in known.solution.system.link_models]
        ),
        "rotor_inertia": lambda known: np.array([one.rotor_inertia for one in known.solution.system.joint_models]),
        "squeeze": _squeeze,
        "turned": _turned,
        "link_velocity": lambda known: known.solution.link_velocity,
        "bias_acceleration": lambda known: known.solution.bias_acceleration,
        "bias_force": lambda known: known.solution.bias_force,
        "tip_position": lambda known: known.solution.tip_pose[:, :3, 3],
        "whitened_innovation": lambda known: (
            known.solution.stages["filter"]["innovation"] / np.sqrt(known.solution.stages["filter"]["joint_inertia"])
        ),
    }
)
"""One entry a link, a joint or an arm."""
ONLY_POINTED = "link is the link that a student points at; only a question of kind link has one."
QUANTITIES = tuple(dict.fromkeys((*(name for _, name in dyn.registry), *EACH, *WHOLE, *LETTERS)))


class Known:
    """A run at an instant, by the names of a lesson.

    Args:
        time: s.
        breaks: what is broken in the text on purpose; ``text.`` before a stage asks for what it computes then, and
            ``holds.`` before a stage and an identity whether that holds of it. ``answers.`` before a method asks what
            that one gives, of nothing broken.
    """

    def __init__(self, run: Run, time: float, breaks: frozenset[str] = frozenset()) -> None:
        self.run, self.breaks = run, breaks
        self.time: float = on_step(time)
        self._others: dict[float, Known] = {}
        self._answers: dict[str, dyn.Solution] = {}

    def computed(self, until: float) -> Known:
        """With the run computed that far, s; from a thread of one's own, of a run that nobody else computes."""
        while self.run.end < min(until, self.run.duration) - 1e-9 and not self.run.failure:
            self.run.accept(self.run.compute())
        return self

    def at(self, time: float) -> Known:
        """The same run at another instant.

        Raises:
            ExpressionError: for one that the run does not have, or has not come to.
        """
        if not self.run.begin <= time <= self.run.end + 1e-6:
            raise ExpressionError(f"t={time:g} is not in this motion, which goes from 0 to {self.run.end:g} s.")
        if time not in self._others:
            while len(self._others) >= MOST_INSTANTS:
                del self._others[next(iter(self._others))]
            self._others[time] = Known(self.run, time, self.breaks)
        return self._others[time]

    @cached_property
    def moment(self) -> Moment:
        return Moment(self.run, self.time)

    @property
    def solution(self) -> dyn.Solution:
        """The complete solution.

        Raises:
            ExpressionError: where the mechanics has none.
        """
        try:
            return self.moment.solution
        except ERRORS as error:
            raise ExpressionError(f"the mechanics has no solution here: {error}") from None

    @cached_property
    def reading(self) -> dyn.Reading:
        """The textbook, broken as it is."""
        true, wrench = self.solution, self.run.wrench_at(self.time)
        return dyn.read_textbook(true.system, true.state, true.tau, wrench, dyn.textbook_breaks(self.breaks))

    @cached_property
    def checks(self) -> tuple[dyn.Check, ...]:
        """Every identity, of the text as it is broken."""
        return checks_of(self.reading.solution, self.reading, self.run.wrench_at(self.time))

    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        """See ``language.Names``."""
        try:
            return self._value(path, at, time)
        except ERRORS as error:
            raise ExpressionError(f"the mechanics has no {'.'.join(path)} here: {error}") from None

    def _value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        if time is not None:
            return self.at(on_step(time)).value(path, at, None)
        if path[0] == "holds" and len(path) == 3:
            return self._holds(path[1], path[2], at)
        if path[0] == "text" and len(path) == 3:
            return self._entry(".".join(path), self._staged(self.reading.solution, path[1], path[2]), at)
        if path[0] == "answers" and len(path) == 3:
            return self._answered(path[1], path[2], at)
        if path[0] == "counted" and len(path) == 3:
            return _counted(path[1], path[2], at)
        name = path[-1]
        if len(path) == 2 and path[0] in STAGES:
            return self._entry(name, self._staged(self.solution, path[0], name), at)
        if len(path) > 1 or name not in QUANTITIES:
            raise ExpressionError(unknown(".".join(path)))
        if name in WHOLE:
            found = WHOLE[name](self)
            if found is None:
                raise ExpressionError(f"this machine has no {name}.")
            return self._part(name, found, at)
        if name in LETTERS:
            letter = self.reading.letter(LETTERS[name])
            return self._entry(name, np.array([np.squeeze(np.asarray(one)) for one in letter]), at)
        if name in EACH:
            return self._entry(name, EACH[name](self), at)
        stage = next((one for one, other in dyn.registry if other == name and one in self.solution.stages), None)
        if stage is None:
            raise ExpressionError(f"this machine has no {name}.")
        return self._entry(name, self._staged(self.solution, stage, name), at)

    def _staged(self, solution: dyn.Solution, stage: str, name: str) -> Array:
        """Of every link, joint or arm; what is rounding is 0, as in the walk."""
        found = solution.stages.get(stage, {}).get(name)
        if found is None:
            if (stage, name) in dyn.registry:
                raise ExpressionError(f"this machine has no {stage}.{name}.")
            raise ExpressionError(unknown(f"{stage}.{name}"))
        shape = dyn.registry[stage, name].shape
        if shape.startswith("(6 tips"):
            return found.reshape(-1, 6, found.shape[-1])
        if not shape.startswith(("(links", "(joints", "(tips")):
            return found[None]
        return Loads.of(solution.system, solution.stages).without_rounding(name, found)

    def _answered(self, method: str, name: str, at: tuple[int, ...]) -> Value:
        """What another method gives for the same moment."""
        if name != "joint_acceleration":
            raise ExpressionError(
                f"of another method there is answers.{method[:40]}.joint_acceleration, and nothing else."
            )
        if method not in self._answers:
            shown, wrench = self.solution, self.run.wrench_at(self.time)
            self._answers[method] = dyn.forward_dynamics(
                shown.system, shown.state, shown.tau, method=method, external_forces=wrench
            )
        return self._entry(name, self._answers[method].joint_acceleration, at)

    @staticmethod
    def _part(name: str, found: Value, at: tuple[int, ...]) -> Value:
        """A value of the whole machine, or, of a matrix of joints, an entry."""
        if not at:
            return found
        if np.ndim(found) == len(at) == 2:
            rows, columns = np.shape(found)
            if at[0] <= rows and at[1] <= columns:
                return float(np.asarray(found)[at[0] - 1, at[1] - 1])
        raise ExpressionError(f"{name} is one for the whole machine; it takes no such link.")

    @staticmethod
    def _entry(name: str, found: Array, at: tuple[int, ...]) -> Value:
        """Of one link, joint or arm; of all of them where that is one number each."""
        if len(found) == 1 and not at and found.ndim > 1:
            return found[0]
        if not at and found.ndim == 1:
            return found
        if len(at) != 1:
            raise ExpressionError(f"{name} is one for each link, joint or arm; write {name}(1), counted from the tip.")
        if at[0] > len(found):
            raise ExpressionError(f"{name} has {len(found)} entries here, and none of number {at[0]}.")
        one = found[at[0] - 1]
        return float(one) if np.ndim(one) == 0 else one

    def _holds(self, stage: str, key: str, at: tuple[int, ...]) -> Value:
        known = [check for check in self.checks if check.stage == stage and check.identity.key == key]
        if not known:
            keys = sorted({f"{check.stage}.{check.identity.key}" for check in self.checks})
            raise ExpressionError(f"there is no identity {stage}.{key} here; there are {', '.join(keys)}.")
        (check,) = known
        if not at:
            return check.holds
        rows = check.residual[check.links == at[0] - 1]
        if not len(rows):
            raise ExpressionError(f"the identity {stage}.{key} says nothing of link {at[0]}.")
        return bool(np.all(rows <= 1e-8))


def unknown(name: str) -> str:
    """That there is no such name, and which it might be."""
    last = name.rpartition(".")[2]
    near = difflib.get_close_matches(last, QUANTITIES, 3, 0.5)
    meant = f"Did you mean {' or '.join(near)}?" if near else "docs/lessons.md lists them all."
    return f"there is no quantity {name[:60]}. {meant}"


NOTHING_LIVE: Mapping[str, float] = MappingProxyType({})
NOTHING_SUPPOSED: Mapping[str, Supposed] = MappingProxyType({})


class Scope:
    """What an expression of a step is read in: the moment before the answer and the one after, and what is live.

    Args:
        is_after: whether a name without ``before.`` or ``after.`` in front is of the moment after.
        live: numbers that only the page knows, as ``link``, the number of the link that is pointed at.
        supposed: what the step itself supposes, by name.
    """

    def __init__(
        self, before: Known, after: Known, is_after: bool = False, live: Mapping[str, float] = NOTHING_LIVE,
        supposed: Mapping[str, Supposed] = NOTHING_SUPPOSED,
    ) -> None:  # fmt: skip
        self.before, self.after, self.is_after = before, after, is_after
        self._live, self.supposed = live, supposed

    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        """See ``language.Names``."""
        if len(path) == 1 and path[0] in self._live:
            return self._live[path[0]]
        if len(path) == 1 and path[0] in self.supposed:
            return self.supposed[path[0]].value
        if path == ("link",):
            raise ExpressionError(ONLY_POINTED)
        known, rest = self.moment_of(path)
        return known.value(rest, at, time)

    def moment_of(self, path: tuple[str, ...]) -> tuple[Known, tuple[str, ...]]:
        """The moment that a name is of, and the name without its ``before.`` or ``after.``."""
        if path[0] in ("before", "after") and len(path) > 1:
            return self.after if path[0] == "after" else self.before, path[1:]
        return self.after if self.is_after else self.before, path

    def later(self) -> Scope:
        """The same, read after the answer."""
        return Scope(self.before, self.after, True, self._live, self.supposed)

    def pointing(self, link: int) -> Scope:
        """The same with a link pointed at, by its number from 1."""
        live = {**self._live, "link": float(link)}
        return Scope(self.before, self.after, self.is_after, live, self.supposed)

    def beside(self, now: Known) -> Scope:
        """What is so just now, after the moment of the step."""
        return Scope(self.before, now, True, self._live, self.supposed)
