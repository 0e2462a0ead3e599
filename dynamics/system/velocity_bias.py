"""a(k) and b(k), what velocity, weight and pushes add to each link's motion and force, in plain NumPy."""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.system.plain_kinematics import PlainKinematics, spatial_inertias
from dynamics.system.state import State
from dynamics.system.system import System


def bias_accelerations(system: System, state: State, motion: PlainKinematics) -> Array:
    """a(k) in alpha(k) = phi' alpha(k+1) + H' theta'' + a(k), (links, 6) at O_k, inertial axes; JR (2.2).

    Zero for a link that floats. Cost: linear in the links.
    """
    n = system.n_joints
    a = np.zeros((system.n_links, 6))
    inner = system.inboard[:n]
    omega = np.where(inner[:, None] >= 0, motion.velocity[inner, :3], 0.0)  # of the inboard neighbor
    revolute = np.array([joint.kind == "revolute" for joint in system.joint_models], dtype=bool)[:, None]
    along = np.cross(omega, state.qd[:, None] * motion.axis)
    a[:n, :3] = np.where(revolute, along, 0.0)
    a[:n, 3:] = np.cross(omega, np.cross(omega, motion.lever[:n])) + np.where(revolute, 0.0, 2.0 * along)
    return a


def bias_forces(system: System, motion: PlainKinematics, wrench: Array) -> Array:
    """b(k) in x(k) = sum phi x + M alpha + b(k), (links, 6) at O_k: gyroscopic, less weight and pushes; R87 (7).

    Args:
        motion: of the state.
        wrench: (links + 1, 6), external [moment; force] on each link at O_k; the object's row is not read.
    """
    inertia = spatial_inertias(system, motion.pose, motion.mass_lever)
    mass = np.array([link.mass for link in system.link_models])[:, None]
    omega, p = motion.velocity[:, :3], motion.mass_lever
    weight = mass * system.gravity
    b = np.zeros((system.n_links, 6))
    b[:, :3] = np.cross(omega, np.einsum("kij,kj->ki", inertia[:, :3, :3], omega)) - np.cross(p, weight)
    b[:, 3:] = mass * np.cross(omega, np.cross(omega, p)) - weight
    return b - wrench[:-1]
