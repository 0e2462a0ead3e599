"""How the letters of the text are typeset, their sizes, and their meaning: given here, or by the registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dynamics.system.registry import AT_CONTACT, AT_JOINT, AT_OBJECT, FORCE, INERTIA, JOINT, Quantity

Size = int | str
Shape = tuple[Size, Size]
SQUARE, COLUMN, ROW, NUMBER, CROSS, POINT = (6, 6), (6, 1), (1, 6), (1, 1), (3, 3), (3, 1)
FORCES, DIRECTIONS = "6 contacts", "directions"
AXES, BODY_SHIFT = "inertial axes", "1, m; 0, 1"
KNOWN = "known input"
OF_NOISE, OF_TRANSITION = "part of the process noise's covariance", "part of the transition"
OF_MEASUREMENT_NOISE = "part of the measurement noise's covariance"


@dataclass(frozen=True)
class Symbol:
    """One letter.

    ``at`` says how its index is written: ``link`` in brackets, ``tip`` as the contact's number below and (0),
    ``contact`` as the number below alone; anything else is put in brackets as it is.
    """

    latex: str  # its stem
    shape: Shape  # rows and columns; in words if they depend on the contacts
    quantity: str = ""  # the registry's name of its quantity, in the stage that computes it; empty for a given letter
    mark: str = ""  # above the stem
    below: str = ""
    at: str = "link"


@dataclass(frozen=True)
class Meaning:
    """A letter that the registry does not describe: its typesetting, and its meaning in both vocabularies."""

    symbol: Symbol  # in a formulation, its ``quantity`` is the key of the letter, its own name
    quantity: Quantity


GIVEN: Mapping[str, Meaning] = MappingProxyType(
    {
        "phi": Meaning(Symbol(r"\phi", SQUARE), Quantity(r"\phi(k,j)", "state transition",
            "carries a spatial force from O_j to O_k; transposed, accelerations back", BODY_SHIFT, "(6, 6)", AXES,
            "R87 (2)")),
        "H": Meaning(Symbol("H", ROW), Quantity("H(k)", "measurement matrix",
            "joint axis: the part of a spatial force that the joint's motor feels", "1", "(joints, 6)", AT_JOINT,
            "R87 (20)")),
        "M": Meaning(Symbol("M", SQUARE), Quantity("M(k)", "process noise covariance", "spatial inertia of link k",
            INERTIA, "(links, 6, 6)", AT_JOINT, "R87 (1)")),
        "J": Meaning(Symbol("J", CROSS), Quantity("J(k)", OF_NOISE, "moment of inertia of link k about O_k", "kg m^2",
            "(links, 3, 3)", AXES, "R87 (1)")),
        "m": Meaning(Symbol("m", NUMBER),
            Quantity("m(k)", OF_NOISE, "mass of link k", "kg", "(links,)", "", "R87 (1)")),
        "I_r": Meaning(Symbol("I", NUMBER, below="r"), Quantity("I_r(k)", "measurement noise covariance",
            "rotor inertia of the motor, seen at the joint", "kg m^2 or kg", "(joints,)", JOINT, "after R87 (57)")),
        "tau": Meaning(Symbol(r"\tau", NUMBER), Quantity(r"\tau(k)", "measurement, here replaced by an input",
            "torque or force of the motor", "N m or N", "(joints,)", JOINT, "R87 (20)")),
        "tau_loss": Meaning(Symbol(r"\tau", NUMBER, below=r"\mathrm{loss}"), Quantity(r"\tau_{loss}(k)", KNOWN,
            "torque or force lost to friction and damping", "N m or N", "(joints,)", JOINT, "")),
        "omega": Meaning(Symbol(r"\omega", POINT), Quantity(r"\omega(k)", KNOWN, "angular velocity of link k", "rad/s",
            "(links, 3)", AXES, "R87 (11)")),
        "W": Meaning(Symbol(r"\tilde\omega", CROSS), Quantity(r"\tilde\omega(k)", KNOWN,
            "cross product with the angular velocity of link k", "rad/s", "(links, 3, 3)", AXES, "R87 (7)")),
        "W_plus": Meaning(Symbol(r"\tilde\omega", CROSS, mark="+"), Quantity(r"\tilde\omega^+(k)", KNOWN,
            "cross product with the angular velocity of the inboard link", "rad/s", "(links, 3, 3)", AXES, "JR (2.2)")),
        "turn": Meaning(Symbol(r"(h\dot\theta)", POINT, below=r"\mathrm{turn}"), Quantity(r"(h\dot\theta)_{turn}(k)",
            KNOWN, "rate at which the joint turns, along its axis", "rad/s", "(links, 3)", AXES, "JR (2.2)")),
        "slide": Meaning(Symbol(r"(h\dot\theta)", POINT, below=r"\mathrm{slide}"), Quantity(r"(h\dot\theta)_{slide}(k)",
            KNOWN, "rate at which the joint slides, along its axis", "m/s", "(links, 3)", AXES, "after JR (2.2)")),
        "l": Meaning(Symbol("l", POINT), Quantity("l(k)", OF_TRANSITION, "lever from the inboard joint to O_k", "m",
            "(links, 3)", AXES, "R87 (2)")),
        "p": Meaning(Symbol("p", POINT), Quantity("p(k)", OF_NOISE, "lever from O_k to the mass centre of link k", "m",
            "(links, 3)", AXES, "R87 (1)")),
        "g": Meaning(Symbol("g", POINT, at=""), Quantity("g", KNOWN, "acceleration of gravity", "m/s^2", "(3,)", AXES,
            "R87 (7)")),
        "f": Meaning(Symbol("f", COLUMN, below=r"\mathrm{ext}"), Quantity(r"f_{ext}(k)", KNOWN,
            "external force on link k besides its weight", FORCE, "(links, 6)", AT_JOINT, "R87 (7)")),
        "m_C": Meaning(Symbol("m", NUMBER, at="C"), Quantity("m(C)", OF_MEASUREMENT_NOISE, "mass of the object", "kg",
            "(1,)", "", "R88 (4.4)")),
        "J_C": Meaning(Symbol("J", CROSS, at="C"), Quantity("J(C)", OF_MEASUREMENT_NOISE,
            "moment of inertia of the object about its mass centre", "kg m^2", "(3, 3)", AXES, "R88 (4.4)")),
        "M_C": Meaning(Symbol("M", SQUARE, at="C"), Quantity("M(C)", "covariance of the measurement's noise in (9.1)",
            "spatial inertia of the object", INERTIA, "(6, 6)", AT_OBJECT, "R88 (4.4)")),
        "omega_C": Meaning(Symbol(r"\omega", POINT, at="C"), Quantity(r"\omega(C)", KNOWN,
            "angular velocity of the object", "rad/s", "(3,)", AXES, "R88 (4.3)")),
        "W_C": Meaning(Symbol(r"\tilde\omega", CROSS, at="C"), Quantity(r"\tilde\omega(C)", KNOWN,
            "cross product with the angular velocity of the object", "rad/s", "(3, 3)", AXES, "R88 (4.3)")),
        "f_C": Meaning(Symbol("f", COLUMN, below=r"\mathrm{ext}", at="C"), Quantity(r"f_{ext}(C)", KNOWN,
            "external force on the object besides its weight", FORCE, "(6,)", AT_OBJECT, "R88 (4.4)")),
        "phi_0": Meaning(Symbol(r"\phi", SQUARE, at="tip"), Quantity(r"\phi(k,0)", "state transition at the tip",
            "carries a contact force from the contact to its link's joint", BODY_SHIFT, "(contacts, 6, 6)", AXES,
            "R88 (8.4)")),
        "l_0": Meaning(Symbol("l", POINT, at="tip"), Quantity("l(k,0)", OF_TRANSITION,
            "lever from the link's joint to the contact", "m", "(contacts, 3)", AXES, "R87 (2)")),
        "r": Meaning(Symbol("r", POINT, at="contact"), Quantity("r", "part of the measurement matrix",
            "lever from the object's mass centre to the contact", "m", "(contacts, 3)", AXES, "R88 (4.5)")),
        "dw": Meaning(Symbol(r"\Delta\omega", POINT, at="contact"), Quantity(r"\Delta\omega", KNOWN,
            "angular velocity with which a tip slips on the object", "rad/s", "(contacts, 3)", AT_CONTACT,
            "R88 (4.3)")),
        "dv": Meaning(Symbol(r"\Delta v", POINT, at="contact"), Quantity(r"\Delta v", KNOWN,
            "velocity with which a tip slips on the object", "m/s", "(contacts, 3)", AT_CONTACT, "R88 (4.3)")),
        "C": Meaning(Symbol("C", (DIRECTIONS, FORCES), at=""), Quantity("C", "selection of what is observed",
            "directions in which the contacts transmit force", "1", "(directions, 6 contacts)",
            "rows along contact axes, components in inertial axes", "R88 (8.3)")),
        "A": Meaning(Symbol("A", (6, FORCES), at=""), Quantity("A", "measurement matrix in (9.1)",
            "grasp map: contact forces to the net force on the object", BODY_SHIFT, "(6, 6 contacts)", AXES,
            "R88 (4.5)")),
        "I": Meaning(Symbol("1", SQUARE, at=""), Quantity("1", "identity", "identity", "1", "(6, 6)", "", "")),
        "O": Meaning(Symbol("0", SQUARE, at=""), Quantity("0", "zero", "zero", "", "(6, 6)", "", "")),
        "Z": Meaning(Symbol("0", COLUMN, at=""), Quantity("0", "zero", "zero", "", "(6,)", "", "")),
        "o": Meaning(Symbol("0", POINT, at=""), Quantity("0", "zero", "zero", "", "(3,)", "", "")),
        "psi": Meaning(Symbol(r"\psi", SQUARE), Quantity(r"\psi(k,0)", "transition of the filter",
            "carries a contact force inward past free joints", "1, m; 1/m, 1", "(links, contacts, 6, 6)", AXES,
            "R88 (8.1)")),
    }
)  # fmt: skip
"""Letters that no stage computes: posture, model, motors, contacts, constants, and psi, which is a function."""

SYMBOLS: Mapping[str, Symbol] = MappingProxyType(
    {
        **{name: meaning.symbol for name, meaning in GIVEN.items() if name != "psi"},
        # Bias and inward filter.
        "a": Symbol("a", COLUMN, "bias_acceleration"),
        "w": Symbol("f", COLUMN, "weight", below="g"),
        "b": Symbol("b", COLUMN, "bias_force"),
        "P": Symbol("P", SQUARE, "articulated_inertia"),
        "P_plus": Symbol("P", SQUARE, "articulated_inertia_updated", "+"),
        "D": Symbol("D", NUMBER, "joint_inertia"),
        "G": Symbol("G", COLUMN, "kalman_gain"),
        "z": Symbol("z", COLUMN, "predicted_force"),
        "z_plus": Symbol("z", COLUMN, "corrected_force", "+"),
        "eps": Symbol(r"\epsilon", NUMBER, "innovation"),
        "nu": Symbol(r"\nu", NUMBER, "residual"),
        "tau_bar": Symbol(r"\bar\tau", SQUARE, "reduction"),
        "z_minus": Symbol("z", COLUMN, "predicted_force_as_printed", "-"),
        "z_R": Symbol("z", COLUMN, "corrected_force_as_printed", "+", "R"),
        "e_minus": Symbol("e", NUMBER, "innovation_as_printed", "-"),
        "e_plus": Symbol("e", NUMBER, "residual_as_printed", "+"),
        # Outward smoother.
        "alpha": Symbol(r"\alpha", COLUMN, "acceleration"),
        "alpha_plus": Symbol(r"\alpha", COLUMN, "acceleration_inboard", "+"),
        "theta_dd": Symbol(r"\ddot\theta", NUMBER, "joint_acceleration"),
        "x": Symbol("x", COLUMN, "force"),
        "Lam": Symbol(r"\Lambda", SQUARE, "costate_covariance"),
        "Lam_plus": Symbol(r"\Lambda", SQUARE, "costate_covariance_inboard", "+"),
        # Contact stage.
        "w_C": Symbol("f", COLUMN, "object_weight", below="g", at="C"),
        "b_C": Symbol("b", COLUMN, "measured_object_force", at="C"),
        "alpha_b": Symbol(r"\alpha", COLUMN, "free_object_acceleration", below="b", at=""),
        "a_0": Symbol("a", COLUMN, "tip_bias_acceleration", at="tip"),
        "lam_FREE": Symbol(r"\lambda", COLUMN, "free_tip_acceleration", below="FREE", at="tip"),
        "eta": Symbol(r"\eta", COLUMN, "contact_bias_acceleration", at="contact"),
        "lam_bar": Symbol(r"\bar\lambda", COLUMN, "relative_tip_acceleration", at="contact"),
        "Lam_0": Symbol(r"\Lambda", SQUARE, "tip_costate_covariance", at="tip"),
        "psi": GIVEN["psi"].symbol,
        "Omega": Symbol(r"\Omega", (DIRECTIONS, DIRECTIONS), "omega", at=""),
        "F": Symbol("f", (DIRECTIONS, 1), "transmitted_force", at=""),
        "x_0": Symbol("x", (FORCES, 1), "contact_force", at="tip"),
        "alpha_C": Symbol(r"\alpha", COLUMN, "object_acceleration", at="C"),
        "N": Symbol("N", (FORCES, "indeterminate"), "indeterminate_directions", at=""),
        "x_tip": Symbol(r"\mathcal{P}\lambda", (FORCES, 1), "free_tip_force", below="FREE", at="0"),
        "x_FREE": Symbol("x", (FORCES, 1), "predicted_contact_force", below="FREE", at=""),
        "y": Symbol("y", COLUMN, "predicted_object_force", at=""),
        "gain": Symbol(r"\mathcal{G}", (FORCES, 6), "contact_kalman_gain", at=""),
        "rho": Symbol(r"\rho", (FORCES, 1), "unanswered_contact_force", at=""),
        "x_new": Symbol("x", (FORCES, 1), "corrected_contact_force", at="0"),
        "alpha_new": Symbol(r"\alpha", COLUMN, "corrected_object_acceleration", at="C"),
        # Correction of the filter, for the last smoother.
        "q": Symbol("q", COLUMN, "contact_force_at_link"),
        "dz": Symbol(r"\delta z", COLUMN, "force_correction"),
        "z_new": Symbol("z", COLUMN, "predicted_force_with_contact", r"\prime"),
        "eps_new": Symbol(r"\epsilon", NUMBER, "modified_innovation", r"\prime"),
        "nu_new": Symbol(r"\nu", NUMBER, "modified_residual", r"\prime"),
        # Dual filter, and both together.
        "R": Symbol("P", SQUARE, "inertia_of_other_branches", below=r"\mathrm{oth}"),
        "S": Symbol("S", SQUARE, "dual_articulated_inertia"),
        "S_plus": Symbol("S", SQUARE, "dual_articulated_inertia_predicted", "+"),
        "D_s": Symbol("D", NUMBER, "dual_joint_inertia", below="s"),
        "G_s": Symbol("G", COLUMN, "dual_kalman_gain", below="s"),
        "q_s": Symbol("q", COLUMN, "force_of_other_branches", below="s"),
        "z_s": Symbol("z", COLUMN, "dual_corrected_force", below="s"),
        "z_s_plus": Symbol("z", COLUMN, "dual_predicted_force", "+", "s"),
        "eps_s": Symbol(r"\epsilon", NUMBER, "dual_innovation", below="s"),
        "nu_s": Symbol(r"\nu", NUMBER, "dual_residual", below="s"),
        "Y": Symbol(r"\Lambda", SQUARE, "operational_space_inertia", "-1"),
        "alpha_k": Symbol(r"\alpha", COLUMN, "acceleration"),
        "theta_dd_k": Symbol(r"\ddot\theta", NUMBER, "joint_acceleration"),
    }
)
CONSTANTS = ("I", "O", "Z", "o")
"""Letters that no break affects: one and zero."""
