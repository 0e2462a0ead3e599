"""Many states of one machine, each closed on what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dynamics.batch.forward_dynamics import forward_dynamics_batch
from dynamics.batch.solution import BatchSolution
from dynamics.checks import Array
from dynamics.errors import SingularConfigurationError
from dynamics.posture.closure import close_packed
from dynamics.record import Record
from dynamics.system.state import State, pose_of
from dynamics.system.system import System

Columns = slice | list[int]


@dataclass(frozen=True, eq=False)
class States:
    """States of one system.

    Attributes:
        system: whose.
        packed: (n, configuration), as ``System.pack`` orders them, or (1, configuration) where all share a posture.
        rates: (n, velocity), or one for all.
        tau: (n, joints), N m or N.
        places: (n,), the row of the study that each came from.
        refused: row -> why it has no state.
    """

    system: System
    packed: Array
    rates: Array
    tau: Array
    places: NDArray[np.int64]
    refused: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tau)

    def part(self, which: slice) -> States:
        """Some of them."""
        packed, rates = (own if len(own) == 1 < len(self) else own[which] for own in (self.packed, self.rates))
        return States(self.system, packed, rates, self.tau[which], self.places[which])

    def state(self, number: int) -> State:
        """One of them."""
        packed, rates = (own[number if len(own) > 1 else 0] for own in (self.packed, self.rates))
        return self.system.unpack(packed, rates)

    def bodies(self) -> dict[str, Array]:
        """Postures and speeds as ``forward_dynamics_batch`` takes them."""
        system, n = self.system, self.system.n_joints
        found = {"q": _one_or_all(self.packed[:, :n]), "qd": _one_or_all(self.rates[:, :n])}
        alone = system.kind == "free_flyer"
        if system.is_floating:
            poses = _poses(self.packed[:, n : n + 7 * system.n_bases].reshape(-1, system.n_bases, 7))
            speeds = self.rates[:, n : n + 6 * system.n_bases].reshape(-1, system.n_bases, 6)
            found |= {"base_pose": _one_or_all(poses[:, 0] if alone else poses)}
            found |= {"base_velocity": _one_or_all(speeds[:, 0] if alone else speeds)}
        if system.task_object is not None:
            found |= {"object_pose": _one_or_all(_poses(self.packed[:, -7:]))}
            found |= {"object_velocity": _one_or_all(self.rates[:, -6:])}
        return found

    def solved(self, keep: bool) -> BatchSolution:
        """All of them solved at once."""
        kept = "stages" if keep else "accelerations"
        return forward_dynamics_batch(self.system, tau=self.tau, keep=kept, **self.bodies())  # type: ignore[arg-type]


def _one_or_all(array: Array) -> Array:
    return array[0] if len(array) == 1 else array


def _poses(coordinates: Array) -> Array:
    """(..., 4, 4) of (..., 7)."""
    flat = coordinates.reshape(-1, 7)
    return np.array([pose_of(one, "body") for one in flat]).reshape(*coordinates.shape[:-1], 4, 4)


@dataclass(frozen=True, eq=False)
class Start(Record):
    """A system, and the state of it that a study varies.

    Attributes:
        system: any.
        state: closed, where an object is held.
    """

    system: System
    state: State

    @cached_property
    def packed(self) -> tuple[Array, Array]:
        """Its configuration and velocity, closed to rounding."""
        x, v = self.system.pack(self.state)
        if self.system.is_held:
            close_packed(self.system, x, v)
        return x, v

    @cached_property
    def closing(self) -> Array | None:
        """(velocity, velocity): what the grips leave of each rate alone, in this posture; None of no grip."""
        if not self.system.is_held:
            return None
        x, v = self.packed
        rows = np.eye(len(v))
        for row in rows:
            close_packed(self.system, x.copy(), row)
        return rows

    def varied(self, columns: Mapping[str, tuple[Columns, Array]], places: NDArray[np.int64]) -> States:
        """The states that rows describe.

        Args:
            columns: of ``q``, ``qd`` and ``tau`` which joints vary, and their values in each row.
            places: (n,) of the rows.

        Raises:
            SingularConfigurationError: if the arms cannot reach what they hold, whatever varies.
        """
        n, size = self.system.n_joints, len(places)
        x, v = self.packed
        packed, rates, tau = x[None], v[None], np.zeros((size, n))
        if "q" in columns:
            packed = _with(x, *columns["q"])
        if "qd" in columns:
            rates = _with(v, *columns["qd"])
        if "tau" in columns:
            tau = _with(np.zeros(n), *columns["tau"])
        packed[:, :n] = self.system.couplings.followed(packed[:, :n])
        rates[:, :n] = self.system.couplings.rates(rates[:, :n])
        if self.system.is_held and "q" in columns:
            return self._closed(packed, np.tile(rates, (size // len(rates), 1)), tau, places)
        if "qd" in columns and self.closing is not None:
            rates = rates @ self.closing
        return States(self.system, packed, rates, tau, places)

    def _closed(self, packed: Array, rates: Array, tau: Array, places: NDArray[np.int64]) -> States:
        """Each by itself; those that cannot close are left out."""
        refused: dict[int, str] = {}
        good = np.ones(len(places), dtype=bool)
        for at, place in enumerate(places.tolist()):
            try:
                close_packed(self.system, packed[at], rates[at])
            except SingularConfigurationError as error:
                good[at], refused[place] = False, str(error)
        return States(self.system, packed[good], rates[good], tau[good], places[good], refused)


def run(places: list[int]) -> Columns:
    """The same as a slice, where they follow each other: NumPy then copies rows, not numbers."""
    first, last = places[0], places[-1] + 1
    return slice(first, last) if places == list(range(first, last)) else places


def _with(own: Array, joints: Columns, values: Array) -> Array:
    """(rows, length of ``own``), with other values for some joints."""
    found = np.empty((len(values), len(own)))
    found[:] = own
    found[:, joints] = values
    return found
