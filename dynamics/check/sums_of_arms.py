"""R87 and JR Sections 2-4: velocities, accelerations, forces and matrices of all links at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import block_diag

from dynamics.check.both_sides import Moment, PaperSum, paper_sum
from dynamics.checks import Array
from dynamics.numbers.spatial import SYMMETRIC_INDEX, add21, expand_symmetric, shift_inertia
from dynamics.operators.equation_of_motion import composite_inertia
from dynamics.operators.estimation import smoothed_costate
from dynamics.operators.mass_matrix_inverse import OperatorFactors, one_step
from dynamics.recursion.inward_filter import corrected, observed
from dynamics.solve.forward_dynamics import forward_dynamics
from dynamics.system.assembly import with_parts
from dynamics.system.grasp import release
from dynamics.system.plain_kinematics import shift, tilde
from dynamics.system.solution import Solution
from dynamics.witness.appel import constrained_arm


def of_arms(solution: Solution) -> Iterator[PaperSum]:
    """The sums for the given motion, with the object released."""
    e = Moment(solution)
    yield from _motion(e)
    yield from _led(e)
    yield from _updates(e)
    yield from _operators(e)
    yield from _from_the_filter(e)
    yield from _articulated(e)
    yield from _mobility(e)


def _motion(e: Moment) -> Iterator[PaperSum]:
    f, swept, given = e.f, e.solution.link_velocity.ravel(), e.acceleration
    yield paper_sum("R87 (11)-(12), R88 (5.1)-(5.2), JR (2.1)-(2.3)", "Velocities outward, as one sum",
                    r"V=\phi^TH^T\dot\theta", f.phi.T @ f.h.T @ e.v, swept)  # fmt: skip
    alpha = f.phi.T @ (f.h.T @ given + e.a)
    yield paper_sum("R87 (23), JR (2.3)", "Accelerations as a sum", r"\alpha=\phi^T(H^T\ddot\theta+a)", alpha, e.alpha)
    force = f.phi @ (f.m @ e.alpha + e.b)
    if "force" in e.smoother:
        yield paper_sum("R87 (4)-(6), (8)-(10), (24)-(25), JR (2.3)", "Forces inward, as one sum",
                        r"x=\phi(M\alpha+b)", force, e.smoother["force"].ravel(), e.load)  # fmt: skip
    rotors = np.concatenate([e.rotor * given[: e.n], np.zeros(e.size - e.n)])
    yield paper_sum("R87 (16)-(21), JR (2.1)-(2.3)", "Each joint feels its torque", r"\tau=Hx", f.h @ force + rotors,
                    e.torque, e.load)  # fmt: skip
    moved = f.h @ f.phi
    whole = moved @ f.m @ moved.T @ given + moved @ (f.m @ f.phi.T @ e.a + e.b) + rotors
    yield paper_sum("JR (2.4)", "Mass matrix and bias by operators", r"H\phi M\phi^TH^T\ddot\theta+C=\tau", whole,
                    e.torque, e.load)  # fmt: skip
    composite = composite_inertia(e.system, e.state)
    yield paper_sum("R87 (26)-(29)", "The composite body is a covariance", r"r(k)=\phi r\phi^T+M", composite,
                    e.own(f.phi @ f.m @ f.phi.T))  # fmt: skip
    yield paper_sum("R87 (33)", "The composite body in ten numbers", r"r=[J,\,\rho\tilde C;\,-\rho\tilde C,\,\rho]",
                    _in_ten_numbers(e), composite)  # fmt: skip


def _in_ten_numbers(e: Moment) -> Array:
    """Mass, centre and inertia of each link with all outboard of it, R87 (33) in (32); then as matrices."""
    at, mass = e.solution.link_pose[:, :3, 3], np.array([link.mass for link in e.system.link_models])
    center, inertia = e.plain.motion.mass_lever.copy(), e.plain.inertia[:, :3, :3].copy()  # from, and about, O_k
    for j, k in enumerate(np.asarray(e.system.inboard)):  # locked joints add masses, moments and inertias
        if k >= 0:
            moved, total = center[j] + at[j] - at[k], mass[j] + mass[k]
            before, after = tilde(center[j]), tilde(moved)
            inertia[k] += inertia[j] + mass[j] * (before @ before - after @ after)
            center[k] = (mass[j] * moved + mass[k] * center[k]) / total if total else 0.0
            mass[k] = total
    skew = mass[:, None, None] * tilde(center)
    return np.block([[inertia, skew], [-skew, mass[:, None, None] * np.eye(3)]])


def _articulated(e: Moment) -> Iterator[PaperSum]:
    """The sums for a chain of revolute joints, the only case in the paper."""
    inboard = np.asarray(e.system.inboard)[: e.n]
    turns = all(joint.kind == "revolute" for joint in e.system.joint_models)
    if e.system.is_floating or not turns or not np.array_equal(inboard, [*range(1, e.n), -1]):
        return
    yield paper_sum("R87 (84)", "The articulated body in 21 numbers", r"P=\phi P^+\phi^T+M", _in_21_numbers(e),
                     e.filter["articulated_inertia"])  # fmt: skip


def _in_21_numbers(e: Moment) -> Array:
    """Mass, moment and inertia of each articulated body, as the filter stores P; then as matrices."""
    poses, nothing, found = e.solution.link_pose, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), list[Array]()
    body, link = np.zeros(21), np.zeros(21)
    for k, joint in enumerate(e.system.joint_models):
        lever = poses[k - 1, :3, 3] - poses[k, :3, 3] if k else np.zeros(3)
        link[SYMMETRIC_INDEX] = e.plain.inertia[k]
        moved = add21(shift_inertia(tuple(body), tuple(lever)), tuple(link))  # R87 (84), propagation
        found.append(expand_symmetric(np.array(moved)))
        seen, d, _ = observed(moved, nothing, tuple(poses[k, :3, :3] @ joint.axis), True, joint.rotor_inertia)
        body = np.array(corrected(moved, nothing, seen, 1.0 / d, 0.0)[0])  # R87 (84), update: D = h' J h
    return np.array(found)


def _led(e: Moment) -> Iterator[PaperSum]:
    """An arm whose tip is given one more unit of acceleration in its direction of highest mobility."""
    if e.system.is_floating or e.system.is_held or not e.n:
        return
    tip = e.system.tips[0]
    phi = shift(e.solution.link_pose[tip.link, :3, :3] @ tip.pose[:3, 3])
    jacobian = (phi.T @ e.jacobian[6 * tip.link : 6 * tip.link + 6])[3:]
    mobility = jacobian @ np.linalg.solve(e.mass, jacobian.T)
    readiness, ways = np.linalg.eigh(mobility)
    if not readiness[-1] > 0.0:  # a tip on its only axis
        return
    way = ways[:, -1]
    row = np.concatenate([np.zeros(3), way])[None]
    more, less = (constrained_arm(e.system, e.state, e.solution.tau, row, [by]).acceleration for by in (1.0, 0.0))
    answer = np.linalg.solve(e.mass, jacobian.T @ way) / readiness[-1]
    yield paper_sum("JZ (24)-(26)", "An arm led by its tip", r"W\ddot q-J^T\lambda=P,\;J\ddot q=\ddot X_c", more - less,
                    answer, float(np.abs(more).max()))  # fmt: skip


def _updates(e: Moment) -> Iterator[PaperSum]:
    p, updated, gain = (
        e.filter[name] for name in ("articulated_inertia", "articulated_inertia_updated", "kalman_gain")
    )
    costates = np.array([
        smoothed_costate(
            e.smoother["acceleration_inboard"][k] + e.a[6 * k : 6 * k + 6], gain[k], e.rows[k],
            np.asarray(e.filter["residual"][k] + gain[k] @ e.a[6 * k : 6 * k + 6]),
        )
        for k in range(e.n)
    ])  # fmt: skip
    yield paper_sum("R87 (48)", "The other form of the costate's update", r"\lambda=(1-GH)^T\lambda^++H^Te^+", costates,
                    e.smoother["acceleration"][: e.n])  # fmt: skip
    left = np.eye(6) - gain[:, :, None] * e.rows[:, None, :]
    yield paper_sum("R87 (50)", "P⁺ from one side", r"P^+=(1-GH)P", left @ p[: e.n], updated[: e.n])
    if not e.rotor.any():
        yield paper_sum("R87 (51)", "P⁺ from both sides", r"P^+=(1-GH)P(1-GH)^T",
                        left @ p[: e.n] @ left.transpose(0, 2, 1), updated[: e.n])  # fmt: skip


def _operators(e: Moment) -> Iterator[PaperSum]:
    f, eye = e.f, np.eye(6 * e.links)
    step, gain, step_free = one_step(f.phi), e.gain, one_step(f.psi)
    neighbors = np.zeros((e.links, e.links), bool)
    for i, k in enumerate(np.asarray(e.system.inboard)):
        if k >= 0:
            neighbors[k, i] = True
    near = np.kron(neighbors, np.ones((6, 6)))
    yield paper_sum("R88 (3.1), JR (2.5)", "φ is made of single steps", r"\phi=(1-\mathcal{E}_\phi)^{-1}",
                    f.phi @ (eye - step * near), eye)  # fmt: skip
    yield paper_sum("JR (2.9)", "ψ steps across free joints", r"\mathcal{E}_\psi=\mathcal{E}_\phi(1-GH)",
                    step_free, step @ (eye - gain @ f.h))  # fmt: skip
    swept = np.array([gain[6 * k : 6 * k + 6, k] for k in range(e.n)])
    yield paper_sum("JR (2.7)", "The gain of all joints", r"G=PH^TD^{-1}", swept, e.filter["kalman_gain"])
    yield paper_sum("JR (2.7)", "The same one step inward", r"K=\mathcal{E}_\phi G", step @ gain, f.k)
    if not e.rotor.any():
        yield paper_sum("JR (2.8)", "The Riccati equation", r"M=P-\mathcal{E}_\psi P\mathcal{E}_\psi^T",
                        f.p - step_free @ f.p @ step_free.T, f.m)  # fmt: skip
    yield paper_sum("JR (2.10)", "Factors of the mass matrix", r"\mathcal{M}=(1+H\phi K)D(1+H\phi K)^T",
                    f.factor @ f.d @ f.factor.T, e.mass)  # fmt: skip
    one = np.eye(e.size)
    yield paper_sum("JR (2.10)", "The factor's inverse", r"(1+H\phi K)(1-H\psi K)=1", f.factor @ f.inverse_factor, one)
    inverse = f.inverse_factor.T @ np.linalg.solve(f.d, f.inverse_factor)
    yield paper_sum("R87 XI, JR (2.10)", "Factors of its inverse",
                    r"\mathcal{M}^{-1}=(1-H\psi K)^TD^{-1}(1-H\psi K)", inverse @ e.mass, one,
                    float((np.abs(inverse) @ np.abs(e.mass)).max(initial=0.0)))  # fmt: skip


def _from_the_filter(e: Moment) -> Iterator[PaperSum]:
    f, z = e.f, e.filter["predicted_force"]
    residual, innovation = np.zeros(e.size), np.zeros(e.size)
    residual[: e.n], innovation[: e.n] = e.filter["residual"], e.filter["innovation"]
    innovation[e.n :] = -z[e.n :].ravel()  # JR (3.2)
    if e.size > e.n:
        residual[e.n :] = np.linalg.solve(f.d[e.n :, e.n :], innovation[e.n :])
    innovations = e.torque - f.h @ f.psi @ (f.k @ e.torque + f.p @ e.a + e.b)
    found = f.inverse_factor.T @ np.linalg.solve(f.d, innovations) - f.k.T @ f.psi.T @ e.a
    yield paper_sum("JR (2.11), (3.2)", "Accelerations in one line",
                    r"\ddot\theta=(1-H\psi K)^TD^{-1}[\tau-H\psi(K\tau+Pa+b)]-K^T\psi^Ta", found, e.acceleration,
                    e.pace)  # fmt: skip
    given = f.h.T @ residual + e.a
    yield paper_sum("JR (3.8)", "Accelerations from residuals", r"\alpha=\psi^T(H^T\nu+a)", f.psi.T @ given, e.alpha)
    inboard = one_step(f.phi).T @ e.alpha
    yield paper_sum("JR (3.9)", "The same past the joint", r"\bar\tau^T\alpha^+=\tilde\psi^T(H^T\nu+a)",
                    f.psi.T @ given - given, inboard - f.h.T @ (e.gain.T @ inboard),
                    float(np.abs(e.alpha).max(initial=0.0)))  # fmt: skip
    corrected = (f.phi @ (e.gain @ innovation + f.p @ e.a + e.b)).reshape(-1, 6)[: e.n]
    yield paper_sum("JR (3.10)", "Corrected force as a sum", r"z^+=\phi(G\epsilon+Pa+b)", corrected,
                    e.filter["corrected_force"][: e.n], float(np.abs(z).max(initial=0.0)))  # fmt: skip


def _mobility(e: Moment) -> Iterator[PaperSum]:
    f, swept = e.f, e.smoother["costate_covariance"]
    jacobian = f.phi.T @ f.h.T
    yield paper_sum("JR (4.3)", "Jacobian of a link", r"J(k)=B^T(k)\phi^TH^T", jacobian, e.jacobian)
    observed = f.h @ f.psi
    whole = observed.T @ np.linalg.solve(f.d, observed)
    dense = e.jacobian @ np.linalg.solve(e.mass, e.jacobian.T)
    yield paper_sum("JR (4.4)", "Mobility of all links at once", r"\Omega=\psi^TH^TD^{-1}H\psi", whole, dense)
    by_jacobian = jacobian @ np.linalg.solve(f.factor @ f.d @ f.factor.T, jacobian.T)
    yield paper_sum("JR (4.1)-(4.2)", "Of each link by its Jacobian", r"\Lambda(k)=J\mathcal{M}^{-1}J^T",
                    e.own(by_jacobian), swept)  # fmt: skip
    yield paper_sum("JR (4.5)", "Its diagonal blocks", r"\Lambda(k)=B^T(k)\Omega B(k)", e.own(whole), swept)
    yield paper_sum("JR (4.6)", "All of it from these", r"\Omega=\Lambda+\tilde\psi^T\Lambda+\Lambda\tilde\psi",
                    _mobility_from_covariance(f, swept), whole)  # fmt: skip


def _mobility_from_covariance(f: OperatorFactors, costate_covariance: Array) -> Array:
    """Omega = Y + psi~' Y + Y psi~, with psi~ = psi - 1, JR (4.6), and for a tree the blocks between branches too.

    The paper has no branches. Links i and j on different branches meet at the first link c inboard of both:
    Omega(i, j) = psi'(c, i) Y(c) psi(c, j).

    Args:
        costate_covariance: (links, 6, 6), Y(k); R87's Delta-, R88's Lambda.
    """
    y, links = block_diag(*costate_covariance), len(costate_covariance)
    beyond = f.psi - np.eye(len(f.psi))
    omega = np.asarray(y + beyond.T @ y + y @ beyond)
    psi, blocks = f.psi.reshape(links, 6, links, 6), omega.reshape(links, 6, links, 6)
    outboard = f.phi[::6, ::6] > 0.5  # phi(k, i) starts with 1 if link i is link k or outboard of it
    for i, j in np.argwhere(~(outboard | outboard.T)):
        inward_of_both = np.flatnonzero(outboard[:, i] & outboard[:, j])
        if len(inward_of_both):
            c = inward_of_both[0]  # links are numbered inward
            blocks[i, :, j] = psi[c, :, i].T @ costate_covariance[c] @ psi[c, :, j]
    return omega


def of_one_input(solution: Solution) -> Iterator[PaperSum]:
    """R87 (73)-(82): the same posture, at rest and weightless, under torques alone."""
    free = release(solution.system) if solution.system.is_held else solution.system
    system, given = with_parts(free, gravity=np.zeros(3)), solution.state
    state = system.state(given.q, None, given.base_pose, object_pose=given.object_pose)
    e = Moment(forward_dynamics(system, state, np.linspace(1.0, 2.0, system.n_joints)))
    f = e.f
    given_torque = np.concatenate([e.solution.tau, np.zeros(e.size - e.n)])
    z = f.psi @ f.k @ given_torque
    yield paper_sum("R87 (73)", "Predicted force as a sum, at rest", r"z=\psi K\tau", z,
                    e.filter["predicted_force"].ravel(), 1e-9)  # fmt: skip
    residual = np.linalg.solve(f.d, given_torque - f.h @ z)
    smoothed = f.psi.T @ f.h.T @ residual
    yield paper_sum("R87 (74)", "Residuals as a sum, at rest", r"e^+=D^{-1}(\tau-Hz)", residual[: e.n],
                    e.filter["residual"])  # fmt: skip
    step, observed = one_step(f.phi), f.h @ f.psi
    inboard = (step.T @ smoothed).reshape(-1, 6)[: e.n]
    yield paper_sum("R87 (75)", "Costate as a sum, at rest", r"\lambda^+=\tilde\psi^TH^Te^+", inboard,
                    e.smoother["acceleration_inboard"][: e.n], float(np.abs(e.alpha).max()))  # fmt: skip
    yield paper_sum("R87 (76)-(77)", "Accelerations from residuals, at rest", r"\ddot\theta=e^+-G^T\lambda^+",
                    residual - f.k.T @ smoothed, e.acceleration)  # fmt: skip
    swept, poses = e.smoother["costate_covariance"], e.solution.link_pose
    carried = np.zeros_like(swept)
    for k, inner in enumerate(np.asarray(system.inboard)):
        if inner >= 0:
            phi = shift(poses[k, :3, 3] - poses[inner, :3, 3])
            carried[k] = phi.T @ swept[inner] @ phi
    yield paper_sum("R87 (78)-(82)", "Co-state covariance as a sum", r"\Delta^+=\tilde\psi^TH^TD^{-1}H\tilde\psi",
                    e.own(step.T @ observed.T @ np.linalg.solve(f.d, observed) @ step), carried,
                    float(np.abs(swept).max(initial=0.0)))  # fmt: skip
