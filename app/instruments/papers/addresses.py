"""The papers' names, and the address for trying each result on the page: machine, moment and instrument."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import dynamics as dyn

Query = Mapping[str, str]
PAPERS: Mapping[str, str] = {
    "R87": "Rodriguez 1987",
    "R88": "Rodriguez 1988",
    "JR": "Jain and Rodriguez",
    "TML": "Turney, Mudge, Lee 1980",
    "JZ": "Jazidie et al. 1993",
}
"""The papers by author and year, in the order of the page."""


def _at(preset: str, tab: str, t: str = "1.000", **more: str) -> Query:
    """A moment at rest, and what is open beside the world."""
    return {"preset": preset, "t": t, "tab": tab, **more, "play": "0"}


ARM = _at("puma560", "Walk")
COST = _at("planar_chain", "Cost", cost_view="2:0:0")  # The planar methods, the only ones that R87 counts
FLYER = _at("free_flyer", "Two filters")
WHEEL = _at("four_arms_and_box", "Cost", cost_view="0:0:1")
PLANAR = _at("two_planar_arms", "Contact")
PLACE = {"plots": "Motion", "panels": "Motion;motion/object_position:all~full"}
"""The object's position over the whole run."""


def _walked(formulation: str) -> Query:
    return _at("puma560", "Methods", formulation=formulation)


def _row(preset: str, title: str) -> Query:
    return _at(preset, "Check", checked=f"sum/{title}")


def _example(number: int, t: str, tab: str = "Contact", **more: str) -> Query:
    return _at(f"jazidie_{number}", tab, t, **more)


def _pushed(tab: str, **more: str) -> Query:
    """Two arms at rest with a box, their weight, and torques from -5 to 5 N m: the moment for recomputing R88."""
    system, state = dyn.example("two_arms_and_box")
    torques = np.linspace(-5.0, 5.0, system.n_joints).tolist()
    said = {
        "drive": "free",
        "posture": ",".join(map(repr, state.q.tolist())),
        "torques": ",".join(f"{k}:{torque!r}" for k, torque in enumerate(torques)),
    }
    return _at("two_arms_and_box", tab, "0.000", **said, **more)


def _named(*rows: tuple[Query, str]) -> Mapping[str, Query]:
    return {name: query for query, names in rows for name in names.split()}


ADDRESSES = _named(
    (ARM, "r87_fig_1"),
    (_at("puma560", "Estimation"), "r87_table_1"),
    (_row("puma560", "The composite body is a covariance"), "r87_fig_2"),
    (_at("puma560", "Walk", stage="smoother"), "r87_fig_3"),
    (COST, "r87_table_2 r87_table_3 r87_fig_4"),
    (_pushed("Walk", stage="contact"), "r88_fig_2_1 r88_fig_9_1"),
    (WHEEL, "r88_fig_9_2"),
    (_pushed("Contact"), "r88_fig_9_3 r88_limits r88_tip_inertia"),
    (_at("free_flyer", "Cost", cost_view="0:0:2"), "jr_parallel"),
    (_pushed("Influence"), "r88_fig_10_1"),
    (FLYER, "jr_fig_1 jr_fig_2"),
    (_at("free_flyer", "Two filters", base="hand"), "jr_fig_3"),
    (_at("free_flyer", "Two filters", base="elbow"), "jr_fig_4 jr_fig_5"),
    (_at("puma560", "Check", checked="method/lagrange"), "tml_section_4"),
    (_walked("newton_euler:5"), "tml_fig_1"),
    (_walked("lagrange"), "tml_fig_2"),
    (_walked("lagrange:29"), "tml_fig_3"),
    (_walked("newton_euler:6"), "tml_fig_4"),
    *((_at("puma560", "Cost", cost_view=f"1:{k - 1}:0"), f"tml_table_{k}") for k in range(1, 6)),
    (_walked("appel"), "jz_fig_1"),
    (_row("iiwa14", "An arm led by its tip"), "jz_fig_2"),
    (PLANAR, "jz_fig_3 jz_fig_4 jz_fig_5"),
    (_example(1, "0.000", "Edit"), "jz_table_1"),
    (_example(1, "0.000", **PLACE), "jz_fig_6"),
    (_example(1, "3.000", **PLACE), "jz_table_2 jz_fig_7"),
    (_example(2, "0.000", **PLACE), "jz_fig_8"),
    (_example(2, "5.000"), "jz_fig_9 jz_table_3"),
)
"""The address of each result of ``paper_results()``."""
CLAIMS = _named(
    (ARM, "gain_grows_with_inertia filter_is_articulated scalar_division one_pass_with_biases"),
    (_at("puma560", "Estimation"), "covariance_vanishes forces_are_random whiteness_detects_errors innovations_add_up "
     "mass_matrix_is_a_covariance"),
    (_walked("composite_bodies:3"), "composite_body"),
    (COST, "two_sweeps_suffice filter_saves_from_five"),
    (_row("iiwa14", "The articulated body in 21 numbers"), "few_parameters_save"),
    (_at("planar_chain", "Walk"), "start_is_forgotten"),
    (_at("puma560", "Check", checked="filter/locked"), "residual_of_locked_joints"),
    (_at("puma560", "Walk", stage="smoother"), "base_stands_still"),
    (_pushed("Walk", stage="contact"), "only_contacts_couple five_stages"),
    (WHEEL, "dimension linear_in_arms second_filter_is_cheaper arms_in_parallel"),
    (_pushed("Contact"), "heavy_object_stays light_object contact_gain_is_kalman arm_may_be_released"),
    (_row("two_arms_and_box", "Smallest rates that move the object so"), "redundancy"),
    (_row("two_arms_and_box", "Rates projected"), "projection"),
    (_pushed("Influence"), "closed_chain_is_a_correction control_through_w"),
    (_at("free_flyer", "Influence"), "bases_may_move"),
    (_at("free_flyer", "Two filters", base="hand"), "symmetry"),
    (FLYER, "inertia_is_invariant momentum_may_change redundant_coordinates mobility_is_invertible "
     "smoothing_by_two_filters"),
    (_at("free_flyer", "Cost", cost_view="0:0:2"), "parallel_is_faster sequential_costs_more"),
    (_at("free_flyer", "Cost", cost_view="0:0:3"), "depth"),
    (_at("two_arm_flyer", "Two filters", "2.400"), "two_recursions_on_a_tree"),
    (_at("puma560", "Papers", result="tml_section_4"), "equivalence"),
    (_at("puma560", "Cost", cost_view="1:0:0"), "lagrange_is_costly modified_saves strobing_is_linear_work"),
    (_at("puma560", "Cost", cost_view="1:4:0"), "modified_is_parallel"),
    (_walked("strobing:5"), "strobing_separates"),
    (_walked("appel"), "no_differentiation"),
    (_example(2, "5.000"), "contacts_are_kinematics"),
    (PLANAR, "forces_at_once stable_step jacobian_may_be_inverted"),
    (_walked("appel:12"), "w_is_positive"),
    (_at("jazidie_1", "Papers", "3.000", result="jz_fig_7"), "small_error"),
)  # fmt: skip
"""The address of each claim of ``dynamics.papers.claims``."""
