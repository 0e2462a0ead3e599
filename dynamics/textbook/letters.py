"""How the letters of each formulation are typeset, and what they mean; all others are the textbook's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dynamics.system.registry import (
    ACCELERATION,
    AT_CONTACT,
    AT_JOINT,
    AT_OBJECT,
    FORCE,
    INERTIA,
    JOINT,
    PASSED_ON,
    REGISTRY,
    Quantity,
)
from dynamics.textbook.symbols import AXES, COLUMN, GIVEN, SYMBOLS, Meaning, Symbol

LINK, V = "link axes", "along the joints"
RATE, TORQUE, TURNED = "rad/s^2 or m/s^2", "N m or N", "rad/s^2"
MASS = "kg m^2, kg m or kg, by the joints"


def _letter(latex: str, words: str, unit: str, frame: str = AXES, *, below: str = "", mark: str = "", at: str = "link",
            estimated: str = "") -> Meaning:  # fmt: skip
    return Meaning(
        Symbol(latex, COLUMN, latex, mark, below, at), Quantity(latex, estimated, words, unit, "", frame, "")
    )


_ARM = {
    "h": _letter("h", "the joint's axis where it turns, else zero", "1"),
    "d": _letter("d", "the joint's axis where it slides, else zero", "1"),
    "theta_d": _letter(r"\dot\theta", "rate of the joint", "rad/s or m/s", JOINT),
    "theta_dd": _letter(r"\ddot\theta", "acceleration of the joint", RATE, JOINT),
    "I_c": _letter("I", "moment of inertia of link k about its mass centre", "kg m^2", below="c"),
    "tau": _letter(r"\tau", "torque or force of the motor", TORQUE, JOINT),
    "e": _letter("e", "selects the joint among all: one at its place, else zero", "1", ""),
}
_VECTORS = _ARM | {
    "f_ext": _letter("f", "external force on link k", "N", below=r"\mathrm{ext}"),
    "n_ext": _letter("n", "external moment on link k, about O_k", "N m", below=r"\mathrm{ext}"),
    "omega": _letter(r"\omega", "angular velocity of link k", "rad/s"),
    "alpha": _letter(r"\alpha", "angular acceleration of link k", TURNED),
    "a_plus": _letter("a", "acceleration of joint k's inner side", "m/s^2", mark="+"),
    "a": _letter("a", "acceleration of O_k", "m/s^2"),
    "f": _letter("f", "force through joint k on link k", "N"),
    "n_o": _letter("n", "moment that the outboard links require of link k", "N m", below="o"),
    "n": _letter("n", "moment through joint k on link k, about O_k", "N m"),
}
_BIAS = {
    "alpha_V": _letter(r"\alpha", "acceleration of link k while no joint accelerates", ACCELERATION, AT_JOINT,
                       below="V"),
    "x_V": _letter("x", "force through joint k while no joint accelerates", FORCE, AT_JOINT, below="V"),
    "V": _letter("V", "torque that velocities, weight, pushes and friction require", TORQUE, JOINT),
    "mass": _letter("m", "element of the mass matrix: torque at joint k for a unit acceleration of joint j", MASS,
                    JOINT),
    "W": _letter(r"\mathcal{M}", "mass matrix", MASS, JOINT, at="", estimated="covariance of what is measured"),
    "theta_dd": _ARM["theta_dd"],
}  # fmt: skip

ALPHABETS: Mapping[str, Mapping[str, Meaning]] = MappingProxyType(
    {
        "newton_euler": _VECTORS | {
            "a_c": _letter("a", "acceleration of the mass centre of link k", "m/s^2", below="c"),
            "F": _letter("F", "force that link k itself needs", "N"),
            "N": _letter("N", "moment that link k itself needs, about its mass centre", "N m"),
        },
        "newton_euler_modified": _VECTORS | {
            "A": _letter("A", "maps a lever within link k to its end's acceleration relative to its start", "1/s^2"),
            "K": _letter("K", "second moments of the mass of link k about O_k", "kg m^2"),
            "mp": _letter("mp", "first moment of the mass of link k about O_k", "kg m"),
            "f_o": _letter("f", "force that the outboard links require of link k", "N", below="o"),
        },
        "inverse_dynamics": {
            "theta_dd": _letter(r"\ddot\theta", "desired acceleration of the joint", RATE, JOINT),
            "alpha": _letter(r"\alpha", "acceleration of link k", ACCELERATION, AT_JOINT, estimated="co-state"),
            "alpha_plus": _letter(r"\alpha", "inboard body's acceleration carried to O_k, without its centripetal part",
                                  ACCELERATION, AT_JOINT, mark="+", estimated="co-state before the measurement"),
            "x": _letter("x", "force through joint k on link k", FORCE, AT_JOINT, estimated="state"),
            "T": _letter(r"\tau", "torque or force that the motor must provide", TORQUE, JOINT,
                         estimated="what is measured of the state"),
        },
        "bias": _BIAS,
        "composite_bodies": _BIAS | {
            "r": _letter("r", "inertia of link k and all outboard of it, as one rigid body", INERTIA, AT_JOINT,
                         estimated="covariance of a state that nobody measures"),
            "X": _letter("X", "force at O_k for a unit acceleration of joint j", FORCE, AT_JOINT,
                         estimated="covariance of the state with a measurement"),
        },
        "strobing": _BIAS | {
            "A": _letter("A", "acceleration of link k for a unit acceleration of joint j alone", ACCELERATION,
                         AT_JOINT),
            "X": _letter("X", "force at O_k for a unit acceleration of joint j alone", FORCE, AT_JOINT),
        },
        "lagrange": _ARM | {
            "T_k": _letter("T", "transform from link k to its inboard neighbor", "1, m", LINK, mark=r"\mathrm{in}"),
            "T": _letter("T", "transform from link k to the base", "1, m", LINK),
            "S": _letter("T", "transform from link k to link j", "1, m", LINK),
            "Q": _letter("Q", "derivative of a transform with respect to its joint, as a factor", "1", LINK),
            "U": _letter(r"\partial T", "derivative of link k's transform with respect to joint j",
                         "1/rad, m/rad; 1 by a slide", LINK),
            "U_2": _letter(r"\partial^2 T", "second derivative of link k's transform, by two joints",
                           "1/rad^2, m/rad^2; 1/rad by a turn and a slide", LINK),
            "U_d": _letter(r"\partial\dot T", "time derivative of link k's derivative by joint j", "1/s, m/s", LINK),
            "T_dd": _letter(r"\ddot T", "second time derivative of link k's transform", "1/s^2, m/s^2", LINK),
            "J": _letter("J", "pseudo-inertia of link k: second and first moments, and mass", "kg m^2, kg m; kg m, kg",
                         LINK),
            "B": _letter("B", "acceleration of link k's points, weighted by its mass", "kg m^2/s^2, kg m/s^2", LINK),
            "w": _letter("w", "weight of link k, by its work on the points", "N m, N", LINK),
            "E": _letter("E", "external force on link k, by its work on the points", "N m, N", LINK),
            "base": _letter("1", "identity", "1", "", at=""),
            "kin": _letter(r"\tau", "torque that accelerates links", TORQUE, JOINT, below=r"\mathrm{kin}"),
            "grav": _letter(r"\tau", "torque that carries weight", TORQUE, JOINT, below="g"),
            "push": _letter(r"\tau", "torque of the external forces", TORQUE, JOINT, below=r"\mathrm{ext}"),
        },
        "appel": _ARM | {
            "l_c": _letter(r"l", "lever from the inboard link's mass centre to O_k", "m", below="c"),
            "Omega_k": _letter(r"\Omega", "angular acceleration of link k per joint acceleration", "1"),
            "beta": _letter(r"\beta", "acceleration of link k's mass centre per joint acceleration", "m/rad or 1"),
            "Phi": _letter(r"\Phi", "angular acceleration of link k due to velocities", TURNED),
            "q_c": _letter(r"q", "centripetal and Coriolis acceleration added from link to link", "m/s^2"),
            "Theta": _letter(r"\Theta", "acceleration of link k's mass centre due to velocities", "m/s^2"),
            "u": _letter("u", "gyroscopic moment of link k", "N m"),
            "W_k": _letter("W", "share of link k in W", MASS, V),
            "V_k": _letter("V", "share of link k in V", TORQUE, V),
            "D_k": _letter("D", "share of link k in D", "W/s"),
            "Y_k": _letter("Y", "weight and pushes of link k along the joints", TORQUE, V),
            "W_S": _letter("W", "mass matrix, rotors included", MASS, V, at=""),
            "V_S": _letter("V", "terms due to velocities in the joints' equations", TORQUE, V, at=""),
            "D_S": _letter("D", "part of S without accelerations", "W/s", "", at=""),
            "Y": _letter("Y", "weight and pushes along the joints", TORQUE, V, at=""),
            "S_A": _letter("S", "energy of accelerations", "W/s", "", at=""),
        },
        "constrained": {
            "e": _ARM["e"],
            "e_b": _letter("e", "selects the floating base's rates among all", "1", "", below="b"),
            "J_v": _letter("J", "Jacobian of link k: its velocity for each rate", "1, m", AT_JOINT),
            "gam": _letter(r"\gamma", "acceleration of link k due to velocities", ACCELERATION, AT_JOINT),
            "W_k": _letter("W", "share of link k in the mass matrix", MASS, V),
            "V_k": _letter("V", "generalized bias force of link k", TORQUE, V),
            "W_v": _letter("W", "mass matrix of arms that hold nothing", MASS, V, at=""),
            "V_v": _letter("V", "generalized force that velocities, weight and pushes require", TORQUE, V, at=""),
            "T_v": _letter("P", "torque of the motors, less friction", TORQUE, V, at=""),
            "v_FREE": _letter(r"\dot v", "accelerations of arms that hold nothing", RATE, V, below="FREE", at=""),
            "J_c": _letter("J", "Jacobian of the contact", "1, m", AT_CONTACT, at="contact", below="c"),
            "a_tip": _letter(r"\gamma", "acceleration due to velocities on the arm's side", ACCELERATION,
                             AT_CONTACT, at="contact", below=r"\mathrm{tip}"),
            "a_obj": _letter(r"\eta", "acceleration due to velocities on the object's side", ACCELERATION,
                             AT_CONTACT, at="contact"),
            "gap": _letter(r"\delta", "how arm and object would part if neither accelerated", ACCELERATION, AT_CONTACT,
                           at="contact"),
            "w_C": _letter("f", "weight of the object", FORCE, AT_OBJECT, below="g", at="C"),
            "b_C": _letter("b", "force that the object needs for its present motion", FORCE, AT_OBJECT, at="C"),
            "L": _letter("L", "relative acceleration of arms and object per unit of transmitted force",
                         "1/(kg m^2), 1/(kg m); 1/(kg m), 1/kg", "contact axes", at=""),
            "F": _letter("f", "forces that the contacts transmit: the multipliers", TORQUE, "contact axes", at=""),
            "v_dd": _letter(r"\dot v", "accelerations of the joints and of floating bases", RATE, V, at=""),
            "alpha_C": _letter(r"\alpha", "acceleration of the object", ACCELERATION, AT_OBJECT, at="C"),
        },
        "group_inverse": {
            "W_v": _letter("W", "mass matrix", MASS, V, at=""),
            "V_v": _letter("V", "generalized force that velocities, weight, pushes and friction require", TORQUE, V,
                            at=""),
            "v_dd": _letter(r"\dot v", "smallest joint accelerations that give the object its acceleration", RATE, V,
                            at=""),
            "w_C": _letter("f", "weight of the object", FORCE, AT_OBJECT, below="g", at="C"),
            "F_C": _letter("F", "force that the object needs", FORCE, AT_OBJECT, at="C"),
            "F": _letter("f", "smallest contact forces that give the object its force", TORQUE, "contact axes", at=""),
            "P_v": _letter("P", "torques that motors, and forces that floating bases, must provide", TORQUE, V, at=""),
            "alpha_C": _letter(r"\alpha", "desired acceleration of the object", ACCELERATION, AT_OBJECT, at="C"),
            "J_c": _letter("J", "Jacobian of the contacts", "1, m", AT_CONTACT, at="", below="c"),
            "gap": _letter(r"\delta", "how arms and object would part if neither accelerated", ACCELERATION,
                           AT_CONTACT, at=""),
            "W_k": _letter("W", "share of link k in the mass matrix", MASS, V),
            "V_k": _letter("V", "generalized bias force of link k", TORQUE, V),
            "e": _ARM["e"],
        },
    }
)  # fmt: skip


def symbols_of(text: str) -> Mapping[str, Symbol]:
    """The letters of a formulation: its own, and the textbook's for all other names."""
    return {**SYMBOLS, **{name: meaning.symbol for name, meaning in ALPHABETS[text].items()}}


def quantity_in(text: str, letter: str) -> Quantity:
    """The meaning of a letter of a formulation."""
    if letter in ALPHABETS[text]:
        return ALPHABETS[text][letter].quantity
    name = SYMBOLS[letter].quantity
    if not name:
        return GIVEN[letter].quantity
    return next(about for known in (REGISTRY, PASSED_ON) for (_, own), about in known.items() if own == name)
