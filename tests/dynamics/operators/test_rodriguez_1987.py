"""R87: mass matrix and its inverse by recursion, both innovations, the factors, and the analogy by sampling."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.methods.innovations import innovations, smoothed_force_covariance
from dynamics.operators.composite_inertia import composite_inertia, mass_matrix
from dynamics.operators.estimation import sample_estimation
from dynamics.operators.inverse_sweeps import inverse_dynamics
from dynamics.operators.mass_matrix_inverse import acceleration_responses, mass_matrix_inverse
from dynamics.operators.operator_factors import operator_factors
from dynamics.system.plain_kinematics import joint_losses
from dynamics.witness.kkt import dense_equations
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(1, 0.0, False), (7, 0.0, False), (12, 0.5, False), (30, 0.2, False), (8, 0.4, True), (3, 0.9, True)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} joints, branching {case[1]}, floating {case[2]}")
def twin(request: pytest.FixtureRequest) -> Twin:
    n, branching, floating = request.param
    rng = np.random.default_rng(870 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching), floating=floating)


def worst(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))


def dense(twin: Twin):
    poses = dyn.link_poses(twin.system, twin.state)
    return dense_equations(twin.system, twin.state, poses, np.zeros((twin.system.n_links + 1, 6)))


def test_mass_matrix_is_the_covariance_of_an_unobserved_state(twin: Twin) -> None:
    assert worst(mass_matrix(twin.system, twin.state), dense(twin).mass_matrix) < 1e-12


def test_measuring_never_raises_the_covariance(twin: Twin) -> None:
    """P(k) <= r(k): freeing joints can only make a body lighter."""
    composite = composite_inertia(twin.system, twin.state)
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    gap = composite - solution.stages["filter"]["articulated_inertia"]
    assert np.linalg.eigvalsh(gap).min() > -1e-9 * np.abs(composite).max()


def test_inverse_mass_matrix_by_elements(twin: Twin) -> None:
    n, matrix = twin.system.n_joints, dense(twin).mass_matrix
    found = mass_matrix_inverse(twin.system, twin.state)
    expected = np.linalg.inv(matrix)[:n, :n]
    assert worst(found, expected) < 1e-15 * max(np.linalg.cond(matrix), 1e4)
    assert worst(found, found.T) < 1e-12  # across branches both halves are computed


def test_separate_responses_add_up(twin: Twin) -> None:
    """R87 (70): torques, bias forces and bias accelerations each have their own answer."""
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    response = acceleration_responses(twin.system, twin.state)
    n = twin.system.n_joints
    parts = [
        response.to_torque @ (solution.tau - joint_losses(twin.system, twin.state.qd)),
        np.einsum("kli,li->k", response.to_bias_force, solution.bias_force),
        np.einsum("kli,li->k", response.to_bias_acceleration, solution.bias_acceleration[:n]),
    ]
    scale = max(float(np.max(np.abs(part))) for part in parts)
    assert np.max(np.abs(sum(parts) - solution.joint_acceleration)) < 1e-11 * scale
    for part in parts[:2]:
        assert np.max(np.abs(part)) > 0.0
    found = dyn.acceleration_parts(solution)
    for part, own in zip((found.torque, found.bias_force, found.bias_acceleration), parts, strict=True):
        assert np.array_equal(part, own)
    assert not found.contact.any()


def test_inverse_of_forward_is_the_torque(twin: Twin) -> None:
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    wrench = np.zeros((twin.system.n_links + 1, 6))
    found = inverse_dynamics(twin.system, twin.state, solution.joint_acceleration, wrench)
    scale = np.max(np.abs(dense(twin).mass_matrix)) * np.max(np.abs(solution.packed_acceleration))
    assert np.max(np.abs(found - solution.tau)) < 1e-11 * scale


def test_two_innovations_differ_by_the_bias_acceleration(twin: Twin) -> None:
    """eps_JR = eps_R87 - D G' a, with R87's filter run as printed."""
    both = innovations(twin.system, twin.state, twin.tau)
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    stage, n = solution.stages["filter"], twin.system.n_joints
    shift = stage["joint_inertia"] * np.einsum("ki,ki->k", stage["kalman_gain"], solution.bias_acceleration[:n])
    scale = np.max(np.abs(both.rodriguez)) + np.max(np.abs(shift))
    assert np.max(np.abs(both.jain - (both.rodriguez - shift))) < 1e-12 * scale
    assert np.allclose(both.jain_whitened**2 * stage["joint_inertia"], both.jain**2, rtol=1e-12)


def test_smoothed_covariance_is_blind_along_the_measurement(twin: Twin) -> None:
    """R87 (65): S H' = 0 (no rotor in these arms) and S >= 0."""
    covariance = smoothed_force_covariance(twin.system, twin.state)
    inertia = dyn.forward_dynamics(twin.system, twin.state).stages["filter"]["articulated_inertia"]
    size = np.abs(inertia).max(axis=(1, 2))
    assert np.all(np.linalg.eigvalsh(covariance)[:, 0] > -1e-9 * size)
    for k, joint in enumerate(twin.system.joint_models):
        h = np.zeros(6)
        pose = dyn.link_poses(twin.system, twin.state)[k]
        h[0 if joint.kind == "revolute" else 3 :][:3] = pose[:3, :3] @ joint.axis
        assert np.max(np.abs(covariance[k] @ h)) < 1e-9 * size[k]


def test_factors_of_the_mass_matrix() -> None:
    for n, branching in ((5, 0.0), (9, 0.5)):
        rng = np.random.default_rng(n)
        twin = one_arm(rng, draw_robot(rng, n, branching=branching))
        f = operator_factors(twin.system, twin.state)
        matrix = dense(twin).mass_matrix
        assert worst(f.factor @ f.d @ f.factor.T, matrix) < 1e-12
        inverse = f.inverse_factor.T @ np.diag(1.0 / np.diag(f.d)) @ f.inverse_factor
        assert worst(inverse @ matrix, np.eye(n)) < 1e-15 * max(np.linalg.cond(matrix), 1e3)
        assert worst(f.inverse_factor @ f.factor, np.eye(n)) < 1e-10


def test_the_analogy_sampled() -> None:
    """Innovations are white with covariance D; the smoothed error's covariance is R87 (65)."""
    system, state = dyn.example("puma560")  # its rotors are measurement noise
    state = system.state(q=np.linspace(-1.0, 1.0, 6))
    count = 40_000
    drawn = sample_estimation(system, state, count, seed=3)
    stage = dyn.forward_dynamics(system, state).stages["filter"]
    d = stage["joint_inertia"]
    whitened = drawn.innovation / np.sqrt(d)
    # 5 standard errors: of a variance sqrt(2/n), of a correlation 1/sqrt(n).
    assert np.max(np.abs(whitened.T @ whitened / count - np.eye(6))) < 5.0 * np.sqrt(2.0 / count)
    for error, expected in (
        (drawn.prediction_error, stage["articulated_inertia"]),
        (drawn.smoothed_error, smoothed_force_covariance(system, state)),
    ):
        found = np.einsum("ski,skj->kij", error, error) / count
        spread = np.sqrt(np.einsum("kii->ki", expected))
        bound = 5.0 * np.sqrt(2.0 / count) * spread[:, :, None] * spread[:, None, :] + 1e-12
        assert np.all(np.abs(found - expected) <= bound)


def test_estimation_refuses_what_it_cannot_sample() -> None:
    system, state = dyn.example("free_flyer")
    with pytest.raises(dyn.ModelError, match="free flyer"):
        sample_estimation(system, state)
    system, state = dyn.example("planar_chain")
    with pytest.raises(dyn.ModelError, match="n_samples"):
        sample_estimation(system, state, 1)
