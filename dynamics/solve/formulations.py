"""Every independent formulation of the same mechanics, and the systems to which it applies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, choices, is_among, numbers, text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.recursion.dual_filter import two_filter_accelerations
from dynamics.spatial.reduced_solve import solve_reduced
from dynamics.system.axis_frames import Recursion, motor_torques
from dynamics.system.joint_vectors import JointValues, Order, joint_order, joint_vector
from dynamics.system.loops import ties_of
from dynamics.system.plain_kinematics import forward_kinematics, joint_losses
from dynamics.system.state import State
from dynamics.system.system import System, raise_failure
from dynamics.witness import appel, equation_of_motion, lagrange, newton_euler, strobing
from dynamics.witness.arm_group import group_forward
from dynamics.witness.free_object import free_object_acceleration
from dynamics.witness.kkt import dense_equations, solve_dense

Solve = Callable[[System, State, Array, Array], tuple[Array, Array]]
"""System, state, joint torques, external wrenches -> accelerations packed like a velocity, contact forces (tips, 6)."""


class Formulation(NamedTuple):
    """One way to the accelerations, and whether it applies to a system."""

    applies: Callable[[System], bool]
    solve: Solve


def _bolted_and_free(system: System) -> bool:
    return not system.is_floating and not system.is_held


def _with_object(system: System, state: State, wrench: Array, acceleration: Array) -> tuple[Array, Array]:
    """Accelerations of the joints (and base), and of the free object beside them."""
    if system.task_object is not None:
        payload = free_object_acceleration(system.task_object, state, wrench[-1], system.gravity)
        acceleration = np.concatenate([acceleration, payload])
    return acceleration, np.zeros((system.n_tips, 6))


def _strobed(recursion: Recursion, system: System, state: State, tau: Array, wrench: Array) -> tuple[Array, Array]:
    joints = strobing.forward_dynamics(system, state, tau, recursion, wrench, ties_of(system, state))
    return _with_object(system, state, wrench, joints)


def _by_mass_matrix(system: System, state: State, tau: Array, wrench: Array) -> tuple[Array, Array]:
    force = -equation_of_motion.bias_torque(system, state, wrench)
    force[: system.n_joints] += tau - joint_losses(system, state.qd)
    ties = ties_of(system, state)
    found = solve_reduced(equation_of_motion.mass_matrix(system, state), force, ties.over(len(force)), ties.rate)
    return found, np.zeros((system.n_tips, 6))


def _by_two_filters(system: System, state: State, tau: Array, wrench: Array) -> tuple[Array, Array]:
    acceleration, failed = two_filter_accelerations(system, *system.pack(state), tau, wrench)
    if failed >= 0:
        raise_failure(system, failed)
    return acceleration, np.zeros((system.n_tips, 6))


def _by_appel(system: System, state: State, tau: Array, wrench: Array) -> tuple[Array, Array]:
    if system.is_held:
        motion = group_forward(system, state, tau, wrench)
        return np.concatenate([motion.joint_acceleration, motion.object_acceleration]), motion.contact_force
    return _with_object(system, state, wrench, appel.forward_dynamics(system, state, tau, wrench))


def _by_kkt(system: System, state: State, tau: Array, wrench: Array) -> tuple[Array, Array]:
    equations = dense_equations(system, state, forward_kinematics(system, state).pose, wrench)
    packed, transmitted = solve_dense(equations, tau)
    force = np.zeros((system.n_tips, 6))
    if system.is_held:
        through_contacts = equations.selection.T @ transmitted[: len(equations.constraint)]
        np.add.at(force, [contact.tip for contact in system.contacts], through_contacts.reshape(-1, 6))
    return packed, force


RECURSIONS: Mapping[str, Recursion] = MappingProxyType(
    {
        "newton_euler": newton_euler.newton_euler,
        "newton_euler_modified": newton_euler.newton_euler_modified,
        "lagrange": lagrange.torques_under_gravity,
    }
)
"""Recursions that can be strobed."""
FORMULATIONS: Mapping[str, Formulation] = MappingProxyType(
    {
        "two_filter": Formulation(lambda system: system.kind == "free_flyer", _by_two_filters),  # JR (3.12)-(3.13)
        "mass_matrix": Formulation(lambda system: not system.is_held, _by_mass_matrix),  # R87 (29)-(33)
        # TML (3.15)-(3.20), (5.1)-(5.2) and appendix
        **{name: Formulation(_bolted_and_free, partial(_strobed, recursion)) for name, recursion in RECURSIONS.items()},
        "appel": Formulation(lambda system: not system.is_floating or system.kind == "free_flyer", _by_appel),  # JZ
        "kkt": Formulation(lambda system: True, _by_kkt),
    }
)
INVERSE: Mapping[str, Callable[..., Array]] = MappingProxyType(
    {
        "two_sweeps": equation_of_motion.inverse_dynamics,
        **{name: partial(motor_torques, recursion) for name, recursion in RECURSIONS.items()},
        "appel": appel.inverse_dynamics,
    }
)


@public
def inverse_dynamics(
    system: System,
    state: State,
    joint_acceleration: JointValues,
    method: str = "two_sweeps",
    external_forces: ArrayLike | None = None,
    order: Order = "tip",
) -> Array:
    """The joint torques that produce given joint accelerations.

    ``two_sweeps`` (R87 Section VII) also handles floating bases, which move as they must; the others are
    ``newton_euler``, ``newton_euler_modified``, ``lagrange`` (TML) and ``appel`` (JZ). For arms that hold an
    object see ``arm_group.group_inverse``: there the object's motion is given, JZ (40)-(42).

    Args:
        system: one that holds nothing.
        state: of this system.
        joint_acceleration: (joints,), rad/s^2 or m/s^2, tip to base; or ``{joint name: value}``, others zero.
        method: one of these names.
        external_forces: (links + 1, 6) as for ``forward_dynamics``, inertial axes.
        order: ``base`` if joint arrays, the result included, run from base to tip; or the joints' names.

    Returns:
        (joints,), N m or N, required of the motors, damping and friction included, each joint separately: if joints
        follow others, the leaders' motors may also provide the followers' torques.

    Raises:
        ModelError: for an unknown method, a held object, or a floating base with any method but the first.
        StateError: for a wrong length or a number that is not finite.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> hold = dyn.inverse_dynamics(system, system.home(), np.zeros(7))
        >>> at_rest = dyn.forward_dynamics(system, system.home(), hold).joint_acceleration
        >>> bool(np.abs(at_rest).max() < 1e-9)
        True

    Cost: linear in the joints for ``two_sweeps`` and both Newton-Euler forms, cubic for ``appel`` and ``lagrange``.
    """
    if not is_among(method, INVERSE):
        raise ModelError(f"there is no method {brief(method)} of inverse dynamics; choose among {choices(INVERSE)}.")
    if system.is_held:
        raise ModelError(
            "the arms hold an object, so joint accelerations alone do not determine the torques: the internal forces "
            "of the grasp are free. Use dynamics.witness.group_inverse(system, state, object_acceleration)."
        )
    if system.is_floating and method != "two_sweeps":
        raise ModelError(f"method {brief(method)} needs bolted-down bases; use 'two_sweeps' where one floats.")
    wanted = joint_vector(system, joint_acceleration, "joint_acceleration", order)
    shape = (system.n_links + 1, 6)
    wrench = np.zeros(shape) if external_forces is None else numbers(external_forces, shape, "external_forces")
    torque = INVERSE[method](system, state, wanted, wrench)
    return torque[joint_order(system, order)]


@public
def mass_matrix(system: System, state: State, method: str = "composite_body") -> Array:
    """The mass matrix: joints, then floating bases, then the object; rotors included.

    ``composite_body`` (R87 (29)-(33)) and ``kkt`` (sums of J' M J) handle every system and give all of it;
    ``newton_euler``, ``newton_euler_modified``, ``lagrange`` (by strobing, TML Section 7) and ``appel`` give
    the joints' part for arms that are bolted down and hold nothing.

    Args:
        system: any that the method handles; couplings between joints and closed loops are ignored.
        state: only its posture is used.
        method: one of these names.

    Returns:
        (velocity, velocity), packed as ``System.pack`` orders velocities: kg m^2, kg m and kg; inertial axes for
        floating bodies.

    Raises:
        ModelError: for an unknown method, or one that does not handle this system.
        StateError: for a state of another system.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> dyn.mass_matrix(system, system.home()).shape
        (7, 7)

    Cost: quadratic in the links for ``composite_body``, cubic for ``kkt`` and ``appel``; strobing takes a solution of
    inverse dynamics for each column.
    """
    method = text(method, "method", ModelError)
    if method == "composite_body":
        return equation_of_motion.mass_matrix(system, state)
    wrench = np.zeros((system.n_links + 1, 6))
    if method == "kkt":
        return dense_equations(system, state, forward_kinematics(system, state).pose, wrench).mass_matrix
    if not is_among(method, (*RECURSIONS, "appel")):
        known = ", ".join(["composite_body", "kkt", *RECURSIONS, "appel"])
        raise ModelError(f"there is no method {brief(method)} for the mass matrix; choose among {known}.")
    if system.is_floating or system.is_held:
        raise ModelError(
            f"method {brief(method)} needs arms that are bolted down and hold nothing; use 'composite_body'."
        )
    if method == "appel":
        return appel.mass_matrix_and_bias(system, state)[0]
    return strobing.mass_matrix_and_bias(system, state, RECURSIONS[method])[0]
