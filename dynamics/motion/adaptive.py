"""Integration with scipy's step control, which copes with stiff losses without help; rotations stay on the group."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.integrate

from dynamics.checks import Array
from dynamics.compiler.callback import address_of
from dynamics.lanes.couplings import lane_accelerations
from dynamics.lanes.forward import EVERY_STAGE, NOT_FINITE, lane_motion_state
from dynamics.lanes.workspace import Workspace
from dynamics.motion.control_law import ControlLaw, command
from dynamics.motion.joint_stops import beyond_stops, meet_stops
from dynamics.motion.runge_kutta import NOT_CLOSED, SMALL_GAP, SMALL_VELOCITY_GAP, Samples, configuration_rate
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.solve.closure import project_all, step_configuration

IMPLICIT = ("Radau", "BDF")
METHODS = ("RK23", "RK45", "DOP853", *IMPLICIT, "LSODA")
RTOL, ATOL = 1e-10, 1e-12
DIFFERENCE = 1e-7
MOST = 1e15  # limit of speeds and accelerations, or, if larger, a change within a sample interval dt of:
MOST_WITHIN = 1e9
REACHED = 1e-9
"""Share of the sample interval: a time less than that ahead counts as now."""
TOO_MANY_STEPS = -1000
GOES_ON = "LSODA"
"""Takes over near rest, where rounding alone keeps the Newton iteration of the other methods from converging."""
# Beyond this gap, or this rotation away from the chart's center, a run is projected and gets a new chart.
LARGEST_GAP = 1e-9
LARGEST_TURN = 1.0


def integrate_adaptively(
    workspace: Workspace,
    law: ControlLaw,
    asked: Callable[[float, Array, Array], int],
    method: str,
    t: float,
    times: Array,
    dt: float,
    x: Array,
    v: Array,
    samples: Samples,
    most_steps: int,
) -> tuple[int, int]:
    """Runs to the last of ``times`` and samples at each, ``dt`` apart; x and v are overwritten.

    It stops where it would need more than ``most_steps``, as a motion may be arbitrarily stiff.

    The unknown is the change from a reference configuration, packed like a velocity, so a rotation is a
    rotation vector; before it grows long the reference moves on (a new chart). ``asked`` writes the torques and forces
    of the user's functions at a packed state, and returns a status.

    Returns:
        status as ``runge_kutta.integrate``, samples written.
    """
    arena, tables = workspace.arena, workspace.tables
    n_joints, n_v = len(law.feedforward), len(v)
    held = len(tables.contacts) + len(tables.loops) > 0
    moved, tau = np.zeros_like(x), np.zeros(n_joints)
    rate = np.zeros(n_v)
    failure, most = [SOLVED], max(MOST, MOST_WITHIN / dt / dt)

    def solved(now: float, place: Array, speed: Array) -> int:
        """Solves for the accelerations, in the workspace; the status says whether they exist and are within bounds."""
        status = asked(now, place, speed)
        if status != SOLVED:
            return status
        lane_motion_state(arena, place, speed)
        command(arena, law, now, place, speed, tau)
        status = lane_accelerations(place, speed, tau, arena, EVERY_STAGE)
        in_bounds = np.all(np.abs(workspace.lanes.acceleration) < most) and np.all(np.abs(speed) < most)
        return NOT_FINITE if status == SOLVED and not in_bounds else int(status)

    def derivative(now: float, y: Array) -> Array:
        step_configuration(n_joints, x, y[:n_v].copy(), moved)
        speed = y[n_v:].copy()
        configuration_rate(n_joints, y[:n_v].copy(), speed, rate)
        failure[0] = solved(now, moved, speed) if np.all(np.abs(y) < most) else NOT_FINITE
        if failure[0] != SOLVED:
            return np.full_like(y, np.nan)
        return np.concatenate([rate, workspace.lanes.acceleration])

    def jacobian(now: float, y: Array) -> Array:
        """By differences of fixed length: scipy's own grow without limit where a speed or an angle has no effect."""
        here = derivative(now, y)
        steps = DIFFERENCE * np.maximum(1.0, np.abs(y))
        columns = [(derivative(now, y + step) - here) / step.sum() for step in np.diag(steps)]
        return np.nan_to_num(np.column_stack(columns))

    def record(index: int, now: float, place: Array, speed: Array) -> int:
        """Writes a sample, projected onto the closure; a status if that cannot be done."""
        if held:
            gaps = project_all(workspace, place, speed, 3, 1e-14)
            samples.drift[index] = gaps
            if not (gaps[0] < SMALL_GAP and gaps[1] < SMALL_VELOCITY_GAP):
                return NOT_CLOSED
        status = solved(now, place, speed)
        if status != SOLVED:
            return status
        samples.times[index] = now
        samples.x[index], samples.v[index] = place, speed
        samples.acceleration[index], samples.tau[index] = workspace.lanes.acceleration, tau
        if len(samples.wrench):
            samples.wrench[index] = workspace.wrench
        return SOLVED

    def meets_stop(now: float, place: Array, speed: Array) -> bool:
        """Whether a state is beyond a stop, from which it then comes back."""
        if not beyond_stops(tables, n_joints, place, speed):
            return False
        solve = address_of(lane_accelerations, place, speed, tau, arena, EVERY_STAGE)
        meet_stops(solve, arena, now, dt, place, speed, tau, samples.stops, np.empty((2, n_v)))
        return True

    def state_of(y: Array) -> tuple[Array, Array]:
        place = np.zeros_like(x)
        step_configuration(n_joints, x, y[:n_v].copy(), place)
        return place, y[n_v:].copy()

    def start(now: float, first_step: float | None) -> scipy.integrate.OdeSolver:
        y = np.concatenate([np.zeros(n_v), v])
        first_step = None if first_step is None else min(first_step, times[-1] - now)
        own = {"rtol": RTOL, "atol": ATOL, "first_step": first_step} | ({"jac": jacobian} if method in IMPLICIT else {})
        return getattr(scipy.integrate, method)(derivative, now, y, times[-1], **own)

    written = 0
    while written < len(times) and times[written] <= t + REACHED * dt:
        status = record(written, times[written], x.copy(), v.copy())
        if status != SOLVED:
            return status, written
        written += 1
    if written == len(times):
        return SOLVED, written
    solver = start(t, None)
    for _ in range(most_steps):
        solver.step()
        is_lost = failure[0] != SOLVED and method == GOES_ON  # LSODA cannot reject a trial step
        if solver.status == "failed" or is_lost:
            if failure[0] != SOLVED or method not in IMPLICIT:
                return (failure[0] if failure[0] != SOLVED else NOT_FINITE), written
            x[:], v[:] = state_of(solver.y)
            method = GOES_ON
            solver = start(solver.t, None)
            continue
        dense, now, met = solver.dense_output(), solver.t, False
        while written < len(times) and times[written] <= solver.t and not met:
            now = float(times[written])
            place, speed = state_of(dense(now))
            met = meets_stop(now, place, speed)  # a step may be longer than a stop can wait
            status = record(written, now, place, speed)
            if status != SOLVED:
                return status, written
            written += 1
        if met:
            x[:], v[:] = place, speed
            if written == len(times):
                return SOLVED, written
            solver = start(now, getattr(solver, "h_abs", dt))
            continue
        moved[:], speed = state_of(solver.y)
        anew = any(np.linalg.norm(solver.y[k : k + 3]) > LARGEST_TURN for k in range(n_joints, n_v, 6))
        if held:
            gaps = project_all(workspace, moved.copy(), speed.copy(), 0, 1e-14)
            anew = anew or max(gaps) > LARGEST_GAP
        anew = meets_stop(solver.t, moved, speed) or anew
        if anew or solver.status == "finished":
            x[:], v[:] = moved, speed
            if held:
                project_all(workspace, x, v, 3, 1e-14)
            if solver.status == "finished":
                return SOLVED, written
            solver = start(solver.t, getattr(solver, "h_abs", None))
    return TOO_MANY_STEPS, written
