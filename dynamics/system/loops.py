"""Closed loops: the relative motion of two links that the tree does not join, and its constraints.

Both bodies are considered at one point, the first frame's origin, in the second frame's axes: of their relative
velocity a loop holds the linear part, and of the angular part nothing (a point), the components about x and y (a hinge
about z), or all. Common motion of both has no effect, so that only joints appear: J theta_d = 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import StateError
from dynamics.spatial.rotation import rotation_vector
from dynamics.system.couplings import Ties
from dynamics.system.layout import LENGTH_SHARE, TURNS
from dynamics.system.plain_kinematics import Kinematics, bias_accelerations, cross, plain_kinematics
from dynamics.system.state import State
from dynamics.system.system import System

SLOWEST = 1e-6
"""1/s, the scale of rates for a machine that neither moves nor falls."""
ROUNDING = 1e-12
"""Share of the terms of a loop's motion below which a component is zero: a planar loop stays planar."""


class LoopMotion(NamedTuple):
    """The motion of all loops, one direction after the other."""

    rows: Array  # (l, joints), J
    rate: Array  # (l,), -J_dot theta_d, the required J theta_dd
    gap: Array  # (l,), rad or m, between the frames
    slip: Array  # (l,), J theta_d
    share: Array  # (l,), 1, or 1/m if a gap is a length: a machine's length counts as a radian


class _BodyAt(NamedTuple):
    """A link, or the world, at some point."""

    rows: Array  # (6, joints), its velocity per joint rate
    velocity: Array  # (6,)
    bias: Array  # (6,), its acceleration with zero accelerations of joints and bases


def loop_motion(system: System, state: State) -> LoopMotion:
    """The loops' motion in a state, by the plain kinematics; its cost is linear in the links, for each loop."""
    moved, own_rate = plain_kinematics(system, state), _rate(system, state)
    own_bias = bias_accelerations(system, state, moved)
    parts = [LoopMotion(np.zeros((0, system.n_joints)), *np.zeros((4, 0)))]
    for number, loop in enumerate(system.loops):
        turns = int(system.tables.loops[number, TURNS])
        first, second = (
            moved.pose[end.link] @ end.pose if end.link >= 0 else end.pose for end in (loop.first, loop.second)
        )
        point, axes = first[:3, 3], second[:3, :3]
        a, b = (_body_at(system, moved, own_bias, end.link, point) for end in (loop.first, loop.second))
        held = np.r_[0:turns, 3:6]
        to_axes = np.kron(np.eye(2), axes.T)[held]
        slip, turning = a.velocity - b.velocity, b.velocity[:3]
        # The second frame's axes rotate, and the point moves on the second link if the loop is open.
        drift = a.bias - b.bias - np.append(cross(turning, slip[:3]), 2.0 * cross(turning, slip[3:]))
        # For a hinge: the rotation from one z axis to the other.
        apart = cross(axes[:, 2], first[:3, 2])
        if turns == 3:
            apart = np.array(rotation_vector(tuple((first[:3, :3] @ axes.T).ravel())))
        gap = to_axes @ np.append(apart, point - second[:3, 3])
        share = np.append(np.ones(turns), np.full(3, system.tables.loop_model[number, LENGTH_SHARE]))
        rows = _picked(to_axes, a.rows, a.rows) - _picked(to_axes, b.rows, b.rows)
        # Relative to the machine's own motion, what remains when both links are at rest is rounding.
        pace = max(own_rate, *(float(np.linalg.norm(each.velocity[:3])) for each in (a, b))) ** 2
        rate = -_picked(to_axes, drift, np.array([a.bias, b.bias, pace * np.repeat([1.0, 1.0 / share[-1]], 3)]).T)
        parts.append(LoopMotion(rows, rate, gap, to_axes @ slip, share))
    return LoopMotion(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _rate(system: System, state: State) -> float:
    """1/s, the scale of rates: how fast joints move, or the machine would fall by its length."""
    if not system.loops:
        return SLOWEST
    share = system.tables.loop_model[0, LENGTH_SHARE]
    slides = np.array([joint.kind == "prismatic" for joint in system.joint_models])
    rate = np.abs(state.qd * np.where(slides, share, 1.0)).max()
    return max(SLOWEST, math.sqrt(share * float(np.linalg.norm(system.gravity))), float(rate))


def _picked(directions: Array, moved: Array, parts: Array) -> Array:
    """Components of the motion in those directions, zero if only rounding beside its angular and linear parts."""
    found, reach = directions @ moved, np.linalg.norm(parts.reshape(2, 3, -1), axis=1)
    reach = reach if moved.ndim == 2 else reach.max(axis=1)
    return np.where(np.abs(found) > ROUNDING * reach[[0] * (len(directions) - 3) + [1] * 3], found, 0.0)


def _body_at(system: System, moved: Kinematics, own_bias: Array, link: int, point: Array) -> _BodyAt:
    rows, velocity, bias = np.zeros((6, system.n_joints)), np.zeros(6), np.zeros(6)
    for k in system.path_inward(link):
        lever = _lever(point, moved.pose[k, :3, 3])
        bias += own_bias[k]
        bias[3:] += cross(own_bias[k, :3], lever)
        if k < system.n_joints:
            h, turns = moved.axis[k], system.joint_models[k].kind == "revolute"
            rows[:, k] = np.append(h, cross(h, lever)) if turns else np.append(np.zeros(3), h)
    if link >= 0:
        lever, omega = _lever(point, moved.pose[link, :3, 3]), moved.velocity[link, :3]
        swing = cross(omega, lever)
        velocity = moved.velocity[link] + np.append(np.zeros(3), swing)
        bias[3:] += cross(omega, swing)
    return _BodyAt(rows, velocity, bias)


def _lever(point: Array, origin: Array) -> Array:
    """The lever, zero if it is rounding beside both points: a joint does not move a point on its axis."""
    lever = point - origin
    return lever if lever @ lever > ROUNDING**2 * (point @ point + origin @ origin) else np.zeros(3)


def ties_of(system: System, state: State) -> Ties:
    """The couplings of a state's joints, followers before loops."""
    followers = system.couplings.rows
    if not system.loops:
        return Ties(followers, np.zeros(len(followers)))
    motion = loop_motion(system, state)
    return Ties(np.vstack([followers, motion.rows]), np.append(np.zeros(len(followers)), motion.rate))


def require_loops_closed(system: System, state: State, tolerance: float) -> None:
    """Raise ``StateError``, naming the loop, if one is open by more than the tolerance, or opens faster.

    Args:
        tolerance: rad, or share of the machine's length; and of its rate, or of the rate at which it would fall.
    """
    if not system.loops:
        return
    motion = loop_motion(system, state)
    apart = motion.share * np.maximum(np.abs(motion.gap), np.abs(motion.slip) / _rate(system, state))
    worst = int(np.argmax(apart))
    if not apart[worst] <= tolerance:
        mine = np.array(system.couplings.loops) == system.couplings.loops[worst]
        gap, slip = (np.abs(each[mine]).max() for each in (motion.gap, motion.slip))
        raise StateError(
            f"loop {brief(system.couplings.loops[worst])} is open by {gap:.3g} (position, m or rad) and {slip:.3g} "
            f"(velocity, m/s or rad/s); at most {tolerance:g} rad, or of the machine's length and speed, is allowed. "
            "Use dynamics.project(system, state) for a near state that is closed."
        )
