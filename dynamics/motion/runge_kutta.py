"""Explicit Runge-Kutta integration on the group, in compiled code; the method is a tableau."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853, RK45

from dynamics.compiler.arena import aligned_zeros
from dynamics.compiler.callback import answer_of, status_at
from dynamics.compiler.kernels import kernel, part
from dynamics.lanes import layout as lane
from dynamics.lanes.couplings import GAP, SLIP, lead_back
from dynamics.lanes.forward import MOVED, NOT_FINITE, lane_gaps, lane_motion_state
from dynamics.lanes.workspace import opened
from dynamics.motion.control_law import within_effort
from dynamics.motion.joint_stops import beyond_stops
from dynamics.motion.stiff_losses import loss_inertias
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.solve.closure import step_configuration
from dynamics.spatial.lanes import everywhere, load6, store
from dynamics.spatial.rotation import inverse_exponential_rate

Array = NDArray[np.float64]
# Gaps that a single projection removes. The position error left is of second order; the velocity projection is linear
# and leaves what the change of posture causes, and the first stage's acceleration is off by no more than the step was.
SMALL_GAP, SMALL_VELOCITY_GAP = 1e-9, 1e-6
MOST_PROJECTIONS = 10
NOT_CLOSED = -5  # besides the states of ``lane_accelerations``: MOST_PROJECTIONS have not closed the chain
LANES = 8
# A gap below this (as ``worst_gaps``) is left until later steps have added to it.
ROUNDING = 1e-13


class Tableau(NamedTuple):
    """An explicit Runge-Kutta method: stage i starts from h sum_j a[i, j] k_j, the step is h sum b_i k_i."""

    a: Array
    b: Array
    c: Array


TABLEAUS = {
    "euler": Tableau(np.zeros((1, 1)), np.ones(1), np.zeros(1)),
    "heun": Tableau(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0.5, 0.5]), np.array([0.0, 1.0])),
    "rk4": Tableau(
        np.array([[0.0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1.0, 0]]),
        np.array([1.0, 2.0, 2.0, 1.0]) / 6.0,
        np.array([0.0, 0.5, 0.5, 1.0]),
    ),
    "rk5": Tableau(RK45.A.copy(), RK45.B.copy(), RK45.C.copy()),
    "rk8": Tableau(DOP853.A[:12, :12].copy(), DOP853.B.copy(), DOP853.C[:12].copy()),
}


class Addresses(NamedTuple):
    """Kernels that ``integrate`` calls by address; 0 for one that a run does not need."""

    solve: int  # of ``lane_accelerations``
    command: int
    close_gaps: int  # of ``lane_close_gaps``
    meet_stops: int


class Samples(NamedTuple):
    """Storage for what a run records."""

    times: Array  # (samples,)
    x: Array  # (samples, configuration)
    v: Array  # (samples, velocity)
    acceleration: Array  # (samples, velocity)
    tau: Array  # (samples, joints)
    drift: Array  # (samples, 2): worst position and velocity gap that the step left, before projection
    stops: Array  # (2, joints), s: when a joint first met its lower and its upper limit; infinite where it has not
    wrench: Array  # (samples, links + 1, 6), or none where external forces are constant


def make_samples(count: int, n_x: int, n_v: int, n_joints: int, pushed: int = 0) -> Samples:
    """Storage for ``count`` samples; each writes its row, and the drift only if something is held.

    Args:
        pushed: number of links plus one for the object, if external forces vary; else 0.
    """
    return Samples(
        np.empty(count),
        np.empty((count, n_x)),
        np.empty((count, n_v)),
        np.empty((count, n_v)),
        np.empty((count, n_joints)),
        np.zeros((count, 2)),
        np.full((2, n_joints), np.inf),
        np.empty((count if pushed else 0, pushed, 6)),
    )


class StepWorkspace(NamedTuple):
    """Scratch space of one step; rows of velocity coordinates are padded to full registers."""

    rates: Array  # (stages, velocity padded): of the configuration
    accelerations: Array  # (stages, velocity padded)
    sums: Array  # (2, velocity padded): the stages' weighted sums
    moved: Array  # (configuration,) of a stage
    tau: Array  # (joints,) of a stage
    changes: Array  # (2, velocity): what removes the gaps


def make_room(n_stages: int, n_x: int, n_v: int, n_joints: int) -> StepWorkspace:
    """Scratch space for the steps of a method with ``n_stages`` stages."""
    padded = LANES * -(-n_v // LANES)
    return StepWorkspace(
        rates=aligned_zeros(n_stages, padded),
        accelerations=aligned_zeros(n_stages, padded),
        sums=aligned_zeros(2, padded),
        moved=np.zeros(n_x),
        tau=np.zeros(n_joints),
        changes=np.zeros((2, n_v)),
    )


@kernel
def configuration_rate(n_joints, change, v, rate):
    """The rate of ``change`` in x = x_0 moved by change, for the velocity v."""
    for i in range(n_joints):
        rate[i] = v[i]
    for i in range((v.shape[0] - n_joints) // 6):
        at = n_joints + 6 * i
        turn = (change[at], change[at + 1], change[at + 2])
        turned = inverse_exponential_rate(turn, (v[at], v[at + 1], v[at + 2]))
        for j in range(3):
            rate[at + j] = turned[j]
            rate[at + 3 + j] = v[at + 3 + j]


@part
def close_both_gaps(close_gaps, arena, n_joints, gaps, x, v, changes):
    """The two steps of ``closure.project_all`` with the filter in ``arena``: x and v are overwritten.

    Args:
        gaps: as returned by ``lane_gaps``. A gap that is only rounding is left alone.
        changes: (2, velocity coordinates), written.
    """
    if gaps[0] < ROUNDING and gaps[1] < ROUNDING:
        return
    status_at(close_gaps, (arena, changes))
    if not gaps[0] < ROUNDING:
        step_configuration(n_joints, x, changes[0], x)
    if not gaps[1] < ROUNDING:
        for i in range(v.shape[0]):
            v[i] += changes[1, i]


@part
def lead_both_back(arena, n_joints, x, v, changes):
    """Corrects position and velocity of all tied coordinates, by the responses in ``arena``; no contact moves."""
    lead_back(arena, GAP, changes[0])
    step_configuration(n_joints, x, changes[0], x)
    lead_back(arena, SLIP, changes[1])
    for i in range(v.shape[0]):
        v[i] += changes[1, i]


@kernel
def weighted_sums(weights, count, dt, rates, accelerations, sums):
    """The rows of sums = dt sum_j weights[j] rates[j] and dt sum_j weights[j] accelerations[j].

    In lanes, so all rows are padded to full registers.
    """
    for first in range(0, rates.shape[1], LANES):
        moved, gained = everywhere(0.0), everywhere(0.0)
        for j in range(count):
            weight = dt * weights[j]
            if weight != 0.0:
                moved = moved + weight * load6(rates, j, first)
                gained = gained + weight * load6(accelerations, j, first)
        store(sums, 0, first, moved)
        store(sums, 1, first, gained)


@kernel
def integrate(called, arena, law, asked, tableau, losses, t, dt, steps, record_every, skip_first, x, v, room, samples):
    """``steps`` steps of ``dt`` from time t; x and v are overwritten.

    The filter of a step's first stage also projects that step's state onto the closure, so that keeping
    arms and object together costs two back-substitutions and no second filter.

    Args:
        called: ``Addresses``.
        arena: of a ``Workspace``; room: of ``make_room``; losses: of ``stiff_losses``.
        asked: address of a C function of a stage's time that writes ``law.feedforward`` and the external forces, and
            returns a status; 0 for none.

    Returns:
        status (as ``lane_accelerations``, NOT_CLOSED, or one that ``asked`` returned), steps done, samples written.
        Every written sample is closed.
    """
    n_joints, n_v = law.feedforward.shape[0], v.shape[0]
    n_stages = tableau.b.shape[0]
    rates, accelerations, sums, moved, tau, changes = room
    change, speed = sums[0, :n_v], sums[1, :n_v]
    tables, work, lanes = opened(arena)
    held, steady, stiff = called.close_gaps != 0, called.command == 0, losses.step > 0.0
    if steady:
        for k in range(n_joints):
            tau[k] = law.feedforward[k]
        within_effort(tables.model, tau)
    count = 0
    for step in range(steps + 1):
        now = t + step * dt
        position_gap, velocity_gap = 0.0, 0.0
        stage, attempt, met, exact = 0, 0, False, True
        while stage < n_stages:
            if stage == 0:
                for i in range(x.shape[0]):
                    moved[i] = x[i]
                for i in range(n_v):
                    speed[i] = v[i]
            else:
                weighted_sums(tableau.a[stage], stage, dt, rates, accelerations, sums)
                for i in range(n_v):
                    speed[i] += v[i]
                step_configuration(n_joints, x, change, moved)
                configuration_rate(n_joints, change, speed, rates[stage, :n_v])
            if asked != 0:
                status = answer_of(asked, now + tableau.c[stage] * dt)
                if status != SOLVED:
                    return status, step, count
            lane_motion_state(arena, moved, speed)
            if not steady:
                status_at(called.command, (arena, law, now + tableau.c[stage] * dt, moved, speed, tau))
            if stiff:
                step_taken = 0.0 if exact else losses.step
                loss_inertias(tables.model, step_taken, losses.least_inertias, speed, lanes.links[:, lane.LOSS_INERTIA])
            status = status_at(called.solve, (moved, speed, tau, arena, MOVED))
            for i in range(n_v):
                accelerations[stage, i] = lanes.acceleration[i]
            if status != SOLVED:
                return status, step, count
            if stage == 0 and exact:
                gaps = lanes.loop_gaps[0], lanes.loop_gaps[1]
                if held:
                    own = lane_gaps(arena, v)
                    close_both_gaps(called.close_gaps, arena, n_joints, own, x, v, changes)
                    gaps = max(own[0], gaps[0]), max(own[1], gaps[1])
                if attempt == 0:
                    position_gap, velocity_gap = gaps
                attempt += 1
                if lanes.coupling_rows.shape[0] > 0:
                    lead_both_back(arena, n_joints, x, v, changes)
                if not (gaps[0] < SMALL_GAP and gaps[1] < SMALL_VELOCITY_GAP):
                    if attempt == MOST_PROJECTIONS:
                        return NOT_CLOSED, step, count
                    continue
                size = 0.0
                for i in range(n_v):
                    size += dt * (dt * abs(accelerations[0, i]) + abs(v[i]))
                if not size < 1e12:
                    return NOT_FINITE, step, count
                if called.meet_stops != 0 and not met and beyond_stops(tables, n_joints, x, v):
                    status_at(called.meet_stops, (called.solve, arena, now, dt, x, v, tau, samples.stops, changes))
                    met = True
                    continue  # the impulses changed the speeds, which must close the chain, too
                if (step % record_every == 0 or step == steps) and not (step == 0 and skip_first):
                    samples.times[count] = now
                    for i in range(x.shape[0]):
                        samples.x[count, i] = x[i]
                    for i in range(n_v):
                        samples.v[count, i] = v[i]
                        samples.acceleration[count, i] = accelerations[0, i]
                    for i in range(n_joints):
                        samples.tau[count, i] = tau[i]
                    samples.drift[count, 0] = position_gap
                    samples.drift[count, 1] = velocity_gap
                    for i in range(samples.wrench.shape[1]):
                        for j in range(6):
                            samples.wrench[count, i, j] = work.wrench[i, j]
                    count += 1
                if step == steps:
                    return SOLVED, steps, count
                for i in range(n_v):
                    rates[0, i] = v[i]
                if stiff:
                    exact = False  # the exact solution is recorded; the step needs one with implicit losses
                    continue
            stage += 1
        weighted_sums(tableau.b, n_stages, dt, rates, accelerations, sums)
        step_configuration(n_joints, x, change, x)
        for i in range(n_v):
            v[i] += speed[i]
    return SOLVED, steps, count
