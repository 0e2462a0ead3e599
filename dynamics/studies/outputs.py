"""What a study watches: a quantity of the registry, a residual, a measure of the posture or motion, or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dynamics.check.agreement import agreement
from dynamics.check.identities import IDENTITIES, identities
from dynamics.checks import Array, brief, choices, is_among, listed
from dynamics.errors import ModelError, StateError
from dynamics.motion.recording import Recording
from dynamics.papers.staggered_step import contraction_radius
from dynamics.record import Record
from dynamics.solve.batch import forward_dynamics_batch
from dynamics.solve.batch_solution import BatchSolution
from dynamics.solve.formulations import mass_matrix
from dynamics.solve.forward_dynamics import forward_dynamics, methods
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.system.registry import REGISTRY as registry
from dynamics.system.state import State, pose_of
from dynamics.system.system import System

WatchSource = str | Callable[[BatchSolution], NDArray[np.float64]]
ANSWERS = ("joint_acceleration", "base_acceleration", "object_acceleration", "contact_force")
RUN, END = "run", "end."
"""Prefixes: the first of a motion's own quantities, the second of any quantity in the state in which a motion ends."""
OBJECT, CONDITION = "object", "condition"
AFTER, BEFORE = [1, 2, 0], [2, 0, 1]


@dataclass(frozen=True, eq=False)
class States:
    """States of one system."""

    system: System  # common to all
    packed: Array  # (n, configuration), as ``System.pack`` orders them, or (1, configuration) if all share a posture
    rates: Array  # (n, velocity), or one for all
    tau: Array  # (n, joints), N m or N
    keeps_stages: bool  # whether a solution of them has its stages

    def __len__(self) -> int:
        return len(self.tau)

    def part(self, which: slice) -> States:
        """A slice of the states."""
        packed, rates = (own if len(own) == 1 else own[which] for own in (self.packed, self.rates))
        return replace(self, packed=packed, rates=rates, tau=self.tau[which])

    def state(self, number: int) -> State:
        """A single state."""
        packed, rates = (own[number if len(own) > 1 else 0] for own in (self.packed, self.rates))
        return self.system.unpack(packed, rates)

    @cached_property
    def bodies(self) -> dict[str, Array]:
        """Postures and velocities as ``forward_dynamics_batch`` takes them; no leading axis for common ones."""
        system, n = self.system, self.system.n_joints
        found = {"q": self.packed[:, :n], "qd": self.rates[:, :n]}
        if system.is_floating:
            poses = _poses(self.packed[:, n : n + 7 * system.n_bases]).reshape(-1, system.n_bases, 4, 4)
            speeds = self.rates[:, n : n + 6 * system.n_bases].reshape(-1, system.n_bases, 6)
            alone = system.kind == "free_flyer"
            found |= {"base_pose": poses[:, 0] if alone else poses, "base_velocity": speeds[:, 0] if alone else speeds}
        if system.task_object is not None:
            found |= {"object_pose": _poses(self.packed[:, -7:]), "object_velocity": self.rates[:, -6:]}
        return {name: own[0] if len(own) == 1 else own for name, own in found.items()}

    @cached_property
    def solution(self) -> BatchSolution:
        """All of them solved at once, when first needed."""
        keep = "stages" if self.keeps_stages else "accelerations"
        return forward_dynamics_batch(self.system, tau=self.tau, keep=keep, **self.bodies)  # type: ignore[arg-type]


def _poses(coordinates: Array) -> Array:
    """(poses, 4, 4) of (n, 7) or (n, 7 bases)."""
    return np.array([pose_of(one, "body") for one in coordinates.reshape(-1, 7)])


@dataclass(frozen=True)
class Watch(Record):
    """One number for each state."""

    name: str  # as the caller wrote it
    source: WatchSource  # its quantity: a name, or the caller's own function of a ``BatchSolution``
    part: str | int  # which number of the quantity; for an entry its index
    at_end: bool = False  # whether it refers to the state in which a motion ends

    @property
    def is_of_motion(self) -> bool:
        """Whether the state has to be simulated first."""
        return self.at_end or self.source == RUN

    @property
    def is_slow(self) -> bool:
        """Whether each state is solved separately."""
        return is_among(self.source, EACH)

    @property
    def needs_stages(self) -> bool:
        """Whether it needs more of a solution than its accelerations and contact forces."""
        return not is_among(self.source, (*ANSWERS, *EACH, *TOGETHER, RUN))

    def of(self, states: States, motions: Sequence[Recording] = ()) -> Array:
        """(n,) for n states, and the motions that begin there."""
        if not isinstance(self.source, str):
            return _of_caller(self.name, self.source(states.solution), len(states))
        part = str(self.part)
        if self.source == RUN:
            return np.array([MEASURES[part](motion) for motion in motions])
        if self.source in EACH:
            each = EACH[self.source]
            found = [each(states.system, states.state(at), tau, part) for at, tau in enumerate(states.tau)]
            return np.array(found, dtype=float)
        if self.source in TOGETHER:
            return TOGETHER[self.source](states)
        stage, _, name = self.source.rpartition(".")
        array = states.solution.stages[stage][name] if stage else getattr(states.solution, name)
        return one_number(self.part, np.asarray(array))


def one_number(part: str | int, array: Array) -> Array:
    """(n,): one number of each entry of an array's leading axis."""
    flat = array.reshape(len(array), -1)
    if isinstance(part, int):
        return np.asarray(flat[:, part])
    if part == CONDITION:
        values = np.linalg.svd(array, compute_uv=False)
        return np.asarray(values[..., 0] / values[..., -1])
    return NUMBERS[part](flat)


def _norm(flat: Array) -> Array:
    return np.asarray(np.sqrt((flat * flat).sum(axis=-1)))


NUMBERS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {"norm": _norm, "largest": lambda flat: flat.max(axis=-1), "smallest": lambda flat: flat.min(axis=-1)}
)
"""Reductions of each state's flattened array to one number."""


def _of_caller(name: str, value: object, size: int) -> Array:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(())
    if found.shape != (size,):
        raise StateError(f"find: {name} gave {brief(value)}; expected a number for each of {size} states.")
    return found


def _squeeze(states: States) -> Array:
    """Half of what the contact forces' norms exceed the norm of their sum by, N: for two opposing forces either's."""
    assert states.solution.contact_force is not None
    force = states.solution.contact_force[..., 3:]
    return np.asarray(0.5 * (_norm(force).sum(axis=1) - _norm(force.sum(axis=1))))


def _balance(states: States) -> Array:
    """Residual of the object's Newton-Euler equations under the contact forces, relative to the largest force."""
    system, payload, solution = states.system, states.system.task_object, states.solution
    assert payload is not None and solution.contact_force is not None and solution.object_acceleration is not None
    # States are the last axis, contiguous in memory.
    force = np.ascontiguousarray(np.moveaxis(solution.contact_force, 0, -1))
    motion = np.ascontiguousarray(solution.object_acceleration.T)
    rotation = np.moveaxis(states.bodies["object_pose"].reshape(-1, 4, 4)[:, :3, :3], 0, -1)
    omega = np.ascontiguousarray(states.bodies["object_velocity"].reshape(-1, 6)[:, :3].T)
    inertia = np.einsum("ian,ab,jbn->ijn", rotation, payload.inertia, rotation)
    linear = payload.mass * (motion[3:] - system.gravity[:, None]) - force[:, 3:].sum(axis=0)
    turning = _turned(inertia, motion[:3]) + _cross(omega, _turned(inertia, omega)) - force[:, :3].sum(axis=0)
    for contact in system.contacts:
        turning -= _cross(_turned(rotation, contact.object_pose[:3, 3, None]), force[contact.tip, 3:])
    largest = np.abs(force).max(axis=(0, 1)) + payload.mass * np.linalg.norm(system.gravity)
    return np.asarray(np.maximum(np.abs(linear).max(axis=0), np.abs(turning).max(axis=0)) / largest)


def _turned(matrix: Array, vector: Array) -> Array:
    """(3, states), from (3, 3, states) and (3, states)."""
    return np.asarray((matrix * vector).sum(axis=1))


def _cross(left: Array, right: Array) -> Array:
    """(3, states); ``np.cross`` takes several times as long."""
    return left[AFTER] * right[BEFORE] - left[BEFORE] * right[AFTER]


def _agreement(system: System, state: State, tau: Array, part: str) -> float:
    return agreement(system, state, tau, only=[part] if part else None).worst


def _identity(system: System, state: State, tau: Array, part: str) -> float:
    checks = identities(forward_dynamics(system, state, tau))
    return max((check.worst for check in checks if part in ("", check.identity.key)), default=0.0)


def _tip_acceleration(system: System, state: State, tau: Array, part: str) -> float:
    solution = forward_dynamics(system, state, tau)
    moving = solution.stages["smoother_final" if system.is_held else "smoother"]["acceleration"]
    found = []
    for tip, pose in zip(system.tips, solution.tip_pose, strict=True):
        lever = pose[:3, 3] - solution.link_pose[tip.link, :3, 3]
        alpha, omega = moving[tip.link], solution.link_velocity[tip.link, :3]
        found.append(alpha[3:] + np.cross(alpha[:3], lever) + np.cross(omega, np.cross(omega, lever)))
    return float(np.linalg.norm(found, axis=1).max())


def _position(system: System, state: State, tau: Array, part: str) -> float:
    body, _, axis = part.rpartition(".")
    poses = dict(zip(_tips(system), forward_kinematics(system, state).tip_pose, strict=True)) | {
        OBJECT: state.object_pose
    }
    return float(poses[body]["xyz".index(axis), 3])


def _tips(system: System) -> list[str]:
    return ["tip"] if system.n_tips == 1 else [f"tip_{k + 1}" for k in range(system.n_tips)]


EACH: Mapping[str, Callable[[System, State, Array, str], float]] = MappingProxyType(
    {
        "agreement": _agreement,
        "identity": _identity,
        "mass_matrix": lambda system, state, tau, part: float(one_number(part, mass_matrix(system, state)[None])[0]),
        "rho": lambda system, state, tau, part: contraction_radius(system, state),
        "tip_acceleration": _tip_acceleration,
        "position": _position,
    }
)
"""Measures that are computed for each state separately."""
TOGETHER: Mapping[str, Callable[[States], Array]] = MappingProxyType({"squeeze": _squeeze, "balance": _balance})
"""Measures that are computed from all states' accelerations and contact forces at once."""
MEASURES: Mapping[str, Callable[[Recording], float]] = MappingProxyType(
    {
        "drift": lambda motion: float(motion.drift[:, 0].max()),
        "rate_drift": lambda motion: float(motion.drift[:, 1].max()),
        "unexplained_energy": lambda motion: float(np.abs(motion.unexplained_energy).max()),
        "duration": lambda motion: float(motion.t[-1]),
    }
)
"""Measures of a motion: the closure's worst gaps, J that no work explains, and s until it ended or stopped."""


def watches_of(system: System, state: State, find: object, moves: bool) -> tuple[Watch, ...]:
    """The watches that ``find`` names, also of motions if states are simulated (``moves``); else ModelError."""
    several = listed(find, "find", "names, or functions", ModelError) if isinstance(find, list | tuple) else (find,)
    known = _known(system, state)
    found = tuple(_watch(system, known, one, moves) for one in several)
    if not found or len({one.name for one in found}) < len(found):
        raise ModelError(f"find is {brief(find)}; expected one name or function, or several different ones.")
    return found


def _watch(system: System, known: Mapping[str, tuple[str, ...]], wanted: object, moves: bool) -> Watch:
    if not isinstance(wanted, str):
        if not callable(wanted) or isinstance(wanted, type):
            raise ModelError(f"find: {brief(wanted)} is neither a name nor a function of a BatchSolution.")
        return Watch(getattr(wanted, "__name__", type(wanted).__name__), wanted, "")
    at_end = wanted.startswith(END)
    source, _, part = wanted.removeprefix(END).partition(":")
    is_of_motion = at_end or source == RUN
    if is_of_motion and (not moves or source.startswith(END) or (at_end and source == RUN)):
        needed = "which has only one end" if moves else "so say how long it lasts (duration=...)"
        raise ModelError(f"find: {brief(wanted)} belongs to a motion, {needed}.")
    known = {RUN: tuple(MEASURES)} if source == RUN else known
    if not is_among(source, known):
        raise ModelError(f"find: there is no {brief(wanted)} here; expected one of {choices(known)}, or a function.")
    if part not in known[source]:
        there = [f"{source}:{one}" if one else source for one in known[source]]
        raise ModelError(f"find: there is no {brief(wanted)} here; expected one of {choices(there)}.")
    if "norm" in known[source] and part in system.joint_names:
        return Watch(wanted, source, system.joint_names.index(part), at_end)
    return Watch(wanted, source, part or ("norm" if "norm" in known[source] else ""), at_end)


def _known(system: System, state: State) -> dict[str, tuple[str, ...]]:
    """What can be watched here, and which numbers of it."""
    plain = ("", *NUMBERS)
    solution = forward_dynamics(system, state)
    arrays = {name: getattr(solution, name) for name in ANSWERS if getattr(solution, name) is not None}
    stages = solution.stages
    arrays |= {f"{stage}.{name}": stages[stage][name] for stage, name in registry if name in stages.get(stage, {})}
    found = {
        source: (
            *(plain if array.size else ("", "norm")),  # the norm of an empty array is zero
            *(system.joint_names if array.shape == (system.n_joints,) else ()),
        )
        for source, array in arrays.items()
    }
    if "contact.omega" in found:
        found["contact.omega"] = (*plain, CONDITION)
    found |= {"agreement": ("", *methods(system))}
    found |= {"identity": ("", *IDENTITIES), "mass_matrix": (*plain, CONDITION), "tip_acceleration": ("",)}
    places = [*_tips(system), *([OBJECT] if system.task_object is not None else [])]
    found["position"] = tuple(f"{place}.{axis}" for place in places for axis in "xyz")
    return found | (dict.fromkeys(("rho", "squeeze", "balance"), ("",)) if system.is_held else {})
