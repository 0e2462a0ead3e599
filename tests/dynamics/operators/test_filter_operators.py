"""phi, psi, G, K and tau bar one by one, R88 (3.1) and JR (2.7), (2.9): against levers and a dense mass matrix."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from dynamics.operators import filter_operators as operators
from dynamics.operators.operator_factors import operator_factors
from dynamics.recursion.transport import transport
from tests.dynamics.dense_machine import (
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

CASES = [(7, 0.0), (10, 0.5)]  # joints and branching


def drawn(n: int, branching: float) -> Twin:
    rng = np.random.default_rng(80 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0), floating=False)


def shifts(twin: Twin) -> np.ndarray:
    """phi from the poses and the tree alone: a force at O_i, seen at O_k of each link that carries i."""
    system, at = twin.system, dyn.link_poses(twin.system, twin.state)[:, :3, 3]
    found = np.zeros((system.n_links, 6, system.n_links, 6))
    for k in range(system.n_links):
        for i in links_on(system, k):
            found[k, :, i] = phi(at[i] - at[k])
    return found.reshape(6 * system.n_links, -1)


def forces_by_unit_torques(twin: Twin) -> np.ndarray:
    """(n, 6): the force through joint k by a unit torque there while all that is not outboard of k stands still."""
    system, n = twin.system, twin.system.n_joints
    poses, still = dyn.link_poses(system, twin.state), system.state(twin.state.q)
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


@every(CASES)
def test_phi_shifts_forces_from_link_to_link(n: int, branching: float) -> None:
    """R88 (3.1): every block from the points O_k alone, zero where link i does not hang on link k."""
    twin = drawn(n, branching)
    found = operators.transition_matrix(transport(twin.system, twin.state))
    assert np.allclose(found, shifts(twin), rtol=1e-9, atol=1e-12)


@every(CASES)
def test_operators_of_a_joint_by_pushing_its_branch(n: int, branching: float) -> None:
    """JR (2.7), (2.9): G is the force through a joint by a unit torque; K, tau bar and psi follow from it."""
    twin = drawn(n, branching)
    f, pushed = operator_factors(twin.system, twin.state), forces_by_unit_torques(twin)
    expected = np.zeros((6 * n, n))
    for k in range(n):
        expected[6 * k : 6 * k + 6, k] = pushed[k]
    gain, size = operators.kalman_gain(f.p, f.h, f.d), np.abs(expected).max()
    single = np.eye(6 * n) - np.linalg.inv(shifts(twin))
    free = np.eye(6 * n) - expected @ f.h
    assert np.abs(gain - expected).max() < 1e-8 * size
    assert np.abs(operators.gain_inward(f.phi, gain) - single @ expected).max() < 1e-8 * size
    assert np.abs(f.k - single @ expected).max() < 1e-8 * size
    assert np.abs(operators.reduction(gain, f.h) - free).max() < 1e-8 * size
    psi = np.linalg.inv(np.eye(6 * n) - single @ free)
    found = operators.reduced_transition_matrix(transport(twin.system, twin.state))
    assert np.abs(found - psi).max() < 1e-8 * np.abs(psi).max()
