"""The filter's results at each link, from mass matrices of the bodies outboard of it, without recursion.

Cut the machine at O_k and consider the outboard part: P(k) is its inertia when its joints are free, z+(k) the
force that holds its inboard side still, nu(k) the acceleration of its innermost joint then.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dynamics.checks import Array
from dynamics.system.plain_kinematics import Kinematics, joint_rows, shift, spatial_inertias
from dynamics.system.system import System


class OutboardBodies:
    """The bodies outboard of each link, by the composite-body mass matrix R87 (29)-(32).

    Args:
        motion: the kinematics of the state.
        a, b: bias accelerations and forces, (links, 6).
        torque: (joints,), motor torques minus the joints' losses.

    Cost: cubic in the joints for each link.
    """

    def __init__(self, system: System, motion: Kinematics, a: Array, b: Array, torque: Array) -> None:
        self._system, self._a, self._b, self._torque = system, a, b, torque
        self._n = system.n_joints
        self._inertia = spatial_inertias(system, motion.pose, motion.mass_lever)
        self._rows, self._shift = joint_rows(system, motion.axis), shift(motion.lever)
        paths = [system.path_inward(k) for k in range(system.n_links)]
        # For each link: itself and all links outboard of it.
        self._outboard = [[k for k, path in enumerate(paths) if link in path] for link in range(system.n_links)]

    @cached_property
    def _composite(self) -> Array:
        composite = self._inertia.copy()
        for k, inner in enumerate(self._system.inboard):
            if inner >= 0:
                composite[inner] += self._shift[k] @ composite[k] @ self._shift[k].T  # R87 (29)
        return composite

    @cached_property
    def _force(self) -> Array:
        """(links, joints, 6): phi(k, i) r(i) H'(i), the force at O_k for a unit acceleration of joint i."""
        force = np.zeros((self._system.n_links, self._n, 6))
        for i in range(self._n):
            carried = self._composite[i] @ self._rows[i]
            for k in self._system.path_inward(i):
                force[k, i] = carried
                carried = self._shift[k] @ carried
        return force

    @cached_property
    def _mass(self) -> Array:
        """(joints, joints), R87 (31), on and above the diagonal since links are numbered inward; rotors included."""
        half = np.einsum("ki,kji->kj", self._rows, self._force[: self._n])
        rotor = np.diag([joint.rotor_inertia for joint in self._system.joint_models])
        return half + np.tril(half, -1).T + rotor if self._n else half

    @cached_property
    def articulated_inertia(self) -> Array:
        """P(k) = r(k) - F M^-1 F' over the joints outboard of k, (links, 6, 6)."""
        found = self._composite.copy()
        for k, bodies in enumerate(self._outboard):
            joints = [i for i in bodies if i != k]
            if joints:
                f = self._force[k, joints].T
                found[k] -= f @ np.linalg.solve(self._mass[np.ix_(joints, joints)], f.T)
        return found

    def _held(self, k: int, joints: list[int]) -> tuple[Array, Array]:
        """Accelerations of the free ``joints`` outboard of link k, and x at O_k, if joint k's inboard side is still."""
        bodies = self._outboard[k]
        alpha, total = self._a.copy(), np.zeros((self._system.n_links, 6))
        for i in reversed(bodies):
            if i != k:
                alpha[i] += self._shift[i].T @ alpha[self._system.inboard[i]]
        for i in bodies:
            total[i] += self._inertia[i] @ alpha[i] + self._b[i]
            if i != k:
                total[self._system.inboard[i]] += self._shift[i] @ total[i]
        open_torque = self._torque[joints] - np.einsum("ki,ki->k", self._rows[joints], total[joints])
        acceleration = np.linalg.solve(self._mass[np.ix_(joints, joints)], open_torque)
        return acceleration, np.asarray(total[k] + acceleration @ self._force[k, joints])

    @cached_property
    def predicted_force(self) -> Array:
        """z(k), (links, 6): joint k is locked and its inboard side still, all joints outboard of it are free."""
        held = [self._held(k, [i for i in bodies if i != k])[1] for k, bodies in enumerate(self._outboard)]
        return np.array(held)

    @cached_property
    def locked_inboard(self) -> tuple[Array, Array]:
        """nu(k), (joints,), and z+(k), (joints, 6): joint k and outboard free, no acceleration of the body inboard."""
        residual, force = np.zeros(self._n), np.zeros((self._n, 6))
        for k in range(self._n):
            joints = self._outboard[k]
            acceleration, force[k] = self._held(k, joints)
            residual[k] = acceleration[joints.index(k)]
        return residual, force

    def carried_inward(self, at_link: Array) -> Array:
        """dz(k), (links, 6): the change of z(k) due to forces (links, 6) at O_k of the links."""
        rigid = at_link.copy()
        for k, inner in enumerate(self._system.inboard):
            if inner >= 0:
                rigid[inner] += self._shift[k] @ rigid[k]
        seen = np.einsum("ki,ki->k", self._rows, rigid[: self._n])
        found = rigid.copy()
        for k, bodies in enumerate(self._outboard):
            joints = [i for i in bodies if i != k]
            if joints:
                given_way = np.linalg.solve(self._mass[np.ix_(joints, joints)], seen[joints])
                found[k] -= given_way @ self._force[k, joints]
        return found
