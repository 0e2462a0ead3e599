"""Every link with its own six coordinates: JR Algorithm 7, and how far the joints drift open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.motion.runge_kutta import TABLEAUS
from dynamics.motion.simulation import span_of, step_of
from dynamics.motion.textbook_simulation import plain_step
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.dual_filter import dual_stages, run_dual
from dynamics.recursion.filter_smoother import motion_state
from dynamics.recursion.inward_filter import inward_filter
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.plain_kinematics import poses_and_velocities
from dynamics.system.state import State, poses_of_rows, rows_of_poses
from dynamics.system.system import System
from dynamics.system.tables import make_work


@dataclass(frozen=True, eq=False)
class RedundantRun(Record):
    """A run of Algorithm 7.

    Attributes:
        times: (samples,).
        poses, velocities: (samples, links, 4, 4) and (samples, links, 6).
        gap: (samples,), the largest distance between a joint's two sides, m.
        tilt: (samples,), the largest angle between a joint's two sides that the joint does not allow, rad.
    """

    times: Array
    poses: Array
    velocities: Array
    gap: Array
    tilt: Array


def joint_coordinates(system: System, poses: Array, velocities: Array) -> tuple[Array, Array, float, float]:
    """The joints' displacements and rates from the links' own poses, and how far the joints are open.

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
        # The caller counts full revolutions; the dynamics does not depend on them.
        turn, shift = Rotation.from_matrix(relative[:3, :3]).as_rotvec(), relative[:3, 3]
        turns = joint.kind == "revolute"
        carried = velocities[inner].copy()
        carried[3:] += np.cross(velocities[inner, :3], poses[k, :3, 3] - poses[inner, :3, 3])
        q[k] = joint.axis @ (turn if turns else shift)
        qd[k] = axis @ (velocities[k] - carried)[:3] if turns else axis @ (velocities[k] - carried)[3:]
        allowed = q[k] * joint.axis
        tilt = max(tilt, float(np.linalg.norm(turn - allowed if turns else turn)))
        gap = max(gap, float(np.linalg.norm(shift if turns else shift - allowed)))
    return q, qd, gap, tilt


@public
def run_redundant(
    system: System, state: State, tau: JointValues | None = None, duration: float = 1.0, dt: float = 1e-3
) -> RedundantRun:
    """Integrate a free flyer link by link with RK4; each link has its own integrator (JR Algorithm 7).

    Every link's acceleration comes from both filters, (3.12), and its pose from its own velocity alone.
    Only the accelerations couple neighbors, so the joints drift open slowly: the price of redundant coordinates
    that JR states. The minimal coordinates of ``simulate`` keep them shut.

    Args:
        system: a free flyer.
        state: the initial state.
        tau: (joints,) N m or N, tip to base, constant; default zero.
        duration: s.
        dt: s, the step.

    Returns:
        Poses and velocities of every link in inertial axes, and the joints' drift, m and rad.

    Raises:
        ModelError: if the system does not float, or has joints that follow others.
        StateError: for wrong shapes, or numbers that are not finite.

    Cost: linear in links and steps, four solutions by both filters a step.
    """
    if system.kind != "free_flyer":
        raise ModelError("Algorithm 7 is written for free flyers, where the dual filter exists.")
    system.couplings.refuse(system.joint_names, "Algorithm 7")
    torque = joint_vector(system, tau, "tau")
    dt = step_of(dt)
    steps = round(span_of(duration, dt) / dt)
    poses, velocities = poses_and_velocities(system, state)
    work = make_work(system.tables)

    def accelerations(_: float, x: Array, v: Array) -> Array:
        poses, velocities = poses_of_rows(x.reshape(-1, 7)), v.reshape(-1, 6)
        q, qd, _, _ = joint_coordinates(system, poses, velocities)
        x, v = system.pack(system.state(q, qd, poses[-1], velocities[-1]))
        motion_state(system.tables, x, v, work)
        inward_filter(system.tables.tree, system.tables.model, v, torque, work.links)
        run_dual(system.tables, work)
        return dual_stages(system, work.links[:-1])["acceleration"].ravel()

    times: Array = dt * np.arange(steps + 1, dtype=np.float64)
    all_poses = np.zeros((steps + 1, *poses.shape))
    all_velocities = np.zeros((steps + 1, *velocities.shape))
    gaps, tilts = np.zeros(steps + 1), np.zeros(steps + 1)
    x, v = rows_of_poses(poses).ravel(), velocities.ravel()
    for step in range(steps + 1):
        all_poses[step], all_velocities[step] = poses_of_rows(x.reshape(-1, 7)), v.reshape(-1, 6)
        gaps[step], tilts[step] = joint_coordinates(system, all_poses[step], all_velocities[step])[2:]
        if step < steps:  # no joint, only floating bodies: each link's own six coordinates
            x, v = plain_step(TABLEAUS["rk4"], 0, 0.0, x, v, dt, accelerations(0.0, x, v), accelerations)
    return RedundantRun(times, all_poses, all_velocities, gaps, tilts)
