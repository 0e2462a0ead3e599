"""The effect of each joint's torque on joints, contacts and object of a closed chain; R88 Section 10, R87 (70)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.numbers.least_norm import LeastNorm
from dynamics.operators.mass_matrix_inverse import acceleration_responses, mass_matrix_inverse
from dynamics.operators.object_balance import contact_points, grasp_map, object_inertia, selected_directions
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import Transport, transport
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.plain_kinematics import joint_losses, shift
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class Influence(Record):
    """Maps from the joint torques, R88 (10.1)-(10.12); theta'' = W T + (terms in velocities and weights).

    Attributes:
        W_free: (n, n), without the object: block diagonal, one block an arm.
        delta_W: (n, n), what holding the object takes away.
        W: W_free - delta_W.
        contact_force: (6 tips, n), to the forces on the object.
        object_acceleration: (6, n).
        link_acceleration: (links, 6, n), of every link at O_k; H'(k) times row k of W, carried outward.
        sweeps: the three stages of Fig. 10.1, each with its results:
            ``inward_gains``: joint_inertia, kalman_gain; ``outward_covariance``: costate_covariance,
            output_map (H~(k)), tip_costate_covariance, omega; ``inward_influence``: contact_transition
            (psi(k, 0), (contacts, links, 6, 6)), contact_stiffness (C' Omega^-1 C, (6 tips, 6 tips)),
            contact_influence_sweep (S(i) = psi(i, 0) C' Omega^-1 C psi'(i, 0) within each arm, (n, 6, 6)), and tip_map
            (H~(k) psi(k, 0), (n, 6 tips)).
    """

    W_free: Array
    delta_W: Array
    W: Array
    contact_force: Array
    object_acceleration: Array
    link_acceleration: Array
    sweeps: Mapping[str, Mapping[str, Array]]


@public
def influence(system: System, state: State) -> Influence:
    """The influence matrices of a posture, R88 (10.5)-(10.11); for a system that holds nothing delta_W is zero.

    W_free is the inverse mass matrix of the arms without the object. Once an object is held, that inverse no longer
    gives the response to a torque: W does.

    Args:
        system: arms, holding or not, bolted down or on floating bases that move along; couplings between joints and
            closed loops are ignored.
        state: only its posture is used.

    Returns:
        Maps from torques (N m or N, tip to base) to accelerations of joints, links and object and to contact forces,
        inertial axes; if contacts are redundant, to the forces of smallest norm.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: quadratic in the joints, cubic in the contact directions.
    """
    t, n = transport(system, state), system.n_joints
    free, held = mass_matrix_inverse(system, state), _held(system, state, t)
    delta = held.tip_map @ held.spread @ held.tip_map.T  # R88 (10.11)
    force_map = -held.spread @ held.tip_map.T  # R88 (10.5)
    answer = free - delta
    link_map = np.zeros((system.n_links, 6, n))
    for base in range(n, system.n_links):  # (3.1): H = G = 1, so the arriving force accelerates it against P alone
        for k, passed in t.outward_rows[base].items():
            link_map[base, :, k] = -t.covariance[base] @ passed
        for i, contact in enumerate(system.contacts):
            force = force_map[6 * contact.tip : 6 * contact.tip + 6]
            link_map[base] -= t.covariance[base] @ held.to_link[i, base] @ force
    for k in range(n - 1, -1, -1):
        link_map[k] = np.outer(t.rows[k], answer[k])
        if t.inboard[k] >= 0:
            link_map[k] += t.shift[k].T @ link_map[t.inboard[k]]
    return Influence(
        W_free=free,
        delta_W=delta,
        W=answer,
        contact_force=force_map,
        object_acceleration=held.response @ force_map,
        link_acceleration=link_map,
        sweeps={
            "inward_gains": {"joint_inertia": t.joint_inertia, "kalman_gain": t.gain},
            "outward_covariance": {
                "costate_covariance": t.covariance,
                "output_map": t.output_map,
                "tip_costate_covariance": held.covariance,
                "omega": held.omega,
            },
            "inward_influence": {
                "contact_transition": held.to_link,
                "contact_stiffness": held.spread,
                "contact_influence_sweep": _swept(system, held),
                "tip_map": held.tip_map,
            },
        },
    )


@public
def contact_influence_sweep(system: System, state: State) -> Array:
    """S(i) = psi(i, 0) C' Omega^-1 C psi'(i, 0) within each arm, R88 Fig. 10.1: the contacts' effect, carried inward.

    Args:
        system: arms, holding or not.
        state: only its posture is used.

    Returns:
        (joints, 6, 6) as in ``influence``'s last sweep, an inertia about each O_k, inertial axes; zero where nothing
        is held.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: linear in the joints, cubic in the contact directions; a third of ``influence``.
    """
    return _swept(system, _held(system, state, transport(system, state)))


def contact_mobility(system: System, state: State) -> tuple[Array, Array]:
    """Lambda(0) of the free tips, (6 tips, 6 tips), and Omega over the selected directions, R88 (9.1)."""
    held = _held(system, state, transport(system, state))
    return held.covariance, held.omega


class _ContactResponse(NamedTuple):
    """The effect of contacts on the arms; blocks of six are indexed by tip, contacts being the tips that hold."""

    to_link: Array  # (contacts, links, 6, 6), psi(k, 0)
    tip_map: Array  # (joints, 6 tips), H~(k) psi(k, 0)
    covariance: Array  # (6 tips, 6 tips), of the free tips
    omega: Array  # over the selected directions
    spread: Array  # (6 tips, 6 tips), C' Omega^-1 C
    response: Array  # (6, 6 tips), M^-1(C) A


def _held(system: System, state: State, t: Transport) -> _ContactResponse:
    n, tips = system.n_joints, system.n_tips
    to_link = contact_transitions(system, state, t)
    tip_map, covariance = np.zeros((n, 6 * tips)), np.zeros((6 * tips, 6 * tips))
    omega, spread, response = np.zeros((0, 0)), np.zeros((6 * tips, 6 * tips)), np.zeros((6, 6 * tips))
    for i, contact in enumerate(system.contacts):
        block = slice(6 * contact.tip, 6 * contact.tip + 6)
        inward = to_link[i, contact.link]
        covariance[block, block] = inward.T @ t.covariance[contact.link] @ inward
        tip_map[:, block] = np.einsum("ki,kij->kj", t.output_map, to_link[i, :n])
        for other in range(i):
            _couple_tips(t, system, other, i, to_link, covariance)
        # Joints of this tree outside the path from contact to base respond through the link where the paths part.
        _answer_of_branches(t, contact.link, to_link[i], tip_map, block)
    if system.is_held:
        held = np.eye(tips)[[c.tip for c in system.contacts]]
        to_tips = np.kron(held, np.eye(6))  # (6 contacts, 6 tips)
        selection = selected_directions(system, state) @ to_tips
        on_object = grasp_map(system, state) @ to_tips
        response[:] = np.linalg.solve(object_inertia(system, state), on_object)
        omega = selection @ (covariance + on_object.T @ response) @ selection.T
        half = LeastNorm(omega).half(selection)
        spread = half.T @ half
    return _ContactResponse(to_link, tip_map, covariance, omega, spread, response)


def _swept(system: System, held: _ContactResponse) -> Array:
    """S(i) of every joint's link; contacts of one arm add up, cross terms included."""
    n = system.n_joints
    sweep = np.zeros((n, 6, 6))
    for i, contact in enumerate(system.contacts):
        for j, neighbor in enumerate(system.contacts):
            if neighbor.arm == contact.arm:
                across = held.spread[6 * contact.tip : 6 * contact.tip + 6, 6 * neighbor.tip : 6 * neighbor.tip + 6]
                sweep += held.to_link[i, :n] @ across @ np.swapaxes(held.to_link[j, :n], 1, 2)
    return sweep


@dataclass(frozen=True, eq=False)
class AccelerationParts(Record):
    """theta'' = torque + bias_force + bias_acceleration + contact, each (joints,), rad/s^2 or m/s^2; R87 (70).

    Attributes:
        torque: due to motors, less damping and friction.
        bias_force: due to gyroscopic and centrifugal forces, weights and pushes, b(k) of R87 (7).
        bias_acceleration: due to the centripetal and Coriolis accelerations of the O_k, a(k).
        contact: due to the held object, R88 (10.5): its forces through H~ psi, as in (10.11); zero if nothing
            is held.
    """

    torque: Array
    bias_force: Array
    bias_acceleration: Array
    contact: Array


@public
def acceleration_parts(solution: Solution) -> AccelerationParts:
    """The responses of every joint to each kind of input separately; R87 (69)-(72), and R88 (10.5) where arms hold.

    Args:
        solution: by any method, by ``filter_smoother`` if joints follow others; provides the torques, biases and
            contact forces.

    Returns:
        Four parts that add up to its joint accelerations, the response of a free flyer's base included.

    Raises:
        ModelError: for a joint that moves no inertia, or another method if joints follow others.

    Cost: quadratic in the links; if an object is held, cubic in the contact directions.
    """
    system, state, n = solution.system, solution.state, solution.system.n_joints
    if solution.coupling_torque is None:
        system.couplings.refuse(system.joint_names, f"a solution by {solution.method}")
    to = acceleration_responses(system, state)
    contact = np.zeros(n)
    if system.is_held and solution.contact_force is not None:
        tip_map = influence(system, state).sweeps["inward_influence"]["tip_map"]
        contact = tip_map @ solution.contact_force.ravel()
    return AccelerationParts(
        torque=to.to_torque @ (solution.tau - joint_losses(system, state.qd)),
        bias_force=np.einsum("kli,li->k", to.to_bias_force, solution.bias_force),
        bias_acceleration=np.einsum("kli,li->k", to.to_bias_acceleration, solution.bias_acceleration[:n]),
        contact=contact,
    )


def contact_transitions(system: System, state: State, t: Transport) -> Array:
    """psi(k, 0) = psi(k, 1) phi(1, 0) of each contact, (contacts, links, 6, 6); zero off its path inward."""
    poses = forward_kinematics(system, state).pose
    result = np.zeros((len(system.contacts), system.n_links, 6, 6))
    for i, point in enumerate(contact_points(system, poses)):
        path = t.outboard_paths[system.contacts[i].link]
        carried = shift(point - poses[path[0], :3, 3])
        for step, k in enumerate(path):
            if step:
                carried = t.step[path[step - 1]] @ carried
            result[i, k] = carried
    return result


def _couple_tips(t: Transport, system: System, one: int, other: int, to_link: Array, covariance: Array) -> None:
    """Lambda(0)'s block between two contacts of one tree: psi' Lambda(c) psi at the link c where their paths meet."""
    ways = [t.outboard_paths[system.contacts[i].link] for i in (one, other)]
    meeting = next((k for k in ways[0] if k in ways[1]), None)
    if meeting is None:
        return
    rows = slice(6 * system.contacts[one].tip, 6 * system.contacts[one].tip + 6)
    columns = slice(6 * system.contacts[other].tip, 6 * system.contacts[other].tip + 6)
    covariance[rows, columns] = to_link[one, meeting].T @ t.covariance[meeting] @ to_link[other, meeting]
    covariance[columns, rows] = covariance[rows, columns].T


def _answer_of_branches(t: Transport, link: int, to_link: Array, tip_map: Array, block: slice) -> None:
    """G'(k) psi'(.) Lambda(c) psi(c, 0) for joints k whose path inward meets the contact's at link c."""
    way = t.outboard_paths[link]
    for meet in reversed(way):  # paths that meet here may have met before, further out
        for k, row in t.outward_rows[meet].items():
            if k not in way:
                tip_map[k, block] = row @ t.covariance[meet] @ to_link[meet]
