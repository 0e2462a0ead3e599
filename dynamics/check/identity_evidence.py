"""Reference quantities for the identities of a solution, computed without the recursions that they check.

The filter's results at each link come from mass matrices of the bodies outboard of it, R87 (29)-(32). Cut the machine
at O_k and consider the outboard part: P(k) is its inertia when its joints are free, z+(k) the force that holds its
inboard side still, nu(k) the acceleration of its innermost joint then.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
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
from dynamics.witness.kkt import Dense, LinkJacobians, dense_equations, jacobians, joint_motion


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
