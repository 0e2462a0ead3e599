"""Poses, velocities, and bias terms of velocity, weight and pushes; plain NumPy from the public model alone.

The compiled sweeps have their own kinematics (``kinematics``). This one shares no line with it, so that the
textbook and the witnesses, which build on it, are also independent checks of poses and velocities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, choices, is_among, nearest, numbers
from dynamics.errors import StateError
from dynamics.last_answer import kept_for_the_latest
from dynamics.public import public
from dynamics.record import Record
from dynamics.system.columns import named, own_rotation
from dynamics.system.state import State
from dynamics.system.system import System

Forces = Mapping[str, ArrayLike] | ArrayLike | None
"""Pushes on links and object, as callers specify them."""


@dataclass(frozen=True, eq=False)
class Kinematics(Record):
    """Poses and velocities of the bodies of one state; inertial axes, m and rad/s, every link at its origin O_k.

    Attributes:
        pose: (links, 4, 4), world <- link.
        axis: (joints, 3), h(k), a unit vector.
        lever: (links, 3), l(k+1, k) from O of the inboard neighbor, or from the world's origin, to O_k; zero for
            floating links.
        mass_lever: (links, 3), p(k) from O_k to the mass centre.
        velocity: (links, 6) of O_k.
        tip_pose: (tips, 4, 4), world <- tip.
        contact_pose: (contacts, 4, 4), world <- contact frame, as carried by the arm.
        contact_lever: (contacts, 3), l(1, 0) from O of the link that holds to the contact point.
        object_lever: (contacts, 3), r from the object's mass centre to the contact point.
    """

    pose: Array
    axis: Array
    lever: Array
    mass_lever: Array
    velocity: Array
    tip_pose: Array
    contact_pose: Array
    contact_lever: Array
    object_lever: Array


@kept_for_the_latest
def plain_kinematics(system: System, state: State) -> Kinematics:
    """Poses, levers and velocities of every link, tip and contact: V(k) = phi' V(k+1) + H' beta.

    Cost: linear in the links, some 20 us each.
    """
    n, links = system.n_joints, system.n_links
    pose, velocity, lever, axis = np.zeros((links, 4, 4)), np.zeros((links, 6)), np.zeros((links, 3)), np.zeros((n, 3))
    if state.base_pose is not None and state.base_velocity is not None:
        pose[n:], velocity[n:] = state.base_pose.reshape(-1, 4, 4), state.base_velocity.reshape(-1, 6)
    for k in range(n - 1, -1, -1):
        joint, inner = system.joint_models[k], int(system.inboard[k])
        is_bolted = inner < 0
        carrier = system.base_poses[system.arm_of_link[k]] if is_bolted else pose[inner]
        frame = carrier @ joint.origin
        axis[k] = frame[:3, :3] @ joint.axis
        pose[k] = frame
        if joint.kind == "revolute":
            pose[k, :3, :3] = frame[:3, :3] @ turn_about(joint.axis, state.q[k])
        else:
            pose[k, :3, 3] += state.q[k] * axis[k]
        lever[k] = pose[k, :3, 3] if is_bolted else pose[k, :3, 3] - carrier[:3, 3]
        if not is_bolted:
            velocity[k] = velocity[inner]
            velocity[k, 3:] += cross(velocity[inner, :3], lever[k])
        at = 0 if joint.kind == "revolute" else 3
        velocity[k, at : at + 3] += state.qd[k] * axis[k]
    center = np.array([link.center_of_mass for link in system.link_models]).reshape(-1, 3, 1)
    held = [contact.link for contact in system.contacts]
    tip_pose = np.array([pose[tip.link] @ tip.pose for tip in system.tips]).reshape(-1, 4, 4)
    contact_pose = np.array([pose[c.link] @ c.tip_pose for c in system.contacts]).reshape(-1, 4, 4)
    return Kinematics(
        pose=pose,
        axis=axis,
        lever=lever,
        mass_lever=(pose[:, :3, :3] @ center)[..., 0],
        velocity=velocity,
        tip_pose=tip_pose,
        contact_pose=contact_pose,
        contact_lever=contact_pose[:, :3, 3] - pose[held, :3, 3],
        object_lever=contact_pose[:, :3, 3] - (0.0 if state.object_pose is None else state.object_pose[:3, 3]),
    )


def joint_rows(system: System, axis: Array) -> Array:
    """H(k), (joints, 6): [h' 0] for a revolute joint, [0 h'] for a prismatic one."""
    rows = np.zeros((system.n_joints, 6))
    for k, joint in enumerate(system.joint_models):
        at = 0 if joint.kind == "revolute" else 3
        rows[k, at : at + 3] = axis[k]
    return rows


def spatial_inertias(system: System, pose: Array, mass_lever: Array) -> Array:
    """M(k) = [[J, m p~], [-m p~, m 1]] at O_k, J about O_k, of every link: (links, 6, 6); R87 (1)."""
    mass = np.array([link.mass for link in system.link_models])[:, None, None]
    about_center = np.array([link.inertia for link in system.link_models]).reshape(-1, 3, 3)
    rotation, p = pose[:, :3, :3], tilde(mass_lever)
    result = np.zeros((system.n_links, 6, 6))
    result[:, :3, :3] = rotation @ about_center @ rotation.transpose(0, 2, 1) - mass * p @ p
    result[:, :3, 3:], result[:, 3:, :3] = mass * p, -mass * p
    result[:, 3:, 3:] = mass * np.eye(3)
    return result


def bias_accelerations(system: System, state: State, motion: Kinematics) -> Array:
    """a(k) in alpha(k) = phi' alpha(k+1) + H' theta'' + a(k), (links, 6) at O_k, inertial axes; JR (2.2).

    Zero for a floating link. Cost: linear in the links.
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


def bias_forces(system: System, motion: Kinematics, wrench: Array) -> Array:
    """b(k) in x(k) = sum phi x + M alpha + b(k), (links, 6) at O_k: gyroscopic, less weight and pushes; R87 (7).

    Args:
        motion: of the state.
        wrench: (links + 1, 6), external [moment; force] on each link at O_k; the object's row is not used.
    """
    inertia = spatial_inertias(system, motion.pose, motion.mass_lever)
    mass = np.array([link.mass for link in system.link_models])[:, None]
    omega, p = motion.velocity[:, :3], motion.mass_lever
    weight = mass * system.gravity
    b = np.zeros((system.n_links, 6))
    b[:, :3] = np.cross(omega, np.einsum("kij,kj->ki", inertia[:, :3, :3], omega)) - np.cross(p, weight)
    b[:, 3:] = mass * np.cross(omega, np.cross(omega, p)) - weight
    return b - wrench[:-1]


def joint_losses(system: System, rate: Array) -> Array:
    """(joints,), the torques lost to damping and friction; friction is smoothed over 0.01 rad/s."""
    damping = np.array([joint.damping for joint in system.joint_models])
    against, along = np.array([joint.friction for joint in system.joint_models]).reshape(-1, 2).T
    direction = np.tanh(rate / 0.01)
    return np.asarray(damping * rate + np.where(direction > 0.0, along, against) * direction)


def shift(lever: Array) -> Array:
    """phi = [[1, l~], [0, 1]] of a lever (3,) or of many (n, 3): it moves forces inward; R87 (2)-(3)."""
    matrix = np.zeros((*lever.shape[:-1], 6, 6))
    matrix[..., range(6), range(6)] = 1.0
    matrix[..., :3, 3:] = tilde(lever)
    return matrix


def tilde(vector: Array) -> Array:
    """v~ with v~ w = v x w, of a vector (3,) or of many (n, 3)."""
    matrix = np.zeros((*vector.shape, 3))
    matrix[..., 0, 1], matrix[..., 0, 2], matrix[..., 1, 2] = -vector[..., 2], vector[..., 1], -vector[..., 0]
    matrix[..., 1, 0], matrix[..., 2, 0], matrix[..., 2, 1] = vector[..., 2], -vector[..., 1], vector[..., 0]
    return matrix


def turn_about(axis: Array, angle: float) -> Array:
    """The rotation by ``angle`` about a unit vector: 1 + sin a~ + (1 - cos) a~ a~."""
    a = tilde(axis)
    return np.asarray(np.eye(3) + np.sin(angle) * a + (1.0 - np.cos(angle)) * a @ a)


def cross(a: Array, b: Array) -> Array:
    """a x b of two vectors, or of columns of them; NumPy's own costs ten times as much on three numbers."""
    (x, y, z), (u, v, w) = a, b
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def external_wrench(system: System, external_forces: Forces, what: str = "external_forces") -> Array:
    """(links + 1, 6), [moment; force] on each link at its O_k; the last row is the object's, at its mass centre.

    Args:
        external_forces: None, such an array, or ``{link name or "object": wrench}``; inertial axes.
        what: the argument's name in messages.
    """
    wrench = np.zeros((system.n_links + 1, 6))
    if external_forces is None:
        return wrench
    if not isinstance(external_forces, Mapping):
        return numbers(external_forces, wrench.shape, what)
    for name, value in external_forces.items():
        wrench[wrench_row(system, name, what)] = numbers(value, (6,), f"{what}[{brief(name)}]")
    return wrench


def wrench_row(system: System, name: str, what: str) -> int:
    """The row of external forces on a link, or on ``object``."""
    index = {link: k for k, link in enumerate(system.link_names)}
    if system.task_object is not None:
        index["object"] = system.n_links
    if not is_among(name, index):
        raise StateError(f"{what}: there is no {brief(name)}{nearest(name, index)}; expected one of {choices(index)}.")
    return index[name]


@public
def forward_kinematics(system: System, state: State) -> Kinematics:
    """The poses of all links and tool points, and the velocities of the links.

    Args:
        system: any.
        state: of this system.

    Returns:
        ``pose``, (links, 4, 4), and ``tip_pose``, (tips, 4, 4), world <- link or tip, m; ``velocity``, (links, 6),
        [angular; linear] at the links' origins, inertial axes; links go from the tip to the base, as
        ``system.link_names`` does.

    Raises:
        StateError: for a state of another system.

    Cost: linear in the links, some 20 us each; none if the last call was for the same state.
    """
    return plain_kinematics(system, state)


def poses_and_velocities(system: System, state: State) -> tuple[Array, Array]:
    """(links, 4, 4) world <- link, and (links, 6) velocities at O_k in inertial axes."""
    motion = forward_kinematics(system, state)
    return motion.pose, motion.velocity


def poses_from(system: System, rows: Array) -> Array:
    """(..., links, 4, 4), world <- link, from the rows of a link table, (..., links, columns)."""
    poses = np.zeros((*rows.shape[:-1], 4, 4))
    poses[..., :3, :3] = own_rotation(system.tables.model, rows)
    poses[..., :3, 3] = named(rows, "position")
    poses[..., 3, 3] = 1.0
    return poses
