"""Forward dynamics of thousands of states of one system at once."""

from __future__ import annotations

from typing import Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.batch_inputs import BatchInputs, Forces, batch_inputs
from dynamics.batch_kernel import Inputs, solve_batch, solve_batch_and_keep
from dynamics.batch_layout import ROW
from dynamics.batch_model import batch_model
from dynamics.batch_solution import BatchSolution
from dynamics.batch_stages import Blocks, filter_makers, lazy_stages
from dynamics.errors import ModelError, StateError
from dynamics.forward_dynamics import forward_dynamics
from dynamics.lanes import LANES
from dynamics.state import State
from dynamics.system import System

Array = NDArray[np.float64]
KEEP = ("accelerations", "stages")


def forward_dynamics_batch(
    system: System,
    q: ArrayLike | None = None,
    qd: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    keep: Literal["accelerations", "stages"] = "accelerations",
    *,
    base_pose: ArrayLike | None = None,
    base_velocity: ArrayLike | None = None,
    object_pose: ArrayLike | None = None,
    object_velocity: ArrayLike | None = None,
    external_forces: Forces = None,
) -> BatchSolution:
    """How a system accelerates in each of many states: ``forward_dynamics`` by ``filter_smoother``, state by state.

    Every argument is that of ``System.state`` or ``forward_dynamics`` with a leading axis for the states; without
    one it holds for all of them, and left out it is zero or neutral. Eight states run side by side in the lanes
    of a vector register through R87 (35)-(47), R88 Section 9 and JR Algorithm 3.

    Args:
        q, qd, tau: (batch, joints) or (joints,).
        keep: ``stages`` keeps every stage of every link too, 115 numbers a link and state; ``accelerations``
            needs memory for the answer and for one block of eight states only.
        base_pose, base_velocity: (batch, 4, 4) and (batch, 6) of a free flyer; (batch, bases, 4, 4) and
            (batch, bases, 6) of several floating bases.
        object_pose, object_velocity: (batch, 4, 4) and (batch, 6).
        external_forces: as in ``forward_dynamics``; each wrench may have the leading axis.

    Raises:
        StateError: for wrong shapes or lengths, numbers that are not finite, or a state more than 1e-6 off the
            closure; the message says which state of the batch.
        ModelError: for an unknown ``keep``, or a joint that moves no inertia.
        SingularConfigurationError: if no contact force can close the chain in some state.

    Cost: linear in states and links, plus cubic in the number of contact directions for each state.
    """
    if keep not in KEEP:
        raise ModelError(f"keep: expected one of {', '.join(KEEP)}, got {keep!r}.")
    joints = {"q": q, "qd": qd, "tau": tau}
    bodies = {
        "base_pose": base_pose,
        "base_velocity": base_velocity,
        "object_pose": object_pose,
        "object_velocity": object_velocity,
    }
    return solve(system, batch_inputs(system, joints, bodies, external_forces), keep == "stages")


def kernel_inputs(system: System, inputs: BatchInputs) -> Inputs:
    """The same as flat arrays for compiled code."""
    size, bases = inputs.size, system.n_bases
    n = system.n_joints

    def step(array: Array, dimensions: int, length: int) -> int:
        return length if array.ndim > dimensions else 0

    if inputs.base_pose is None or inputs.base_velocity is None:
        pose, velocity = np.zeros((0, 4, 4)), np.zeros((0, 6))
    else:
        several = system.kind != "free_flyer"
        pose = _of_all(inputs.base_pose, size, 2 + several).reshape(-1, 4, 4)
        velocity = _of_all(inputs.base_velocity, size, 1 + several).reshape(-1, 6)
    wrench = inputs.wrench.reshape(-1, system.n_links + 1, 6)
    return Inputs(
        q=inputs.q.ravel(),
        qd=inputs.qd.ravel(),
        tau=inputs.tau.ravel(),
        steps=np.array(
            [step(inputs.q, 1, n), step(inputs.qd, 1, n), step(inputs.tau, 1, n), step(inputs.wrench, 2, 1)],
            dtype=np.int64,
        ),
        base_rotation=np.ascontiguousarray(pose[:, :3, :3]).reshape(size * bases, 9),
        base_position=np.ascontiguousarray(pose[:, :3, 3]),
        base_velocity=velocity,
        wrench=wrench,
        pushed=inputs.pushed,
    )


def _of_all(array: Array, size: int, dimensions: int) -> Array:
    """A leading axis for the states, whether the argument had one or not."""
    if array.ndim > dimensions:
        return array
    return np.ascontiguousarray(np.broadcast_to(array, (size, *array.shape)))


def solve(system: System, inputs: BatchInputs, keep: bool) -> BatchSolution:
    tables = system.tables
    n, size = system.n_joints, inputs.size
    accelerations, bases = np.empty((size, n)), np.empty((size, system.n_bases, 6))
    constants, _ = batch_model(system)
    arguments = (tables.tree, tables.model, constants, tables.gravity, kernel_inputs(system, inputs), n)
    if keep:
        rows = -(-size // LANES) * system.n_links + 1
        blocks = np.empty(rows * ROW)
        failed = solve_batch_and_keep(*arguments, accelerations, bases, blocks)
        makers = filter_makers(Blocks(blocks, system.n_links, size), n)
    else:
        failed = solve_batch(*arguments, accelerations, bases)
        makers = {}
    if failed >= 0:
        raise_for(system, inputs, failed)
    return BatchSolution(
        system=system,
        joint_acceleration=accelerations,
        base_acceleration=_of_bases(system, bases),
        object_acceleration=None,
        contact_force=None,
        stages=lazy_stages(makers),
    )


def state_of(system: System, inputs: BatchInputs, number: int) -> tuple[State, Array, Array]:
    """One state of the batch, its torques and its external wrenches."""

    def one(array: Array | None, dimensions: int) -> Array | None:
        return array if array is None or array.ndim == dimensions else array[number]

    several = system.is_floating and system.kind != "free_flyer"
    state = system.state(
        q=one(inputs.q, 1),
        qd=one(inputs.qd, 1),
        base_pose=one(inputs.base_pose, 2 + several),
        base_velocity=one(inputs.base_velocity, 1 + several),
        object_pose=one(inputs.object_pose, 2),
        object_velocity=one(inputs.object_velocity, 1),
    )
    tau, wrench = one(inputs.tau, 1), one(inputs.wrench, 2)
    assert tau is not None
    assert wrench is not None
    return state, tau, wrench


def _of_bases(system: System, accelerations: Array) -> Array | None:
    if not system.is_floating:
        return None
    return accelerations[:, 0] if system.kind == "free_flyer" else accelerations


def raise_for(system: System, inputs: BatchInputs, first: int) -> NoReturn:
    """Say what is wrong with the first bad state of the block that starts at ``first``."""
    for number in range(first, min(first + LANES, inputs.size)):
        try:
            state, tau, wrench = state_of(system, inputs, number)
            forward_dynamics(system, state, tau, external_forces=wrench)
        except ValueError as error:
            raise type(error)(f"state {number} of the batch: {error}") from error
    raise StateError(
        f"a state of the batch between {first} and {min(first + LANES, inputs.size) - 1}: the accelerations are not "
        "finite, or a joint moves no inertia."
    )
