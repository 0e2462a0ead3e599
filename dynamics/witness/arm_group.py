"""Several arms and the object they hold, JZ Section 4: each arm by Appel's method, joined in transmission frames.

Lambda acts on the arm, so the object feels -lambda; it is written in the contact's frame. The object's
velocity X_o' is written in the object's own axes, [angular; linear], as in (38). Its rate X_o'' is then the
rate of those numbers: (39) holds as printed, and the equation of motion (36) needs the term m w x v that the
paper leaves out. For an object that does not rotate there is no difference. Where a contact lets the tip slip along
the object, G_k is not constant, and its rate is included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from dynamics.checks import Array, numbers
from dynamics.errors import StateError
from dynamics.public import public
from dynamics.record import Record
from dynamics.system.effort import largest_effort
from dynamics.system.link_tables import coordinate_units, machine_length
from dynamics.system.loops import ties_of
from dynamics.system.plain_kinematics import cross, plain_kinematics, shift, tilde
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.appel import (
    constrained_motion,
    equations_of_motion,
    gibbs_function,
    point_motion,
    transmitted_rows,
)

Indices = NDArray[np.int64]
CLOSED, RANK = 1e-6, 1e-10
SLOWEST = 1e-6
"""1/s: anything slower counts as at rest."""


def require_closed(system: System, state: State, selection: Array, apart: Array) -> None:
    """Refuse a state off the closure by more than 1e-6 rad, or of the machine's length and speed.

    Args:
        selection: (directions, 6 contacts), what the contacts transmit, inertial axes.
        apart: (directions,), velocity of the tips less that of the object, rad/s or m/s.

    Raises:
        StateError: if it is further off.
    """
    assert state.object_pose is not None and state.object_velocity is not None
    motion, size = plain_kinematics(system, state), machine_length(system.robots, system.task_object)
    on_arm = motion.contact_pose
    on_object = state.object_pose @ np.array([contact.object_pose for contact in system.contacts])
    turn = Rotation.from_matrix(on_arm[:, :3, :3] @ on_object[:, :3, :3].transpose(0, 2, 1)).as_rotvec()
    kept = np.concatenate([contact.holonomic for contact in system.contacts])
    gap = kept * (selection @ np.hstack([turn, on_arm[:, :3, 3] - on_object[:, :3, 3]]).ravel())
    turns, shifts = np.linalg.norm(selection.reshape(len(kept), -1, 2, 3), axis=3).sum(axis=1).T
    share = 1.0 / (turns + size * shifts)
    units = coordinate_units(system.joint_models, system.n_bases + 1, size)  # the object is the last body
    moving = np.abs(system.pack(state)[1] / units).max()
    rate = max(SLOWEST, moving, np.sqrt(np.linalg.norm(system.gravity) / size))
    if not (np.abs(share * gap).max() <= CLOSED and np.abs(share * apart).max() <= CLOSED * rate):
        raise StateError(
            f"an arm is off the object it holds by {np.abs(gap).max():.3g} (position, m or rad) and "
            f"{np.abs(apart).max():.3g} (velocity, m/s or rad/s); at most {CLOSED:g} rad, or of the machine's length "
            "and speed, is allowed. Use dynamics.project(system, state) for a near state that is closed."
        )


class GroupEquations(NamedTuple):
    """W qdd + bias = P + J' lambda,  J qdd + rate = G' X_o'' + slip,  M_o X_o'' = object_force - G lambda.

    JZ (34)-(39) with the arms one after the other: W and J are block diagonal.
    """

    mass_matrix: Array  # W (n, n)
    bias: Array  # V' - Y (n,), with joint losses and external forces
    jacobian: Array  # J_tr (l, n), (33)
    rate: Array  # its rate times qd (l,), the rotation of the frame included, (35)
    grip: Array  # G = [G_1 ... G_m] (6, l), (30)
    slip: Array  # (l,), the rate of G' times X_o'; zero where no tip slips
    selection: Array  # (l, 6 contacts), the transmitted directions in inertial axes, H_k R_w^trk
    arms: tuple[tuple[Indices, Indices], ...]  # for each arm, its floating base included, coordinates and directions
    object_inertia: Array  # M_o (6, 6), in object axes
    object_force: Array  # the object's bias (6,), (36), in object axes
    rotation: Array  # (3, 3), world <- object
    velocity: Array  # X_o' (6,)

    def in_world(self, rate: Array) -> Array:
        """The object's acceleration in inertial axes from X_o''."""
        omega, v = self.velocity[:3], self.velocity[3:]
        return np.concatenate([self.rotation @ rate[:3], self.rotation @ (rate[3:] + cross(omega, v))])

    def in_object(self, acceleration: Array) -> Array:
        """X_o'' from the object's acceleration in inertial axes."""
        omega, v = self.velocity[:3], self.velocity[3:]
        back = self.rotation.T
        return np.concatenate([back @ acceleration[:3], back @ acceleration[3:] - cross(omega, v)])


class GroupMotion(NamedTuple):
    """The motion of the group, or one sweep of ``staggered_step``."""

    joint_acceleration: Array  # (n,), joints, then floating bases; of a sweep, for the assumed object acceleration
    object_acceleration: Array  # (6,) at the mass centre, inertial axes; of a sweep, what the next sample assumes
    contact_force: Array  # (tips, 6) on the object, at the contacts, inertial axes, summed over a tip's contacts
    transmitted: Array  # lambda (l,), on the arms, in the contacts' frames


def group_equations(system: System, state: State, wrench: ArrayLike | None = None) -> GroupEquations:
    """The matrices of JZ (30)-(39) for a state.

    Args:
        wrench: (links + 1, 6), external [moment; force] on links at O_k, last row on the object; inertial axes.

    Raises:
        StateError: if nothing is held, or for a state of another system.
    """
    payload = system.task_object
    if not system.is_held or payload is None:
        raise StateError("the group's equations need an object that is held; use dynamics.grasp first.")
    system.require_own(state)
    assert state.object_pose is not None and state.object_velocity is not None
    forces = np.zeros((system.n_links + 1, 6)) if wrench is None else numbers(wrench, (system.n_links + 1, 6), "wrench")
    gibbs = gibbs_function(system, state)
    w, bias = equations_of_motion(gibbs, system, state, forces)
    qd = system.pack(state)[1][:-6]
    rotation = state.object_pose[:3, :3]
    velocity = np.concatenate([rotation.T @ state.object_velocity[:3], rotation.T @ state.object_velocity[3:]])

    l, n_contacts = sum(len(contact.selection) for contact in system.contacts), len(system.contacts)
    jacobian, rate, slip = np.zeros((l, len(bias))), np.zeros(l), np.zeros(l)
    grip, selection, owner = np.zeros((6, l)), np.zeros((l, 6 * n_contacts)), np.zeros(l, dtype=np.int64)
    at = 0
    for i, contact in enumerate(system.contacts):
        motion = point_motion(gibbs, system, contact.link, contact.tip_pose[:3, 3])
        tip = gibbs.poses[contact.link] @ contact.tip_pose
        rows = slice(at, at + len(contact.selection))
        at = rows.stop
        pick = contact.selection @ np.kron(np.eye(2), (rotation @ contact.object_pose[:3, :3]).T)  # H R_w^tr
        jacobian[rows] = transmitted_rows(pick, motion.jacobian)  # JZ (33)
        tip_velocity = motion.jacobian @ qd
        omega = np.kron(np.eye(2), tilde(state.object_velocity[:3]))
        rate[rows] = pick @ (motion.rate - omega @ tip_velocity)  # JZ (35)
        lever = rotation.T @ (tip[:3, 3] - state.object_pose[:3, 3])  # r_ck
        in_object = np.kron(np.eye(2), contact.object_pose[:3, :3]) @ contact.selection.T
        grip[:, rows] = shift(lever) @ in_object  # G_k = B_k R_tr^o H_k', JZ (30)-(32)
        lever_rate = rotation.T @ tip_velocity[3:] - velocity[3:] - cross(velocity[:3], lever)
        on_object = np.concatenate([np.zeros(3), cross(velocity[:3], lever_rate)])
        slip[rows] = pick @ np.kron(np.eye(2), rotation) @ on_object
        selection[rows, 6 * i : 6 * i + 6] = pick
        owner[rows] = contact.arm

    mass = np.zeros((6, 6))
    mass[:3, :3], mass[3:, 3:] = payload.inertia, payload.mass * np.eye(3)
    spin, v = velocity[:3], velocity[3:]
    weight = payload.mass * (rotation.T @ np.asarray(system.gravity) - cross(spin, v))
    object_force = np.concatenate([-cross(spin, payload.inertia @ spin), weight])  # JZ (36)
    object_force += np.kron(np.eye(2), rotation.T) @ forces[-1]
    arm_of = np.concatenate([system.arm_of_link[: len(state.q)], np.repeat(system.arm_of_link[len(state.q) :], 6)])
    arms = tuple((np.flatnonzero(arm_of == arm), np.flatnonzero(owner == arm)) for arm in range(system.n_arms))
    return GroupEquations(
        w, bias, jacobian, rate, grip, slip, selection, arms, mass, object_force, rotation, velocity
    )  # fmt: skip


def group_forward(system: System, state: State, tau: ArrayLike, wrench: ArrayLike | None = None) -> GroupMotion:
    """Joint and object accelerations and contact forces that satisfy JZ (34), (36), (37), (39) at once.

    The published step takes the object's acceleration from the sample before (``staggered_step``); here it is an
    unknown like the others. The forces are the smallest possible.

    Raises:
        ModelError: if a joint moves no inertia.
        SingularConfigurationError: if no contact force closes the chain.
    """
    group = group_equations(system, state, wrench)
    n = len(group.bias)
    mass = np.zeros((n + 6, n + 6))
    mass[:n, :n], mass[n:, n:] = group.mass_matrix, group.object_inertia
    force = np.concatenate([-group.bias, group.object_force])
    force[: system.n_joints] += numbers(tau, (system.n_joints,), "tau")
    ties, l = ties_of(system, state), len(group.rate)
    constraint = np.vstack([np.hstack([group.jacobian, -group.grip.T]), ties.over(n + 6)])
    effort = largest_effort(system.tables, system.pack(state)[1])
    wanted = np.append(group.slip - group.rate, ties.rate)
    motion = constrained_motion(mass, force, constraint, wanted, effort)
    return GroupMotion(
        motion.acceleration[:n],
        group.in_world(motion.acceleration[n:]),
        contact_forces(system, group, motion.force[:l]),
        motion.force[:l],
    )


def contact_forces(system: System, group: GroupEquations, transmitted: Array) -> Array:
    """(tips, 6), the forces on the object in inertial axes, of lambda."""
    result = np.zeros((system.n_tips, 6))
    for contact, force in zip(system.contacts, -(group.selection.T @ transmitted).reshape(-1, 6), strict=True):
        result[contact.tip] += force
    return result


@dataclass(frozen=True, eq=False)
class GroupTorques(Record):
    """The result of the group's inverse dynamics; JZ (40)-(42).

    Attributes:
        tau: P (n,), joint torques, then the [moment; force] that each floating base would need.
        joint_acceleration: (n,).
        transmitted: lambda (l,), on the arms.
        contact_force: (tips, 6), on the object, inertial axes.
        mismatch: largest difference of G lambda and J qdd from the required values; zero if these are feasible.
    """

    tau: Array
    joint_acceleration: Array
    transmitted: Array
    contact_force: Array
    mismatch: float


@public
def group_inverse(
    system: System, state: State, object_acceleration: ArrayLike, wrench: ArrayLike | None = None
) -> GroupTorques:
    """Torques that give the object an acceleration, with the load shared by the pseudo-inverse; JZ (40)-(42).

    Joint accelerations and forces are the smallest that fit. As in JZ they are compared as plain numbers: metres and
    newtons count like radians and newton metres. (41) prints lambda = G+ F_o; with (37) it is -G+ F_o.

    Args:
        system: arms that hold an object.
        state: of this system, closed.
        object_acceleration: (6,), rad/s^2 and m/s^2 at the mass centre, inertial axes.
        wrench: (links + 1, 6), external [moment; force] in N m and N on links at O_k, last row on the object;
            inertial axes.

    Returns:
        Torques (N m or N, tip to base), joint accelerations, contact forces, and their mismatch.

    Raises:
        StateError: if nothing is held, for a state more than 1e-6 (rad, or of the machine's length and speed) off the
            closure, or of another system, wrong shapes and numbers that are not finite.
        ModelError: for a joint that follows another, or a closed loop.

    Cost: cubic in the joints and the contact directions.
    """
    system.couplings.refuse(system.joint_names, "group_inverse")
    group = group_equations(system, state, wrench)
    qd = system.pack(state)[1][:-6]
    require_closed(system, state, group.selection, group.jacobian @ qd - group.grip.T @ group.velocity)
    wanted = group.in_object(numbers(object_acceleration, (6,), "object_acceleration"))
    right = group.grip.T @ wanted + group.slip - group.rate
    qdd = np.zeros(len(group.bias))
    size = machine_length(system.robots, system.task_object)
    places = coordinate_units(system.joint_models, system.n_bases, size)
    moments = np.any(group.selection.reshape(len(right), -1, 2, 3)[:, :, 0] != 0.0, axis=(1, 2))
    shares = np.where(moments, 1.0, 1.0 / size)  # of directions
    for joints, rows in group.arms:
        qdd[joints] = _smallest(group.jacobian[np.ix_(rows, joints)], right[rows], shares[rows], places[joints])  # (40)
    force = group.object_inertia @ wanted - group.object_force  # JZ (36)
    transmitted = -_smallest(group.grip, force, np.repeat([1.0, size], 3), shares)  # JZ (41)
    tau = group.mass_matrix @ qdd + group.bias - group.jacobian.T @ transmitted  # JZ (42)
    mismatch = max(np.abs(group.jacobian @ qdd - right).max(), np.abs(group.grip @ transmitted + force).max())
    return GroupTorques(tau, qdd, transmitted, contact_forces(system, group, transmitted), float(mismatch))


def _smallest(matrix: Array, right: Array, rows: Array, columns: Array) -> Array:
    """The pseudo-inverse applied, its rank determined with rows and columns scaled to their own units."""
    left, sizes, _ = np.linalg.svd(rows[:, None] * matrix * columns, full_matrices=False)
    kept = sizes > RANK * sizes.max(initial=0.0)
    every = len(rows) == np.sum(kept)  # rotating the rows would mix large values with small ones
    seen = np.diag(rows) if every else left[:, kept].T * rows
    q, r = np.linalg.qr((seen @ matrix).T)
    return np.asarray(q @ np.linalg.solve(r.T, seen @ right))
