"""The forward step of the group as JZ publish it, and when it converges.

Each arm is solved separately, with the object's acceleration from the sample before; the resulting contact forces
give the acceleration for the next sample. That is one sweep of the fixed-point map

    X_o'' <- const - R X_o'',   R = M_o^-1 sum_k G_k (J_k W_k^-1 J_k')^-1 G_k',

which contracts only while the largest eigenvalue of R is below one: while the object is heavier than the arms
appear from it. ``arm_group.group_forward`` solves the same equations for the fixed point at once.

The paper assumes J_k W_k^-1 J_k' to be invertible. An arm that cannot accelerate in a transmitted direction, with
too few joints or in a singular pose, forbids that acceleration to the object too. Here such directions are omitted
from (34) and become constraints in the object's equation (36), so that the sweep exists for every system.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve, eigh, null_space

from dynamics.checks import Array, numbers, whole_number
from dynamics.errors import StateError
from dynamics.public import public
from dynamics.record import Record
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.appel import constrained_motion, locked_directions, lower_factor, without_rounding
from dynamics.witness.arm_group import GroupEquations, GroupMotion, contact_forces, group_equations

MOST_SWEEPS = 100
LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class StaggeredSweeps(Record):
    """Sweeps at one moment, each from the object acceleration of the one before.

    Attributes:
        object_acceleration: (sweeps + 1, 6) [angular; linear] at the mass centre, inertial axes; the first is zero.
        radius: the largest factor by which a sweep multiplies an error, ``contraction_radius``.
    """

    object_acceleration: Array
    radius: float


def staggered_step(
    system: System, state: State, tau: JointValues, object_acceleration: ArrayLike, wrench: ArrayLike | None = None
) -> GroupMotion:
    """Steps 2 to 4 of JZ 4.2, for any contacts: (39), then (34) arm by arm, then (36) with (37).

    Args:
        object_acceleration: (6,) at the mass centre, inertial axes, of the sample before.

    Raises:
        SingularConfigurationError: if arms lock the object in contradictory ways.
    """
    return _sweep(system, group_equations(system, state, wrench), tau, object_acceleration)


def _sweep(system: System, group: GroupEquations, tau: JointValues, object_acceleration: ArrayLike) -> GroupMotion:
    assumed = group.in_object(numbers(object_acceleration, (6,), "object_acceleration"))
    force = -group.bias
    force[: system.n_joints] += joint_vector(system, tau, "tau")
    known = group.slip - group.rate
    wanted = group.grip.T @ assumed + known  # JZ (39)
    qdd, transmitted = np.zeros(len(force)), np.zeros(len(wanted))
    for joints, rows in group.arms:  # JZ (34); the arms are independent here
        w, j = group.mass_matrix[np.ix_(joints, joints)], group.jacobian[np.ix_(rows, joints)]
        locked = locked_directions(w, j)
        motion = constrained_motion(w, force[joints], j, wanted[rows] - locked @ (locked.T @ wanted[rows]))
        qdd[joints], transmitted[rows] = motion.acceleration, motion.force
    locked = _locked(group)
    held = without_rounding(locked.T @ group.grip.T, np.linalg.norm(group.grip, axis=1)[None])
    payload = constrained_motion(  # JZ (36), (37)
        group.object_inertia, group.object_force - group.grip @ transmitted, -held, locked.T @ known
    )
    transmitted += locked @ payload.force
    return GroupMotion(
        qdd, group.in_world(payload.acceleration), contact_forces(system, group, transmitted), transmitted
    )


def _locked(group: GroupEquations) -> Array:
    """(l, d), the locked directions of all arms."""
    columns = []
    for joints, rows in group.arms:
        own = locked_directions(group.mass_matrix[np.ix_(joints, joints)], group.jacobian[np.ix_(rows, joints)])
        block = np.zeros((len(group.rate), own.shape[1]))
        block[rows] = own
        columns.append(block)
    return np.hstack(columns)


@public
def contraction_radius(system: System, state: State) -> float:
    """The spectral radius of M_o^-1 sum G Lambda^-1 G', by which one sweep of JZ 4.2 multiplies an error.

    Lambda_k = J_k W_k^-1 J_k' is what R88 calls Lambda(0), in the transmitted directions. The staggered step converges
    below one and diverges above. Directions in which an arm locks the object are excluded.

    Args:
        system: arms that hold an object.
        state: only its posture is used.

    Returns:
        A dimensionless number, zero or more.

    Raises:
        StateError: if nothing is held, or for a state of another system.
        ModelError: for a joint that moves no inertia, or one that follows another.

    Cost: cubic in the joints of an arm.
    """
    system.couplings.refuse(system.joint_names, "the staggered step")
    return _radius(group_equations(system, state))


def _radius(group: GroupEquations) -> float:
    stiffness = np.zeros((6, 6))
    for joints, rows in group.arms:
        w, j = group.mass_matrix[np.ix_(joints, joints)], group.jacobian[np.ix_(rows, joints)]
        locked = locked_directions(w, j)
        free = null_space(locked.T) if locked.size else np.eye(len(rows))
        if not free.size:
            continue
        j, g = free.T @ j, group.grip[:, rows] @ free
        mobility = j @ cho_solve((lower_factor(w), True), j.T)
        stiffness += g @ cho_solve((lower_factor(mobility), True), g.T)
    locked = group.grip @ _locked(group)
    movable = null_space(locked.T, rcond=1e-9) if locked.size else np.eye(6)
    if not movable.size:
        return 0.0
    inertia = movable.T @ group.object_inertia @ movable
    return float(eigh(movable.T @ stiffness @ movable, inertia, eigvals_only=True)[-1])


@public
def staggered_sweeps(
    system: System, state: State, tau: JointValues, sweeps: int = 12, wrench: ArrayLike | None = None
) -> StaggeredSweeps:
    """Steps 2 to 4 of JZ 4.2 repeated at one moment with time fixed: how the published step finds its solution.

    In the norm of the object's inertia each sweep after the first multiplies the distance from the exact acceleration
    by at most the radius rho. With s the largest eigenvalue below one of A gain (``contact_gain``) rho = s / (1 - s):
    the sweeps converge where the arms decide less than half.

    Args:
        system: arms that hold an object.
        state: positions and velocities.
        tau: (joints,) N m or N, tip to base.
        sweeps: their number, up to 100.
        wrench: (links + 1, 6), external [moment; force] at O_k and on the object, inertial axes.

    Returns:
        The object's accelerations, rad/s^2 and m/s^2, and the radius.

    Raises:
        StateError: if an acceleration passes 1e150, nothing is held, or for wrong shapes.
        ModelError: for a joint that moves no inertia, or one that follows another.
        SingularConfigurationError: if arms lock the object in contradictory ways.

    Cost: cubic in the joints of an arm, each sweep.
    """
    system.couplings.refuse(system.joint_names, "the staggered step")
    count = whole_number(sweeps, "sweeps", "a whole number, zero or more", least=0, most=MOST_SWEEPS)
    group = group_equations(system, state, wrench)
    found = [np.zeros(6)]
    for step in range(count):
        found.append(_sweep(system, group, tau, found[-1]).object_acceleration)
        if not np.abs(found[-1]).max() < LARGEST:
            raise StateError(
                f"the staggered step diverges: after {step + 1} sweeps an acceleration passes {LARGEST:g}."
            )
    return StaggeredSweeps(np.array(found), _radius(group))
