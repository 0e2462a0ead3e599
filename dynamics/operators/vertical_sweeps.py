"""Influence matrices swept column by column, and the blocks of S(i) between arms; R88 Results 10.2 and 10.7."""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.operators.influence import Influence, influence
from dynamics.operators.object_balance import contact_points
from dynamics.recursion.transport import Transport, transport
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.plain_kinematics import shift
from dynamics.system.state import State
from dynamics.system.system import System


def free_influence(system: System, state: State) -> Array:
    """W_FREE by R88 (10.4): from each joint i outward, W(k, i) = G'(k+1, k) lambda(k+1), lambda(i) = H~'(i).

    Returns:
        (joints, joints), the influence matrix of the arms without their object.

    Raises:
        ModelError: for arms that branch or float.
    """
    t = transport(system, state)
    result = np.zeros((system.n_joints, system.n_joints))
    for arm in _chains(system):
        for i in arm:
            result[i, i] = t.response[i]
            costate = t.output_map[i]
            for k in reversed(range(arm[0], i)):
                costate = t.shift[k].T @ costate
                result[k, i] = result[i, k] = t.gain[k] @ costate
                costate = t.reduction[k].T @ costate
    return result


def modified_output_map(t: Transport) -> Array:
    """H~(k) = G'(k+1, k) Lambda(k+1) psi(k+1, k) - D^-1(k) H(k), R88 Result 10.1, (joints, 6); G(k+1, k) = phi G(k).

    The link at joint k accelerates by -H~'(k) under a unit torque there.
    """
    result = -t.rows / t.joint_inertia[:, None]
    for k, gain in enumerate(t.gain):
        inner = t.inboard[k]
        if inner >= 0:
            result[k] += (t.shift[k] @ gain) @ t.covariance[inner] @ t.step[k]
    return result


def accelerations_by_contact_forces(system: System, state: State, contact_force: Array) -> Array:
    """theta''(k) - theta''_FREE(k) = H~(k) psi(k, 0) x(0), R88 (10.8), with the forces carried inward link by link.

    Args:
        contact_force: (tips, 6), x(0), on the object, inertial axes.

    Returns:
        (joints,).

    Raises:
        ModelError: unless every arm is a bolted chain that holds the object.
    """
    chains, t = _holding_chains(system), transport(system, state)
    points, poses = (
        contact_points(system, forward_kinematics(system, state).pose),
        forward_kinematics(system, state).pose,
    )
    output_map, result = modified_output_map(t), np.zeros(system.n_joints)
    for contact, point, arm in zip(system.contacts, points, chains, strict=True):
        x = shift(point - poses[arm[0], :3, 3]) @ contact_force[contact.tip]
        for k in arm:
            result[k] = output_map[k] @ x
            x = t.step[k] @ x if t.inboard[k] >= 0 else x
    return result


def closed_chain_influence(system: System, state: State) -> Array:
    """W(k, i) = W_FREE(k, i) - H~(k) x(k), R88 (10.12), where the print has H(k); x(k) as ``influence_taken_away``.

    Returns:
        (joints, joints).

    Raises:
        ModelError: unless every arm is a bolted chain that holds the object.
    """
    return influence(system, state).W_free - influence_taken_away(system, state)


def influence_taken_away(system: System, state: State) -> Array:
    """Delta W(k, i) = H~(k) psi(k, i) S(i) H~'(i), R88 (10.11), column by column: what holding the object takes away.

    S(i) = psi S(i-1) psi' goes inward for all arms at once, and from each i inward x(k), from x(i) = S(i) H~'(i).
    S(i) has blocks between arms: there joint i of one arm reaches joint k of another.

    Returns:
        (joints, joints).

    Raises:
        ModelError: unless every arm is a bolted chain that holds the object.
    """
    chains, maps, t = _holding_chains(system), influence(system, state), transport(system, state)
    output_map, result = modified_output_map(t), np.zeros_like(maps.W_free)
    s, longest = maps.sweeps["inward_influence"]["contact_stiffness"], max(len(arm) for arm in chains)
    entry = maps.sweeps["inward_influence"]["contact_transition"]

    def inward(number: int) -> Array:
        """psi(number, number - 1) of all arms; nothing goes past a base."""
        steps = [np.zeros((6, 6))] * len(chains)
        for a, arm in enumerate(chains):
            if number == 0:
                steps[a] = entry[a, arm[0]]
            elif number < len(arm):
                before = arm[number - 1]
                steps[a] = t.step[before]
        return np.asarray(block_diag(*steps))

    for i in range(longest):
        s = inward(i) @ s @ inward(i).T
        for b, arm in enumerate(chains):
            if i >= len(arm):
                continue
            x = s[:, 6 * b : 6 * b + 6] @ output_map[arm[i]]
            for k in range(i, longest):
                x = x if k == i else inward(k) @ x
                for a, other in enumerate(chains):
                    if k < len(other):
                        row, column = other[k], arm[i]
                        result[row, column] = output_map[row] @ x[6 * a : 6 * a + 6]
                        result[column, row] = result[row, column]
    return result


def composite_influence(system: System, maps: Influence, number: int) -> Array:
    """S(i) = psi(i, 0) Omega^-1 psi'(i, 0) of R88 (10.11) for joint i of every arm, blocks between arms too.

    Args:
        number: i, from 1 at the tips; an arm with fewer joints has no block.

    Returns:
        (6 arms, 6 arms), symmetric.

    Raises:
        ModelError: unless every arm is a bolted chain that holds the object.
    """
    chains, stage = _holding_chains(system), maps.sweeps["inward_influence"]
    steps = [
        stage["contact_transition"][a, arm[number - 1]] if number <= len(arm) else np.zeros((6, 6))
        for a, arm in enumerate(chains)
    ]
    moved = block_diag(*steps)
    return np.asarray(moved @ stage["contact_stiffness"] @ moved.T)


def _holding_chains(system: System) -> list[range]:
    chains = _chains(system)
    if len(system.contacts) != system.n_tips:
        raise ModelError("these sweeps start at the object: every arm must hold it.")
    return chains


def _chains(system: System) -> list[range]:
    """The joints of each arm, tip to base."""
    ends = np.flatnonzero(np.asarray(system.inboard) < 0)
    chains = [range(first, end + 1) for first, end in zip([0, *(ends[:-1] + 1)], ends, strict=True)]
    branches = any(system.inboard[k] != k + 1 for arm in chains for k in arm[:-1])
    if system.is_floating or system.n_tips != system.n_arms or branches:
        raise ModelError("vertical sweeps are written for bolted-down arms that do not branch; see ``influence``.")
    return chains
