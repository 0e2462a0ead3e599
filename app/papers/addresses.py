"""The papers' names, and the address for trying each result on the page: machine, moment and instrument."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

import dynamics as dyn

Query = Mapping[str, str]
PAPERS: Mapping[str, str] = MappingProxyType(
    {
        "R87": "Rodriguez 1987",
        "R88": "Rodriguez 1988",
        "JR": "Jain and Rodriguez",
        "TML": "Turney, Mudge, Lee 1980",
        "JZ": "Jazidie et al. 1993",
    }
)
"""The papers by author and year, in the order of the page."""


def _at(preset: str, tab: str, t: str = "1.000", **more: str) -> Query:
    """A moment at rest, and what is open beside the world."""
    return MappingProxyType({"preset": preset, "t": t, "tab": tab, **more, "play": "0"})


ARM = _at("puma560", "Walk")
COST = _at("planar_chain", "Cost", cost_view="2:0:0")
"""The planar methods, the only ones that R87 counts."""
FLYER = _at("free_flyer", "Two filters")
PLANAR = _at("two_planar_arms", "Contact")
PLACE = {"plots": "Motion", "panels": "Motion;motion/object_position:all~full"}
"""The object's position over the whole run."""


def _walked(formulation: str) -> Query:
    """A formulation for the PUMA 560, and its step."""
    return _at("puma560", "Methods", formulation=formulation)


def _row(preset: str, title: str) -> Query:
    """A sum in a paper, marked in *Check*."""
    return _at(preset, "Check", checked=f"sum/{title}")


def _example(number: int, t: str, tab: str = "Contact", **more: str) -> Query:
    """A moment of one of JZ's examples."""
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


ADDRESSES: Mapping[str, Query] = MappingProxyType(
    {
        "r87_fig_1": ARM,
        "r87_table_1": _at("puma560", "Estimation"),
        "r87_fig_2": _row("puma560", "The composite body is a covariance"),
        "r87_fig_3": _at("puma560", "Walk", stage="smoother"),
        "r87_table_2": COST,
        "r87_table_3": COST,
        "r87_fig_4": COST,
        **dict.fromkeys(("r88_fig_2_1", "r88_fig_9_1"), _pushed("Walk", stage="contact")),
        "r88_fig_9_2": _at("four_arms_and_box", "Cost", cost_view="0:0:1"),
        **dict.fromkeys(("r88_fig_9_3", "r88_limits", "r88_tip_inertia"), _pushed("Contact")),
        "jr_parallel": _at("free_flyer", "Cost", cost_view="0:0:2"),
        "r88_fig_10_1": _pushed("Influence"),
        **dict.fromkeys(("jr_fig_1", "jr_fig_2"), FLYER),
        "jr_fig_3": _at("free_flyer", "Two filters", base="hand"),
        **dict.fromkeys(("jr_fig_4", "jr_fig_5"), _at("free_flyer", "Two filters", base="elbow")),
        "tml_section_4": _at("puma560", "Check", checked="method/lagrange"),
        "tml_fig_1": _walked("newton_euler:5"),
        "tml_fig_2": _walked("lagrange"),
        "tml_fig_3": _walked("lagrange:29"),
        "tml_fig_4": _walked("newton_euler:6"),
        **{f"tml_table_{k}": _at("puma560", "Cost", cost_view=f"1:{k - 1}:0") for k in range(1, 6)},
        "jz_fig_1": _walked("appel"),
        "jz_fig_2": _row("iiwa14", "An arm led by its tip"),
        **dict.fromkeys(("jz_fig_3", "jz_fig_4", "jz_fig_5"), PLANAR),
        "jz_table_1": _example(1, "0.000", "Edit"),
        "jz_fig_6": _example(1, "0.000", **PLACE),
        **dict.fromkeys(("jz_table_2", "jz_fig_7"), _example(1, "3.000", **PLACE)),
        "jz_fig_8": _example(2, "0.000", **PLACE),
        **dict.fromkeys(("jz_fig_9", "jz_table_3"), _example(2, "5.000")),
    }
)
"""The address of each result of ``paper_results()``."""
CLAIMS: Mapping[str, Query] = MappingProxyType(
    {
        **dict.fromkeys(
            ("gain_grows_with_inertia", "filter_is_articulated", "scalar_division", "one_pass_with_biases"), ARM
        ),
        **dict.fromkeys(
            ("covariance_vanishes", "forces_are_random", "whiteness_detects_errors", "innovations_add_up",
             "mass_matrix_is_a_covariance"),
            _at("puma560", "Estimation"),
        ),
        "composite_body": _walked("composite_bodies:3"),
        **dict.fromkeys(("two_sweeps_suffice", "filter_saves_from_five"), COST),
        "few_parameters_save": _row("iiwa14", "The articulated body in 21 numbers"),
        "start_is_forgotten": _at("planar_chain", "Walk"),
        "residual_of_locked_joints": _at("puma560", "Check", checked="filter/locked"),
        "base_stands_still": _at("puma560", "Walk", stage="smoother"),
        **dict.fromkeys(("only_contacts_couple", "five_stages"), _pushed("Walk", stage="contact")),
        **dict.fromkeys(
            ("dimension", "linear_in_arms", "second_filter_is_cheaper", "arms_in_parallel"),
            _at("four_arms_and_box", "Cost", cost_view="0:0:1"),
        ),
        **dict.fromkeys(("heavy_object_stays", "light_object", "contact_gain_is_kalman"), _pushed("Contact")),
        "arm_may_be_released": _pushed("Contact"),
        "redundancy": _row("two_arms_and_box", "Smallest rates that move the object so"),
        "projection": _row("two_arms_and_box", "Rates projected"),
        **dict.fromkeys(
            ("closed_chain_is_a_correction", "control_through_w"), _pushed("Influence")
        ),
        "bases_may_move": _at("free_flyer", "Influence"),
        "symmetry": _at("free_flyer", "Two filters", base="hand"),
        **dict.fromkeys(
            ("inertia_is_invariant", "momentum_may_change", "redundant_coordinates", "mobility_is_invertible",
             "smoothing_by_two_filters"),
            FLYER,
        ),
        **dict.fromkeys(("parallel_is_faster", "sequential_costs_more"), _at("free_flyer", "Cost", cost_view="0:0:2")),
        "depth": _at("free_flyer", "Cost", cost_view="0:0:3"),
        "two_recursions_on_a_tree": _at("two_arm_flyer", "Two filters", "2.400"),
        "equivalence": _at("puma560", "Papers", result="tml_section_4"),
        **dict.fromkeys(
            ("lagrange_is_costly", "modified_saves", "strobing_is_linear_work"),
            _at("puma560", "Cost", cost_view="1:0:0"),
        ),
        "modified_is_parallel": _at("puma560", "Cost", cost_view="1:4:0"),
        "strobing_separates": _walked("strobing:5"),
        "no_differentiation": _walked("appel"),
        "contacts_are_kinematics": _example(2, "5.000"),
        **dict.fromkeys(("forces_at_once", "stable_step", "jacobian_may_be_inverted"), PLANAR),
        "w_is_positive": _walked("appel:12"),
        "small_error": _at("jazidie_1", "Papers", "3.000", result="jz_fig_7"),
    }
)  # fmt: skip
"""The address of each claim of ``dynamics.papers.claims``."""
