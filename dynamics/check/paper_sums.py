"""The papers' sums and operator forms of the sweeps, each compared with the sweeps or a dense solve.

Of all links at once, R87 and JR Sections 2-4; of the contacts of a held object, R88 Sections 4, 5, 8 and 10; of free
flyers, JR Sections 3 and 4 and Appendix A.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise

import numpy as np
from scipy.linalg import block_diag, cholesky, solve_triangular

from dynamics.check.both_sides import Moment, PaperSum, paper_sum
from dynamics.checks import Array, brief
from dynamics.errors import ModelError
from dynamics.public import public_as_computed
from dynamics.recursion.inward_filter import corrected, observed
from dynamics.solve.estimation import smoothed_costate
from dynamics.solve.forward_dynamics import FILTER_SMOOTHER, forward_dynamics
from dynamics.solve.influence import influence
from dynamics.solve.mass_matrix_inverse import OperatorFactors, one_step, operator_factors
from dynamics.solve.rebase import rebase, rebase_state
from dynamics.spatial.algebra import SYMMETRIC_INDEX, add21, expand_symmetric, shift_inertia
from dynamics.spatial.least_norm import LeastNorm
from dynamics.system.assembly import with_parts
from dynamics.system.grasp import release
from dynamics.system.plain_kinematics import shift, tilde
from dynamics.system.solution import Solution
from dynamics.witness import equation_of_motion as balance
from dynamics.witness.appel import constrained_arm
from dynamics.witness.equation_of_motion import composite_inertia, mass_matrix


@public_as_computed
def paper_sums(solution: Solution) -> tuple[PaperSum, ...]:
    """The sums behind the sweeps at one moment: R87 (4)-(83), R88 Sections 3-10, JR Sections 2-4 and Appendix A,
    JZ (24)-(26).

    Equations that do not apply are left out: Appendix A for bolted arms, Section 5 for arms that hold nothing.

    Args:
        solution: from ``forward_dynamics`` by ``filter_smoother``.

    Returns:
        One ``PaperSum`` for each equation or group of equations, paper by paper; residuals are dimensionless.

    Raises:
        ModelError: for a solution by another method, which has no stages.
        StateError: if ``solution`` is not a solution.
        SingularConfigurationError: if the arms lose a direction that a sum needs.

    Cost: cubic in the links; the sums for torques alone solve the machine once more, at rest and weightless.
    """
    if "smoother" not in solution.stages:
        raise ModelError(
            f"the sums need stages, which the method {brief(solution.method)} does not return; solve with "
            f"{brief(FILTER_SMOOTHER)}."
        )
    parts = [_motion, _led, _updates, _operators, _from_the_filter, _articulated, _mobility, of_one_input]
    if solution.system.is_held and "smoother_final" in solution.stages:
        parts += [_contacts, _five_stages] if solution.system.is_floating else [_contacts, _rates, _five_stages]
    if solution.system.kind == "free_flyer":
        parts.append(of_flyers)
    with np.errstate(all="ignore"):  # a residual that is not a number is reported as infinite
        moment = Moment(solution)
        return tuple(chain.from_iterable(part(moment) for part in parts))


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
    # Mass, moment and inertia of each articulated body, as the filter stores P; then as matrices.
    poses, nothing, found = e.solution.link_pose, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), list[Array]()
    body, link = np.zeros(21), np.zeros(21)
    for k, joint in enumerate(e.system.joint_models):
        lever = poses[k - 1, :3, 3] - poses[k, :3, 3] if k else np.zeros(3)
        link[SYMMETRIC_INDEX] = e.plain.inertia[k]
        moved = add21(shift_inertia(tuple(body), tuple(lever)), tuple(link))  # R87 (84), propagation
        found.append(expand_symmetric(np.array(moved)))
        seen, d, _ = observed(moved, nothing, tuple(poses[k, :3, :3] @ joint.axis), True, joint.rotor_inertia)
        body = np.array(corrected(moved, nothing, seen, 1.0 / d, 0.0)[0])  # R87 (84), update: D = h' J h
    yield paper_sum("R87 (84)", "The articulated body in 21 numbers", r"P=\phi P^+\phi^T+M", np.array(found),
                    e.filter["articulated_inertia"])  # fmt: skip


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
    a = e.a.reshape(-1, 6)[: e.n]
    residual = np.asarray(e.filter["residual"] + np.einsum("ki,ki->k", gain, a))
    costates = smoothed_costate(e.smoother["acceleration_inboard"][: e.n] + a, gain, e.rows, residual)
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


def of_one_input(moment: Moment) -> Iterator[PaperSum]:
    """R87 (73)-(82): the same posture, at rest and weightless, under torques alone."""
    free = release(moment.system) if moment.system.is_held else moment.system
    system, given = with_parts(free, gravity=np.zeros(3)), moment.state
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
    swept = e.smoother["costate_covariance"]
    carried = np.zeros_like(swept)
    for k, inner in enumerate(np.asarray(system.inboard)):
        if inner >= 0:
            carried[k] = e.plain.shift[k].T @ swept[inner] @ e.plain.shift[k]
    yield paper_sum("R87 (78)-(82)", "Co-state covariance as a sum", r"\Delta^+=\tilde\psi^TH^TD^{-1}H\tilde\psi",
                    e.own(step.T @ observed.T @ np.linalg.solve(f.d, observed) @ step), carried,
                    float(np.abs(swept).max(initial=0.0)))  # fmt: skip


def _contacts(e: Moment) -> Iterator[PaperSum]:
    system, state, solution = e.system, e.state, e.solution
    assert state.object_velocity is not None and solution.object_acceleration is not None
    held = [contact.tip for contact in system.contacts]
    selected = balance.selected_directions(system, state)
    tips = balance.tip_velocities(system, e.plain.motion, solution.link_velocity)
    yield paper_sum("R88 (4.2)", "Velocities of contacts, arm and object", r"V(0)=A^Tv(C)",
                    selected @ balance.contact_velocity(system, state, state.object_velocity).ravel(),
                    selected @ tips.ravel(), e.speed)  # fmt: skip
    acceleration = solution.packed_acceleration[:-6]
    arms = e.dense.constraint[:, :-6] @ acceleration + e.dense.constraint_bias
    arms = arms + selected @ balance.contact_bias(system, state).ravel()
    size = float(np.abs(e.dense.constraint[:, :-6]).max()) * e.pace
    yield paper_sum("R88 (4.3)", "Accelerations of contacts, arm and object", r"\lambda(0)=A^T\alpha(C)+\eta",
                    selected @ balance.contact_acceleration(system, state, solution.object_acceleration).ravel(), arms,
                    size)  # fmt: skip
    if solution.contact_force is not None:
        net = balance.grasp_map(system, state) @ solution.contact_force[held].ravel()  # x(C) = A x(0), (4.1)
        net -= balance.object_bias_force(system, state)  # x(C) = M(C) alpha(C) + b(C), (4.4)
        free = np.asarray(np.linalg.solve(balance.object_inertia(system, state), net), dtype=np.float64)
        moved = balance.contact_acceleration(system, state, free)
        yield paper_sum("R88 (4.6), (7.1)", "The same from contact forces",
                        r"\lambda(0)=A^TM^{-1}(C)[Ax(0)-b(C)]+\eta", selected @ moved.ravel(), arms, size)  # fmt: skip
    z = e.filter["predicted_force"] + solution.stages["filter_correction"]["force_correction"]
    p, final = e.filter["articulated_inertia"], solution.stages["smoother_final"]
    a = e.a.reshape(-1, 6)
    found = z + np.einsum("kij,kj->ki", p, final["acceleration"] - a)
    yield paper_sum(
        "R88 (7.2), (8.6)", "Forces of the closed chain", r"x=z+\delta z+P(\alpha-a)", found, final["force"]
    )


def _at_links(e: Moment) -> Array:
    """B of R88 (5.3), (6 links, 6 contacts): maps contact forces to forces at O_k of the links that hold."""
    result = np.zeros((6 * e.links, 6 * len(e.system.contacts)))
    for i, phi in enumerate(shift(e.plain.motion.contact_lever)):
        k = e.system.contacts[i].link
        result[6 * k : 6 * k + 6, 6 * i : 6 * i + 6] = phi
    return result


def _rates(e: Moment) -> Iterator[PaperSum]:
    """Rates of the joints and of the object; if a contact transmits only some directions, C selects them.

    H Phi B C' [C Q(0) C']^-1, the pseudo-inverse of C B' Phi' H', gives the joint rates and accelerations of smallest
    norm for given contact motions; the pseudo-inverse of C A' gives the object motion closest to them.
    """
    system, state, solution, f = e.system, e.state, e.solution, e.f
    assert state.object_velocity is not None and solution.object_acceleration is not None
    moved = _at_links(e).T @ f.phi.T  # B' Phi'
    jacobian, dense = moved @ f.h.T, _at_links(e).T @ e.jacobian
    selected, on_object = balance.selected_directions(system, state), balance.grasp_map(system, state)
    by_joints, by_object = selected @ jacobian, selected @ on_object.T

    def smallest(matrix: Array, wanted: Array) -> Array:
        return np.asarray(np.linalg.lstsq(matrix, wanted, rcond=1e-10)[0])

    tips = balance.tip_velocities(system, e.plain.motion, solution.link_velocity).ravel()
    yield paper_sum("R88 (5.3)", "Velocities of contact points", r"V(0)=B^T\Phi^TH^T\dot\theta", jacobian @ state.qd,
                    tips, e.speed)  # fmt: skip
    gap = by_joints @ state.qd - by_object @ state.object_velocity
    # The object is free in the directions that no contact transmits.
    velocity = state.object_velocity + smallest(by_object, gap)
    yield paper_sum("R88 Result 5.3", "The object's velocity by the contacts", r"v(C)=(AA^T)^{-1}AV(0)", velocity,
                    state.object_velocity, e.speed)  # fmt: skip
    yield paper_sum("R88 (5.4)", "Arms and object move together", r"B^T\Phi^TH^T\dot\theta=A^Tv(C)", gap,
                    np.zeros_like(gap), e.speed)  # fmt: skip
    wanted = by_object @ state.object_velocity
    if len(by_joints) == e.n and np.linalg.cond(by_joints) < 1e10:  # without redundant joints the rates are unique
        yield paper_sum("R88 Result 5.4", "The only rates that move the object so", r"(B^T\Phi^TH^T)^{-1}A^Tv(C)",
                        np.asarray(np.linalg.solve(by_joints, wanted)), state.qd, e.speed)  # fmt: skip
    for source, title, latex, of_object in (
        ("R88 (5.5)", "Smallest rates that move the object so", r"H\Phi BQ^{-1}(0)A^Tv(C)", state.object_velocity),
        ("R88 Result 5.6", "Rates projected", r"\dot\theta\to\dot\theta_0", velocity),
    ):
        yield paper_sum(source, title, latex, selected @ dense @ smallest(by_joints, by_object @ of_object), wanted,
                        e.speed)  # fmt: skip
    yield paper_sum("R88 (5.6)", "Q(0) as a sum", r"Q(0)=B^T\Phi^TH^TH\Phi B", jacobian @ jacobian.T,
                    dense @ dense.T)  # fmt: skip
    q = np.zeros((e.links, 6, 6))
    for k in reversed(range(e.n)):
        row, inner, phi = f.h[k, 6 * k : 6 * k + 6], int(system.inboard[k]), e.plain.shift[k]
        q[k] = (phi.T @ q[inner] @ phi if inner >= 0 else 0.0) + np.outer(row, row)
    blocks = e.jacobian.reshape(e.links, 6, -1)
    yield paper_sum("R88 (5.7)", "Q outward", r"Q(k)=\phi^TQ(k+1)\phi+H^TH", q,
                    np.einsum("kij,klj->kil", blocks, blocks))  # fmt: skip
    force = np.arange(1.0, len(jacobian) + 1.0)
    yield paper_sum("R88 (5.8)", "Rates inward", r"\dot\theta_0=HX,\;X(k)=\phi X(k-1)", f.h @ (moved.T @ force),
                    dense.T @ force)  # fmt: skip
    joint, arms = solution.joint_acceleration, e.dense.constraint[:, : e.n]
    size = float(np.abs(arms).max()) * e.pace
    swung = moved @ e.a  # B' Phi' a + a(0)
    omega = solution.link_velocity[[contact.link for contact in system.contacts], :3]
    swung.reshape(-1, 6)[:, 3:] += np.cross(omega, np.cross(omega, e.plain.motion.contact_lever))
    eta = balance.contact_bias(system, state).ravel()
    asked = by_object @ solution.object_acceleration + selected @ (eta - swung)
    free = smallest(by_object, by_joints @ joint + selected @ (swung - eta))
    for title, found in (
        ("Smallest accelerations that move the object so", smallest(by_joints, asked)),
        ("Accelerations projected", smallest(by_joints, by_object @ free + selected @ (eta - swung))),
    ):
        yield paper_sum("R88 Result 5.7", title, r"\ddot\theta\to\ddot\theta_0", arms @ found, arms @ joint, size)


def _five_stages(e: Moment) -> Iterator[PaperSum]:
    """Torques alone, at rest and weightless, against the dense equations; C selects what each contact transmits.

    R88 Result 8.2: L = H psi G S is the filter's prediction of each joint's torque, strictly triangular;
    K = D^-1/2 H psi B C' and Omega = K' K + C A' M^-1(C) A C'.
    """
    f, torque = e.f, np.zeros(e.size)
    torque[: e.n] = np.linspace(1.0, 2.0, e.n)
    jacobian, payload = e.dense.constraint[:, : e.size], e.dense.constraint[:, -6:]
    alone = np.asarray(np.linalg.solve(e.mass, torque), dtype=np.float64)
    response = np.linalg.solve(e.mass, jacobian.T)
    lifted = np.linalg.solve(e.dense.mass_matrix[-6:, -6:], payload.T)
    mobile = jacobian @ response + payload @ lifted
    pull = np.linalg.pinv(mobile, rcond=1e-10, hermitian=True) @ (jacobian @ alone)  # the smallest if it is singular
    held = alone - response @ pull
    root, el = cholesky(f.d, lower=True), f.h @ f.psi @ f.k
    selected, on_object = balance.selected_directions(e.system, e.state), balance.grasp_map(e.system, e.state)
    k = solve_triangular(root, f.h @ f.psi @ _at_links(e) @ selected.T, lower=True)
    mobility = on_object.T @ np.linalg.solve(balance.object_inertia(e.system, e.state), on_object)
    omega = LeastNorm(k.T @ k + selected @ mobility @ selected.T)

    def smoothed(innovations: Array) -> Array:
        whitened = solve_triangular(root.T, innovations, lower=False)
        return np.asarray(whitened - el.T @ whitened)

    free = solve_triangular(root, torque - el @ torque, lower=True)
    left = free - k @ omega.solve(k.T @ free)
    yield paper_sum("R88 (8.7)", "The five stages in one line",
                    r"\ddot\theta=(1-L^T)D^{-1/2}(1-K\Omega^{-1}K^T)D^{-1/2}(1-L)\tau", smoothed(left),
                    held)  # fmt: skip
    yield paper_sum("R88 (8.8), (10.2), (10.6)", "Free innovations hold all of the torques",
                    r"e_F=D^{-1/2}(1-L)\tau", np.atleast_1d(free @ free), np.atleast_1d(torque @ alone))  # fmt: skip
    yield paper_sum("R88 (8.9), (10.10)", "Corrected innovations move tips and object alike",
                    r"e=(1-K\Omega^{-1}K^T)e_F", jacobian @ smoothed(left), payload @ (lifted @ pull),
                    float(np.abs(jacobian @ alone).max()))  # fmt: skip
    yield paper_sum("R88 (8.10), (10.1), (10.9)", "Accelerations from innovations", r"\ddot\theta=(1-L^T)D^{-1/2}e",
                    smoothed(free), alone)  # fmt: skip
    yield paper_sum("R88 (10.7)", "Torques to free tips", r"\lambda_F(0)=K^Te_F", k.T @ free,
                    jacobian @ alone)  # fmt: skip
    if e.solution.contact_force is None or e.system.is_floating:
        return
    tip_map = influence(e.system, e.state).sweeps["inward_influence"]["tip_map"]
    swept = tip_map @ e.solution.contact_force.ravel()
    without = e.smoother["joint_acceleration"]
    change, size = e.solution.joint_acceleration - without, float(np.abs(without).max(initial=0.0))
    yield paper_sum("R88 (10.8)", "What contact forces do to the joints",
                    r"\ddot\theta-\ddot\theta_F=\tilde H\psi x(0)", swept, change, size)  # fmt: skip


def of_flyers(e: Moment) -> Iterator[PaperSum]:
    """JR Sections 3 and 4: the dual sweeps of a free flyer."""
    solution = e.solution
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
        yield paper_sum(f"JR {number}", title, latex, np.asarray(left), np.asarray(right))
    inverse = (own.inverse_factor.T @ np.linalg.solve(own.d, own.inverse_factor))[np.ix_(order, order)]
    yield paper_sum("JR (A.19)", "Inverse of the rebased mass matrix", r"(1-H\psi K)^TD^{-1}(1-H\psi K)",
                    inverse @ ordered, one, float((np.abs(inverse) @ np.abs(ordered)).max()))  # fmt: skip
