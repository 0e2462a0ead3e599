"""What a half-step does, in the words of mechanics and in those of estimation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.state.walk import CORRECTION, PREDICTION, direction

BASE = 2
"""Beside the two halves at a joint: what happens at a base that floats."""

STAGE_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "filter": "Inward filter",
        "smoother": "Outward smoother",
        "contact": "Contact stage",
        "filter_correction": "Inward correction",
        "smoother_final": "Final smoother",
        "dual_filter": "Dual filter",
    }
)
WAYS: Mapping[str, str] = MappingProxyType(
    {"inward": "tip to base", "outward": "base to tip", "across": "arm by arm across the object"}
)


@dataclass(frozen=True)
class Words:
    """One half-step.

    Attributes:
        title: what is done.
        mechanics, estimation: one sentence each.
        computes: what it is for, as the registry calls it: its equation comes first.
    """

    title: str
    mechanics: str
    estimation: str
    computes: str


_SMOOTH_ACROSS = Words(
    "Prediction across the link",
    "The joint's inner side accelerates with the body that it is fixed to, moved along that body's lever arm.",
    "The co-state is carried back across the transition of the filter, by its transpose.",
    "acceleration_inboard",
)
_SMOOTH_JOINT = Words(
    "Correction at the joint",
    "The joint accelerates as it would with the inner side held, less what the inner side's own acceleration takes "
    "away; together they move the link.",
    "The filter's weighted innovation, corrected by all that was measured further inboard, becomes the smoothed "
    "estimate.",
    "joint_acceleration",
)
_SMOOTH_BASE = Words(
    "Start at the free base",
    "Nothing holds the base, so its acceleration is what the bias force does to the inertia of everything.",
    "The smoother starts from the last filtered state, with the last covariance as its weight.",
    "acceleration",
)
WORDS: Mapping[tuple[str, int], Words] = MappingProxyType(
    {
        ("filter", PREDICTION): Words(
            "Prediction across the link",
            "What the outboard links resist and press with is moved to this joint, and the link's own inertia and "
            "bias force are added.",
            "State and covariance are propagated by the transition, and the link's own inertia enters as process "
            "noise.",
            "articulated_inertia",
        ),
        ("filter", CORRECTION): Words(
            "Correction at the joint",
            "The joint cannot resist along its axis: force and inertia along it pass no further than the torque "
            "allows.",
            "The joint's torque, an input of the motion, takes the place of a measurement; what it differs by from the "
            "predicted one, the innovation, corrects the state by the Kalman gain and takes its direction out of the "
            "covariance.",
            "kalman_gain",
        ),
        ("filter", BASE): Words(
            "Prediction at the free base",
            "Inertia and bias force of the whole machine are gathered at the base, which no joint holds.",
            "The last prediction: every measurement has been taken into state and covariance.",
            "articulated_inertia",
        ),
        ("smoother", PREDICTION): _SMOOTH_ACROSS,
        ("smoother", CORRECTION): _SMOOTH_JOINT,
        ("smoother", BASE): _SMOOTH_BASE,
        ("contact", PREDICTION): Words(
            "Prediction by the arm",
            "The arm alone says how its tip would accelerate; the force that would keep the tip from doing so is "
            "predicted, as if the object could not move.",
            "The prior estimate of the contact force, whose covariance is the arm's inertia seen from its tip.",
            "free_tip_acceleration",
        ),
        ("contact", CORRECTION): Words(
            "Correction by the object",
            "The object needs a force of its own to move; what the predicted forces miss is shared out among the "
            "arms by their inertias.",
            "The object's bias force is the measurement; its difference from the predicted one, weighted by the "
            "Kalman gain of the contacts, corrects the estimate.",
            "corrected_contact_force",
        ),
        ("filter_correction", PREDICTION): Words(
            "Prediction across the link",
            "The contact force is carried inward; each joint lets through all but the part along its axis.",
            "A change of the initial state runs through the filter, with the gains that are known already.",
            "force_correction",
        ),
        ("filter_correction", CORRECTION): Words(
            "Correction at the joint",
            "Of the joint's torque the part that holds the contact force is taken away; the rest accelerates.",
            "The innovation is corrected by what the changed state predicts.",
            "modified_innovation",
        ),
        ("filter_correction", BASE): Words(
            "Prediction at the free base",
            "What is left of the contact force arrives at the base.",
            "The change of the last predicted state.",
            "force_correction",
        ),
        ("smoother_final", PREDICTION): _SMOOTH_ACROSS,
        ("smoother_final", CORRECTION): _SMOOTH_JOINT,
        ("smoother_final", BASE): _SMOOTH_BASE,
        ("dual_filter", PREDICTION): Words(
            "Prediction across the link, from the base",
            "What everything inboard resists and presses with is moved outward to this joint.",
            "The dual state and its covariance are propagated against the direction of the first filter.",
            "dual_articulated_inertia_predicted",
        ),
        ("dual_filter", CORRECTION): Words(
            "Correction at the joint, and combination",
            "The joint passes nothing along its axis in this direction either; outboard and inboard together leave "
            "the link one acceleration.",
            "The torque is measured again from the other side; both filters' information adds up, and no smoother "
            "is needed.",
            "acceleration",
        ),
        ("dual_filter", BASE): Words(
            "Start at the base, and combination",
            "Nothing is inboard of the base: the dual inertia starts at zero, and P alone gives the acceleration.",
            "The dual filter starts without information.",
            "acceleration",
        ),
    }
)


def words_of(stage: str, half: int, floats: bool) -> Words:
    """The words of a half-step; ``floats``: at a base that floats."""
    return WORDS[stage, BASE if floats and stage != "contact" else half]


def way(stage: str) -> str:
    return WAYS[direction(stage)]
