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
    """

    symbol: str
    estimation_name: str
    mechanics_name: str
    unit: str
    shape: str
    frame: str
    equation: str


def _motion(sweep: str, equation: str) -> dict[str, Quantity]:
    return {
        "acceleration": Quantity(
            r"\alpha(k)", "smoothed co-state", f"acceleration of link k, {sweep}", ACCELERATION, "(links, 6)",
            AT_JOINT, f"{equation} (47)",
        ),
        "acceleration_inboard": Quantity(
            r"\alpha^+(k)", "smoothed co-state before the measurement", "acceleration of joint k's inner side",
            ACCELERATION, "(links, 6)", AT_JOINT, f"{equation} (45)",
        ),
        "joint_acceleration": Quantity(
            r"\ddot\theta(k)", "smoothed residual", "joint acceleration", "rad/s^2 or m/s^2", "(joints,)", JOINT,
            f"{equation} (46)",
        ),
        "force": Quantity(
            "x(k)", "smoothed state", "spatial force on link k by its inboard neighbor", FORCE, "(links, 6)", AT_JOINT,
            f"{equation} (34)",
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
                    AT_JOINT, "R87 (36), JR (2.13)",
                ),
                "corrected_force": Quantity(
                    "z^+(k)", "corrected state", "bias force with this joint free too", FORCE, "(links, 6)", AT_JOINT,
                    "R87 (41)",
                ),
                "innovation": Quantity(
                    r"\epsilon(k)", "innovation", "active torque less the predicted one", "N m or N", "(joints,)",
                    JOINT, "R87 (40)",
                ),
                "residual": Quantity(
                    r"\nu(k)", "weighted innovation", "joint acceleration with the inboard joints locked",
                    "rad/s^2 or m/s^2", "(joints,)", JOINT, "R87 (42)",
                ),
            },
            "smoother": _motion("object not held", "R87")
            | {
                "costate_covariance": Quantity(
                    r"\Lambda(k)", "co-state covariance", "inverse operational-space inertia", MOBILITY,
                    "(links, 6, 6)", AT_JOINT, "R87 (68)",
                ),
            },
            "contact": {
                "free_tip_acceleration": Quantity(
                    r"\lambda_{FREE}(0)", "measurement of the arm", "tip acceleration with the object absent",
                    ACCELERATION, "(arms, 6)", AT_CONTACT, "R88 (8.2)",
                ),
                "contact_bias_acceleration": Quantity(
                    r"\eta", "known input", "velocity-dependent acceleration of the object's contact point",
                    ACCELERATION, "(arms, 6)", AT_CONTACT, "R88 (8.2)",
                ),
                "tip_costate_covariance": Quantity(
                    r"\Lambda(0)", "measurement covariance", "inverse operational-space inertia at the contact",
                    MOBILITY, "(arms, 6, 6)", AT_CONTACT, "R88 (8.2)",
                ),
                "free_tip_force": Quantity(
                    "x_{FREE}", "prior estimate", "contact force if the object could not move", FORCE, "(arms, 6)",
                    AT_CONTACT, "R88 (9.1)",
                ),
                "omega": Quantity(
                    r"\Omega", "innovations covariance of the contacts", "relative acceleration per unit of force",
                    MOBILITY, "(directions, directions)", "contact axes", "R88 (8.3)",
                ),
                "contact_kalman_gain": Quantity(
                    r"\mathcal{G}", "Kalman gain of the contacts", "share of the force error that each arm takes",
                    "1, 1/m; m, 1", "(6 arms, 6)", AT_CONTACT, "R88 (9.1)",
                ),
                "predicted_contact_force": Quantity(
                    "x_{FREE}", "predicted state", "contact force if the object could not move", FORCE, "(arms, 6)",
                    AT_CONTACT, "R88 (9.1)",
                ),
                "measured_object_force": Quantity(
                    "b(C)", "measurement", "bias force of the object", FORCE, "(6,)", AT_OBJECT, "R88 (9.1)",
                ),
                "predicted_object_force": Quantity(
                    "A x_{FREE}", "predicted measurement", "net predicted contact force", FORCE, "(6,)", AT_OBJECT,
                    "R88 (9.1)",
                ),
                "corrected_contact_force": Quantity(
                    r"x_{FREE}+\mathcal{G}[b-A x_{FREE}]", "corrected state",
                    "contact force by predictor and corrector", FORCE, "(arms, 6)", AT_CONTACT, "R88 (9.1)",
                ),
                "contact_force": Quantity(
                    "x(0)", "state at the tip", "contact force on the object", FORCE, "(arms, 6)", AT_CONTACT,
                    "R88 (8.3)",
                ),
                "object_acceleration": Quantity(
                    r"\alpha(C)", "co-state of the object", "acceleration of the object", ACCELERATION, "(6,)",
                    AT_OBJECT, "R88 (9.2)",
                ),
                "indeterminate_directions": Quantity(
                    r"\ker\Omega", "unobservable directions", "internal forces that no motion reveals", FORCE,
                    "(6 arms, d)", AT_CONTACT, "R88 Section 9",
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
            "smoother_final": _motion("object held", "R88 (8.5), R87"),
        }.items()
        for name, quantity in quantities.items()
    }
)  # fmt: skip
