"""The solution of a whole batch of states; its stages stay in the blocks that the kernel wrote until first access."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.record import NamedValues, Record, frozen, in_a_line
from dynamics.recursion.contact_gain import contact_stages
from dynamics.recursion.corrected import base_correction, corrected_force, force_across, updated_inertia
from dynamics.system.columns import named
from dynamics.system.registry import REGISTRY as registry
from dynamics.system.solution import Stages
from dynamics.system.system import System
from dynamics.system.tables import Work

Makers = Mapping[str, Callable[[], Array]]
AT_ONCE = 1024
"""The contact stage is computed for this many states at a time, to limit memory."""


@dataclass(frozen=True, eq=False)
class BatchSolution(Record):
    """What ``forward_dynamics_batch`` returns: ``Solution``'s quantities with a leading axis for the states.

    Attributes:
        system: the system of all states.
        joint_acceleration: (batch, joints).
        base_acceleration: (batch, 6) of a free flyer; (batch, bases, 6) in a system of several arms; else None.
        object_acceleration: (batch, 6) at the mass centre, else None.
        contact_force: (batch, tips, 6) on the object, at the contact, [moment; force]; None without an object.
        stages: as ``Solution.stages``, every array with a leading axis; empty unless they were kept. An array is
            laid out on first access. States may differ in how many contact directions are
            indeterminate: states with fewer have zeros in the last columns.
    """

    system: System
    joint_acceleration: Array
    base_acceleration: Array | None
    object_acceleration: Array | None
    contact_force: Array | None
    stages: Stages

    def __len__(self) -> int:
        return len(self.joint_acceleration)

    def __repr__(self) -> str:
        stages = ", ".join(self.stages) or "not kept"
        return in_a_line("BatchSolution", (f"{len(self)} states", f"{self.system.n_joints} joints", f"stages {stages}"))


class LazyArrays(NamedValues):
    """Named arrays, each made and write-protected on first access."""

    def __init__(self, makers: Mapping[str, Callable[[], Array]]) -> None:
        super().__init__(makers)
        self._made: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._made:
            self._made[name] = frozen(super().__getitem__(name)())
        return self._made[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyArrays, (self._values,)

    def __repr__(self) -> str:
        return in_a_line("", self)


class ArrayGroup:
    """Arrays that are all made when the first of them is accessed."""

    def __init__(self, make: Callable[..., Mapping[str, Array]], *arguments: Any) -> None:
        self._make, self._arguments = make, arguments
        self._made: Mapping[str, Array] = {}

    def __call__(self, name: str) -> Array:
        self._made = self._made or self._make(*self._arguments)
        return self._made[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return ArrayGroup, (self._make, *self._arguments)


class LinkQuantities:
    """The link quantities that a kernel kept, read by name.

    Args:
        blocks: (blocks, links, columns, lanes); a single state is a block of one lane.
    """

    def __init__(self, blocks: Array, size: int) -> None:
        self._blocks, self.size = blocks, size

    @property
    def _rows(self) -> Array:
        """(blocks, lanes, links, columns), a view, so pickling does not copy it into another layout."""
        return self._blocks.transpose(0, 3, 1, 2)

    def named(self, name: str, links: int | None = None) -> Array:
        """(states, links, ...) of a quantity, see ``columns``."""
        return self._of_states(named(self._rows[:, :, :links], name))

    def made(self, make: Callable[..., Array], *arguments: Any) -> Array:
        """(states, links, ...), the result of ``make`` on rows of links."""
        return self._of_states(make(self._rows, *arguments))

    def _of_states(self, array: Array) -> Array:
        return array.reshape(-1, *array.shape[2:])[: self.size]


def filter_makers(rows: LinkQuantities, n_joints: int) -> dict[str, Makers]:
    """The stages ``filter`` and ``smoother``."""
    smoother = motion_makers(rows, "smoother", n_joints) | {
        "costate_covariance": partial(rows.named, "costate_covariance"),
        "force": partial(rows.made, force_across, n_joints, "smoother"),
    }
    return {
        "filter": {
            "articulated_inertia": partial(rows.named, "articulated_inertia"),
            "articulated_inertia_updated": partial(rows.made, updated_inertia, n_joints),
            "joint_inertia": partial(rows.named, "joint_inertia", n_joints),
            "kalman_gain": partial(rows.named, "kalman_gain", n_joints),
            "predicted_force": partial(rows.named, "predicted_force"),
            "corrected_force": partial(rows.made, corrected_force, n_joints),
            "innovation": partial(rows.named, "innovation", n_joints),
            "residual": partial(rows.named, "residual", n_joints),
        },
        "smoother": smoother,
    }


def held_makers(system: System, rows: LinkQuantities, works: Work) -> dict[str, Makers]:
    """The stages of a held system; every array of ``works`` has a leading axis."""
    n = system.n_joints
    stages = filter_makers(rows, n)
    smoother = {name: maker for name, maker in stages["smoother"].items() if name != "force"}
    return {
        "filter": stages["filter"],
        "smoother": smoother,
        "contact": _made_together("contact", _all_contacts, system, works, rows.size),
        "filter_correction": {
            "force_correction": partial(rows.made, base_correction, n),
            "modified_innovation": partial(rows.named, "modified_innovation", n),
        },
        "smoother_final": motion_makers(rows, "smoother_final", n) | {"force": partial(rows.made, _final_force, n)},
    }


def _final_force(rows: Array, n_joints: int) -> Array:
    return force_across(rows, n_joints, "smoother_final", base_correction(rows, n_joints))


def _names(stage: str) -> tuple[str, ...]:
    return tuple(name for at, name in registry if at == stage)


def _made_together(stage: str, make: Callable[..., Mapping[str, Array]], *arguments: Any) -> Makers:
    together = ArrayGroup(make, *arguments)
    return {name: partial(together, name) for name in _names(stage)}


def _all_contacts(system: System, works: Work, size: int) -> dict[str, Array]:
    each = [
        contact_stages(system, Work._make(array[first : min(first + AT_ONCE, size)] for array in works))
        for first in range(0, size, AT_ONCE)
    ]
    return {name: _padded([stages[name] for stages in each]) for name in _names("contact")}


def _padded(arrays: list[Array]) -> Array:
    """Concatenate along the first axis; arrays with a shorter last axis are padded with zeros."""
    if not arrays:
        return np.zeros(0)
    longest = max(array.shape[-1] for array in arrays)
    result = np.zeros((sum(map(len, arrays)), *arrays[0].shape[1:-1], longest))
    first = 0
    for array in arrays:
        result[first : first + len(array), ..., : array.shape[-1]] = array
        first += len(array)
    return result


def dual_makers(solve: Callable[[int], Stages], size: int) -> Makers:
    """The second filter of a free flyer, which no acceleration depends on; computed state by state on access."""
    return _made_together("dual_filter", _all_duals, solve, size)


def _all_duals(solve: Callable[[int], Stages], size: int) -> dict[str, Array]:
    each = [solve(number)["dual_filter"] for number in range(size)]
    return {name: np.array([stages[name] for stages in each]) for name in _names("dual_filter")}


def motion_makers(rows: LinkQuantities, stage: str, n_joints: int) -> dict[str, Callable[[], Array]]:
    """The quantities that a smoother sweep computes."""
    return {
        "acceleration": partial(rows.named, f"{stage}.acceleration"),
        "acceleration_inboard": partial(_inboard, rows, stage, n_joints),
        "joint_acceleration": partial(rows.named, f"{stage}.joint_acceleration", n_joints),
    }


def _inboard(rows: LinkQuantities, stage: str, n_joints: int) -> Array:
    array = rows.named(f"{stage}.acceleration_inboard").copy()
    array[:, n_joints:] = 0.0  # nothing is inboard of a floating base
    return array
