"""Mechanical stops: a joint that reaches its limit is stopped by an impulse, exactly."""

from __future__ import annotations

from dynamics.compiler.compiled import kernel
from dynamics.lanes.forward import lane_accelerations
from dynamics.lanes.workspace import opened
from dynamics.system.layout import LOWER, UPPER

# A joint that lies beyond its stop is led back within about this many steps.
STEPS_BACK = 20.0


@kernel
def beyond_stops(tables, n_joints, x, v):
    """Whether some joint is at or beyond a limit and still moves outward."""
    for k in range(n_joints):
        if (x[k] >= tables.model[k, UPPER] and v[k] > 0.0) or (x[k] <= tables.model[k, LOWER] and v[k] < 0.0):
            return True
    return False


@kernel
def meet_stops(arena, dt, x, v, tau, stops, room):
    """Impulses that leave no joint moving further beyond its limit; v and ``stops`` are overwritten.

    The answer of the whole system, closed chains included, to a unit torque impulse at joint k is the
    difference of two forward dynamics: a column of the (constrained) inverse mass matrix, without forming it.

    Whatever was solved in the arena is not so any more. An impulse that a nearly singular chain has to answer with
    great speeds leaves it off its closure.

    Args:
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
            lane_accelerations(x, v, torque, arena)
            for i in range(v.shape[0]):
                pushed[i] = -found[i]
            torque[k] += 1.0
            lane_accelerations(x, v, torque, arena)
            torque[k] -= 1.0
            for i in range(v.shape[0]):
                pushed[i] += found[i]
            response = pushed[k]
            if not response > 1e-12:  # the closed chain locks this joint: nothing can stop it
                continue
            impulse = (-beyond / (STEPS_BACK * dt) - v[k]) / response
            for i in range(v.shape[0]):
                v[i] += impulse * pushed[i]
            stops[k] = 1.0 if x[k] >= upper else -1.0
