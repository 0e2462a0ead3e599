"""The stages of a batch, out of the blocks that the kernel wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dynamics.batch_layout import (
    ACCELERATION,
    ACCELERATION_INBOARD,
    ARTICULATED_INERTIA,
    ARTICULATED_INERTIA_UPDATED,
    CORRECTED_FORCE,
    COSTATE_COVARIANCE,
    FORCE,
    INNOVATION,
    JOINT_ACCELERATION,
    JOINT_INERTIA,
    KALMAN_GAIN,
    PREDICTED_FORCE,
    RESIDUAL,
    ROW,
)
from dynamics.batch_solution import LazyArrays
from dynamics.lanes import LANES
from dynamics.spatial import expand_symmetric

Array = NDArray[np.float64]
Makers = Mapping[str, Callable[[], Array]]


class Blocks:
    """A kept table [block][link][field][lane], read by field."""

    def __init__(self, flat: Array, n_links: int, size: int) -> None:
        blocks = -(-size // LANES)
        self._table = flat[: blocks * n_links * ROW].reshape(blocks, n_links, ROW // LANES, LANES)
        self._size = size

    def fields(self, offset: int, count: int, links: int | None = None) -> Array:
        """(states, links, count)."""
        at = offset // LANES
        part = self._table[:, :links, at : at + count].transpose(0, 3, 1, 2)
        return part.reshape(-1, part.shape[2], count)[: self._size]

    def number(self, offset: int, links: int) -> Array:
        """(states, links)."""
        return self.fields(offset, 1, links)[..., 0]

    def symmetric(self, offset: int) -> Array:
        """(states, links, 6, 6)."""
        return expand_symmetric(self.fields(offset, 21))


def filter_makers(rows: Blocks, n_joints: int) -> dict[str, Makers]:
    """The stages ``filter`` and ``smoother``."""
    return {
        "filter": {
            "articulated_inertia": lambda: rows.symmetric(ARTICULATED_INERTIA),
            "articulated_inertia_updated": lambda: rows.symmetric(ARTICULATED_INERTIA_UPDATED),
            "joint_inertia": lambda: rows.number(JOINT_INERTIA, n_joints),
            "kalman_gain": lambda: rows.fields(KALMAN_GAIN, 6, n_joints),
            "predicted_force": lambda: rows.fields(PREDICTED_FORCE, 6),
            "corrected_force": lambda: rows.fields(CORRECTED_FORCE, 6),
            "innovation": lambda: rows.number(INNOVATION, n_joints),
            "residual": lambda: rows.number(RESIDUAL, n_joints),
        },
        "smoother": motion_makers(rows, n_joints) | {"costate_covariance": lambda: rows.symmetric(COSTATE_COVARIANCE)},
    }


def motion_makers(rows: Blocks, n_joints: int) -> dict[str, Callable[[], Array]]:
    """What a smoother sweep finds."""
    return {
        "acceleration": lambda: rows.fields(ACCELERATION, 6),
        "acceleration_inboard": lambda: rows.fields(ACCELERATION_INBOARD, 6),
        "joint_acceleration": lambda: rows.number(JOINT_ACCELERATION, n_joints),
        "force": lambda: rows.fields(FORCE, 6),
    }


def lazy_stages(makers: Mapping[str, Makers]) -> Mapping[str, LazyArrays]:
    """Stage name -> quantity name -> array, each laid out when it is first looked at."""
    return MappingProxyType({stage: LazyArrays(quantities) for stage, quantities in makers.items()})
