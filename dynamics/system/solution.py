"""A complete solution of forward dynamics: the accelerations, and every stage of every link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, nearest
from dynamics.errors import StateError
from dynamics.record import Record, frozen, in_a_line
from dynamics.system.joint_vectors import Order, by_joint
from dynamics.system.registry import REGISTRY
from dynamics.system.state import State
from dynamics.system.system import System

Stages = Mapping[str, Mapping[str, Array]]
OF_JOINTS = "joint_acceleration", "tau", "coupling_torque"


@dataclass(frozen=True, eq=False)
class Solution(Record):
    """The result of ``forward_dynamics``; everything in inertial axes and SI units.

    Attributes:
        method: that computed it.
        system: the solved system.
        state: its state.
        tau: (joints,) the applied torques, N m or N: the motors'; by ``filter_smoother`` and ``two_filter`` also
            those of couplings.
        joint_acceleration: (joints,), rad/s^2 or m/s^2.
        base_acceleration: (6,) of a free flyer's root link at its origin; (bases, 6) of several; else None.
        object_acceleration: (6,) at the mass centre, else None.
        contact_force: (tips, 6), one tip per arm unless it branches, on the object, at the contact,
            [moment; force], inertial axes; zero for a tip that does not hold; None without an object.
        indeterminate: (contacts, 6, d) the d internal forces that no motion reveals, orthonormal, one
            [moment; force] per contact. Of all contact forces that differ only along them, ``contact_force`` has the
            least sum of Omega_mm f_m^2, with f_m the force in the m-th transmitted direction and Omega_mm what a unit
            of it alone would move: this norm does not depend on units. Couplings may leave more open, between contact
            forces and ``coupling_torque``; there methods may share it otherwise.
        stages: stage name -> quantity name -> array, in the paper's order; only ``filter_smoother`` has any.
        link_pose: (links, 4, 4), world <- link.
        link_velocity: (links, 6) at O_k.
        bias_acceleration: (links, 6), a(k) of JR (2.2).
        bias_force: (links, 6), b(k) of R87 (7).
        tip_pose: (tips, 4, 4), world <- tip.
        kinetic_energy: J, of links, rotors and object.
        potential_energy: J, of links and object; zero at the origin.
        momentum: (6,) [angular about the world's origin; linear], links and object.
        coupling_torque: (joints,), the share of ``tau`` that keeps followers with their leaders and loops closed;
            it does no work. None without couplings, or by a dense method.
    """

    method: str
    system: System
    state: State
    tau: Array
    joint_acceleration: Array
    base_acceleration: Array | None
    object_acceleration: Array | None
    contact_force: Array | None
    indeterminate: Array | None
    stages: Stages
    link_pose: Array
    link_velocity: Array
    bias_acceleration: Array
    bias_force: Array
    tip_pose: Array
    kinetic_energy: float
    potential_energy: float
    momentum: Array
    coupling_torque: Array | None = None

    def __repr__(self) -> str:
        parts = [self.method, f"{self.system.n_joints} joints"]
        return in_a_line("Solution", parts + [f"stages {', '.join(self.stages)}"] * bool(self.stages))

    def by_joint(self, name: str, order: Order = "tip") -> dict[str, Any]:
        """A quantity by joint name, e.g. ``solution.by_joint("joint_acceleration")["elbow"]``.

        Args:
            name: ``joint_acceleration``, ``tau``, ``coupling_torque``, or a joint or link quantity of ``stages``;
                if several stages have it, the last smoother's, or say ``"smoother/acceleration"``.
            order: the end from which the names are listed, ``tip`` or ``base``.

        Returns:
            For each joint its number, or its row; for a link quantity, that of the joint's outboard link. Unit
            and axes are those of the array.

        Raises:
            StateError: for a quantity that joints do not have.

        Cost: linear in the joints.
        """
        if is_among(name, OF_JOINTS) and getattr(self, name) is not None:
            return by_joint(self.system, getattr(self, name), order)
        require_joints(name)
        return by_joint(self.system, quantity_in(self.stages, name), order)

    @property
    def packed_acceleration(self) -> Array:
        """Joints, then base, then object, in the order of ``System.pack``'s velocities."""
        parts = [self.joint_acceleration, self.base_acceleration, self.object_acceleration]
        return frozen(np.concatenate([part.ravel() for part in parts if part is not None]))


def quantity_key(name: str) -> tuple[str, str]:
    """The registry key of a name: ``"smoother/force"``, or ``"force"`` of the first stage that has it."""
    stage, _, plain = name.rpartition("/") if isinstance(name, str) else ("", "", "")
    for key in REGISTRY:
        if key[1] == plain and stage in ("", key[0]):
            return key
    known = dict.fromkeys(each for _, each in REGISTRY)
    raise StateError(f"there is no quantity {brief(name)}{nearest(plain, known)}; dynamics.registry lists them.")


def quantity_in(stages: Stages, name: str) -> Array:
    """The array of a quantity; if several stages have it the last smoother's, unless the name includes the stage."""
    stage, plain = quantity_key(name)
    for at in (stage,) if "/" in name else ("smoother_final", *stages):
        if plain in stages.get(at, ()):
            return stages[at][plain]
    raise StateError(f"{name} is not among the stages here; there are {choices(stages) or 'none'}.")


def require_joints(name: str) -> None:
    """Refuse a quantity whose rows are neither joints nor links."""
    shape = REGISTRY[quantity_key(name)].shape
    if not shape.startswith(("(joints", "(links")):
        raise StateError(f"{brief(name)} has shape {shape}: it has no row for each joint or link.")
