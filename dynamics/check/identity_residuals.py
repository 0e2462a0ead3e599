"""The residual of each identity, a function of its key's name: its relative size, row by row, and each row's link.

The reference quantities are computed without the recursions that they check. The filter's results at each link come
from mass matrices of the bodies outboard of it, R87 (29)-(32). Cut the machine at O_k and consider the outboard part:
P(k) is its inertia when its joints are free, z+(k) the force that holds its inboard side still, nu(k) the acceleration
of its innermost joint then.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.system.plain_kinematics import (
    bias_accelerations,
    bias_forces,
    joint_losses,
    joint_rows,
    plain_kinematics,
    shift,
    spatial_inertias,
)
from dynamics.system.solution import Solution
from dynamics.witness.kkt import Dense, LinkJacobians, dense_equations, jacobians, joint_motion, solve_dense

Found = tuple[Array, NDArray[np.int64]] | None
SMALLEST = np.finfo(float).tiny
NOTHING = 1e-15
"""A row smaller than this times the largest row is measured by that floor."""
CANCELLED = 1e-6
"""Share of ``Evidence.carried`` added to a row's size: a gap of 1e-14 of the full load is rounding."""


class Evidence:
    """Reference quantities for the identities of one solution; computed on first access.

    Poses, velocities, a(k) and b(k) come from ``plain_kinematics``, Jacobians and the whole machine's mass matrix from
    ``kkt``, none of them from the compiled sweeps. Only the system, the state, the torques and the stages of the
    solution are read.
    """

    def __init__(self, solution: Solution, wrench: Array) -> None:
        self.solution, self.system, self.wrench = solution, solution.system, wrench
        system, state = solution.system, solution.state
        self.motion = plain_kinematics(system, state)
        self.n, self.poses = system.n_joints, self.motion.pose
        self.links = np.arange(system.n_links)
        self.rows = joint_rows(system, self.motion.axis)
        self.inertia = spatial_inertias(system, self.poses, self.motion.mass_lever)
        self.rotor = np.array([joint.rotor_inertia for joint in system.joint_models])
        self.torque = solution.tau - joint_losses(system, state.qd)
        self.v = system.pack(state)[1]
        self.a, self.b = bias_accelerations(system, state, self.motion), bias_forces(system, self.motion, wrench)
        self.inner, self.shift = system.inboard, shift(self.motion.lever)
        paths = [system.path_inward(k) for k in range(system.n_links)]
        self._outboard = [[k for k, path in enumerate(paths) if link in path[1:]] for link in range(system.n_links)]

    @cached_property
    def dense(self) -> Dense:
        return dense_equations(self.system, self.solution.state, self.poses, self.wrench)

    @cached_property
    def at_origins(self) -> LinkJacobians:
        motion = joint_motion(self.system, self.poses, self.v)
        return jacobians(motion, self.links, self.poses[:, :3, 3], self.v)

    def packed(self, stage: str) -> Array:
        """The accelerations from a smoother, packed like a velocity; the last stage includes the object's."""
        motion = self.solution.stages[stage]
        parts = [motion["joint_acceleration"], motion["acceleration"][self.n :].ravel()]
        if self.system.task_object is not None:
            held_apart = self.system.is_held and stage == "smoother"
            payload = np.zeros(6) if held_apart else self.solution.object_acceleration
            assert payload is not None
            parts.append(payload)
        return np.concatenate(parts)

    def contact_at_links(self) -> Array:
        """(links, 6): the contact forces x(0), each moved to its link's O_k."""
        force = np.zeros((self.system.n_links, 6))
        for contact, phi in zip(self.system.contacts, shift(self.motion.contact_lever), strict=True):
            force[contact.link] += phi @ self.solution.stages["contact"]["contact_force"][contact.tip]
        return force

    def contacts_at_object(self) -> list[Array]:
        """(6,) each: the contact forces x(0) on the object, moved to its mass center."""
        forces = self.solution.stages["contact"]["contact_force"][[contact.tip for contact in self.system.contacts]]
        return [phi @ force for phi, force in zip(shift(self.motion.object_lever), forces, strict=True)]

    @cached_property
    def carried(self) -> Array:
        """(joints,) N m or N: the torque on each joint if no outboard forces cancelled one another.

        A torque far below it may be only rounding: at rest about a vertical axis, or if contacts carry the arm.
        """
        force = np.abs(self.b) + np.abs(np.einsum("kij,kj->ki", self.inertia, self.a))
        if self.system.is_held:
            force += np.abs(self.contact_at_links())
        # by hypot: no square of a force beyond 1e154 overflows
        moments, forces = np.hypot.reduce(force[:, :3], axis=1), np.hypot.reduce(force[:, 3:], axis=1)
        turns = np.any(self.rows[:, :3] != 0.0, axis=1)
        found, own = np.zeros(self.n), np.linalg.norm(self.motion.mass_lever, axis=1)
        for k in self.links:
            for j in (j for j in self.system.path_inward(int(k)) if j < self.n):
                lever = np.linalg.norm(self.poses[k, :3, 3] - self.poses[j, :3, 3]) + own[k]
                found[j] += moments[k] + lever * forces[k] if turns[j] else forces[k]
        return found

    def constraint_links(self) -> NDArray[np.int64]:
        """The link of each row of the contacts' constraint."""
        contacts = self.system.contacts
        return np.repeat([c.link for c in contacts], [len(c.selection) for c in contacts])

    def generalized(self, stage: str) -> tuple[Array, Array]:
        """The residual of M q'' + h - tau - J' f, and the size of its terms; (velocity,) each."""
        acceleration = self.packed(stage)
        inertial = self.dense.mass_matrix @ acceleration
        left = inertial + self.dense.bias
        size = np.abs(self.dense.mass_matrix) @ np.abs(acceleration) + np.abs(self.dense.bias)
        left[: self.n] -= self.solution.tau
        size[: self.n] += np.abs(self.solution.tau)
        if self.system.is_held and stage == "smoother_final":
            pushed = self.contact_at_links()
            for k in np.flatnonzero(np.any(pushed != 0.0, axis=1)):
                moved = self.at_origins.jacobian[k].T @ pushed[k]
                left += moved  # x(0) acts on the object, its opposite on the arm
                size += np.abs(moved)
        return left, size

    @cached_property
    def _composite(self) -> Array:
        composite = self.inertia.copy()
        for k, inner in enumerate(self.inner):
            if inner >= 0:
                composite[inner] += self.shift[k] @ composite[k] @ self.shift[k].T  # R87 (29)
        return composite

    @cached_property
    def _force(self) -> Array:
        """(links, joints, 6): phi(k, i) r(i) H'(i), the force at O_k for a unit acceleration of joint i."""
        force = np.zeros((self.system.n_links, self.n, 6))
        for i in range(self.n):
            carried = self._composite[i] @ self.rows[i]
            for k in self.system.path_inward(i):
                force[k, i] = carried
                carried = self.shift[k] @ carried
        return force

    @cached_property
    def _mass(self) -> Array:
        """(joints, joints), R87 (31), on and above the diagonal since links are numbered inward; rotors included."""
        half = np.einsum("ki,kji->kj", self.rows, self._force[: self.n])
        return half + np.tril(half, -1).T + np.diag(self.rotor)

    @cached_property
    def articulated_inertia(self) -> Array:
        """P(k) = r(k) - F M^-1 F' over the joints outboard of k, (links, 6, 6)."""
        found = self._composite.copy()
        for k, joints in enumerate(self._outboard):
            f = self._force[k, joints].T
            found[k] -= f @ np.linalg.solve(self._mass[np.ix_(joints, joints)], f.T)
        return found

    def _held(self, k: int, joints: list[int]) -> tuple[Array, Array]:
        """Accelerations of the free ``joints`` outboard of link k, and x at O_k, if joint k's inboard side is still."""
        alpha, total = self.a.copy(), np.zeros((self.system.n_links, 6))
        for i in reversed(self._outboard[k]):
            alpha[i] += self.shift[i].T @ alpha[self.inner[i]]
        for i in self._outboard[k]:
            total[i] += self.inertia[i] @ alpha[i] + self.b[i]
            total[self.inner[i]] += self.shift[i] @ total[i]
        total[k] += self.inertia[k] @ alpha[k] + self.b[k]
        open_torque = self.torque[joints] - np.einsum("ki,ki->k", self.rows[joints], total[joints])
        acceleration = np.linalg.solve(self._mass[np.ix_(joints, joints)], open_torque)
        return acceleration, np.asarray(total[k] + acceleration @ self._force[k, joints])

    @cached_property
    def predicted_force(self) -> Array:
        """z(k), (links, 6): joint k is locked and its inboard side still, all joints outboard of it are free."""
        return np.array([self._held(k, joints)[1] for k, joints in enumerate(self._outboard)])

    @cached_property
    def locked_inboard(self) -> tuple[Array, Array]:
        """nu(k), (joints,), and z+(k), (joints, 6): joint k and outboard free, no acceleration of the body inboard."""
        residual, force = np.zeros(self.n), np.zeros((self.n, 6))
        for k in range(self.n):
            acceleration, force[k] = self._held(k, [*self._outboard[k], k])
            residual[k] = acceleration[-1]
        return residual, force

    def carried_inward(self, at_link: Array) -> Array:
        """dz(k), (links, 6): the change of z(k) due to forces (links, 6) at O_k of the links."""
        rigid = at_link.copy()
        for k, inner in enumerate(self.inner):
            if inner >= 0:
                rigid[inner] += self.shift[k] @ rigid[k]
        seen = np.einsum("ki,ki->k", self.rows, rigid[: self.n])
        found = rigid.copy()
        for k, joints in enumerate(self._outboard):
            found[k] -= np.linalg.solve(self._mass[np.ix_(joints, joints)], seen[joints]) @ self._force[k, joints]
        return found


def relative(gap: NDArray[np.floating], size: NDArray[np.floating] | float) -> Array:
    """The gap of each row relative to its scale."""
    return np.asarray(gap / np.maximum(size, max(NOTHING * np.max(size, initial=0.0), SMALLEST)))


def length(values: Array) -> Array:
    """Largest entry of each row."""
    return np.asarray(np.abs(values).max(axis=tuple(range(1, values.ndim)), initial=0.0))


def finite(e: Evidence, stage: str) -> Found:
    bad = np.zeros(e.system.n_links)
    for quantities in e.solution.stages.values():
        for array in quantities.values():
            if len(array) in (e.n, e.system.n_links) and array.ndim:
                broken = ~np.isfinite(array.reshape(len(array), -1)).all(axis=1)
                bad[: len(array)] += np.where(broken, np.inf, 0.0)
    return bad, e.links


def symmetric(e: Evidence, stage: str) -> Found:
    p = e.solution.stages[stage]["articulated_inertia"]
    return relative(length(p - p.transpose(0, 2, 1)), length(p)), e.links


def positive(e: Evidence, stage: str) -> Found:
    p = e.solution.stages[stage]["articulated_inertia"]
    if not np.isfinite(p).all():
        return np.where(np.isfinite(p).all(axis=(1, 2)), 0.0, np.inf), e.links
    lowest = np.linalg.eigvalsh(0.5 * (p + p.transpose(0, 2, 1)))[:, 0]
    # Zero inertia is not positive either.
    return np.where(lowest > 0.0, 0.0, np.maximum(relative(-lowest, length(p)), 2.0 * (length(p) == 0.0))), e.links


def joint_inertia(e: Evidence, stage: str) -> Found:
    f = e.solution.stages[stage]
    seen = np.einsum("ki,kij,kj->k", e.rows, f["articulated_inertia"][: e.n], e.rows)
    return relative(f["joint_inertia"] - seen - e.rotor, np.abs(seen) + e.rotor), e.links[: e.n]


def gain(e: Evidence, stage: str) -> Found:
    f = e.solution.stages[stage]
    return np.einsum("ki,ki->k", e.rows, f["kalman_gain"]) - 1.0 + e.rotor / f["joint_inertia"], e.links[: e.n]


def updated(e: Evidence, stage: str) -> Found:
    f = e.solution.stages[stage]
    along = np.einsum("ki,kij->kj", e.rows, f["articulated_inertia"][: e.n])
    left = np.einsum("ki,kij->kj", e.rows, f["articulated_inertia_updated"][: e.n])
    gap = left - (e.rotor / f["joint_inertia"])[:, None] * along
    return relative(length(gap), length(along)), e.links[: e.n]


def articulated(e: Evidence, stage: str) -> Found:
    expected = e.articulated_inertia
    return relative(length(e.solution.stages[stage]["articulated_inertia"] - expected), length(expected)), e.links


def predicted_force(e: Evidence, stage: str) -> Found:
    expected = e.predicted_force
    found = e.solution.stages[stage]["predicted_force"]
    return relative(length(found - expected), length(expected) + length(e.b)), e.links


def corrected_force(e: Evidence, stage: str) -> Found:
    expected = e.locked_inboard[1]
    found = e.solution.stages[stage]["corrected_force"][: e.n]
    size = length(expected) + length(e.b[: e.n]) + np.abs(e.torque)
    return relative(length(found - expected), size), e.links[: e.n]


def locked(e: Evidence, stage: str) -> Found:
    expected = e.locked_inboard[0]
    f = e.solution.stages[stage]
    # The terms that cancel in nu give its scale: torques, and the parts of H z.
    seen = np.einsum("ki,kij,kj->k", e.rows, e.articulated_inertia[: e.n], e.rows) + e.rotor
    parts = np.einsum("ki,ki->k", np.abs(e.rows), np.abs(e.predicted_force[: e.n]))
    size = np.abs(expected) + (1e-3 * (np.abs(e.torque) + parts) + CANCELLED * e.carried) / seen
    return relative(f["residual"] - expected, size), e.links[: e.n]


def kinematics(e: Evidence, stage: str) -> Found:
    acceleration, (jacobian, rate, _) = e.packed(stage), e.at_origins
    expected = jacobian @ acceleration + rate
    found = e.solution.stages[stage]["acceleration"]
    size = length(np.abs(jacobian) @ np.abs(acceleration)[:, None]) + length(rate)
    return relative(length(found - expected), np.maximum(size, 1e-9 * size.max(initial=0.0))), e.links


def newton_joint(e: Evidence, stage: str) -> Found:
    left, size = e.generalized(stage)
    return relative(left[: e.n], size[: e.n] + CANCELLED * e.carried), e.links[: e.n]


def base_balance(e: Evidence, stage: str) -> Found:
    if not e.system.is_floating:
        return None
    left, size = e.generalized(stage)
    rows = slice(e.n, e.n + 6 * e.system.n_bases)
    return relative(length(left[rows].reshape(-1, 6)), length(size[rows].reshape(-1, 6))), e.links[e.n :]


def mobility(e: Evidence, stage: str) -> Found:
    j = e.at_origins.jacobian
    size = j.shape[2] - 6 * (e.system.task_object is not None)
    j, mass = j[:, :, :size], e.dense.mass_matrix[:size, :size]
    expected = j @ np.linalg.solve(mass, j.transpose(0, 2, 1))
    found = e.solution.stages[stage]["costate_covariance"]
    return relative(length(found - expected), length(expected)), e.links


def newton(e: Evidence, stage: str) -> Found:
    motion = e.solution.stages[stage]
    if "force" not in motion:
        return None  # the object's share is not known before the contact stage
    x = motion["force"]
    inertial = np.einsum("kij,kj->ki", e.inertia, motion["acceleration"])
    left = x - inertial - e.b
    size = length(x) + length(inertial) + length(e.b)
    for k, inner in enumerate(e.inner):
        if inner >= 0:
            carried = e.shift[k] @ x[k]
            left[inner] -= carried
            size[inner] += np.abs(carried).max()
    if stage == "smoother_final":
        pushed = e.contact_at_links()
        left -= pushed
        size += length(pushed)
    return relative(length(left), size), e.links


def torque(e: Evidence, stage: str) -> Found:
    motion = e.solution.stages[stage]
    if "force" not in motion:
        return None
    measured = e.torque - e.rotor * motion["joint_acceleration"]
    x = motion["force"][: e.n]
    gap = np.einsum("ki,ki->k", e.rows, x) - measured
    return relative(gap, length(x) + np.abs(measured) + CANCELLED * e.carried), e.links[: e.n]


def omega(e: Evidence, stage: str) -> Found:
    j = e.dense.constraint
    expected = j @ np.linalg.solve(e.dense.mass_matrix, j.T)
    return relative(length(e.solution.stages[stage]["omega"] - expected), np.abs(expected).max()), e.constraint_links()


def corrector(e: Evidence, stage: str) -> Found:
    contact = e.solution.stages[stage]
    tips = [c.tip for c in e.system.contacts]
    gap = (contact["corrected_contact_force"] - contact["contact_force"])[tips]
    size = np.abs(contact["contact_force"]).max() + np.abs(contact["predicted_contact_force"]).max()
    return relative(length(gap), size), np.array([c.link for c in e.system.contacts])


def contacts_close(e: Evidence, stage: str) -> Found:
    acceleration = e.packed("smoother_final")
    moved = e.dense.constraint @ acceleration
    # At rest everything cancels: the effect of gravity and torques alone gives the scale.
    acting = np.abs(e.dense.bias)
    acting[: e.n] += np.abs(e.solution.tau)
    might = np.maximum(np.abs(acceleration), 1e-3 * np.abs(np.linalg.solve(e.dense.mass_matrix, acting)))
    size = np.abs(e.dense.constraint) @ might + np.abs(e.dense.constraint_bias)
    return relative(np.abs(moved + e.dense.constraint_bias), float(size.max())), e.constraint_links()


def object_balance(e: Evidence, stage: str) -> Found:
    payload = e.solution.object_acceleration
    assert payload is not None
    gap = e.dense.mass_matrix[-6:, -6:] @ payload + e.dense.bias[-6:]
    size = np.abs(gap).max() + np.abs(e.dense.bias[-6:]).max()
    for force in e.contacts_at_object():
        gap = gap - force
        size += np.abs(force).max()
    return relative(np.array([np.abs(gap).max()]), size), np.array([-1])


def correction(e: Evidence, stage: str) -> Found:
    pushed = e.contact_at_links()
    expected = e.carried_inward(pushed)
    found = e.solution.stages[stage]["force_correction"]
    return relative(length(found - expected), length(expected) + length(pushed).max(initial=0.0)), e.links


def estimates_difference(e: Evidence, stage: str) -> Found:
    inertia = e.solution.stages[stage]["operational_space_inertia"]
    covariance = e.solution.stages["smoother"]["costate_covariance"]
    # Scale each entry by a bound on its terms: rotations and translations have no common unit, and if symmetry makes
    # all terms of an entry vanish, only rounding is left.
    across, along = (np.sqrt(np.abs(np.diagonal(each, axis1=1, axis2=2))) for each in (inertia, covariance))
    most = (across * along).sum(axis=1)[:, None, None] * across[:, :, None] * along[:, None, :]
    return length(relative(inertia @ covariance - np.eye(6), most)), e.links


def both_filters(e: Evidence, stage: str) -> Found:
    found, other = e.solution.stages[stage]["acceleration"], e.solution.stages["smoother"]["acceleration"]
    return relative(length(found - other), length(other).max(initial=0.0)), e.links


def agreement(e: Evidence, stage: str) -> Found:
    try:
        expected, _ = solve_dense(e.dense, e.solution.tau)
    except (ModelError, SingularConfigurationError):
        return None
    gap = np.abs(e.packed(stage) - expected)
    # One row per link: the joint's entry, or the worst of six for a base; the object's row is last.
    bases = length(gap[e.n : e.n + 6 * e.system.n_bases].reshape(-1, 6))
    rows, links = np.concatenate([gap[: e.n], bases]), e.links
    if e.system.task_object is not None:
        rows, links = np.append(rows, gap[-6:].max()), np.append(links, -1)
    asked = np.abs(e.dense.bias)
    asked[: e.n] += np.abs(e.solution.tau) + e.carried
    largest = np.linalg.solve(e.dense.mass_matrix, asked) if len(gap) else gap
    return relative(rows, np.abs(expected).max(initial=0.0) + 1e-3 * np.abs(largest).max(initial=0.0)), links


def energy(e: Evidence, stage: str) -> Found:
    left, size = e.generalized(stage)
    if e.system.is_held:
        for force in e.contacts_at_object():
            left[-6:] -= force
            size[-6:] += np.abs(force)
    size[: e.n] += CANCELLED * e.carried
    # v' (M q'' + h) is the rate of kinetic and potential energy, v' tau the motors' power minus the losses.
    return relative(np.array([e.v @ left]), np.abs(e.v) @ size), np.array([-1])
