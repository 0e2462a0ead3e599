"""A complete answer of forward dynamics: the accelerations, and every stage of every link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dynamics.checks import Array
from dynamics.record import Record, frozen, in_a_line
from dynamics.system.state import State
from dynamics.system.system import System

Stages = Mapping[str, Mapping[str, Array]]


@dataclass(frozen=True, eq=False)
class Solution(Record):
    """What ``forward_dynamics`` returns; all in inertial axes and SI units.

    Attributes:
        method: that found it.
        system: that was solved.
        state: in which.
        tau: (joints,) the torques, N m or N, under which: the motors', and where joints follow others what holds them
            to these.
        joint_acceleration: (joints,), rad/s^2 or m/s^2.
        base_acceleration: (6,) of a free flyer's root link at its origin; (bases, 6) of several; else None.
        object_acceleration: (6,) at the mass centre, else None.
        contact_force: (tips, 6), an arm having one tip unless it branches, on the object, at the contact,
            [moment; force], inertial axes; zero for a tip that does not hold; None without an object.
        indeterminate: (contacts, 6, d) the d internal forces that no motion reveals, orthonormal, one
            [moment; force] a contact. Of all ``contact_force`` that differ along them it is the one whose sum of
            Omega_mm f_m^2 is least, f_m the force in the m-th transmitted direction and Omega_mm what it would move
            alone: the norm hangs on no unit.
        stages: stage name -> quantity name -> array, in the paper's order; only ``filter_smoother`` has any.
        link_pose: (links, 4, 4), world <- link.
        link_velocity: (links, 6) at O_k.
        bias_acceleration: (links, 6), a(k) of JR (2.2).
        bias_force: (links, 6), b(k) of R87 (7).
        tip_pose: (tips, 4, 4), world <- tip.
        kinetic_energy: J, of links, rotors and object.
        potential_energy: J, of links and object; zero at the origin.
        momentum: (6,) [angular about the world's origin; linear], links and object.
        coupling_torque: (joints,), the share of ``tau`` that holds joints to those that they follow, and loops closed;
            it does no work. None where neither is.
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

    @property
    def packed_acceleration(self) -> Array:
        """Joints, then base, then object, as ``System.pack`` orders velocities."""
        parts = [self.joint_acceleration, self.base_acceleration, self.object_acceleration]
        return frozen(np.concatenate([part.ravel() for part in parts if part is not None]))
