"""JR Sections 3 and 4 and Appendix A: the dual sweeps, and the algebra of a change of base."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.linalg import block_diag

from dynamics.check.both_sides import Moment, PaperSum, paper_sum
from dynamics.operators.equation_of_motion import mass_matrix
from dynamics.operators.mass_matrix_inverse import operator_factors
from dynamics.operators.rebase import rebase, rebase_state
from dynamics.system.plain_kinematics import shift
from dynamics.system.solution import Solution


def of_flyers(solution: Solution) -> Iterator[PaperSum]:
    """The sums for a free flyer; none for others."""
    if solution.system.kind != "free_flyer":
        return
    e = Moment(solution)
    dual, system, at = solution.stages["dual_filter"], e.system, solution.link_pose[:, :3, 3]
    rows, bias = e.rows, solution.bias_acceleration
    whole = dual["dual_articulated_inertia"] + e.plain.inertia  # S + M
    alpha, joint = e.smoother["acceleration"].copy(), e.smoother["joint_acceleration"].copy()
    alpha[0] = -np.linalg.solve(whole[0], dual["dual_corrected_force"][0] + solution.bias_force[0])
    for k in system.path_inward(0)[:-1]:  # the paper adds a_s, which is -a; links off the path keep the smoother's
        joint[k] = dual["dual_residual"][k] - dual["dual_kalman_gain"][k] @ alpha[k]
        inner = int(system.inboard[k])
        alpha[inner] = shift(at[inner] - at[k]).T @ (alpha[k] - rows[k] * joint[k] - bias[k])
    yield paper_sum("JR (3.5b)", "The dual smoother, from link 1 to the base", r"\ddot\theta=\nu_s-G_s^T\alpha",
                    np.concatenate([joint, alpha.ravel()]),
                    np.concatenate([e.acceleration[: e.n], e.alpha]))  # fmt: skip
    force, moving = e.smoother["force"][: e.n], e.smoother["acceleration"]
    outboard = np.einsum("kij,kj->ki", e.filter["articulated_inertia"], moving - bias) + e.filter["predicted_force"]
    yield paper_sum("JR (3.7)", "Force through a joint, from outboard", r"f=P(\alpha-a)+z", outboard[: e.n], force,
                    e.load)  # fmt: skip
    inboard = np.einsum("kij,kj->ki", dual["dual_articulated_inertia"], moving) + dual["dual_corrected_force"]
    yield paper_sum("JR (3.11)", "The same from inboard", r"-f=S\alpha+z_s", -inboard[: e.n], force, e.load)
    covariance, known = np.zeros((e.links, 6, 6)), np.zeros(e.links, bool)
    for k in range(e.n):  # from every leaf; where branches meet, each gives the same
        if not known[k]:
            covariance[k] = np.linalg.solve(whole[k], np.eye(6))
        tau_bar = np.eye(6) + np.outer(dual["dual_kalman_gain"][k], rows[k])
        updated = tau_bar.T @ covariance[k] @ tau_bar + np.outer(rows[k], rows[k]) / dual["dual_joint_inertia"][k]
        inner = int(system.inboard[k])
        back = shift(at[inner] - at[k])
        covariance[inner], known[inner] = back.T @ updated @ back, True
    yield paper_sum("JR (4.9)", "Co-state covariance from the other end",
                    r"\Lambda^+=\bar\tau_s^T\Lambda\bar\tau_s+H^TD_s^{-1}H", covariance,
                    e.smoother["costate_covariance"])  # fmt: skip
    if e.n and not e.rotor.any():  # the change of base needs joints without rotors
        yield from of_another_base(e, 0)


def of_another_base(e: Moment, link: int) -> Iterator[PaperSum]:
    """Link k of the flyer becomes the base instead of link n, without renumbering; JR Appendix A.

    Rates are beta_n = [beta(1) ... beta(n-1), V(n)] and beta_k = [beta(1) ... beta(n-1), V(k)], the base's six rows
    last; links and joints keep their numbers. JR treats a chain; here links may branch: only joints on the path from k
    to n reverse, and the reference point of a link there is its outboard joint. The paper omits the change of sign of a
    reversed joint, which JR 3.1 states for the dual. ``rebase`` builds the same machine with renumbered links; its
    operators are the other sides.
    """
    system, state, n, f, k = e.system, e.state, e.n, e.f, link
    poses, size = e.solution.link_pose, 6 * e.links
    at, way, one = poses[:, :3, 3], system.path_inward(link), np.eye(n + 6)
    to_k, to_n = shift(at[k] - at[-1]).T, shift(at[-1] - at[k]).T  # phi'(n, k), phi'(k, n) = its inverse, (3.4)
    rates = np.concatenate([state.qd, e.solution.link_velocity[k]])
    yield paper_sum("JR (A.1)", "Rates with another base hold its velocity", r"\beta_k=[\dot\theta,V(k)]", rates[n:],
                    (e.jacobian @ e.v).reshape(-1, 6)[k], float(np.abs(e.v).max()))  # fmt: skip
    rows, h = e.rows, block_diag(*e.rows, np.eye(6))
    yield paper_sum("JR (A.2)", "Joint map, the base's apart", r"H_n=\mathrm{diag}(h,1)", h, f.h)
    x = np.zeros((6, 6 * n))
    for i in way[:-1]:
        x[:, 6 * i : 6 * i + 6] = shift(at[k] - at[i]).T
    moved = x @ h[:n, : 6 * n].T
    there, back = one.copy(), one.copy()  # T(k, n) and T(n, k)
    there[n:, :n], there[n:, n:] = moved, to_k
    back[n:, :n], back[n:, n:] = -to_n @ x @ h[:n, : 6 * n].T, to_n
    yield paper_sum("JR (A.3)", "Change of base", r"\beta_k=T\beta_n", there @ e.v, rates, 1e-9)
    yield paper_sum("JR (A.4)", "What joints do to the new base", r"X_kh^T", moved,
                    e.jacobian[6 * k : 6 * k + 6, :n])  # fmt: skip
    yield paper_sum("JR (A.5)", "Change back", r"T(n,k)\,T(k,n)=1", back @ there, one)
    rebased_mass = back.T @ mass_matrix(system, state) @ back
    yield paper_sum("JR (A.6)", "Mass matrix with another base", r"\mathcal{M}_k=T^T\mathcal{M}_nT",
                    there.T @ rebased_mass @ there, e.mass)  # fmt: skip
    other = rebase(system, system.link_names[k])
    own = operator_factors(other, rebase_state(system, other, state))
    places = [other.link_names.index(name) for name in system.link_names]
    order = np.array([r for i in places for r in (range(n, n + 6) if i == n else (i,))])
    blocks = np.array([6 * i + j for i in places for j in range(6)])
    hangs_on = list(range(e.links))  # the joint of each link, seen from the new base; the last one is the free joint
    hangs_on[k] = n
    for outer, inner in pairwise(way):
        hangs_on[inner] = outer
    p = one[[r for joint in hangs_on for r in (range(n, n + 6) if joint == n else (joint,))]]
    ordered: np.ndarray = p @ rebased_mass @ p.T
    yield paper_sum("JR (A.7)-(A.8)", "Mass matrix in the order of links", r"p\,\mathcal{M}_kp^T", ordered,
                    (own.factor @ own.d @ own.factor.T)[np.ix_(order, order)])  # fmt: skip
    points = at.copy()
    for outer, inner in pairwise(way):
        points[inner] = (poses[inner] @ system.joint_models[outer].origin)[:3, 3]
    turned = [np.eye(6) if joint == n else rows[joint] if joint == i else -rows[joint] for i, joint in
              enumerate(hangs_on)]  # fmt: skip
    step = np.zeros((size, size))
    for i in range(e.links):
        if i != k:
            inner = way[way.index(i) - 1] if i in way else int(system.inboard[i])
            step[6 * inner : 6 * inner + 6, 6 * i : 6 * i + 6] = shift(points[i] - points[inner])
    delta = block_diag(*shift(at - points))
    phi_k: np.ndarray = np.linalg.solve(np.eye(size) - step, np.eye(size))
    h_k = block_diag(*turned)
    m_k = delta @ f.m @ delta.T
    yield paper_sum("JR (A.9)", "Its factors by new operators", r"H_k\phi_kM_k\phi_k^TH_k^T",
                    h_k @ phi_k @ m_k @ phi_k.T @ h_k.T, ordered)  # fmt: skip
    square = np.ix_(blocks, blocks)
    yield paper_sum("JR (A.10)", "H of the new base", r"H_k", h_k, own.h[np.ix_(order, blocks)])
    yield paper_sum("JR (A.10)", "φ of the new base", r"\phi_k", phi_k, own.phi[square])
    yield paper_sum("JR (A.10)", "M of the new base", r"M_k=\Delta_\phi M_n\Delta_\phi^T", m_k, own.m[square])
    yield paper_sum("JR (A.11)", "Single steps towards the new base", r"\phi_k=(1-\mathcal{E})^{-1}",
                    (np.eye(size) - step) @ own.phi[square], np.eye(size))  # fmt: skip
    q = np.eye(size)
    q[-6:, :-6], q[-6:, -6:] = -to_n @ x, to_n
    chosen, joints = np.zeros((6, size)), np.eye(size)[:-6]
    chosen[:, 6 * k : 6 * k + 6] = np.eye(6)
    neighbors = np.vstack([joints @ np.linalg.inv(f.phi.T), chosen])
    ways = np.zeros_like(step)
    for i, joint in enumerate(hangs_on):
        row = k if joint == n else joint
        slid = shift(points[i] - at[row]).T  # along a prismatic joint
        ways[6 * i : 6 * i + 6, 6 * joint : 6 * joint + 6] = slid if row == i else -slid
    velocities = delta.T @ phi_k.T @ h_k.T @ p
    # The steps of the proof of Lemma A.2: E selects links, p permutes them into the order of the new base.
    for number, title, latex, left, right in (
        ("(A.12)", "Change back, before the joint map", r"H^TT(n,k)=\mathcal{Q}H^T", h.T @ back, q @ h.T),
        ("(A.13)", "Velocity of the new base, as one sum", r"[X_k,\,\phi^T(n,k)]=E_k\phi^T", np.hstack([x, to_k]),
         chosen @ f.phi.T),
        ("(A.14)", "The change, inverted", r"\mathcal{Q}^{-1}=[E_{1\ldots n};\,E_k\phi^T]", np.linalg.inv(q),
         np.vstack([joints, chosen @ f.phi.T])),
        ("(A.15)", "Transitions behind the change",
         r"\phi^T\mathcal{Q}=\mathcal{N}^{-1},\;\mathcal{N}=[E_{1\ldots n}\phi^{-T};\,E_k]", f.phi.T @ q,
         np.linalg.inv(neighbors)),
        ("(A.16)", "Single steps, from either side", r"p\,\mathcal{N}\Delta_\phi^T=1-\mathcal{E}_k^T",
         ways @ neighbors @ delta.T, np.eye(size) - step.T),
        ("(A.17)", "Velocities by the new operators", r"\mathcal{N}^{-1}H^T=\Delta_\phi^T\phi_k^TH_k^Tp",
         np.linalg.inv(neighbors) @ h.T, velocities),
        ("(A.18)", "Velocities by the old ones, rates changed back",
         r"\phi^TH^TT(n,k)=\Delta_\phi^T\phi_k^TH_k^Tp", f.phi.T @ h.T @ back, velocities),
    ):  # fmt: skip
        yield paper_sum(f"JR {number}", title, latex, left, right)
    inverse = (own.inverse_factor.T @ np.linalg.solve(own.d, own.inverse_factor))[np.ix_(order, order)]
    yield paper_sum("JR (A.19)", "Inverse of the rebased mass matrix", r"(1-H\psi K)^TD^{-1}(1-H\psi K)",
                    inverse @ ordered, one, float((np.abs(inverse) @ np.abs(ordered)).max()))  # fmt: skip
