"""What each joint's torque does to joints, contacts and object of a closed chain; R88 Section 10."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamics.errors import ModelError
from dynamics.operators.mass_matrix_inverse import mass_matrix_inverse
from dynamics.recursion.transport import Transport, shift_matrix, transport
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tip_poses import link_poses

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Influence:
    """Maps from the joint torques, R88 (10.1)-(10.12); theta'' = W T + (what velocities and weights do).

    Attributes:
        W_free: (n, n), the object absent: block diagonal, one block an arm.
        delta_W: (n, n), what holding the object takes away.
        W: W_free - delta_W.
        contact_force: (6 tips, n), to the forces on the object.
        object_acceleration: (6, n).
        sweeps: the three stages of Fig. 10.1, each with what it leaves behind:
            ``inward_gains``: joint_inertia, kalman_gain; ``outward_covariance``: costate_covariance,
            output_map (H~(k)), tip_costate_covariance, omega; ``inward_influence``:
            contact_influence_sweep (S(i) = psi(i, 0) Omega^-1 psi'(i, 0), (n, 6, 6)), and tip_map
            (H~(k) psi(k, 0), (n, 6 tips)).
    """

    W_free: Array
    delta_W: Array
    W: Array
    contact_force: Array
    object_acceleration: Array
    sweeps: Mapping[str, Mapping[str, Array]]


def influence(system: System, state: State) -> Influence:
    """The influence matrices of a posture; for a system that holds nothing delta_W is zero.

    Raises:
        ModelError: for a free flyer.

    Cost: quadratic in the joints, cubic in the contact directions.
    """
    if system.is_floating:
        raise ModelError("influence matrices are written for bolted-down arms; see mass_matrix_inverse.")
    t, n, tips = transport(system, state), system.n_joints, system.n_tips
    poses = link_poses(system, state)
    free = mass_matrix_inverse(system, state)
    c = 1.0 / t.joint_inertia + np.einsum("ki,kij,kj->k", t.gain, t.covariance_inboard, t.gain)
    output_map = np.einsum("ki,kij->kj", t.gain, t.covariance_inboard) - c[:, None] * t.rows  # H~(k)

    # psi(k, 0) of each contact: from the contact point to link k, predicted there.
    tip_map = np.zeros((n, 6 * tips))
    to_link = np.zeros((len(system.contacts), n, 6, 6))
    covariance = np.zeros((6 * tips, 6 * tips))
    selection = np.zeros((sum(len(contact.selection) for contact in system.contacts), 6 * tips))
    on_object = np.zeros((6, 6 * tips))
    row = 0
    for i, contact in enumerate(system.contacts):
        block = slice(6 * contact.tip, 6 * contact.tip + 6)
        point = (poses[contact.link] @ contact.tip_pose)[:3, 3]
        carried = shift_matrix(point - poses[contact.link, :3, 3])
        covariance[block, block] = carried.T @ t.covariance[contact.link] @ carried
        for step, k in enumerate(t.outboard_paths[contact.link]):
            if step:
                before = t.outboard_paths[contact.link][step - 1]
                carried = t.shift[before] @ t.reduction[before] @ carried
            to_link[i, k] = carried
            tip_map[k, block] = output_map[k] @ carried
        for other in range(i):
            _couple_tips(t, system, other, i, to_link, covariance)
        # Joints of this tree that do not lie between contact and base answer through the link where ways part.
        _answer_of_branches(t, n, contact.link, to_link[i], tip_map, block)
        assert state.object_pose is not None
        frame = state.object_pose[:3, :3] @ contact.object_pose[:3, :3]
        rows = len(contact.selection)
        selection[row : row + rows, block] = contact.selection @ np.kron(np.eye(2), frame.T)
        on_object[:, block] = shift_matrix(point - state.object_pose[:3, 3])
        row += rows
    force_map, object_map, delta = np.zeros((6 * tips, n)), np.zeros((6, n)), np.zeros((n, n))
    omega = np.zeros((row, row))
    inverse_object = _inverse_object_inertia(system, state)
    spread = np.zeros((6 * tips, 6 * tips))
    if row:
        omega = selection @ (covariance + on_object.T @ inverse_object @ on_object) @ selection.T
        spread = selection.T @ np.linalg.pinv(omega, rcond=1e-11, hermitian=True) @ selection  # C' Omega^-1 C
        force_map = -spread @ tip_map.T  # (10.5)
        object_map = inverse_object @ on_object @ force_map
        delta = tip_map @ spread @ tip_map.T  # (10.11)
    sweep = np.zeros((n, 6, 6))
    for i, contact in enumerate(system.contacts):
        block = slice(6 * contact.tip, 6 * contact.tip + 6)
        for j, neighbor in enumerate(system.contacts):
            if neighbor.arm == contact.arm:
                across = slice(6 * neighbor.tip, 6 * neighbor.tip + 6)
                sweep += to_link[i] @ spread[block, across] @ np.swapaxes(to_link[j], 1, 2)
    return Influence(
        W_free=free,
        delta_W=delta,
        W=free - delta,
        contact_force=force_map,
        object_acceleration=object_map,
        sweeps={
            "inward_gains": {"joint_inertia": t.joint_inertia, "kalman_gain": t.gain},
            "outward_covariance": {
                "costate_covariance": t.covariance,
                "output_map": output_map,
                "tip_costate_covariance": covariance,
                "omega": omega,
            },
            "inward_influence": {"contact_influence_sweep": sweep, "tip_map": tip_map},
        },
    )


def _couple_tips(t: Transport, system: System, one: int, other: int, to_link: Array, covariance: Array) -> None:
    """Lambda(0)'s block between two contacts of one tree: psi' Lambda(c) psi at the link c where their ways meet."""
    ways = [t.outboard_paths[system.contacts[i].link] for i in (one, other)]
    meeting = next((k for k in ways[0] if k in ways[1]), None)
    if meeting is None:
        return
    rows = slice(6 * system.contacts[one].tip, 6 * system.contacts[one].tip + 6)
    columns = slice(6 * system.contacts[other].tip, 6 * system.contacts[other].tip + 6)
    covariance[rows, columns] = to_link[one, meeting].T @ t.covariance[meeting] @ to_link[other, meeting]
    covariance[columns, rows] = covariance[rows, columns].T


def _answer_of_branches(t: Transport, n: int, link: int, to_link: Array, tip_map: Array, block: slice) -> None:
    """G'(k) psi'(.) Lambda(c) psi(c, 0) for joints k whose way in meets the contact's way at link c."""
    way = t.outboard_paths[link]
    for k in range(n):
        path = t.outboard_paths[k]
        if k in way or path[-1] != way[-1]:
            continue
        row = t.gain[k]
        for step in range(1, len(path)):
            row = row @ t.shift[path[step - 1]].T
            meet = path[step]
            if meet in way:
                tip_map[k, block] = row @ t.covariance[meet] @ to_link[meet]
                break
            row = row @ t.reduction[meet].T


def _inverse_object_inertia(system: System, state: State) -> Array:
    matrix = np.zeros((6, 6))
    if system.task_object is not None and state.object_pose is not None:
        rotation = state.object_pose[:3, :3]
        matrix[:3, :3] = rotation @ np.linalg.solve(system.task_object.inertia, rotation.T)
        matrix[3:, 3:] = np.eye(3) / system.task_object.mass
    return matrix
