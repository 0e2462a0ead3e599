"""Jacobians of points with respect to joints and floating bodies, and the terms of M v' + C v + g = tau beside M v'."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, is_index
from dynamics.errors import StateError
from dynamics.public import public
from dynamics.system.plain_kinematics import cross, forward_kinematics, joint_rows, shift, spatial_inertias, tilde
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness import equation_of_motion
from dynamics.witness.equation_of_motion import object_inertia

OBJECT = "object"
AXES = ("inertial", "body")
POINTS = ("origin", "mass_center", "world_origin")


class Screws(NamedTuple):
    """The motion caused by a unit of each velocity, at the world's origin, inertial axes; as ``System.pack`` orders."""

    columns: Array  # (6, velocity), [angular; linear]
    rates: Array  # (6, velocity), their derivatives with respect to time
    moves: Array  # (links + 1, velocity), whether a column moves a link; the object's row is last


def screws(system: System, state: State) -> Screws:
    """Axes of joints and floating bodies as spatial vectors at the world's origin: R87 (18), moved by phi' (3)."""
    motion, n, links = forward_kinematics(system, state), system.n_joints, system.n_links
    columns, rates = np.zeros((2, 6, system.n_velocity))
    moves = np.zeros((links + 1, system.n_velocity), bool)
    place, omega, speed = motion.pose[:, :3, 3].T, motion.velocity[:n, :3].T, motion.velocity[:, 3:].T
    turn, slide = joint_rows(system, motion.axis).T.reshape(2, 3, n)
    columns[:, :n] = np.vstack([turn, slide + cross(place[:, :n], turn)])
    turning = cross(omega, turn)
    rates[:, :n] = np.vstack([turning, cross(omega, slide) + cross(speed[:, :n], turn) + cross(place[:, :n], turning)])
    free = [(k, place[:, k], speed[:, k]) for k in range(n, links)]
    if state.object_pose is not None and state.object_velocity is not None:
        free.append((links, state.object_pose[:3, 3], state.object_velocity[3:]))
    for k, at, rate in free:  # its origin's own velocity, moved to the world's origin
        first = n + 6 * (k - n)
        columns[:, first : first + 6], moves[k, first : first + 6] = np.eye(6), True
        columns[3:, first : first + 3], rates[3:, first : first + 3] = tilde(at), tilde(rate)
    for k in range(links - 1, -1, -1):
        if system.inboard[k] >= 0:
            moves[k] = moves[system.inboard[k]]
        if k < n:
            moves[k, k] = True
    return Screws(columns, rates, moves)


@public
def jacobian(system: System, state: State, of: str | int = 0, axes: str = "inertial", point: str = "origin") -> Array:
    """J of V = J v: how the velocity of a link or a tip depends on joint rates and floating bodies.

    Columns of H' phi'(k, i), R87 (18): the joints inboard of the link and the base that carries it; all others are
    zero, and each joint is independent, whatever it follows. The default is Pinocchio's ``LOCAL_WORLD_ALIGNED``;
    ``axes="body"`` gives ``LOCAL``, ``point="world_origin"`` gives ``WORLD``; all three have the linear half first.

    Args:
        system: any.
        state: of this system; only its posture is used.
        of: name of a link, ``"object"``, or the number of a tip, counted from 0.
        axes: ``"inertial"``, or ``"body"``: those of the link, the tip or the object.
        point: the point whose velocity is given: ``"origin"`` of the link or tip, which is an object's mass centre;
            ``"mass_center"`` of the link; ``"world_origin"``: the body's material point that passes there.

    Returns:
        (6, velocity): rows [angular; linear]; columns packed as ``System.pack`` orders velocities: joints from tip to
        base, then six for each floating base, [angular; linear] of its origin in inertial axes, then the object's.
        rad, m and 1.

    Raises:
        StateError: for a state of another system, or an unknown link, tip, axes or point.

    Cost: linear in the links, some 30 us each.
    """
    return _both(system, state, of, axes, point)[0]


@public
def jacobian_rate(
    system: System, state: State, of: str | int = 0, axes: str = "inertial", point: str = "origin"
) -> Array:
    """The derivative of ``jacobian`` with respect to time: the rate of V is J v' + J' v.

    By the product rule on the columns of R87 (18). In inertial axes at the origin the rate of V is the acceleration
    of that point; in body axes it is the rate of the components in the moving frame.

    Args:
        system: any.
        state: of this system.
        of: as for ``jacobian``.
        axes: as for ``jacobian``.
        point: as for ``jacobian``.

    Returns:
        (6, velocity), rows and columns as in ``jacobian``; rad/s, m/s and 1/s.

    Raises:
        StateError: as ``jacobian``.

    Cost: linear in the links, some 30 us each.
    """
    return _both(system, state, of, axes, point)[1]


def _both(system: System, state: State, of: str | int, axes: str, point: str) -> tuple[Array, Array]:
    """A Jacobian and its rate."""
    for name, value, known in (("axes", axes, AXES), ("point", point, POINTS)):
        if not is_among(value, known):
            raise StateError(f"{name} is {brief(value)}; expected one of {choices(known)}.")
    moved, (k, frame) = screws(system, state), _body(system, state, of)
    J, rate = moved.columns * moved.moves[k], moved.rates * moved.moves[k]
    omega, speed = (J @ system.pack(state)[1]).reshape(2, 3)
    if point != "world_origin":
        at = frame[:3, 3]
        if point == "mass_center" and k < system.n_links:
            pose = forward_kinematics(system, state).pose[k]
            at = pose[:3, :3] @ system.link_models[k].center_of_mass + pose[:3, 3]
        rate[3:] -= tilde(at) @ rate[:3] + tilde(speed + cross(omega, at)) @ J[:3]
        J[3:] -= tilde(at) @ J[:3]
    if axes == "body":
        turn, turning = (np.kron(np.eye(2), each) for each in (frame[:3, :3].T, tilde(omega)))
        J, rate = turn @ J, turn @ (rate - turning @ J)
    return J, rate


def _body(system: System, state: State, of: str | int) -> tuple[int, Array]:
    """The index of a link, one more than the last for the object, and the pose of the specified frame."""
    motion = forward_kinematics(system, state)
    if is_index(of, system.n_tips):
        return system.tips[of].link, motion.tip_pose[of]
    known = {name: (k, motion.pose[k]) for k, name in enumerate(system.link_names)}
    if state.object_pose is not None:
        known[OBJECT] = system.n_links, state.object_pose
    if not isinstance(of, str) or of not in known:
        raise StateError(
            f"of is {brief(of)}; expected the number of a tip, below {system.n_tips}, or one of {choices(known)}."
        )
    return known[of]


@public
def bias_torque(system: System, state: State) -> Array:
    """C v + g of M v' + C v + g = tau: the torques without acceleration; V of R87 (22), (30)-(31).

    Damping, friction and pushes are excluded, as in Pinocchio's ``nle`` and MuJoCo's ``qfrc_bias``.

    Args:
        system: any; held objects and couplings between joints are ignored.
        state: of this system.

    Returns:
        (velocity,), packed as ``System.pack`` orders velocities: N m or N of the joints from tip to base, then
        [moment; force] at the origin of each floating base, in inertial axes, then at the object's mass centre.

    Raises:
        StateError: for a state of another system.

    Cost: linear in the links, some 100 us each.
    """
    return equation_of_motion.bias_torque(system, state, np.zeros((system.n_links + 1, 6)))


@public
def gravity_torque(system: System, state: State) -> Array:
    """g of M v' + C v + g = tau: the torques that hold the machine still; V of R87 (22) at rest.

    The sign is KDL's and Pinocchio's; Drake's ``CalcGravityGeneralizedForces`` is the force of gravity, with the
    opposite sign.

    Args:
        system: any.
        state: of this system; only its posture is used.

    Returns:
        (velocity,), N m or N, packed and in axes as in ``bias_torque``.

    Raises:
        StateError: for a state of another system.

    Cost: that of ``bias_torque``.
    """
    system.require_own(state)
    at_rest = system.state(state.q, None, state.base_pose, None, state.object_pose)
    return bias_torque(system, at_rest)


@public
def coriolis_torque(system: System, state: State) -> Array:
    """C v of M v' + C v + g = tau: centrifugal, Coriolis and gyroscopic terms; V of R87 (22) without weight.

    Args:
        system: any.
        state: of this system.

    Returns:
        (velocity,), N m or N, packed and in axes as in ``bias_torque``.

    Raises:
        StateError: for a state of another system.

    Cost: that of ``bias_torque``.
    """
    system.require_own(state)
    return bias_torque(replace(system, gravity=np.zeros(3)), state)


@public
def coriolis_matrix(system: System, state: State) -> Array:
    """C of M v' + C v + g = tau, with M' - 2 C skew: from Christoffel symbols if nothing floats.

    The sum over bodies of J' (M J' + B J), with B v = v x* M v the Newton-Euler law at the world's origin and
    2 B = v x* M - M v x + (M v) x*, so that M' - 2 B is skew for every body. Pinocchio's ``computeCoriolisMatrix`` is
    the same, with a floating base's velocity in its own axes there.

    Args:
        system: any.
        state: of this system.

    Returns:
        (velocity, velocity), rows and columns packed and in axes as in ``bias_torque``: kg m^2/s, kg m/s, kg/s.

    Raises:
        StateError: for a state of another system.

    Cost: cubic in the links, a millisecond for ten.
    """
    motion, moved = forward_kinematics(system, state), screws(system, state)
    inertias = list(spatial_inertias(system, motion.pose, motion.mass_lever))
    places = list(motion.pose[:, :3, 3])
    if system.task_object is not None and state.object_pose is not None:
        inertias.append(object_inertia(system, state))
        places.append(state.object_pose[:3, 3])
    matrix, velocity = np.zeros((system.n_velocity, system.n_velocity)), system.pack(state)[1]
    for inertia, place, moves in zip(inertias, places, moved.moves, strict=False):
        J, rate = moved.columns * moves, moved.rates * moves
        M = shift(place) @ inertia @ shift(place).T
        v = J @ velocity
        across, momentum = _across(v), M @ v
        felt = np.zeros((6, 6))
        felt[:3, :3], felt[:3, 3:], felt[3:, :3] = (-tilde(momentum[at : at + 3]) for at in (0, 3, 3))
        matrix += J.T @ (M @ rate + 0.5 * (across @ M + M @ across.T + felt) @ J)
    return matrix


def _across(v: Array) -> Array:
    """v x*, (6, 6): the rate of a spatial force that moves with v; -v x of motions is its transpose."""
    matrix = np.kron(np.eye(2), tilde(v[:3]))
    matrix[:3, 3:] = tilde(v[3:])
    return np.asarray(matrix, dtype=np.float64)
