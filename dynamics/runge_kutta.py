"""Explicit Runge-Kutta integration on the group, in compiled code; the method is a tableau."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853, RK45

from dynamics.closure import close_gap, step_configuration
from dynamics.compiled import kernel
from dynamics.contact_geometry import count_joints, worst_gaps
from dynamics.control_law import command
from dynamics.filter_smoother import SOLVED, filter_and_smooth, motion_state
from dynamics.joint_stops import beyond_stops, meet_stops
from dynamics.layout import POSITION_GAP, VELOCITY_GAP
from dynamics.rotation import inverse_exponential_rate

Array = NDArray[np.float64]
NOT_FINITE = -3
SMALL_GAP = 1e-9
MOST_PROJECTIONS = 4


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


class Samples(NamedTuple):
    """Room for what a run records."""

    times: Array  # (samples,)
    x: Array  # (samples, configuration)
    v: Array  # (samples, velocity)
    acceleration: Array  # (samples, velocity)
    tau: Array  # (samples, joints)
    drift: Array  # (samples, 2): worst position and velocity gap that projection removed
    stops: Array  # (joints,): -1 or 1 where a joint has met its lower or upper limit


def make_samples(count: int, n_x: int, n_v: int, n_joints: int) -> Samples:
    """Room for ``count`` samples."""
    return Samples(
        np.zeros(count),
        np.zeros((count, n_x)),
        np.zeros((count, n_v)),
        np.zeros((count, n_v)),
        np.zeros((count, n_joints)),
        np.zeros((count, 2)),
        np.zeros(n_joints),
    )


@kernel
def copy(source, target):
    """target = source, number by number: the compiler's own assignment of slices takes it a second to compile."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def configuration_rate(n_joints, change, v, rate):
    """The rate of ``change`` in x = x_0 moved by change, when the velocity is v."""
    copy(v, rate)
    for i in range((v.shape[0] - n_joints) // 6):
        at = n_joints + 6 * i
        turn = (change[at], change[at + 1], change[at + 2])
        turned = inverse_exponential_rate(turn, (v[at], v[at + 1], v[at + 2]))
        for j in range(3):
            rate[at + j] = turned[j]


@kernel
def integrate(tables, law, tableau, t, dt, steps, record_every, skip_first, x, v, work, samples):
    """``steps`` steps of ``dt`` from time t; x and v are overwritten.

    The filter of a step's first stage also projects that step's state onto the closure, so that keeping
    arms and object together costs two back-substitutions and no second filter.

    Returns:
        status (SOLVED, NOT_FINITE, or as ``filter_and_smooth``), steps done, samples written.
    """
    n_joints, n_v = count_joints(tables.tree), v.shape[0]
    n_stages = tableau.b.shape[0]
    rates = np.zeros((n_stages, n_v))
    accelerations = np.zeros((n_stages, n_v))
    change, speed, moved = np.zeros(n_v), np.zeros(n_v), np.zeros(x.shape[0])
    tau = np.zeros(n_joints)
    held = tables.contacts.shape[0] > 0
    count = 0
    for step in range(steps + 1):
        now = t + step * dt
        position_gap, velocity_gap = 0.0, 0.0
        for attempt in range(MOST_PROJECTIONS):
            motion_state(tables, x, v, work)
            command(tables, law, now, x, v, work, tau)
            status = filter_and_smooth(tables, v, tau, work, accelerations[0])
            if status != SOLVED:
                return status, step, count
            if not held:
                break
            gaps = worst_gaps(tables, work)
            if attempt == 0:
                position_gap, velocity_gap = gaps
            close_gap(tables, work, POSITION_GAP, change)
            step_configuration(n_joints, x, change, x)
            close_gap(tables, work, VELOCITY_GAP, change)
            for i in range(n_v):
                v[i] += change[i]
            # What one projection leaves is of second order in what it found.
            if gaps[0] < SMALL_GAP and gaps[1] < SMALL_GAP:
                break
        size = 0.0
        for i in range(n_v):
            size += abs(accelerations[0, i]) + abs(v[i])
        if not size < 1e15:
            return NOT_FINITE, step, count
        if beyond_stops(tables, n_joints, x, v):
            meet_stops(tables, dt, x, v, work, tau, accelerations[0], samples.stops)
        if step % record_every == 0 and not (step == 0 and skip_first):
            samples.times[count] = now
            copy(x, samples.x[count])
            copy(v, samples.v[count])
            copy(accelerations[0], samples.acceleration[count])
            copy(tau, samples.tau[count])
            samples.drift[count, 0] = position_gap
            samples.drift[count, 1] = velocity_gap
            count += 1
        if step == steps:
            break
        copy(v, rates[0])
        for stage in range(1, n_stages):
            for i in range(n_v):
                place, pace = 0.0, 0.0
                for j in range(stage):
                    place += tableau.a[stage, j] * rates[j, i]
                    pace += tableau.a[stage, j] * accelerations[j, i]
                change[i] = dt * place
                speed[i] = v[i] + dt * pace
            step_configuration(n_joints, x, change, moved)
            configuration_rate(n_joints, change, speed, rates[stage])
            motion_state(tables, moved, speed, work)
            command(tables, law, now + tableau.c[stage] * dt, moved, speed, work, tau)
            status = filter_and_smooth(tables, speed, tau, work, accelerations[stage])
            if status != SOLVED:
                return status, step, count
        for i in range(n_v):
            place, pace = 0.0, 0.0
            for j in range(n_stages):
                place += tableau.b[j] * rates[j, i]
                pace += tableau.b[j] * accelerations[j, i]
            change[i] = dt * place
            v[i] += dt * pace
        step_configuration(n_joints, x, change, x)
    return SOLVED, steps, count
