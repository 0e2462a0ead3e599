"""The formulations by name, in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Method(NamedTuple):
    """A formulation: its name, what it does, and what it needs of a machine."""

    title: str
    about: str
    needs: str


BOLTED = "arms that are bolted down and hold nothing"
HOLDING = "arms that hold an object, with no joint that follows another"
METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "newton_euler": Method(
            "Newton–Euler",
            "Inverse dynamics with vectors of three numbers: motions go from the base to the tips, forces and moments "
            "come back, and each motor supplies the part along its joint. TML Section 3.", BOLTED),
        "newton_euler_modified": Method(
            "Newton–Euler, modified",
            "The same, but one matrix A for each link gives the accelerations of all its points, so that no mass "
            "centre's acceleration is needed. On six links it saves a sixth of the operations. TML Section 5.", BOLTED),
        "lagrange": Method(
            "Lagrange by T-matrices",
            "Nothing is passed from link to link: each transform is differentiated with respect to every joint on its "
            "way, once and twice, and a torque is a sum of traces. Its steps grow with the cube of the links. TML "
            "Section 2.", BOLTED),
        "strobing": Method(
            "Strobing, column by column",
            "Inverse dynamics runs n times, each time with unit acceleration of one joint, at rest and without weight: "
            "its torques are a column of the mass matrix. Run once more, with no acceleration, it gives the rest; one "
            "dense solve gives the accelerations. TML Section 7.",
            BOLTED),
        "composite_bodies": Method(
            "Composite bodies",
            "Weld all that is outboard of a joint into one rigid body: its inertia gives a column of the mass matrix. "
            "Read as estimation, it is the covariance of a state that nobody measures. R87 Section VII.", BOLTED),
        "appel": Method(
            "Appel: W, V and S",
            "The energy of accelerations S is quadratic in the joints' accelerations. W and V are summed over "
            "the links; the motion is where S − Qθ̈ is least, with Q the forces of motors, weight and pushes, "
            "less losses. JZ Section 2.",
            BOLTED),
        "constrained": Method(
            "KKT: Lagrange multipliers",
            "Jacobians, one dense mass matrix, and a multiplier for each direction that a contact transmits. No "
            "recursion of forces at all; it serves every machine. JZ Section 4.", "every machine"),
        "inverse_dynamics": Method(
            "Inverse dynamics, R87 VII",
            "Wanted accelerations go outward, the forces that they need come inward, and each motor supplies the part "
            "along its joint: the two-point problem with nothing to estimate.", BOLTED),
        "group_inverse": Method(
            "Inverse dynamics of the group",
            "The held object is to have a given acceleration: the arms follow it, the contacts share its load with the "
            "smallest forces, and the motors do both. JZ (40)–(42).", HOLDING),
    }
)  # fmt: skip
