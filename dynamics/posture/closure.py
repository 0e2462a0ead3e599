"""Keeping arms and object together: the contact operator as a projector."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import brief
from dynamics.compiler.kernels import inlined, kernel
from dynamics.errors import SingularConfigurationError
from dynamics.lanes.couplings import GAP, SLIP, UNSOLVABLE_COUPLINGS, lane_accelerations, lead_back
from dynamics.lanes.workspace import Workspace
from dynamics.numbers.factor_by_root import solve_by_rank
from dynamics.numbers.rotation import quaternion_exponential, quaternion_product
from dynamics.public import public_as_computed
from dynamics.recursion.contact_geometry import largest_coordinate, machine_rate, worst_gaps
from dynamics.recursion.contact_root import contact_root, object_root, square
from dynamics.recursion.contact_stage import contact_operator, correct_filter, factor_operator, spread_forces
from dynamics.recursion.filter_smoother import SOLVED, motion_state
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.kinematics import count_joints
from dynamics.recursion.outward_smoother import outward_smoother
from dynamics.system.layout import (
    ACCELERATION,
    CONTACT_DIRECTIONS,
    DIRECTION_RESPONSE,
    FINAL_MOTION,
    FORCE_CORRECTION,
    HOLONOMIC,
    JOINT_ACCELERATION,
    MODIFIED_RESIDUAL,
    POSITION_GAP,
    VELOCITY_GAP,
)
from dynamics.system.state import State
from dynamics.system.system import System, raise_failure
from dynamics.system.tables import Work, make_work

Array = NDArray[np.float64]
CLOSED = 1e-9
"""What a gap may be of the machine's length, or of its speed."""
STEPS, VELOCITY_STEPS = 40, 10
FOLLOWS = 1e-12
"""rad or m, and a second, by which a joint may be off the one that it follows."""


@kernel
def close_gap(tables, work, column, change):
    """The change of packed coordinates that removes a gap, smallest in the metric of the kinetic energy.

    A gap is removed as an impulse would remove it: Omega f = gap, and the answer of arms and object to f.
    It needs the filter and Omega of this posture in ``work``.

    Args:
        column: POSITION_GAP or VELOCITY_GAP.
        change: (velocity coordinates,), written.
    """
    gap_forces(tables, work, column)
    correct_filter(tables, work, 0.0)
    outward_smoother(tables.tree, work.links, MODIFIED_RESIDUAL, FORCE_CORRECTION, 0.0, FINAL_MOTION)
    n_joints = count_joints(tables.tree)
    for k in range(n_joints):
        change[k] = work.links[k, FINAL_MOTION + JOINT_ACCELERATION]
    at = n_joints
    for k in range(n_joints, tables.tree.shape[0]):
        for j in range(6):
            change[at + j] = work.links[k, FINAL_MOTION + ACCELERATION + j]
        at += 6
    object_answer(work, change)


@kernel
def gap_forces(tables, work, column):
    """Omega f = gap."""
    m = 0
    for i in range(tables.contacts.shape[0]):
        for n in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            work.forces[m] = work.contacts[i, column + n]
            m += 1
    solve_by_rank(work.omega, work.factored, work.order, work.forces, work.scratch)
    spread_forces(tables, work)


@kernel
def object_answer(work, change):
    """How the object answers the contact forces, written into the last six of ``change``."""
    at = change.shape[0] - 6
    for j in range(6):
        s = 0.0
        for m in range(work.directions.shape[0]):
            s += work.directions[m, DIRECTION_RESPONSE + j] * work.forces[m]
        change[at + j] = s


@kernel
def step_configuration(n_joints, x, change, result):
    """result = x moved by ``change``, rotations on the group; ``change`` is packed like a velocity."""
    for k in range(n_joints):
        result[k] = x[k] + change[k]
    for i in range((x.shape[0] - n_joints) // 7):
        at, by = n_joints + 7 * i, n_joints + 6 * i
        for j in range(3):
            result[at + j] = x[at + j] + change[by + 3 + j]
        turn = quaternion_exponential((change[by], change[by + 1], change[by + 2]))
        turned = quaternion_product(turn, (x[at + 3], x[at + 4], x[at + 5], x[at + 6]))
        for j in range(4):
            result[at + 3 + j] = turned[j]


@inlined
def position_operator(tables, work):
    """Omega of the directions that can be closed in position, factored, after ``contact_root``.

    The others have no place to return to: what they pass would only hinder those that have. They pass nothing.
    """
    object_root(tables, work)
    m = 0
    for i in range(tables.contacts.shape[0]):
        for n in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            if tables.contact_model[i, HOLONOMIC + n] == 0.0:
                for k in range(work.root.shape[0]):
                    work.root[k, m] = 0.0
            m += 1
    square(work.root, work.omega)
    for j in range(m):
        if work.omega[j, j] == 0.0:
            work.omega[j, j] = 1.0
    factor_operator(tables, work)


@kernel
def prepare_projection(tables, v, tau, work, of_place):
    """Filter and Omega of the posture in ``work`` (after ``motion_state``), for the gap of places or that of rates."""
    failed = inward_filter(tables.tree, tables.model, v, tau, work.links)
    if failed < 0:
        contact_root(tables, work)
        if of_place:
            position_operator(tables, work)
        else:
            contact_operator(tables, work)
    return failed


@kernel
def project_packed(tables, x, v, tau, work, change, iterations, tolerance):
    """Newton's method on the position gap, then steps on the velocity gap; x and v are overwritten.

    Args:
        iterations: how many steps in position at most.
        tolerance: of either gap. Below ``CLOSED`` it is enough that a step no longer halves it: the rest is rounding.

    Returns:
        the largest position and velocity gap that are left, as ``worst_gaps``.
    """
    n_joints, before = count_joints(tables.tree), math.inf
    for _ in range(iterations):
        motion_state(tables, x, v, work)
        gap = worst_gaps(tables, work, v)[0]
        if gap <= tolerance or (gap <= CLOSED and gap > 0.5 * before):
            break
        before = gap
        prepare_projection(tables, v, tau, work, True)
        close_gap(tables, work, POSITION_GAP, change)
        # A long step could leap over the solution: one turns by half a radian, or moves by half the machine's length.
        longest = largest_coordinate(tables, change)
        if longest > 0.5:
            for i in range(change.shape[0]):
                change[i] *= 0.5 / longest
        step_configuration(n_joints, x, change, x)
    before = math.inf
    for _ in range(VELOCITY_STEPS):
        motion_state(tables, x, v, work)
        gap = worst_gaps(tables, work, v)[1]
        apart = gap * machine_rate(tables, v)  # the machine itself may come to rest
        if gap <= tolerance or (gap <= CLOSED and apart > 0.5 * before):
            break
        before = apart
        prepare_projection(tables, v, tau, work, False)
        close_gap(tables, work, VELOCITY_GAP, change)
        for i in range(change.shape[0]):
            v[i] += change[i]
    return worst_gaps(tables, work, v)


def project_all(
    system: System, x: Array, v: Array, tau: Array, work: Work, change: Array, iterations: int, tolerance: float
) -> tuple[float, float]:
    """``project_packed``, and all that is tied led back by impulses that move no contact, until both hold.

    Returns:
        the largest gaps that are left, of contacts and loops.
    """
    gaps = (0.0, 0.0)
    if system.is_held:
        gaps = project_packed(system.tables, x, v, tau, work, change, iterations, tolerance)
    couplings, n, before = system.couplings, system.n_joints, np.inf
    if not couplings.are_some:
        return gaps
    workspace = Workspace(system)
    open_by = workspace.lanes.loop_gaps
    for step in range(iterations + 1):
        status = lane_accelerations(x, v, tau, workspace.arena)
        if status not in (SOLVED, UNSOLVABLE_COUPLINGS):
            return np.inf, np.inf
        apart = max(np.abs(couplings.followed(x[:n]) - x[:n]).max(), np.abs(couplings.rates(v[:n]) - v[:n]).max())
        apart = max(apart if len(couplings.followers) else 0.0, *open_by)
        if step == iterations or apart <= FOLLOWS or CLOSED >= apart > 0.5 * before:
            break
        before = apart
        lead_back(workspace.arena, GAP, change)
        # A long step could leap over the solution, and makes rates another matter.
        longest = float(np.abs(change).max())
        change *= min(1.0, 0.5 / longest) if longest > 0.0 else 1.0
        step_configuration(n, x, change, x)
        lead_back(workspace.arena, SLIP, change)
        v += change
        if system.is_held:
            gaps = project_packed(system.tables, x, v, tau, work, change, iterations, tolerance)
    return max(gaps[0], float(open_by[0])), max(gaps[1], float(open_by[1]))


@public_as_computed
def project(system: System, state: State) -> State:
    """The nearest state that satisfies closure in position and velocity; R88 5.5-5.6.

    Nearest in the metric of the kinetic energy, where R88 (5.5) measures joint rates alone: heavy parts
    move less, the object may give way too, and an arm with few joints needs no special case. In velocity
    it is what a perfectly inelastic contact does.

    Args:
        system: any; one that holds nothing, and in which no loop is closed, gives the state itself back.
        state: of this system.

    Returns:
        A state whose gaps are rounding: at most 1e-9 rad, or of the machine's length, and of its speed.

    Raises:
        StateError: for a state of another system.
        SingularConfigurationError: if Newton's method finds no closed state: the arms, or a loop, cannot reach.
        ModelError: for a joint that moves no inertia.

    Cost: a few forward dynamics.
    """
    if not system.is_closed:
        return state
    x, v = system.pack(state)
    close_packed(system, x, v)
    return system.unpack(x, v)


def close_packed(system: System, x: Array, v: Array) -> None:
    """``project`` of a packed state in place; x and v mean nothing after an error.

    Raises:
        SingularConfigurationError: if Newton's method finds no closed state: the arms cannot reach.
        ModelError: for a joint that moves no inertia.
    """
    work = make_work(system.tables)
    change = np.zeros(system.n_velocity)
    tables, tau, start = system.tables, np.zeros(system.n_joints), (x.copy(), v.copy())
    x[: system.n_joints] = system.couplings.followed(x[: system.n_joints])
    gap, rate = project_all(system, x, v, tau, work, change, STEPS, 1e-13)
    if not (gap <= CLOSED and rate <= CLOSED and np.isfinite(x).all() and np.isfinite(v).all()):
        motion_state(tables, *start, work)
        if not system.is_held:
            raise SingularConfigurationError(
                f"loop {' or '.join(map(brief, dict.fromkeys(system.couplings.loops)))} cannot be closed from here: a "
                f"gap of {gap:.3g} (rad, or of the machine's length) is left. Start nearer, and not from a stretched "
                "posture."
            )
        failed = prepare_projection(tables, start[1], tau, work, True)
        if failed >= 0:
            raise_failure(system, failed)
        raise SingularConfigurationError(
            f"the arms cannot close on the object from here: a gap of {gap:.3g} (rad, or of the machine's length), and "
            f"of {rate:.3g} of its speed, are left. Start nearer, or check that every arm can reach its contact."
        )
