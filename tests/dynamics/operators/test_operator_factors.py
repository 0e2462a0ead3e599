"""JR Section 2 and (4.1)-(4.6) with dense operators: bolted arms, free flyers, trees; against dense Jacobians."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators import operator_factors as operators
from dynamics.operators.operator_factors import OperatorFactors, operator_factors
from dynamics.witness.kkt import dense_equations, jacobians, joint_motion
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(1, 0.0, True), (7, 0.0, False), (7, 0.0, True), (10, 0.5, False), (10, 0.5, True)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} joints, branching {case[1]}, floating {case[2]}")
def twin(request: pytest.FixtureRequest) -> Twin:
    n, branching, floating = request.param
    rng = np.random.default_rng(60 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0), floating=floating)


@pytest.fixture
def f(twin: Twin) -> OperatorFactors:
    return operator_factors(twin.system, twin.state)


def close(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-11) -> bool:
    return bool(np.max(np.abs(found - expected)) <= tolerance * max(np.max(np.abs(expected)), 1e-300))


def mass_matrix(twin: Twin) -> np.ndarray:
    poses = dyn.link_poses(twin.system, twin.state)
    return dense_equations(twin.system, twin.state, poses, np.zeros((twin.system.n_links + 1, 6))).mass_matrix


def link_jacobians(twin: Twin) -> np.ndarray:
    """(6 links, N) at O_k, summed joint by joint."""
    _, v = twin.system.pack(twin.state)
    poses = dyn.link_poses(twin.system, twin.state)
    motion = joint_motion(twin.system, poses, v)
    moved = jacobians(motion, np.arange(twin.system.n_links), poses[:, :3, 3], v)
    return np.concatenate([moved.angular, moved.linear], axis=1).reshape(-1, len(v))


def test_phi_is_made_of_single_steps(f: OperatorFactors, twin: Twin) -> None:
    """JR (2.5): phi = (1 - E)^-1, E only between neighbors; R88 (3.1): phi(k, j) phi(j, i) = phi(k, i)."""
    step = operators.one_step(f.phi)
    for k in range(twin.system.n_links):
        for i in range(twin.system.n_links):
            block = step[6 * k : 6 * k + 6, 6 * i : 6 * i + 6]
            if twin.system.inboard[i] != k:
                assert np.abs(block).max() < 1e-12
            else:
                poses = dyn.link_poses(twin.system, twin.state)
                lever = poses[i, :3, 3] - poses[k, :3, 3]
                assert np.allclose(block[:3, 3:] @ [1.0, 2.0, 3.0], np.cross(lever, [1.0, 2.0, 3.0]))
                assert np.allclose(block[3:, 3:], np.eye(3))


def test_motion_and_forces_by_operators(f: OperatorFactors, twin: Twin) -> None:
    """JR (2.3): velocities and accelerations of every link, and the forces that balance them."""
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    _, v = twin.system.pack(twin.state)
    assert close(operators.link_velocity(f, v), link_jacobians(twin) @ v)
    n = twin.system.n_joints
    a = np.zeros_like(solution.bias_acceleration)
    a[:n] = solution.bias_acceleration[:n]
    found = operators.link_acceleration(f, solution.packed_acceleration, a.ravel())
    poses = dyn.link_poses(twin.system, twin.state)
    motion = joint_motion(twin.system, poses, v)
    moved = jacobians(motion, np.arange(twin.system.n_links), poses[:, :3, 3], v)
    rate = np.hstack([moved.angular_rate, moved.linear_rate]).ravel()
    expected = link_jacobians(twin) @ solution.packed_acceleration + rate
    assert close(found, expected)
    force = operators.link_force(f, found, solution.bias_force.ravel())
    torque = f.h @ force
    wanted = np.concatenate([twin.tau, np.zeros(len(torque) - n)])
    losses = dyn.inverse_dynamics(twin.system, twin.state, solution.joint_acceleration) - twin.tau
    assert np.abs(losses).max() < 1e-7 * np.abs(force).max()
    assert np.abs(torque - wanted).max() < 1e-10 * np.abs(force).max()


def test_mass_matrix_and_bias_by_operators(f: OperatorFactors, twin: Twin) -> None:
    """JR (2.4a), (2.4b) against sums over the links' Jacobians."""
    poses = dyn.link_poses(twin.system, twin.state)
    equations = dense_equations(twin.system, twin.state, poses, np.zeros((twin.system.n_links + 1, 6)))
    assert close(operators.newton_euler_factors(f), equations.mass_matrix)
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    a = solution.bias_acceleration.copy()
    a[twin.system.n_joints :] = 0.0
    found = operators.bias_torque(f, a.ravel(), solution.bias_force.ravel())
    assert close(found, equations.bias, 1e-10)


def test_riccati_equation(f: OperatorFactors) -> None:
    """JR (2.8): what P loses on its way to the next link is exactly what M adds there."""
    assert close(operators.riccati(f), f.m, 1e-10)


def test_lemma_2_1(f: OperatorFactors, twin: Twin) -> None:
    """JR (2.10), for a free flyer too: M, the inverse of its factor, and M^-1."""
    matrix = mass_matrix(twin)
    assert close(f.factor @ f.d @ f.factor.T, matrix)
    assert close(f.factor @ f.inverse_factor, np.eye(len(matrix)), 1e-9)
    inverse = operators.mass_matrix_inverse(f)
    assert close(inverse @ matrix, np.eye(len(matrix)), 1e-15 * max(np.linalg.cond(matrix), 1e4))


def test_accelerations_in_one_line(f: OperatorFactors, twin: Twin) -> None:
    """JR (2.11) against the dense solve."""
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau, method="kkt")
    n = twin.system.n_joints
    a = solution.bias_acceleration.copy()
    a[n:] = 0.0
    torque = np.zeros(len(f.d))
    torque[:n] = twin.tau
    found = operators.accelerations(f, torque, a.ravel(), solution.bias_force.ravel())
    scale = np.abs(solution.packed_acceleration).max()
    assert np.abs(found - solution.packed_acceleration).max() < 1e-8 * scale


def test_steps_to_lemma_3_1(f: OperatorFactors, twin: Twin) -> None:
    """JR (3.8)-(3.10): what the filter found, summed at once, against the dense solve's accelerations."""
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    dense = dyn.forward_dynamics(twin.system, twin.state, twin.tau, method="kkt")
    n, stage = twin.system.n_joints, solution.stages["filter"]
    a = solution.bias_acceleration.copy()
    a[n:] = 0.0
    base_force = stage["predicted_force"][n:]
    residual, innovation = np.zeros(len(f.d)), np.zeros(len(f.d))
    residual[:n], innovation[:n] = stage["residual"], stage["innovation"]
    innovation[n:] = -base_force.ravel()  # (3.2)
    residual[n:] = np.linalg.solve(f.d[n:, n:], innovation[n:]) if len(base_force) else 0.0
    _, v = twin.system.pack(twin.state)
    poses = dyn.link_poses(twin.system, twin.state)
    moved = jacobians(joint_motion(twin.system, poses, v), np.arange(twin.system.n_links), poses[:, :3, 3], v)
    rate = np.hstack([moved.angular_rate, moved.linear_rate]).ravel()
    alpha = link_jacobians(twin) @ dense.packed_acceleration + rate
    scale = np.abs(alpha).max()
    assert np.abs(operators.smoothed_accelerations(f, residual, a.ravel()) - alpha).max() < 1e-8 * scale
    inboard = (operators.one_step(f.phi).T @ alpha).reshape(-1, 6)
    reduced = operators.reduced_accelerations(f, residual, a.ravel()).reshape(-1, 6)
    rows = np.array([f.h[k, 6 * k : 6 * k + 6] for k in range(n)])
    for k in range(n):
        expected = inboard[k] - rows[k] * (stage["kalman_gain"][k] @ inboard[k])
        assert np.abs(reduced[k] - expected).max() < 1e-8 * scale
    found = operators.corrected_force(f, innovation, a.ravel(), solution.bias_force.ravel()).reshape(-1, 6)
    size = np.abs(stage["corrected_force"]).max()
    assert np.abs(found[:n] - stage["corrected_force"][:n]).max() < 1e-9 * size


def test_mobility_needs_no_base(f: OperatorFactors, twin: Twin) -> None:
    """JR (4.1)-(4.6): Omega = J M^-1 J' of all links at once, and its blocks by the co-state covariance."""
    jacobian, matrix = link_jacobians(twin), mass_matrix(twin)
    expected = jacobian @ np.linalg.solve(matrix, jacobian.T)
    tolerance = 1e-15 * max(np.linalg.cond(matrix), 1e5)
    assert close(operators.mobility(f), expected, tolerance)
    for k in range(twin.system.n_links):
        own = jacobian[6 * k : 6 * k + 6]
        wanted = own @ np.linalg.solve(matrix, own.T)
        assert close(operators.link_mobility(f, k), wanted, 1e3 * tolerance)
        assert close(operators.mobility_by_jacobian(f, k), wanted, 1e3 * tolerance)
    covariance = dyn.forward_dynamics(twin.system, twin.state).stages["smoother"]["costate_covariance"]
    assert close(operators.mobility_from_covariance(f, covariance), expected, tolerance)


def test_mobility_is_the_same_from_every_base() -> None:
    """JR after (4.5): Omega_k = Omega_p, while H, phi and M all change."""
    rng = np.random.default_rng(5)
    twin = one_arm(rng, draw_robot(rng, 6, fixed=0.0, kinds=("revolute",)), floating=True)
    system, state = twin.system, twin.state
    before = operators.mobility(operator_factors(system, state)).reshape(7, 6, 7, 6)
    other = dyn.rebase(system, system.link_names[0])
    there = dyn.rebase_state(system, other, state)
    after = operators.mobility(operator_factors(other, there)).reshape(7, 6, 7, 6)
    old, new = dyn.link_poses(system, state), dyn.link_poses(other, there)
    for i, one in enumerate(system.link_names):
        for j, two in enumerate(system.link_names):
            a, b = other.link_names.index(one), other.link_names.index(two)
            left, right = (moved(new[at, :3, 3] - old[k, :3, 3]) for at, k in ((a, i), (b, j)))
            assert close(left @ before[i, :, j] @ right.T, after[a, :, b], 1e-9)


def moved(lever: np.ndarray) -> np.ndarray:
    """A velocity at another point of the same link."""
    matrix = np.eye(6)
    matrix[3:, :3] = np.cross(np.eye(3), lever).T
    return matrix
