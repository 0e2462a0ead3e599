"""Newton and Euler for all states at once, joint by joint in inertial axes: no sweep, no gain, no code of theirs.

It exists because a study of a million states cannot wait for a witness of each: M and the bias torques come from one
pass over the links whose every number is an array over the states. ``python -m docs.three_studies`` would take an hour
without it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.rows.states import States
from dynamics.system.plain_kinematics import joint_losses
from dynamics.system.system import System


class Bodies(NamedTuple):
    """The links in inertial axes, (links, states, ...).

    Attributes:
        axis: of the joint.
        step: m, from the inboard link's origin to its own.
        center: m, from its own origin to its mass centre.
        inertia: kg m^2, (3, 3) about that.
    """

    axis: Array
    step: Array
    center: Array
    inertia: Array


@lru_cache(maxsize=1)  # one of them is asked for more than one number
def dense_solution(states: States) -> tuple[Array, Array]:
    """(n, joints) accelerations, (n, joints, joints) mass matrices of arms that are bolted down and hold nothing."""
    system, count, n = states.system, len(states), states.system.n_joints
    q, qd = (np.broadcast_to(own, (count, own.shape[1])) for own in (states.packed[:, :n], states.rates[:, :n]))
    bodies = _bodies(system, q)
    still, none = np.zeros((count, n)), np.zeros(3)
    bias = _torques(system, bodies, qd, still, system.gravity) + joint_losses(system, qd)
    columns = [_torques(system, bodies, still, np.tile(row, (count, 1)), none) for row in np.eye(n)]
    mass_matrix = np.stack(columns, axis=2)
    motions = system.couplings.freedoms
    found = np.linalg.solve(motions.T @ mass_matrix @ motions, motions.T @ (states.tau - bias)[..., None])
    return np.asarray((motions @ found)[..., 0]), mass_matrix


def _bodies(system: System, q: Array) -> Bodies:
    count, n = q.shape
    axis, step, center = (np.empty((n, count, 3)) for _ in range(3))
    found = Bodies(axis, step, center, np.empty((n, count, 3, 3)))
    rotations = np.empty((n, count, 3, 3))
    for k in reversed(range(n)):  # an inboard link comes after those that hang on it
        joint, link, inboard = system.joint_models[k], system.link_models[k], int(system.inboard[k])
        base = system.base_poses[system.arm_of_link[k]]
        before = rotations[inboard] if inboard >= 0 else base[:3, :3]
        at_joint = before @ joint.origin[:3, :3]
        slides = joint.kind == "prismatic"
        rotations[k] = at_joint if slides else at_joint @ _turned(joint.axis, q[:, k])
        found.axis[k] = at_joint @ joint.axis
        found.step[k] = before @ joint.origin[:3, 3] + (found.axis[k] * q[:, k, None] if slides else 0.0)
        found.center[k] = rotations[k] @ link.center_of_mass
        found.inertia[k] = rotations[k] @ link.inertia @ np.swapaxes(rotations[k], 1, 2)
    return found


def _turned(axis: Array, angle: Array) -> Array:
    """(n, 3, 3), by Rodrigues' formula."""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, rest = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
    return np.asarray(np.eye(3) + sine * across + rest * (across @ across))


def _torques(system: System, bodies: Bodies, qd: Array, qdd: Array, gravity: Array) -> Array:
    """(n, joints), N m or N, that these accelerations take: outward the motion of each origin, inward what it takes."""
    count, n = qd.shape
    omega, alpha, moved, moment, force = (np.zeros((n, count, 3)) for _ in range(5))
    cross = np.cross
    for k in reversed(range(n)):
        joint, axis, step, inboard = system.joint_models[k], bodies.axis[k], bodies.step[k], int(system.inboard[k])
        spin, turn = (omega[inboard], alpha[inboard]) if inboard >= 0 else (np.zeros(3), np.zeros(3))
        start = moved[inboard] if inboard >= 0 else -gravity
        rate, gain = axis * qd[:, k, None], axis * qdd[:, k, None]
        moved[k] = start + cross(turn, step) + cross(spin, cross(spin, step))
        omega[k], alpha[k] = spin, turn
        if joint.kind == "prismatic":
            moved[k] += 2.0 * cross(spin, rate) + gain
        else:
            omega[k] += rate
            alpha[k] += gain + cross(spin, rate)
        link, inertia = system.link_models[k], bodies.inertia[k]
        center, w = bodies.center[k], omega[k]
        force[k] = link.mass * (moved[k] + cross(alpha[k], center) + cross(w, cross(w, center)))
        turning = (inertia @ alpha[k][..., None])[..., 0] + cross(w, (inertia @ w[..., None])[..., 0])
        moment[k] = turning + cross(center, force[k])
    found = np.empty((count, n))
    for k in range(n):
        joint, axis, inboard = system.joint_models[k], bodies.axis[k], int(system.inboard[k])
        felt = force[k] if joint.kind == "prismatic" else moment[k]
        found[:, k] = (axis * felt).sum(axis=1) + joint.rotor_inertia * qdd[:, k]
        if inboard >= 0:
            moment[inboard] += moment[k] + cross(bodies.step[k], force[k])
            force[inboard] += force[k]
    return found
