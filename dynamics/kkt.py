"""Forward dynamics by one dense solve: Jacobians, mass matrix, Lagrange multipliers, and no recursion.

This is the witness for the sweeps. It shares the model and the poses with them and nothing else: it
sums J' M J over all links, and eliminates the contact forces through the singular values of M^-1/2 J'.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular

from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.state import State
from dynamics.system import System

Array = NDArray[np.float64]


class Dense(NamedTuple):
    """M a + h = J' (-f), J a + gamma = 0, over joints, base and object."""

    mass_matrix: Array  # (n, n)
    bias: Array  # (n,), everything but the motors' torques, on the left
    constraint: Array  # (l, n)
    constraint_bias: Array  # (l,)
    selection: Array  # (l, 6 * contacts), rows of C


class LinkJacobians(NamedTuple):
    """Of every link: (links, 3, n) Jacobians, and their time derivative times the velocity, (links, 3)."""

    angular: Array
    linear: Array  # of ``points``
    angular_rate: Array
    linear_rate: Array
    velocity: Array  # (links, 3), of ``points``


def skew(v: Array) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def link_jacobians(system: System, poses: Array, v: Array, points: Array) -> LinkJacobians:
    """Geometric Jacobians of one world point on each link, column by column, and their rates.

    A revolute column is [h; h x (c - O)], a prismatic one [0; h]; h turns with its link.
    """
    n_links, n_joints, n = system.n_links, system.n_joints, system.n_velocity
    axes = np.array([poses[k, :3, :3] @ joint.axis for k, joint in enumerate(system.joint_models)]).reshape(-1, 3)
    revolute = np.array([joint.kind == "revolute" for joint in system.joint_models], dtype=bool)
    origins = poses[:, :3, 3]
    paths = []
    for k in range(n_links):
        path, at = [], k
        while at >= 0:
            path.append(at)
            at = int(system.inboard[at])
        paths.append(path)

    angular = np.zeros((n_links, 3, n))
    for k, path in enumerate(paths):
        for j in path:
            if j >= n_joints:
                angular[k][:, n_joints : n_joints + 3] = np.eye(3)
            elif revolute[j]:
                angular[k][:, j] = axes[j]

    def linear_of(target: Array, path: list[int]) -> Array:
        jacobian = np.zeros((3, n))
        for j in path:
            if j >= n_joints:
                jacobian[:, n_joints : n_joints + 3] = -skew(target - origins[j])
                jacobian[:, n_joints + 3 : n_joints + 6] = np.eye(3)
            elif revolute[j]:
                jacobian[:, j] = np.cross(axes[j], target - origins[j])
            else:
                jacobian[:, j] = axes[j]
        return jacobian

    linear = np.array([linear_of(points[k], path) for k, path in enumerate(paths)])
    omega = angular @ v
    origin_velocity = np.array([linear_of(origins[k], path) for k, path in enumerate(paths)]) @ v
    velocity = linear @ v
    axis_rate = np.cross(omega[:n_joints], axes)
    angular_rate = np.zeros((n_links, 3))
    linear_rate = np.zeros((n_links, 3))
    for k, path in enumerate(paths):
        for j in path:
            moving_lever = velocity[k] - origin_velocity[j]
            if j >= n_joints:
                linear_rate[k] += np.cross(omega[j], moving_lever)
            elif revolute[j]:
                angular_rate[k] += axis_rate[j] * v[j]
                lever = points[k] - origins[j]
                linear_rate[k] += (np.cross(axis_rate[j], lever) + np.cross(axes[j], moving_lever)) * v[j]
            else:
                linear_rate[k] += axis_rate[j] * v[j]
    return LinkJacobians(angular, linear, angular_rate, linear_rate, velocity)


def dense_equations(system: System, state: State, poses: Array, wrench: Array) -> Dense:
    """Mass matrix, bias and constraint of a state, summed link by link.

    Args:
        wrench: (links + 1, 6), external [moment; force] on each link at O_k, and on the object.
    """
    _, v = system.pack(state)
    n, n_links = system.n_velocity, system.n_links
    gravity = np.asarray(system.gravity)
    centers = np.array(
        [poses[k, :3, :3] @ link.center_of_mass + poses[k, :3, 3] for k, link in enumerate(system.link_models)]
    )
    at_center = link_jacobians(system, poses, v, centers)
    at_origin = link_jacobians(system, poses, v, poses[:, :3, 3])
    mass_matrix, bias = np.zeros((n, n)), np.zeros(n)
    for k, link in enumerate(system.link_models):
        jw, jv = at_center.angular[k], at_center.linear[k]
        inertia = poses[k, :3, :3] @ link.inertia @ poses[k, :3, :3].T
        omega = jw @ v
        mass_matrix += link.mass * jv.T @ jv + jw.T @ inertia @ jw
        bias += jv.T @ (link.mass * (at_center.linear_rate[k] - gravity))
        bias += jw.T @ (inertia @ at_center.angular_rate[k] + np.cross(omega, inertia @ omega))
        bias -= jw.T @ wrench[k, :3] + at_origin.linear[k].T @ wrench[k, 3:]
    for k, joint in enumerate(system.joint_models):
        mass_matrix[k, k] += joint.rotor_inertia
        against = joint.friction[1] if v[k] > 0 else joint.friction[0]
        bias[k] += joint.damping * v[k] + against * np.tanh(v[k] / 0.01)

    thing = system.task_object
    if thing is not None and state.object_pose is not None and state.object_velocity is not None:
        rotation = state.object_pose[:3, :3]
        inertia = rotation @ thing.inertia @ rotation.T
        omega = state.object_velocity[:3]
        mass_matrix[n - 6 : n - 3, n - 6 : n - 3] = inertia
        mass_matrix[n - 3 :, n - 3 :] = thing.mass * np.eye(3)
        bias[n - 6 : n - 3] = np.cross(omega, inertia @ omega) - wrench[n_links, :3]
        bias[n - 3 :] = -thing.mass * gravity - wrench[n_links, 3:]
    return Dense(mass_matrix, bias, *_constraint(system, state, poses, v))


def _constraint(system: System, state: State, poses: Array, v: Array) -> tuple[Array, Array, Array]:
    n, n_contacts = system.n_velocity, len(system.contacts)
    if not n_contacts or state.object_pose is None or state.object_velocity is None:
        return np.zeros((0, n)), np.zeros(0), np.zeros((0, 0))
    rotation, center = state.object_pose[:3, :3], state.object_pose[:3, 3]
    omega_c, velocity_c = state.object_velocity[:3], state.object_velocity[3:]
    rows, biases, blocks = [], [], []
    for i, contact in enumerate(system.contacts):
        points = poses[:, :3, 3].copy()
        points[contact.link] = (poses[contact.link] @ contact.tip_pose)[:3, 3]
        tip = link_jacobians(system, poses, v, points)
        k = contact.link
        r = points[k] - center
        turn = tip.angular[k] @ v - omega_c
        slip = tip.velocity[k] - velocity_c - np.cross(omega_c, r)
        relative = np.vstack([tip.angular[k], tip.linear[k]])
        relative[:3, n - 6 : n - 3] -= np.eye(3)
        relative[3:, n - 6 : n - 3] += skew(r)
        relative[3:, n - 3 :] -= np.eye(3)
        # The rate of C (relative velocity): C turns with the object, and r follows the tip.
        drift = np.concatenate(
            [
                tip.angular_rate[k] - np.cross(omega_c, turn),
                tip.linear_rate[k] - np.cross(omega_c, tip.velocity[k] - velocity_c) - np.cross(omega_c, slip),
            ]
        )
        frame = rotation @ contact.object_pose[:3, :3]
        select = contact.selection @ np.kron(np.eye(2), frame.T)
        block = np.zeros((len(select), 6 * n_contacts))
        block[:, 6 * i : 6 * i + 6] = select
        rows.append(select @ relative)
        biases.append(select @ drift)
        blocks.append(block)
    return np.vstack(rows), np.concatenate(biases), np.vstack(blocks)


def solve_dense(equations: Dense, tau: Array) -> tuple[Array, Array]:
    """Accelerations and contact forces f of smallest norm.

    With M = L L' and W = L^-1 J', f = (W'W)^-1 (gamma + J a_free); W is taken apart by its singular
    values, so nothing is squared.

    Raises:
        ModelError: if the mass matrix is not positive: some joint moves nothing.
        SingularConfigurationError: if no force closes the chain.
    """
    n = len(equations.bias)
    force = -equations.bias
    force[: len(tau)] += tau
    try:
        root = cholesky(equations.mass_matrix, lower=True)
    except np.linalg.LinAlgError as error:
        raise ModelError(f"the mass matrix is not positive definite ({error}); some joint moves no inertia.") from error
    free = solve_triangular(root.T, solve_triangular(root, force, lower=True), lower=False)
    if not len(equations.constraint):
        return free, np.zeros(0)
    w = solve_triangular(root, equations.constraint.T, lower=True)  # (n, l)
    wanted = equations.constraint_bias + equations.constraint @ free
    # Rank on columns of length one: angular and linear directions carry different units.
    lengths = np.linalg.norm(w, axis=0)
    scaled = np.linalg.svd(w / np.where(lengths > 0.0, lengths, 1.0), compute_uv=False)
    rank = int((scaled > 1e-6 * scaled[0]).sum())
    left, values, right = np.linalg.svd(w, full_matrices=False)
    coordinates = right[:rank] @ wanted
    residual = wanted - right[:rank].T @ coordinates
    scale = 1.0 + np.abs(equations.constraint_bias).max() + np.abs(wanted).max()
    if np.abs(residual).max() > 1e-7 * scale:
        raise SingularConfigurationError(
            f"no contact force closes the chain: {np.abs(residual).max():.3g} (m/s^2 or rad/s^2) stay unbalanced "
            f"in {len(wanted) - rank} of {len(wanted)} contact directions."
        )
    f = right[:rank].T @ (coordinates / values[:rank] ** 2)
    correction = left[:, :rank] @ (coordinates / values[:rank])
    return free - solve_triangular(root.T, correction, lower=False)[:n], f
