"""How the letters of the text are typeset, their sizes, and their names in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Size = int | str
Shape = tuple[Size, Size]
SQUARE, COLUMN, ROW, NUMBER, CROSS, POINT = (6, 6), (6, 1), (1, 6), (1, 1), (3, 3), (3, 1)
FORCES, DIRECTIONS = "6 contacts", "directions"


@dataclass(frozen=True)
class Symbol:
    """One letter.

    Attributes:
        latex: its stem.
        shape: rows and columns; in words if they depend on the contacts.
        quantity: the registry's name of its quantity, in the stage that computes it; empty for a given letter.
        mark, below: marks above and below the stem.
        at: how its index is written: ``link`` in brackets, ``tip`` as the contact's number below and (0),
            ``contact`` as the number below alone; anything else is put in brackets as it is.
    """

    latex: str
    shape: Shape
    quantity: str = ""
    mark: str = ""
    below: str = ""
    at: str = "link"


def _link(shape: Shape, latex: str, quantity: str = "", mark: str = "", below: str = "") -> Symbol:
    return Symbol(latex, shape, quantity, mark, below)


SYMBOLS: Mapping[str, Symbol] = MappingProxyType(
    {
        # Given by posture, model and motors.
        "phi": Symbol(r"\phi", SQUARE),
        "H": _link(ROW, "H"),
        "M": _link(SQUARE, "M"),
        "J": _link(CROSS, "J"),
        "m": _link(NUMBER, "m"),
        "I_r": _link(NUMBER, "I", below="r"),
        "tau": _link(NUMBER, r"\tau"),
        "tau_loss": _link(NUMBER, r"\tau", below=r"\mathrm{loss}"),
        "omega": _link(POINT, r"\omega"),
        "W": _link(CROSS, r"\tilde\omega"),
        "W_plus": _link(CROSS, r"\tilde\omega", mark="+"),
        "turn": _link(POINT, r"(h\dot\theta)", below=r"\mathrm{turn}"),
        "slide": _link(POINT, r"(h\dot\theta)", below=r"\mathrm{slide}"),
        "l": Symbol("l", POINT),
        "p": _link(POINT, "p"),
        "g": Symbol("g", POINT, at=""),
        "f": _link(COLUMN, "f", below=r"\mathrm{ext}"),
        "m_C": Symbol("m", NUMBER, at="C"),
        "J_C": Symbol("J", CROSS, at="C"),
        "M_C": Symbol("M", SQUARE, at="C"),
        "omega_C": Symbol(r"\omega", POINT, at="C"),
        "W_C": Symbol(r"\tilde\omega", CROSS, at="C"),
        "f_C": Symbol("f", COLUMN, below=r"\mathrm{ext}", at="C"),
        "phi_0": Symbol(r"\phi", SQUARE, at="tip"),
        "l_0": Symbol("l", POINT, at="tip"),
        "r": Symbol("r", POINT, at="contact"),
        "dw": Symbol(r"\Delta\omega", POINT, at="contact"),
        "dv": Symbol(r"\Delta v", POINT, at="contact"),
        "C": Symbol("C", (DIRECTIONS, FORCES), at=""),
        "A": Symbol("A", (6, FORCES), at=""),
        "I": Symbol("1", SQUARE, at=""),
        "O": Symbol("0", SQUARE, at=""),
        "Z": Symbol("0", COLUMN, at=""),
        "o": Symbol("0", POINT, at=""),
        # Bias and inward filter.
        "a": _link(COLUMN, "a", "bias_acceleration"),
        "w": _link(COLUMN, "f", "weight", below="g"),
        "b": _link(COLUMN, "b", "bias_force"),
        "P": _link(SQUARE, "P", "articulated_inertia"),
        "P_plus": _link(SQUARE, "P", "articulated_inertia_updated", "+"),
        "D": _link(NUMBER, "D", "joint_inertia"),
        "G": _link(COLUMN, "G", "kalman_gain"),
        "z": _link(COLUMN, "z", "predicted_force"),
        "z_plus": _link(COLUMN, "z", "corrected_force", "+"),
        "eps": _link(NUMBER, r"\epsilon", "innovation"),
        "nu": _link(NUMBER, r"\nu", "residual"),
        "tau_bar": _link(SQUARE, r"\bar\tau", "reduction"),
        "z_minus": _link(COLUMN, "z", "predicted_force_as_printed", "-"),
        "z_R": _link(COLUMN, "z", "corrected_force_as_printed", "+", "R"),
        "e_minus": _link(NUMBER, "e", "innovation_as_printed", "-"),
        "e_plus": _link(NUMBER, "e", "residual_as_printed", "+"),
        # Outward smoother.
        "alpha": _link(COLUMN, r"\alpha", "acceleration"),
        "alpha_plus": _link(COLUMN, r"\alpha", "acceleration_inboard", "+"),
        "theta_dd": _link(NUMBER, r"\ddot\theta", "joint_acceleration"),
        "x": _link(COLUMN, "x", "force"),
        "Lam": _link(SQUARE, r"\Lambda", "costate_covariance"),
        "Lam_plus": _link(SQUARE, r"\Lambda", "costate_covariance_inboard", "+"),
        # Contact stage.
        "w_C": Symbol("f", COLUMN, "object_weight", below="g", at="C"),
        "b_C": Symbol("b", COLUMN, "measured_object_force", at="C"),
        "alpha_b": Symbol(r"\alpha", COLUMN, "free_object_acceleration", below="b", at=""),
        "a_0": Symbol("a", COLUMN, "tip_bias_acceleration", at="tip"),
        "lam_FREE": Symbol(r"\lambda", COLUMN, "free_tip_acceleration", below="FREE", at="tip"),
        "eta": Symbol(r"\eta", COLUMN, "contact_bias_acceleration", at="contact"),
        "lam_bar": Symbol(r"\bar\lambda", COLUMN, "relative_tip_acceleration", at="contact"),
        "Lam_0": Symbol(r"\Lambda", SQUARE, "tip_costate_covariance", at="tip"),
        "psi": Symbol(r"\psi", SQUARE),
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
        "q": _link(COLUMN, "q", "contact_force_at_link"),
        "dz": _link(COLUMN, r"\delta z", "force_correction"),
        "z_new": _link(COLUMN, "z", "predicted_force_with_contact", r"\prime"),
        "eps_new": _link(NUMBER, r"\epsilon", "modified_innovation", r"\prime"),
        "nu_new": _link(NUMBER, r"\nu", "modified_residual", r"\prime"),
        # Dual filter, and both together.
        "R": _link(SQUARE, "P", "inertia_of_other_branches", below=r"\mathrm{oth}"),
        "S": _link(SQUARE, "S", "dual_articulated_inertia"),
        "S_plus": _link(SQUARE, "S", "dual_articulated_inertia_predicted", "+"),
        "D_s": _link(NUMBER, "D", "dual_joint_inertia", below="s"),
        "G_s": _link(COLUMN, "G", "dual_kalman_gain", below="s"),
        "q_s": _link(COLUMN, "q", "force_of_other_branches", below="s"),
        "z_s": _link(COLUMN, "z", "dual_corrected_force", below="s"),
        "z_s_plus": _link(COLUMN, "z", "dual_predicted_force", "+", "s"),
        "eps_s": _link(NUMBER, r"\epsilon", "dual_innovation", below="s"),
        "nu_s": _link(NUMBER, r"\nu", "dual_residual", below="s"),
        "Y": _link(SQUARE, r"\Lambda", "operational_space_inertia", "-1"),
        "alpha_k": _link(COLUMN, r"\alpha", "acceleration"),
        "theta_dd_k": _link(NUMBER, r"\ddot\theta", "joint_acceleration"),
    }
)
CONSTANTS = ("I", "O", "Z", "o")
"""Letters that no break affects: one and zero."""
