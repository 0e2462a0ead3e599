"""From joint rates to the object's velocity and back; R88 Results 5.1-5.7."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import numbers
from dynamics.errors import ModelError
from dynamics.operators.composite_inertia import joint_rows
from dynamics.recursion.kinematics import kinematics
from dynamics.recursion.transport import path_inward, shift_matrix
from dynamics.system.layout import BIAS_ACCELERATION, VELOCITY
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tables import make_work
from dynamics.system.tip_poses import link_poses, poses_and_velocities

Array = NDArray[np.float64]


def tip_jacobians(system: System, state: State) -> Array:
    """B' Phi' H' of every contact, (contacts, 6, joints): the contact point's velocity per joint rate."""
    poses = link_poses(system, state)
    rows = joint_rows(system, poses)
    jacobians = np.zeros((len(system.contacts), 6, system.n_joints))
    for i, point in enumerate(contact_points(system, poses)):
        for k in path_inward(system.inboard, system.contacts[i].link):
            if k < system.n_joints:
                jacobians[i, :, k] = shift_matrix(point - poses[k, :3, 3]).T @ rows[k]
    return jacobians


def contact_points(system: System, poses: Array) -> Array:
    """(contacts, 3), world."""
    return np.array([(poses[c.link] @ c.tip_pose)[:3, 3] for c in system.contacts]).reshape(-1, 3)


def grasp_map(system: System, state: State) -> Array:
    """A = [phi(C, 0_1) ...], (6, 6 contacts): from contact forces to the force on the object."""
    _require_held(system)
    assert state.object_pose is not None
    points = contact_points(system, link_poses(system, state))
    return np.hstack([shift_matrix(point - state.object_pose[:3, 3]) for point in points])


def link_velocities(system: System, state: State) -> Array:
    """V(k) = phi' V(k+1) + H' theta', R88 (5.1); (links, 6) at O_k, inertial axes."""
    return poses_and_velocities(system, state)[1]


def object_velocity(system: System, state: State) -> Array:
    """v(C) = (A A')^-1 A V(0), Result 5.3: the rigid motion nearest to what the contact points do."""
    a = grasp_map(system, state)
    velocities = tip_jacobians(system, state) @ state.qd
    return np.asarray(np.linalg.solve(a @ a.T, a @ velocities.ravel()))


def smallest_rates(system: System, state: State, velocity: ArrayLike) -> tuple[Array, int]:
    """theta'_0 = H Phi B Q^-1(0) A' v(C), Result 5.5: the joint rates of smallest norm that move the object so.

    Q(0) = B' Phi' H' H Phi B is found arm by arm by (5.7), outward, and the rates by (5.8), inward. Where
    Q(0) is singular its pseudo-inverse is used, and the motion that this arm cannot follow is left out.

    Returns:
        the rates, (joints,), and the number of directions that some arm cannot follow.
    """
    a = grasp_map(system, state)
    wanted = a.T @ numbers(velocity, (6,), "velocity")
    return _smallest(system, state, wanted.reshape(-1, 6))


def projected_rates(system: System, state: State) -> tuple[Array, int]:
    """Result 5.6: rates that let the object be rigid, from rates that may not; as ``smallest_rates``."""
    return smallest_rates(system, state, object_velocity(system, state))


def smallest_accelerations(system: System, state: State, acceleration: ArrayLike) -> tuple[Array, int]:
    """Result 5.7: theta''_0 = H Phi B Q^-1(0) [A' lambda(C) + eta - B' Phi' a], with the velocity bias.

    Args:
        acceleration: (6,), of the object at its mass centre.
    """
    a = grasp_map(system, state)
    assert state.object_velocity is not None and state.object_pose is not None
    x, v = system.pack(state)
    work = make_work(system.tables)
    kinematics(system.tables.tree, system.tables.model, system.tables.gravity, work.wrench, x, v, work.links)
    poses = link_poses(system, state)
    bias = work.links[:-1, BIAS_ACCELERATION : BIAS_ACCELERATION + 6]
    omegas = work.links[:-1, VELOCITY : VELOCITY + 3]
    points = contact_points(system, poses)
    wanted = (a.T @ numbers(acceleration, (6,), "acceleration")).reshape(-1, 6)
    omega = state.object_velocity[:3]
    for i, contact in enumerate(system.contacts):
        r = points[i] - state.object_pose[:3, 3]
        wanted[i, 3:] += np.cross(omega, np.cross(omega, r))  # eta
        lever = points[i] - poses[contact.link, :3, 3]
        spin = omegas[contact.link]
        wanted[i, 3:] -= np.cross(spin, np.cross(spin, lever))  # a(0)
        for k in path_inward(system.inboard, contact.link):
            wanted[i] -= shift_matrix(points[i] - poses[k, :3, 3]).T @ bias[k]
    return _smallest(system, state, wanted)


def _smallest(system: System, state: State, wanted: Array) -> tuple[Array, int]:
    """(5.7) outward and (5.8) inward, for each contact what its point must do, (contacts, 6)."""
    _require_held(system)
    poses = link_poses(system, state)
    rows = joint_rows(system, poses)
    points = contact_points(system, poses)
    result = np.zeros(system.n_joints)
    lost = 0
    for i, contact in enumerate(system.contacts):
        path = path_inward(system.inboard, contact.link)
        q = np.zeros((6, 6))
        for step in range(len(path) - 1, -1, -1):  # (5.7), from the base outward
            k = path[step]
            if step < len(path) - 1:
                shift = shift_matrix(poses[k, :3, 3] - poses[path[step + 1], :3, 3])
                q = shift.T @ q @ shift
            q = q + np.outer(rows[k], rows[k])
        shift = shift_matrix(points[i] - poses[contact.link, :3, 3])
        q = shift.T @ q @ shift
        values, vectors = np.linalg.eigh(q)
        kept = values > 1e-10 * values[-1]
        lost += int((~kept).sum())
        x = vectors[:, kept] @ ((vectors[:, kept].T @ wanted[i]) / values[kept])
        at = points[i]
        for k in path:  # (5.8), inward
            x = shift_matrix(at - poses[k, :3, 3]) @ x
            at = poses[k, :3, 3]
            result[k] += rows[k] @ x
    return result, lost


def _require_held(system: System) -> None:
    if not system.is_held:
        raise ModelError("nothing is held, so the object's velocity does not follow from the joints; grasp it first.")
