"""JR Section 2 and (4.1)-(4.6), R88 (3.1) with dense operators: bolted arms, free flyers, trees; by dense Jacobians."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import dynamics as dyn
from dynamics.operators import operator_factors as operators
from dynamics.operators.operator_factors import OperatorFactors, operator_factors
from tests.dynamics.dense_machine import accelerations_of_links, close, dense, motion_of_links, phi
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
def test_phi_is_made_of_single_steps(*case: object) -> None:
    """JR (2.5): phi = (1 - E)^-1, E only between neighbors."""
    twin, f, _ = drawn(*case)
    system, poses = twin.system, dyn.link_poses(twin.system, twin.state)
    step = operators.one_step(f.phi).reshape(system.n_links, 6, system.n_links, 6)
    for i, inner in enumerate(system.inboard):
        expected = np.zeros((system.n_links, 6, 6))
        if inner >= 0:
            expected[inner] = phi(poses[i, :3, 3] - poses[inner, :3, 3])
        assert np.abs(step[:, :, i] - expected).max() < 1e-12


@every(CASES)
def test_motion_and_forces_by_operators(*case: object) -> None:
    """JR (2.3): velocities and accelerations of every link, and the forces that balance them."""
    twin, f, solution = drawn(*case)
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


@every(CASES)
def test_mass_matrix_and_bias_by_operators(*case: object) -> None:
    """JR (2.4a), (2.4b) against sums over the links' Jacobians."""
    twin, f, solution = drawn(*case)
    equations = dense(twin.system, twin.state)
    assert close(operators.newton_euler_factors(f), equations.mass_matrix)
    assert close(operators.bias_torque(f, *inputs(solution)[1:]), equations.bias, 1e-10)


@every(CASES)
def test_riccati_equation(*case: object) -> None:
    """JR (2.8): what P loses on its way to the next link is exactly what M adds there."""
    _, f, _ = drawn(*case)
    assert close(operators.riccati(f), f.m, 1e-10)


@every(CASES)
def test_lemma_2_1(*case: object) -> None:
    """JR (2.10), for a free flyer too: M, the inverse of its factor, and M^-1."""
    twin, f, _ = drawn(*case)
    matrix = dense(twin.system, twin.state).mass_matrix
    assert close(f.factor @ f.d @ f.factor.T, matrix)
    assert close(f.factor @ f.inverse_factor, np.eye(len(matrix)), 1e-9)
    inverse = operators.mass_matrix_inverse(f)
    assert close(inverse @ matrix, np.eye(len(matrix)), 1e-15 * max(np.linalg.cond(matrix), 1e4))


@every(CASES)
def test_accelerations_in_one_line(*case: object) -> None:
    """JR (2.11) against the dense solve."""
    twin, f, solution = drawn(*case)
    expected = dyn.forward_dynamics(twin.system, twin.state, twin.tau, method="kkt").packed_acceleration
    assert close(operators.accelerations(f, *inputs(solution)), expected, 1e-8)


@every(CASES)
def test_steps_to_lemma_3_1(*case: object) -> None:
    """JR (3.8)-(3.10): what the filter found, summed at once, against the dense solve's accelerations."""
    twin, f, solution = drawn(*case)
    expected = dyn.forward_dynamics(twin.system, twin.state, twin.tau, method="kkt").packed_acceleration
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


@every(CASES)
def test_mobility_needs_no_base(*case: object) -> None:
    """JR (4.1)-(4.6): Omega = J M^-1 J' of all links at once, and its blocks by the co-state covariance."""
    twin, f, solution = drawn(*case)
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
    old, new = dyn.link_poses(system, state), dyn.link_poses(other, there)
    at = [other.link_names.index(name) for name in system.link_names]
    moved = [phi(new[a, :3, 3] - old[k, :3, 3]).T for k, a in enumerate(at)]  # velocities at another point of the link
    expected = np.einsum("iab,ibjc,jdc->iajd", moved, before.reshape(7, 6, 7, 6), moved)
    found = after.reshape(7, 6, 7, 6)[at][:, :, at]
    for i in range(7):
        for j in range(7):
            assert close(found[i, :, j], expected[i, :, j], 1e-9)
