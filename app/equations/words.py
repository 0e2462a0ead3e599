"""What a half-step does, in the words of mechanics and of estimation; and the other formulations in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.state.walk import CORRECTION, PREDICTION, direction

BASE = 2  # Index after the two halves at a joint: the step at a floating base

STAGE_TITLES: Mapping[str, str] = {
    "filter": "Inward filter",
    "smoother": "Outward smoother",
    "contact": "Contact stage",
    "filter_correction": "Inward correction",
    "smoother_final": "Final smoother",
    "dual_filter": "Dual filter",
}
WAYS: Mapping[str, str] = {"inward": "tip to base", "outward": "base to tip", "across": "arm by arm across the object"}


@dataclass(frozen=True)
class Words:
    """The words of one half-step.

    Attributes:
        title: what is done.
        mechanics, estimation: one sentence each.
        computes: its main quantity by its registry name, whose equation comes first.
    """

    title: str
    mechanics: str
    estimation: str
    computes: str


_SMOOTH_ACROSS = Words(
    "Prediction across the link",
    "The inboard body carries the joint along, at the end of a lever arm; what its rotation adds, centripetal "
    "acceleration, stands in a(k).",
    "The co-state is carried back by the transpose of the filter's transition.",
    "acceleration_inboard",
)
_SMOOTH_JOINT = Words(
    "Correction at the joint",
    "The joint accelerates as it would if the inboard body did not, minus the effect of that body's "
    "acceleration; the two together move the link.",
    "The filter's weighted innovation, corrected by every measurement further inboard, gives the smoothed estimate.",
    "joint_acceleration",
)
_SMOOTH_BASE = Words(
    "Start at the free base",
    "Nothing holds the base, so the bias force accelerates it against the articulated inertia of the whole machine.",
    "The smoother starts from the last prediction, weighted by the inverse of its covariance: no joint's force acts "
    "there, and all six of its components are measured.",
    "acceleration",
)
WORDS: Mapping[tuple[str, int], Words] = {
    ("filter", PREDICTION): Words(
        "Prediction across the link",
        "The articulated inertia and force of everything outboard are shifted to this joint, and the link's own "
        "inertia and bias force are added.",
        "State and covariance are propagated by the transition; the link's own inertia enters as process noise.",
        "articulated_inertia",
    ),
    ("filter", CORRECTION): Words(
        "Correction at the joint",
        "A joint gives way about its own axis: along it, no inertia is passed on, and no force but the torque "
        "less its losses, unless a rotor holds some of it back.",
        "The joint's torque, an input, plays the part of a measurement. Its difference from the predicted torque, "
        "the innovation, corrects the state through the Kalman gain, and the measured direction leaves the "
        "covariance; with a rotor, which acts as noise, not all of it.",
        "kalman_gain",
    ),
    ("filter", BASE): Words(
        "Prediction at the free base",
        "The inertia and bias force of the whole machine are gathered at the base, which no joint holds.",
        "The last prediction. A free base is measured in all six components, and these measurements are still to come.",
        "articulated_inertia",
    ),
    ("smoother", PREDICTION): _SMOOTH_ACROSS,
    ("smoother", CORRECTION): _SMOOTH_JOINT,
    ("smoother", BASE): _SMOOTH_BASE,
    ("contact", PREDICTION): Words(
        "Prediction by the arm",
        "Left alone, the arm's tip would accelerate; the predicted force is that with which it presses on "
        "an object that does not accelerate.",
        "The prior estimate of the contact force, whose covariance is the arm's inertia seen from its tip.",
        "free_tip_acceleration",
    ),
    ("contact", CORRECTION): Words(
        "Correction by the object",
        "Where the predicted forces together are not what the object needs, the arms share a part of the "
        "difference according to their inertias, the larger the heavier they are compared with the object.",
        "The object's bias force is the measurement. Its difference from the prediction, weighted by the Kalman "
        "gain of the contacts, corrects the estimate.",
        "corrected_contact_force",
    ),
    ("filter_correction", PREDICTION): Words(
        "Prediction across the link",
        "The contact force is carried inward; each joint gives way to it about its axis and passes on the rest.",
        "A change of the initial state runs through the filter again, with the same gains.",
        "force_correction",
    ),
    ("filter_correction", CORRECTION): Words(
        "Correction at the joint",
        "What the joint feels of the contact force is subtracted; what is left accelerates the joint.",
        "The innovation changes by what the changed state predicts.",
        "modified_innovation",
    ),
    ("filter_correction", BASE): Words(
        "Prediction at the free base",
        "The base feels the part of the contact force that the joints have passed on.",
        "The change of the last predicted state.",
        "force_correction",
    ),
    ("smoother_final", PREDICTION): _SMOOTH_ACROSS,
    ("smoother_final", CORRECTION): _SMOOTH_JOINT,
    ("smoother_final", BASE): _SMOOTH_BASE,
    ("dual_filter", PREDICTION): Words(
        "Prediction across the link, from the base",
        "The articulated inertia and force of everything not outboard are shifted outward to this joint.",
        "The dual state and its covariance are propagated the other way, from the base outward.",
        "dual_articulated_inertia_predicted",
    ),
    ("dual_filter", CORRECTION): Words(
        "Correction at the joint, and combination",
        "A joint without a rotor passes no inertia along its axis this way either. The link accelerates against "
        "both inertias, outboard and inboard: P + S.",
        "Two estimates of one force, with covariances P and S, are combined: P + S is the covariance of their "
        "difference, and no smoother is needed.",
        "acceleration",
    ),
    ("dual_filter", BASE): Words(
        "Start at the base, and combination",
        "Nothing is inboard of the base: the dual inertia starts at zero, and P alone gives the acceleration.",
        "The dual filter starts with covariance zero: outside the base, the force is known to be zero.",
        "acceleration",
    ),
}


def words_of(stage: str, half: int, floats: bool) -> Words:
    """The words of a half-step; ``floats``: whether it is at a floating base."""
    return WORDS[stage, BASE if floats and stage != "contact" else half]


def way(stage: str) -> str:
    return WAYS[direction(stage)]


class Method(NamedTuple):
    """A formulation: its name, what it does, and what it needs of a machine."""

    title: str
    about: str
    needs: str


BOLTED = "arms that are bolted down and hold nothing"
HOLDING = "arms that hold an object, with no joint that follows another"
METHODS: Mapping[str, Method] = {
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
        "Weld all that is outboard of a joint into one rigid body: its inertia gives the joint's column of the "
        "mass matrix from the diagonal inward, and the row by symmetry. Read as estimation, it is the covariance "
        "of a state that nobody measures. R87 Section VII.", BOLTED),
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
}  # fmt: skip
