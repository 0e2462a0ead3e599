"""R87: mass matrix and its inverse by recursion, both innovations, the factors, and the analogy by sampling."""

from functools import lru_cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.solve.estimation import sample_estimation, smoothed_force_covariance
from dynamics.solve.influence import acceleration_parts
from dynamics.solve.mass_matrix_inverse import acceleration_responses, operator_factors, state_covariance
from dynamics.system.plain_kinematics import joint_losses
from tests.dynamics.dense_machine import dense
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(1, 0.0, False), (7, 0.0, False), (12, 0.5, False), (30, 0.2, False), (8, 0.4, True), (3, 0.9, True)]
"""Joints, branching, floating."""


@lru_cache(maxsize=8)
def drawn(n: int, branching: float, floating: bool) -> tuple[Twin, dyn.Solution, np.ndarray]:
    """The machine, its solution and its dense mass matrix."""
    rng = np.random.default_rng(870 + n)
    twin = one_arm(rng, draw_robot(rng, n, branching=branching), floating=floating)
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    return twin, solution, dense(twin.system, twin.state).mass_matrix


@every(CASES)
def test_answers_and_innovations_add_up(*case: object) -> None:
    """R87 (65), (70), and eps_JR = eps_R87 - D G' a, with R87's filter run as printed."""
    twin, solution, _ = drawn(*case)
    response, n = acceleration_responses(twin.system, twin.state), twin.system.n_joints
    parts = [
        response.to_torque @ (solution.tau - joint_losses(twin.system, twin.state.qd)),
        np.einsum("kli,li->k", response.to_bias_force, solution.bias_force),
        np.einsum("kli,li->k", response.to_bias_acceleration, solution.bias_acceleration[:n]),
    ]
    scale = np.abs(parts).max()
    assert np.max(np.abs(sum(parts) - solution.joint_acceleration)) < 1e-11 * scale
    assert all(np.max(np.abs(part)) > 0.0 for part in parts[:2])
    found = acceleration_parts(solution)
    for part, own in zip((found.torque, found.bias_force, found.bias_acceleration), parts, strict=True):
        assert np.array_equal(part, own)
    assert not found.contact.any()
    # eps_JR = eps_R87 - D G' a, with R87's filter run as printed: its lines of the text.
    text, a = dyn.read_textbook(twin.system, twin.state, twin.tau), solution.bias_acceleration[:n]
    eps, printed, d = (np.ravel(text.letter(name))[:n] for name in ("eps", "e_minus", "D"))
    moved = d * np.einsum("ki,ki->k", solution.stages["filter"]["kalman_gain"], a)
    assert np.max(np.abs(eps - (printed - moved))) < 1e-11 * (np.max(np.abs(printed)) + np.max(np.abs(moved)))
    # R87 (65): S H' = 0 (no rotor in these arms) and S >= 0.
    covariance = smoothed_force_covariance(twin.system, twin.state)
    size = np.abs(solution.stages["filter"]["articulated_inertia"]).max(axis=(1, 2))
    assert np.all(np.linalg.eigvalsh(covariance)[:, 0] > -1e-9 * size)
    for k, joint in enumerate(twin.system.joint_models):
        h = solution.link_pose[k, :3, :3] @ joint.axis
        along = covariance[k, :, :3] if joint.kind == "revolute" else covariance[k, :, 3:]
        assert np.max(np.abs(along @ h)) < 1e-9 * size[k]


@pytest.mark.parametrize("name", ["puma560", "free_flyer"])  # rotors are measurement noise; a free base is measured
def test_the_analogy_sampled(name: str) -> None:
    """Innovations are white with covariance D; the covariances of all errors are those of R87 (58), (65), (66)."""
    system, at = dyn.example(name)
    state, count = system.state(q=np.linspace(-1.0, 1.0, system.n_joints), base_pose=at.base_pose), 40_000
    drawn, stages = sample_estimation(system, state, count, seed=3), dyn.forward_dynamics(system, state).stages
    stage, smoother = stages["filter"], stages["smoother"]
    n = system.n_joints
    whitened = drawn.innovation / np.sqrt(stage["joint_inertia"])
    # 5 standard errors: of a variance sqrt(2/n), of a correlation 1/sqrt(n).
    assert np.max(np.abs(whitened.T @ whitened / count - np.eye(n))) < 5.0 * np.sqrt(2.0 / count)
    for error, expected in (
        (drawn.prediction_error, stage["articulated_inertia"]),
        (drawn.base_innovation, stage["articulated_inertia"][n:]),  # JR (3.1)
        (drawn.smoothed_error, smoothed_force_covariance(system, state)),
        (drawn.corrected_error[:, :n], stage["articulated_inertia_updated"][:n]),  # R87 (58)
        (drawn.costate, smoother["costate_covariance"]),  # (66)
    ):
        found = np.einsum("ski,skj->kij", error, error, optimize=True) / count
        spread = np.sqrt(np.maximum(np.einsum("kii->ki", expected), 0.0))
        bound = 5.0 * np.sqrt(2.0 / count) * spread[:, :, None] * spread[:, None, :] + 1e-9
        assert np.all(np.abs(found - expected) <= bound)
    assert np.abs(drawn.corrected_error[:, n:]).max(initial=0.0) == 0.0
    # All that is measured has the whole mass matrix for covariance: over the joints, and a free base's six directions.
    measured = np.concatenate([drawn.measured, drawn.state[:, n:].reshape(count, -1)], axis=1)
    expected = dyn.mass_matrix(system, state)
    spread = np.sqrt(np.diag(expected))
    limit = 5.0 * np.sqrt(2.0 / count) * np.outer(spread, spread)
    assert np.all(np.abs(measured.T @ measured / count - expected) <= limit)
    with pytest.raises(dyn.ModelError, match="n_samples"):
        sample_estimation(*dyn.example("planar_chain"), 1)


def test_estimates_are_conditional_expectations() -> None:
    """R87 (54), (59), (60): the filter and the smoother of drawn data, against dense Gaussian conditioning."""
    system, _ = dyn.example("puma560")
    state = system.state(np.linspace(-1.0, 1.0, 6))
    drawn = sample_estimation(system, state, 5, seed=4)
    f, n = operator_factors(system, state), system.n_joints
    rotor = np.diag([joint.rotor_inertia for joint in system.joint_models])
    prior, size = state_covariance(f), np.abs(drawn.state).max()
    for count in range(n + 1):
        seen = f.h[:count]
        gain = prior @ seen.T @ np.linalg.inv(seen @ prior @ seen.T + rotor[:count, :count])
        best = (drawn.measured[:, :count] @ gain.T).reshape(-1, n, 6)
        if count < n:
            predicted = drawn.state[:, count] - drawn.prediction_error[:, count]
            assert np.abs(predicted - best[:, count]).max() < 1e-9 * size  # (54)
        if count:
            corrected = drawn.state[:, count - 1] - drawn.corrected_error[:, count - 1]
            assert np.abs(corrected - best[:, count - 1]).max() < 1e-9 * size  # (59)
    assert np.abs(drawn.state - drawn.smoothed_error - best).max() < 1e-8 * size  # (60)
