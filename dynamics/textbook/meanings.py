"""The meaning of the text's given letters: posture, model, motors and contacts, in both vocabularies."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dynamics.system.registry import AT_CONTACT, AT_JOINT, AT_OBJECT, FORCE, INERTIA, JOINT, Quantity

AXES, BODY_SHIFT = "inertial axes", "1, m; 0, 1"
KNOWN = "known input"
OF_NOISE, OF_TRANSITION = "part of the process noise's covariance", "part of the transition"
OF_MEASUREMENT_NOISE = "part of the measurement noise's covariance"

GIVEN: Mapping[str, Quantity] = MappingProxyType(
    {
        "phi": Quantity(
            r"\phi(k,j)", "state transition", "carries a spatial force from O_j to O_k; transposed, accelerations back",
            BODY_SHIFT, "(6, 6)", AXES, "R87 (2)"),
        "H": Quantity(
            "H(k)", "measurement matrix", "joint axis: the part of a spatial force that the joint's motor feels", "1",
            "(joints, 6)", AT_JOINT, "R87 (20)"),
        "M": Quantity(
            "M(k)", "process noise covariance", "spatial inertia of link k", INERTIA, "(links, 6, 6)", AT_JOINT,
            "R87 (1)"),
        "J": Quantity(
            "J(k)", OF_NOISE, "moment of inertia of link k about O_k", "kg m^2", "(links, 3, 3)", AXES, "R87 (1)"),
        "m": Quantity("m(k)", OF_NOISE, "mass of link k", "kg", "(links,)", "", "R87 (1)"),
        "I_r": Quantity(
            "I_r(k)", "measurement noise covariance", "rotor inertia of the motor, seen at the joint",
            "kg m^2 or kg", "(joints,)", JOINT, "after R87 (57)"),
        "tau": Quantity(
            r"\tau(k)", "measurement, here replaced by an input", "torque or force of the motor", "N m or N",
            "(joints,)", JOINT, "R87 (20)"),
        "tau_loss": Quantity(
            r"\tau_{loss}(k)", KNOWN, "torque or force lost to friction and damping", "N m or N", "(joints,)",
            JOINT, ""),
        "omega": Quantity(r"\omega(k)", KNOWN, "angular velocity of link k", "rad/s", "(links, 3)", AXES, "R87 (11)"),
        "W": Quantity(
            r"\tilde\omega(k)", KNOWN, "cross product with the angular velocity of link k", "rad/s", "(links, 3, 3)",
            AXES, "R87 (7)"),
        "W_plus": Quantity(
            r"\tilde\omega^+(k)", KNOWN, "cross product with the angular velocity of the inboard link", "rad/s",
            "(links, 3, 3)", AXES, "JR (2.2)"),
        "turn": Quantity(
            r"(h\dot\theta)_{turn}(k)", KNOWN, "rate at which the joint turns, along its axis", "rad/s", "(links, 3)",
            AXES, "JR (2.2)"),
        "slide": Quantity(
            r"(h\dot\theta)_{slide}(k)", KNOWN, "rate at which the joint slides, along its axis", "m/s", "(links, 3)",
            AXES, "after JR (2.2)"),
        "l": Quantity("l(k)", OF_TRANSITION, "lever from the inboard joint to O_k", "m", "(links, 3)", AXES,
                      "R87 (2)"),
        "p": Quantity("p(k)", OF_NOISE, "lever from O_k to the mass centre of link k", "m", "(links, 3)", AXES,
                      "R87 (1)"),
        "g": Quantity("g", KNOWN, "acceleration of gravity", "m/s^2", "(3,)", AXES, "R87 (7)"),
        "f": Quantity(
            r"f_{ext}(k)", KNOWN, "external force on link k besides its weight", FORCE, "(links, 6)", AT_JOINT,
            "R87 (7)"),
        "m_C": Quantity("m(C)", OF_MEASUREMENT_NOISE, "mass of the object", "kg", "(1,)", "", "R88 (4.4)"),
        "J_C": Quantity(
            "J(C)", OF_MEASUREMENT_NOISE, "moment of inertia of the object about its mass centre", "kg m^2", "(3, 3)",
            AXES, "R88 (4.4)"),
        "M_C": Quantity(
            "M(C)", "covariance of the measurement's noise in (9.1)", "spatial inertia of the object", INERTIA,
            "(6, 6)", AT_OBJECT, "R88 (4.4)"),
        "omega_C": Quantity(r"\omega(C)", KNOWN, "angular velocity of the object", "rad/s", "(3,)", AXES, "R88 (4.3)"),
        "W_C": Quantity(
            r"\tilde\omega(C)", KNOWN, "cross product with the angular velocity of the object", "rad/s", "(3, 3)", AXES,
            "R88 (4.3)"),
        "f_C": Quantity(
            r"f_{ext}(C)", KNOWN, "external force on the object besides its weight", FORCE, "(6,)", AT_OBJECT,
            "R88 (4.4)"),
        "phi_0": Quantity(
            r"\phi(k,0)", "state transition at the tip", "carries a contact force from the contact to its link's joint",
            BODY_SHIFT, "(contacts, 6, 6)", AXES, "R88 (8.4)"),
        "l_0": Quantity(
            "l(k,0)", OF_TRANSITION, "lever from the link's joint to the contact", "m", "(contacts, 3)", AXES,
            "R87 (2)"),
        "r": Quantity(
            "r", "part of the measurement matrix", "lever from the object's mass centre to the contact", "m",
            "(contacts, 3)", AXES, "R88 (4.5)"),
        "dw": Quantity(
            r"\Delta\omega", KNOWN, "angular velocity with which a tip slips on the object", "rad/s", "(contacts, 3)",
            AT_CONTACT, "R88 (4.3)"),
        "dv": Quantity(
            r"\Delta v", KNOWN, "velocity with which a tip slips on the object", "m/s", "(contacts, 3)", AT_CONTACT,
            "R88 (4.3)"),
        "C": Quantity(
            "C", "selection of what is observed", "directions in which the contacts transmit force", "1",
            "(directions, 6 contacts)",
            "rows along contact axes, components in inertial axes", "R88 (8.3)"),
        "A": Quantity(
            "A", "measurement matrix in (9.1)", "grasp map: contact forces to the net force on the object",
            BODY_SHIFT, "(6, 6 contacts)", AXES, "R88 (4.5)"),
        "psi": Quantity(
            r"\psi(k,0)", "transition of the filter", "carries a contact force inward past free joints", "1, m; 1/m, 1",
            "(links, contacts, 6, 6)", AXES, "R88 (8.1)"),
        "I": Quantity("1", "identity", "identity", "1", "(6, 6)", "", ""),
        "O": Quantity("0", "zero", "zero", "", "(6, 6)", "", ""),
        "Z": Quantity("0", "zero", "zero", "", "(6,)", "", ""),
        "o": Quantity("0", "zero", "zero", "", "(3,)", "", ""),
    }
)  # fmt: skip
"""Computed letters are described in the registry: ``Symbol.quantity`` is their name there."""
