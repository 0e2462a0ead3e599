"""Every link moves in its own six coordinates: JR Algorithm 7, and how far the joints drift open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from dynamics.checks import numbers
from dynamics.errors import ModelError
from dynamics.numbers.rotation import inverse_exponential_rate
from dynamics.recursion.filter_smoother import motion_state
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.two_filter import dual_stages
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tables import make_work
from dynamics.system.tip_poses import poses_and_velocities

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RedundantRun:
    """A run of Algorithm 7.

    Attributes:
        times: (samples,).
        poses, velocities: (samples, links, 4, 4) and (samples, links, 6).
        gap: (samples,), the worst distance by which a joint's two sides have come apart, m.
        tilt: (samples,), the worst angle between a joint's two sides that the joint does not allow, rad.
    """

    times: Array
    poses: Array
    velocities: Array
    gap: Array
    tilt: Array


def joint_coordinates(system: System, poses: Array, velocities: Array) -> tuple[Array, Array, float, float]:
    """The joints' displacements and rates as the links' own poses show them, and how far joints are open.

    Returns:
        q, qd (joints,), the worst gap in m and tilt in rad.
    """
    n = system.n_joints
    q, qd = np.zeros(n), np.zeros(n)
    gap, tilt = 0.0, 0.0
    for k, joint in enumerate(system.joint_models):
        inner = system.inboard[k]
        relative = np.linalg.solve(poses[inner] @ joint.origin, poses[k])
        axis = poses[k, :3, :3] @ joint.axis
        turn = Rotation.from_matrix(relative[:3, :3]).as_rotvec()
        lever = poses[k, :3, 3] - poses[inner, :3, 3]
        carried = velocities[inner].copy()
        carried[3:] += np.cross(velocities[inner, :3], lever)
        difference = velocities[k] - carried
        if joint.kind == "revolute":
            # Turns beyond half a revolution are counted by the caller; dynamics does not feel whole turns.
            q[k], qd[k] = joint.axis @ turn, axis @ difference[:3]
            tilt = max(tilt, float(np.linalg.norm(turn - q[k] * joint.axis)))
            gap = max(gap, float(np.linalg.norm(relative[:3, 3])))
        else:
            q[k], qd[k] = joint.axis @ relative[:3, 3], axis @ difference[3:]
            tilt = max(tilt, float(np.linalg.norm(turn)))
            gap = max(gap, float(np.linalg.norm(relative[:3, 3] - q[k] * joint.axis)))
    return q, qd, gap, tilt


def run_redundant(
    system: System, state: State, tau: ArrayLike | None = None, duration: float = 1.0, dt: float = 1e-3
) -> RedundantRun:
    """Integrate a free flyer link by link with RK4; each link has its own integrator (JR Algorithm 7).

    Every link's acceleration comes from both filters, (3.12), and its pose from its own velocity alone.
    Nothing ties neighbors together but the accelerations, so the joints drift open slowly: the price that
    JR names for the redundant coordinates. Beside it the minimal coordinates of ``simulate`` keep them shut.

    Args:
        system: a free flyer.
        state: where it starts.
        tau: (joints,) N m or N, tip to base, constant; default zero.
        duration: s.
        dt: s, the step.

    Returns:
        Poses and velocities of every link in inertial axes, and by how much the joints have come apart, m and rad.

    Raises:
        ModelError: for a system that does not float.
        StateError: for wrong shapes, or numbers that are not finite.

    Cost: linear in links and steps, four solutions by both filters a step.
    """
    if system.kind != "free_flyer":
        raise ModelError("Algorithm 7 is written for free flyers, where the dual filter exists.")
    torque = numbers(np.zeros(system.n_joints) if tau is None else tau, (system.n_joints,), "tau")
    poses, velocities = poses_and_velocities(system, state)
    work = make_work(system.tables)

    def accelerations(poses: Array, velocities: Array) -> Array:
        q, qd, _, _ = joint_coordinates(system, poses, velocities)
        here = system.state(q, qd, _rigid(poses[-1]), velocities[-1])
        x, v = system.pack(here)
        motion_state(system.tables, x, v, work)
        inward_filter(system.tables.tree, system.tables.model, v, torque, work.links)
        return dual_stages(system, work)["acceleration"]

    steps = round(duration / dt)
    times: Array = dt * np.arange(steps + 1, dtype=np.float64)
    all_poses = np.zeros((steps + 1, *poses.shape))
    all_velocities = np.zeros((steps + 1, *velocities.shape))
    gaps, tilts = np.zeros(steps + 1), np.zeros(steps + 1)
    for step in range(steps + 1):
        all_poses[step], all_velocities[step] = poses, velocities
        gaps[step], tilts[step] = joint_coordinates(system, poses, velocities)[2:]
        if step == steps:
            break
        rate1, a1 = velocities, accelerations(poses, velocities)
        v2 = velocities + 0.5 * dt * a1
        a2 = accelerations(_moved(poses, 0.5 * dt * rate1), v2)
        rate2 = _rate(0.5 * dt * rate1, v2)
        v3 = velocities + 0.5 * dt * a2
        a3 = accelerations(_moved(poses, 0.5 * dt * rate2), v3)
        rate3 = _rate(0.5 * dt * rate2, v3)
        v4 = velocities + dt * a3
        a4 = accelerations(_moved(poses, dt * rate3), v4)
        rate4 = _rate(dt * rate3, v4)
        poses = _moved(poses, dt / 6.0 * (rate1 + 2 * rate2 + 2 * rate3 + rate4))
        velocities = velocities + dt / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4)
    return RedundantRun(times, all_poses, all_velocities, gaps, tilts)


def _moved(poses: Array, change: Array) -> Array:
    result = poses.copy()
    result[:, :3, :3] = Rotation.from_rotvec(change[:, :3]).as_matrix() @ poses[:, :3, :3]
    result[:, :3, 3] += change[:, 3:]
    return result


def _rate(change: Array, velocities: Array) -> Array:
    """The rate of ``change`` (a rotation vector and a shift a link) at those velocities, on the group."""
    result = velocities.copy()
    for k in range(len(change)):
        result[k, :3] = inverse_exponential_rate(tuple(change[k, :3]), tuple(velocities[k, :3]))
    return result


def _rigid(pose: Array) -> Array:
    """The pose with its rotation cleaned of rounding."""
    result = pose.copy()
    left, _, right = np.linalg.svd(pose[:3, :3])
    result[:3, :3] = left @ right
    return result
