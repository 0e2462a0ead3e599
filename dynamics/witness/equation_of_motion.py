"""M theta'' + V = T, R87 Section VII: the mass matrix as a covariance, inverse dynamics by two sweeps.

And how a held object couples the forces, velocities and accelerations of its contacts, R88 Section 4: in inertial
axes, [angular; linear], contact after contact, referred to the contact points and the mass centre C.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.system.plain_kinematics import (
    Kinematics,
    bias_accelerations,
    bias_forces,
    forward_kinematics,
    joint_losses,
    joint_rows,
    plain_kinematics,
    shift,
    spatial_inertias,
)
from dynamics.system.state import State
from dynamics.system.system import System


def held_motion(system: System, state: State) -> tuple[Kinematics, Array, Array]:
    """The kinematics, and the object's pose and velocity.

    Raises:
        ModelError: if nothing is held.
        StateError: for a state of another system.
    """
    if not system.is_held:
        raise ModelError("nothing is held, so the object's velocity does not follow from the joints; grasp it first.")
    motion = forward_kinematics(system, state)
    assert state.object_pose is not None and state.object_velocity is not None
    return motion, state.object_pose, state.object_velocity


def grasp_map(system: System, state: State) -> Array:
    """A = [phi(C, 0_1) ...], R88 (4.5), (6, 6 contacts): from contact forces to the force on the object."""
    return np.hstack([*shift(held_motion(system, state)[0].object_lever)])


def selected_directions(system: System, state: State) -> Array:
    """C, block diagonal, (directions, 6 contacts): what each contact transmits; the identity for rigid ones.

    R88 assumes rigid grips; the extension to other contacts is JZ (30)-(33).
    """
    rotation = held_motion(system, state)[1][:3, :3]
    turned = [np.kron(np.eye(2), (rotation @ contact.object_pose[:3, :3]).T) for contact in system.contacts]
    return np.asarray(block_diag(*(c.selection @ turn for c, turn in zip(system.contacts, turned, strict=True))))


def contact_velocity(system: System, state: State, velocity: Array) -> Array:
    """V(0) = A' v(C), R88 (4.2): (contacts, 6) of the object's material at the contacts."""
    return np.asarray(grasp_map(system, state).T @ velocity).reshape(-1, 6)


def contact_acceleration(system: System, state: State, acceleration: Array) -> Array:
    """lambda(0) = A' alpha(C) + eta, R88 (4.3), which omits eta in print: (contacts, 6) of an arm that follows."""
    return contact_velocity(system, state, acceleration) + contact_bias(system, state)


def contact_bias(system: System, state: State) -> Array:
    """eta, (contacts, 6): what velocities add to the acceleration that a contact requires of its arm.

    [w_C x dw ; w_C x (w_C x r) + 2 w_C x dv], with dw and dv the velocities of the arm relative to the object
    where the contact lets it turn and slip; both are zero for rigid contacts.
    """
    motion, _, velocity = held_motion(system, state)
    slip = tip_velocities(system, motion, motion.velocity) - contact_velocity(system, state, velocity)
    turning = np.cross(velocity[:3], slip[:, :3])
    swing = np.cross(velocity[:3], np.cross(velocity[:3], motion.object_lever) + 2.0 * slip[:, 3:])
    return np.hstack([turning, swing])


def tip_velocities(system: System, motion: Kinematics, velocities: Array) -> Array:
    """V(0) = phi'(1, 0) V(1), (contacts, 6) of the arms at their contacts, from (links, 6) at O_k; R88 Result 5.1."""
    held = [contact.link for contact in system.contacts]
    return np.asarray(np.einsum("iba,ib->ia", shift(motion.contact_lever), velocities[held]))


def object_inertia(system: System, state: State) -> Array:
    """M(C), (6, 6) about the mass centre."""
    assert system.task_object is not None and state.object_pose is not None
    rotation = state.object_pose[:3, :3]
    inertia = system.task_object.mass * np.eye(6)
    inertia[:3, :3] = rotation @ system.task_object.inertia @ rotation.T
    return inertia


def object_bias_force(system: System, state: State) -> Array:
    """b(C) = [w x I w; -m g], (6,): gravity is the only external force."""
    assert system.task_object is not None and state.object_velocity is not None
    omega = state.object_velocity[:3]
    gyroscopic = np.cross(omega, object_inertia(system, state)[:3, :3] @ omega)
    return np.concatenate([gyroscopic, -system.task_object.mass * system.gravity])


def composite_inertia(system: System, state: State) -> Array:
    """r(k) = phi r(k-1) phi' + M(k), R87 (29): the inertia of link k and everything outboard, frozen.

    Read as estimation: the covariance of a state that is driven by noise M(k) and never observed. The filter's
    P(k) is smaller, P(k) <= r(k): measuring reduces uncertainty, freeing joints reduces inertia.

    Returns:
        (links, 6, 6) at O_k, inertial axes.
    """
    system.require_own(state)
    motion = plain_kinematics(system, state)
    composite, phi = spatial_inertias(system, motion.pose, motion.mass_lever), shift(motion.lever)
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


def two_sweeps(
    system: System, state: State, joint_acceleration: Array, base_acceleration: Array, wrench: Array
) -> tuple[Array, Array]:
    """alpha(k) = phi' alpha(k+1) + H' theta'' + a outward, x(k) = phi x(k-1) + M alpha + b inward.

    R87 (13)-(14), (18)-(19) and (4)-(6), (16)-(17): both refer to O_k and inertial axes, R87's to moving axes, so its
    n, (15), and b, (7), are computed here as in ``recursion.kinematics``; (8)-(10) are the proof.
    JR Algorithm 1, (2.1); R88 (7.2) with no contact; TML (3.1)-(3.13), whose (3.14) transforms them to link axes.

    Returns:
        H(k) of every joint, (joints, 6), and x(k) of every link, (links, 6).
    """
    system.require_own(state)
    motion, n = plain_kinematics(system, state), system.n_joints
    rows, phi = joint_rows(system, motion.axis), shift(motion.lever)
    alpha = bias_accelerations(system, state, motion)
    alpha[n:] = base_acceleration
    for k in range(n - 1, -1, -1):
        alpha[k] += rows[k] * joint_acceleration[k]
        inner = system.inboard[k]
        if inner >= 0:
            alpha[k] += phi[k].T @ alpha[inner]
    inertia = spatial_inertias(system, motion.pose, motion.mass_lever)
    force = np.einsum("kij,kj->ki", inertia, alpha) + bias_forces(system, motion, wrench)
    for k, inner in enumerate(system.inboard):
        if inner >= 0:
            force[inner] += phi[k] @ force[k]
    return rows, force


def inverse_dynamics(system: System, state: State, joint_acceleration: Array, wrench: Array) -> Array:
    """Joint torques that give the joint accelerations, T = H x; R87 (16)-(21) with alpha known, JR Algorithm 1.

    A floating base gets the acceleration that leaves no force on it: r alpha = -(force at rest).

    Args:
        wrench: (links + 1, 6), external [moment; force] at O_k.
    """
    n = system.n_joints
    rows, force = two_sweeps(system, state, joint_acceleration, np.zeros(6), wrench)
    if system.is_floating:
        composite = composite_inertia(system, state)[n:]
        base = -np.asarray(np.linalg.solve(composite, force[n:, :, None]), np.float64)[..., 0]
        rows, force = two_sweeps(system, state, joint_acceleration, base, wrench)
    rotor = np.array([joint.rotor_inertia for joint in system.joint_models])
    torque = np.einsum("ki,ki->k", rows, force[:n]) + rotor * joint_acceleration
    return np.asarray(torque + joint_losses(system, state.qd))


def bias_torque(system: System, state: State, wrench: Array) -> Array:
    """V of M theta'' + V = T less losses, R87 (22), (30)-(31): (velocity,), forces of floating bases and object last.

    Damping and friction are excluded, external forces included.
    """
    n = system.n_joints
    rows, force = two_sweeps(system, state, np.zeros(n), np.zeros(6), wrench)
    result = np.zeros(system.n_velocity)
    result[:n] = np.einsum("ki,ki->k", rows, force[:n])
    result[n : n + 6 * system.n_bases] = force[n:].ravel()
    if system.task_object is not None:
        result[-6:] = object_bias_force(system, state) - wrench[-1]
    return result
