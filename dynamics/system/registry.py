"""A description of every stage quantity: symbol, two names, unit, shape, frame and equation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dynamics.record import NamedValues, Record

FORCE = "N m; N"
ACCELERATION = "rad/s^2; m/s^2"
INERTIA = "kg m^2, kg m; kg m, kg"
MOBILITY = "1/(kg m^2), 1/(kg m); 1/(kg m), 1/kg"
AT_JOINT = "inertial axes, at O_k"
AT_CONTACT = "inertial axes, at the contact"
AT_OBJECT = "inertial axes, at the object's mass centre"
JOINT = "along the joint axis"


@dataclass(frozen=True)
class Quantity(Record):
    """A description of one stage array.

    Attributes:
        symbol: LaTeX.
        estimation_name: its name in estimation.
        mechanics_name: its name in mechanics.
        unit: SI; angular part first where there are two. A covariance has its inertia's: 1 kg m^2 stands for 1 (N m)^2.
        shape: of the whole array.
        frame: axes and point of reference.
        equation: paper and number.
        equation_at_base: its equation for a floating base, if different.
    """

    symbol: str
    estimation_name: str
    mechanics_name: str
    unit: str
    shape: str
    frame: str
    equation: str
    equation_at_base: str = ""


def _kind(unit: str, shape: str, frame: str) -> Callable[..., Quantity]:
    """A maker of quantities with one unit, shape and frame."""

    def quantity(symbol: str, estimation: str, mechanics: str, equation: str, equation_at_base: str = "") -> Quantity:
        return Quantity(symbol, estimation, mechanics, unit, shape, frame, equation, equation_at_base)

    return quantity


link_force = _kind(FORCE, "(links, 6)", AT_JOINT)
link_acceleration = _kind(ACCELERATION, "(links, 6)", AT_JOINT)
link_inertia = _kind(INERTIA, "(links, 6, 6)", AT_JOINT)
link_mobility = _kind(MOBILITY, "(links, 6, 6)", AT_JOINT)
joint_acceleration = _kind("rad/s^2 or m/s^2", "(joints,)", JOINT)
joint_torque = _kind("N m or N", "(joints,)", JOINT)
joint_inertia = _kind("kg m^2 or kg", "(joints,)", JOINT)
joint_gain = _kind("1; 1/m (or m; 1)", "(joints, 6)", AT_JOINT)
tip_force = _kind(FORCE, "(tips, 6)", AT_CONTACT)  # zero for a tip that does not hold
tip_acceleration = _kind(ACCELERATION, "(tips, 6)", AT_CONTACT)
contact_force = _kind(FORCE, "(contacts, 6)", AT_CONTACT)
contact_acceleration = _kind(ACCELERATION, "(contacts, 6)", AT_CONTACT)
object_force = _kind(FORCE, "(6,)", AT_OBJECT)
object_acceleration = _kind(ACCELERATION, "(6,)", AT_OBJECT)


def _motion(sweep: str, stage: str, forces: str = "") -> dict[str, Quantity]:
    return {
        "acceleration": link_acceleration(
            r"\alpha(k)", "smoothed co-state", f"acceleration of link k, {sweep}", f"{stage}R87 (47)",
            f"{stage}JR (3.2)"),
        "acceleration_inboard": link_acceleration(
            r"\alpha^+(k)", "smoothed co-state before the measurement",
            "acceleration of the inboard body carried to O_k, without its centripetal part", f"{stage}R87 (45)"),
        "joint_acceleration": joint_acceleration(
            r"\ddot\theta(k)", "smoothed residual", "joint acceleration", f"{stage}JR (2.13b)"),
        "force": link_force(
            "x(k)", "smoothed state", "spatial force on link k by its inboard neighbor", f"{forces}R87 (34)"),
    }  # fmt: skip


def _by_stage(stages: Mapping[str, Mapping[str, Quantity]]) -> Mapping[tuple[str, str], Quantity]:
    return NamedValues({(stage, name): quantity for stage, named in stages.items() for name, quantity in named.items()})


REGISTRY = _by_stage(
    {
        "filter": {
            "articulated_inertia": link_inertia(
                "P(k)", "predicted state covariance", "articulated-body inertia", "R87 (37)"),
            "articulated_inertia_updated": link_inertia(
                "P^+(k)", "updated state covariance", "articulated inertia with the joint free", "R87 (43)"),
            "joint_inertia": joint_inertia(
                "D(k)", "innovations covariance", "inertia that the joint's torque feels, its rotor's included",
                "R87 (38)"),
            "kalman_gain": joint_gain(
                "G(k)", "Kalman gain",
                "force carried past the joint per unit of torque if the inboard body does not accelerate", "R87 (39)"),
            "predicted_force": link_force(
                "z(k)", "predicted state", "bias force with the outboard joints free", "JR (2.13a)"),
            "corrected_force": link_force(
                "z^+(k)", "corrected state", "bias force with this joint free too", "JR (2.13a)"),
            "innovation": joint_torque(
                r"\epsilon(k)", "innovation", "active torque less the predicted one", "JR (2.13a)"),
            "residual": joint_acceleration(
                r"\nu(k)", "weighted innovation", "joint acceleration if the inboard body does not accelerate",
                "JR (2.13a)"),
        },
        "smoother": _motion("object not held", "") | {
            "costate_covariance": link_mobility(
                r"\Lambda(k)", "co-state covariance", "inverse operational-space inertia", "R87 (68)", "JR (4.8)"),
        },
        "contact": {
            "free_tip_acceleration": tip_acceleration(
                r"\lambda_{FREE}(0)", "prior of the arm, as an acceleration", "tip acceleration with the object absent",
                "R88 (8.2)"),
            "contact_bias_acceleration": tip_acceleration(
                r"\eta", "known input", "velocity-dependent acceleration that the object asks of the tip", "R88 (4.3)"),
            "tip_costate_covariance": Quantity(
                r"\Lambda(0)", "inverse of the prior covariance", "inverse operational-space inertia at the contact",
                MOBILITY, "(tips, 6, 6)", AT_CONTACT, "R88 (8.2)"),
            "free_tip_force": tip_force(
                r"\mathcal{P}\lambda_{FREE}(0)", "prior estimate, before the known input",
                "force of the tips on whatever keeps them from accelerating", "R88 (8.2)"),
            "omega": Quantity(
                r"\Omega", "inverse covariance of the corrected forces", "relative acceleration per unit of force",
                MOBILITY, "(directions, directions)", "contact axes", "R88 (8.3)"),
            "contact_kalman_gain": Quantity(
                r"\mathcal{G}", "Kalman gain of the contacts", "share of the force error that each arm takes",
                "1, m; 1/m, 1", "(6 tips, 6)", AT_CONTACT, "R88 (9.1)"),
            "predicted_contact_force": tip_force(
                "x_{FREE}", "predicted state in (9.1)", "contact force if the object did not accelerate", "R88 (9.1)"),
            "measured_object_force": object_force(
                "b(C)", "measurement in (9.1)", "bias force of the object", "R88 (4.4)"),
            "predicted_object_force": object_force(
                "A x_{FREE}", "predicted measurement in (9.1)", "net predicted contact force", "R88 (9.1)"),
            "corrected_contact_force": tip_force(
                r"x_{FREE}+\mathcal{G}[b-A x_{FREE}]+\rho", "corrected state in (9.1)",
                "contact force by predictor and corrector", "R88 (9.1)"),
            "contact_force": tip_force("x(0)", "state at the tip", "contact force on the object", "R88 (8.3)"),
            "object_acceleration": object_acceleration(
                r"\alpha(C)", "co-state of the object", "acceleration of the object", "R88 (4.4)"),
            "indeterminate_directions": Quantity(
                r"\ker\Omega", "unobservable directions", "internal forces that no motion reveals", FORCE,
                "(6 tips, d)", AT_CONTACT, "after R88 (8.3)"),
        },
        "filter_correction": {
            "force_correction": link_force(
                r"\delta z(k)", "correction of the state", "contact force carried inward", "R88 (8.4)"),
            "modified_innovation": joint_torque(
                r"\epsilon(k)-H\,\delta z(k)", "corrected innovation",
                "active torque less the one predicted with contact", "R88 (8.4)"),
        },
        "dual_filter": {
            "dual_articulated_inertia": link_inertia(
                "S(k)", "updated dual covariance", "articulated inertia of all that is not outboard, joint k free",
                "JR (3.3)"),
            "dual_articulated_inertia_predicted": link_inertia(
                "S^+(k)", "predicted dual covariance",
                "articulated inertia of all that is not outboard, joint k locked", "JR (3.3)"),
            "dual_joint_inertia": joint_inertia(
                "D_s(k)", "dual innovations covariance",
                "inertia that the joint's torque feels inboard, its rotor's included", "JR (3.3)"),
            "dual_kalman_gain": joint_gain(
                "G_s(k)", "dual Kalman gain",
                "force on the inboard body per unit of torque if link k does not accelerate", "JR (3.3)"),
            "dual_predicted_force": link_force(
                "z_s^+(k)", "predicted dual state",
                "bias force of all that is not outboard, joint k locked", "JR (3.5)"),
            "dual_corrected_force": link_force(
                "z_s(k)", "corrected dual state", "bias force of all that is not outboard, joint k free", "JR (3.5)"),
            "dual_innovation": joint_torque(
                r"\epsilon_s(k)", "dual innovation", "active torque less the one predicted from inboard", "JR (3.5)"),
            "dual_residual": joint_acceleration(
                r"\nu_s(k)", "weighted dual innovation", "joint acceleration if link k itself does not accelerate",
                "JR (3.5)"),
            "operational_space_inertia": link_inertia(
                "P(k)+S(k)", "covariance of the two estimates' difference", "operational-space inertia of link k",
                "JR (4.11)"),
            "acceleration": link_acceleration(
                r"\alpha(k)", "smoothed co-state from both filters", "acceleration of link k, each link on its own",
                "JR (3.12)"),
            "joint_acceleration": joint_acceleration(
                r"\ddot\theta(k)", "smoothed dual residual", "joint acceleration", "JR (3.13)"),
        },
        "smoother_final": _motion("object held", "R88 (8.5), ", "R88 (8.6), "),
    }
)  # fmt: skip

PASSED_ON = _by_stage(
    {
        "filter": {
            "bias_acceleration": link_acceleration(
                "a(k)", "known input", "velocity-dependent acceleration from the inboard body to link k",
                "R87 (15), JR (2.2)"),
            "weight": link_force(r"f_{g}(k)", "known input", "weight of link k", "R87 (7)"),
            "bias_force": link_force(
                "b(k)", "known input", "force that link k needs without any acceleration", "R87 (7)"),
            "reduction": Quantity(
                r"\bar\tau(k)", "what the measurement leaves",
                "the part of a force that passes the free joint", "1, m; 1/m, 1",
                "(joints, 6, 6)", AT_JOINT, "JR (2.6)"),
            "predicted_force_as_printed": link_force(
                "z^-(k)", "predicted state, R87's own form", "bias force of free joints outboard, without P a",
                "R87 (36)"),
            "innovation_as_printed": joint_torque(
                "e^-(k)", "innovation, R87's own form", "active torque less the one predicted without P a", "R87 (40)"),
            "corrected_force_as_printed": link_force(
                "z_R^+(k)", "corrected state, R87's own form", "bias force with this joint free too", "R87 (41)"),
            "residual_as_printed": joint_acceleration(
                "e^+(k)", "weighted innovation, R87's own form", "joint acceleration with alpha+ = -a", "R87 (42)"),
        },
        "smoother": {
            "costate_covariance_inboard": link_mobility(
                r"\Lambda^+(k)", "co-state covariance before the measurement",
                "inverse operational-space inertia of joint k's inner side", "R87 (67)"),
        },
        "contact": {
            "object_weight": object_force(r"f_{g}(C)", "known input", "weight of the object", "R88 (4.4)"),
            "free_object_acceleration": object_acceleration(
                r"\alpha_b", "predicted co-state in (9.2)", "acceleration of the object if nobody held it",
                "R88 (9.2)"),
            "tip_bias_acceleration": contact_acceleration(
                "a(0)", "known input", "centripetal acceleration of the contact point", "JR (2.2)"),
            "relative_tip_acceleration": contact_acceleration(
                r"\bar\lambda", "prior less the known input in (9.1), measurement in (9.2)",
                "tip acceleration with the object absent, less the object's bias", "R88 (8.3)"),
            "transmitted_force": Quantity(
                "f", "state in the transmitted directions", "contact forces along the transmitted directions",
                "N m or N", "(directions,)", "contact axes", "R88 (8.3)"),
            "unanswered_contact_force": contact_force(
                r"\rho", "what no prior estimate covers",
                "force that makes up for accelerations to which no arm can respond", "after R88 (8.3)"),
            "corrected_object_acceleration": object_acceleration(
                r"\alpha_b+\mathcal{G}^T[\bar\lambda-A^T\alpha_b]", "corrected co-state in (9.2)",
                "acceleration of the object by predictor and corrector", "R88 (9.2)"),
        },
        "filter_correction": {
            "contact_force_at_link": link_force(
                "q(k)", "change of the initial state", "contact force that link k exerts, moved to O_k", "R88 (8.4)"),
            "predicted_force_with_contact": link_force(
                r"z^{\prime}(k)", "predicted state, contact included", "bias force including the contact force",
                "R88 (8.6)"),
            "modified_residual": joint_acceleration(
                r"\nu^{\prime}(k)", "weighted innovation, contact included",
                "joint acceleration under the contact force, if the inboard body does not accelerate", "R88 (8.4)"),
        },
        "dual_filter": {
            "inertia_of_other_branches": Quantity(
                r"P_{oth}(k)", "covariance from the other branches", "articulated inertia of the other branches",
                INERTIA, "(links, 6, 6)", "inertial axes, at O of the inboard link", "JR Section 3.4"),
            "force_of_other_branches": Quantity(
                "q_s(k)", "state from the other branches", "bias force of the other branches", FORCE, "(links, 6)",
                "inertial axes, at O of the inboard link", "JR Section 3.4"),
        },
    }
)  # fmt: skip
"""Intermediate results of the textbook's lines that are not in ``Solution.stages``."""


def quantity_of(stage: str, name: str) -> Quantity:
    """The quantity that a line of a stage computes; for the final smoother its own if it has one."""
    key = (stage, name)
    return REGISTRY[key] if key in REGISTRY else PASSED_ON[key]
