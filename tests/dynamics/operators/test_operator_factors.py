"""JR Section 2 and (4.1)-(4.6), R88 (3.1) with dense operators: bolted arms, free flyers, trees; by dense Jacobians."""

from functools import lru_cache

import numpy as np

import dynamics as dyn
from dynamics.operators import filter_operators as single_operators
from dynamics.operators import operator_factors as operators
from dynamics.operators.operator_factors import OperatorFactors, operator_factors
from dynamics.recursion.transport import transport
from tests.dynamics.dense_machine import (
    accelerations_of_links,
    close,
    dense,
    link_inertia_about_center,
    links_on,
    mass_centers,
    motion_of_links,
    phi,
)
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(1, 0.0, True), (7, 0.0, False), (7, 0.0, True), (10, 0.5, False), (10, 0.5, True)]
"""Joints, branching, floating."""


@lru_cache(maxsize=8)
def drawn(n: int, branching: float, floating: bool) -> tuple[Twin, OperatorFactors, dyn.Solution]:
    rng = np.random.default_rng(60 + n)
    twin = one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0), floating=floating)
    return twin, operator_factors(twin.system, twin.state), dyn.forward_dynamics(twin.system, twin.state, twin.tau)


def inputs(solution: dyn.Solution) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Torques, bias accelerations and bias forces, flat; a floating base has neither torque nor bias acceleration."""
    n, a = solution.system.n_joints, solution.bias_acceleration.copy()
    a[n:] = 0.0
    torque = np.concatenate([solution.tau, np.zeros(6 * solution.system.n_bases)])
    return torque, a.ravel(), solution.bias_force.ravel()


@every(CASES)
def test_mass_matrix_and_its_factors(*case: object) -> None:
    """JR (2.3)-(2.5), (2.8), (2.10): steps between neighbors, motion and forces, Riccati and Lemma 2.1."""
    twin, f, solution = drawn(*case)
    system, poses = twin.system, dyn.forward_kinematics(twin.system, twin.state).pose
    step = operators.one_step(f.phi).reshape(system.n_links, 6, system.n_links, 6)
    for i, inner in enumerate(system.inboard):
        expected = np.zeros((system.n_links, 6, 6))
        if inner >= 0:
            expected[inner] = phi(poses[i, :3, 3] - poses[inner, :3, 3])
        assert np.abs(step[:, :, i] - expected).max() < 1e-12
    # JR (2.3): velocities and accelerations of every link, and the forces that balance them.
    _, v = twin.system.pack(twin.state)
    jacobian, _ = motion_of_links(twin.system, twin.state)
    assert close(operators.link_velocity(f, v), (jacobian @ v).ravel())
    wanted, a, b = inputs(solution)
    found = operators.link_acceleration(f, solution.packed_acceleration, a)
    assert close(found, accelerations_of_links(twin.system, twin.state, solution.packed_acceleration).ravel())
    force = operators.link_force(f, found, b)
    assert np.abs(f.h @ force - wanted).max() < 1e-10 * np.abs(force).max()
    lost = dyn.inverse_dynamics(twin.system, twin.state, solution.joint_acceleration) - twin.tau
    assert np.abs(lost).max() < 1e-7 * np.abs(force).max()
    # JR (2.4a), (2.4b) against sums over the links' Jacobians.
    equations = dense(twin.system, twin.state)
    assert close(operators.newton_euler_factors(f), equations.mass_matrix)
    assert close(operators.bias_torque(f, *inputs(solution)[1:]), equations.bias, 1e-10)
    # JR (2.8): what P loses on its way to the next link is exactly what M adds there.
    assert close(operators.riccati(f), f.m, 1e-10)
    # JR (2.10), for a free flyer too: M, the inverse of its factor, and M^-1.
    matrix = dense(twin.system, twin.state).mass_matrix
    assert close(f.factor @ f.d @ f.factor.T, matrix)
    assert close(f.factor @ f.inverse_factor, np.eye(len(matrix)), 1e-9)
    inverse = operators.mass_matrix_inverse(f)
    assert close(inverse @ matrix, np.eye(len(matrix)), 1e-15 * max(np.linalg.cond(matrix), 1e4))


@every(CASES)
def test_accelerations_in_one_line_and_mobility_without_a_base(*case: object) -> None:
    """JR (2.11), (3.8)-(3.10), (4.1)-(4.6): against the dense solve and Omega = J M^-1 J'."""
    twin, f, solution = drawn(*case)
    expected = dyn.forward_dynamics(twin.system, twin.state, twin.tau, method="kkt").packed_acceleration
    assert close(operators.accelerations(f, *inputs(solution)), expected, 1e-8)
    # JR (3.8)-(3.10): what the filter found, summed at once, against the dense solve's accelerations.
    n, stage, (_, a, b) = twin.system.n_joints, solution.stages["filter"], inputs(solution)
    innovation = np.concatenate([stage["innovation"], -stage["predicted_force"][n:].ravel()])  # (3.2)
    residual = np.linalg.solve(f.d, innovation)
    assert close(residual[:n], stage["residual"], 1e-11)
    alpha = accelerations_of_links(twin.system, twin.state, expected)
    scale = np.abs(alpha).max()
    assert np.abs(operators.smoothed_accelerations(f, residual, a) - alpha.ravel()).max() < 1e-8 * scale
    inboard = (operators.one_step(f.phi).T @ alpha.ravel()).reshape(-1, 6)
    reduced = operators.reduced_accelerations(f, residual, a).reshape(-1, 6)
    for k in range(n):
        row = f.h[k, 6 * k : 6 * k + 6]
        assert np.abs(reduced[k] - inboard[k] + row * (stage["kalman_gain"][k] @ inboard[k])).max() < 1e-8 * scale
    found = operators.corrected_force(f, innovation, a, b).reshape(-1, 6)[:n]
    assert np.abs(found - stage["corrected_force"][:n]).max() < 1e-9 * np.abs(stage["corrected_force"]).max()
    # JR (4.1)-(4.6): Omega = J M^-1 J' of all links at once, and its blocks by the co-state covariance.
    jacobian, matrix = motion_of_links(twin.system, twin.state)[0], dense(twin.system, twin.state).mass_matrix
    flat = jacobian.reshape(-1, len(matrix))
    expected, tolerance = flat @ np.linalg.solve(matrix, flat.T), 1e-15 * max(np.linalg.cond(matrix), 1e5)
    assert close(operators.mobility(f), expected, tolerance)
    for k in range(twin.system.n_links):
        wanted = expected[6 * k : 6 * k + 6, 6 * k : 6 * k + 6]
        assert close(operators.link_mobility(f, k), wanted, 1e3 * tolerance)
        assert close(operators.mobility_by_jacobian(f, k), wanted, 1e3 * tolerance)
    covariance = solution.stages["smoother"]["costate_covariance"]
    assert close(operators.mobility_from_covariance(f, covariance), expected, tolerance)


def test_mobility_is_the_same_from_every_base() -> None:
    """JR after (4.5): Omega_k = Omega_p, while H, phi and M all change."""
    rng = np.random.default_rng(5)
    twin = one_arm(rng, draw_robot(rng, 6, fixed=0.0, kinds=("revolute",)), floating=True)
    system, state = twin.system, twin.state
    other = dyn.rebase(system, system.link_names[0])
    there = dyn.rebase_state(system, other, state)
    before, after = (operators.mobility(operator_factors(*each)) for each in ((system, state), (other, there)))
    old, new = dyn.forward_kinematics(system, state).pose, dyn.forward_kinematics(other, there).pose
    at = [other.link_names.index(name) for name in system.link_names]
    moved = [phi(new[a, :3, 3] - old[k, :3, 3]).T for k, a in enumerate(at)]  # velocities at another point of the link
    expected = np.einsum("iab,ibjc,jdc->iajd", moved, before.reshape(7, 6, 7, 6), moved)
    found = after.reshape(7, 6, 7, 6)[at][:, :, at]
    for i in range(7):
        for j in range(7):
            assert close(found[i, :, j], expected[i, :, j], 1e-9)


PUSHED = [(7, 0.0), (10, 0.5)]  # joints and branching


def bolted(n: int, branching: float) -> Twin:
    rng = np.random.default_rng(80 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0), floating=False)


def shifts(twin: Twin) -> np.ndarray:
    """phi from the poses and the tree alone: a force at O_i, seen at O_k of each link that carries i."""
    system, at = twin.system, dyn.forward_kinematics(twin.system, twin.state).pose[:, :3, 3]
    found = np.zeros((system.n_links, 6, system.n_links, 6))
    for k in range(system.n_links):
        for i in links_on(system, k):
            found[k, :, i] = phi(at[i] - at[k])
    return found.reshape(6 * system.n_links, -1)


def forces_by_unit_torques(twin: Twin) -> np.ndarray:
    """(n, 6): the force through joint k by a unit torque there while all that is not outboard of k stands still."""
    system, n = twin.system, twin.system.n_joints
    poses, still = dyn.forward_kinematics(system, twin.state).pose, system.state(twin.state.q)
    centers = mass_centers(system, poses)
    by_rates, _ = motion_of_links(system, still, centers)
    matrix, found = dense(system, still).mass_matrix, np.zeros((n, 6))
    for k in range(n):
        branch = links_on(system, k)
        torque = np.zeros(len(branch))
        torque[branch.index(k)] = 1.0
        rates = np.linalg.solve(matrix[np.ix_(branch, branch)], torque)
        for i in branch:
            moved = by_rates[i][:, branch] @ rates
            moment = link_inertia_about_center(system, poses, i) @ moved[:3]
            force = np.concatenate([moment, system.link_models[i].mass * moved[3:]])
            found[k] += phi(centers[i] - poses[k, :3, 3]) @ force
    return found


@every(PUSHED)
def test_operators_of_a_joint_by_pushing_its_branch(n: int, branching: float) -> None:
    """R88 (3.1), JR (2.7), (2.9): G is the force through a joint by a unit torque; K, tau bar, psi follow."""
    twin = bolted(n, branching)
    found = single_operators.transition_matrix(transport(twin.system, twin.state))
    assert np.allclose(found, shifts(twin), rtol=1e-9, atol=1e-12)
    # JR (2.7), (2.9): G is the force through a joint by a unit torque; K, tau bar and psi follow from it.
    f, pushed = operator_factors(twin.system, twin.state), forces_by_unit_torques(twin)
    expected = np.zeros((6 * n, n))
    for k in range(n):
        expected[6 * k : 6 * k + 6, k] = pushed[k]
    gain, size = single_operators.kalman_gain(f.p, f.h, f.d), np.abs(expected).max()
    single = np.eye(6 * n) - np.linalg.inv(shifts(twin))
    free = np.eye(6 * n) - expected @ f.h
    assert np.abs(gain - expected).max() < 1e-8 * size
    assert np.abs(single_operators.gain_inward(f.phi, gain) - single @ expected).max() < 1e-8 * size
    assert np.abs(f.k - single @ expected).max() < 1e-8 * size
    assert np.abs(single_operators.reduction(gain, f.h) - free).max() < 1e-8 * size
    psi = np.linalg.inv(np.eye(6 * n) - single @ free)
    found = single_operators.reduced_transition_matrix(transport(twin.system, twin.state))
    assert np.abs(found - psi).max() < 1e-8 * np.abs(psi).max()
