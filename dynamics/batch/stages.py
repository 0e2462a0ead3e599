"""The stages of a batch, out of the blocks that the kernel wrote."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dynamics.batch.contacts import ContactBatch, work_of
from dynamics.batch.layout import (
    ACCELERATION,
    ACCELERATION_INBOARD,
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    COSTATE_COVARIANCE,
    FIRST_MOTION,
    FIRST_MOTION_WIDTH,
    FORCE,
    FORCE_CORRECTION,
    INNOVATION,
    JOINT_ACCELERATION,
    JOINT_INERTIA,
    KALMAN_GAIN,
    MODIFIED_INNOVATION,
    PREDICTED_FORCE,
    RESIDUAL,
    ROW,
)
from dynamics.batch.solution import LazyArrays
from dynamics.numbers.spatial import expand_symmetric
from dynamics.numbers.state_lanes import LANES
from dynamics.recursion.contact_prediction import contact_stages
from dynamics.system.registry import REGISTRY as registry
from dynamics.system.solution import Stages
from dynamics.system.system import System

Array = NDArray[np.float64]
Makers = Mapping[str, Callable[[], Array]]


class Blocks:
    """A kept table [block][link][field][lane], read by field."""

    def __init__(self, kept: Array, n_links: int, size: int, row: int = ROW) -> None:
        self._table = kept.reshape(-(-size // LANES), n_links, row // LANES, LANES)
        self.size = size

    def fields(self, offset: int, count: int, links: int | None = None) -> Array:
        """(states, links, count)."""
        at = offset // LANES
        part = self._table[:, :links, at : at + count].transpose(0, 3, 1, 2)
        return part.reshape(-1, part.shape[2], count)[: self.size]

    def number(self, offset: int, links: int | None = None) -> Array:
        """(states, links)."""
        return self.fields(offset, 1, links)[..., 0]

    def symmetric(self, offset: int) -> Array:
        """(states, links, 6, 6)."""
        return expand_symmetric(self.fields(offset, 21))


def filter_makers(rows: Blocks, n_joints: int) -> dict[str, Makers]:
    """The stages ``filter`` and ``smoother``."""

    def updated() -> Array:
        """R87 (43): P+ = P - G D G'."""
        gain, d = rows.fields(KALMAN_GAIN, 6), rows.number(JOINT_INERTIA)[..., None, None]
        return rows.symmetric(ARTICULATED_INERTIA) - gain[..., None] * d * gain[..., None, :]

    def corrected() -> Array:
        """R87 (41): z+ = z + G eps."""
        return rows.fields(PREDICTED_FORCE, 6) + rows.fields(KALMAN_GAIN, 6) * rows.number(INNOVATION)[..., None]

    return {
        "filter": {
            "articulated_inertia": lambda: rows.symmetric(ARTICULATED_INERTIA),
            "articulated_inertia_updated": lambda: _of_joints(updated(), n_joints),
            "joint_inertia": lambda: rows.number(JOINT_INERTIA, n_joints),
            "kalman_gain": lambda: rows.fields(KALMAN_GAIN, 6, n_joints),
            "predicted_force": lambda: rows.fields(PREDICTED_FORCE, 6),
            "corrected_force": lambda: _of_joints(corrected(), n_joints),
            "innovation": lambda: rows.number(INNOVATION, n_joints),
            "residual": lambda: rows.number(RESIDUAL, n_joints),
        },
        "smoother": motion_makers(rows, n_joints)
        | {
            "costate_covariance": lambda: rows.symmetric(COSTATE_COVARIANCE),
            "force": lambda: rows.fields(FORCE, 6),
        },
    }


def held_makers(system: System, rows: Blocks, firsts: Array, hold: ContactBatch) -> dict[str, Makers]:
    """The stages of a held system; its blocks hold the second smoother sweep, ``firsts`` the first."""
    n = system.n_joints
    first = Blocks(firsts.reshape(-1), system.n_links, rows.size, FIRST_MOTION_WIDTH)
    stages = filter_makers(rows, n)
    filtered = dict(stages["filter"])
    filtered["residual"] = lambda: first.number(RESIDUAL - FIRST_MOTION, n)
    smoothed = {
        "acceleration": lambda: first.fields(ACCELERATION - FIRST_MOTION, 6),
        "acceleration_inboard": lambda: _of_joints(first.fields(ACCELERATION_INBOARD - FIRST_MOTION, 6), n),
        "joint_acceleration": lambda: first.number(JOINT_ACCELERATION - FIRST_MOTION, n),
        "costate_covariance": stages["smoother"]["costate_covariance"],
    }

    def force() -> Array:
        """x = z + dz + P (alpha - a); R87 (34)."""
        alpha = rows.fields(ACCELERATION, 6) - rows.fields(BIAS_ACCELERATION, 6)
        through = np.einsum("bkij,bkj->bki", rows.symmetric(ARTICULATED_INERTIA), alpha)
        return rows.fields(PREDICTED_FORCE, 6) + rows.fields(FORCE_CORRECTION, 6) + through

    return {
        "filter": filtered,
        "smoother": smoothed,
        "contact": contact_makers(system, hold, rows.size),
        "filter_correction": {
            "force_correction": lambda: rows.fields(FORCE_CORRECTION, 6),
            "modified_innovation": lambda: rows.number(MODIFIED_INNOVATION, n),
        },
        "smoother_final": motion_makers(rows, n) | {"force": force},
    }


def _names(stage: str) -> tuple[str, ...]:
    return tuple(name for at, name in registry if at == stage)


def contact_makers(system: System, hold: ContactBatch, size: int) -> Makers:
    """The contact stage, state by state out of the kept work of the contacts."""

    @functools.cache
    def whole() -> dict[str, Array]:
        each = [contact_stages(system, work_of(hold, np.zeros((0, 6)), number, 0)) for number in range(size)]
        return {name: _padded([stages[name] for stages in each]) for name in _names("contact")}

    def maker(name: str) -> Callable[[], Array]:
        return lambda: whole()[name]

    return {name: maker(name) for name in _names("contact")}


def _padded(arrays: list[Array]) -> Array:
    """Arrays of one shape but for their last axis, stacked; shorter ones end in zeros."""
    if not arrays:
        return np.zeros(0)
    longest = max(array.shape[-1] for array in arrays)
    result = np.zeros((len(arrays), *arrays[0].shape[:-1], longest))
    for number, array in enumerate(arrays):
        result[number, ..., : array.shape[-1]] = array
    return result


def dual_makers(solve: Callable[[int], Stages], size: int) -> Makers:
    """The second filter of a free flyer, which no acceleration waits for: state by state when it is looked at."""

    @functools.cache
    def whole() -> dict[str, Array]:
        each = [solve(number)["dual_filter"] for number in range(size)]
        return {name: np.array([stages[name] for stages in each]) for name in _names("dual_filter")}

    def maker(name: str) -> Callable[[], Array]:
        return lambda: whole()[name]

    return {name: maker(name) for name in _names("dual_filter")}


def motion_makers(rows: Blocks, n_joints: int) -> dict[str, Callable[[], Array]]:
    """What a smoother sweep finds."""
    return {
        "acceleration": lambda: rows.fields(ACCELERATION, 6),
        "acceleration_inboard": lambda: _of_joints(rows.fields(ACCELERATION_INBOARD, 6), n_joints),
        "joint_acceleration": lambda: rows.number(JOINT_ACCELERATION, n_joints),
    }


def _of_joints(array: Array, n_joints: int) -> Array:
    """Zero for the links behind the joints: a floating base has nothing to correct."""
    array = array.copy()
    array[:, n_joints:] = 0.0
    return array


def lazy_stages(makers: Mapping[str, Makers]) -> Mapping[str, LazyArrays]:
    """Stage name -> quantity name -> array, each laid out when it is first looked at."""
    return MappingProxyType({stage: LazyArrays(quantities) for stage, quantities in makers.items()})
