"""Forward dynamics of thousands of states of one system at once."""

from __future__ import annotations

import copy
from functools import partial
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, choices, is_among
from dynamics.compiler.arena import aligned_zeros
from dynamics.compiler.callback import address_of
from dynamics.errors import ModelError, StateError
from dynamics.public import public_as_computed
from dynamics.record import frozen
from dynamics.recursion.filter_smoother import filter_and_smooth
from dynamics.solve.batch_inputs import BatchInputs, batch_inputs, kernel_inputs, objects_in_flight, packed_states
from dynamics.solve.batch_kernel import held_room, solve_batch, solve_held_batch
from dynamics.solve.batch_solution import (
    BatchSolution,
    LazyArrays,
    LinkQuantities,
    Makers,
    dual_makers,
    filter_makers,
    held_makers,
)
from dynamics.solve.forward_dynamics import CLOSURE_TOLERANCE, Forces, forward_dynamics
from dynamics.spatial.sine_cosine import LARGEST_ANGLE
from dynamics.spatial.state_lanes import LANES
from dynamics.system.couplings import Ties, coupled_torque
from dynamics.system.joint_vectors import JointValues, Order
from dynamics.system.layout import BLOCK_WIDTH, KEPT_WIDTH
from dynamics.system.loops import require_loops_closed, ties_of
from dynamics.system.solution import Stages
from dynamics.system.system import System
from dynamics.system.tables import of_state

KEEP = ("accelerations", "stages")


@public_as_computed
def forward_dynamics_batch(
    system: System,
    q: JointValues | None = None,
    qd: JointValues | None = None,
    tau: JointValues | None = None,
    keep: Literal["accelerations", "stages"] = "accelerations",
    *,
    base_pose: ArrayLike | None = None,
    base_velocity: ArrayLike | None = None,
    object_pose: ArrayLike | None = None,
    object_velocity: ArrayLike | None = None,
    external_forces: Forces = None,
    order: Order = "tip",
) -> BatchSolution:
    """How a system accelerates in each of many states: ``forward_dynamics`` by ``filter_smoother``, state by state.

    Every argument is that of ``System.state`` or ``forward_dynamics`` with a leading axis for the states; without
    one it holds for all of them; by default it is zero or neutral. If no object is held, eight states run side
    by side in the lanes of a vector register through R87 (35)-(47) and JR Algorithm 3.

    Args:
        system: any system.
        q: (batch, joints) or (joints,), rad or m, tip to base; or by the joints' names, each (batch,) or a number.
        qd: the joint rates, in the same form.
        tau: in the same form, N m or N.
        keep: ``stages`` also keeps every stage of every link, 76 numbers per link and state, twice as many if an
            object is held; ``accelerations`` needs memory for the answer and for one block of eight states only.
        base_pose: (batch, 4, 4) of a free flyer, world <- root link; (batch, bases, 4, 4) of several floating bases.
        base_velocity: (batch, 6) or (batch, bases, 6), [angular; linear], inertial axes.
        object_pose: (batch, 4, 4), world <- object.
        object_velocity: (batch, 6) at the mass centre, inertial axes.
        external_forces: as in ``forward_dynamics``; each wrench may have the leading axis.
        order: ``base`` if the arrays q, qd and tau run from base to tip; or the joints' names in the arrays' order.

    Returns:
        The quantities of a ``Solution`` with a leading axis for the states.

    Raises:
        StateError: for wrong shapes or lengths, numbers that are not finite, or a state more than 1e-6 off the
            closure; the message says which state of the batch.
        ModelError: for an unknown ``keep``, or a joint that moves no inertia.
        SingularConfigurationError: if no contact force can close the chain in some state.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> dyn.forward_dynamics_batch(system, q=np.zeros((64, 7)), keep="stages")
        BatchSolution(64 states, 7 joints, stages filter, smoother)

    Cost: linear in states and links, plus cubic in the number of contact directions for each state.
    """
    if not is_among(keep, KEEP):
        raise ModelError(f"keep: expected one of {choices(KEEP)}, got {brief(keep)}.")
    joints = {"q": q, "qd": qd, "tau": tau}
    bodies = {"base_pose": base_pose, "base_velocity": base_velocity}
    bodies |= {"object_pose": object_pose, "object_velocity": object_velocity}
    inputs = batch_inputs(system, joints, bodies, external_forces, order)
    if system.couplings.are_some:
        inputs = _coupled(system, inputs)
    return _solve(system, inputs, keep == "stages")


def _coupled(system: System, inputs: BatchInputs) -> BatchInputs:
    """The same, with coupled joints placed by their leaders, under the torques that maintain every coupling."""
    couplings = system.couplings
    inputs = inputs._replace(q=couplings.followed(inputs.q), qd=couplings.rates(inputs.qd))

    def solve(tau: Array) -> tuple[Array, Array]:
        found = _solve(system, inputs._replace(tau=tau), True)
        return found.joint_acceleration, found.stages["filter"]["joint_inertia"]

    tau, q, qd = (np.broadcast_to(each, (inputs.size, system.n_joints)) for each in (inputs.tau, inputs.q, inputs.qd))
    ties = _ties(system, q, qd)
    inputs = inputs._replace(tau=coupled_torque(ties, tau, solve))
    answer, inertia = solve(inputs.tau)
    least = max(np.abs(inputs.tau / inertia).max(initial=0.0), np.abs(system.gravity).max())
    couplings.require(system.joint_names, ties, answer, least)
    return inputs


def _ties(system: System, q: Array, qd: Array) -> Ties:
    """The ties of each state; a loop does not depend on the pose or velocity of a base."""
    if not system.loops:
        return Ties(system.couplings.rows, np.zeros(len(system.couplings.rows)))
    found = []
    for number, (place, rates) in enumerate(zip(q, qd, strict=True)):
        state = system.state(place, rates)
        try:
            require_loops_closed(system, state, CLOSURE_TOLERANCE)
        except StateError as error:
            raise StateError(f"state {number}: {error}") from None
        found.append(ties_of(system, state))
    return Ties(*map(np.array, zip(*found, strict=True)))


def _solve(system: System, inputs: BatchInputs, keep: bool) -> BatchSolution:
    tables = system.tables
    n, size = system.n_joints, inputs.size
    accelerations, bases = np.empty((size, n)), np.empty((size, system.n_bases, 6))
    payload = contact_force = None
    makers: dict[str, Makers] = {}
    if system.is_held:
        works, held = held_room(system, max(size, 1) if keep else 1), np.empty((size, len(system.contacts), 6))
        x, v = packed_states(system, inputs)
        tau, wrench = np.ascontiguousarray(inputs.tau).reshape(-1, n), inputs.wrench.reshape(-1, system.n_links + 1, 6)
        steps, packed = np.array([inputs.tau.ndim > 1, inputs.wrench.ndim > 2], dtype=np.int64), np.empty_like(v)
        row = np.zeros(system.n_velocity)
        solve = address_of(filter_and_smooth, tables, row, row[:n], of_state(works, 0), row)
        failed = solve_held_batch(solve, tables, x, v, tau, wrench, steps, CLOSURE_TOLERANCE, keep, works, packed, held)
        accelerations, payload = packed[:, :n].copy(), packed[:, -6:].copy()
        bases = packed[:, n:-6].reshape(size, system.n_bases, 6).copy()
        contact_force = np.zeros((size, system.n_tips, 6))
        contact_force[:, [contact.tip for contact in system.contacts]] = held
        if keep:
            makers = held_makers(system, LinkQuantities(works.links[:, :-1, :, None], size), works)
    else:
        flat = kernel_inputs(system, inputs)
        # The lanes of a field fill one cache line.
        block = aligned_zeros(system.n_links + 1, BLOCK_WIDTH, LANES)
        kept = aligned_zeros(-(-size // LANES) * system.n_links * keep, KEPT_WIDTH, LANES)
        failed = solve_batch(
            tables.tree, tables.model, tables.gravity, flat, n, keep, accelerations.reshape(-1), bases, block, kept
        )  # fmt: skip
        if keep:
            makers = filter_makers(LinkQuantities(kept.reshape(-1, system.n_links, *kept.shape[1:]), size), n)
        if system.task_object is not None:
            payload, contact_force = objects_in_flight(system, inputs), np.zeros((size, system.n_tips, 6))
    if failed >= 0:
        if (near := _within_turns(system, inputs)) is not None:
            return _solve(system, near, keep)
        _raise_for(system, inputs, failed)
    if system.kind == "free_flyer" and keep:
        # Later changes to the caller's arrays have no effect on what is laid out on access.
        makers["dual_filter"] = dual_makers(partial(_stages_of, system, copy.deepcopy(inputs)), size)
    frozen(bases)
    return BatchSolution(
        system=system,
        joint_acceleration=frozen(accelerations),
        base_acceleration=(bases[:, 0] if system.kind == "free_flyer" else bases) if system.is_floating else None,
        object_acceleration=frozen(payload),
        contact_force=frozen(contact_force),
        stages={stage: LazyArrays(quantities) for stage, quantities in makers.items()},
    )


def _within_turns(system: System, inputs: BatchInputs) -> BatchInputs | None:
    """The same with whole turns taken off the angles, if some are too large for the kernel's own sine."""
    turning = np.array([joint.kind == "revolute" for joint in system.joint_models], dtype=bool)
    far = (np.abs(inputs.q) >= LARGEST_ANGLE) & turning
    if not far.any() or not np.isfinite(inputs.q).all():
        return None
    q = inputs.q.copy()
    q[far] = np.arctan2(np.sin(q[far]), np.cos(q[far]))
    return inputs._replace(q=q)


def _stages_of(system: System, inputs: BatchInputs, number: int) -> Stages:
    """The stages of one state of the batch, by ``forward_dynamics``."""

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
    return forward_dynamics(system, state, one(inputs.tau, 1), external_forces=one(inputs.wrench, 2)).stages


def _raise_for(system: System, inputs: BatchInputs, first: int) -> NoReturn:
    """Raise the error of the first bad state in the block that starts at ``first``."""
    for number in range(first, min(first + LANES, inputs.size)):
        try:
            _stages_of(system, inputs, number)
        except ValueError as error:
            raise type(error)(f"state {number} of the batch: {error}") from error
    raise StateError(
        f"a state of the batch between {first} and {min(first + LANES, inputs.size) - 1}: the accelerations are not "
        "finite, or a joint moves no inertia."
    )
