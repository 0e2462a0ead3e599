"""What a caller passes for a whole batch, checked: which argument of which state is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import ROTATION_TOLERANCE
from dynamics.errors import StateError
from dynamics.system import System

Array = NDArray[np.float64]
Forces = Mapping[str, ArrayLike] | ArrayLike | None


class BatchInputs(NamedTuple):
    """Checked arguments. Each has a leading axis for the states, or holds for all of them without one."""

    size: int  # states
    q: Array
    qd: Array
    tau: Array
    base_pose: Array | None  # (..., bases, 4, 4), rotations brought back to the group
    base_velocity: Array | None  # (..., bases, 6)
    object_pose: Array | None
    object_velocity: Array | None
    wrench: Array  # (..., links + 1, 6)
    pushed: bool  # whether external forces were given


class _Reader:
    """Reads arguments of one state each or of all states, and notes how many states they are for."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}

    def read(self, value: ArrayLike | None, shape: tuple[int, ...], name: str) -> Array:
        """A contiguous float64 array of ``shape`` or with a leading axis, finite; zero for None."""
        if value is None:
            return np.zeros(shape)
        expected = f"shape {shape} or ({', '.join(['batch', *map(str, shape)])})"
        try:
            array = np.ascontiguousarray(value, dtype=np.float64)
        except (TypeError, ValueError) as cause:
            raise StateError(f"{name}: expected numbers of {expected}, got {value!r}.") from cause
        batched = array.ndim == len(shape) + 1 and array.shape[1:] == shape
        if not batched and np.shape(value) != shape:
            raise StateError(f"{name}: expected {expected}, got {np.shape(value)}.")
        if batched:
            self._sizes[name] = len(array)
        if not np.isfinite(array).all():
            index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
            raise StateError(
                f"{_state(index, batched)}{name}: entry {list(index[batched:])} is {array[index]}; every entry must be "
                "a finite number."
            )
        return array

    def poses(self, value: ArrayLike, shape: tuple[int, ...], name: str) -> Array:
        """Poses with their rotations brought back to the group."""
        array = self.read(value, shape, name)
        rotation = array[..., :3, :3]
        gap = np.abs(np.swapaxes(rotation, -1, -2) @ rotation - np.eye(3)).max(axis=(-1, -2))
        last = np.abs(array[..., 3, :] - (0.0, 0.0, 0.0, 1.0)).max(axis=-1)
        bad = np.argwhere((gap > ROTATION_TOLERANCE) | (last > ROTATION_TOLERANCE) | (np.linalg.det(rotation) < 0.0))
        if len(bad):
            index = tuple(int(i) for i in bad[0])
            batched = array.ndim > len(shape)
            raise StateError(
                f"{_state(index, batched)}{name}{''.join(f'[{i}]' for i in index[batched:])}: expected a pose, that is "
                f"a right-handed rotation above a last row (0, 0, 0, 1); got {array[index].tolist()}."
            )
        # Two steps of Newton's method to the nearest rotation: each squares the gap.
        for _ in range(2):
            rotation = rotation @ (1.5 * np.eye(3) - 0.5 * np.swapaxes(rotation, -1, -2) @ rotation)
        array = array.copy()
        array[..., :3, :3] = rotation
        return array

    def wrench(self, system: System, forces: Forces) -> Array:
        """(..., links + 1, 6) of external forces as ``forward_dynamics`` takes them."""
        shape = (system.n_links + 1, 6)
        if not isinstance(forces, Mapping):
            return self.read(forces, shape, "external_forces")
        index = {name: k for k, name in enumerate(system.link_names)}
        if system.task_object is not None:
            index["object"] = system.n_links
        given = {}
        for name, value in forces.items():
            if name not in index:
                raise StateError(f"external_forces: there is no {name!r}; expected one of {', '.join(index)}.")
            given[name] = self.read(value, (6,), f"external_forces[{name!r}]")
        several = any(value.ndim == 2 for value in given.values())
        wrench = np.zeros((self.size, *shape) if several else shape)
        for name, value in given.items():
            wrench[..., index[name], :] = value
        return wrench

    @property
    def size(self) -> int:
        if len(set(self._sizes.values())) > 1:
            told = ", ".join(f"{name} has {size}" for name, size in self._sizes.items())
            raise StateError(f"the arguments are for batches of different lengths: {told}.")
        return next(iter(self._sizes.values()), 1)


def _state(index: Sequence[int], batched: bool) -> str:
    return f"state {index[0]} of the batch: " if batched else ""


def batch_inputs(
    system: System,
    joints: Mapping[str, ArrayLike | None],
    bodies: Mapping[str, ArrayLike | None],
    external_forces: Forces,
) -> BatchInputs:
    """The arguments of ``forward_dynamics_batch``, checked and defaulted; a batch of one if none has a leading axis.

    Raises:
        StateError: naming the argument, and the state if it has one.
    """
    reader = _Reader()
    vectors = {name: reader.read(value, (system.n_joints,), name) for name, value in joints.items()}
    read: dict[str, Array | None] = {}
    lone_base = system.kind == "free_flyer"
    bases: tuple[int, ...] = () if lone_base else (system.n_bases,)
    floating = system.base_poses[list(system.floating)]
    for name, value in bodies.items():
        of_base = name.startswith("base")
        if not (system.is_floating if of_base else system.task_object is not None):
            if value is not None:
                lacks = "floating base" if of_base else "task object"
                raise StateError(f"{name} was given, but this system has no {lacks}.")
            read[name] = None
        elif name.endswith("velocity"):
            read[name] = reader.read(value, (*bases, 6) if of_base else (6,), name)
        elif value is not None:
            read[name] = reader.poses(value, (*bases, 4, 4) if of_base else (4, 4), name)
        else:
            read[name] = (floating[0] if lone_base else floating) if of_base else np.eye(4)
    wrench = reader.wrench(system, external_forces)
    return BatchInputs(size=reader.size, wrench=wrench, pushed=external_forces is not None, **vectors, **read)  # type: ignore[arg-type]
