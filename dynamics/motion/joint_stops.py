"""Mechanical stops: a joint that reaches its limit is stopped by an exact impulse; compiled, and in Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.callback import status_at
from dynamics.compiler.kernels import kernel
from dynamics.lanes.forward import EVERY_STAGE
from dynamics.lanes.layout import JOINT_INERTIA
from dynamics.lanes.workspace import opened
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.system.layout import LOWER, UPPER
from dynamics.system.system import System

Array = NDArray[np.float64]

# A joint beyond its stop is brought back within about this many steps.
STEPS_BACK = 20.0
# A joint counts as locked if a torque moves it by less than this share of what it would do to the joint alone.
LOCKED = 1e-12


@kernel
def beyond_stops(tables, n_joints, x, v):
    """Whether some joint is at or beyond a limit and still moves outward."""
    for k in range(n_joints):
        if (x[k] >= tables.model[k, UPPER] and v[k] > 0.0) or (x[k] <= tables.model[k, LOWER] and v[k] < 0.0):
            return True
    return False


@kernel
def meet_stops(solve, arena, now, dt, x, v, tau, stops, room):
    """Impulses that leave no joint moving further beyond its limit; v and ``stops`` are overwritten.

    The response of the whole system, closed chains included, to a torque impulse at joint k is the
    difference of two forward dynamics: a column of the (constrained) inverse mass matrix, without forming it.

    It overwrites the solution in the arena. In a nearly singular chain an impulse may cause high speeds, which leave
    the chain off its closure.

    Args:
        solve: address of ``lane_accelerations``.
        now: s; stops: (2, joints), the earliest time at which each lower and each upper limit was met.
        room: (2, velocity coordinates).
    """
    n_joints = tau.shape[0]
    tables, _, lanes = opened(arena)
    found = lanes.acceleration
    torque, pushed = room[0, :n_joints], room[1]
    for k in range(n_joints):
        torque[k] = tau[k]
    for _ in range(3):  # an impulse at one joint can drive another; three rounds of Gauss-Seidel
        for k in range(n_joints):
            lower, upper = tables.model[k, LOWER], tables.model[k, UPPER]
            beyond = x[k] - upper if x[k] >= upper else x[k] - lower
            outward = (x[k] >= upper and v[k] > 0.0) or (x[k] <= lower and v[k] < 0.0)
            if not outward:
                continue
            status_at(solve, (x, v, torque, arena, EVERY_STAGE))
            size = 0.0
            for i in range(v.shape[0]):
                pushed[i] = -found[i]
                size = max(size, abs(found[i]))
            inertia = lanes.links[k, JOINT_INERTIA]
            push = inertia * size if size > 0.0 else inertia  # as large as what already acts: neither rounds away
            before = torque[k]
            torque[k] = before + push
            push = torque[k] - before
            status_at(solve, (x, v, torque, arena, EVERY_STAGE))
            torque[k] = before
            for i in range(v.shape[0]):
                pushed[i] = (pushed[i] + found[i]) / push
            response = pushed[k]
            if not response * inertia > LOCKED:  # the closed chain locks this joint: no impulse can stop it
                continue
            impulse = (-beyond / (STEPS_BACK * dt) - v[k]) / response
            for i in range(v.shape[0]):
                v[i] += impulse * pushed[i]
            side = 1 if x[k] >= upper else 0
            stops[side, k] = min(stops[side, k], now)
    return SOLVED


def stopped_speeds(system: System, x: Array, v: Array, dt: float, answer: Callable[[Array], Array]) -> Array:
    """The speeds after impulses that stop every joint from moving further beyond its limit, for motions in Python.

    They are ``v`` itself if no joint is at a stop; a joint that does not respond to a torque is skipped. ``answer``
    gives the accelerations, (velocity,), caused by (joints,) torques in addition to those that act.
    """
    n = system.n_joints
    lower, upper = np.array([(joint.lower, joint.upper) for joint in system.joint_models]).reshape(-1, 2).T
    if not np.any(_outward(x[:n], v[:n], lower, upper)):
        return v
    v, still = v.copy(), answer(np.zeros(n))
    for _ in range(3):  # an impulse at one joint can drive another
        for k in np.flatnonzero(_outward(x[:n], v[:n], lower, upper)):
            torque = np.zeros(n)
            torque[k] = max(1.0, float(np.abs(still).max(initial=0.0)))
            response = (answer(torque) - still) / torque[k]
            if response[k] > 0.0:
                beyond = x[k] - (upper[k] if x[k] >= upper[k] else lower[k])
                v += (-beyond / (STEPS_BACK * dt) - v[k]) / response[k] * response
    return v


def _outward(q: Array, qd: Array, lower: Array, upper: Array) -> NDArray[np.bool_]:
    return np.asarray(((q >= upper) & (qd > 0.0)) | ((q <= lower) & (qd < 0.0)))
