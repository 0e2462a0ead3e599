"""Checks the arguments for a whole batch; an error names the argument and the state that is wrong."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import ROTATION_TOLERANCE, Array, brief, choices, real_array
from dynamics.errors import StateError
from dynamics.solve.batch_kernel import Inputs
from dynamics.solve.forward_dynamics import Forces
from dynamics.system.joint_vectors import JointValues, Order, tip_first
from dynamics.system.plain_kinematics import wrench_row
from dynamics.system.state import rows_of_poses
from dynamics.system.system import System

WRITABLE: tuple[Literal["C"], Literal["W"]] = ("C", "W")
"""Array layout and access that kernels are compiled for. A read-only array, as in a state, has another type."""


class BatchInputs(NamedTuple):
    """Checked arguments. Each has a leading axis for the states; without one it holds for all of them."""

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
    """Reads arguments given once or for every state, and notes the number of states."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}

    def read(self, value: ArrayLike | None, shape: tuple[int, ...], name: str, check: bool = True) -> Array:
        """A contiguous float64 array of ``shape`` or with a leading axis; zero for None. ``check`` refuses infinity."""
        if value is None:
            return np.zeros(shape)
        expected = _expected(shape)
        given = real_array(value, f"numbers of {expected}", name)
        batched = given.ndim == len(shape) + 1 and given.shape[1:] == shape
        if not batched and given.shape != shape:  # before it is copied: a view of one number may be of any size
            raise StateError(f"{name}: expected {expected}, got {given.shape}.")
        array = np.require(given, np.float64, WRITABLE)
        if batched:
            self._sizes[name] = len(array)
        if check and not np.isfinite(array).all():
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
        good = (gap <= ROTATION_TOLERANCE) & (last <= ROTATION_TOLERANCE) & (np.linalg.det(rotation) >= 0.0)
        bad = np.argwhere(~good)
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
        given = {
            wrench_row(system, name, "external_forces"): self.read(value, (6,), f"external_forces[{brief(name)}]")
            for name, value in forces.items()
        }
        several = any(value.ndim == 2 for value in given.values())
        wrench = np.zeros((self.size, *shape) if several else shape)
        for row, value in given.items():
            wrench[..., row, :] = value
        return wrench

    @property
    def size(self) -> int:
        if len(set(self._sizes.values())) > 1:
            sizes = ", ".join(f"{name} has {size}" for name, size in self._sizes.items())
            raise StateError(f"the arguments are for batches of different lengths: {sizes}.")
        return next(iter(self._sizes.values()), 1)


@functools.cache
def _expected(shape: tuple[int, ...]) -> str:
    return f"shape {shape} or ({choices(['batch', *map(str, shape)])})"


def _state(index: Sequence[int], batched: bool) -> str:
    return f"state {index[0]} of the batch: " if batched else ""


def batch_inputs(
    system: System,
    joints: Mapping[str, JointValues | None],
    bodies: Mapping[str, ArrayLike | None],
    external_forces: Forces,
    order: Order = "tip",
) -> BatchInputs:
    """The arguments of ``forward_dynamics_batch``, checked and defaulted; a batch of one if none has a leading axis."""
    reader = _Reader()
    # Joint vectors are not searched: non-finite entries show in the accelerations.
    given = {name: None if value is None else tip_first(system, value, name, order) for name, value in joints.items()}
    vectors = {name: reader.read(value, (system.n_joints,), name, check=False) for name, value in given.items()}
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


def kernel_inputs(system: System, inputs: BatchInputs) -> Inputs:
    """The inputs as flat arrays for compiled code."""
    size, bases, n = inputs.size, system.n_bases, system.n_joints
    vectors = inputs.q, inputs.qd, inputs.tau
    if inputs.base_pose is None or inputs.base_velocity is None:
        pose, velocity = np.zeros((0, 4, 4)), np.zeros((0, 6))
    else:
        several = system.kind != "free_flyer"
        pose = _of_all(inputs.base_pose, size, 2 + several).reshape(-1, 4, 4)
        velocity = _of_all(inputs.base_velocity, size, 1 + several).reshape(-1, 6)
    return Inputs(
        q=inputs.q.ravel(),
        qd=inputs.qd.ravel(),
        tau=inputs.tau.ravel(),
        steps=np.array([*(n * (each.ndim > 1) for each in vectors), inputs.wrench.ndim > 2], dtype=np.int64),
        base_rotation=np.ascontiguousarray(pose[:, :3, :3]).reshape(size * bases, 9),
        base_position=np.ascontiguousarray(pose[:, :3, 3]),
        base_velocity=velocity,
        wrench=inputs.wrench.reshape(-1, system.n_links + 1, 6),
        pushed=inputs.pushed,
    )


def _of_all(array: Array, size: int, dimensions: int) -> Array:
    """The argument with a leading axis for the states, whether it had one or not."""
    if array.ndim > dimensions:
        return array
    return np.require(np.broadcast_to(array, (size, *array.shape)), requirements=WRITABLE)


def packed_states(system: System, inputs: BatchInputs) -> tuple[Array, Array]:
    """(states, configuration) and (states, velocity), packed as ``System.pack`` does."""
    n, size = system.n_joints, inputs.size
    x, v = np.empty((size, system.n_configuration)), np.empty((size, system.n_velocity))
    x[:, :n], v[:, :n] = inputs.q, inputs.qd
    if not size:
        return x, v
    places = (system.n_velocity - n) // 6
    poses, speeds = np.empty((size, places, 4, 4)), v[:, n:]
    if inputs.base_pose is not None and inputs.base_velocity is not None:
        poses[:, : system.n_bases] = inputs.base_pose.reshape(-1, system.n_bases, 4, 4)
        speeds[:, : 6 * system.n_bases] = inputs.base_velocity.reshape(-1, 6 * system.n_bases)
    if inputs.object_pose is not None and inputs.object_velocity is not None:
        poses[:, -1], speeds[:, -6:] = inputs.object_pose, inputs.object_velocity
    x[:, n:] = rows_of_poses(poses).reshape(size, -1)
    return x, v


def objects_in_flight(system: System, inputs: BatchInputs) -> Array:
    """alpha_b = -M^-1(C) b(C) of an object that is not held, (states, 6); b(C) = [w x I w - T; -F - m g]."""
    payload, pose, velocity = system.task_object, inputs.object_pose, inputs.object_velocity
    assert payload is not None and pose is not None and velocity is not None
    rotation, omega, push = pose[..., :3, :3], velocity[..., :3], inputs.wrench[..., -1, :]
    inertia = rotation @ payload.inertia @ np.swapaxes(rotation, -1, -2)
    moment = push[..., :3] - np.cross(omega, np.einsum("...ij,...j->...i", inertia, omega))
    found = np.empty((inputs.size, 6))
    found[:, :3] = np.linalg.solve(inertia, moment[..., None])[..., 0]
    found[:, 3:] = push[..., 3:] / payload.mass + system.gravity
    return found
