"""JR Sections 3 and 4 and Appendix A: the dual sweeps, and the algebra of another base."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dynamics.check.both_sides import BothSides, Moment
from dynamics.operators import base_change as base
from dynamics.operators.dual_smoother import (
    costate_covariance_inward,
    dual_smoother,
    forces_from_inboard,
    forces_from_outboard,
)
from dynamics.operators.operator_factors import mass_matrix_inverse, operator_factors
from dynamics.operators.rebase import rebase, rebase_state
from dynamics.system.solution import Solution

PROOF = {
    "(A.12)": "Change back, before the joint map", "(A.13)": "Velocity of the new base, as one sum",
    "(A.14)": "The change, inverted", "(A.15)": "Transitions behind the change",
    "(A.16)": "Single steps, from either side", "(A.17)": "Velocities by the new operators",
    "(A.18)": "Velocities by the old ones, rates changed back",
}  # fmt: skip
"""What each step of the proof of Lemma A.2 sets equal."""
STEPS = {
    "(A.12)": r"H^TT(n,k)=\mathcal{Q}H^T",
    "(A.13)": r"[X_k,\,\phi^T(n,k)]=E_k\phi^T",
    "(A.14)": r"\mathcal{Q}^{-1}=[E_{1\ldots n};\,E_k\phi^T]",
    "(A.15)": r"\phi^T\mathcal{Q}=\mathcal{N}^{-1},\;\mathcal{N}=[E_{1\ldots n}\phi^{-T};\,E_k]",
    "(A.16)": r"p\,\mathcal{N}\Delta_\phi^T=1-\mathcal{E}_k^T",
    "(A.17)": r"\mathcal{N}^{-1}H^T=\Delta_\phi^T\phi_k^TH_k^Tp",
    "(A.18)": r"\phi^TH^TT(n,k)=\Delta_\phi^T\phi_k^TH_k^Tp",
}
"""The same in letters: E picks links, p puts them in the order of the new base."""


def of_flyers(solution: Solution) -> Iterator[BothSides]:
    """Of a free flyer; nothing of others."""
    if solution.system.kind != "free_flyer":
        return
    e = Moment(solution)
    alpha, joint = dual_smoother(solution)
    yield BothSides("JR (3.5b)", "The dual smoother, from link 1 to the base", r"\ddot\theta=\nu_s-G_s^T\alpha",
                    np.concatenate([joint, alpha.ravel()]),
                    np.concatenate([e.acceleration[: e.n], e.alpha]))  # fmt: skip
    force = e.smoother["force"][: e.n]
    yield BothSides("JR (3.7)", "Force through a joint, from outboard", r"f=P(\alpha-a)+z",
                    forces_from_outboard(solution), force, e.load)  # fmt: skip
    yield BothSides("JR (3.11)", "The same from inboard", r"-f=S\alpha+z_s", -forces_from_inboard(solution), force,
                    e.load)  # fmt: skip
    yield BothSides("JR (4.9)", "Co-state covariance from the other end",
                    r"\Upsilon^+=\bar\tau_s^T\Upsilon\bar\tau_s+H^TD_s^{-1}H", costate_covariance_inward(solution),
                    e.smoother["costate_covariance"])  # fmt: skip
    if e.n and _can_be_base(e):
        yield from _another_base(e)


def _can_be_base(e: Moment) -> bool:
    """Whether the first link has what a base needs: no joint of this machine may have a rotor or slide off."""
    return not e.rotor.any()


def _another_base(e: Moment) -> Iterator[BothSides]:
    """Counted from its first link, O_1 for O_n."""
    system, state, n, f = e.system, e.state, e.n, e.f
    link = system.link_names[0]
    rates, there = base.rebased_rates(system, state, link), base.base_change(system, state, link)
    yield BothSides("JR (A.1)", "Rates with another base hold its velocity", r"\beta_k=[\dot\theta,V(k)]", rates[n:],
                    e.solution.link_velocity[0], float(np.abs(e.v).max()))  # fmt: skip
    yield BothSides("JR (A.2)", "Joint map, the base's apart", r"H_n=\mathrm{diag}(h,1)",
                    base.hinge_map(system, state), f.h)  # fmt: skip
    yield BothSides("JR (A.3)", "Change of base", r"\beta_k=T\beta_n", there @ e.v, rates, 1e-9)
    moved = base.transitions_to(system, state, link) @ f.h[:n, : 6 * n].T
    yield BothSides("JR (A.4)", "What joints do to the new base", r"X_kh^T", moved, e.jacobian[:6, :n])
    back = base.base_change_back(system, state, link)
    yield BothSides("JR (A.5)", "Change back", r"T(n,k)\,T(k,n)=1", back @ there, np.eye(n + 6))
    again = there.T @ base.rebased_mass_matrix(system, state, link) @ there
    yield BothSides("JR (A.6)", "Mass matrix with another base", r"\mathcal{M}_k=T^T\mathcal{M}_nT", again, e.mass)
    other = rebase(system, link)
    moment = rebase_state(system, other, state)
    own = operator_factors(other, moment)
    places = [other.link_names.index(name) for name in system.link_names]
    rows = np.array([r for k in places for r in (range(other.n_joints, n + 6) if k == other.n_joints else (k,))])
    blocks = np.array([6 * k + j for k in places for j in range(6)])
    ordered = base.ordered_mass_matrix(system, state, link)
    factored = (own.factor @ own.d @ own.factor.T)[np.ix_(rows, rows)]
    yield BothSides("JR (A.7)-(A.8)", "Mass matrix in the order of links", r"p\,\mathcal{M}_kp^T", ordered, factored)
    yield BothSides("JR (A.9)", "Its factors by new operators", r"H_k\phi_kM_k\phi_k^TH_k^T",
                    base.rebased_factors(system, state, link), ordered)  # fmt: skip
    for title, latex, formed, expected in (
        ("H of the new base", r"H_k", base.rebased_hinge_map, own.h[np.ix_(rows, blocks)]),
        ("φ of the new base", r"\phi_k", base.rebased_transitions, own.phi[np.ix_(blocks, blocks)]),
        ("M of the new base", r"M_k=\Delta_\phi M_n\Delta_\phi^T", base.rebased_inertias,
         own.m[np.ix_(blocks, blocks)]),
    ):  # fmt: skip
        yield BothSides("JR (A.10)", title, latex, formed(system, state, link), expected)
    step = np.eye(6 * e.links) - base.rebased_one_step(system, state, link)
    yield BothSides("JR (A.11)", "Single steps towards the new base", r"\phi_k=(1-\mathcal{E})^{-1}",
                    step @ own.phi[np.ix_(blocks, blocks)], np.eye(6 * e.links))  # fmt: skip
    for number, (left, right) in base.steps_of_the_proof(system, state, link).items():
        yield BothSides(f"JR {number}", PROOF[number], STEPS[number], left, right)
    inverse = mass_matrix_inverse(own)[np.ix_(rows, rows)]
    size = float((np.abs(inverse) @ np.abs(ordered)).max())
    yield BothSides("JR (A.19)", "Inverse of the rebased mass matrix", r"(1-H\psi K)^TD^{-1}(1-H\psi K)",
                    inverse @ ordered, np.eye(n + 6), size)  # fmt: skip
