"""How a held object couples the forces, velocities and accelerations of its contacts; R88 Section 4.

Everything in inertial axes, [angular; linear], contact after contact, referred to the contact points and mass centre C.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.plain_kinematics import Kinematics, shift
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
