"""The solution of a whole batch of states; stages are kept packed, and expanded on first access."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamics.record import NamedValues, Record, frozen, in_a_line
from dynamics.system.solution import Stages
from dynamics.system.system import System

Array = NDArray[np.float64]


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
