"""phi, psi, G, K and tau bar one by one, R88 (3.1) and JR (2.7), (2.9): against levers and a dense mass matrix."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators import filter_operators as operators
from dynamics.operators.operator_factors import OperatorFactors, operator_factors
from dynamics.recursion.transport import transport
from dynamics.witness.kkt import dense_equations, jacobians, joint_motion
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm


@pytest.fixture(params=[(7, 0.0), (10, 0.5)], ids=["chain", "tree"])
def twin(request: pytest.FixtureRequest) -> Twin:
    n, branching = request.param
    rng = np.random.default_rng(80 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0), floating=False)


@pytest.fixture
def f(twin: Twin) -> OperatorFactors:
    return operator_factors(twin.system, twin.state)


def shifts(twin: Twin) -> np.ndarray:
    """phi from the poses and the tree alone: a force at O_i, seen at O_k of each link that carries i."""
    system, at = twin.system, dyn.link_poses(twin.system, twin.state)[:, :3, 3]
    phi = np.zeros((system.n_links, 6, system.n_links, 6))
    for i in range(system.n_links):
        k = i
        while k >= 0:
            phi[k, :, i] = np.eye(6)
            phi[k, :3, i, 3:] = np.cross(at[i] - at[k], np.eye(3)).T
            k = int(system.inboard[k])
    return phi.reshape(6 * system.n_links, -1)


def forces_by_unit_torques(twin: Twin) -> np.ndarray:
    """(n, 6): the force through joint k by a unit torque there while all that is not outboard of k stands still."""
    system, n = twin.system, twin.system.n_joints
    poses, still = dyn.link_poses(system, twin.state), np.zeros(n)
    moved = jacobians(joint_motion(system, poses, still), np.arange(n), poses[:, :3, 3], still)
    by_rates = np.concatenate([moved.angular, moved.linear], axis=1)
    matrix = dense_equations(system, twin.state, poses, np.zeros((n + 1, 6))).mass_matrix
    phi, found = shifts(twin).reshape(n, 6, n, 6), np.zeros((n, 6))
    for k in range(n):
        branch = [i for i in range(n) if phi[k, 0, i, 0]]
        torque = np.zeros(len(branch))
        torque[branch.index(k)] = 1.0
        rates = np.linalg.solve(matrix[np.ix_(branch, branch)], torque)
        for i in branch:
            link, rotation = system.link_models[i], poses[i, :3, :3]
            p = rotation @ link.center_of_mass
            angular, linear = by_rates[i][:3, branch] @ rates, by_rates[i][3:, branch] @ rates
            force = link.mass * (linear + np.cross(angular, p))
            moment = rotation @ link.inertia @ rotation.T @ angular + np.cross(p, force)
            found[k] += phi[k, :, i] @ np.concatenate([moment, force])
    return found


def test_phi_shifts_forces_from_link_to_link(twin: Twin) -> None:
    """R88 (3.1): every block from the points O_k alone, zero where link i does not hang on link k."""
    assert np.allclose(
        operators.transition_matrix(transport(twin.system, twin.state)), shifts(twin), rtol=1e-9, atol=1e-12
    )


def test_operators_of_a_joint_by_pushing_its_branch(twin: Twin, f: OperatorFactors) -> None:
    """JR (2.7), (2.9): G is the force through a joint by a unit torque; K, tau bar and psi follow from it."""
    n, pushed = twin.system.n_joints, forces_by_unit_torques(twin)
    expected = np.zeros((6 * n, n))
    for k in range(n):
        expected[6 * k : 6 * k + 6, k] = pushed[k]
    gain, size = operators.kalman_gain(f.p, f.h, f.d), np.abs(expected).max()
    assert np.abs(gain - expected).max() < 1e-8 * size
    single = np.eye(6 * n) - np.linalg.inv(shifts(twin))
    assert np.abs(operators.gain_inward(f.phi, gain) - single @ expected).max() < 1e-8 * size
    assert np.abs(f.k - single @ expected).max() < 1e-8 * size
    free = np.eye(6 * n) - expected @ f.h
    assert np.abs(operators.reduction(gain, f.h) - free).max() < 1e-8 * size
    psi = np.linalg.inv(np.eye(6 * n) - single @ free)
    found = operators.reduced_transition_matrix(transport(twin.system, twin.state))
    assert np.abs(found - psi).max() < 1e-8 * np.abs(psi).max()
