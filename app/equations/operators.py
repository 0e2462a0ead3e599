"""The operators that a solution was computed with: H, phi, M, A, C of one posture, as plain matrices."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.state import walk
from dynamics.recursion.filter_smoother import motion_state
from dynamics.recursion.inward_filter import measured_torque
from dynamics.system.columns import named
from dynamics.system.plain_kinematics import shift
from dynamics.system.tables import make_work

Array = NDArray[np.float64]


class Operators:
    """Built once for a solution; each operator is formed when it is asked for. Inertial axes, at O_k."""

    def __init__(self, solution: dyn.Solution) -> None:
        self.solution = solution
        self.system = solution.system
        self._x, self._v = self.system.pack(solution.state)
        self._work = make_work(self.system.tables)
        motion_state(self.system.tables, self._x, self._v, self._work)

    def axis(self, k: int) -> Array:
        """H(k), (6,)."""
        h = np.zeros(6)
        at = 0 if self.system.joint_models[k].kind == "revolute" else 3
        h[at : at + 3] = named(self._work.links[k], "joint_axis")
        return h

    def shift(self, k: int) -> Array:
        """phi(k+1, k), from link k to its inboard neighbor."""
        return shift(named(self._work.links[k], "lever"))

    def shift_back(self, k: int) -> Array:
        """phi(k, k+1), from the inboard neighbor to link k."""
        return shift(-named(self._work.links[k], "lever"))

    def own_inertia(self, k: int) -> Array:
        """M(k): with it the filter starts at every link."""
        return named(self._work.links[k], "articulated_inertia")

    def measured_torque(self, k: int) -> float:
        """The motor's torque less the joint's own damping and friction."""
        # For one number the source itself: called from here, the compiler would translate it once more.
        plain = getattr(measured_torque, "py_func", measured_torque)
        return float(plain(self.system.tables.model, k, self._v[k], self.solution.tau[k]))

    def rotor_inertia(self, k: int) -> float:
        return self.system.joint_models[k].rotor_inertia

    def outboard(self, k: int) -> tuple[int, ...]:
        """The links that hang on link k: one in a chain, none at a tip."""
        return tuple(int(j) for j in np.flatnonzero(self.system.inboard == k))

    def inboard(self, k: int) -> int:
        """The inboard neighbor, -1 for the world."""
        return int(self.system.inboard[k])

    def contact_shift(self, contact: int) -> Array:
        """phi(1, 0), from the contact point to its link's O_1."""
        return shift(named(self._work.contacts[contact], "tip_lever"))

    def contact_lever(self, contact: int) -> Array:
        """l(1, 0), (3,), from O_1 to the contact point."""
        return named(self._work.contacts[contact], "tip_lever")

    def on_object(self, contact: int) -> Array:
        """A_i = phi(C, 0_i), from the contact point to the object's mass centre."""
        return shift(named(self._work.contacts[contact], "object_lever"))

    @functools.cached_property
    def owner(self) -> NDArray[np.int64]:
        """(l,), the contact that each transmitted direction belongs to."""
        sizes = [len(contact.selection) for contact in self.system.contacts]
        return np.repeat(np.arange(len(sizes)), sizes)

    @property
    def directions(self) -> Array:
        """C, (l, 6): the transmitted directions of all contacts."""
        return named(self._work.directions, "direction")

    def object_inertia(self) -> Array:
        """M(C), (6, 6), at the object's mass centre."""
        task_object, pose = self.system.task_object, self.solution.state.object_pose
        assert task_object is not None
        assert pose is not None
        inertia = np.zeros((6, 6))
        inertia[:3, :3] = pose[:3, :3] @ task_object.inertia @ pose[:3, :3].T
        inertia[3:, 3:] = task_object.mass * np.eye(3)
        return inertia

    def number(self, k: int) -> int:
        """How the papers call link k: 1 is its arm's tip; what a base hangs on comes after the base."""
        if k < 0:
            raise ValueError("the world has no number of its own")
        return walk.number(self.system, k)

    def number_inboard(self, k: int) -> int:
        """The number of link k's inboard neighbor; the world's is one more than its link's."""
        inner = self.inboard(k)
        return self.number(inner) if inner >= 0 else self.number(k) + 1
