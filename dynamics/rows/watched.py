"""What a study watches: a quantity of the registry, a residual, a measure of the posture, or a caller's own number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dynamics.batch.solution import BatchSolution
from dynamics.check.agreement import agreement
from dynamics.check.identities import IDENTITIES, identities
from dynamics.checks import Array, brief, choices, is_among, listed
from dynamics.errors import ModelError, StateError
from dynamics.methods.formulations import mass_matrix
from dynamics.methods.forward_dynamics import forward_dynamics, methods
from dynamics.record import Record
from dynamics.rows.dense import dense_solution
from dynamics.rows.motions import END, MEASURES, RUN
from dynamics.rows.states import States
from dynamics.study.staggered_step import contraction_radius
from dynamics.system.registry import REGISTRY as registry
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tip_poses import tip_poses

ANSWERS = ("joint_acceleration", "base_acceleration", "object_acceleration", "contact_force")
Watched = str | Callable[[BatchSolution], NDArray[np.float64]]
AFTER, BEFORE = [1, 2, 0], [2, 0, 1]
OBJECT, CONDITION = "object", "condition"
NEAR_NOTHING = 1e-145


def _norm(array: Array) -> Array:
    found = np.sqrt((array * array).sum(axis=-1))
    odd = ~((found > NEAR_NOTHING) & (found < 1.0 / NEAR_NOTHING))
    if odd.any():  # whose squares are no numbers, or none worth the name
        size = np.abs(array[odd]).max(axis=-1, initial=0.0)
        shares = array[odd] / np.where(size > 0.0, size, 1.0)[..., None]
        found[odd] = size * np.sqrt((shares * shares).sum(axis=-1))
    return np.asarray(found)


def _condition(array: Array) -> Array:
    values = np.linalg.svd(array, compute_uv=False)
    return np.asarray(values[..., 0] / values[..., -1])


NUMBERS: MappingProxyType[str, Callable[[Array], Array]] = MappingProxyType(
    {"norm": _norm, "largest": lambda array: array.max(axis=-1), "smallest": lambda array: array.min(axis=-1)}
)
"""One number of each state's array, laid out in a row."""

EMPTY = ("", "norm")
"""Of arrays without a number here: their norm is zero."""


@dataclass(frozen=True)
class Watch(Record):
    """One number a state.

    Attributes:
        name: as the caller wrote it.
        source: what it is a number of: a name, or the caller's own function of a ``BatchSolution``.
        part: which number of it; of an entry its place.
        at_end: whether it is one of the state in which a motion ends.
    """

    name: str
    source: Watched
    part: str | int
    at_end: bool = False

    @property
    def is_of_motion(self) -> bool:
        """Whether the state has to be simulated first."""
        return self.at_end or self.source == RUN

    @property
    def needs(self) -> str:
        """What has to be solved: ``accelerations``, every one of the ``stages``, or each of the ``states`` alone."""
        if is_among(self.source, (*EACH, RUN)):
            return "states"
        return "accelerations" if is_among(self.source, (*ANSWERS, *TOGETHER)) else "stages"

    def of(self, states: States, solution: BatchSolution | None) -> Array:
        """(n,) of so many states."""
        if is_among(self.source, EACH):
            each = EACH[str(self.source)]
            found = [each(states.system, states.state(at), tau, str(self.part)) for at, tau in enumerate(states.tau)]
            return np.array(found, dtype=float)
        assert solution is not None
        if not isinstance(self.source, str):
            return _of_caller(self.name, self.source(solution), len(states))
        if self.source in TOGETHER:
            return TOGETHER[self.source](states, solution, str(self.part))
        return one_number(self.part, self.array(solution))

    def array(self, solution: BatchSolution) -> Array:
        """(n, ...), the quantity of which it is a number."""
        stage, _, name = str(self.source).rpartition(".")
        return np.asarray(solution.stages[stage][name] if stage else getattr(solution, name))


def one_number(part: str | int, array: Array) -> Array:
    """(n,): one number of each entry of an array's leading axis."""
    if isinstance(part, int):
        return np.asarray(array.reshape(len(array), -1)[:, part])
    return _condition(array) if part == CONDITION else NUMBERS[part](array.reshape(len(array), -1))


def _of_caller(name: str, value: object, size: int) -> Array:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as cause:
        raise StateError(f"find: {name} gave {brief(value)}; expected a number for each of {size} states.") from cause
    if found.shape != (size,):
        raise StateError(f"find: {name} gave {brief(value)}; expected a number for each of {size} states.")
    return found


def _squeeze(states: States, solution: BatchSolution, part: str) -> Array:
    """Half of what the sizes of the contact forces exceed that of their sum, N: two that press together give each."""
    assert solution.contact_force is not None
    force = solution.contact_force[..., 3:]
    return np.asarray(0.5 * (_norm(force).sum(axis=1) - _norm(force.sum(axis=1))))


def _balance(states: States, solution: BatchSolution, part: str) -> Array:
    """How far the contact forces are from moving the object as it moves, relative to the largest: Newton and Euler."""
    system, thing, bodies = states.system, states.system.task_object, states.bodies()
    assert thing is not None and solution.contact_force is not None and solution.object_acceleration is not None
    # States stand last, next to each other.
    force = np.ascontiguousarray(np.moveaxis(solution.contact_force, 0, -1))
    motion = np.ascontiguousarray(solution.object_acceleration.T)
    rotation = np.moveaxis(bodies["object_pose"].reshape(-1, 4, 4)[:, :3, :3], 0, -1)
    omega = np.ascontiguousarray(bodies["object_velocity"].reshape(-1, 6)[:, :3].T)
    inertia = np.einsum("ian,ab,jbn->ijn", rotation, thing.inertia, rotation)
    linear = thing.mass * (motion[3:] - system.gravity[:, None]) - force[:, 3:].sum(axis=0)
    turning = _turned(inertia, motion[:3]) + _cross(omega, _turned(inertia, omega)) - force[:, :3].sum(axis=0)
    for contact in system.contacts:
        turning -= _cross(_turned(rotation, contact.object_pose[:3, 3, None]), force[contact.tip, 3:])
    largest = np.abs(force).max(axis=(0, 1)) + thing.mass * np.linalg.norm(system.gravity)
    return np.asarray(np.maximum(np.abs(linear).max(axis=0), np.abs(turning).max(axis=0)) / largest)


def _dense(states: States, solution: BatchSolution, part: str) -> Array:
    """How far the accelerations are from a dense solve's, relative to them; or the condition of its mass matrix."""
    found, mass_matrix = dense_solution(states)
    if part == CONDITION:
        return _condition(mass_matrix)
    return np.asarray(_norm(found - solution.joint_acceleration) / _norm(found))


def _turned(matrix: Array, vector: Array) -> Array:
    """(3, states), of (3, 3, states) and (3, states)."""
    return np.asarray((matrix * vector).sum(axis=1))


def _cross(left: Array, right: Array) -> Array:
    """(3, states)."""
    return left[AFTER] * right[BEFORE] - left[BEFORE] * right[AFTER]


def _agreement(system: System, state: State, tau: Array, part: str) -> float:
    return agreement(system, state, tau, only=[part] if part else None).worst


def _residual(system: System, state: State, tau: Array, part: str) -> float:
    found = agreement(system, state, tau, only=[])
    return found.residuals[part] if part else found.worst_residual


def _identity(system: System, state: State, tau: Array, part: str) -> float:
    checks = identities(forward_dynamics(system, state, tau))
    return max((check.worst for check in checks if part in ("", check.identity.key)), default=0.0)


def _mass_matrix(system: System, state: State, tau: Array, part: str) -> float:
    return float(one_number(part, mass_matrix(system, state)[None])[0])


def _rho(system: System, state: State, tau: Array, part: str) -> float:
    return contraction_radius(system, state)


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
    thing, _, axis = part.rpartition(".")
    if thing == OBJECT:
        assert state.object_pose is not None
        pose = state.object_pose
    else:
        pose = tip_poses(system, state)[_tips(system).index(thing)]
    return float(pose["xyz".index(axis), 3])


def _tips(system: System) -> list[str]:
    return ["tip"] if system.n_tips == 1 else [f"tip_{k + 1}" for k in range(system.n_tips)]


EACH = MappingProxyType(
    {
        "agreement": _agreement,
        "residual": _residual,
        "identity": _identity,
        "mass_matrix": _mass_matrix,
        "rho": _rho,
        "tip_acceleration": _tip_acceleration,
        "position": _position,
    }
)
"""What is found of each state alone."""
TOGETHER = MappingProxyType({"squeeze": _squeeze, "balance": _balance, "dense": _dense})
"""What is found of all states' accelerations and contact forces at once."""


def watches_of(system: System, state: State, find: object, moves: bool = False) -> tuple[Watch, ...]:
    """What ``find`` names, where states are simulated (``moves``) of their motions, too.

    Raises:
        ModelError: for what nobody can watch in this system.
    """
    several = listed(find, "find", "names, or functions", ModelError) if isinstance(find, list | tuple) else (find,)
    found = tuple(_watch(system, state, one, moves) for one in several)
    names = [one.name for one in found]
    if not found or len(set(names)) < len(names):
        raise ModelError(f"find is {brief(find)}; expected one name or function, or several different ones.")
    return found


def _watch(system: System, state: State, wanted: object, moves: bool) -> Watch:
    if isinstance(wanted, str) and wanted.startswith((END, RUN)):
        if not moves or wanted.startswith((END + END, END + RUN)):
            needed = "which has but one end" if moves else "and duration=... says how long one lasts"
            raise ModelError(f"find: {brief(wanted)} is told of a motion, {needed}.")
        if wanted.startswith(END):
            return replace(_watch(system, state, wanted.removeprefix(END), False), name=wanted, at_end=True)
        source, _, part = wanted.partition(":")
        if source != RUN or part not in MEASURES:
            expected = choices(f"{RUN}:{one}" for one in MEASURES)
            raise ModelError(f"find: there is no {brief(wanted)}; of a motion expected one of {expected}.")
        return Watch(wanted, RUN, part)
    if not isinstance(wanted, str):
        if not callable(wanted) or isinstance(wanted, type):
            raise ModelError(f"find: {brief(wanted)} is neither a name nor a function of a BatchSolution.")
        return Watch(getattr(wanted, "__name__", type(wanted).__name__), wanted, "")
    source, _, part = wanted.partition(":")
    known = _known(system, state)
    if not is_among(source, known):
        raise ModelError(f"find: there is no {brief(wanted)} here; expected one of {choices(known)}, or a function.")
    if part not in known[source]:
        there = [f"{source}:{one}" if one else source for one in known[source]]
        raise ModelError(f"find: there is no {brief(wanted)} here; expected one of {choices(there)}.")
    if "norm" in known[source] and part in system.joint_names:
        return Watch(wanted, source, system.joint_names.index(part))
    return Watch(wanted, source, part or ("norm" if "norm" in known[source] else ""))


def _known(system: System, state: State) -> dict[str, tuple[str, ...]]:
    """What can be watched here, and which numbers of it."""
    plain = ("", *NUMBERS)
    solution = forward_dynamics(system, state)
    arrays = {name: getattr(solution, name) for name in ANSWERS if getattr(solution, name) is not None}
    stages = solution.stages
    arrays |= {f"{stage}.{name}": stages[stage][name] for stage, name in registry if name in stages.get(stage, {})}
    found = {
        source: (
            *(plain if array.size else EMPTY),
            *(system.joint_names if array.shape == (system.n_joints,) else ()),
        )
        for source, array in arrays.items()
    }
    if "contact.omega" in found:
        found["contact.omega"] = (*plain, CONDITION)
    found |= {"agreement": ("", *methods(system)), "residual": ("", *agreement(system, state, only=[]).residuals)}
    found |= {"identity": ("", *IDENTITIES), "mass_matrix": (*plain, CONDITION), "tip_acceleration": ("",)}
    places = [*_tips(system), *([OBJECT] if system.task_object is not None else [])]
    found["position"] = tuple(f"{place}.{axis}" for place in places for axis in "xyz")
    if not (system.is_held or system.is_floating):
        found["dense"] = ("", CONDITION)
    return found | ({"rho": ("",), "squeeze": ("",), "balance": ("",)} if system.is_held else {})
