"""A held object's Kalman gain, R88 Section 9, and each torque's effect on a closed chain, Section 10, R87 (70)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import Transport, transport
from dynamics.solve.mass_matrix_inverse import Responses, acceleration_responses
from dynamics.spatial.least_norm import LeastNorm
from dynamics.system.plain_kinematics import forward_kinematics, joint_losses, shift
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.equation_of_motion import grasp_map, object_inertia, selected_directions

MOST_CONDITION = 1e12
"""Condition number up to which tip mobilities, scaled by their own diagonal, are inverted."""

LEAST_SHARE = 1e-10
"""Share of the largest from which the arms count as holding the object in a direction."""


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
    t, to, n = transport(system, state), acceleration_responses(system, state), system.n_joints
    held, free, tip_map = _held(system, state, t), to.to_torque, _tip_map(system, state, to)
    delta = tip_map @ held.spread @ tip_map.T  # R88 (10.11)
    force_map = -held.spread @ tip_map.T  # R88 (10.5)
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
                "tip_map": tip_map,
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


class _ContactResponse(NamedTuple):
    """The effect of contacts on the arms; blocks of six are indexed by tip, contacts being the tips that hold."""

    to_link: Array  # (contacts, links, 6, 6), psi(k, 0)
    covariance: Array  # (6 tips, 6 tips), Lambda(0) of the free tips
    omega: Array  # over the selected directions, R88 (9.1)
    spread: Array  # (6 tips, 6 tips), C' Omega^-1 C
    response: Array  # (6, 6 tips), M^-1(C) A


def _held(system: System, state: State, t: Transport) -> _ContactResponse:
    tips = system.n_tips
    to_link, blocks = contact_transitions(system, state, t), np.zeros((tips, 6, tips, 6))
    for i, one in enumerate(system.contacts):
        for j, other in enumerate(system.contacts[: i + 1]):  # of one tree: through the link where their paths meet
            meeting = set(t.outboard_paths[one.link]).intersection(t.outboard_paths[other.link])
            if meeting:
                k = min(meeting)  # links are numbered inward
                block = to_link[i, k].T @ t.covariance[k] @ to_link[j, k]
                blocks[one.tip, :, other.tip], blocks[other.tip, :, one.tip] = block, block.T
    covariance = blocks.reshape(6 * tips, 6 * tips)
    omega, spread, response = np.zeros((0, 0)), np.zeros_like(covariance), np.zeros((6, 6 * tips))
    if system.is_held:
        to_tips = np.kron(np.eye(tips)[[c.tip for c in system.contacts]], np.eye(6))  # (6 contacts, 6 tips)
        selection = selected_directions(system, state) @ to_tips
        on_object = grasp_map(system, state) @ to_tips
        response = np.asarray(np.linalg.solve(object_inertia(system, state), on_object))
        omega = selection @ (covariance + on_object.T @ response) @ selection.T
        half = LeastNorm(omega).half(selection)
        spread = half.T @ half
    return _ContactResponse(to_link, covariance, omega, spread, response)


def _swept(system: System, held: _ContactResponse) -> Array:
    """S(i) of every joint's link; contacts of one arm add up, cross terms included."""
    n, spread = system.n_joints, held.spread.reshape(system.n_tips, 6, system.n_tips, 6)
    sweep = np.zeros((n, 6, 6))
    for i, contact in enumerate(system.contacts):
        for j, neighbor in enumerate(system.contacts):
            if neighbor.arm == contact.arm:
                across = spread[contact.tip, :, neighbor.tip]
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

    Cost: quadratic in the links.
    """
    system, state, n = solution.system, solution.state, solution.system.n_joints
    if solution.coupling_torque is None:
        system.couplings.refuse(system.joint_names, f"a solution by {solution.method}")
    to = acceleration_responses(system, state)
    contact = np.zeros(n)
    if system.is_held and solution.contact_force is not None:
        contact = _tip_map(system, state, to) @ solution.contact_force.ravel()
    return AccelerationParts(
        torque=to.to_torque @ (solution.tau - joint_losses(system, state.qd)),
        bias_force=np.einsum("kli,li->k", to.to_bias_force, solution.bias_force),
        bias_acceleration=np.einsum("kli,li->k", to.to_bias_acceleration, solution.bias_acceleration[:n]),
        contact=contact,
    )


def _tip_map(system: System, state: State, to: Responses) -> Array:
    """H~(k) psi(k, 0), (joints, 6 tips): a force at a contact acts as a bias force of its link."""
    result = np.zeros((system.n_joints, 6 * system.n_tips))
    for contact, phi in zip(system.contacts, shift(forward_kinematics(system, state).contact_lever), strict=True):
        result[:, 6 * contact.tip : 6 * contact.tip + 6] = to.to_bias_force[:, contact.link] @ phi
    return result


def contact_transitions(system: System, state: State, t: Transport) -> Array:
    """psi(k, 0) = psi(k, 1) phi(1, 0) of each contact, (contacts, links, 6, 6); zero off its path inward."""
    result = np.zeros((len(system.contacts), system.n_links, 6, 6))
    for i, phi in enumerate(shift(forward_kinematics(system, state).contact_lever)):
        path = t.outboard_paths[system.contacts[i].link]
        result[i, path[0]] = phi
        for k, inner in pairwise(path):
            result[i, inner] = t.step[k] @ result[i, k]
    return result


@dataclass(frozen=True, eq=False)
class ContactGain(Record):
    """The contact gain of a posture and its components; c contacts, contact after contact, inertial axes.

    Attributes:
        grasp_map: A, (6, 6c).
        object_inertia: M(C), (6, 6).
        omega: C (Lambda(0) + A' M^-1(C) A) C', (directions, directions).
        tip_inertia: Lambda^-1(0), (6c, 6c): the inertia of the tips; None if they cannot accelerate in some direction,
            or a contact does not transmit all of them.
        by_mobility: C' Omega^-1 C A' M^-1(C), (6c, 6), which always exists.
        by_inertia: P A' [A P A' + M(C)]^-1, (6c, 6); None if there is no P.
        shares: (6,), descending, the eigenvalues of A gain: in as many directions, how far the arms decide what the
            object does, from 0 to 1. They are dimensionless and do not depend on units.
        squeezing: (6c, 6c), extracts from contact forces x the part that cancels in the object: A squeezing x = 0. The
            rest carries it: of all forces with the same A x those of least x' Lambda(0) x, by which the arms would
            give way. It does not depend on units, and on the object only if Omega is singular: in a part that no
            motion reveals.
    """

    grasp_map: Array
    object_inertia: Array
    omega: Array
    tip_inertia: Array | None
    by_mobility: Array
    by_inertia: Array | None
    shares: Array
    squeezing: Array


@public
def contact_gain(system: System, state: State) -> ContactGain:
    """The Kalman gain of the contact stage in both of its forms; R88 Result 9.1.

    Args:
        system: arms that hold an object.
        state: only its posture is used.

    Returns:
        Both forms, each computed separately from tip mobilities, grasp and the object's inertia.

    Raises:
        ModelError: if nothing is held, or for a joint that moves no inertia.

    Cost: cubic in the contact directions.
    """
    on_object = grasp_map(system, state)
    selection, inertia = selected_directions(system, state), object_inertia(system, state)
    tips = np.concatenate([np.arange(6 * contact.tip, 6 * contact.tip + 6) for contact in system.contacts])
    held = _held(system, state, transport(system, state))
    mobility, omega = held.covariance[np.ix_(tips, tips)], held.omega
    response = np.linalg.solve(inertia, on_object).T  # A' M^-1(C)
    gain = selection.T @ LeastNorm(omega).solve(selection @ response)
    weight = _inverse(mobility) if len(selection) == len(tips) else None
    by_inertia = None
    if weight is not None:
        spread = weight @ on_object.T
        by_inertia = np.asarray(np.linalg.solve((on_object @ spread + inertia).T, spread.T).T)
    # A gain is similar to a symmetric matrix: its eigenvalues are real, and those of L^-1 A gain L, M = L L'.
    root = np.linalg.cholesky(inertia)
    similar = np.linalg.solve(root, on_object @ gain @ root)
    similar = 0.5 * (similar + similar.T)
    carried = np.linalg.pinv(similar, rcond=LEAST_SHARE, hermitian=True) @ np.linalg.solve(root, on_object)
    return ContactGain(
        grasp_map=on_object,
        object_inertia=inertia,
        omega=omega,
        tip_inertia=weight,
        by_mobility=gain,
        by_inertia=by_inertia,
        shares=np.asarray(np.linalg.eigvalsh(similar)[::-1], dtype=np.float64),
        squeezing=np.eye(len(tips)) - gain @ root @ carried,
    )


def _inverse(mobility: Array) -> Array | None:
    """The inverse; None if a direction moves by less than rounding beside its own diagonal."""
    size = np.sqrt(np.diagonal(mobility))
    if not size.all() or np.linalg.cond(scaled := mobility / np.outer(size, size)) > MOST_CONDITION:
        return None
    return np.asarray(np.linalg.inv(scaled) / np.outer(size, size))
