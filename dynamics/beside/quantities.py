"""What may be handed in: quantities in the order of the algorithm, how each changes with the convention, and names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal["pose", "motion", "force", "inertia", "body", "mobility", "gain", "axis", "joint", "matrix", "contact",
               "object", "rates"]  # fmt: skip


class Kept(NamedTuple):
    """A quantity that can be compared.

    Attributes:
        letter: its letter in a run.
        stage: which sweep leaves it.
        kind: how it changes with the convention.
        words: what it is.
        symbol: as it is said in plain text.
        turns_with_form: whether the eight forms differ in it.
    """

    letter: str
    stage: str
    kind: Kind
    words: str
    symbol: str
    turns_with_form: bool = False


QUANTITIES: Mapping[str, Kept] = MappingProxyType(
    {
        "link_pose": Kept("pose", "kinematics", "pose", "pose of the link", "pose"),
        "joint_axis": Kept("H", "kinematics", "axis", "joint axis", "H"),
        "link_velocity": Kept("V", "kinematics", "motion", "velocity of the link", "V"),
        "link_inertia": Kept("M", "kinematics", "body", "inertia of the link", "M"),
        "bias_acceleration": Kept("a", "kinematics", "motion", "bias acceleration", "a", True),
        "bias_force": Kept("b", "kinematics", "force", "bias force", "b", True),
        "articulated_inertia": Kept("P", "filter", "inertia", "articulated inertia", "P"),
        "predicted_force": Kept("z", "filter", "force", "predicted force", "z", True),
        "predicted_force_alone": Kept("z_alone", "filter", "force", "predicted force", "z", True),
        "joint_inertia": Kept("D", "filter", "joint", "joint inertia", "D"),
        "joint_inertia_inverse": Kept("D_inverse", "filter", "joint", "inverse of the joint inertia", "1/D"),
        "unscaled_gain": Kept("U", "filter", "gain", "gain times D", "G D"),
        "kalman_gain": Kept("G", "filter", "gain", "Kalman gain", "G"),
        "innovation": Kept("eps", "filter", "joint", "innovation", "ε", True),
        "residual": Kept("nu", "filter", "joint", "residual", "ν", True),
        "corrected_force": Kept("z_plus", "filter", "force", "corrected force", "z⁺", True),
        "articulated_inertia_updated": Kept("P_plus", "filter", "inertia", "updated articulated inertia", "P⁺"),
        "articulated_inertia_kept": Kept("P_kept", "filter", "inertia", "articulated inertia as it is left", "P or P⁺"),
        "joint_acceleration": Kept("theta_dd", "smoother", "joint", "joint acceleration", "θ̈"),
        "acceleration": Kept("alpha", "smoother", "motion", "acceleration of the link", "α", True),
        "joint_and_base_acceleration": Kept(
            "alpha", "smoother", "rates", "acceleration of the joints and of what floats", "θ̈ and α"
        ),
        "costate_covariance": Kept("Lam", "costate covariance", "mobility", "mobility of the link", "Λ"),
        "tip_costate_covariance": Kept("Lam_0", "contact", "contact", "mobility of the tips", "Λ(0)"),
        "contact_force": Kept("x_0", "contact", "contact", "contact force", "x(0)"),
        "object_acceleration": Kept("alpha_C", "contact", "object", "acceleration of the object", "α(C)"),
        "predicted_force_with_contact": Kept(
            "z_held", "filter_correction", "force", "predicted force under the contact forces", "z′", True
        ),
        "modified_innovation": Kept(
            "eps_held", "filter_correction", "joint", "innovation under the contact forces", "ε′", True
        ),
        "modified_residual": Kept(
            "nu_held", "filter_correction", "joint", "residual under the contact forces", "ν′", True
        ),
        "corrected_force_with_contact": Kept(
            "z_plus_held", "filter_correction", "force", "corrected force under the contact forces", "z⁺′", True
        ),
        "final_joint_acceleration": Kept(
            "theta_dd_held", "smoother_final", "joint", "joint acceleration of arms that hold", "θ̈"
        ),
        "final_acceleration": Kept(
            "alpha_held", "smoother_final", "motion", "acceleration of the link of an arm that holds", "α", True
        ),
        "mass_matrix": Kept("M_q", "mass matrix", "matrix", "mass matrix", "M"),
        "mass_matrix_inverse": Kept("M_q_inverse", "mass matrix", "matrix", "inverse of the mass matrix", "M⁻¹"),
    }
)
"""In the order in which the algorithm comes to them, at a link likewise.

``predicted_force_alone`` is z less P a also where the innovation has P a in it, as KDL and Bullet write the two.
"""
OUTWARD = ("kinematics", "smoother", "costate covariance", "smoother_final")
"""Sweeps that go from the base to the tips."""

WHILE_HELD = frozenset(
    name for name, kept in QUANTITIES.items() if kept.stage in ("contact", "filter_correction", "smoother_final")
)
"""Of arms that hold an object only."""

_SAID: Mapping[str, str] = MappingProxyType(
    {
        "link_pose": "pose T oMi X_WB",
        "joint_axis": "H S cdof joint_axis",
        "link_velocity": "V v ov cvel velocity",
        "link_inertia": "M M_k I inertia cinert oinertias M_B",
        "bias_acceleration": "a c bias a_bias",
        "bias_force": "b",
        "articulated_inertia": "P IA I_A Yaba oYaba P_B",
        "predicted_force": "z pA p_A",
        "predicted_force_alone": "z pA p_A",
        "joint_inertia": "D d",
        "joint_inertia_inverse": "Dinv D_inv",
        "unscaled_gain": "U",
        "kalman_gain": "G K UDinv g_PB",
        "innovation": "eps ε epsilon u e",
        "residual": "nu ν",
        "corrected_force": "z_plus z⁺ z+ pa p_a",
        "articulated_inertia_updated": "P_plus P⁺ P+ Ia I_a Yaba oYaba Pplus_PB",
        "articulated_inertia_kept": "Yaba oYaba IA",
        "joint_acceleration": "qdd θ̈ theta_dd ddq qacc QDDot vdot q_dd",
        "acceleration": "alpha α a A a_gf oa_gf oa cacc A_WB",
        "joint_and_base_acceleration": "qdd θ̈ theta_dd ddq qacc QDDot vdot q_dd",
        "costate_covariance": "Lam Lambda Λ",
        "tip_costate_covariance": "Lam_0 Lambda_0 Λ0 Λ(0)",
        "contact_force": "x_0 x(0) x0 f lambda_c contact_forces",
        "object_acceleration": "alpha_C α(C) a_C",
        "predicted_force_with_contact": "z pA p_A",
        "modified_innovation": "eps ε epsilon u e",
        "modified_residual": "nu ν",
        "corrected_force_with_contact": "z_plus z⁺ z+ pa p_a",
        "final_joint_acceleration": "qdd θ̈ theta_dd ddq qacc QDDot vdot q_dd joint_acceleration",
        "final_acceleration": "alpha α a A a_gf oa_gf oa cacc A_WB acceleration",
        "mass_matrix": "M H qM mass B",
        "mass_matrix_inverse": "Minv M_inv M⁻¹",
    }
)
NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        name: tuple(quantity for quantity, said in _SAID.items() if name in (*said.split(), quantity))
        for name in dict.fromkeys([*QUANTITIES, *(name for said in _SAID.values() for name in said.split())])
    }
)
"""What each name may mean: several where libraries differ, and where one overwrites one with the other."""
