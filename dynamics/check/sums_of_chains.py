"""R88 Sections 4, 5, 8 and 10: the contacts of a held object, consistent rates, and the five stages in one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from dynamics.check.both_sides import Moment, PaperSum, paper_sum
from dynamics.checks import Array
from dynamics.numbers.least_norm import LeastNorm
from dynamics.operators import object_balance as balance
from dynamics.operators.influence import influence
from dynamics.system.plain_kinematics import shift
from dynamics.system.solution import Solution


def of_chains(solution: Solution) -> Iterator[PaperSum]:
    """The sums for arms that hold an object; none for others."""
    if not solution.system.is_held or "smoother_final" not in solution.stages:
        return
    e = Moment(solution)
    yield from _contacts(e)
    if not e.system.is_floating:
        yield from _rates(e)
    yield from _five_stages(e)


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
    system, state, poses, solution, f = e.system, e.state, e.solution.link_pose, e.solution, e.f
    assert state.object_velocity is not None and solution.object_acceleration is not None
    moved = _at_links(e).T @ f.phi.T  # B' Phi'
    jacobian, dense = moved @ f.h.T, _at_links(e).T @ e.jacobian
    selected, on_object = balance.selected_directions(system, state), balance.grasp_map(system, state)
    by_joints, by_object = selected @ jacobian, selected @ on_object.T

    def smallest(wanted: Array) -> Array:
        return cast(Array, np.linalg.lstsq(by_joints, wanted, rcond=1e-10)[0])

    def nearest(motion: Array) -> Array:
        return cast(Array, np.linalg.lstsq(by_object, motion, rcond=1e-10)[0])

    tips = balance.tip_velocities(system, e.plain.motion, solution.link_velocity).ravel()
    yield paper_sum("R88 (5.3)", "Velocities of contact points", r"V(0)=B^T\Phi^TH^T\dot\theta", jacobian @ state.qd,
                    tips, e.speed)  # fmt: skip
    gap = by_joints @ state.qd - by_object @ state.object_velocity
    velocity = state.object_velocity + nearest(gap)  # the object is free in the directions that no contact transmits
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
        yield paper_sum(source, title, latex, selected @ dense @ smallest(by_object @ of_object), wanted, e.speed)
    yield paper_sum("R88 (5.6)", "Q(0) as a sum", r"Q(0)=B^T\Phi^TH^TH\Phi B", jacobian @ jacobian.T,
                    dense @ dense.T)  # fmt: skip
    q = np.zeros((e.links, 6, 6))
    for k in reversed(range(e.n)):
        row, inner = f.h[k, 6 * k : 6 * k + 6], int(system.inboard[k])
        phi = shift(poses[k, :3, 3] - poses[inner, :3, 3])
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
    free = nearest(by_joints @ joint + selected @ (swung - eta))
    for title, found in (
        ("Smallest accelerations that move the object so", smallest(asked)),
        ("Accelerations projected", smallest(by_object @ free + selected @ (eta - swung))),
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
    pull = _least(jacobian @ response + payload @ lifted, jacobian @ alone)
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


def _least(omega: Array, wanted: Array) -> Array:
    """Omega^-1 ``wanted``, of smallest norm if Omega is singular."""
    return np.asarray(np.linalg.pinv(omega, rcond=1e-10, hermitian=True) @ wanted)
