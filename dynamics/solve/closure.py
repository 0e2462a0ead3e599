"""Keeping arms and object together: the contact operator as a projector.

In lanes, for speed, both gaps are removed in one pass over the arms: without it the benchmark row
``one_second_of_two_arms`` would not hold.
"""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array, brief
from dynamics.compiler.kernels import inlined, kernel, part
from dynamics.errors import SingularConfigurationError
from dynamics.lanes import layout as lane
from dynamics.lanes.contacts import are_firm
from dynamics.lanes.couplings import GAP, SLIP, UNSOLVABLE_COUPLINGS, lane_accelerations, lead_back
from dynamics.lanes.forward import ALONE, corrected_smoother, grips_alone, lane_gaps
from dynamics.lanes.grips import grip_forces
from dynamics.lanes.smoother import acceleration_inboard, no_motion, smoothed
from dynamics.lanes.workspace import Workspace, opened
from dynamics.public import public_as_computed
from dynamics.recursion.contact_stage import contact_root, factor_operator, object_root, spread_forces, square
from dynamics.recursion.filter_smoother import SOLVED, UNSOLVABLE_CONTACTS
from dynamics.spatial.factor_by_root import solve_by_rank
from dynamics.spatial.lanes import join, load6, spread, store
from dynamics.spatial.rotation import quaternion_exponential, quaternion_product
from dynamics.system.layout import (
    ARM,
    CONTACT_DIRECTIONS,
    DIRECTION_RESPONSE,
    HOLONOMIC,
    MACHINE_LENGTH,
    POSITION_GAP,
    VELOCITY_GAP,
)
from dynamics.system.link_tables import coordinate_units
from dynamics.system.state import State
from dynamics.system.system import System, raise_failure


@kernel
def lane_close_gaps(arena, changes):
    """Both gaps at once, as an impulse would remove them: the changes of packed coordinates that remove them.

    After ``lane_filter_and_smooth`` and ``lane_gaps``. Returns SOLVED.

    Args:
        changes: (2, velocity coordinates), for the position and for the velocity gap, written.
    """
    tables, _, lanes = opened(arena)
    if grips_alone(tables, lanes) and are_firm(lanes.grips):
        for gap in range(2):
            own_forces(arena, gap, changes[gap])
        gap_responses(tables.tree, lanes.links, lanes.held, lanes.tip_forces, changes)
    else:
        for gap in range(2):
            close_gap_alone(arena, gap, changes[gap])
    return SOLVED


@inlined
def own_forces(arena, gap, change):
    """The grips' forces that remove a gap; the object's response is written into the last six of ``change``."""
    zero = spread(0.0, 0.0, 0.0)
    answer = grip_forces(arena, lane.GRIP_POSITION_GAP + 8 * gap, join(zero, zero), 8 * gap)
    at = change.shape[0] - 6
    for j in range(3):
        change[at + j] = answer[j]
        change[at + 3 + j] = answer[4 + j]


@inlined
def response(tree, links, held, k, before, force, column, gap, changes):
    """``smoothed`` of link k, as the response to the force at its arm's tip alone."""
    alpha = acceleration_inboard(tree, held, k, before, column)
    effect = load6(held, k, lane.TIP_RESPONSE) * force
    along, alpha = smoothed(links, k, alpha, 0.0, no_motion(), effect)
    store(held, k, column, alpha)
    changes[gap, k] = along
    return alpha


@kernel
def gap_responses(tree, links, held, tip_forces, changes):
    """The responses to the forces that remove either gap, interleaved, as neither depends on the other."""
    first = second = no_motion()
    at = lane.GAP_ACCELERATION
    for k in range(tree.shape[0] - 1, -1, -1):
        arm = tree[k, ARM]
        first = response(tree, links, held, k, first, load6(tip_forces, arm, 0), at, 0, changes)
        second = response(tree, links, held, k, second, load6(tip_forces, arm, 8), at + 8, 1, changes)


@part
def close_gap_alone(arena, gap, change):
    """One gap, by the sweeps for general systems."""
    tables, work, lanes = opened(arena)
    if are_firm(lanes.grips):
        own_forces(arena, gap, change)
        corrected_smoother(arena, 0.0, change)
    else:
        gap_forces(tables, work, POSITION_GAP if gap == 0 else VELOCITY_GAP)
        corrected_smoother(arena, 0.0, change)
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
    """The object's response to the contact forces, written into the last six of ``change``."""
    at = change.shape[0] - 6
    for j in range(6):
        s = 0.0
        for m in range(work.directions.shape[0]):
            s += work.directions[m, DIRECTION_RESPONSE + j] * work.forces[m]
        change[at + j] = s


@kernel
def hold_places_alone(arena):
    """Omega of the directions that can be closed in position, factored, after ``lane_accelerations``.

    The others have no position to return to: any force along them would only hinder the rest, so they transmit none.
    """
    tables, work, _ = opened(arena)
    contact_root(tables, work)
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


CLOSED = 1e-9
"""Largest gap, in machine's lengths or as a share of the machine's speed."""
STEPS, VELOCITY_STEPS = 40, 10


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


def project_all(workspace: Workspace, x: Array, v: Array, iterations: int, tolerance: float) -> tuple[float, float]:
    """Newton's method on the position gaps, then on the velocity gaps, of contacts, loops and followers.

    A gap is removed as by an impulse: Omega f = gap, and the response of arms and object to f; tied coordinates
    are corrected by impulses that move no contact. Both are packed, and overwritten.

    Args:
        iterations: largest number of position steps.
        tolerance: of any gap. Below ``CLOSED`` it suffices that a step no longer halves it: the rest is rounding.

    Returns:
        the largest remaining gaps, as ``lane_gaps``; infinite if a joint moves no inertia.
    """
    system, arena = workspace.system, workspace.arena
    n, couplings, tau = system.n_joints, system.couplings, np.zeros(system.n_joints)
    changes, scale = np.zeros((2, system.n_velocity)), _scale(system)
    turns_freely = not all(contact.holonomic.all() for contact in system.contacts)

    def gaps() -> tuple[float, float]:
        status = lane_accelerations(x, v, tau, arena, ALONE)
        if status not in (SOLVED, UNSOLVABLE_CONTACTS, UNSOLVABLE_COUPLINGS):
            return np.inf, np.inf
        found = [lane_gaps(arena, v)] if system.is_held else []
        if len(couplings.followers):
            found.append(
                (np.abs(couplings.followed(x[:n]) - x[:n]).max(), np.abs(couplings.rates(v[:n]) - v[:n]).max())
            )
        if len(couplings.loops):
            found.append(tuple(workspace.lanes.loop_gaps))
        place, rate = np.max(found, axis=0, initial=0.0)
        return float(place), float(rate)

    left = gaps()
    for column, most in ((GAP, iterations), (SLIP, VELOCITY_STEPS)):
        at, before = int(column == SLIP), np.inf
        for _ in range(most):
            moves = float((scale * np.abs(v)).max()) if at else 1.0  # the machine itself may come to rest
            done = left[at] <= tolerance or (left[at] <= CLOSED and left[at] * moves > 0.5 * before)
            if done or not np.isfinite(left[at]):
                break
            before = left[at] * moves
            if system.is_held:
                if not at and turns_freely:
                    hold_places_alone(arena)
                lane_close_gaps(arena, changes)
                _move(n, x, v, changes[at], scale, at)
            if couplings.are_some:
                lead_back(arena, column, changes[at])
                _move(n, x, v, changes[at], scale, at)
            left = gaps()
    return left


def _scale(system: System) -> Array:
    """Factors that make velocity coordinates comparable: 1, or one over the machine's length."""
    length = system.tables.task_object[0, MACHINE_LENGTH] if system.task_object is not None else 1.0
    return 1.0 / coordinate_units(system.joint_models, (system.n_velocity - system.n_joints) // 6, length)


def _move(n_joints: int, x: Array, v: Array, change: Array, scale: Array, rates: int) -> None:
    """Limits the step to half a radian or half the machine's length: a longer one could leap over the solution."""
    if rates:
        v += change
        return
    longest = float((scale * np.abs(change)).max())
    step_configuration(n_joints, x, change * min(1.0, 0.5 / longest) if longest > 0.0 else change, x)


@public_as_computed
def project(system: System, state: State) -> State:
    """A near state that satisfies closure, in velocity the nearest one; R88 5.5-5.6.

    Near in the metric of the kinetic energy, where R88 (5.5) measures joint rates alone: heavy parts
    move less, the object may move too, and an arm with few joints needs no special case. In velocity
    it is what a perfectly inelastic contact does.

    Args:
        system: any; for one without held object and closed loops the result is the state itself.
        state: of this system.

    Returns:
        A state whose gaps are rounding: at most 1e-9 rad or machine's lengths, and 1e-9 of the machine's speed.

    Raises:
        StateError: for a state of another system.
        SingularConfigurationError: if Newton's method finds no closed state: the arms, or a loop, cannot reach.
        ModelError: for a joint that moves no inertia.

    Example:
        >>> system, state = dyn.example("two_arms_and_box")
        >>> moved = system.state(state.q + 1e-3, object_pose=state.object_pose)
        >>> dyn.project(system, moved).q.shape
        (14,)

    Cost: a few forward dynamics.
    """
    if not system.is_closed:
        return state
    x, v = system.pack(state)
    close_packed(system, x, v)
    return system.unpack(x, v)


def close_packed(system: System, x: Array, v: Array) -> None:
    """``project`` of a packed state in place, with its errors; after one x and v are meaningless."""
    workspace, start = Workspace(system), (x.copy(), v.copy())
    x[: system.n_joints] = system.couplings.followed(x[: system.n_joints])
    gap, rate = project_all(workspace, x, v, STEPS, 1e-13)
    if not (gap <= CLOSED and rate <= CLOSED and np.isfinite(x).all() and np.isfinite(v).all()):
        failed = lane_accelerations(*start, np.zeros(system.n_joints), workspace.arena, ALONE)
        if failed >= 0:
            raise_failure(system, failed)
        if not system.is_held:
            raise SingularConfigurationError(
                f"loop {' or '.join(map(brief, dict.fromkeys(system.couplings.loops)))} cannot be closed from here: a "
                f"gap of {gap:.3g} (rad, or of the machine's length) is left. Start nearer, and not from a stretched "
                "posture."
            )
        raise SingularConfigurationError(
            f"the arms cannot close on the object from here: a gap of {gap:.3g} (rad, or of the machine's length), and "
            f"of {rate:.3g} of its speed, are left. Start nearer, or check that every arm can reach its contact."
        )
