"""An arm as in TML and Denavit-Hartenberg: every joint turns about, or slides along, the z axis of its link.

A URDF joint may have any axis. Its link's axes are rotated here once, by a constant rotation that brings z onto
the joint axis, so that a recursion in link axes has no general axis and no case but revolute and prismatic.
The link's point remains O_k, at its joint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.spatial.plain_vectors import Matrix, Number, Vector, compose, times_transposed
from dynamics.system.state import State
from dynamics.system.system import System

FRICTION_SPEED = 0.01  # rad/s or m/s over which Coulomb friction is smoothed


class AxisLink(NamedTuple):
    """One link in axes whose z is its joint's axis; plain numbers.

    Attributes:
        revolute: turns about z, else slides along z.
        inboard: index of the inboard link, -1 for the world.
        outboard: indices of the links attached to this one.
        turn: inboard axes <- own axes at zero displacement (the world's axes for a first link).
        shift: from the inboard link's point to O_k at zero displacement, in inboard axes.
        mass: kg.
        center: p, from O_k to the mass centre.
        first_moment: m p.
        inertia: about the mass centre.
        second_moment: the integral of d d' dm about O_k, TML (1.24) and K of Section 5; 0.0 exactly where the
            link's shape makes it vanish.
    """

    revolute: bool
    inboard: int
    outboard: tuple[int, ...]
    turn: Matrix
    shift: Vector
    mass: Number
    center: Vector
    first_moment: Vector
    inertia: Matrix
    second_moment: Matrix


Wrenches = Sequence[tuple[Vector, Vector]]
"""(moment, force) on each link at O_k."""
Recursion = Callable[
    [Sequence[AxisLink], Sequence[Number], Sequence[Number], Sequence[Number], Vector, Wrenches | None], list[Number]
]
"""Joint torques of links, q, q', q'', gravity and wrenches."""


def axis_links(system: System) -> tuple[AxisLink, ...]:
    """The links of bolted-down arms that hold nothing, tips first; joint accelerations must give the whole motion."""
    if system.is_floating or system.is_held:
        what = "floats" if system.is_floating else "holds an object"
        raise ModelError(
            f"this formulation serves arms that are bolted down and hold nothing, but this system {what}; "
            "use filter_smoother or kkt, or release the object."
        )
    z = np.array([0.0, 0.0, 1.0])
    axes = [joint.axis for joint in system.joint_models]
    alignments = [np.eye(3) if np.array_equal(axis, z) else axes_with_z_along(axis) for axis in axes]
    links = []
    for k, (link, joint) in enumerate(zip(system.link_models, system.joint_models, strict=True)):
        inboard, own = int(system.inboard[k]), alignments[k]
        origin = system.base_poses[system.arm_of_link[k]] @ joint.origin if inboard < 0 else joint.origin
        outer = np.eye(3) if inboard < 0 else alignments[inboard]
        center, inertia = own.T @ link.center_of_mass, own.T @ link.inertia @ own
        spread = 0.5 * np.trace(inertia) * np.eye(3) - inertia + link.mass * np.outer(center, center)
        links.append(
            AxisLink(
                revolute=joint.kind == "revolute",
                inboard=inboard,
                outboard=tuple(int(i) for i in np.flatnonzero(system.inboard == k)),
                turn=as_matrix(outer.T @ origin[:3, :3] @ own),
                shift=as_vector(outer.T @ origin[:3, 3]),
                mass=float(link.mass),
                center=as_vector(center),
                first_moment=as_vector(link.mass * center),
                inertia=as_matrix(inertia),
                second_moment=as_matrix(spread),
            )
        )
    return tuple(links)


def motor_torques(
    recursion: Recursion, system: System, state: State, joint_acceleration: Array, wrench: Array | None = None
) -> Array:
    """(joints,): a recursion's result in link axes for bolted-down arms, plus the motors' own losses and inertia.

    Args:
        wrench: (links + 1, 6), external [moment; force] on each link at O_k, inertial axes.

    Raises:
        ModelError: for a floating base or a held object.
    """
    links, acceleration = axis_links(system), np.asarray(joint_acceleration, dtype=np.float64)
    moved = state.q.tolist(), state.qd.tolist(), acceleration.tolist()
    torque = recursion(links, *moved, as_vector(system.gravity), link_wrenches(wrench, len(links)))
    return np.array(torque) + motor_torque(system, state, acceleration)


def motor_torque(system: System, state: State, joint_acceleration: Array) -> Array:
    """The part of a motor's torque spent on its own joint: rotor inertia, damping and friction, (joints,)."""
    joints = system.joint_models
    rotor = np.array([joint.rotor_inertia for joint in joints])
    damping = np.array([joint.damping for joint in joints])
    friction = np.array([joint.friction for joint in joints]).reshape(-1, 2)
    direction = np.tanh(state.qd / FRICTION_SPEED)
    against = np.where(direction > 0.0, friction[:, 1], friction[:, 0])
    return np.asarray(rotor * joint_acceleration + damping * state.qd + against * direction)


def link_wrenches(wrench: Array | None, n_links: int) -> Wrenches | None:
    """(moment, force) on each link at O_k in inertial axes; None if there is none."""
    if wrench is None or not np.any(wrench[:n_links]):
        return None
    return [(as_vector(row[:3]), as_vector(row[3:])) for row in wrench[:n_links]]


def in_link_axes(links: Sequence[AxisLink], turns: Sequence[Matrix], wrenches: Wrenches) -> Wrenches:
    """External wrenches, from inertial to link axes; ``turns`` map each link's axes to its inboard neighbor's."""
    orientation = list(turns)
    for k in reversed(range(len(links))):
        if links[k].inboard >= 0:
            orientation[k] = compose(orientation[links[k].inboard], turns[k])
    return [
        (times_transposed(turn, moment), times_transposed(turn, force))
        for turn, (moment, force) in zip(orientation, wrenches, strict=True)
    ]


def as_vector(array: Array) -> Vector:
    x, y, z = array.tolist()
    return x, y, z


def as_matrix(array: Array) -> Matrix:
    return as_vector(array[0]), as_vector(array[1]), as_vector(array[2])


def axes_with_z_along(axis: Array) -> Array:
    """A rotation whose third column is the unit vector ``axis``."""
    aside = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(aside, axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])
