"""The mass matrix as a covariance without measurements; R87 Section VII."""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.operators.object_balance import object_inertia
from dynamics.system.plain_kinematics import joint_rows, plain_kinematics, shift
from dynamics.system.state import State
from dynamics.system.system import System


def link_inertias(system: System, poses: Array) -> Array:
    """M(k) = [[J, m p~], [-m p~, m 1]], R87 (1), of every link at O_k, inertial axes; (links, 6, 6)."""
    result = np.zeros((system.n_links, 6, 6))
    for k, link in enumerate(system.link_models):
        rotation = poses[k, :3, :3]
        at_center = np.zeros((6, 6))
        at_center[:3, :3] = rotation @ link.inertia @ rotation.T
        at_center[3:, 3:] = link.mass * np.eye(3)
        phi = shift(rotation @ link.center_of_mass)
        result[k] = phi @ at_center @ phi.T
    return result


def posed_joint_rows(system: System, poses: Array) -> Array:
    """``joint_rows`` of links at ``poses``: H(k), (joints, 6)."""
    axes = [pose[:3, :3] @ joint.axis for pose, joint in zip(poses, system.joint_models, strict=False)]
    return joint_rows(system, np.array(axes))


def composite_inertia(system: System, state: State) -> Array:
    """r(k) = phi r(k-1) phi' + M(k), R87 (29): the inertia of link k and everything outboard, frozen.

    Read as estimation: the covariance of a state that is driven by noise M(k) and never observed. The filter's
    P(k) is smaller, P(k) <= r(k): measuring reduces uncertainty, freeing joints reduces inertia.

    Returns:
        (links, 6, 6) at O_k, inertial axes.
    """
    system.require_own(state)
    motion = plain_kinematics(system, state)
    composite, phi = link_inertias(system, motion.pose), shift(motion.lever)
    for k, inner in enumerate(system.inboard):
        if inner >= 0:
            composite[inner] += phi[k] @ composite[k] @ phi[k].T  # R87 (29)
    return composite


def mass_matrix(system: System, state: State) -> Array:
    """m(k, i) = H(k) phi(k, i) r(i) H'(i), k inboard of i; R87 (30)-(32), and M of (22).

    Returns:
        packed like a velocity: joints, then floating bases, then the object; rotors on the diagonal.
        (velocity, velocity). Contacts are not included.

    Cost: quadratic in the number of links.
    """
    composite, motion = composite_inertia(system, state), plain_kinematics(system, state)
    rows, phi = joint_rows(system, motion.axis), shift(motion.lever)
    n, size = system.n_joints, system.n_velocity
    matrix, base = np.zeros((size, size)), [slice(n + 6 * b, n + 6 * b + 6) for b in range(system.n_bases)]
    for i in range(n):
        force = composite[i] @ rows[i]
        matrix[i, i] = rows[i] @ force + system.joint_models[i].rotor_inertia
        at = i
        for k in system.path_inward(i)[1:]:
            force = phi[at] @ force
            at = k
            if k < n:
                matrix[k, i] = matrix[i, k] = rows[k] @ force  # R87 (31)
            else:
                matrix[base[k - n], i] = matrix[i, base[k - n]] = force
    for own, whole in zip(base, composite[n:], strict=True):
        matrix[own, own] = whole
    if system.task_object is not None:
        matrix[-6:, -6:] = object_inertia(system, state)
    return matrix
