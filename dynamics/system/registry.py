"""What every stage quantity is: its symbol, its two names, unit, shape, frame and equation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

FORCE = "N m; N"
ACCELERATION = "rad/s^2; m/s^2"
INERTIA = "kg m^2, kg m; kg m, kg"
MOBILITY = "1/(kg m^2), 1/(kg m); 1/(kg m), 1/kg"
AT_JOINT = "inertial axes, at O_k"
AT_CONTACT = "inertial axes, at the contact"
AT_OBJECT = "inertial axes, at the object's mass centre"
JOINT = "along the joint axis"


@dataclass(frozen=True)
class Quantity:
    """One stage array in words.

    Attributes:
        symbol: LaTeX.
        estimation_name: its name among those who estimate,
        mechanics_name: and among those who move bodies.
        unit: SI; angular part first where there are two.
        shape: of the whole array.
        frame: axes and point of reference.
        equation: paper and number.
        equation_at_base: the same where a base floats, if it is another.
    """

    symbol: str
    estimation_name: str
    mechanics_name: str
    unit: str
    shape: str
    frame: str
    equation: str
    equation_at_base: str = ""


def _motion(sweep: str, stage: str) -> dict[str, Quantity]:
    return {
        "acceleration": Quantity(
            r"\alpha(k)", "smoothed co-state", f"acceleration of link k, {sweep}", ACCELERATION, "(links, 6)",
            AT_JOINT, f"{stage}R87 (47)", f"{stage}JR (3.2)",
        ),
        "acceleration_inboard": Quantity(
            r"\alpha^+(k)", "smoothed co-state before the measurement", "acceleration of joint k's inner side",
            ACCELERATION, "(links, 6)", AT_JOINT, f"{stage}R87 (45)",
        ),
        "joint_acceleration": Quantity(
            r"\ddot\theta(k)", "smoothed residual", "joint acceleration", "rad/s^2 or m/s^2", "(joints,)", JOINT,
            f"{stage}JR (2.13b)",
        ),
        "force": Quantity(
            "x(k)", "smoothed state", "spatial force on link k by its inboard neighbor", FORCE, "(links, 6)", AT_JOINT,
            f"{stage}R87 (34)",
        ),
    }  # fmt: skip


REGISTRY: Mapping[tuple[str, str], Quantity] = MappingProxyType(
    {
        (stage, name): quantity
        for stage, quantities in {
            "filter": {
                "articulated_inertia": Quantity(
                    "P(k)", "predicted state covariance", "articulated-body inertia", INERTIA, "(links, 6, 6)",
                    AT_JOINT, "R87 (37)",
                ),
                "articulated_inertia_updated": Quantity(
                    "P^+(k)", "updated state covariance", "articulated inertia with the joint free", INERTIA,
                    "(links, 6, 6)", AT_JOINT, "R87 (43)",
                ),
                "joint_inertia": Quantity(
                    "D(k)", "innovations covariance", "articulated inertia about the joint axis", "kg m^2 or kg",
                    "(joints,)", JOINT, "R87 (38)",
                ),
                "kalman_gain": Quantity(
                    "G(k)", "Kalman gain", "force carried past the joint per unit of torque", "1; 1/m (or m; 1)",
                    "(joints, 6)", AT_JOINT, "R87 (39)",
                ),
                "predicted_force": Quantity(
                    "z(k)", "predicted state", "bias force with the outboard joints free", FORCE, "(links, 6)",
                    AT_JOINT, "JR (2.13a)",
                ),
                "corrected_force": Quantity(
                    "z^+(k)", "corrected state", "bias force with this joint free too", FORCE, "(links, 6)", AT_JOINT,
                    "JR (2.13a)",
                ),
                "innovation": Quantity(
                    r"\epsilon(k)", "innovation", "active torque less the predicted one", "N m or N", "(joints,)",
                    JOINT, "JR (2.13a)",
                ),
                "residual": Quantity(
                    r"\nu(k)", "weighted innovation", "joint acceleration with the inboard joints locked",
                    "rad/s^2 or m/s^2", "(joints,)", JOINT, "JR (2.13a)",
                ),
            },
            "smoother": _motion("object not held", "")
            | {
                "costate_covariance": Quantity(
                    r"\Lambda(k)", "co-state covariance", "inverse operational-space inertia", MOBILITY,
                    "(links, 6, 6)", AT_JOINT, "R87 (68)", "JR (4.8)",
                ),
            },
            "contact": {
                "free_tip_acceleration": Quantity(
                    r"\lambda_{FREE}(0)", "measurement of the arm", "tip acceleration with the object absent",
                    ACCELERATION, "(tips, 6)", AT_CONTACT, "R88 (8.2)",
                ),
                "contact_bias_acceleration": Quantity(
                    r"\eta", "known input", "velocity-dependent acceleration of the object's contact point",
                    ACCELERATION, "(tips, 6)", AT_CONTACT, "R88 (4.3)",
                ),
                "tip_costate_covariance": Quantity(
                    r"\Lambda(0)", "measurement covariance", "inverse operational-space inertia at the contact",
                    MOBILITY, "(tips, 6, 6)", AT_CONTACT, "R88 (8.2)",
                ),
                "free_tip_force": Quantity(
                    r"\mathcal{P}\lambda_{FREE}(0)", "information of the free tips",
                    "force that would keep the free tips from accelerating", FORCE, "(tips, 6)", AT_CONTACT,
                    "R88 (8.2)",
                ),
                "omega": Quantity(
                    r"\Omega", "innovations covariance of the contacts", "relative acceleration per unit of force",
                    MOBILITY, "(directions, directions)", "contact axes", "R88 (8.3)",
                ),
                "contact_kalman_gain": Quantity(
                    r"\mathcal{G}", "Kalman gain of the contacts", "share of the force error that each arm takes",
                    "1, 1/m; m, 1", "(6 tips, 6)", AT_CONTACT, "R88 (9.1)",
                ),
                "predicted_contact_force": Quantity(
                    "x_{FREE}", "predicted state", "contact force if the object did not accelerate", FORCE,
                    "(tips, 6)", AT_CONTACT, "R88 (9.1)",
                ),
                "measured_object_force": Quantity(
                    "b(C)", "measurement", "bias force of the object", FORCE, "(6,)", AT_OBJECT, "R88 (4.4)",
                ),
                "predicted_object_force": Quantity(
                    "A x_{FREE}", "predicted measurement", "net predicted contact force", FORCE, "(6,)", AT_OBJECT,
                    "R88 (9.1)",
                ),
                "corrected_contact_force": Quantity(
                    r"x_{FREE}+\mathcal{G}[b-A x_{FREE}]", "corrected state",
                    "contact force by predictor and corrector", FORCE, "(tips, 6)", AT_CONTACT, "R88 (9.1)",
                ),
                "contact_force": Quantity(
                    "x(0)", "state at the tip", "contact force on the object", FORCE, "(tips, 6)", AT_CONTACT,
                    "R88 (8.3)",
                ),
                "object_acceleration": Quantity(
                    r"\alpha(C)", "co-state of the object", "acceleration of the object", ACCELERATION, "(6,)",
                    AT_OBJECT, "R88 (4.4)",
                ),
                "indeterminate_directions": Quantity(
                    r"\ker\Omega", "unobservable directions", "internal forces that no motion reveals", FORCE,
                    "(6 tips, d)", AT_CONTACT, "R88 Section 9",
                ),
            },
            "filter_correction": {
                "force_correction": Quantity(
                    r"\delta z(k)", "correction of the state", "contact force carried inward", FORCE, "(links, 6)",
                    AT_JOINT, "R88 (8.4)",
                ),
                "modified_innovation": Quantity(
                    r"\epsilon(k)-H\,\delta z(k)", "corrected innovation", "active torque less the one with contact",
                    "N m or N", "(joints,)", JOINT, "R88 (8.4)",
                ),
            },
            "dual_filter": {
                "dual_articulated_inertia": Quantity(
                    "S(k)", "updated dual covariance", "articulated inertia of all that is inboard, joint k free",
                    INERTIA, "(links, 6, 6)", AT_JOINT, "JR (3.3)",
                ),
                "dual_articulated_inertia_predicted": Quantity(
                    "S^+(k)", "predicted dual covariance", "articulated inertia of all that is inboard, joint k locked",
                    INERTIA, "(links, 6, 6)", AT_JOINT, "JR (3.3)",
                ),
                "dual_joint_inertia": Quantity(
                    "D_s(k)", "dual innovations covariance", "dual articulated inertia about the joint axis",
                    "kg m^2 or kg", "(joints,)", JOINT, "JR (3.3)",
                ),
                "dual_kalman_gain": Quantity(
                    "G_s(k)", "dual Kalman gain", "force carried past the joint from inboard per unit of torque",
                    "1; 1/m (or m; 1)", "(joints, 6)", AT_JOINT, "JR (3.3)",
                ),
                "dual_predicted_force": Quantity(
                    "z_s^+(k)", "predicted dual state", "bias force of all that is inboard, joint k locked", FORCE,
                    "(links, 6)", AT_JOINT, "JR (3.5)",
                ),
                "dual_corrected_force": Quantity(
                    "z_s(k)", "corrected dual state", "bias force of all that is inboard, joint k free", FORCE,
                    "(links, 6)", AT_JOINT, "JR (3.5)",
                ),
                "dual_innovation": Quantity(
                    r"\epsilon_s(k)", "dual innovation", "active torque less the one predicted from inboard",
                    "N m or N", "(joints,)", JOINT, "JR (3.5)",
                ),
                "dual_residual": Quantity(
                    r"\nu_s(k)", "weighted dual innovation", "joint acceleration with all that is outboard at rest",
                    "rad/s^2 or m/s^2", "(joints,)", JOINT, "JR (3.5)",
                ),
                "operational_space_inertia": Quantity(
                    "P(k)+S(k)", "information of both filters", "operational-space inertia of link k", INERTIA,
                    "(links, 6, 6)", AT_JOINT, "JR (4.11)",
                ),
                "acceleration": Quantity(
                    r"\alpha(k)", "smoothed co-state from both filters", "acceleration of link k, each link on its own",
                    ACCELERATION, "(links, 6)", AT_JOINT, "JR (3.12)",
                ),
                "joint_acceleration": Quantity(
                    r"\ddot\theta(k)", "smoothed dual residual", "joint acceleration", "rad/s^2 or m/s^2", "(joints,)",
                    JOINT, "JR (3.13)",
                ),
            },
            "smoother_final": _motion("object held", "R88 (8.5), "),
        }.items()
        for name, quantity in quantities.items()
    }
)  # fmt: skip

PASSED_ON: Mapping[tuple[str, str], Quantity] = MappingProxyType(
    {
        (stage, name): quantity
        for stage, quantities in {
            "filter": {
                "bias_acceleration": Quantity(
                    "a(k)", "known input", "velocity-dependent acceleration that joint k adds", ACCELERATION,
                    "(links, 6)", AT_JOINT, "JR (2.2)",
                ),
                "weight": Quantity("w(k)", "known input", "weight of link k", FORCE, "(links, 6)", AT_JOINT, "R87 (7)"),
                "bias_force": Quantity(
                    "b(k)", "known input", "force that link k needs without any acceleration", FORCE, "(links, 6)",
                    AT_JOINT, "R87 (7)",
                ),
                "reduction": Quantity(
                    r"\bar\tau(k)", "what the measurement leaves", "what of a force passes the free joint",
                    "1, 1/m; m, 1", "(joints, 6, 6)", AT_JOINT, "JR (2.6)",
                ),
                "predicted_force_as_printed": Quantity(
                    "z^-(k)", "predicted state, R87's own form", "bias force of free joints outboard, without P a",
                    FORCE, "(links, 6)", AT_JOINT, "R87 (36)",
                ),
                "innovation_as_printed": Quantity(
                    "e^-(k)", "innovation, R87's own form", "active torque less the one predicted without P a",
                    "N m or N", "(joints,)", JOINT, "R87 (40)",
                ),
                "corrected_force_as_printed": Quantity(
                    "z_R^+(k)", "corrected state, R87's own form", "bias force with this joint free too", FORCE,
                    "(links, 6)", AT_JOINT, "R87 (41)",
                ),
                "residual_as_printed": Quantity(
                    "e^+(k)", "weighted innovation, R87's own form", "joint acceleration with alpha+ = -a",
                    "rad/s^2 or m/s^2", "(joints,)", JOINT, "R87 (42)",
                ),
            },
            "smoother": {
                "costate_covariance_inboard": Quantity(
                    r"\Lambda^+(k)", "co-state covariance before the measurement",
                    "inverse operational-space inertia of joint k's inner side", MOBILITY, "(links, 6, 6)", AT_JOINT,
                    "R87 (67)",
                ),
            },
            "contact": {
                "object_weight": Quantity(
                    "w(C)", "known input", "weight of the object", FORCE, "(6,)", AT_OBJECT, "R88 (4.4)"
                ),
                "free_object_acceleration": Quantity(
                    r"\alpha_b", "predicted co-state of the object", "acceleration of the object if nobody held it",
                    ACCELERATION, "(6,)", AT_OBJECT, "R88 (9.2)",
                ),
                "tip_bias_acceleration": Quantity(
                    "a(0)", "known input", "centripetal acceleration of the contact point", ACCELERATION,
                    "(contacts, 6)", AT_CONTACT, "JR (2.2)",
                ),
                "relative_tip_acceleration": Quantity(
                    r"\bar\lambda", "measurement less the known input",
                    "tip acceleration with the object absent, less the object's bias", ACCELERATION, "(contacts, 6)",
                    AT_CONTACT, "R88 (8.3)",
                ),
                "transmitted_force": Quantity(
                    "f", "state in the observed directions", "contact forces along the transmitted directions",
                    "N m or N", "(directions,)", "contact axes", "R88 (8.3)",
                ),
                "unanswered_contact_force": Quantity(
                    r"\rho", "what no prior estimate covers", "force along directions in which an arm cannot answer",
                    FORCE, "(contacts, 6)", AT_CONTACT, "R88 Section 9",
                ),
                "corrected_object_acceleration": Quantity(
                    r"\alpha_b+\mathcal{G}^T[\bar\lambda-A^T\alpha_b]", "corrected co-state of the object",
                    "acceleration of the object by predictor and corrector", ACCELERATION, "(6,)", AT_OBJECT,
                    "R88 (9.2)",
                ),
            },
            "filter_correction": {
                "contact_force_at_link": Quantity(
                    "q(k)", "change of the initial state", "contact force that acts on link k", FORCE, "(links, 6)",
                    AT_JOINT, "R88 (8.4)",
                ),
                "predicted_force_with_contact": Quantity(
                    r"z^{\prime}(k)", "predicted state, contact included", "bias force with the contact force",
                    FORCE, "(links, 6)", AT_JOINT, "R88 (8.6)",
                ),
                "modified_residual": Quantity(
                    r"\nu^{\prime}(k)", "weighted innovation, contact included",
                    "joint acceleration with the inboard joints locked, under the contact force", "rad/s^2 or m/s^2",
                    "(joints,)", JOINT, "R88 (8.4)",
                ),
            },
            "dual_filter": {
                "inertia_of_other_branches": Quantity(
                    "R(k)", "covariance from the other branches", "articulated inertia of the other branches",
                    INERTIA, "(links, 6, 6)", "inertial axes, at O of the inboard link", "JR Section 3.4",
                ),
                "force_of_other_branches": Quantity(
                    "q_s(k)", "state from the other branches", "bias force of the other branches", FORCE,
                    "(links, 6)", "inertial axes, at O of the inboard link", "JR Section 3.4",
                ),
            },
        }.items()
        for name, quantity in quantities.items()
    }
)  # fmt: skip
"""What the textbook's lines compute on the way and ``Solution.stages`` does not list."""


def quantity_of(stage: str, name: str) -> Quantity:
    """What a line of a stage computes; the final smoother's where it has one of its own.

    Raises:
        KeyError: for what no line computes.
    """
    key = (stage, name)
    return REGISTRY[key] if key in REGISTRY else PASSED_ON[key]
