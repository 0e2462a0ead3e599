"""The papers' claims beyond their tables and figures, each with a verdict, a sentence, and an experiment.

An experiment returns figures, each with the range in which it must lie for the verdict to hold. All are counted by
running the code, or sampled: none is taken from a paper. ``docs.claims`` builds the table of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from dynamics.papers import claim_counts as counted
from dynamics.papers import claim_experiments as tried

Verdict = Literal["true", "false", "true if"]


class Figure(NamedTuple):
    """A number that an experiment finds, and the range in which it supports the verdict."""

    name: str
    value: float
    least: float
    most: float

    @property
    def holds(self) -> bool:
        return bool(np.isfinite(self.value) and self.least <= self.value <= self.most)


@dataclass(frozen=True)
class Claim:
    """A statement of a paper.

    Attributes:
        name: identifier for lookups.
        paper: R87, R88, TML, JR or JZ.
        place: the section.
        says: the claim, paraphrased.
        verdict: ``true if`` is continued by ``because``.
        because: one sentence.
        experiment: yields (name, value, least, most) of each figure.
    """

    name: str
    paper: str
    place: str
    says: str
    verdict: Verdict
    because: str
    experiment: Callable[[], counted.Figures]

    def figures(self) -> tuple[Figure, ...]:
        """The results of the experiment."""
        return tuple(Figure(name, float(value), least, most) for name, value, least, most in self.experiment())


CLAIMS = tuple(Claim(*row) for row in (
    ("gain_grows_with_inertia", "R87", "XI", "A large inertia outboard means a large gain.", "false",
     "the gain P Hᵀ/D has no scale: all inertias ten times as large leave it as it is.", tried.gain_against_scale),
    ("covariance_vanishes", "R87", "XI", "After smoothing nothing is uncertain any more.", "true if",
     "only the joints' own components are meant: along each joint without a rotor the smoothed force is known, "
     "across it P − PΔ⁻P stays.",
     tried.what_smoothing_leaves),
    ("forces_are_random", "R87", "XI", "Inertial forces of links that move are the model's error w.", "true if",
     "the conditional mean is meant: it is M α + b to rounding, while no accelerations of joints give a drawn w.",
     tried.mean_of_the_noise),
    ("whiteness_detects_errors", "R87", "IX, by analogy",
     "Innovations of the right model are white, so coloured ones indicate an error.",
     "true if", "the error changes how the joints couple: with one joint a radian from where it is assumed they "
     "correlate by 0.4; with all links ten per cent heavier than assumed they stay white, with variances of 1.1.",
     tried.whiteness),
    ("innovations_add_up", "R87", "IX, by analogy", "Innovations contain all that the torques contain.", "true",
     "they are an invertible map of the torques: Σ ε²/D of the drawn problem is τᵀM⁻¹τ.", tried.innovations_hold_all),
    ("filter_is_articulated", "R87", "VIII", "D is the inertia about joint k with all joints outboard "
    "unlocked.", "true",
     "it is one over the element of the inverse of the outboard arm's own mass matrix.", tried.joint_inertia_unlocked),
    ("mass_matrix_is_a_covariance", "R87", "VII", "The mass matrix is the torques' covariance.", "true",
     "with one kg m² read as one (N m)²: the scale is arbitrary, the correlations are not.", tried.drawn_mass_matrix),
    ("composite_body", "R87", "VII", "Without measurements the covariance is that of composite rigid bodies.", "true",
     "its r(k) holds the mass, mass centre and inertia of all that is outboard, locked.", tried.composite_is_rigid),
    ("two_sweeps_suffice", "R87", "VIII", "Forward dynamics needs one sweep inward and one outward.", "true",
     "operations grow by the same count with every link.", counted.linear_in_links),
    ("filter_saves_from_five", "R87", "XII", "The filter is cheaper from five links on.", "false",
     "by counted operations, which cross at six; the printed polynomials cross at four, and do favour it from five on.",
     counted.crossing_of_counts),
    ("scalar_division", "R87", "VIII", "No matrix is inverted: each joint divides by one number.", "true",
     "a bolted arm's sweeps make two divisions a link (the gain, the residual), and no more.",
     counted.divisions_of_a_link),
    ("few_parameters_save", "R87", "X", "The articulated body in 21 numbers saves nothing.", "true",
     "it is symmetric, with up to 21 different numbers, where the composite body has ten.", tried.numbers_of_inertias),
    ("start_is_forgotten", "R87", "VIII, by analogy", "Like every filter, this one forgets its start.", "true if",
     "the chain is stretched and D is meant: D is steady from the third link on, while P sums all masses, and a bend "
     "brings them into D.",
     tried.what_is_forgotten),
    ("base_stands_still", "R87", "VI", "The boundary value at the base requires an immobile base.", "true if",
     "zero is meant: a base pushed along in a known way changes the boundary value alone, to its acceleration; one "
     "that turns changes the biases as well.",
     tried.accelerated_base),
    ("residual_of_locked_joints", "R87", "XI",
     "The residual is the joint's acceleration with all later joints locked.", "true if",
     "the arm is at rest; in motion, and with P a in the prediction as in JR, the next link inboard has no "
     "acceleration (α⁺ = 0).", tried.later_joints_locked),
    ("one_pass_with_biases", "R87", "XIII", "No inverse dynamics is needed beforehand.", "true",
     "velocities and weights enter the two sweeps as biases; an inverse dynamics takes 29 per cent of the sweeps' "
     "operations.", tried.biases_in_the_sweeps),
    ("only_contacts_couple", "R88", "1, 9", "Arms exchange numbers only in the third stage.", "true",
     "the free stages of an arm are bit for bit those of the arm alone.", tried.free_stages_alone),
    ("five_stages", "R88", "8", "Five stages solve the closed chain.", "true",
     "accelerations and forces are those of a dense solve that shares no recursion.", tried.five_stages),
    ("dimension", "R88", "11", "The contact stage is of dimension 6(N_A + 1).", "true if",
     "each arm holds rigidly by itself and is not singular: then it eliminates 6 unknowns an arm and 6 of the object.",
     counted.dimension_of_contacts),
    ("linear_in_arms", "R88", "9", "A spoke for each arm leaves a hub that grows slowly.", "true if",
     "(9.1) is used: linear in the arms. Factoring Ω grows with their cube.", counted.hub_by_arms),
    ("second_filter_is_cheaper", "R88", "9", "The second filter needs no inertias, so it costs less than the first.",
     "true", "it takes less than a fifth of the first's operations.", counted.second_filter),
    ("heavy_object_stays", "R88", "9", "A very heavy object does not move, and the contact forces are the "
    "predicted ones.",
     "true if",
     "it does not spin, and nothing but the arms acts on it; under gravity it falls, and a correction remains.",
     tried.heavy_object),
    ("light_object", "R88", "9", "A weightless object follows the arms, and feels no net force.", "true if",
     "the grips hold it in all directions: then A𝒢 goes to one; two points leave a turn about their line.",
     tried.light_object),
    ("contact_gain_is_kalman", "R88", "9", "Both forms of the gain are one.", "true if",
     "Λ(0) can be inverted: short and outstretched arms have the Ω form alone.", tried.forms_of_the_gain),
    ("redundancy", "R88", "5", "Rates are unique for arms without a redundant joint, else the smallest are "
        "taken.", "true",
     "Results 5.4 and 5.5 are one where both exist; redundant arms have null motions, which 5.5 leaves out.",
     tried.rates_of_arms),
    ("projection", "R88", "5", "Rates that contradict the object are projected onto those that do not.", "true",
     "the projected ones leave no gap; they are the smallest that move the object as Result 5.3 has it, so that null "
     "motions are lost.", tried.projected),
    ("closed_chain_is_a_correction", "R88", "10", "Closing the chain subtracts a correction from the free influence.",
     "true", "W = W_FREE − ΔW, and ΔW takes away: it has no negative eigenvalue.", tried.what_holding_takes),
    ("control_through_w", "R88", "12", "W serves to choose torques for wanted accelerations.", "true if",
     "the wanted ones are possible: W has the rank of the motions that the contacts leave, and no inverse.",
     tried.control_through_influence),
    ("bases_may_move", "R88", "2", "Influence matrices need an immobile base.", "false",
     "H = G = 1 at a floating base extends (10.1)-(10.12) as they stand.", tried.influence_in_flight),
    ("arm_may_be_released", "R88", "1", "Chains are opened and closed without another algorithm.", "true",
     "releasing leaves stages one and two as the whole solution.", tried.released),
    ("symmetry", "JR", "1", "No link of a free flyer is preferred as its base.", "true",
     "accelerations do not depend on the link that is called the base.", tried.any_base),
    ("inertia_is_invariant", "JR", "4", "The operational-space inertia does not depend on the base.", "true",
     "P + S stays, P and S change.", tried.invariant_inertia),
    ("momentum_may_change", "JR", "1", "The method holds where momentum is not conserved.", "true",
     "with a thruster on the base both filters still agree with the dense solve.", tried.with_thruster),
    ("parallel_is_faster", "JR", "3.3.2", "Two filters at once are much faster than the conventional sweep.", "true if",
     "links know their own poses (Algorithm 7), and then by half; Algorithm 6 is slower than one filter and "
     "smoother on one processor.", counted.parallel_filters),
    ("depth", "JR", "3.3.2", "A processor for every link shortens the time.", "true if",
     "by a constant factor: each filter still goes through all links one after the other.",
     counted.depth_of_algorithm_7),
    ("sequential_costs_more", "JR", "3.3.2", "Sequentially two filters cost more than one.", "true",
     "about twice as much.", counted.two_filters_in_turn),
    ("redundant_coordinates", "JR", "3.3.1", "Coordinates of their own make the links' equations "
    "differential-algebraic.",
     "true", "the joints drift open, with the fourth power of the step.", tried.drift),
    ("two_recursions_on_a_tree", "JR", "3.4", "On a tree two recursions in opposite directions are enough.", "true",
     "one gain inward and one outward at each joint give every link's acceleration.", tried.tree_in_flight),
    ("mobility_is_invertible", "JR", "4", "Any force moves a free flyer: Λ(k) is invertible.", "true",
     "its least eigenvalue, in units of its diagonal, is positive at every link; near a bolted arm's base it is zero.",
     tried.mobility_of_links),
    ("smoothing_by_two_filters", "JR", "3.3.3", "The pair is a smoother by two independent filters.", "true",
     "(3.12) is the combination of two estimates with covariances P and S.", tried.fraser_potter),
    ("equivalence", "TML", "4", "Lagrange's and Newton and Euler's equations are the same.", "true",
     "each of the proof's 33 lines holds to rounding.", tried.proof),
    ("lagrange_is_costly", "TML", "6", "Lagrange's form is of order n³, the others of order n.", "true",
     "with products kept as in the appendix, 32 links take 6.8 times as many operations as 16; by Newton and Euler "
     "twice as many.", counted.orders),
    ("modified_saves", "TML", "5", "The modified form saves multiplications.", "true",
     "18n + 9 by the code, 18n + 15 by the paper's tables.", counted.modified_form),
    ("modified_is_parallel", "TML", "abstract, 5", "The modified form allows more parallelism.", "true if",
     "the time is meant: with a processor for each term six links take 360 steps, and 402 in the plain form; the gain "
     "over one processor is smaller, 3.0 instead of 3.2.", counted.time_of_modified_form),
    ("strobing_is_linear_work", "TML", "7", "Strobing gives forward dynamics cheaply.", "true if",
     "the arm is short: it grows with the cube of the links, the filter with the links.",
     counted.strobing_against_filter),
    ("strobing_separates", "TML", "3, 8", "Strobing tells inertial from Coriolis terms.", "true if",
     "squares are subtracted: the rates of two joints at once, as printed, give the terms of their squares as well.",
     tried.strobed_parts),
    ("no_differentiation", "JZ", "1 (a)", "Appel's method needs no differentiation of an energy.", "true",
     "W and V are sums over links that agree with the dense equations.", tried.appel),
    ("forces_at_once", "JZ", "1 (b)", "Contact forces and accelerations come out together.", "true if",
     "the object's acceleration is known; it is taken from the sample before, which makes it an iteration.",
     tried.staggered_is_an_iteration),
    ("arms_in_parallel", "JZ", "1 (c)", "Arms simulated in parallel take less time.", "true",
     "within the published step no arm waits for another; by R88's stages, which are exact, four arms are 3.3 times as "
     "fast as on one processor.", tried.arms_at_once),
    ("contacts_are_kinematics", "JZ", "1 (d)", "Contact types enter by kinematics alone.", "true",
     "a point in place of a rigid grip takes rows from J and columns from G, and changes nothing else.",
     tried.contacts_by_kinematics),
    ("stable_step", "JZ", "4.2", "The staggered step follows the motion.", "true if",
     "the object is heavy: the map contracts while its radius is below one, and diverges above.",
     tried.staggered_radius),
    ("w_is_positive", "JZ", "3", "W can always be inverted.", "true if", "every D(k) is positive.",
     tried.positive_mass_matrix),
    ("jacobian_may_be_inverted", "JZ", "3", "So can J W⁻¹ Jᵀ.", "true if",
     "the arm can accelerate in all held directions: planar arms that hold rigidly in space cannot.",
     tried.planar_arms_in_space),
    ("small_error", "JZ", "5", "The position error is about 10⁻⁶.", "true if",
     "the order alone is meant: the printed digits are not reproduced.", tried.example_1_error),
))  # fmt: skip
