"""From joint rates to the object's velocity and back, through what the contacts transmit; R88 Results 5.1-5.7.

One text for every grasp: C picks what each contact transmits, and Q(0) has blocks between the contacts of one tree.
For rigid contacts, one an arm, it is the report's. A floating base moves as it is said to: only joints are asked for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import numbers
from dynamics.errors import StateError
from dynamics.operators.composite_inertia import posed_joint_rows
from dynamics.operators.object_balance import (
    contact_acceleration,
    contact_bias,
    contact_points,
    contact_velocity,
    require_held,
    selected_directions,
    tip_velocities,
)
from dynamics.posture.reach import Reach, contact_covariance, inward, nearest, outward, reach
from dynamics.public import public
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.plain_kinematics import bias_accelerations, plain_kinematics, shift
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tip_poses import link_poses, poses_and_velocities

Array = NDArray[np.float64]


def tip_jacobians(system: System, state: State) -> Array:
    """B' Phi' H' of every contact, R88 (5.3), (contacts, 6, joints): the contact point's velocity per joint rate."""
    poses = link_poses(system, state)
    rows = posed_joint_rows(system, poses)
    jacobians = np.zeros((len(system.contacts), 6, system.n_joints))
    for i, point in enumerate(contact_points(system, poses)):
        for k in system.path_inward(system.contacts[i].link):
            if k < system.n_joints:
                jacobians[i, :, k] = shift(point - poses[k, :3, 3]).T @ rows[k]
    return jacobians


def link_velocities(system: System, state: State) -> Array:
    """V(k) = phi' V(k+1) + H' theta', R88 (5.1)-(5.2); (links, 6) at O_k, inertial axes."""
    return poses_and_velocities(system, state)[1]


@public
def closure_gap(system: System, state: State) -> Array:
    """C (B' Phi' H' theta' - A' v(C)), R88 (5.4), (directions,): zero where the arms move with the object.

    Args:
        system: arms that hold an object.
        state: of this system; closed or not.

    Returns:
        (directions,), contact after contact, rad/s or m/s in contact axes: the arm's motion less the object's.

    Raises:
        ModelError: if nothing is held.
        StateError: for a state of another system.

    Cost: linear in the links.
    """
    require_held(system, state)
    assert state.object_velocity is not None
    moved = _contact_velocities(system, state) - contact_velocity(system, state, state.object_velocity)
    return np.asarray(selected_directions(system, state) @ moved.ravel())


@public
def object_velocity(system: System, state: State) -> Array:
    """v(C) = (A C' C A')^-1 A C' C V(0), R88 Result 5.3: the rigid motion nearest to what the contacts do.

    Where the contacts leave the object some motion (one point contact lets it turn) that motion is the state's.

    Args:
        system: arms that hold an object.
        state: of this system; closed or not.

    Returns:
        (6,), [angular; linear of the mass centre], rad/s and m/s, inertial axes.

    Raises:
        ModelError: if nothing is held.
        StateError: for a state of another system.

    Cost: linear in the links, cubic in the directions that one arm's contacts transmit.
    """
    require_held(system, state)
    assert state.object_velocity is not None
    everything = reach(system, state).unrestricted()
    return state.object_velocity + nearest(everything, closure_gap(system, state), np.zeros(0))


@public
def smallest_rates(system: System, state: State, velocity: ArrayLike) -> tuple[Array, int]:
    """theta'_0 = H Phi B C' [C Q(0) C']^-1 C A' v(C), R88 (5.5): the rates of smallest norm that move the object so.

    Q(0) comes outward by (5.7) and the rates inward by (5.8). Where C Q(0) C' is singular its pseudo-inverse
    stands in: what the joints cannot follow is left out, measured in radians and in lengths of the arm's size.
    The norm is the report's, rad/s beside m/s: where some joints turn and others slide it hangs on the unit of length.

    Args:
        system: arms that hold an object.
        state: of this system; a floating base moves as it says.
        velocity: (6,), of the object at its mass centre, inertial axes.

    Returns:
        The rates, (joints,), rad/s or m/s, tip to base, and the number of directions that some arm cannot follow.

    Raises:
        ModelError: if nothing is held.
        StateError: for a velocity of the wrong shape, or a state of another system.

    Cost: linear in the links, cubic in the directions that one arm's contacts transmit.
    """
    require_held(system, state)
    wanted = contact_velocity(system, state, numbers(velocity, (6,), "velocity"))
    return _smallest(system, state, reach(system, state), wanted - _carried(system, state, state.base_velocity))


@public
def projected_rates(system: System, state: State) -> tuple[Array, int]:
    """R88 Result 5.6: rates that let the object be rigid, from the state's, which may not; as ``smallest_rates``.

    The object moves by Result 5.3, or where some arm cannot follow that, by the nearest motion that all can.

    Args:
        system: arms that hold an object.
        state: whose rates are projected.

    Returns:
        The rates, (joints,), rad/s or m/s, tip to base, and the number of directions that some arm cannot follow.

    Raises:
        ModelError: if nothing is held.
        StateError: for a state of another system.

    Cost: linear in the links, cubic in the contact directions.
    """
    require_held(system, state)
    assert state.object_velocity is not None
    at_hand, own = reach(system, state), contact_velocity(system, state, state.object_velocity)
    carried = _carried(system, state, state.base_velocity)
    change = nearest(at_hand, closure_gap(system, state), at_hand.out_of_reach(carried - own))
    return smallest_rates(system, state, state.object_velocity + change)


@public
def smallest_accelerations(
    system: System, state: State, acceleration: ArrayLike, base_acceleration: ArrayLike | None = None
) -> tuple[Array, int]:
    """theta''_0 = H Phi B C' [C Q(0) C']^-1 C [A' alpha(C) + eta - B' Phi' a], R88 Result 5.7 with the velocity bias.

    Args:
        system: arms that hold an object.
        state: of this system.
        acceleration: (6,), of the object at its mass centre, inertial axes.
        base_acceleration: of floating bases, shaped as a state's ``base_velocity``; zero if left out, and left out
            where no base floats.

    Returns:
        The accelerations, (joints,), rad/s^2 or m/s^2, and the number of directions that some arm cannot follow.

    Raises:
        ModelError: if nothing is held.
        StateError: for wrong shapes, numbers that are not finite, or a state of another system.

    Cost: linear in the links, cubic in the directions that one arm's contacts transmit.
    """
    require_held(system, state)
    wanted = contact_acceleration(system, state, numbers(acceleration, (6,), "acceleration"))
    bias = _contact_accelerations(system, state, np.zeros(system.n_joints), base_acceleration)
    return _smallest(system, state, reach(system, state), wanted - bias)


@public
def projected_accelerations(
    system: System, state: State, joint_acceleration: JointValues, base_acceleration: ArrayLike | None = None
) -> tuple[Array, int]:
    """R88 Result 5.7's projection: accelerations that let the object be rigid, from accelerations that may not.

    The object takes (A C' C A')^-1 A C' C (lambda(0) - eta), or the nearest that all arms can follow, and none where
    the contacts do not feel it; the report prints this without the velocity bias.

    Args:
        system: arms that hold an object.
        state: of this system; closed, or what it says of the object's velocity is no use.
        joint_acceleration: (joints,), rad/s^2 or m/s^2, tip to base.
        base_acceleration: of floating bases, shaped as a state's ``base_velocity``, inertial axes; zero if left out.

    Returns:
        the accelerations, (joints,), rad/s^2 or m/s^2, and the number of directions that some arm cannot follow.

    Raises:
        ModelError: if nothing is held.
        StateError: for a state of another system, a wrong length, or numbers that are not finite.

    Cost: as ``smallest_accelerations``.
    """
    require_held(system, state)
    at_hand, given = reach(system, state), joint_vector(system, joint_acceleration, "joint_acceleration")
    eta = contact_bias(system, state)
    free = _contact_accelerations(system, state, np.zeros(system.n_joints), base_acceleration) - eta
    wanted = _contact_accelerations(system, state, given, base_acceleration) - eta
    change = nearest(at_hand, at_hand.directions @ wanted.ravel(), at_hand.out_of_reach(free))
    return smallest_accelerations(system, state, change, base_acceleration)


def _smallest(system: System, state: State, at_hand: Reach, wanted: Array) -> tuple[Array, int]:
    """R88 (5.8) from what the contact points must do beside the bases, (contacts, 6).

    Q(0) squares the condition of the Jacobian; a second pass over what is left takes the lost digits back.
    """
    poses = link_poses(system, state)
    result = np.zeros(system.n_joints)
    for _ in range(2):
        done = outward(system, poses, _through_joints(system, poses, result, None))
        missing = wanted - tip_velocities(system, poses, done)
        force = at_hand.solve(contact_covariance(system, poses, np.ones(system.n_joints)), missing)
        result += inward(system, poses, force)
    return result, at_hand.beyond.shape[1]


def _through_joints(system: System, poses: Array, rates: Array, base: Array | None) -> Array:
    """H'(k) theta'(k) of every joint, and below them what the bases do, (links, 6)."""
    moved = np.zeros((system.n_links, 6))
    moved[: system.n_joints] = posed_joint_rows(system, poses) * rates[:, None]
    if base is not None:
        moved[system.n_joints :] = np.reshape(base, (-1, 6))
    return moved


def _contact_velocities(system: System, state: State) -> Array:
    return tip_velocities(system, link_poses(system, state), link_velocities(system, state))


def _carried(system: System, state: State, base: Array | None) -> Array:
    """V(0) with every joint locked: what the floating bases do to the contact points."""
    poses = link_poses(system, state)
    return tip_velocities(system, poses, outward(system, poses, _through_joints(system, poses, 0.0 * state.qd, base)))


def _contact_accelerations(
    system: System, state: State, joint_acceleration: Array, base_acceleration: ArrayLike | None
) -> Array:
    """lambda(0) = B' Phi' (H' theta'' + a) + a(0), (contacts, 6)."""
    base = None
    if base_acceleration is not None:
        if state.base_velocity is None:
            raise StateError("base_acceleration: no base of this system floats; leave it out.")
        base = numbers(base_acceleration, state.base_velocity.shape, "base_acceleration")
    motion = plain_kinematics(system, state)
    local = _through_joints(system, motion.pose, joint_acceleration, base) + bias_accelerations(system, state, motion)
    result = tip_velocities(system, motion.pose, outward(system, motion.pose, local))
    for i, contact in enumerate(system.contacts):
        omega = motion.velocity[contact.link, :3]
        result[i, 3:] += np.cross(omega, np.cross(omega, motion.contact_lever[i]))  # a(0)
    return result
